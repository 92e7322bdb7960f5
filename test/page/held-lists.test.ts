import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { FRAME_HISTORY_SIZE } from '../../emulator/frame-history.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { panelPage, sellOne } from './panel-page.ts'

const rig = panelPage()

const LIST = '.view-documents .list-card .scroll, .wire-card .scroll, .time-card .scroll'

const firstInSight = (page: Page): Promise<readonly [string, number]> =>
  page.evaluate(`(() => {
    const top = document.querySelector('${LIST}').getBoundingClientRect().top
    const rows = [...document.querySelectorAll('${LIST.replaceAll(', ', ' .row, ')} .row')]
    const places = rows.map((row) => [row.textContent, Math.round(row.getBoundingClientRect().top)])
    return places.filter(([, at]) => at >= Math.floor(top)).sort((one, other) => one[1] - other[1])[0]
  })()`)

/**
 * Returns the index of the last visible row. The text does not identify a row, because rows of the same millisecond may
 * be equal.
 */
const lastInSight = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const { bottom } = document.querySelector('${LIST}').getBoundingClientRect()
    const rows = [...document.querySelectorAll('${LIST.replaceAll(', ', ' li, ')} li')]
    const inSight = rows.filter((row) => row.getBoundingClientRect().bottom <= bottom + 1)
    return Math.max(...inSight.map((row) => Number(row.getAttribute('aria-posinset'))))
  })()`)

async function atRest(page: Page): Promise<readonly [string, number]> {
  let before: readonly [string, number] = ['', -1]
  await expect
    .poll(async () => {
      const now = await firstInSight(page)
      const isSame = now[0] === before[0] && now[1] === before[1]
      before = now
      return isSame
    })
    .toBe(true)
  return before
}

/** Sends requests that the device refuses. Each request takes two frames. */
async function pass(frames: number): Promise<void> {
  const port = await rig.emulator.binding.open({ path: rig.emulator.path, baudRate: 115_200 })
  const last = () => rig.emulator.lastFrame
  const end = last() + frames
  while (last() < end) {
    const before = last()
    await port.write(Buffer.from('013030323A203030343A0530313B3F03', 'hex'))
    while (last() < before + 2) await new Promise((next) => setImmediate(next))
  }
  await port.close()
}

const newer = (page: Page, count: number | RegExp | string) =>
  page.getByRole('button', { name: typeof count === 'number' ? `${count} new` : count, exact: true })

describe('the list of documents', () => {
  it('keeps its rows, and the open document stays open until the reader opens another document', async () => {
    for (let count = 0; count < 20; count++) printSample(rig.emulator)
    const page = await rig.open('documents')
    await page.getByRole('heading', { name: 'Fiscal receipt 20', exact: true }).waitFor()
    const before = await atRest(page)
    for (let count = 0; count < 3; count++) printSample(rig.emulator)
    await newer(page, 3).waitFor()
    expect(await firstInSight(page)).toEqual(before)
    await newer(page, 3).click()
    await page.locator('.document-row').filter({ hasText: 'Fiscal receipt23' }).waitFor()
    expect(await page.locator('#document-title').textContent()).toBe('Fiscal receipt 20')
    expect(await newer(page, /^\d+ new$/).count()).toBe(0)
  })

  it('shows the row of a document that a link leads to', async () => {
    for (let count = 0; count < 60; count++) printSample(rig.emulator)
    const page = await rig.open('documents/7')
    await page.getByRole('heading', { name: 'Fiscal receipt 7', exact: true }).waitFor()
    const isInSight = () =>
      page.evaluate(`(() => {
        const list = document.querySelector('.list-card .scroll').getBoundingClientRect()
        const row = document.querySelector('.document-row[aria-pressed="true"]')?.getBoundingClientRect()
        return row !== undefined && row.top >= list.top && row.bottom <= list.bottom
      })()`)
    await expect.poll(isInSight).toBe(true)
  })
})

describe.each(['wire', 'timeline'])('the list of #/%s', (view) => {
  it('keeps its first visible row in place, and leads to new rows', async () => {
    await pass(80)
    const page = await rig.open(view)
    await page.locator('.list .row').first().waitFor()
    await page.locator('.list .scroll').hover()
    await page.mouse.wheel(0, -200)
    const before = await atRest(page)
    await pass(10)
    await newer(page, /^\d+ new$/).waitFor()
    expect(await atRest(page)).toEqual(before)
    await newer(page, /^\d+ new$/).click()
    await expect.poll(() => firstInSight(page)).not.toEqual(before)
    await newer(page, /^\d+ new$/).waitFor({ state: 'detached' })
  })

  it('does not move at its end either, unless it follows the newest row', async () => {
    await pass(80)
    const page = await rig.open(view)
    await page.locator('.list .row').first().waitFor()
    const before = await atRest(page)
    await pass(10)
    await newer(page, /^\d+ new$/).waitFor()
    expect(await atRest(page)).toEqual(before)
    await page.getByRole('button', { name: 'Follow' }).click()
    await newer(page, /^\d+ new$/).waitFor({ state: 'detached' })
    await atRest(page)
    const followed = await lastInSight(page)
    await pass(10)
    await expect.poll(() => lastInSight(page)).toBeGreaterThan(followed)
  })
})

it('the list of frames keeps its rows when the device stores no more frames', async () => {
  await pass(FRAME_HISTORY_SIZE)
  const page = await rig.open('wire')
  await page.locator('.list .row').first().waitFor()
  await page.locator('.list .scroll').hover()
  await page.mouse.wheel(0, -600)
  const before = await atRest(page)
  await pass(200)
  await newer(page, /^\d+ new$/).waitFor()
  expect(await atRest(page)).toEqual(before)
}, 120_000)

it('the list of frames promises no more new frames than the device stores', async () => {
  await pass(80)
  const page = await rig.open('wire')
  await page.locator('.list .row').first().waitFor()
  await pass(2 * FRAME_HISTORY_SIZE + 500)
  await newer(page, '2,000 or more new').waitFor()
  await newer(page, '2,000 or more new').click()
  await expect.poll(() => page.locator('.wire-card .count').first().textContent()).toBe('2000 frames')
}, 120_000)

it('a receipt that is sold moves nothing in the list of frames that is being read', async () => {
  await pass(80)
  const page = await rig.open('wire')
  await page.locator('.list .row').first().waitFor()
  const before = await atRest(page)
  await sellOne(rig.emulator)
  await newer(page, /^\d+ new$/).waitFor()
  expect(await atRest(page)).toEqual(before)
})

it('a frame in the list has its time on a phone, too', async () => {
  await sellOne(rig.emulator)
  const page = await rig.open('wire', { width: 390, height: 844 })
  const time = page.locator('.frame-row .at').last()
  await time.waitFor()
  expect(await time.innerText()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
  const isCut = `[...document.querySelectorAll('.frame-row .at')].some((one) => one.scrollWidth > one.clientWidth)`
  expect(await page.evaluate(isCut)).toBe(false)
})

it.each([
  ['documents', 'newest first'],
  ['day', 'newest first'],
  ['wire', 'newest last'],
  ['timeline', 'newest last'],
])('the list of #/%s says: %s', async (view, words) => {
  await sellOne(rig.emulator)
  rig.emulator.device.reportZ()
  const page = await rig.open(view)
  await page.locator('main .row').first().waitFor()
  await page.locator('main').getByText(words, { exact: true }).waitFor()
})
