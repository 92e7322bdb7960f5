import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPrinter } from '../../drivers/index.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { failures, play, scenarioFile } from '../scenarios/play.ts'
import { listenPanel } from '../support/panel.ts'
import { axeFindings } from './browser.ts'
import { panelPage } from './panel-page.ts'

const rig = panelPage()

async function fill(): Promise<void> {
  printSample(rig.emulator)
  const printer = openPrinter({ family: 'A', device: rig.emulator.path }, { binding: rig.emulator.binding })
  await printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 1, quantity: 2000, void: false })
  const paper = { method: 'POST', body: '{"state": "low"}' }
  await (await fetch(`${rig.panel.url}/emulator/paper`, paper)).text()
  await printer.sellArticle({ plu: 3, quantity: 1000, void: false })
  await printer.pay({ mode: 0, amount: 1000 })
  await printer.closeFiscal()
  await printer.disconnect()
}

const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const hash = (page: Page) => page.evaluate<string>('location.hash')

it('a document is copied as curl, as a scenario that passes, and as wire bytes', async () => {
  await fill()
  const page = await rig.open('/documents/2')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied as curl.').waitFor()
  expect(await clipboard(page)).toMatch(/^curl .*\/api\/print-fiscal-receipt/)
  await page.getByRole('button', { name: 'Copy as wire bytes' }).click()
  await page.getByText('Copied as wire bytes.').waitFor()
  expect(await clipboard(page)).toContain(': openFiscal\n')
  await page.getByRole('button', { name: 'Copy as scenario' }).click()
  await page.getByText('Copied as scenario.').waitFor()
  const copied = await clipboard(page)
  expect(await page.locator('.detail-body pre').textContent()).toBe(copied)
  const { results } = await play([scenarioFile(copied)], { families: ['A'] })
  expect([failures({ results }), results.map(({ status }) => status)]).toEqual([[], ['passed']])
})

it('a copied document without sums in the books is compared by its paper', async () => {
  printSample(rig.emulator)
  expect(rig.emulator.device.copyLastReceipt().ok).toBe(true)
  const page = await rig.open('/documents/2?with=1')
  await page.getByText('Copy 2 has no sums in the books: their papers are compared.').waitFor()
  await page.getByText(/^They differ in \d+ lines? of the paper\.$/).waitFor()
  expect(await page.locator('.compare-money').count()).toBe(0)
})

it.each([390, 1280, 1920])('copied text and the times of the list are complete at %i pixels', async (width) => {
  await fill()
  const page = await rig.open('/documents/2?form=curl', { width })
  await page.locator('.detail-body pre').waitFor()
  const isCut = (selector: string) =>
    page.evaluate<boolean>(
      `[...document.querySelectorAll('${selector}')].some((one) => one.scrollWidth > one.clientWidth)`,
    )
  expect(await isCut('.detail-body')).toBe(false)
  await page.goto(`${rig.panel.url}/#/documents`)
  await page.locator('.document-row .at').first().waitFor()
  expect(await isCut('.document-row .at')).toBe(false)
})

it('a document without a call of the service cannot be copied as a call, and the page says so', async () => {
  rig.emulator.device.cashInOut({ direction: 'in', amount: 1000 })
  const page = await rig.open('/documents/1')
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByRole('alert').getByText('the service has no call that prints this').waitFor()
  await page.locator('.detail-body').getByText('cash in or out').waitFor()
})

it('two documents are shown side by side: money first, with differences marked in words too', async () => {
  await fill()
  const page = await rig.open('/documents/2')
  await page.getByLabel('Side by side with').selectOption('1')
  await page
    .getByRole('status')
    .getByText(/^They differ in 6 amounts and \d+ lines of the paper\.$/)
    .waitFor()
  expect(await hash(page)).toMatch(/^#\/documents\/2\?at=\d+&with=1$/)
  const total = page.getByRole('row', { name: /^Total/ })
  expect(await total.locator('th, td').allTextContents()).toEqual(['Total', '5.60', '7.75', '+2.15'])
  const marks = await page.locator('.compare-lines .mark .hidden').allTextContents()
  expect(marks).toEqual(expect.arrayContaining(['differs', 'another number or time']))
  expect(await axeFindings(page)).toEqual([])
  const marked = page.getByRole('group', { name: 'Shown as' }).locator('[aria-pressed=true]')
  expect(await marked.allTextContents()).toEqual(['Side by side'])
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await page.getByText('No longer side by side with Fiscal receipt 1.').waitFor()
  expect(await page.locator('.compare').count()).toBe(0)
  expect(await marked.allTextContents()).toEqual(['Text'])
})

it('a document without frames says why: the device printed it without a program, or the frames are no longer stored', async () => {
  const emulator = createEmulator({ family: 'A', frameHistorySize: 4 })
  const panel = await listenPanel(emulator, 0)
  onTestFinished(async () => {
    await panel.close()
    await emulator.close()
  })
  const printer = openPrinter({ family: 'A', device: emulator.path }, { binding: emulator.binding })
  for (let count = 0; count < 4; count++) await printer.reportX()
  await printer.disconnect()
  const page = await rig.open('/documents/1?form=frames', { url: panel.url })
  await page.getByText('No frames: they are no longer stored. The device stores the last 2,000 frames.').waitFor()
  printSample(rig.emulator)
  await page.goto(`${rig.panel.url}/#/documents/1?form=frames`)
  await page.getByText('No frames: the document was made at the device itself').waitFor()
})

describe('the address of the page', () => {
  it('restores documents and filters: by back, forward and reload, and without its first slash', async () => {
    for (let count = 0; count < 3; count++) printSample(rig.emulator)
    const page = await rig.open('documents/2')
    const title = (name: string) => page.getByRole('heading', { name, level: 2 }).waitFor()
    await title('Fiscal receipt 2')
    await page.locator('.document-row').first().click()
    await title('Fiscal receipt 3')
    await page.getByRole('button', { name: 'Journal' }).click()
    await page.getByLabel('Text on paper').fill('BREAD')
    expect(await hash(page)).toMatch(/^#\/documents\/3\?at=\d+&form=journal&text=BREAD$/)
    await page.getByRole('link', { name: 'Wire' }).click()
    await page.getByLabel('Filter by command').fill('open')
    await page.goBack()
    await title('Fiscal receipt 3')
    expect(await page.getByLabel('Text on paper').inputValue()).toBe('BREAD')
    await page.getByRole('columnheader', { name: 'As printed' }).waitFor()
    await page.goBack()
    await title('Fiscal receipt 2')
    await page.goForward()
    await title('Fiscal receipt 3')
    await page.goForward()
    expect(await page.getByLabel('Filter by command').inputValue()).toBe('open')
    await page.reload()
    await page.getByLabel('Filter by command').waitFor()
    expect(await page.getByLabel('Filter by command').inputValue()).toBe('open')
  })
})

it('printing a document prints the receipt alone, on a page of its size', async () => {
  printSample(rig.emulator)
  const page = await rig.open('/documents/1')
  await page.locator('.detail-body .paper svg').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  const pageText = await page.evaluate<string>('document.body.innerText')
  expect(pageText).toContain('FISCAL RECEIPT')
  expect(pageText).not.toMatch(/Documents|Customer display|Copy as|Download|live/)
  await page.emulateMedia({ media: null })
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString('latin1')
  const [[, width, height] = [], ...more] = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  const drawing = page.locator('.detail-body .paper svg').first()
  const points = async (name: string) => (Number.parseFloat((await drawing.getAttribute(name)) ?? '') / 25.4) * 72
  expect(more).toEqual([])
  expect(Math.abs(Number(width) - (await points('width')))).toBeLessThan(2)
  expect(Math.abs(Number(height) - (await points('height')))).toBeLessThan(2)
})

describe('the timeline', () => {
  it('shows the device at that moment, with display, paper and state, and returns to the present', async () => {
    await fill()
    const page = await rig.open('/timeline')
    const past = page.locator('.past')
    await past.getByRole('heading', { name: 'The device now' }).waitFor()
    const row = page.locator('.time-row').filter({ hasText: 'sale by plu' }).first()
    await row.click()
    await past.getByRole('heading', { name: 'The device as it was' }).waitFor()
    await past.getByText('2: 1 item, 0.00 of 2.40 paid').waitFor()
    await past.locator('.past-paper').getByText('2 x 1.20').first().waitFor()
    expect(await past.locator('.past-paper svg').getByText('Butter').count()).toBe(0)
    await past.getByRole('img', { name: /Bread; 2\.40/ }).waitFor()
    await row.getByText('2: lines 6 to 7').waitFor()
    await row.getByText(/← code 0/).waitFor()
    const address = await hash(page)
    expect(address).toMatch(/^#\/timeline\/\d+\?run=\w+$/)
    await page.reload()
    await past.getByText('2: 1 item, 0.00 of 2.40 paid').waitFor()
    expect(await hash(page)).toBe(address)
    await page.getByRole('button', { name: 'Now' }).click()
    await past.getByRole('heading', { name: 'The device now' }).waitFor()
    await past.getByRole('img', { name: /CHANGE; 4\.40/ }).waitFor()
    rig.emulator.setCover(true)
    await page.locator('.time-row').getByText('cover opened').waitFor()
  })

  it('can be used with the keyboard, and its lanes can be selected', async () => {
    await fill()
    const page = await rig.open('/timeline')
    await page.locator('.time-row').first().waitFor()
    const slider = page.getByRole('slider', { name: 'Moment' })
    await slider.focus()
    await page.keyboard.press('Home')
    await page.locator('.past').getByText('The device as it was').waitFor()
    await page.keyboard.press('ArrowRight')
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d:\d\d\.\d{3}, /)
    for (const lane of ['Wire', 'Paper', 'Display']) await page.getByRole('checkbox', { name: lane }).uncheck()
    await expect.poll(() => page.locator('.time-row').allInnerTexts()).toHaveLength(1)
    expect(await hash(page)).toContain('lanes=hands+faults')
  })

  it('shows which lines the frames of a document printed, and leads back', async () => {
    await fill()
    const page = await rig.open('/documents/2?form=frames')
    const row = page.locator('.exchange-row').filter({ hasText: 'close fiscal' })
    await row.getByText(/^lines \d+ to \d+$/).waitFor()
    await row.click()
    await page.getByRole('heading', { name: 'On paper' }).waitFor()
    await page.locator('.printed-lines').getByText('FISCAL RECEIPT').waitFor()
    await page.getByRole('link', { name: 'document 2, at that time' }).click()
    await page.locator('.past').getByRole('link', { name: 'Fiscal receipt 2' }).waitFor()
    await page.goto(`${rig.panel.url}/#/wire?text=sale`)
    await page.locator('.frame-row.toHost').first().click()
    await page.locator('.wire-details').getByText('2 x 1.20').waitFor()
  })

  it('can be saved as a scenario that passes, and restarted', async () => {
    const page = await rig.open('/timeline')
    await fill()
    await page.getByText(/^Session since [\d: -]+: \d+ steps\.$/).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as a scenario' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('session.yaml')
    const { results } = await play([scenarioFile(readFileSync(await download.path(), 'utf8'))], { families: ['A'] })
    expect([failures({ results }), results.map(({ status }) => status)]).toEqual([[], ['passed']])
    const bar = page.getByRole('region', { name: 'This session as a scenario' })
    const start = bar.getByRole('button', { name: 'Start a new session' })
    await start.click()
    const dialog = page.getByRole('dialog', { name: 'Start a new session?' })
    await dialog.getByText(/^The recorded session \(\d+ steps\) will end, and can no longer be saved then\.$/).waitFor()
    await dialog.getByRole('button', { name: 'Continue this session' }).click()
    await bar.getByText(/: [1-9]\d* steps\.$/).waitFor()
    await start.click()
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Save the session' }).click(),
    ])
    expect(readFileSync(await again.path(), 'utf8')).toBe(readFileSync(await download.path(), 'utf8'))
    await dialog.getByRole('button', { name: 'Start a new session' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await bar.getByText(/: 0 steps\.$/).waitFor()
    await start.click()
    await page.getByText('A new session has started.').waitFor()
    expect(await dialog.isVisible()).toBe(false)
  })

  it('keeps the open entry under steady traffic, and draws only visible rows', async () => {
    await fill()
    const page = await rig.open('/timeline')
    await page.locator('.time-row').filter({ hasText: 'open fiscal' }).click()
    const address = await hash(page)
    const past = page.locator('.past')
    await past.getByText('2: 0 items, 0.00 of 0.00 paid').waitFor()
    for (let count = 0; count < 150; count++) printSample(rig.emulator)
    await expect.poll(async () => Number(await page.getByRole('slider').getAttribute('max'))).toBeGreaterThan(20)
    await past.getByText('2: 0 items, 0.00 of 0.00 paid').waitFor()
    expect(await hash(page)).toBe(address)
    await page.locator('.time-row[aria-pressed="true"]').waitFor()
    expect(await page.locator('.time-row').count()).toBeLessThan(60)
  })
})

describe.each([
  ['light', { width: 1280, height: 800, scheme: 'light' }],
  ['dark, on a phone', { width: 390, height: 844, scheme: 'dark' }],
] as const)('copies, frames, two documents and a timeline entry, %s', (_name, options) => {
  it('have no finding of axe-core, and nothing is wider than the window', async () => {
    await fill()
    const page = await rig.open('/documents/2?form=yaml', options)
    for (const [address, there] of [
      ['/documents/2?form=yaml', '.detail-body pre'],
      ['/documents/2?form=frames', '.exchange-row'],
      ['/documents/2?with=1', '.compare-lines'],
      ['/timeline/60', '.past .display'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)
      await page.locator(there).first().waitFor()
      if (there === '.exchange-row') await page.locator(there).first().click()
      expect({ address, findings: await axeFindings(page) }).toEqual({ address, findings: [] })
      const sideways = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect({ address, sideways }).toEqual({ address, sideways: 0 })
    }
  })
})

it('a document without frames is not copied as wire bytes, and the reason is said', async () => {
  rig.emulator.device.reportZ()
  const page = await rig.open('documents/1')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText('before')`)
  await page.getByRole('button', { name: 'Copy as wire bytes' }).click()
  await page
    .getByText('Nothing was copied: the document was made at the device itself, or its frames are gone.')
    .waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('before')
})
