/** The driver of family A on the emulated device, over the embedded binding: sheet 6.14. */
import { describe, expect, it } from 'vitest'
import { encodeHostFrame, hostShape } from '../../drivers/family-a/protocol/frame.ts'
import { catalogueOf } from '../../drivers/family-a/protocol/index.ts'
import type { PrinterConfig } from '../../drivers/index.ts'
import { SimulatedClock, simulate } from '../../drivers/model/clock.ts'
import type { DeviceError } from '../../drivers/model/errors.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { FreeSale } from '../../drivers/model/receipt.ts'
import type { Emulator, EmulatorOptions } from '../../emulator/emulator.ts'
import { problemOf } from '../support/problems.ts'
import { START, startPrinter } from '../support/rig.ts'
import { scripted } from './scripted.ts'

const operator = { code: 1, password: '0000' }
const opening = { operator, pointOfSale: 1, invoice: false }
const item: FreeSale = {
  name: 'Item',
  taxCode: 1,
  price: 500,
  quantity: 1000,
  department: 0,
  unit: '',
  void: false,
}

interface Driven {
  readonly emulator: Emulator
  readonly printer: FiscalPrinter
  sent(): number[]
}

function driven(options: Partial<EmulatorOptions> = {}, config: Partial<PrinterConfig> = {}): Driven {
  const device = startPrinter({ family: 'A', ...options })
  const commands: number[] = []
  const printer = device.driver(config, {
    trace: ({ direction, bytes }) => {
      const frame = direction === 'toDevice' ? hostShape.parse(bytes) : undefined
      if (frame) commands.push(frame.code)
    },
  })
  return { emulator: device.emulator, printer, sent: () => commands.splice(0) }
}

it('a refusal that counts the fields of its command names the field', async () => {
  const { printer } = driven()
  await printer.openFiscal(opening)
  const sale = printer.sellArticle({ plu: 100_001, quantity: 1000, void: false })
  expect(await problemOf(sale)).toMatchObject({
    kind: 'refused',
    code: '-112201',
    key: 'valueField1',
    meaning: 'field 1 of the command (plu) has a wrong value',
  })
})

describe('the start-up of the driver of family A', () => {
  it('queries 74 twice, 90 TAB, 76, two parameters and 50, and knows the device', async () => {
    const { printer, sent } = driven()
    expect(await printer.connect()).toEqual({
      family: 'A',
      model: 'FPA-EMULATOR-100X',
      firmware: '1.00BG',
      serialNumber: 'DT000123',
      fiscalMemoryNumber: '02000123',
    })
    expect(sent()).toEqual([74, 74, 90, 76, 255, 255, 50])
    await printer.connect()
    expect(sent()).toEqual([])
  })

  it('detects the device again after the port was reopened', async () => {
    const { printer, sent } = driven()
    await printer.connect()
    await printer.disconnect()
    sent()
    await printer.clearDisplay()
    expect(sent()).toEqual([74, 74, 90, 76, 255, 255, 50, 33])
  })
})

describe('a receipt of family A', () => {
  it('is opened, filled and closed, and the text of each result is the answer of the wire protocol', async () => {
    const { printer, emulator } = driven()
    expect(await printer.openFiscal(opening)).toMatchObject({ text: '1' })
    expect(await printer.sell({ ...item, name: 'Кафе', quantity: 2000, unit: 'pcs' })).toMatchObject({ text: '1' })
    expect(await printer.sellArticle({ plu: 1, quantity: 1000, void: false })).toMatchObject({ text: '1' })
    expect(await printer.printFiscalText({ text: 'x'.repeat(200), height: 'half' })).toMatchObject({ text: '' })
    expect(await printer.subtotal({ print: true, display: true })).toMatchObject({
      text: '1\t11.20\t11.20\t0.00\t0.00\t0.00\t0.00\t0.00\t0.00\t0.00',
    })
    expect(await printer.pay({ mode: 1, amount: 120 })).toMatchObject({ text: 'D\t10.00' })
    expect(await printer.transactionStatus()).toEqual({
      isOpen: true,
      kind: 'Fiscal',
      receiptNumber: '1',
      itemsCount: 2,
      total: 1120,
      paid: 120,
      remaining: 1000,
      raw: '1\t1\t2\t11.20\t1.20',
    })
    expect(await printer.pay({ mode: 0, amount: 2000 })).toMatchObject({ text: 'R\t10.00' })
    expect(await printer.closeFiscal()).toMatchObject({ receiptNumber: '1', raw: '1' })
    expect(emulator.device.documents()[0]?.text.join('\n')).toContain('Кафе')
    expect(await printer.transactionStatus()).toMatchObject({ isOpen: false, kind: 'None', remaining: 0 })
  })

  it('voids a free sale, and an item at the price at which it was sold', async () => {
    const { printer, sent } = driven()
    await printer.openFiscal(opening)
    await printer.sell(item)
    await printer.sell({ ...item, void: true })
    await printer.sellArticle({ plu: 3, quantity: 2000, void: false })
    sent()
    await printer.sellArticle({ plu: 3, quantity: 1000, void: true })
    expect(sent()).toEqual([107, 58])
    expect(await printer.transactionStatus()).toMatchObject({ total: 320 })
    expect(await printer.cancelFiscal()).toMatchObject({ text: '' })
  })

  it('opens an invoice, and names its customer before closing', async () => {
    const customer = { taxNumber: 'BG123456789', name: 'Firma', address: `${'Street '.repeat(8)}12` }
    const { printer, sent, emulator } = driven({}, { customer })
    await printer.openFiscal({ ...opening, invoice: true })
    await printer.sell(item)
    expect(await printer.transactionStatus()).toMatchObject({ kind: 'Invoice' })
    await printer.pay({ mode: 0 })
    sent()
    await printer.closeFiscal()
    expect(sent()).toEqual([76, 103, 57, 56])
    expect(emulator.device.documents()[0]?.text.join('\n')).toContain('BG123456789')
  })

  it('gets a customer of valid form if the request names no customer', async () => {
    const { printer } = driven()
    await printer.openFiscal({ ...opening, invoice: true })
    await printer.sell(item)
    await printer.pay({ mode: 0 })
    expect(await printer.closeFiscal()).toMatchObject({ receiptNumber: '1', raw: '1' })
  })

  it('carries the tax number in 48 on profile ro, and needs no 57', async () => {
    const { printer, sent, emulator } = driven({ profile: 'ro' })
    const customer = { taxNumber: 'RO12345674', name: '', address: '' }
    await printer.openFiscal({ operator: { code: 1, password: '0001' }, pointOfSale: 1, invoice: true, customer })
    await printer.sell(item)
    await printer.pay({ mode: 0 })
    await printer.closeFiscal()
    expect(sent()).not.toContain(57)
    expect(emulator.device.documents()[0]?.text.join('\n')).toContain('RO12345674')
  })
})

describe('the code pages of family A', () => {
  it('contain the letters of the configured page', async () => {
    const { printer, emulator } = driven(
      { profile: 'ro', options: { codePage: 'cp1250' } },
      { options: { codePage: 'cp1250' } },
    )
    await printer.displayLine(1, 'măr în coș')
    expect(emulator.device.display.lines[0]?.trimEnd()).toBe('măr în cos')
  })
})

describe('letters that are written as two letters', () => {
  it('never make a text, a name or a unit too long', async () => {
    const { printer } = driven()
    await printer.displayLine(1, 'ß'.repeat(20))
    await printer.openFiscal(opening)
    await printer.sell({ ...item, name: 'ß'.repeat(72), unit: 'ßßßßßß' })
    await printer.printFiscalText({ text: 'ß'.repeat(200) })
    expect((await printer.transactionStatus()).total).toBe(500)
  })
})

describe('refusals of family A:', () => {
  it.each([
    ['closing without a receipt', (p: FiscalPrinter) => p.closeFiscal(), '-111016'],
    ['cancelling without a receipt', (p: FiscalPrinter) => p.cancelFiscal(), '-111016'],
    ['selling without a receipt', (p: FiscalPrinter) => p.sell(item), '-111016'],
    ['non-fiscal text without a receipt', (p: FiscalPrinter) => p.printNonFiscalText({ text: 'x' }), '-111016'],
    ['cancelling a non-fiscal receipt that is not there', (p: FiscalPrinter) => p.cancelNonFiscal(), '-111016'],
    ['a copy before any receipt', (p: FiscalPrinter) => p.copyLastReceipt(), '-105000'],
    [
      'a wrong password',
      (p: FiscalPrinter) => p.openFiscal({ ...opening, operator: { code: 1, password: '1' } }),
      '-102002',
    ],
    ['an asterisk line without a receipt', (p: FiscalPrinter) => p.printSeparatingLine(3), '-111016'],
  ])('%s is refused by the device', async (_, act, code) => {
    expect(await problemOf(act(driven().printer))).toMatchObject({ kind: 'refused', code })
  })

  it.each([
    ['a fiscal text on a non-fiscal receipt', (p: FiscalPrinter) => p.printFiscalText({ text: 'x' })],
    ['closing a non-fiscal receipt as a fiscal one', (p: FiscalPrinter) => p.closeFiscal()],
    ['a sale on a non-fiscal receipt', (p: FiscalPrinter) => p.sell(item)],
  ])('%s is refused, and the receipt remains open', async (_, act) => {
    const { printer } = driven()
    await printer.openNonFiscal()
    expect(await problemOf(act(printer))).toMatchObject({ kind: 'refused', code: '-111046' })
    expect(await printer.transactionStatus()).toMatchObject({ kind: 'NonFiscal' })
  })

  it('cancel-non-fiscal prints nothing into a fiscal receipt', async () => {
    const { printer } = driven()
    await printer.openFiscal(opening)
    expect(await problemOf(printer.cancelNonFiscal())).toMatchObject({ kind: 'refused', code: '-111047' })
  })

  it('an accepted payment prevents cancelling', async () => {
    const { printer } = driven()
    await printer.openFiscal(opening)
    await printer.sell(item)
    await printer.pay({ mode: 0, amount: 100 })
    expect(await problemOf(printer.cancelFiscal())).toMatchObject({ kind: 'refused', key: 'paymentStarted' })
  })

  it.each([
    ['out' as const, false, 'noPaper'],
    ['ok' as const, true, 'coverOpen'],
  ])('with paper %s and cover open %s, the driver reports "cannot print", %s', async (paper, cover, condition) => {
    const { printer, emulator } = driven()
    await printer.connect()
    emulator.setPaper(paper)
    emulator.setCover(cover)
    expect(await problemOf(printer.openFiscal(opening))).toEqual({ kind: 'cannotPrint', condition })
    expect((await printer.transactionStatus()).isOpen).toBe(false)
  })

  it('a name of 73 letters is refused before any byte is sent', async () => {
    const { printer, sent } = driven()
    await printer.openFiscal(opening)
    sent()
    expect(await problemOf(printer.sell({ ...item, name: 'x'.repeat(73) }))).toMatchObject({ kind: 'badValue' })
    expect(sent()).toEqual([])
  })

  it('a discount of 100 % on a row is not refused, but sent as its amount: 49 has two digits for a percentage', async () => {
    const { printer } = driven()
    await printer.openFiscal(opening)
    const sold = { ...item, price: 115, quantity: 2_500, adjustment: { kind: 'surcharge', percent: 10_000 } as const }
    await printer.sell(sold)
    // 1.15 x 2.5 = 2.875 is rounded once, to 2.88. The surcharge of 100 % doubles the result.
    expect((await printer.transactionStatus()).total).toBe(576)
    const sale = { ...sold, adjustment: { ...sold.adjustment, kind: 'discount' } as const }
    // The device refuses a row of 0.00 with its own error.
    expect(await problemOf(printer.sell(sale))).toMatchObject({ kind: 'refused', key: 'rowZero' })
  })

  it.each([
    [{ type: 5, data: '1234' }, 'unsupported'],
    [{ type: 9, data: '1234' }, 'unsupported'],
    [{ type: 2, data: 'abc' }, 'badValue'],
    [{ type: 4, data: 'text', qrSize: 11 }, 'badValue'],
    [{ type: 2, data: '5941234567899', height: 6 }, 'badValue'],
  ])('a barcode %j is refused before any byte is sent: %s', async (barcode, kind) => {
    const { printer, sent } = driven()
    expect(await problemOf(printer.printBarcode(barcode))).toMatchObject({ kind })
    expect(sent()).toEqual([])
  })
})

describe('the driver of family A', () => {
  it('draws the four separating lines by 92, and the asterisks as text of the open receipt', async () => {
    const { printer, sent } = driven()
    await printer.openNonFiscal()
    sent()
    for (const style of [1, 2, 3, 4] as const) await printer.printSeparatingLine(style)
    await printer.closeNonFiscal()
    await printer.openFiscal(opening)
    await printer.printSeparatingLine(3)
    expect(sent()).toEqual([92, 92, 76, 42, 92, 39, 48, 76, 54])
  })

  it('sets height and text for one barcode and restores the settings', async () => {
    const { printer, sent, emulator } = driven()
    await printer.openNonFiscal()
    sent()
    await printer.printBarcode({ type: 2, data: '5941234567899', height: 35, printText: false, position: 1, scale: 3 })
    expect(sent()).toEqual([255, 255, 255, 255, 84, 255, 255])
    expect(emulator.device.registers.parameter('BarCodeHeight')).toBe('2')
    await printer.printBarcode({ type: 8, data: 'text', qrSize: 5 })
    await printer.printBarcode({ type: 6, data: '123456' })
  })

  it('cuts what is too long for the display and replaces control characters', async () => {
    const { printer, emulator } = driven()
    await printer.displayLine(1, 'a\tb'.repeat(10))
    await printer.displayLine(2, 'țară')
    expect(emulator.device.display.lines.map((line) => line.trimEnd())).toEqual(['a ba ba ba ba ba ba', 'tara'])
  })

  it('moves cash, opens the drawer, reads rates and articles', async () => {
    const { printer } = driven()
    expect(await printer.moveCash?.(5000, operator)).toMatchObject({ text: '50.00\t50.00\t0.00' })
    expect(await printer.moveCash?.(-2000, operator)).toMatchObject({ text: '30.00\t50.00\t-20.00' })
    expect(await printer.openDrawer?.()).toMatchObject({ text: '' })
    expect((await printer.taxRates?.())?.get(4)).toBe(900)
    expect(await printer.article?.(8)).toEqual({ plu: 8, name: 'Book', price: 1290 })
    expect(await printer.article?.(99)).toBeUndefined()
  })
})

describe('the driver of family A', () => {
  it('returns every member of a Z report of the emulator', async () => {
    const { printer } = driven()
    await printer.openFiscal(opening)
    await printer.sell({ ...item, adjustment: { kind: 'discount', percent: 1000 } })
    await printer.sell({ ...item, taxCode: 4 })
    await printer.sell({ ...item, taxCode: 4, void: true })
    await printer.pay({ mode: 1 })
    await printer.closeFiscal()
    await printer.moveCash?.(1000, operator)
    expect(await printer.reportX()).toMatchObject({ text: expect.stringMatching(/^1\t4\.50\t/) })
    expect(await printer.reportZ()).toMatchObject({ text: expect.stringMatching(/^1\t4\.50\t/) })
    expect(await printer.lastDocument()).toBe(4)
    const z = await printer.archivedZ(1)
    expect(z).toMatchObject({
      number: 1,
      firstReceipt: 1,
      lastReceipt: 1,
      receiptsCount: 1,
      total: 450,
      discounts: { count: 1, amount: 50 },
      surcharges: { count: 0, amount: 0 },
      voids: { count: 1, amount: 500 },
      cashIn: 1000,
      cashOut: 0,
    })
    expect(z?.taxes.slice(0, 4)).toEqual([
      { taxCode: 1, letter: 'A', rate: 2000, turnover: 450, tax: 75 },
      { taxCode: 2, letter: 'B', rate: 2000, turnover: 0, tax: 0 },
      { taxCode: 3, letter: 'C', rate: 2000, turnover: 0, tax: 0 },
      { taxCode: 4, letter: 'D', rate: 900, turnover: 0, tax: 0 },
    ])
    expect(z?.payments?.find(({ paymentMode }) => paymentMode === 1)).toEqual({ paymentMode: 1, amount: 450 })
    expect(await printer.archivedZ(2)).toBeUndefined()
    expect(await printer.archivedZ(1_000_000)).toBeUndefined()
  })

  it('copies the last receipt and names it', async () => {
    const { printer } = driven()
    await printer.openFiscal(opening)
    await printer.sell(item)
    await printer.pay({ mode: 0 })
    await printer.closeFiscal()
    await printer.openNonFiscal()
    await printer.closeNonFiscal()
    expect(await printer.copyLastReceipt()).toMatchObject({ receiptNumber: '1', raw: '' })
  })
})

/** Answers of a real device: another model name, an older table of parameters, no structured closure. */
const REAL: Readonly<Record<number, string>> = {
  74: '0\t\x80\x80\x80\x80\x86\x9a\x80\x80\t',
  90: '0\tPRINTER X\t3.00\t01JAN25\t1000\tFFFF\t00000000\tDT123456\t02123456\t',
  50: '0\t1\t20.00\t9.00\t0.00\t0.00\t0.00\t0.00\t0.00\t0.00\t01-01-25\t',
  255: '-112201\t',
}

describe('a device that differs from the emulator', () => {
  it.each(['P\t', 'F\t', 'P,1\t', 'nonsense'])('is not of this family if its answer begins with %j', async (data) => {
    expect(await problemOf(scripted(() => data).connect())).toMatchObject({ kind: 'notThisFamily' })
  })

  it('does not take the number of a report for that of the last receipt if it reports none', async () => {
    const printer = scripted((code) => (code === 76 ? '0\t0\t9\t0\t0.00\t0.00\t' : (REAL[code] ?? '-112000\t')))
    expect(await printer.transactionStatus()).toMatchObject({ isOpen: false, receiptNumber: null })
    expect(await printer.lastReceipt?.()).toBe('')
    expect(await printer.evidence()).toMatchObject({ lastReceipt: null })
  })

  it('is used without the parameters that it does not know', async () => {
    const printer = scripted((code) => REAL[code] ?? '-112000\t')
    expect(await printer.connect()).toMatchObject({ model: 'PRINTER X', firmware: '3.00' })
  })

  it('returns number, time and text of a Z report, the newest Z report with its sums, and no invented values', async () => {
    const lines = ['0\tREPORT\t', '-105000\t']
    const printer = scripted((code, data) => {
      if (code === 125) return data.startsWith('0') ? '0\t98\t7\t14-07-25 21:00:10 DST\t2\t7\t' : (lines.shift() ?? '')
      if (code === 64) return `0\t7\t${'1.00\t'.repeat(8)}14-07-25\t`
      return REAL[code] ?? '-112000\t'
    })
    const z = await printer.archivedZ(7)
    expect(z).toMatchObject({ number: 7, dateTime: '2025-07-14T21:00:10', total: 800, payments: null, raw: 'REPORT' })
    expect(z?.taxes[0]).toEqual({ taxCode: 1, letter: 'A', rate: null, turnover: 100, tax: 100 })
  })

  it.each([
    ['\xa0\x80\x81\x80\x86\x9a\x80\x80', { kind: 'cannotPrint', condition: 'noPaper' }],
    ['\xe0\x80\x80\x80\x86\x9a\x80\x80', { kind: 'cannotPrint', condition: 'coverOpen' }],
    ['\xb0\x80\x80\x80\x86\x9a\x80\x80', { kind: 'cannotPrint', condition: 'mechanism' }],
    ['\xa2\x80\x80\x80\x86\x9a\x80\x80', { kind: 'refused', code: 'status bit 0.1' }],
    ['\xa1\x80\x80\x80\x86\x9a\x80\x80', { kind: 'refused', code: 'status bit 0.0' }],
    ['\x80\x80\x80\x80\xb6\x9a\x80\x80', { kind: 'refused', code: 'status bit 4.4' }],
    ['\x80\x80\x80\x80\x86\x9a\x80\x80', { kind: 'notThisFamily' }],
  ])('may send an empty answer, which is judged by its flags (case %#)', async (status, problem) => {
    expect(await problemOf(scripted(() => '', status).connect())).toMatchObject(problem)
  })

  it.each<readonly [string, string]>([
    ['nothing', ''],
    ['six bytes', '0\t\x80\x80\x80\x80\x86\x9a\t'],
    ['bytes without a code', '\x80\x80\x80\x80\x86\x9a\x80\x80'],
    ['two fields', '0\t\x80\x80\t\x80\t'],
    ['a refusal', '-112000\t'],
  ])('is used although its answer to 74 has %s, because the status is in every answer', async (_, data) => {
    const printer = scripted((code) => (code === 74 ? data : (REAL[code] ?? '-112000\t')))
    expect(await printer.connect()).toMatchObject({ model: 'PRINTER X', serialNumber: 'DT123456' })
  })

  it('is used although its answer to 90 has blanks in its serial number and no memory number, which 123 reports', async () => {
    const row = REAL[90]?.replace('DT123456\t02123456\t', '    02500002\t')
    const identity = ['0', '02500002', '4100000001', '', '', '', '', '', ''].join('\t')
    const printer = scripted((code) =>
      code === 90 ? (row ?? '') : code === 123 ? identity : (REAL[code] ?? '-112000\t'),
    )
    expect(await printer.connect()).toMatchObject({ serialNumber: '02500002', fiscalMemoryNumber: '4100000001' })
    const none = scripted((code) => (code === 90 ? (row ?? '') : (REAL[code] ?? '-112000\t')))
    expect(await none.connect()).toMatchObject({ serialNumber: '02500002', fiscalMemoryNumber: '' })
  })

  it('is detected again if another device answers although the port remained open', async () => {
    let serial = 'DT123456'
    const printer = scripted((code) => {
      if (code === 76) return '0\t0\t5\t0\t0.00\t0.00\t'
      return (REAL[code] ?? '-112000\t').replace('DT123456', serial)
    })
    expect(await printer.evidence()).toMatchObject({ serialNumber: 'DT123456' })
    serial = 'DT999999'
    expect(await printer.evidence()).toMatchObject({ serialNumber: 'DT999999', open: null })
    expect(await printer.connect()).toMatchObject({ serialNumber: 'DT999999' })
  })

  it('may send an unlisted code, which is passed on unchanged', async () => {
    expect(await problemOf(scripted(() => '-999999\t').connect())).toMatchObject({ kind: 'refused', code: '-999999' })
  })
})

describe('a close whose retransmission was refused', () => {
  const SELECTED = '0\t5\t3\t22-11-26 10:00:00\t1\t1\t'
  /** The response to 125 for the document as a row. The receipt's total is the ninth of fourteen fields. */
  const row = (total: string) =>
    `0\t${['DT', 'sale', '5', '', 'Tea', '1.00', '1', '1.00', total, '', '', '', '', ''].join('\t')}\t`

  it.each([
    ['is in the journal with its sum, and is the last one', '5', SELECTED, row('5.00'), 'No 5'],
    ['is in the journal with another sum', '5', SELECTED, row('4.00'), 'outcomeUnknown'],
    ['was cancelled', '4', SELECTED.replace(/1\t1\t$/, '8\t1\t'), '-105000\t', 'refused'],
    ['is not in the journal, and another receipt is the last', '6', '-105000\t', '-105000\t', 'outcomeUnknown'],
    ['is the last one of a device without a journal', '5', '-112000\t', '-112000\t', 'No 5'],
  ])('is judged by the journal: the receipt %s', async (_, last, selected, total, outcome) => {
    let closed = false
    const printer = scripted((code, data) => {
      if (code === 76) return closed ? '0\t0\t5\t1\t5.00\t5.00\t' : '0\t1\t5\t1\t5.00\t5.00\t'
      if (code === 103) return `0\t${'0.00\t'.repeat(8)}0\t0000000001\t0\t`
      if (code === 125) return data.startsWith('8') ? total : selected
      if (code === 255 && data.startsWith('nLastFiscalDoc')) return `0\t${last}\t`
      if (code !== 56) return REAL[code] ?? '-112000\t'
      closed = true
      return '-111016\t'
    })
    const result = await printer.closeFiscal().then(
      ({ receiptNumber }) => `No ${receiptNumber}`,
      (problem: DeviceError) => problem.problem.kind,
    )
    expect(result).toBe(outcome)
  })
})

describe('the driver of family A on the line', () => {
  it('never writes a control byte of the frame into the data', () => {
    const data = catalogueOf('bg').byName.nonFiscalText.request.write(
      { text: '\x01\x03\x04\x05\t' },
      { name: 'raw', encode: (text) => text, decode: (bytes) => bytes },
    )
    expect(data).toBe('\x10A\x10C\x10D\x10E\x10I\t')
    expect(encodeHostFrame({ seq: 0x20, code: 42, data })[10]).toBe(0x10)
  })
})

it('a command whose answer cannot be read may have been executed', async () => {
  const printer = scripted((code) => REAL[code] ?? (code === 53 ? '0\tD\tmuch\t' : '-112000\t'))
  await printer.connect()
  const what = 'the device no longer sent valid responses'
  expect(await problemOf(printer.pay({ mode: 0 }))).toEqual({ kind: 'outcomeUnknown', what, command: 'payment' })
})

describe('the journal of a device that is disconnected while it is read', () => {
  it.each(['bg', 'ro'])('is read completely or not at all: edition %s', async (profile) => {
    const whole: string[] = []
    for (let skip = 0, struck = true; struck; skip++) {
      const clock = new SimulatedClock(START)
      const device = startPrinter({ family: 'A', clock, powerReturnsAfterMs: 300, profile })
      const printer = device.driver()
      const run = <T>(work: Promise<T>) => simulate(clock, work)
      await run(printer.openNonFiscal())
      for (const text of ['one', 'two']) await run(printer.printNonFiscalText({ text }))
      await run(printer.closeNonFiscal())
      if (skip === 0) whole.push(...((await run(printer.linesOf?.(1) ?? Promise.resolve([]))) ?? []))
      device.emulator.faults.add({ at: 'command.after', skip, times: 1, do: 'powerCut' })
      const lines = await run(printer.linesOf?.(1) ?? Promise.resolve([]))
      expect(lines, `cut off after question ${skip}`).toEqual(whole)
      struck = device.emulator.faults.list().some(({ hits }) => hits > 0)
      await device.emulator.close()
    }
    expect(whole.map((line) => line.trim())).toEqual(expect.arrayContaining(['one', 'two']))
  })

  it('is not taken for a journal that has ended', async () => {
    const clock = new SimulatedClock(START)
    const device = startPrinter({ family: 'A', clock, powerReturnsAfterMs: 300 })
    const printer = device.driver()
    const run = <T>(work: Promise<T>) => simulate(clock, work)
    await run(printer.openNonFiscal())
    await run(printer.closeNonFiscal())
    const { length } = (await run(printer.linesOf?.(1) as Promise<readonly string[]>)) ?? []
    // Frames per attempt: the selection, its lines, the lost last frame, and the same last frame again.
    for (const turn of [0, 1, 2]) {
      const skip = turn * (length + 3) + length + 1
      device.emulator.faults.add({ at: 'link.toHost', on: 'journalRead', skip, times: 1, do: 'drop' })
    }
    const problem = await run(problemOf(printer.linesOf?.(1) as Promise<unknown>))
    expect(problem).toMatchObject({ kind: 'lineNoise', why: 'its electronic journal could not be read to the end' })
    await device.emulator.close()
  })
})
