/**
 * Values that a family's protocol cannot carry are refused before a receipt is opened, with the field as the client
 * named it.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Family } from '../../drivers/model/families.ts'
import { type PrintingService, startService } from '../support/rig.ts'

const plu = (more: object = {}) => ({ Type: 1, PluSale: { PluNumber: 1, ...more } })
const free = (more: object = {}) => ({
  Type: 0,
  FreeSale: { ProductName: 'Bread', TaxCode: 2, Price: 1.15, Department: 0, Unit: 'pcs', ...more },
})
const percent = (DiscountType: 1 | 2, DiscountValue: number) => ({ DiscountType, DiscountValue })
const cents = (count: number) => Array.from({ length: count }, () => ({ PaymentMode: 0, Amount: 0.01 }))

interface Refusal {
  readonly families: string
  readonly what: string
  readonly receipt: object
  readonly path: string
  readonly message: string
}

const REFUSED: readonly Refusal[] = [
  {
    families: 'B',
    what: 'a surcharge of 100 % on a row',
    receipt: { ReceiptItems: [plu(percent(1, 100))] },
    path: 'ReceiptItems[0].PluSale.DiscountValue',
    message:
      'ReceiptItems[0].PluSale.DiscountValue must be a percentage from 0.01 to 99.99 for a surcharge on this device; it is 100.00.',
  },
  {
    families: 'A',
    what: 'a discount of 100 % on the subtotal',
    receipt: { ReceiptItems: [plu()], Subtotal: percent(2, 100) },
    path: 'Subtotal.DiscountValue',
    message:
      'Subtotal.DiscountValue must be a percentage from 0.01 to 99.99 for a discount on this device; it is 100.00.',
  },
  {
    families: 'AC',
    what: '101 payments',
    receipt: { ReceiptItems: [plu()], Payments: cents(101) },
    path: 'Payments',
    message: 'Payments must be at most 100 on this device; it has 101.',
  },
  {
    families: 'B',
    what: '21 payments',
    receipt: { ReceiptItems: [plu()], Payments: cents(21) },
    path: 'Payments',
    message: 'Payments must be at most 20 on this device; it has 21.',
  },
  {
    families: 'B',
    what: 'a quantity of nine digits',
    receipt: { ReceiptItems: [plu({ Quantity: 999999.999 })] },
    path: 'ReceiptItems[0].PluSale.Quantity',
    message: 'ReceiptItems[0].PluSale.Quantity must have at most 8 digits on this device; 999999.999 has 9.',
  },
  {
    families: 'B',
    what: 'a payment of nine digits',
    receipt: { ReceiptItems: [plu()], Payments: [{ PaymentMode: 0, Amount: 9999999.99 }] },
    path: 'Payments[0].Amount',
    message: 'Payments[0].Amount must have at most 8 digits on this device; 9999999.99 has 9.',
  },
  {
    families: 'C',
    what: 'an amount on a subtotal of two tax groups',
    receipt: { ReceiptItems: [free(), free({ TaxCode: 1 })], Subtotal: { DiscountType: 4, DiscountValue: 1 } },
    path: 'Subtotal.DiscountType',
    message:
      'Subtotal.DiscountType must be 1 or 2: this device accepts an amount only if all items are of one tax group.',
  },
  {
    families: 'A',
    what: 'bars of 6 mm',
    receipt: { ReceiptItems: [plu(), { Type: 3, BarCode: { Type: 1, Data: '1234567', Height: 6 } }] },
    path: 'ReceiptItems[1].BarCode.Height',
    message:
      'ReceiptItems[1].BarCode.Height must be 7 to 70 millimetres for this barcode on this device, or 0 for the default; it is 6.',
  },
  {
    families: 'B',
    what: 'bars of 201 mm and of 10 dots',
    receipt: { ReceiptItems: [plu(), { Type: 3, BarCode: { Type: 1, Data: '1234567', Height: 201, Scale: 10 } }] },
    path: 'ReceiptItems[1].BarCode.Height',
    message:
      'ReceiptItems[1].BarCode.Height must be 0 to 200 millimetres for this barcode on this device, or 0 for the default; it is 201.',
  },
]

describe.each(['A', 'B', 'C'] as const)('the limits of family %s', (family: Family) => {
  let subject: PrintingService
  beforeAll(async () => {
    subject = await startService({ family })
  })
  beforeEach(() => subject.emulator.reset())
  afterAll(() => subject.close())

  const documents = () => subject.emulator.device.documents().map(({ kind }) => kind)
  const ours = REFUSED.filter(({ families }) => families.includes(family))

  it.each(ours.map((one) => [one.what, one] as const))(
    '%s is refused, and nothing is opened',
    async (_what, { receipt, path, message }) => {
      const answer = await subject.post('/print-fiscal-receipt', receipt)
      expect(answer).toMatchObject({ StatusCode: 400, Message: message })
      expect(answer).toHaveProperty('Errors[0].Path', path)
      expect(documents()).toEqual([])
    },
  )

  const open = () =>
    subject.post('/open-fiscal-receipt', {
      OperatorCode: 1,
      OperatorPassword: subject.printer.capabilities.defaultPassword(1),
      PointOfSaleNumber: 1,
      Invoice: false,
    })
  const total = async () => (await subject.post('/status-of-the-fiscal-transaction')).Data.Total

  it('allow a surcharge of 100 % on a row if the wire protocol can express it, as a percentage or as the amount', async (context) => {
    if (family === 'B') context.skip('99.99 % at most')
    await open()
    const { FreeSale } = free({ Quantity: 3, ...percent(1, 100) })
    expect(await subject.post('/register-free-sale', FreeSale)).toMatchObject({ StatusCode: 200 })
    expect(await total()).toBe(6.9)
    const takenBack = await subject.post('/register-free-sale', { ...FreeSale, Void: true })
    expect(takenBack).toMatchObject({ StatusCode: 200 })
    expect(await total()).toBe(0)
  })

  it('are reported with the name of the field, also for a single step', async (context) => {
    if (family !== 'B') context.skip('another family takes these')
    await open()
    const long = await subject.post('/payment', { PaymentMode: 0, Amount: 1234567.89 })
    expect(long.Message).toBe('Amount must have at most 8 digits on this device; 1234567.89 has 9.')
    const heavy = await subject.post('/register-plu-sale', { PluNumber: 1, Quantity: 123456.789 })
    expect(heavy.Message).toBe('Quantity must have at most 8 digits on this device; 123456.789 has 9.')
    expect(await subject.post('/register-plu-sale', { PluNumber: 1, Quantity: 100000.5 })).toMatchObject({
      StatusCode: 200,
    })
  })

  it('allow a Height of 0 for the default, and any Height on a QR code, which has no height', async (context) => {
    const { barcodes } = subject.printer.capabilities
    if (barcodes.length === 0) context.skip('no barcodes')
    await open()
    const bars = { Type: 1, Data: '1234567', Height: 0, Scale: 0 }
    expect(await subject.post('/print-bar-code', bars)).toMatchObject({ StatusCode: 200 })
    if (!barcodes.some(({ type }) => type === 4)) return
    expect(await subject.post('/print-bar-code', { Type: 4, Data: 'abc', Height: 255 })).toMatchObject({
      StatusCode: 200,
    })
  })
})

it('the older firmware of family B refuses a subtotal discount by amount, and a discount of 100 %', async () => {
  const subject = await startService({ family: 'B', profile: 'b5' })
  try {
    const amount = { ReceiptItems: [plu()], Subtotal: { DiscountType: 4, DiscountValue: 1 } }
    expect((await subject.post('/print-fiscal-receipt', amount)).Message).toMatch(
      /^Subtotal\.DiscountType must be 1 or 2: this device adjusts a subtotal by percent only/,
    )
    const whole = { ReceiptItems: [plu(percent(2, 100))] }
    expect((await subject.post('/print-fiscal-receipt', whole)).Message).toContain('from 0.01 to 99.99 for a discount')
    expect(subject.emulator.device.documents()).toEqual([])
  } finally {
    await subject.close()
  }
})
