import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tillAt } from '../../bin/till-over-service.ts'
import { FAMILIES } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, type Emulator, profilesOf } from '../../emulator/emulator.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { settingsOf } from '../../server/config.ts'
import { listenPanel } from '../support/panel.ts'
import { axeFindings } from './browser.ts'
import { panelPage } from './panel-page.ts'

const rig = panelPage()

async function longestNamed(family: Family): Promise<{ emulator: Emulator; url: string }> {
  const all = profilesOf(family).map((profile) => createEmulator({ family, profile }))
  const [longest, ...others] = all.toSorted((one, other) => other.profile.model.length - one.profile.model.length)
  await Promise.all(others.map((one) => one.close()))
  const emulator = longest as Emulator
  const panel = await listenPanel(emulator, 0, { till: tillAt(emulator, settingsOf({}, { family })) })
  onTestFinished(async () => {
    await panel.close()
    await emulator.close()
  })
  return { emulator, url: panel.url }
}

const WIDTHS = Array.from({ length: (1920 - 320) / 20 + 1 }, (_nothing, index) => 320 + 20 * index)

const WRONG = `(() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect()
  const [who, name, kind, now, nav] = ['.who', '.who h1', '.kind-of', '.now', '.top nav'].map(box)
  return [
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
    ...(name.right > kind.left + 1 ? ['the name is over the family'] : []),
    ...(kind.right > now.left + 1 || kind.width < 20 ? ['the family is not in sight'] : []),
    ...(now.right > innerWidth + 1 ? ['the connection is cut'] : []),
    ...(nav.top < Math.max(who.bottom, now.bottom) - 1 ? ['the menu is not below the name'] : []),
    ...(name.width < 30 ? ['the name has no room'] : []),
  ]
})()`

describe.each(FAMILIES)('the longest model name of family %s', (family) => {
  it('fits at every width, with family and profile next to it', async () => {
    const { emulator, url } = await longestNamed(family)
    const page = await rig.open('day', { url, width: 320 })
    await page.getByRole('link', { name: 'Compose' }).waitFor({ state: 'attached' })
    const wrong: unknown[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const found = await page.evaluate<readonly string[]>(WRONG)
      if (found.length > 0) wrong.push([width, ...found])
    }
    expect(wrong).toEqual([])
    const kindText = await page.locator('.kind-of').innerText()
    expect(kindText).toBe(`Family ${family} · ${emulator.profile.profile}`)
  }, 60_000)
})

it('a message covers nothing of a view, and the header on a phone is low', async () => {
  const page = await rig.open('paper', { width: 390, height: 844 })
  const places = await page.evaluate<readonly [number, number]>(
    `[document.querySelector('.top').getBoundingClientRect().height, document.querySelector('.message-place').getBoundingClientRect().height]`,
  )
  expect(places[0]).toBeLessThan(110)
  expect(places[1]).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  const bottom = await page.evaluate<number>(
    `innerHeight - document.querySelector('.roll-view').getBoundingClientRect().bottom`,
  )
  expect(bottom).toBeLessThan(24)
})

it.each([390, 800, 1440])(
  'a message leaves the header free, and clicks reach what is below it, at %i pixels',
  async (width) => {
    const page = await rig.open('paper', { width, height: 844 })
    rig.emulator.device.openNonFiscal({ operator: 1 })
    await page.getByRole('button', { name: 'Print a sample receipt' }).click()
    const message = page.locator('.message.error')
    await message.waitFor()
    const [top, header] = await page.evaluate<readonly [number, number]>(
      `[document.querySelector('.message').getBoundingClientRect().top, document.querySelector('.top').getBoundingClientRect().bottom]`,
    )
    expect(top).toBeGreaterThan(header)
    const box = await message.boundingBox()
    const isReached = await page.evaluate<boolean>(
      `!document.elementFromPoint(${(box?.x ?? 0) + 6}, ${(box?.y ?? 0) + 6}).closest('.message-place')`,
    )
    expect(isReached).toBe(true)
    await page.locator('nav').getByRole('link', { name: 'Day and memory' }).click()
    await message.waitFor({ state: 'detached' })
  },
)

describe('the focus of the keyboard', () => {
  const stops = (page: Page) =>
    page.evaluate<number>(
      `[...document.querySelectorAll('.list .scroll, .list .row')].filter((one) => one.tabIndex === 0).length`,
    )

  it('stops once at a list, and the arrow keys move within the list', async () => {
    for (let count = 0; count < 12; count++) printSample(rig.emulator)
    const page = await rig.open('documents')
    await page.locator('.document-row').first().waitFor()
    expect(await stops(page)).toBe(1)
    await page.getByLabel('Kind').focus()
    await page.keyboard.press('Tab')
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    expect(await focused()).toContain('Fiscal receipt12')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toContain('Fiscal receipt11')
    expect(await stops(page)).toBe(1)
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('.list-card') === null")).toBe(true)
  })

  it('goes to the search with "/", and "?" shows the shortcuts, which Esc closes', async () => {
    printSample(rig.emulator)
    const page = await rig.open('documents/1')
    await page.getByRole('heading', { name: 'Fiscal receipt 1', exact: true }).waitFor()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('location.hash')).toBe('#/documents')
  })

  it('reaches scrolling parts of the view Day and memory', async () => {
    const page = await rig.open('day')
    await page.getByText('Last receipt').waitFor()
    expect(await page.locator('.figures').innerText()).toMatch(/Last receipt\s+none\s+Last Z report\s+none/)
    printSample(rig.emulator)
    rig.emulator.device.reportZ()
    await page.locator('.closure').waitFor()
    const places = await page.evaluate(`['main', '.closure'].map((one) => document.querySelector(one).tabIndex)`)
    expect(places).toEqual([0, 0])
  })
})

it('without a connection the page dims the state, and says since when', async () => {
  printSample(rig.emulator)
  const page = await rig.open('day', { mayComplain: true })
  const dimmed = () =>
    page.evaluate<readonly number[]>(
      `[...document.querySelectorAll('.rail > *, main > *')].map((one) => Number(getComputedStyle(one).opacity))`,
    )
  expect(new Set(await dimmed())).toEqual(new Set([1]))
  await rig.panel.close()
  await page.getByText(/^no connection since \d\d:\d\d:\d\d$/).waitFor()
  expect((await dimmed()).every((opacity) => opacity < 0.7)).toBe(true)
  rig.panel = await listenPanel(rig.emulator, 0)
})

it('the view Compose has one row per line, and shows the total next to the button', async () => {
  const page = await rig.open('compose')
  for (let count = 0; count < 14; count++) await page.getByRole('button', { name: 'Add it' }).click()
  const rows = await page.evaluate<readonly number[]>(
    `[...document.querySelectorAll('.compose-row.item')].map((one) => one.getBoundingClientRect().height)`,
  )
  expect(rows).toHaveLength(14)
  expect(Math.max(...rows)).toBeLessThan(80)
  const button = page.getByRole('button', { name: 'Print the receipt' })
  const place = await button.boundingBox()
  expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(900)
  await page.getByText('Total 16.80').waitFor()
  const second = page.getByRole('group', { name: 'Row 2, Bread' })
  await second.getByLabel('Quantity').fill('2.5')
  await second.getByLabel('Discount').selectOption('Discount %')
  await second.getByLabel('How much').fill('10')
  // 2.5 x 1.20 = 3.00, less 0.30.
  await page.getByText('Total 18.30').waitFor()
  await button.click()
  await page.getByText('On paper: Fiscal receipt 1.').waitFor()
  expect(rig.emulator.device.document(1)?.total).toBe(1830)
})

it('each letter of the paper is drawn in its column, and a separating line is as wide as its letters', async () => {
  printSample(rig.emulator)
  const page = await rig.open('documents/1')
  await page.locator('.detail-body .paper svg text').first().waitFor()
  const away = await page.evaluate<readonly number[]>(`(() => {
    const svg = document.querySelector('.detail-body .paper svg')
    const cell = 576 / 42
    return [...svg.querySelectorAll('tspan')]
      .filter((run) => !run.parentElement.hasAttribute('transform') && run.textContent.length > 3)
      .map((run) => Math.abs(run.getEndPositionOfChar(run.textContent.length - 1).x - (Number(run.getAttribute('x')) + run.textContent.length * cell)))
  })()`)
  expect(away.length).toBeGreaterThan(10)
  expect(Math.max(...away)).toBeLessThan(1)
})

it.each([
  ['requests', 'Requests', 'does not see the requests of a REST service that is attached to the line of this device'],
  ['exam', 'Exam', 'No exam is running on this device.'],
])(
  'the address of the view %s says that the view is not available on this device, and why',
  async (view, name, why) => {
    const page = await rig.open(view)
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: `${name} is not available here` }).waitFor()
    await main.getByText(why).waitFor()
    expect(await main.getByText('address of the service').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await main.getByRole('link', { name: 'Paper' }).click()
    await page.locator('.roll').first().waitFor()
  },
)
