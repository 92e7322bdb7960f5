import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { listenPanel } from '../support/panel.ts'
import { panelPage } from './panel-page.ts'

const rig = panelPage()
const open = (view: string, width = 1440): Promise<Page> => rig.open(view, { width })

const FROM_END = `(() => { const roll = document.querySelector('.roll'); return roll.scrollHeight - roll.scrollTop - roll.clientHeight })()`
const DRAWN = `document.querySelectorAll('.roll .paper svg').length`

describe('the paper roll on the page', () => {
  it('is never empty and stays at its end while receipts come one after the other', async () => {
    for (let count = 0; count < 3; count++) printSample(rig.emulator)
    const view = await open('paper')
    await view.getByRole('link', { name: 'Fiscal receipt 3' }).waitFor()
    const drawn: unknown[] = []
    for (let count = 0; count < 60; count++) {
      printSample(rig.emulator)
      drawn.push(await view.evaluate(DRAWN))
    }
    expect(drawn.filter((number) => Number(number) < 3)).toEqual([])
    await view.getByRole('link', { name: 'Fiscal receipt 63' }).waitFor()
    await expect.poll(() => view.evaluate(FROM_END)).toBeLessThan(2)
  })

  it('keeps its position after scrolling up, and a button shows how many documents are new', async () => {
    for (let count = 0; count < 8; count++) printSample(rig.emulator)
    const view = await open('paper')
    await view.getByRole('link', { name: 'Fiscal receipt 8' }).waitFor()
    await expect.poll(() => view.evaluate(FROM_END)).toBeLessThan(2)
    await view.locator('.roll').hover()
    await view.mouse.wheel(0, -900)
    await view.getByRole('button', { name: 'To the end' }).waitFor()
    const place = await view.evaluate(`document.querySelector('.roll').scrollTop`)
    for (let count = 0; count < 20; count++) printSample(rig.emulator)
    await view.getByRole('button', { name: '20 new documents' }).waitFor()
    expect(await view.evaluate(`document.querySelector('.roll').scrollTop`)).toBe(place)
    await view.getByRole('button', { name: '20 new documents' }).click()
    await view.getByRole('link', { name: 'Fiscal receipt 28' }).waitFor()
    await expect.poll(() => view.evaluate(FROM_END)).toBeLessThan(2)
    expect(await view.getByRole('button', { name: /new document|To the end/ }).count()).toBe(0)
  })
})

it('the page advances its clock although the device reports nothing', async () => {
  const view = await open('setup')
  const clockText = () => view.locator('.clock').textContent()
  const first = await clockText()
  expect(first).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  await expect.poll(clockText, { timeout: 10_000 }).not.toBe(first)
})

it('the page shows when a fault was triggered', async () => {
  const view = await open('faults')
  await view.evaluate(
    `fetch('/emulator/clock', {method: 'POST', body: JSON.stringify({set: '2027-05-06T07:08:00'}), headers: {'Content-Type': 'application/json'}}).then((answer) => answer.text())`,
  )
  rig.emulator.faults.add({ at: 'command.before', on: 'reportX', times: 1, do: 'refuse' })
  const printer = openPrinter({ family: 'A', device: rig.emulator.path }, { binding: rig.emulator.binding })
  await printer.reportX().catch(() => undefined)
  await printer.disconnect()
  await view
    .getByRole('region', { name: 'Triggered faults' })
    .getByText(/2027-05-06 07:08:\d\d/)
    .waitFor()
})

it('documents are listed with their sum and payments; a Z report has its number next to that of the document', async () => {
  const { device } = rig.emulator
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  device.sell({ name: 'Olive oil', taxCode: 1, price: 899, quantity: 1000, void: false })
  device.pay({ mode: 1, amount: 500 })
  device.pay({ mode: 0, amount: 1000 })
  device.closeFiscal()
  device.reportZ()
  const view = await open('documents')
  const row = (number: number) => view.getByRole('listitem').nth(number).locator('.document-row > span')
  await row(0).first().waitFor()
  const texts = async (number: number) => (await row(number).allTextContents()).filter((_, at) => at !== 3)
  expect(await texts(0)).toEqual(['Z report', 'Z 1', '2', '', ''])
  expect(await texts(1)).toEqual(['Fiscal receipt', '', '1', 'CARD, CASH', '8.99'])
})

describe('messages on the page', () => {
  it('move nothing when they appear, and leave the header free', async () => {
    const view = await open('paper')
    const frame = () => view.locator('.frame').boundingBox()
    const before = await frame()
    await view.getByRole('button', { name: 'Print a sample receipt' }).click()
    await view.getByText('Receipt 1 is printed.').waitFor()
    expect(await frame()).toEqual(before)
    const message = await view.locator('.message').boundingBox()
    expect(message?.y ?? 0).toBeGreaterThan(before?.y ?? Number.POSITIVE_INFINITY)
  })

  it('about a refusal appear at the field that they are about', async () => {
    const view = await open('setup')
    await view.getByLabel('PLU', { exact: true }).fill('77')
    await view.getByLabel('Name', { exact: true }).fill('Tea')
    await view.getByLabel('Price').fill('99999999.99')
    await view.getByRole('button', { name: 'Program' }).click()
    const field = view.locator('.articles [aria-invalid]')
    await field.waitFor()
    expect(await field.getAttribute('name')).toBe('price')
    const describedBy = await field.getAttribute('aria-describedby')
    expect(await view.locator(`[id="${describedBy}"]`).textContent()).toMatch(/expected|amount|price/i)
  })
})

it('a lost connection moves nothing', async () => {
  const view = await rig.open('day', { width: 1280, mayComplain: true })
  const places = () =>
    view.evaluate(
      `[...document.querySelectorAll('.top nav a, .clock, .card')].map((one) => one.getBoundingClientRect().x)`,
    )
  // The page reads this part from the device last.
  await view.getByRole('link', { name: 'Compose' }).waitFor()
  const before = await places()
  await rig.panel.close()
  await view.getByText(/^no connection since \d\d:\d\d:\d\d$/).waitFor()
  expect(await places()).toEqual(before)
  rig.panel = await listenPanel(rig.emulator, 0)
})

it('a lost connection covers nothing of the header of a phone', async () => {
  const view = await rig.open('paper', { width: 390, mayComplain: true })
  await rig.panel.close()
  await view.getByText(/^no connection since /).waitFor()
  const boxes = await view.evaluate<readonly (readonly [number, number])[]>(
    `[...document.querySelectorAll('.kind-of, .now .docs, .connection > span')].filter((one) => one.offsetParent)
      .map((one) => { const { left, right } = one.getBoundingClientRect(); return [left, right] })
      .sort(([one], [other]) => one - other)`,
  )
  expect(boxes.length).toBeGreaterThan(1)
  boxes.slice(1).forEach(([left], index) => {
    expect(left).toBeGreaterThanOrEqual(boxes[index]?.[1] ?? 0)
  })
  rig.panel = await listenPanel(rig.emulator, 0)
})

it('a composed receipt is still there after another view', async () => {
  const view = await open('compose')
  await view.getByRole('button', { name: 'Add it' }).click()
  await view.getByRole('link', { name: 'Documents' }).click()
  await view.getByRole('heading', { name: 'Documents' }).waitFor()
  await view.getByRole('link', { name: 'Compose' }).click()
  await view.getByRole('group', { name: 'Row 1, Bread' }).waitFor()
})

it.each([1280, 1440, 1600, 1920])(
  'at %i pixels the page cuts neither the header nor a title, a label or a head of a table',
  async (width) => {
    printSample(rig.emulator)
    const view = await open('day', width)
    for (const name of ['paper', 'compose', 'documents', 'day', 'wire', 'timeline', 'faults', 'setup']) {
      await view.goto(`${rig.panel.url}/#${name}`)
      await view.locator('h2').first().waitFor()
      const cut = await view.evaluate(`[...document.querySelectorAll('.top *, h2, h3, th, dt, label, button')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && !one.closest('.hidden'))
      .map((one) => one.className + ' ' + one.textContent)`)
      expect([name, cut]).toEqual([name, []])
    }
  },
)

it.each([390, 1280, 1920])('at %i pixels the page cuts no word of a choice', async (width) => {
  const view = await open('faults', width)
  await view.getByLabel('Where').waitFor()
  const cut = await view.evaluate(`[...document.querySelectorAll('select')].flatMap((select) => {
    const probe = document.createElement('span')
    probe.style.cssText = 'position:absolute;white-space:nowrap;font:' + getComputedStyle(select).font
    probe.textContent = select.selectedOptions[0]?.textContent ?? ''
    document.body.append(probe)
    const isCut = probe.getBoundingClientRect().width + 36 > select.getBoundingClientRect().width
    const text = probe.textContent
    probe.remove()
    return isCut ? [text] : []
  })`)
  expect(cut).toEqual([])
})

it('a downloaded state can be restored, and any other file is refused next to the button', async () => {
  printSample(rig.emulator)
  const view = await open('setup')
  const saved = await (async () => {
    const [download] = await Promise.all([
      view.waitForEvent('download'),
      view.getByRole('link', { name: 'Download the whole state' }).click(),
    ])
    return readFileSync(await download.path(), 'utf8')
  })()
  rig.emulator.reset()
  await expect.poll(() => rig.emulator.device.counters.lastDocument).toBe(0)
  const file = (buffer: string) => ({ name: 'device.json', mimeType: 'application/json', buffer: Buffer.from(buffer) })
  await view.getByLabel(/^Restore a downloaded state/).setInputFiles(file('no state'))
  await view.getByRole('alert').getByText('device.json cannot be restored. ').waitFor()
  // A file that is visibly no state of this device is refused before the question.
  const other = { ...JSON.parse(saved), family: 'B', profile: 'b8' }
  for (const [content, why] of [
    ['{"format": "no state"}', 'It is not the state of a device: choose a file that'],
    ['[]', 'It is not the state of a device: choose a file that'],
    [JSON.stringify({ ...JSON.parse(saved), version: 0 }), 'It is the state of a device of another version'],
    [
      JSON.stringify(other),
      'It is the state of a device of family B, profile b8; this device is of family A, profile bg.',
    ],
  ] as const) {
    await view.getByLabel(/^Restore a downloaded state/).setInputFiles(file(content))
    await view.getByRole('alert').getByText(`device.json cannot be restored. ${why}`).waitFor()
    expect(await view.getByRole('dialog').count()).toBe(0)
  }
  // Only the device finds a damaged table.
  const damaged = JSON.stringify({ ...JSON.parse(saved), tables: {} })
  await view.getByLabel(/^Restore a downloaded state/).setInputFiles(file(damaged))
  await view.getByRole('button', { name: 'Restore', exact: true }).click()
  await view.getByRole('alert').getByText('device.json cannot be restored. ').waitFor()
  await view.getByLabel(/^Restore a downloaded state/).setInputFiles(file(saved))
  await view.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.poll(() => rig.emulator.device.counters.lastDocument).toBe(1)
})

/** The unit is a whole pixel. */
const placesOf = (view: Page, selector: string): Promise<readonly { left: number; top: number; bottom: number }[]> =>
  view.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => {
    const { left, top, bottom } = one.getBoundingClientRect()
    return { left: Math.round(left), top: Math.round(top), bottom: Math.round(bottom) }
  })`)

it.each([390, 1280, 1440, 1920])(
  'at %i pixels tiles and cards next to each other have the same top and bottom',
  async (width) => {
    printSample(rig.emulator)
    rig.emulator.device.reportZ()
    const view = await open('day', width)
    await view.locator('.figures').waitFor()
    const tiles = await placesOf(view, '.figures > div')
    const values = await placesOf(view, '.figures dd')
    const rows = Map.groupBy(tiles.keys(), (index) => tiles[index]?.top)
    for (const indexes of rows.values()) {
      expect(new Set(indexes.map((index) => tiles[index]?.bottom)).size).toBe(1)
      expect(new Set(indexes.map((index) => values[index]?.bottom)).size).toBe(1)
    }
    const columns = await placesOf(view, '.today > *')
    for (const row of Map.groupBy(columns, ({ top }) => top).values())
      expect(new Set(row.map(({ bottom }) => bottom)).size).toBe(1)
    const [first] = await placesOf(view, '.figures')
    expect((await placesOf(view, '.archive, .today > :first-child')).map(({ left }) => left)).toEqual([
      first?.left,
      first?.left,
    ])
  },
)

function sellMostOfEachGroup({ device }: Emulator): void {
  for (const taxCode of [1, 2, 3, 4, 5, 6, 7, 8] as const) {
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    device.sell({ name: 'House', taxCode, price: 999_999_999, quantity: 1000, void: false })
    device.pay({ mode: 0, amount: 999_999_999 })
    expect(device.closeFiscal().ok).toBe(true)
  }
}

it.each([390, 1024, 1280, 1440])('at %i pixels sums of eight digits fit into their cells', async (width) => {
  sellMostOfEachGroup(rig.emulator)
  rig.emulator.device.reportZ()
  sellMostOfEachGroup(rig.emulator)
  const view = await open('day', width)
  await view.locator('.z-row').waitFor()
  await view.locator('.figures').getByText('79999999.92').first().waitFor()
  const cells = '.books dd, .books td, .books th, .z-row > *'
  const tooWide = await view.evaluate(`[...document.querySelectorAll(${JSON.stringify(cells)})]
    .filter((cell) => {
      if (cell.textContent === '') return false
      const text = document.createRange()
      text.selectNodeContents(cell)
      const inner = text.getBoundingClientRect()
      const row = cell.closest('.z-row')?.getBoundingClientRect()
      const isTooHigh = row && (inner.bottom > row.bottom + 0.5 || inner.top < row.top - 0.5)
      return isTooHigh || inner.right > cell.closest('.z-row, .figures > div, .card').getBoundingClientRect().right
    })
    .map((cell) => cell.textContent)`)
  expect(tooWide).toEqual([])
})

const readAll = (view: Page, list: string): Promise<readonly string[]> =>
  view.evaluate(`(async () => {
    const box = document.querySelector(${JSON.stringify(list)})
    const rows = new Map()
    const frame = () => new Promise(requestAnimationFrame)
    for (box.scrollTop = 0; ; box.scrollTop += box.clientHeight - 60) {
      await frame(), await frame()
      for (const row of box.querySelectorAll('li[aria-posinset]')) rows.set(row.getAttribute('aria-posinset'), row.innerText)
      if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) return [...rows.values()]
    }
  })()`)

it('the list of 2,000 documents has no two equal entries, and a journal no two equal lines', async () => {
  const { device } = rig.emulator
  device.openNonFiscal({ operator: 1 })
  for (let line = 0; line < 300; line++) device.printText({ text: 'the same line' })
  device.closeNonFiscal()
  for (let count = 1; count < 2000; count++) {
    device.openNonFiscal({ operator: 1 })
    device.closeNonFiscal()
  }
  const view = await open('documents/1')
  await view.getByRole('listitem').first().waitFor()
  const documents = await readAll(view, '.list-card .scroll')
  expect([documents.length, new Set(documents).size]).toEqual([2000, 2000])
  await view.getByRole('button', { name: 'Journal' }).click()
  const lines = () => view.locator('.detail-card tbody tr').allInnerTexts()
  await expect.poll(async () => (await lines()).length).toBeGreaterThan(300)
  const read = await lines()
  expect(new Set(read).size).toBe(read.length)
}, 60_000)
