/** Links between the page and the documentation, and from a triggered fault to its timeline. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { docsAt } from '../../bin/docs-address.ts'
import { builtPages } from '../docs/built-pages.ts'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { type Browser, openBrowser, openPage } from './browser.ts'
import { panelPage, sellOne } from './panel-page.ts'

const rig = panelPage()
let browser: Browser
let service: Running
let address: { readonly http: string; readonly panel: string }

beforeAll(async () => {
  await builtPages()
  browser = await openBrowser()
  service = start(['serve', '--data', 'memory', '--json', ...FREE_PORTS])
  const { http, panel } = await service.ready()
  address = { http: String(http), panel: String(panel) }
}, 300_000)
afterAll(async () => {
  await browser.close()
  service.child.kill('SIGTERM')
  await service.ended
})

async function onPage(url: string, act: (page: Page) => Promise<void>): Promise<void> {
  const { page, troubles } = await openPage(browser, { width: 1280, height: 900 })
  try {
    await page.goto(url)
    await act(page)
  } finally {
    await page.close()
  }
  expect(troubles).toEqual([])
}

it('the view Setup shows the address of the service and a line of curl that prints, and leads to Try it', async () => {
  await onPage(`${address.panel}/#setup`, async (page) => {
    const card = page.getByRole('region', { name: 'Send requests to the service' })
    await card.getByText(address.http, { exact: true }).waitFor()
    await card.getByText(`curl -s ${address.http}/print-fiscal-receipt`).waitFor()
    await card.getByRole('link', { name: 'Try it' }).click()
    await page.getByText(`Requests go to ${address.http}.`).waitFor()
  })
})

it('the page leads to the documentation, whose examples contain the ports in use, and which leads back', async () => {
  await onPage(address.panel, async (page) => {
    await page.getByRole('link', { name: 'Docs', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'fiscal-rig' }).waitFor()
    await page.getByText('You send JSON to the service.').waitFor()
    const content = page.locator('#content')
    for (const name of ['API reference', 'Fidelity']) await content.getByRole('link', { name, exact: true }).waitFor()
    await content.getByRole('link', { name: 'API reference' }).click()
    await page.locator('.code').getByText(`curl -s -X POST ${address.http}/close-fiscal-receipt`).waitFor()
    expect(await page.locator('.code').getByText('127.0.0.1:65400').count()).toBe(0)
    await page.getByRole('link', { name: 'Printer', exact: true }).click()
    await page.getByText('live', { exact: true }).waitFor()
  })
})

it('the header of the documentation has room for the link to the printer on a phone', async () => {
  for (const width of [320, 390, 480, 500, 860]) {
    const { page } = await openPage(browser, { width, height: 844 })
    await page.goto(address.http.replace(/\/api$/, '/docs'))
    await page.getByRole('link', { name: 'Printer', exact: true }).waitFor()
    const header = await page.evaluate(`(() => {
      const box = (name) => document.querySelector(name).getBoundingClientRect()
      return {
        isWider: document.documentElement.scrollWidth > innerWidth,
        isCovered: [...document.querySelector('.brand').children].some((one) => one.offsetWidth > 1 && one.getBoundingClientRect().right > box('.tools').left),
        menuIsInSight: box('#menu').right <= innerWidth,
      }
    })()`)
    expect({ width, header }).toEqual({ width, header: { isWider: false, isCovered: false, menuIsInSight: true } })
    await page.close()
  }
})

it('the message at the start names the documentation only where the command serves it', () => {
  expect(docsAt('http://127.0.0.1:65400/api', true)).toBe('http://127.0.0.1:65400/docs')
  expect(docsAt('http://127.0.0.1:65400/api', false)).toBe('not built in this checkout; build it with: npm run docs')
})

it('a triggered fault leads to its details: from the message, the list of frames and the timeline', async () => {
  const page = await rig.open('faults')
  await page.getByRole('button', { name: 'Add: The answer to the closing command is lost once' }).click()
  await page.getByText('Rule 1 is waiting to be triggered.').waitFor()
  await sellOne(rig.emulator)
  await page.locator('.message').getByRole('link', { name: 'Details' }).click()
  await page.locator('.fault-story .strike').waitFor()
  await page.goto(`${rig.panel.url}/#wire?text=lost`)
  await page.locator('.frame-row').last().click()
  await page.locator('.wire-details').getByRole('link', { name: 'Details' }).click()
  await page.locator('.fault-story .strike').waitFor()
  await page.goto(`${rig.panel.url}/#timeline?lanes=faults`)
  await page.locator('.time-row').last().click()
  await page.getByRole('region', { name: 'Triggered fault' }).getByRole('link', { name: 'Details' }).click()
  await page.locator('.fault-story .strike').waitFor()
})
