import request from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Barcode } from '../../drivers/model/receipt.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Panel } from '../../emulator/panel/panel.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import type { DrawingOperation } from '../../emulator/print/drawing-operations.ts'
import { paperPng } from '../../emulator/print/png-paper.ts'
import { canvasOf, paperSvg } from '../../emulator/print/svg-paper.ts'
import { createPanel } from '../support/panel.ts'
import { codesOn } from './barcode-reader.ts'

let emulator: Emulator
let panel: Panel
const call = () => request(panel.app)

beforeEach(() => {
  emulator = createEmulator({ family: 'A' })
  panel = createPanel(emulator)
})
afterEach(async () => {
  panel.close()
  await emulator.close()
})

async function pngOf(id: number): Promise<Buffer> {
  const reply = await call().get(`/emulator/documents/${id}.png`).expect(200).expect('Content-Type', 'image/png')
  return reply.body as Buffer
}

function printBarcodes(barcodes: readonly Barcode[]): number {
  const { device } = emulator
  device.openNonFiscal({ operator: 1 })
  for (const barcode of barcodes) device.printBarcode(barcode, 'BARCODE')
  device.closeNonFiscal()
  return device.documentHeads().at(-1)?.id ?? 0
}

describe('barcodes on the PNG', () => {
  it.each<[string, Barcode, string]>([
    ['EAN-8', { type: 1, data: '96385074' }, 'EAN8:96385074'],
    ['EAN-8 without its check digit', { type: 1, data: '9638507' }, 'EAN8:96385074'],
    ['EAN-13', { type: 2, data: '5901234123457' }, 'EAN13:5901234123457'],
    ['Code 128', { type: 3, data: 'Code128-Abc' }, 'Code128:Code128-Abc'],
    ['QR', { type: 4, data: 'https://example.com/r/1' }, 'QRCode:https://example.com/r/1'],
    ['a small QR at the right', { type: 4, data: 'small', qrSize: 2, position: 2 }, 'QRCode:small'],
    ['a long QR with large modules', { type: 4, data: 'x'.repeat(279), qrSize: 10 }, `QRCode:${'x'.repeat(279)}`],
    ['Interleaved 2 of 5', { type: 6, data: '12345678' }, 'ITF:12345678'],
    ['UPC-A', { type: 9, data: '03600029145' }, 'EAN13:0036000291452'],
    ['Code 39', { type: 12, data: 'ABC-123' }, 'Code39:ABC-123'],
    ['Code 93', { type: 14, data: 'ABC123' }, 'Code93:ABC123'],
    ['Codabar', { type: 15, data: '123456' }, 'Codabar:A123456A'],
    ['wide and high bars', { type: 3, data: 'WIDE', scale: 4, height: 20, position: 0 }, 'Code128:WIDE'],
  ])('show %s, which a reader reads back', async (_name, barcode, expected) => {
    expect(await codesOn(await pngOf(printBarcodes([barcode])))).toEqual([expected])
  })

  it.each<[string, Barcode]>([
    ['PDF417 truncated', { type: 7, data: '01234565' }],
    ['PDF417', { type: 8, data: '01234565' }],
    ['a long PDF417', { type: 8, data: 'Fiscal receipt 0000016, '.repeat(6) }],
  ])('%s is read back', async (_name, barcode) => {
    expect(await codesOn(await pngOf(printBarcodes([barcode])))).toEqual([`PDF417:${barcode.data}`])
  })

  it('a fiscal QR code of each family is read back', async () => {
    for (const family of ['A', 'B', 'C'] as const) {
      const device = createEmulator({ family })
      const own = createPanel(device)
      const { number } = printSample(device)
      const { body } = await request(own.app).get('/emulator/documents/1.png').expect(200)
      const [code, ...others] = await codesOn(body as Buffer)
      expect(others).toEqual([])
      expect(code).toMatch(new RegExp(`^QRCode:\\w+\\*0*${number}\\*\\d{4}-\\d\\d-\\d\\d\\*[\\d:]{8}\\*\\d+\\.\\d\\d$`))
      own.close()
      await device.close()
    }
  })

  it.each([5, 7, 8, 10, 11, 13, 16])('type %i is drawn as bars', async (type) => {
    const reply = await call().get(`/emulator/documents/${printBarcodes([{ type, data: '01234565' }])}.svg`)
    expect(reply.body.toString()).toMatch(/<path d="M\d+ \d+h\d+v\d+h-\d+z/)
  })

  it('a POSTNET code has two frame bars, and five bars for each digit and for the check digit', () => {
    const svg = paperSvg([{ op: 'barcode', type: 16, label: 'POSTNET', data: '1234567' }], 42, { title: 'x' })
    expect(svg.match(/h4v(?:25|10)h-4z/g)).toHaveLength(2 + 5 * 8)
  })

  it('barcode data that cannot be encoded is drawn as text', async () => {
    const svg = paperSvg([{ op: 'barcode', type: 2, label: 'EAN-13', data: 'no digits' }], 42, { title: 'x' })
    expect(svg).toContain('no digits')
    expect(svg).not.toContain('<path')
  })
})

describe('the PNG draws letters that differ from each other and from the missing-letter box', () => {
  /** The font shows the same box for all letters that it lacks. */
  const pictureOf = async (letter: string, bold: boolean) =>
    (await paperPng(paperSvg([{ op: 'text', text: letter, bold }], 42, { title: 'x' }))).toString('base64')

  // Profile b5 of family B has U+10D0 to U+10F0; profiles ro of family A and cr of family C have the characters of code
  // page 1250.
  it.each([
    ['Georgian', 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ', 33],
    ['the letters of Central Europe', 'ˇ˘˙˛˝„‰Š™š', 10],
  ])('in %s', async (_name, letters, count) => {
    for (const bold of [false, true]) {
      const pictures = await Promise.all([...letters].map((letter) => pictureOf(letter, bold)))
      expect(new Set(pictures).size).toBe(count)
      expect(pictures).not.toContain(await pictureOf('\u{e000}', bold))
    }
  })
})

describe('the SVG', () => {
  it('is as wide as the paper of each family and holds every word', async () => {
    for (const [family, millimetres] of [
      ['A', 80],
      ['B', 58],
      ['C', 80],
    ] as const) {
      const device = createEmulator({ family })
      const own = createPanel(device)
      printSample(device)
      const reply = await request(own.app)
        .get('/emulator/documents/1.svg')
        .expect('Content-Type', /image\/svg\+xml/)
      const svg = reply.body.toString() as string
      expect(svg).toContain(`width="${millimetres}mm"`)
      const text = svg.replace(/<title>.*?<\/title>/, '').replace(/<[^>]+>/g, ' ')
      const lines = device.device.document(1)?.text.filter((line) => !line.includes('||')) ?? []
      const words = lines.join(' ').match(/[A-Za-z0-9.:]{2,}/g) ?? []
      const drawn = new Set(text.match(/[A-Za-z0-9.:]{2,}/g))
      expect(words.filter((word) => !drawn.has(word))).toEqual([])
      own.close()
      await device.close()
    }
  })

  const style = (operation: DrawingOperation): string => paperSvg([operation], 42, { title: 'x' })

  it('draws bold, double and half height, italic, underline and the cut', () => {
    expect(style({ op: 'text', text: 'T', bold: true })).toContain('font-weight="bold"')
    expect(style({ op: 'text', text: 'T', height: 'double' })).toContain('scale(1 2)')
    expect(style({ op: 'text', text: 'T', height: 'half' })).toContain('scale(1 0.6)')
    expect(style({ op: 'text', text: 'T', italic: true })).toContain('skewX(')
    expect(style({ op: 'text', text: 'T', underline: true })).toMatch(/height="2"\/>/)
    expect(style({ op: 'cut' })).toContain('stroke-dasharray')
  })

  it('aligns amounts of different lines in one column', () => {
    const { margin, cell } = canvasOf(42)
    const svg = style({ op: 'columns', left: 'Bread', right: '12.00' })
    expect(svg).toContain(`<tspan x="${Math.round((margin + 37 * cell) * 100) / 100}">12.00</tspan>`)
  })

  it('contains text with characters of XML as text, and control characters as blanks', () => {
    const svg = style({ op: 'text', text: '<b>\u0007& "q"\u001bis\u009bend' })
    expect(svg).toContain('&lt;b&gt; &amp; &quot;q&quot; is end')
  })

  it('ends where the paper ran out, without the cut', async () => {
    emulator.faults.add({ at: 'paper.line', skip: 5, times: 1, do: 'paperOut' })
    printSample(emulator)
    const half = (await call().get('/emulator/documents/1.svg')).body.toString() as string
    expect(half).not.toContain('TOTAL')
    expect(half).not.toContain('stroke-dasharray')
    // Five whole lines and the upper half of the sixth line are printed, where the paper ran out.
    const { lineHeight } = canvasOf(42)
    expect(half).toContain(`viewBox="0 0 640 ${Math.round(28 + 5.5 * lineHeight)}"`)
    expect(half).toMatch(
      new RegExp(`<svg width="100%" height="${28 + 5.5 * lineHeight}" aria-hidden="true"><text .*Bread`),
    )
    emulator.setPaper('ok')
    expect((await call().get('/emulator/documents/1.svg')).body.toString()).toContain('TOTAL')
  })
})

describe('further requests of the page', () => {
  it('return the open receipt as it grows', async () => {
    expect((await call().get('/emulator/receipt').expect(200)).body).toBeNull()
    emulator.device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    emulator.device.sell({ name: 'Olive oil', taxCode: 1, price: 899, quantity: 1000, void: false })
    const { body } = await call().get('/emulator/receipt').expect(200)
    expect(body.number).toBe(1)
    expect(body.svg).toContain('Olive oil')
  })

  it('print a sample receipt, or give the reason why not', async () => {
    expect((await call().post('/emulator/sample').expect(200)).body).toEqual({ number: 1 })
    emulator.setPower(false)
    const { body } = await call().post('/emulator/sample').expect(400)
    expect(body.error).toBe('nothing is printed: the device is switched off')
    emulator.setPower(true)
    emulator.device.openNonFiscal({ operator: 1 })
    expect((await call().post('/emulator/sample').expect(400)).body.error).toContain('a receipt is open')
  })

  it('switch the device off if the power is cut in the middle of the sample, and half of a receipt is not booked', async () => {
    emulator.faults.add({ at: 'memory.write', times: 1, do: 'powerCut' })
    expect((await call().post('/emulator/sample').expect(400)).body.error).toContain('power was cut')
    expect(emulator.power).toBe(false)
    emulator.setPower(true)
    expect(emulator.device.counters.fiscalReceipts).toBe(0)
    expect(emulator.device.receipt?.kind).toBe('fiscal')
  })

  it('list documents without their content, and those with a text', async () => {
    printSample(emulator)
    emulator.device.reportZ()
    const { body } = await call().get('/emulator/documents?content=none').expect(200)
    expect(body.map((head: object) => Object.keys(head))).toEqual([
      ['id', 'kind', 'number', 'at', 'total', 'paymentModes'],
      ['id', 'kind', 'number', 'zNumber', 'at'],
    ])
    const found = async (text: string) => {
      const query = { content: 'none', search: text }
      const { body } = await call().get('/emulator/documents').query(query).expect(200)
      return body.map(({ id }: { id: number }) => id)
    }
    expect(await found('MILK 1')).toEqual([1])
    emulator.device.openNonFiscal({ operator: 1 })
    emulator.device.printText({ text: 'Кафе и чай' })
    emulator.device.closeNonFiscal()
    expect(await Promise.all(['КАФЕ', 'кафе', 'Чай', 'чая'].map(found))).toEqual([[3], [3], [3], []])
    expect((await call().get('/emulator/documents?content=none&after=1').expect(200)).body).toHaveLength(2)
  })

  it('return the journal lines of a document, and its frames up to its own answer', async () => {
    printSample(emulator)
    printSample(emulator)
    const journal = await call().get('/emulator/journal?document=2').expect(200)
    expect(new Set(journal.body.map(({ document }: { document: number }) => document))).toEqual(new Set([2]))
    expect((await call().get('/emulator/frames?document=2').expect(200)).body).toEqual([])
  })

  it('return the names of commands, registers and lines', async () => {
    const { body: commands } = await call().get('/emulator/commands').expect(200)
    expect(commands).toContainEqual({ name: 'openFiscal', code: 48 })
    const { body: registers } = await call().get('/emulator/registers').expect(200)
    expect(registers.taxRates[3]).toEqual({ taxCode: 4, letter: 'D', rate: '9.00' })
    const tcp = await emulator.listenTcp(0)
    expect((await call().get('/emulator/lines').expect(200)).body).toEqual({ ptys: [], tcps: [tcp.port], baud: null })
  })
})
