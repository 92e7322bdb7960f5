import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Printer, type Service, startPrinter, startService } from '../../bin/library.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { ListeningPanel } from '../../emulator/panel/panel.ts'
import { axeFindings, type Browser, openBrowser, openPage, type PageOptions, type Watched } from '../page/browser.ts'
import { listenPanel } from '../support/panel.ts'
import { slice } from '../support/slice.ts'
import { builtPages } from './built-pages.ts'

let browser: Browser
let printer: Printer
let service: Service
let docs: string
let names: readonly string[]
beforeAll(async () => {
  names = [...(await builtPages()).keys()]
  printer = await startPrinter({ family: 'A' })
  service = await startService({ printer })
  docs = service.url.replace(/\/api$/, '/docs')
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await printer.close()
})

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 900 }

async function onPage(options: PageOptions, act: (page: Page) => Promise<void>): Promise<void> {
  const { page, troubles }: Watched = await openPage(browser, options)
  try {
    await act(page)
  } finally {
    await page.close()
  }
  expect(troubles).toEqual([])
}

/**
 * Returns accessibility findings for the beginning of the page: the remainder has the same elements, and axe-core would
 * need seconds for it.
 */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate("document.querySelectorAll('main > :nth-child(n + 120)').forEach((one) => one.remove())")
  return axeFindings(page)
}

const opened = (page: Page) => page.locator('#reader .opblock.is-open')

describe('every page of the documentation', () => {
  // A page is checked in one of the four settings, and each setting has pages of every kind.
  it.each([
    ['on a phone, light', PHONE, 'light', 0],
    ['on a phone, dark', PHONE, 'dark', 1],
    ['on a desk, light', DESK, 'light', 2],
    ['on a desk, dark', DESK, 'dark', 3],
  ] as const)(
    'has no finding of axe-core, no sideways scrolling and no error, %s',
    async (where, size, scheme, turn) => {
      const ofThese = names.filter((_name, index) => index % 4 === turn)
      expect(ofThese.length).toBeGreaterThan(5)
      const mine = slice(ofThese, { of: 4, salt: where })
      await onPage({ ...size, scheme }, async (page) => {
        for (const name of mine) {
          await page.goto(`${docs}/${name}`)
          if (name === 'try-it.html') await page.locator('#reader .opblock').first().waitFor()
          const sideways = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
          expect({ name, isWide: sideways > 0 }).toEqual({ name, isWide: false })
          expect({ name, findings: await findings(page) }).toEqual({ name, findings: [] })
        }
      })
    },
  )
})

it('content wider than a phone can be scrolled with the keyboard before the first frame is drawn', async () => {
  await onPage(PHONE, async (page) => {
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      const wide = [...document.querySelectorAll('.scrolls')].filter((one) => one.scrollWidth > one.clientWidth)
      window.wide = { all: wide.length, reached: wide.filter((one) => one.tabIndex === 0).length }
    })`)
    await page.goto(`${docs}/first-hour-qa.html`)
    const wide = await page.evaluate<{ all: number; reached: number }>('window.wide')
    expect(wide.all).toBeGreaterThan(5)
    expect(wide.reached).toBe(wide.all)
  })
})

it('the search finds a page and opens it, with the keyboard alone', async () => {
  await onPage(DESK, async (page) => {
    await page.goto(docs)
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('roundingTolerance')
    await page.getByText(/\d+ places? found|1 place found/).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/configuration\.html/)
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('zzyzx')
    await page.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

it('colours follow the system until the reader chooses others, and the choice is stored', async () => {
  await onPage({ ...DESK, scheme: 'light' }, async (page) => {
    const back = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    await page.goto(`${docs}/faults.html`)
    const light = await back()
    await page.getByRole('button', { name: 'Colours: as the system' }).click()
    await page.getByRole('button', { name: 'Colours: light' }).click()
    const dark = await back()
    expect(dark).not.toBe(light)
    await page.getByRole('link', { name: 'Configuration', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Configuration' }).waitFor()
    expect(await back()).toBe(dark)
  })
})

it('on a phone the list of pages opens and closes', async () => {
  await onPage(PHONE, async (page) => {
    await page.goto(`${docs}/faults.html`)
    const list = page.getByRole('navigation', { name: 'Pages' })
    expect(await list.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Pages' }).click()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await list.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Pages' }).click()
    await list.getByRole('link', { name: 'Control API' }).click()
    await page.getByRole('heading', { level: 1, name: 'Control API' }).waitFor()
  })
})

describe('the page Try it', () => {
  const SALE = 'try-it.html#/Complete%20receipt%20in%20one%20request/printFiscalReceipt'

  it('prints a receipt', async () => {
    await onPage({ ...DESK, scheme: 'dark' }, async (page) => {
      await page.goto(`${docs}/rest.html`)
      await page.locator(`a[href$="${SALE}"]`).click()
      await page.getByText(`Requests go to ${service.url}.`).waitFor()
      const printed = printer.nextDocument({ within: 120_000 })
      await opened(page).getByRole('button', { name: 'Execute' }).click()
      expect(await printed).toMatchObject({ kind: 'fiscal', number: 1 })
      await opened(page).locator('.live-responses-table').getByText('"StatusCode"').waitFor()
      expect(printer.receipts()).toHaveLength(1)
      expect(await axeFindings(page)).toEqual([])
    })
  })

  it('of the control panel leads to the service', async () => {
    const emulator: Emulator = createEmulator({ family: 'B' })
    const panel: ListeningPanel = await listenPanel(emulator, 0, { service: () => service.url })
    try {
      await onPage({ ...PHONE, scheme: 'light' }, async (page) => {
        await page.goto(`${panel.url}/docs`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.goto(`${panel.url}/docs/${SALE}`)
        await page.getByText('This page comes from the control panel, which has no REST API.').waitFor()
        await opened(page).waitFor()
        expect(await opened(page).getByRole('button', { name: 'Execute' }).count()).toBe(0)
        expect(await axeFindings(page)).toEqual([])
        await page.getByRole('link', { name: docs }).click()
        await page.getByText(`Requests go to ${service.url}.`).waitFor()
      })
    } finally {
      await panel.close()
      await emulator.close()
    }
  })
})
