import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { ensurePage } from '../../bin/commands/build-panel-page.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createFleetPanel, type ListeningPanel, listenOn } from '../../emulator/panel/panel.ts'
import { openFleet, planOf, type SmallFleet, tillAt } from '../fleet/small-fleet.ts'
import { axeFindings, type Browser, openBrowser, openPage, type Watched } from './browser.ts'

const COUNT = 24
const FAMILIES = ['A', 'B', 'C'] as const satisfies readonly Family[]
let small: SmallFleet
let panel: ListeningPanel
let browser: Browser
const opened: Watched[] = []

beforeAll(async () => {
  await ensurePage()
  const plans = Array.from({ length: COUNT }, (_, index) =>
    planOf(`till-${index + 1}`, { family: FAMILIES[index % 3] as Family }),
  )
  small = await openFleet(plans, { workers: 1 })
  panel = await listenOn(createFleetPanel(small.fleet), 0)
  browser = await openBrowser()
})
afterEach(async () => {
  const troubles = opened.flatMap(({ troubles }) => troubles)
  for (const { page } of opened.splice(0)) await page.close()
  await hands({ names: ['*'], paper: 'ok', cover: false, power: true, cable: true })
  expect(troubles).toEqual([])
})
afterAll(async () => {
  await browser?.close()
  await panel?.close()
  await small?.fleet.close()
})

async function open(width: number, height: number, scheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const watched = await openPage(browser, { width, height, scheme })
  opened.push(watched)
  await watched.page.goto(`${panel.url}/`)
  await watched.page.locator('.tile').first().waitFor()
  return watched.page
}

async function hands(body: object): Promise<void> {
  const answer = await fetch(`${panel.url}/emulator/fleet/controls`, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}

async function sellAt(name: string): Promise<void> {
  const printer = small.fleet.printers.find(({ plan }) => plan.name === name)
  const till = await tillAt(printer?.tcp ?? 0)
  await till.receipt()
  till.close()
}

const tile = (page: Page, name: string) =>
  page.locator('.tile').filter({ has: page.getByRole('link', { name, exact: true }) })
const names = (page: Page) => page.locator('.tile-name').allInnerTexts()

it.each([
  [390, 844, 'light'],
  [1280, 800, 'dark'],
  [1920, 1080, 'light'],
] as const)(
  'the fleet overview has no finding of axe-core, no sideways scrolling and no tile outside the window, at %i pixels',
  async (width, height, scheme) => {
    await hands({ names: ['till-2'], paper: 'out' })
    await hands({ names: ['till-3'], paper: 'low' })
    const page = await open(width, height, scheme)
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    const outside = `(() => { const box = document.querySelector('.floor-tiles').getBoundingClientRect()
    return [...document.querySelectorAll('.tile')].filter((one) => { const tile = one.getBoundingClientRect()
      return tile.bottom < box.top - 20 || tile.top > box.bottom + 20 }).length })()`
    expect(await page.evaluate(outside)).toBe(0)
    if (width < 1000) expect(await page.locator('.tile').count()).toBeLessThan(COUNT)
    await page.evaluate(`document.querySelector('.floor-tiles').scrollTop = 1e6`)
    await page.getByRole('link', { name: `till-${COUNT}`, exact: true }).waitFor()
    expect(await page.evaluate(outside)).toBe(0)
  },
)

it('the fleet overview shows trouble first, the last printed document and the turnover, as they change', async () => {
  const page = await open(1280, 800)
  await hands({ names: ['till-9'], cover: true })
  await hands({ names: ['till-5'], paper: 'low' })
  await expect.poll(() => names(page).then((all) => all.slice(0, 3))).toEqual(['till-9', 'till-5', 'till-1'])
  await tile(page, 'till-9').getByText('Cover open').waitFor()
  await sellAt('till-1')
  await tile(page, 'till-1').getByText('1.50').waitFor()
  expect(await tile(page, 'till-1').locator('.tile-line').innerText()).not.toBe('')
  await page.getByText('Turnover today').locator('..').getByText('1.50').waitFor()
  await page.getByLabel('Show').selectOption('In trouble')
  expect(await names(page)).toEqual(['till-9', 'till-5'])
  await page.getByLabel('Order').selectOption('As they were named')
  expect(await names(page)).toEqual(['till-5', 'till-9'])
})

it('the tiles of several printers look like their state after it has changed, and as after a reload', async () => {
  const page = await open(1280, 800)
  const looks = () =>
    page.evaluate<readonly string[]>(`[...document.querySelectorAll('.tile')].map((tile) => {
      const [state, paper, print] = ['.tile-state', '.strip-paper', '.strip-print']
        .map((one) => getComputedStyle(tile.querySelector(one)))
      const name = tile.querySelector('.tile-name').textContent
      const mark = getComputedStyle(tile.querySelector('.tile-state'), '::before').content
      return [name, getComputedStyle(tile).borderLeftColor, state.color, state.fontWeight, mark, paper.fill, paper.stroke, print.strokeDasharray].join(' ')
    })`)
  for (const paper of ['out', 'low', 'ok']) {
    await hands({ names: ['till-2', 'till-4', 'till-5', 'till-9'], paper })
    const label = { out: 'Paper out', low: 'Paper nearly out', ok: 'Ready' }[paper] ?? ''
    await expect.poll(() => page.getByText(label, { exact: true }).count()).toBe(paper === 'ok' ? COUNT : 4)
    const changed = await looks()
    expect(changed.filter((look) => look.includes(' 650 '))).toHaveLength(paper === 'ok' ? 0 : 4)
    await page.reload()
    await page.getByText(label, { exact: true }).nth(3).waitFor()
    expect(changed).toEqual(await looks())
  }
})

it('the fleet overview finds printers by typing, and executes manual actions on the selected printers', async () => {
  const page = await open(1280, 800)
  await page.getByLabel('Find').fill('family c ready')
  await expect.poll(() => names(page)).toEqual(Array.from({ length: COUNT / 3 }, (_, index) => `till-${3 * index + 3}`))
  await page.getByText(`8 of ${COUNT} shown`).waitFor()
  await page.getByLabel('Choose till-6', { exact: true }).check()
  await page.getByLabel('Choose till-12', { exact: true }).check()
  await page.getByLabel('What to do').selectOption('Take the paper out')
  await page.getByRole('button', { name: 'Do it' }).click()
  await page.getByText('Take the paper out: 2 printers.').waitFor()
  await page.getByLabel('Find').fill('paper out')
  await expect.poll(() => names(page)).toEqual(['till-6', 'till-12'])
  expect((await small.fleet.rows(['till-6', 'till-9'])).map(({ state }) => state)).toEqual(['paperOut', 'idle'])
  await page.getByLabel('Find').fill('nothing like that')
  await page.getByText('No printer matches.').waitFor()
})

it('the fleet overview says how many of the selected printers the filters hide, before it acts on them', async () => {
  const page = await open(1280, 800)
  await page.getByLabel('Choose till-6', { exact: true }).check()
  await page.getByLabel('Choose till-7', { exact: true }).check()
  await page.getByRole('button', { name: 'Do it', exact: true }).waitFor()
  await page.getByLabel('Find').fill('till-7')
  await page.getByText('2 chosen, 1 not shown').waitFor()
  await page.getByRole('button', { name: 'Do it, also on the 1 not shown' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
})

it('the keys / and ? of the fleet overview go to Find and show the shortcuts', async () => {
  const page = await open(1280, 800)
  await page.keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.waitFor()
  expect(await axeFindings(page)).toEqual([])
  await shortcuts.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('till-7')
  await expect.poll(() => names(page)).toEqual(['till-7'])
})

it('a tile leads to the page of its printer, and that page leads back', async () => {
  const page = await open(1280, 800)
  await page.getByRole('link', { name: 'Docs' }).waitFor()
  await tile(page, 'till-4').click()
  await page.waitForURL(`${panel.url}/floor/till-4`)
  await page.getByRole('link', { name: 'Docs' }).waitFor()
  await page.getByRole('heading', { name: 'till-4', exact: true }).waitFor()
  await sellAt('till-4')
  await page.getByRole('link', { name: /^Fiscal receipt 1/ }).waitFor()
  await page.goto(`${panel.url}/floor/till-4#documents`)
  await page.locator('.document-row').first().waitFor()
  await page.goto(`${panel.url}/floor/till-4#setup`)
  const state = page.getByRole('link', { name: 'Download the whole state' })
  expect(await state.getAttribute('href')).toBe('/emulator/fleet/till-4/snapshot')
  await page.getByRole('link', { name: 'All printers' }).click()
  await tile(page, 'till-4').waitFor()
})

it.each([
  ['9999', 'There is no printer 9999 in this fleet.'],
  ['till%201', 'There is no printer till 1 in this fleet.'],
  ['%E0%A4', 'There is no printer %E0%A4 in this fleet.'],
])('the page of /floor/%s, which does not exist, says so and leads to the overview', async (name, words) => {
  const page = await open(390, 844)
  await page.goto(`${panel.url}/floor/${name}`)
  await page.getByText(words).waitFor()
  expect(await page.getByText('no connection').count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'All printers' }).click()
  await page.locator('.tile').first().waitFor()
})

it.each([
  ['till-7', 'A'],
  ['till-8', 'B'],
  ['till-9', 'C'],
])('the page of %s, of family %s, prints a composed receipt, and prints it again', async (name) => {
  const page = await open(1280, 800)
  await tile(page, name).click()
  await page.getByRole('link', { name: 'Compose' }).click()
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByText('On paper: Fiscal receipt 1.').waitFor()
  await page.goto(`${panel.url}/floor/${name}#documents/1`)
  await page.getByRole('button', { name: 'Print again' }).click()
  await page.getByText('Printed again: Fiscal receipt 2, a new document with the same content.').waitFor()
  const [row] = await small.fleet.rows([name])
  expect(row?.lastDocument).toMatchObject({ kind: 'fiscal', id: 2 })
})

it('the fleet overview reports that a thread has died and is restarted', async () => {
  const page = await open(1280, 800)
  const before = small.threads.length
  small.threads.at(-1)?.postMessage(null)
  await page.getByText('thread 1 was restarted').waitFor()
  expect(small.threads.length).toBe(before + 1)
  await tile(page, 'till-1').getByText('Ready').waitFor()
})
