/** The driver of family B on the emulated device, through the link and the device loop (sheet 14). */
import { afterEach, describe, expect, it } from 'vitest'
import { parseRequest } from '../../drivers/family-b/protocol/frame.ts'
import { readZText } from '../../drivers/family-b/z-text.ts'
import type { PrinterConfig } from '../../drivers/index.ts'
import { type DeviceProblem, describeProblem } from '../../drivers/model/errors.ts'
import type { EmulatorOptions } from '../../emulator/emulator.ts'
import { problemOf } from '../support/problems.ts'
import { startPrinter } from '../support/rig.ts'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

function driven(emulated: Partial<EmulatorOptions> = {}, config: Partial<PrinterConfig> = {}) {
  const device = startPrinter({ family: 'B', ...emulated })
  const commands: string[] = []
  const printer = device.driver(config, {
    trace: ({ direction, bytes }) => {
      const frame = direction === 'toDevice' ? parseRequest(bytes) : undefined
      if (frame) commands.push(`${frame.command} ${frame.data}`.trim())
    },
  })
  opened.push(device.close)
  return { ...device, printer, commands }
}

const OPENING = { operator: { code: 1, password: '1' }, pointOfSale: 24, invoice: true }
const article = (plu: number, more: object = {}) => ({ plu, quantity: 1000, void: false, ...more })

async function sell(printer: ReturnType<typeof driven>['printer']): Promise<string> {
  await printer.openFiscal(OPENING)
  await printer.sellArticle(article(1, { quantity: 2000 }))
  await printer.pay({ mode: 0, amount: 500 })
  return (await printer.closeFiscal()).receiptNumber
}

describe('the start-up of the driver of family B', () => {
  it('queries 74 twice under two numbers, then 90, 128 and 97', async () => {
    const { printer, commands } = driven()
    expect(await printer.connect()).toEqual({
      family: 'B',
      model: 'EmuB58',
      firmware: 'ONL-1.00BG',
      serialNumber: 'DY000001',
      fiscalMemoryNumber: '36000001',
    })
    expect(commands).toEqual(['74', '74', '90 1', '128', '97'])
    await printer.lastDocument()
    expect(commands).toHaveLength(6)
  })

  it('also detects the five-group device', async () => {
    const { printer } = driven({ profile: 'b5' })
    expect(await printer.connect()).toMatchObject({ model: 'EmuB80', firmware: '1.00GE', serialNumber: 'DY00000001' })
    expect(printer.capabilities.lineWidth).toBe(44)
  })

  it('does not take a stale answer to the first sequence number for the new answer', async () => {
    const { emulator, printer } = driven()
    await printer.connect()
    await printer.disconnect()
    await printer.connect()
    expect(await printer.lastDocument()).toBe(emulator.device.counters.lastDocument)
  })
})

describe('the driver of family B sends', () => {
  it('a fiscal receipt as the published commands', async () => {
    const { printer, commands, emulator } = driven()
    await printer.connect()
    commands.length = 0
    expect(await printer.openFiscal(OPENING)).toMatchObject({ text: '000000,000000' })
    await printer.sellArticle(article(1, { quantity: 2000 }))
    await printer.sellArticle(article(2, { adjustment: { kind: 'discount', percent: 1000 } }))
    await printer.sellArticle(article(3, { adjustment: { kind: 'surcharge', amount: 50 } }))
    await printer.sellArticle(article(2, { void: true }))
    await printer.printFiscalText({ text: 'Thank you' })
    expect(
      await printer.subtotal({ print: true, display: false, adjustment: { kind: 'discount', amount: 10 } }),
    ).toMatchObject({ text: expect.stringMatching(/^0000000600,/) })
    expect(await printer.pay({ mode: 2, amount: 100 })).toMatchObject({ text: 'D5.00' })
    expect(await printer.pay({ mode: 0 })).toMatchObject({ text: 'R0.00' })
    expect(await printer.closeFiscal()).toMatchObject({ receiptNumber: '1', raw: '000001,000001' })
    expect(commands).toEqual([
      '48 1,1',
      '113',
      '58 +1*2.000',
      '58 +2*1.000,-10.00',
      '58 +3*1.000$+0.50',
      '58 -2*1.000',
      '54 Thank you',
      '51 10$-0.10',
      '53 \tC1.00',
      '53',
      '113',
      '56',
    ])
    expect(emulator.device.day.total).toBe(600)
  })

  it('a non-fiscal receipt as the published commands, closed and cancelled', async () => {
    const { printer, commands } = driven()
    await printer.connect()
    commands.length = 0
    await printer.openNonFiscal()
    await printer.printNonFiscalText({ text: 'x'.repeat(60), bold: true })
    await printer.printBarcode({ type: 2, data: '4006381333931', position: 0, scale: 2, height: 15, printText: false })
    await printer.printSeparatingLine(4)
    expect(await printer.closeNonFiscal()).toMatchObject({ text: '000001' })
    await printer.openNonFiscal()
    expect(await printer.cancelNonFiscal()).toMatchObject({ text: '000002' })
    expect(commands).toEqual([
      '38',
      '113',
      `42 ${'x'.repeat(28)}`,
      '84 2,400638133393\tL,2,15,0',
      '74',
      `42 ${'- '.repeat(14).trim()}`,
      '39',
      '38',
      '113',
      '42 *** VOID ***',
      '39',
    ])
  })

  it.each([
    ['none', {}, '48 1,1'],
    ['pos', { openThirdField: 'pos' }, '48 1,1,24'],
    ['unp', { openThirdField: 'unp' }, '48 1,1,DY000001-OP01-0000001'],
  ])('the third field of 48 as configured: %s', async (_, options, line) => {
    const { printer, commands } = driven(
      { options: { strictUnp: line.includes('OP01') ? 'true' : 'false' } },
      { options },
    )
    await printer.openFiscal(OPENING)
    expect(commands).toContain(line)
  })

  it('a copy command and names the copied receipt, even if other documents followed and the driver did not see the receipt closed', async () => {
    const { driver, printer } = driven()
    await sell(printer)
    await printer.reportX()
    await printer.openNonFiscal()
    await printer.closeNonFiscal()
    await printer.disconnect()
    const other = driver({}, { random: () => 0.7 })
    expect((await other.copyLastReceipt()).receiptNumber).toBe('1')
  })

  const cancelled = async (printer: ReturnType<typeof driven>['printer']) => {
    await printer.openFiscal(OPENING)
    await printer.sellArticle(article(1))
    await printer.cancelFiscal()
  }

  it.each(['b8', 'b5'])(
    'a copy command to %s, whose copy is of the last closed receipt, and not of a cancelled receipt',
    async (profile) => {
      const { printer, emulator } = driven({ profile })
      await sell(printer)
      await cancelled(printer)
      await cancelled(printer)
      expect(await printer.copyLastReceipt()).toMatchObject({ receiptNumber: '1' })
      expect(emulator.device.documents().at(-1)?.text.join('\n')).toMatch(/TOTAL +2\.40/)
      await printer.reportZ()
      expect(await printer.copyLastReceipt()).toMatchObject({ receiptNumber: '1' })
      expect(await printer.lastReceipt?.()).toBe('1')
    },
  )

  it.each(['b8', 'b5'])('no copy command to %s if every receipt is cancelled', async (profile) => {
    const { printer, commands, emulator } = driven({ profile })
    await cancelled(printer)
    commands.length = 0
    const refusal = { kind: 'refused', code: '50', key: 'notFound' }
    expect(await problemOf(printer.copyLastReceipt())).toMatchObject(refusal)
    // A copy command might make the device copy the receipt that it counts as issued, so the driver sends none.
    expect(commands.filter((line) => line.startsWith('109'))).toEqual([])
    expect(emulator.device.documents()).toHaveLength(1)
  })

  it('a copy command without a number if the journal has no receipt', async () => {
    const { printer, commands } = driven()
    await printer.reportX()
    expect(await problemOf(printer.copyLastReceipt())).toMatchObject({ kind: 'refused', code: '50' })
    expect(commands.at(-1)).toBe('109 1')
  })

  it('reports, copies and text for the display as the published commands', async () => {
    const { printer, commands, emulator } = driven()
    await sell(printer)
    commands.length = 0
    expect(await printer.copyLastReceipt()).toMatchObject({ receiptNumber: '1', raw: '' })
    expect(await printer.reportX()).toMatchObject({ text: expect.stringMatching(/^0000,0000000240,/) })
    expect(await printer.reportZ()).toMatchObject({ text: expect.stringMatching(/^0001,0000000240,/) })
    await printer.displayLine(1, 'Hello')
    await printer.displayLine(2, 'World')
    expect(emulator.device.display.lines.map((line) => line.trimEnd())).toEqual(['Hello', 'World'])
    await printer.clearDisplay()
    expect(commands).toEqual(['116', '109 1', '69 2', '110', '69 0', '47 Hello', '35 World', '33'])
  })

  it('the payment letters of the configuration', async () => {
    const { printer, commands } = driven({}, { payments: { 1: 'E', 7: 'N' } })
    await printer.openFiscal(OPENING)
    await printer.sellArticle(article(1))
    await printer.pay({ mode: 7, amount: 20 })
    await printer.pay({ mode: 1 })
    expect(commands.filter((line) => line.startsWith('53'))).toEqual(['53 \tN0.20', '53 \tE1.00'])
    expect(printer.capabilities.paymentModes.map(({ mode }) => mode)).toEqual([0, 1, 2, 3, 4, 7])
  })
})

describe('the status of the transaction of family B', () => {
  it('follows the receipt', async () => {
    const { printer } = driven()
    expect(await printer.transactionStatus()).toMatchObject({ isOpen: false, kind: 'None' })
    await printer.openFiscal(OPENING)
    await printer.sellArticle(article(1, { quantity: 2000 }))
    expect(await printer.transactionStatus()).toEqual({
      isOpen: true,
      kind: 'Fiscal',
      receiptNumber: '1',
      itemsCount: 1,
      total: 240,
      paid: 0,
      remaining: 240,
      raw: '1,1,0000000240,0000000000,0000000000',
    })
    await printer.pay({ mode: 2, amount: 100 })
    expect(await printer.transactionStatus()).toMatchObject({ total: 240, paid: 100, remaining: 140 })
    await printer.pay({ mode: 0, amount: 200 })
    expect(await printer.transactionStatus()).toMatchObject({ paid: 240, remaining: 0 })
    await printer.closeFiscal()
    await printer.openNonFiscal()
    expect(await printer.transactionStatus()).toMatchObject({ isOpen: true, kind: 'NonFiscal', receiptNumber: '2' })
  })
})

describe('an archived Z report of family B', () => {
  it('has the sums of 114 and, from the journal, the sums that 114 lacks', async () => {
    const { printer } = driven()
    await sell(printer)
    await printer.openFiscal(OPENING)
    await printer.sellArticle(article(7, { adjustment: { kind: 'discount', percent: 1000 } }))
    await printer.sellArticle(article(1))
    await printer.sellArticle(article(1, { void: true }))
    await printer.pay({ mode: 2 })
    await printer.closeFiscal()
    await printer.reportZ()
    const z = await printer.archivedZ(1)
    expect(z).toMatchObject({
      number: 1,
      total: 465,
      firstReceipt: 1,
      lastReceipt: 2,
      receiptsCount: 2,
      payments: [
        { paymentMode: 0, amount: 240 },
        { paymentMode: 1, amount: 0 },
        { paymentMode: 2, amount: 225 },
        { paymentMode: 3, amount: 0 },
        { paymentMode: 4, amount: 0 },
      ],
      discounts: { count: 1, amount: 25 },
      surcharges: { count: 0, amount: 0 },
      voids: { count: 1, amount: 120 },
      cashIn: 0,
      cashOut: 0,
    })
    expect(z?.dateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    expect(z?.taxes[0]).toEqual({ taxCode: 1, letter: 'A', rate: 2000, turnover: 240, tax: 40 })
    expect(z?.taxes[3]).toEqual({ taxCode: 4, letter: 'D', rate: 900, turnover: 225, tax: 19 })
    expect(await printer.archivedZ(2)).toBeUndefined()
  })

  it('of the five-group device has no tax-free sum', async () => {
    const { printer } = driven({ profile: 'b5' })
    await sell(printer)
    await printer.reportZ()
    const z = await printer.archivedZ(1)
    expect(z).toMatchObject({ total: 240, receiptsCount: 1, discounts: { count: 0, amount: 0 } })
    expect(z?.taxes.map(({ turnover }) => turnover)).toEqual([240, 0, 0, 0, 0])
  })

  it('has null for values that are not in the text of the Z report', () => {
    expect(readZText(['FISCAL DAY CLOSED', '14.07.2025 21:03'], [{ mode: 0, name: 'CASH' }])).toEqual({
      dateTime: '2025-07-14T21:03:00',
      firstReceipt: null,
      lastReceipt: null,
      receiptsCount: null,
      payments: null,
      discounts: null,
      surcharges: null,
      voids: null,
      cashIn: null,
      cashOut: null,
    })
  })
})

describe('refusals of the driver and the device of family B', () => {
  it.each([
    ['a free sale', 'unsupported', (p: ReturnType<typeof driven>['printer']) => p.sell({ name: 'Milk', taxCode: 1, price: 1, quantity: 1000, department: 0, unit: '', void: false })],
    ['a QR code', 'unsupported', (p: ReturnType<typeof driven>['printer']) => p.printBarcode({ type: 4, data: 'abc' })],
    ['a wrong check digit', 'badValue', (p: ReturnType<typeof driven>['printer']) => p.printBarcode({ type: 1, data: '96385075' })],
    ['an unknown payment mode', 'badValue', (p: ReturnType<typeof driven>['printer']) => p.pay({ mode: 5, amount: 1 })],
    ['a password that is not a number', 'badValue', (p: ReturnType<typeof driven>['printer']) => p.openFiscal({ ...OPENING, operator: { code: 1, password: 'abc' } })],
  ])('come from the driver before the device gets the command: %s', async (_, kind, call) => {
    const { printer, commands } = driven()
    await printer.connect()
    commands.length = 0
    expect(await problemOf(call(printer))).toMatchObject({ kind })
    expect(commands).toEqual([])
  }) // biome-ignore format: a table

  it.each([
    ['a wrong password', '66', 'wrongPassword'],
    ['an operator that the device lacks', '21', 'outOfRange'],
  ])('come from the device unchanged: %s', async (what, code, key) => {
    const { printer } = driven()
    const operator = what.includes('password') ? { code: 1, password: '99' } : { code: 25, password: '25' }
    expect(await problemOf(printer.openFiscal({ ...OPENING, operator }))).toMatchObject({ kind: 'refused', code, key })
  })

  it('for text, cancel and copy in the wrong state change nothing', async () => {
    const { printer, emulator } = driven()
    expect(await problemOf(printer.copyLastReceipt())).toMatchObject({ kind: 'refused', code: '50' })
    await printer.openNonFiscal()
    expect(await problemOf(printer.printFiscalText({ text: 'x' }))).toMatchObject({ kind: 'refused', code: '20' })
    await printer.closeNonFiscal()
    await printer.openFiscal(OPENING)
    await printer.sellArticle(article(1))
    const before = emulator.device.receipt
    expect(await problemOf(printer.cancelNonFiscal())).toMatchObject({ kind: 'refused', code: '20' })
    expect(await problemOf(printer.openFiscal(OPENING))).toMatchObject({ kind: 'refused', code: '19' })
    expect(emulator.device.receipt).toEqual(before)
    await printer.pay({ mode: 0, amount: 20 })
    expect(await problemOf(printer.cancelFiscal())).toMatchObject({ kind: 'refused', code: '20' })
    expect(await problemOf(printer.pay({ mode: 2, amount: 500 }))).toMatchObject({ kind: 'refused', code: '21' })
  })

  it('are reported as "cannot print" without paper and with an open cover', async () => {
    const { printer, emulator } = driven()
    emulator.setPaper('out')
    expect(await problemOf(printer.openNonFiscal())).toEqual({ kind: 'cannotPrint', condition: 'noPaper' })
    expect(await printer.lastDocument()).toBe(0)
    emulator.setPaper('ok')
    emulator.setCover(true)
    const problem = await problemOf(printer.openNonFiscal())
    expect(problem).toEqual({ kind: 'cannotPrint', condition: 'coverOrMechanism' })
    expect(describeProblem(problem as DeviceProblem)).toMatch(
      /^The printer cover is open or the mechanism has failed\. Close the cover/,
    )
  })

  it('explain that an amount on the subtotal needs newer firmware', async () => {
    const { printer } = driven({ profile: 'b5' })
    await printer.openFiscal(OPENING)
    await printer.sellArticle(article(1))
    const adjustment = { kind: 'discount', amount: 10 } as const
    expect(await problemOf(printer.subtotal({ print: true, display: false, adjustment }))).toMatchObject({
      kind: 'unsupported',
    })
  })
})
