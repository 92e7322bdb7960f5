import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { codesOn } from './barcode-reader.ts'
import { axeFindings } from './browser.ts'
import { otherPanel, panelPage } from './panel-page.ts'

const rig = panelPage()
const LAST = '.roll-piece:has(.paper) >> nth=-1'

/**
 * Records the height of the paper in the slot at each frame of the browser; `null` after the document has left the
 * slot.
 */
const WATCH = `(() => { window.heights = []; const look = () => { const all = document.querySelectorAll('.roll .sheet')
  const sheet = all[all.length - 1]
  if (sheet) heights.push([performance.now(), sheet.style.height === '' ? null : parseFloat(sheet.style.height)])
  requestAnimationFrame(look) }; look() })()`
const heights = (page: Page) => page.evaluate<readonly (readonly [number, number | null])[]>('window.heights')
const LINE_PX = `(() => { const all = document.querySelectorAll('.roll .sheet svg[data-line]'); const svg = all[all.length - 1]
  return svg.getBoundingClientRect().height * svg.dataset.line / svg.viewBox.baseVal.height })()`

/** Milliseconds: a line of family A's mechanism, a frame of the browser, a step of the test's clock. */
const LINE_MS = 70
const FRAME_MS = 16
const TICK_MS = 10

function printNote(lines: number): void {
  const { device } = rig.emulator
  device.openNonFiscal({ operator: 1 })
  for (let line = 1; line <= lines; line++) device.printText({ text: `line ${line}` })
  device.closeNonFiscal()
}

describe('the paper of the printer', () => {
  it('appears line by line, as slowly as the mechanism prints, and is then torn off', async () => {
    const page = await rig.open('paper')
    rig.emulator.setRealistic(true)
    await expect.poll(() => page.evaluate(`document.querySelector('.printer') !== null`)).toBe(true)
    // The test moves the clock of the page, so the page draws at the expected times even on a busy machine.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.evaluate(WATCH)
    printNote(3)
    const torn = page.locator('.paper.torn')
    await expect
      .poll(async () => {
        await page.clock.runFor(TICK_MS)
        return await torn.count()
      })
      .toBe(1)
    const seen = (await heights(page)).filter(([, height]) => height !== null) as [number, number][]
    const line = await page.evaluate<number>(LINE_PX)
    const steps = seen.flatMap(([at, height], index) => {
      const lines = (height - (seen[index - 1]?.[1] ?? 0)) / line
      return Math.abs(lines) < 0.01 ? [] : [{ at, lines }]
    })
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.map(({ lines }) => Math.round(lines * 20) / 20)).toEqual(steps.map(() => 1))
    const gaps = steps.slice(1).map(({ at }, index) => at - (steps[index]?.at ?? 0))
    for (const gap of gaps) expect(Math.abs(gap - LINE_MS)).toBeLessThanOrEqual(FRAME_MS + 1)
  })

  it('appears at once if the system asks for reduced motion', async () => {
    const page = await rig.open('paper')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    rig.emulator.setRealistic(true)
    await page.evaluate(WATCH)
    printNote(3)
    await page.locator('.paper.torn').waitFor()
    expect((await heights(page)).filter(([, height]) => height !== null)).toEqual([])
  })

  it('neither moves nor is torn off again if it was printed before', async () => {
    printNote(1)
    const page = await rig.open('documents')
    await page.evaluate(WATCH)
    await page.goto(`${rig.panel.url}/#paper`)
    await page.locator('.paper.torn').waitFor()
    expect((await heights(page)).filter(([, height]) => height !== null)).toEqual([])
  })

  it('hangs in the slot until it is cut, with a coloured edge where the roll is nearly out', async () => {
    const page = await rig.open('paper')
    printNote(1)
    await page.locator('.paper.torn').waitFor()
    const { device } = rig.emulator
    device.openNonFiscal({ operator: 1 })
    await page.locator('.paper.open').waitFor()
    rig.emulator.setPaper('low')
    await page.locator('.paper.open .low-edge').waitFor({ state: 'attached' })
    device.printText({ text: 'the end is near' })
    device.closeNonFiscal()
    await page.locator(`${LAST} >> .torn .low-edge`).waitFor()
    expect(await page.locator('.low-edge').count()).toBe(1)
    await page.locator('.lead.low').waitFor()
  })

  it('stops in the middle of a line where the roll ends', async () => {
    const page = await rig.open('paper')
    rig.emulator.faults.add({ at: 'paper.line', skip: 6, times: 1, do: 'paperOut' })
    printSample(rig.emulator)
    await page.getByText('Not finished: 23 lines wait').waitFor()
    const paper = page.locator(LAST).locator('.paper')
    expect(await paper.getAttribute('class')).toBe('paper unfinished')
    const half = paper.locator('svg svg')
    expect(await half.locator('text').textContent()).toContain('1.20')
    expect(await page.locator('.lead').count()).toBe(0)
    rig.emulator.setPaper('ok')
    await page.locator('.paper.torn').waitFor()
    expect(await page.locator('.paper svg svg').count()).toBe(0)
  })
})

describe('the printer on the page', () => {
  it('has lamps that show the state of the device, in words too', async () => {
    const page = await rig.open('paper')
    const lamps = () => page.getByRole('list', { name: 'Lamps' }).getByRole('listitem').allInnerTexts()
    const lampTexts = async () => (await lamps()).map((text) => text.replace(/\s+/g, ' ')).join(', ')
    await expect.poll(lampTexts).toBe('Power on, Paper loaded, Error none, Online yes')
    rig.emulator.setPaper('low')
    await rig.emulator.setCable(false)
    await expect.poll(lampTexts).toBe('Power on, Paper nearly out, Error none, Online no')
    rig.emulator.setPaper('out')
    await expect.poll(lampTexts).toBe('Power on, Paper out, Error no paper, Online no')
    rig.emulator.setPaper('ok')
    rig.emulator.setCover(true)
    await expect.poll(lampTexts).toBe('Power on, Paper loaded, Error cover open, Online no')
    rig.emulator.setPower(false)
    await expect.poll(lampTexts).toBe('Power dark, Paper dark, Error dark, Online dark')
    await page.getByRole('img', { name: 'The display is dark: the device is switched off' }).waitFor()
  })

  it('has a drawer that opens, shows its cash and is pushed in', async () => {
    printSample(rig.emulator)
    const page = await rig.open('paper')
    rig.emulator.device.openDrawer()
    await page.getByText('The drawer is open. Cash in it: 3.88').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Push it in' }).click()
    await page.getByText('The drawer is open.').waitFor({ state: 'detached' })
  })
})

interface AccessibleNode {
  readonly role: string
  readonly name: string
  readonly live: string | undefined
  readonly text: string
}

async function accessibleNodes(page: Page): Promise<readonly AccessibleNode[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const textOf = (id: string): string => {
    const node = byId.get(id)
    return [node?.name?.value, ...(node?.childIds ?? []).map(textOf)].filter(Boolean).join(' ')
  }
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ nodeId, role, name, properties }) => ({
      role: String(role?.value),
      name: String(name?.value ?? ''),
      live: properties?.find((one) => one.name === 'live')?.value.value as string | undefined,
      text: textOf(nodeId),
    }))
}

it('a user of a screen reader prints, takes the paper out, reads the document and gets its outcome', async () => {
  const page = await rig.open('paper')
  const lives = async () =>
    (await accessibleNodes(page)).filter(({ live }) => live === 'polite' || live === 'assertive')
  const announces = (words: string) =>
    expect.poll(async () => (await lives()).map(({ text }) => text).join('\n')).toContain(words)
  await page.getByRole('button', { name: 'Print a sample receipt' }).focus()
  await page.keyboard.press('Enter')
  await announces('New on paper: Fiscal receipt 1, total 7.75')
  await announces('Receipt 1 is printed.')
  await page.locator('.paper.torn').waitFor()
  const all = await accessibleNodes(page)
  const paper = all.find(({ role, name }) => role === 'figure' && name === 'Fiscal receipt 1')
  for (const words of ['Bread 2 x 1.20 2.40 A', 'TOTAL 7.75', 'CHANGE 6.12', 'FISCAL RECEIPT'])
    expect(paper?.text).toContain(words)
  expect(all.filter(({ role }) => role === 'image').map(({ name }) => name)).toContain(
    'The display shows: SUBTOTAL; 7.75',
  )
  await page.getByRole('radio', { name: 'Loaded' }).focus()
  await page.keyboard.press('ArrowLeft')
  await announces('The paper is out: printing is refused.')
  expect((await accessibleNodes(page)).map(({ name }) => name)).toEqual(expect.arrayContaining(['Error', 'no paper']))
  await page.getByRole('button', { name: 'Load paper' }).focus()
  await page.keyboard.press('Enter')
  await announces('Paper is loaded.')
  const mute = (await accessibleNodes(page)).filter(
    ({ role, name }) =>
      name === '' && ['button', 'link', 'textbox', 'combobox', 'checkbox', 'switch', 'radio'].includes(role),
  )
  expect(mute).toEqual([])
})

it('a scanner can read codes off the screen, where a dot of the print head is a pixel', async () => {
  const { device } = rig.emulator
  device.openNonFiscal({ operator: 1 })
  for (const [type, data] of [
    [2, '5901234123457'],
    [3, 'Code128-Abc'],
    [4, 'https://example.com/r/1'],
  ] as const) {
    device.printBarcode({ type, data }, 'CODE')
    device.printText({ text: ' ' })
  }
  device.closeNonFiscal()
  const page = await rig.open('documents/1', { width: 1920, height: 1400 })
  const drawing = page.locator('.detail-body svg[data-line]')
  await drawing.waitFor()
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  expect(Math.round((await drawing.boundingBox())?.width ?? 0)).toBe(640)
  expect(await codesOn(await drawing.screenshot())).toEqual([
    'Code128:Code128-Abc',
    'EAN13:5901234123457',
    'QRCode:https://example.com/r/1',
  ])
})

it('the page has no label that is wider than the narrowest paper (family B)', async () => {
  const { emulator, url } = await otherPanel('B')
  emulator.device.reportZ()
  const page = await rig.open('paper', { url })
  await page.getByRole('link', { name: 'Z report 1 (document 1)' }).waitFor()
  await page.locator('.roll .paper svg').waitFor()
  const widths = `['.roll-piece', '.roll-label', '.roll .paper svg'].map((one) =>
    Math.round(document.querySelector(one).getBoundingClientRect().width))`
  const [piece, label, paper] = await page.evaluate<readonly number[]>(widths)
  expect([piece, label]).toEqual([paper, paper])
})

it('the page says that nothing was printed only after the device has reported so', async () => {
  printSample(rig.emulator)
  const page = await rig.open('documents')
  await page.route('**/emulator/documents/*.svg*', () => undefined)
  await page.goto(`${rig.panel.url}/#/paper`)
  await page.reload()
  await page.getByText('1 document; the newest is at the bottom.').waitFor()
  expect(await page.getByText('Nothing has been printed yet').count()).toBe(0)
})
