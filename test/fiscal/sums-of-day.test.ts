import { describe, expect, it } from 'vitest'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import { bread, INVOICE, issue, ok, PROFILE, plainDevice, profileWith, REVERSAL, SALE_RECEIPT } from './plain-device.ts'

const CURRENCY = 3
const payments = [...PROFILE.payments, { mode: CURRENCY, name: 'CURRENCY' }]
const none = { count: 0, amount: 0 }
const unused = (taxCode: TaxCode, rate: number) => ({ taxCode, rate, turnover: 0, tax: 0, reversal: 0, reversalTax: 0 })

describe('a day computed by hand', () => {
  /**
   * A device with 3.49 in cash (5.00 tendered), an invoice of 6.00 by card, a reversal of 2.29 in cash, 10.00 in, 3.00
   * out.
   */
  const worked = () => {
    const { device } = plainDevice({ profile: profileWith({}, { taxGroups: 4 }) })
    issue(
      device,
      SALE_RECEIPT,
      [bread({ quantity: 2000 }), bread({ taxCode: 4, price: 109 })],
      [{ mode: 0, amount: 500 }],
    )
    issue(device, INVOICE, [bread({ price: 600 })], [{ mode: 1 }])
    issue(device, REVERSAL, [bread(), bread({ taxCode: 4, price: 109 })])
    ok(device.cashInOut({ direction: 'in', amount: 1000 }))
    ok(device.cashInOut({ direction: 'out', amount: 300 }))
    return device
  }

  it('equals its Z report, in each group that the device has', () => {
    // A: 2.40 and 6.00 contain 8.40 x 20 / 120 = 1.40, and the reversed 1.20 contains 0.20. D: 1.09 x 9 / 109 = 0.09,
    // sold and reversed. Drawer: 3.49 - 2.29 + 10.00 - 3.00 = 8.20.
    expect(ok(worked().reportZ())).toStrictEqual({
      number: 1,
      document: 6,
      at: '2025-07-14T10:00:00',
      firstReceipt: 1,
      lastReceipt: 3,
      receiptsCount: 3,
      reversalReceiptsCount: 1,
      total: 949,
      taxes: [
        { taxCode: 1, rate: 2000, turnover: 840, tax: 140, reversal: 120, reversalTax: 20 },
        unused(2, 2000),
        unused(3, 2000),
        { taxCode: 4, rate: 900, turnover: 109, tax: 9, reversal: 109, reversalTax: 9 },
      ],
      payments: { 0: 349, 1: 600 },
      discounts: none,
      surcharges: none,
      voids: none,
      cancelled: none,
      cashIn: 1000,
      cashOut: 300,
      drawerCash: 820,
      journalDocuments: { first: 1, last: 5 },
    })
  })

  it('equals the sums that were queried before the Z report', () => {
    const { day } = worked()
    expect(day).toMatchObject({
      taxes: [840, 0, 0, 109, 0, 0, 0, 0],
      reversals: [120, 0, 0, 109, 0, 0, 0, 0],
      invoiceTaxes: [600, 0, 0, 0, 0, 0, 0, 0],
      reversalPayments: { 0: 229 },
      receipts: 3,
      reversalReceipts: 1,
      invoices: 1,
      foreign: null,
    })
    expect([day.tendered, day.change]).toEqual([{ 0: 500, 1: 600 }, { 0: 151 }])
  })

  it('leaves nothing to the next day, which has no documents yet', () => {
    const device = worked()
    ok(device.reportZ())
    expect(device.day.change).toEqual({})
    expect(ok(device.reportZ())).toMatchObject({
      number: 2,
      document: 7,
      total: 0,
      firstReceipt: null,
      lastReceipt: null,
      journalDocuments: { first: null, last: null },
    })
  })

  it('contains no change if none is due', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [bread()])
    expect(device.day.change).toEqual({})
    expect(device.registers.operatorTotals(1).change).toEqual({})
  })

  it('counts every reversal', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [bread({ quantity: 2000 })])
    issue(device, REVERSAL, [bread()])
    issue(device, REVERSAL, [bread()])
    expect(device.day).toMatchObject({ receipts: 3, reversalReceipts: 2, drawerCash: 0 })
  })
})

describe('the simplified invoices of a day (A 9.1)', () => {
  it('are in the Z report with their sum and its tax', () => {
    const { device } = plainDevice({ rules: { simplifiedInvoices: true } })
    issue(device, SALE_RECEIPT, [bread()])
    issue(device, INVOICE, [bread({ price: 600 })])
    issue(device, INVOICE, [bread({ taxCode: 4, price: 109 })])
    // 6.00 x 20 / 120 = 1.00 and 1.09 x 9 / 109 = 0.09.
    expect(ok(device.reportZ()).invoiced).toEqual({ turnover: 709, tax: 109 })
    expect(ok(device.reportZ()).invoiced).toEqual({ turnover: 0, tax: 0 })
  })
})

describe('a cancelled receipt', () => {
  it.each([
    { what: 'a sale', opening: SALE_RECEIPT, counted: false },
    { what: 'a sale', opening: SALE_RECEIPT, counted: true },
    { what: 'an invoice', opening: INVOICE, counted: true },
  ])('($what, counted as issued: $counted) is not counted as an invoice of the day', ({ opening, counted }) => {
    const { device } = plainDevice({ rules: { cancelledCounts: counted } })
    ok(device.openFiscal(opening))
    ok(device.sell(bread()))
    expect(ok(device.cancelFiscal())).toEqual({ document: 1, total: 120, change: 0 })
    const issued = counted ? 1 : 0
    expect(device.day).toMatchObject({ receipts: issued, invoices: 0, total: 0, cancelled: { count: 1, amount: 120 } })
    expect(device.counters).toMatchObject({ fiscalReceipts: issued, lastReceipt: issued })
    expect(device.journal.last).toMatchObject({ kind: 'cancelled', document: 1 })
  })
})

describe('the operators of a day', () => {
  it('have the sums of their sales, without voided rows', () => {
    const { device } = plainDevice()
    const off = { kind: 'discount', percent: 1000 } as const
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.sell(bread({ price: 500, adjustment: off })))
    ok(device.sell(bread({ void: true })))
    // 4.50, reduced by a discount of 0.50 on the subtotal.
    ok(device.subtotal({ print: true, display: false, adjustment: { kind: 'discount', amount: 50 } }))
    ok(device.pay({ mode: 0, amount: 500 }))
    ok(device.closeFiscal())
    expect(device.registers.operatorTotals(1)).toStrictEqual({
      receipts: 1,
      total: 400,
      sales: { count: 2, amount: 570 },
      payments: { 0: 400 },
      tendered: { 0: 500 },
      change: { 0: 100 },
      discounts: { count: 2, amount: 100 },
      rowDiscounts: { count: 1, amount: 50 },
      surcharges: none,
      voids: { count: 1, amount: 120 },
      cashIn: none,
      cashOut: none,
    })
    expect(device.day.rowDiscounts).toEqual({ count: 1, amount: 50 })
  })

  it('have discounts of rows only if there were some, and reversals next to their sales', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [bread({ quantity: 2000 })])
    issue(device, REVERSAL, [bread()])
    issue(device, REVERSAL, [bread()])
    const totals = device.registers.operatorTotals(1)
    expect(totals).toMatchObject({ receipts: 3, reversals: 2, total: 240, sales: { count: 1, amount: 240 } })
    expect(totals).not.toHaveProperty('rowDiscounts')
  })

  it('have cash in and cash out under their own code', () => {
    const { device } = plainDevice()
    ok(device.cashInOut({ direction: 'in', amount: 500, operator: 2 }))
    ok(device.cashInOut({ direction: 'out', amount: 200, operator: 2 }))
    ok(device.cashInOut({ direction: 'in', amount: 70, operator: 3 }))
    expect(device.registers.operatorTotals(2)).toMatchObject({
      receipts: 0,
      cashIn: { count: 1, amount: 500 },
      cashOut: { count: 1, amount: 200 },
    })
    expect(device.registers.operatorTotals(3).cashIn).toEqual({ count: 1, amount: 70 })
  })
})

describe('the drawer of foreign currency', () => {
  const profile = profileWith({ nonCashChange: true }, { payments, foreignPayment: CURRENCY })

  it('contains the foreign money, and not the change that was given in cash', () => {
    const { device } = plainDevice({ profile })
    const due = [bread({ price: 790 })]
    ok(device.cashInOut({ direction: 'in', amount: 500 }))
    issue(device, SALE_RECEIPT, due, [{ mode: CURRENCY, amount: 1000 }])
    expect(device.day).toMatchObject({ drawerCash: 290, foreign: { drawerCash: 1000 }, payments: { 0: -210, 3: 1000 } })
    issue(device, SALE_RECEIPT, due, [{ mode: CURRENCY, amount: 500 }, { mode: 0 }])
    expect(device.day).toMatchObject({ drawerCash: 580, foreign: { drawerCash: 1500 } })
    issue(device, SALE_RECEIPT, due, [{ mode: CURRENCY, amount: 1000, changeMode: CURRENCY }])
    expect(device.day).toMatchObject({ drawerCash: 580, foreign: { drawerCash: 2290 } })
    issue(device, REVERSAL, [bread()], [{ mode: CURRENCY }])
    expect(device.day).toMatchObject({ drawerCash: 580, foreign: { drawerCash: 2170 } })
    issue(device, SALE_RECEIPT, due)
    expect(device.day).toMatchObject({ drawerCash: 1370, foreign: { drawerCash: 2170 } })
  })

  it('has its own cash movements, which are in the Z report', () => {
    const { device } = plainDevice({ profile })
    expect(ok(device.cashInOut({ direction: 'in', amount: 300, mode: CURRENCY, operator: 2 }))).toEqual({
      drawer: 300,
      cashIn: 300,
      cashOut: 0,
    })
    expect(ok(device.cashInOut({ direction: 'out', amount: 100, mode: CURRENCY }))).toEqual({
      drawer: 200,
      cashIn: 300,
      cashOut: 100,
    })
    expect(device.day).toMatchObject({ drawerCash: 0, cashIn: none, cashOut: none })
    expect(device.registers.operatorTotals(2).cashIn).toEqual(none)
    expect(ok(device.reportZ()).foreign).toEqual({ mode: CURRENCY, cashIn: 300, cashOut: 100, drawerCash: 200 })
    expect(ok(device.reportZ())).not.toHaveProperty('foreign')
  })

  it('is not reported while only cash and cards were paid', () => {
    const { device } = plainDevice({ profile })
    issue(device, SALE_RECEIPT, [bread({ price: 790 })], [{ mode: 1, amount: 90 }, { mode: 0 }])
    expect(device.day.foreign).toBeNull()
    expect(ok(device.reportX())).not.toHaveProperty('foreign')
  })

  it('is not reported on a device without foreign currency', () => {
    const { device } = plainDevice()
    issue(device, SALE_RECEIPT, [bread()])
    expect(device.day.foreign).toBeNull()
  })
})
