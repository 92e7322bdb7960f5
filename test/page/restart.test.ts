/**
 * Objects that are open on the page remain when the program restarts or the device discards its oldest frames. No
 * object of another run with the same id replaces them.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { FRAME_HISTORY_SIZE } from '../../emulator/frame-history.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { listenPanel } from '../support/panel.ts'
import { panelPage, sellOne } from './panel-page.ts'

const rig = panelPage()

/** Replaces the device of the panel with another that assigns the same ids, as a restart of the program does. */
async function restart(): Promise<Emulator> {
  const { port } = new URL(rig.panel.url)
  await rig.panel.close()
  const emulator = createEmulator({ family: 'A' })
  onTestFinished(() => emulator.close())
  rig.panel = await listenPanel(emulator, Number(port))
  return emulator
}

function printText({ device }: Emulator, text: string): void {
  device.openNonFiscal({ operator: 1 })
  device.printText({ text })
  device.closeNonFiscal()
}

/** Sends requests that the device refuses. Each request takes two frames. */
async function pass(emulator: Emulator, frames: number): Promise<void> {
  const port = await emulator.binding.open({ path: emulator.path, baudRate: 115_200 })
  const end = emulator.lastFrame + frames
  while (emulator.lastFrame < end) {
    const before = emulator.lastFrame
    await port.write(Buffer.from('013030323A203030343A0530313B3F03', 'hex'))
    while (emulator.lastFrame < before + 2) await new Promise((next) => setImmediate(next))
  }
  await port.close()
}

const rowTexts = (page: Page) => page.locator('.time-row').allInnerTexts()
const pane = (page: Page) => page.locator('.past')
const note = (page: Page) => page.locator('.not-stored')
const live = (page: Page) => page.getByText('live', { exact: true })
const lost = (page: Page) => page.getByText(/^no connection since /)

describe('an open timeline after a restart', () => {
  it('shows the rows of the new run, and no row with frames of another run', async () => {
    for (let count = 0; count < 3; count++) await sellOne(rig.emulator)
    const page = await rig.open('timeline', { mayComplain: true })
    await page.locator('.time-row').filter({ hasText: 'sale by plu' }).first().waitFor()
    await pane(page).getByText('1 item').or(pane(page).getByText('Receipt 3')).first().waitFor()
    const other = await restart()
    await pass(other, 60)
    other.device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    other.device.sell({ name: 'Olive oil', taxCode: 1, price: 899, quantity: 1000, void: false })
    await live(page).waitFor()
    await page.locator('.time-row').filter({ hasText: 'at the device itself' }).first().waitFor()
    expect((await rowTexts(page)).filter((text) => /sale by plu|BREAD/i.test(text))).toEqual([])
    await pane(page).getByText('1: 1 item, 0.00 of 8.99 paid').waitFor()
    await pass(other, 10)
    await page.getByRole('button', { name: 'Follow' }).click()
    await expect.poll(async () => (await rowTexts(page)).at(-1)).toContain('status')
  })

  it('keeps the selected entry, says that it is of the run before, and leads to no other one after a reload', async () => {
    await sellOne(rig.emulator)
    const page = await rig.open('timeline', { mayComplain: true })
    await page.locator('.time-row').filter({ hasText: 'sale by plu' }).first().click()
    await pane(page).getByRole('heading', { name: 'The device as it was' }).waitFor()
    const facts = () => pane(page).locator('.card').allInnerTexts()
    await pane(page).locator('.past-paper svg').waitFor()
    const before = await facts()
    const other = await restart()
    for (let count = 0; count < 3; count++) printText(other, 'another run')
    await pass(other, 60)
    await note(page)
      .getByText(/^This entry is of the run before the emulator was restarted/)
      .waitFor()
    await page.locator('.time-row').first().waitFor()
    expect(await facts()).toEqual(before)
    await page.reload()
    await note(page).getByText('This entry is of an earlier run of the emulator, and is no longer stored.').waitFor()
    expect(await facts()).toEqual([])
    await page.locator('.time-row').last().click()
    await pane(page).getByRole('heading', { name: 'The device as it was' }).waitFor()
    expect(await note(page).count()).toBe(0)
  })
})

it('an open frame remains after a restart, and its address leads to no frame of the new run', async () => {
  await sellOne(rig.emulator)
  const page = await rig.open('wire', { mayComplain: true })
  await page.locator('.frame-row').filter({ hasText: 'sale by plu' }).first().click()
  const details = page.locator('.wire-details')
  await details.getByText('On paper').waitFor()
  const before = await details.locator('pre').allInnerTexts()
  const other = await restart()
  await pass(other, 60)
  await note(page)
    .getByText(/^This frame is of the run before the emulator was restarted/)
    .waitFor()
  await page.locator('.frame-row').first().waitFor()
  expect(await details.locator('pre').allInnerTexts()).toEqual(before)
  expect(await page.locator('.frame-row[aria-pressed="true"]').count()).toBe(0)
  await page.reload()
  await note(page)
    .getByText(/^Frame \d+ is of an earlier run of the emulator, and is no longer stored\. Choose one from the list\.$/)
    .waitFor()
  expect(await details.locator('pre').count()).toBe(0)
})

it.each(['documents/1', 'documents'])(
  'a document that is open as #%s remains when another device has a document with its id',
  async (address) => {
    // The page considers documents with the same id and the same second of printing to be one document.
    await fetch(`${rig.panel.url}/emulator/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"set": "2026-05-06T07:08:00"}',
    })
    printText(rig.emulator, 'the first run')
    const page = await rig.open(address, { mayComplain: true })
    const details = page.locator('.detail-card')
    await details.locator('tspan').getByText('the first run').waitFor({ state: 'attached' })
    const other = await restart()
    for (let count = 0; count < 3; count++) printText(other, 'another run')
    await note(page)
      .getByText(/^The device no longer has this document/)
      .waitFor()
    await expect.poll(() => page.locator('.document-row').count()).toBe(3)
    await details.locator('tspan').getByText('the first run').waitFor({ state: 'attached' })
    expect(await details.locator('tspan').getByText('another run').count()).toBe(0)
    expect(await page.locator('.document-row[aria-pressed="true"]').count()).toBe(0)
    if (address === 'documents') return
    await page.reload()
    await details.getByText(/^Document 1 was printed before the device was replaced/).waitFor()
  },
)

it('a document of a device that keeps its books in a folder is open as before after a restart', async () => {
  const data = mkdtempSync(join(tmpdir(), 'restart-'))
  const first = createEmulator({ family: 'A', data })
  const panel = await listenPanel(first, 0)
  printText(first, 'the first run')
  const page = await rig.open('documents/1', { url: panel.url, mayComplain: true })
  const { port } = new URL(panel.url)
  await panel.close()
  await first.close()
  await lost(page).waitFor()
  const second = createEmulator({ family: 'A', data })
  const next = await listenPanel(second, Number(port))
  onTestFinished(async () => {
    await next.close()
    await second.close()
  })
  printText(second, 'the second run')
  await live(page).waitFor()
  await expect.poll(() => page.locator('.document-row').count()).toBe(2)
  await page.locator('.document-row[aria-pressed="true"]').waitFor()
  await page.locator('.detail-card tspan').getByText('the first run').waitFor()
  expect(await note(page).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'PNG' }).count()).toBe(1)
})

it('visible rows and the selected entry of a timeline remain when the device drops its oldest frames', async () => {
  await sellOne(rig.emulator)
  await pass(rig.emulator, 60)
  const page = await rig.open('timeline')
  await page.locator('.list .row').first().waitFor()
  await page.evaluate(`document.querySelector('.time-card .scroll').scrollTop = 0`)
  await page.locator('.time-row').filter({ hasText: 'sale by plu' }).first().click()
  await pane(page).locator('.past-paper svg').waitFor()
  const before = [await rowTexts(page), await pane(page).locator('.card').allInnerTexts()]
  await pass(rig.emulator, FRAME_HISTORY_SIZE + 100)
  await expect
    .poll(() => page.evaluate(`fetch('/emulator/frames').then((answer) => answer.json()).then(([first]) => first.id)`))
    .toBeGreaterThan(60)
  await page.getByRole('button', { name: /^\d+ new$/ }).waitFor()
  expect([await rowTexts(page), await pane(page).locator('.card').allInnerTexts()]).toEqual(before)
}, 120_000)

it('the timeline does not call lines of a till actions at the device when their frames are no longer stored', async () => {
  const emulator = createEmulator({ family: 'A', frameHistorySize: 12 })
  const panel = await listenPanel(emulator, 0)
  onTestFinished(async () => {
    await panel.close()
    await emulator.close()
  })
  await sellOne(emulator)
  await pass(emulator, 12)
  const page = await rig.open('timeline', { url: panel.url })
  await page.locator('.time-row').filter({ hasText: 'a frame that is no longer stored' }).first().waitFor()
  expect((await rowTexts(page)).filter((text) => text.includes('at the device itself')).length).toBe(1)
})

it('the list of documents counts only those new documents that its filters show', async () => {
  printSample(rig.emulator)
  const newer = (page: Page, count: number | RegExp) =>
    page.getByRole('button', { name: typeof count === 'number' ? `${count} new` : count, exact: true })
  rig.emulator.device.reportZ()
  const page = await rig.open('documents?kind=z')
  await page.locator('.document-row').waitFor()
  for (let count = 0; count < 3; count++) printText(rig.emulator, 'needle')
  rig.emulator.device.reportZ()
  await newer(page, 1).waitFor()
  await newer(page, 1).click()
  await expect.poll(() => page.locator('.document-row').count()).toBe(2)
  await page.goto(`${rig.panel.url}/#documents?text=needle`)
  await expect.poll(() => page.locator('.document-row').count()).toBe(3)
  printText(rig.emulator, 'needle')
  printText(rig.emulator, 'hay')
  await newer(page, 1).waitFor()
  await expect.poll(() => page.locator('.list-card .count').textContent()).toBe('3 of 8')
  expect(await newer(page, /^\d+ new$/).count()).toBe(1)
})

it('an open Z report is not exchanged for a newer one', async () => {
  rig.emulator.device.reportZ()
  rig.emulator.device.reportZ()
  const page = await rig.open('day')
  const closure = page.locator('.closure h3')
  await closure.filter({ hasText: 'Z 2' }).waitFor()
  rig.emulator.device.reportZ()
  await page.locator('.z-row').filter({ hasText: 'Z 3' }).waitFor()
  expect(await closure.textContent()).toContain('Z 2')
  await page.locator('.z-row').filter({ hasText: 'Z 3' }).click()
  await closure.filter({ hasText: 'Z 3' }).waitFor()
})

describe('a page that is open while the device is reset', () => {
  it('keeps the Z report that is open in Day, which the fiscal memory retains', async () => {
    for (let day = 0; day < 3; day++) {
      printSample(rig.emulator)
      rig.emulator.device.reportZ()
    }
    const page = await rig.open('day')
    await page.locator('.z-row').last().click()
    const details = page.locator('.closure')
    const text = await details.innerText()
    expect(text).toContain('1')
    const seen: string[] = []
    await page.exposeFunction('noteText', (words: string) => void seen.push(words))
    await page.evaluate(
      `new MutationObserver(() => noteText(document.querySelector('.archive').innerText)).observe(document.querySelector('.archive'), { childList: true, subtree: true, characterData: true })`,
    )
    rig.emulator.reset({ keep: 'fiscalMemory' })
    await page.goto(`${rig.panel.url}/#/day`)
    printSample(rig.emulator)
    await page.getByText('Fiscal receipts in all').waitFor()
    await expect.poll(() => rig.emulator.device.counters.fiscalReceipts).toBeGreaterThan(0)
    await expect.poll(() => details.innerText()).toBe(text)
    expect(seen.filter((words) => words.includes('has not been closed yet'))).toEqual([])
  })

  it('keeps the paper of a chosen row of the timeline', async () => {
    printSample(rig.emulator)
    const page = await rig.open('timeline')
    await page.locator('.time-row').last().click()
    const paper = page.locator('.past-paper')
    await paper.getByText('Fiscal receipt 1').first().waitFor()
    rig.emulator.reset()
    await page.getByText('This entry is no longer stored').waitFor()
    expect(await paper.innerText()).toContain('Fiscal receipt 1')
    expect(await paper.innerText()).not.toContain('still open')
    expect(await paper.getByRole('link').count()).toBe(0)
  })
})

describe('the open details of a fault', () => {
  const story = (page: Page) => page.locator('.fault-story')

  async function openFault(): Promise<{ page: Page; before: string }> {
    rig.emulator.faults.add({ at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' })
    const page = await rig.open('faults', { mayComplain: true })
    await sellOne(rig.emulator)
    await page.getByRole('button', { name: /^Details of / }).click()
    await story(page).getByText('Result: Fiscal receipt 1.').waitFor()
    await story(page).getByRole('link').first().waitFor()
    await expect.poll(() => page.url()).toMatch(/#\/faults\?story=\d+&run=\w+/)
    return { page, before: await story(page).innerText() }
  }

  it('remain, dimmed, when the device is reset, and lead to no entry that is gone', async () => {
    const { page, before } = await openFault()
    rig.emulator.reset()
    await note(page).getByText('This fault is no longer stored, and is shown as it was read.').waitFor()
    await sellOne(rig.emulator)
    await page.getByText('No fault has been triggered').waitFor({ state: 'detached' })
    expect(await story(page).innerText()).toBe(before)
    expect(await story(page).getByRole('link').count()).toBe(0)
    await page.reload()
    await note(page).getByText(' is not stored: it was never triggered, the device was reset').waitFor()
    expect(await story(page).count()).toBe(0)
  })

  it('remain, dimmed, after a restart, also if the new run has a fault with the same id', async () => {
    const { page, before } = await openFault()
    const other = await restart()
    other.faults.add({ at: 'link.toHost', on: 'openFiscal', times: 1, do: 'drop' })
    await sellOne(other)
    await note(page)
      .getByText(/^This fault is of the run before the emulator was restarted/)
      .waitFor()
    await page.locator('.rule-list').getByText('open fiscal').first().waitFor()
    expect(await story(page).innerText()).toBe(before)
    await page.reload()
    await note(page)
      .getByText(/^This fault is of an earlier run of the emulator/)
      .waitFor()
    expect(await story(page).count()).toBe(0)
  })
})

it('a frame has no link to the timeline entry that a reset has removed', async () => {
  await sellOne(rig.emulator)
  const page = await rig.open('wire')
  await page.locator('.frame-row').filter({ hasText: 'sale by plu' }).first().click()
  const printed = page.locator('.printed-lines')
  await printed.getByRole('link').waitFor()
  const words = await printed.innerText()
  rig.emulator.reset()
  await printed.getByRole('link').waitFor({ state: 'detached' })
  expect(await printed.innerText()).toBe(words.replace(', at that time', ''))
})

describe('the chosen Z report', () => {
  it('is in the address: for the back button, a reload and another tab', async () => {
    for (let day = 0; day < 3; day++) rig.emulator.device.reportZ()
    const page = await rig.open('day')
    const title = page.locator('.closure h3')
    const row = (text: string) => page.locator('.z-row').filter({ hasText: text })
    await row('Z 1').click()
    await row('Z 2').click()
    await title.filter({ hasText: 'Z 2' }).waitFor()
    await page.goBack()
    await title.filter({ hasText: 'Z 1' }).waitFor()
    expect(page.url()).toMatch(/#\/day\/1\?at=\d{14}$/)
    await page.reload()
    await title.filter({ hasText: 'Z 1' }).waitFor()
    expect(await row('Z 1').getAttribute('aria-pressed')).toBe('true')
    await page.goto(`${rig.panel.url}/#/day/9`)
    await note(page).getByText('There is no Z report 9 in the fiscal memory.').waitFor()
  })

  it('remains, dimmed, when the device is reset to a new one, and its address leads to no other one', async () => {
    rig.emulator.device.reportZ()
    const page = await rig.open('day/1')
    const details = page.locator('.closure')
    const before = await details.locator('table').innerText()
    await expect.poll(() => page.url()).toContain('at=')
    rig.emulator.reset()
    // The page considers Z reports with the same number and second to be one report.
    rig.emulator.setClock('2040-01-01T10:00:00')
    rig.emulator.device.reportZ()
    await note(page)
      .getByText(/^The device no longer has this Z report/)
      .waitFor()
    expect(await details.locator('table').innerText()).toBe(before)
    await page.locator('.z-row[aria-pressed="false"]').waitFor()
    await page.reload()
    await note(page)
      .getByText(/^Z report 1 was printed before the device was replaced/)
      .waitFor()
  })
})

it('a session that was recorded says that it ended with the program, until another session is started', async () => {
  const page = await rig.open('timeline', { mayComplain: true })
  await page.getByRole('button', { name: 'Start a new session' }).click()
  await page.getByText('A new session has started.').waitFor()
  await sellOne(rig.emulator)
  await page.getByText(/^Session since .*: \d+ steps\.$/).waitFor()
  const sentence = /^The program was restarted: the session since .* has ended and can no longer be saved\.$/
  await page.goto(`${rig.panel.url}/#paper`)
  await restart()
  await page.locator('.message').getByText(sentence).waitFor()
  await page.goto(`${rig.panel.url}/#timeline`)
  const bar = page.getByRole('region', { name: 'This session as a scenario' })
  await bar.getByText(sentence).waitFor()
  await page.getByRole('button', { name: 'Start a new session' }).click()
  await bar.getByText(sentence).waitFor({ state: 'detached' })
})
