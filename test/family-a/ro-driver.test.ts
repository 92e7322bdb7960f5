import { describe, expect, it } from 'vitest'
import { hostShape } from '../../drivers/family-a/protocol/frame.ts'
import type { PrinterConfig } from '../../drivers/index.ts'
import type { FreeSale, TaxCode } from '../../drivers/model/receipt.ts'
import { problemOf } from '../support/problems.ts'
import { startPrinter } from '../support/rig.ts'
import { scripted } from './scripted.ts'

const operator = { code: 1, password: '0001' }
const opening = { operator, pointOfSale: 1, invoice: false }
const item: FreeSale = { name: 'Item', taxCode: 1, price: 500, quantity: 1000, department: 0, unit: '', void: false }

function driven(config: Partial<PrinterConfig> = {}) {
  const device = startPrinter({ family: 'A', profile: 'ro' })
  const commands: { readonly code: number; readonly data: string }[] = []
  const printer = device.driver(config, {
    trace: ({ direction, bytes }) => {
      const frame = direction === 'toDevice' ? hostShape.parse(bytes) : undefined
      if (frame) commands.push({ code: frame.code, data: frame.data })
    },
  })
  return { ...device, printer, sent: () => commands.splice(0) }
}

describe('the driver of edition ro', () => {
  const firmware = (text: string) => `0\tPRINTER X\t${text}\t01JAN25\t1000\tFFFF\t00000000\tDB4100000007\t4100000007\t`
  const NARROW = '0\t1\t7\t3\t10.00\t2.50\t'
  const WIDE = '0\t1\t7\t2\t1\t3\t10.00\t2.50\t'
  const rates = (isRo: boolean) => `0\t1\t${'5.00\t'.repeat(isRo ? 7 : 8)}01-08-25${isRo ? ' 00:00:00' : ''}\t`
  const device = (version: string, transaction: string, profile?: string) =>
    scripted(
      (code) => {
        if (code === 74) return '0\t\x80\x80\x80\x80\x86\x9a\x80\x80\t'
        if (code === 90) return firmware(version)
        if (code === 76) return transaction
        if (code === 50) return rates(transaction === WIDE)
        if (code === 103)
          return transaction === WIDE ? `0\t${'0.00\t'.repeat(7)}0\t` : `0\t${'0.00\t'.repeat(8)}0\t0000000001\t0\t`
        return '-112001\t'
      },
      undefined,
      profile === undefined ? {} : { profile },
    )

  it.each([
    ['1.00RO', WIDE, undefined],
    ['1.00BG', NARROW, undefined],
    ['3.00', WIDE, undefined],
    ['3.00', NARROW, undefined],
    ['1.00BG', WIDE, 'ro'],
    ['1.00RO', NARROW, 'bg'],
  ])(
    'reads items, amount and paid at their positions: firmware %s, answer %j, setting `profile` %s',
    async (version, transaction, profile) => {
      const status = await device(version, transaction, profile).transactionStatus()
      expect(status).toMatchObject({ isOpen: true, receiptNumber: '7', itemsCount: 3, total: 1000, paid: 250 })
    },
  )

  it.each([
    ['1.00RO', NARROW, undefined, /firmware 1\.00RO says ro.*set `profile: bg`/],
    ['1.00BG', WIDE, undefined, /firmware 1\.00BG says bg.*set `profile: ro`/],
    ['3.00', WIDE, 'bg', /setting `profile` is bg.*set `profile: ro`/],
    ['3.00', NARROW, 'ro', /setting `profile` is ro.*set `profile: bg`/],
  ])(
    'refuses a device with firmware %s, answer %j, setting `profile` %s',
    async (version, transaction, profile, why) => {
      const problem = await problemOf(device(version, transaction, profile).connect())
      expect(problem).toMatchObject({ kind: 'unsupported', why: expect.stringMatching(why) })
    },
  )

  it('takes an answer of neither form for that of another family', async () => {
    expect(await problemOf(device('3.00', '0\t1\t7\t').connect())).toMatchObject({ kind: 'notThisFamily' })
  })

  it('assumes 42 columns and two decimals if the device refuses every parameter', async () => {
    const printer = device('1.00RO', WIDE)
    expect(await printer.connect()).toMatchObject({ serialNumber: 'DB4100000007', fiscalMemoryNumber: '4100000007' })
    expect(printer.capabilities).toMatchObject({ lineWidth: 42, limits: { taxGroups: 7 } })
  })
})

describe('a receipt of edition ro', () => {
  it('has the document number as its number, and the text of each result contains all three numbers', async () => {
    const { printer, sent } = driven()
    await printer.connect()
    expect(await printer.openFiscal(opening)).toMatchObject({ text: '1\t1\t1', document: 1 })
    expect(await printer.sell(item)).toMatchObject({ text: '1\t1\t1' })
    expect(await printer.sellArticle({ plu: 1, quantity: 1000, void: false })).toMatchObject({ text: '1\t1\t1' })
    await printer.subtotal({ print: true, display: false })
    sent()
    await printer.pay({ mode: 0 })
    expect(sent()).toEqual([{ code: 53, data: '0\t\t\t' }])
    expect(await printer.closeFiscal()).toMatchObject({ receiptNumber: '1', raw: '1\t1\t1' })
    expect((await printer.transactionStatus()).raw).toBe('0\t1\t1\t1\t2\t6.20\t6.20')
  })

  it('carries the tax number of the client in 48, and sends neither 57 nor 66', async () => {
    const { printer, sent, emulator } = driven()
    const customer = { taxNumber: 'RO12345674', name: 'Name', address: 'Street' }
    await printer.openFiscal({ ...opening, invoice: true, customer })
    await printer.sell(item)
    await printer.pay({ mode: 0 })
    await printer.closeFiscal()
    const all = sent()
    expect(all.filter(({ code }) => code === 57 || code === 66)).toEqual([])
    expect(all).toContainEqual({ code: 48, data: '1\t0001\t1\tI\tRO12345674\t' })
    expect(emulator.device.documents()[0]).toMatchObject({ kind: 'invoice' })
  })

  it('is refused with tax group 8 before any byte is sent', async () => {
    const { printer, sent } = driven()
    await printer.openFiscal(opening)
    sent()
    const problem = await problemOf(printer.sell({ ...item, taxCode: 8 as TaxCode }))
    expect(problem).toMatchObject({ kind: 'badValue' })
    expect(sent()).toEqual([])
  })

  it('may be paid by mode 6 like by other modes, and currency is not offered', async () => {
    const { printer, sent } = driven()
    await printer.openFiscal(opening)
    await printer.sell(item)
    sent()
    await printer.pay({ mode: 6, amount: 500 })
    expect(sent()).toEqual([{ code: 53, data: '6\t5.00\t\t' }])
    expect(printer.capabilities.paymentModes.map(({ mode }) => mode)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(driven().printer.capabilities.paymentModes).toHaveLength(9)
    expect(driven({ options: { profile: 'bg' } }).printer.capabilities.paymentModes).toHaveLength(7)
    expect([1, 12].map((code) => printer.capabilities.defaultPassword(code))).toEqual(['0001', '0012'])
  })
})

describe('an earlier document of edition ro', () => {
  it('is read back if it is a Z report: groups, payments and the answer of Z', async () => {
    const { printer } = driven()
    await printer.openFiscal({ ...opening, invoice: true })
    await printer.sell({ ...item, price: 12100 })
    await printer.pay({ mode: 8 })
    await printer.closeFiscal()
    const { text } = await printer.reportZ()
    expect(text).toBe('1\t121.00\t0.00\t0.00\t0.00\t0.00\t0.00\t0.00\t121.00\t21.00')
    expect(await printer.lastReportZ?.()).toBe(text)
    const z = await printer.archivedZ(1)
    expect(z?.taxes.map(({ letter, rate }) => [letter, rate])).toEqual([
      ['A', 2100],
      ['B', 1100],
      ['C', 0],
      ['D', null],
      ['E', null],
      ['F', 0],
      ['G', 0],
    ])
    expect(z).toMatchObject({ number: 1, total: 12100, firstReceipt: 1, lastReceipt: 1 })
    expect(z?.payments?.find(({ paymentMode }) => paymentMode === 8)).toEqual({ paymentMode: 8, amount: 12100 })
    expect(await printer.archivedZ(2)).toBeUndefined()
    expect([...((await printer.taxRates?.()) ?? [])]).toEqual([
      [1, 2100],
      [2, 1100],
      [3, 0],
      [6, 0],
      [7, 0],
    ])
  })

  it('is read back if it is another document: kind and total, from the text of the journal', async () => {
    const { printer } = driven()
    await printer.openFiscal(opening)
    await printer.sell(item)
    await printer.printFiscalText({ text: 'TOTAL LEI 99.00' })
    await printer.pay({ mode: 0 })
    await printer.closeFiscal()
    await printer.openFiscal(opening)
    await printer.cancelFiscal()
    await printer.reportX()
    expect(await printer.documentOf?.(1)).toEqual({ kind: 'fiscal', total: 500 })
    expect(await printer.documentOf?.(2)).toEqual({ kind: 'cancelled', total: null })
    expect(await printer.documentOf?.(3)).toEqual({ kind: 'x', total: null })
    expect(await printer.evidence({ thorough: true })).toMatchObject({
      lastDocument: 3,
      lastReceipt: 1,
      lastZ: 0,
      day: { turnover: 500, receipts: 1 },
    })
  })
})
