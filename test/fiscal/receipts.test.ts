import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { Outcome } from '../../emulator/fiscal/types/outcome.ts'
import type { BookRules } from '../../emulator/fiscal/types/profile.ts'
import { books, bread, ok, plainDevice, SALE_RECEIPT, sellReceipt } from './plain-device.ts'

type Act = (device: FiscalDevice) => Outcome<unknown>
const prepare: Record<string, (device: FiscalDevice) => void> = {
  idle: () => {},
  nonFiscal: (device) => void ok(device.openNonFiscal()),
  selling: (device) => {
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ price: 500 })))
  },
  paying: (device) => {
    prepare['selling']?.(device)
    ok(device.pay({ mode: 1, amount: 200 }))
  },
  paid: (device) => {
    prepare['selling']?.(device)
    ok(device.pay({ mode: 0 }))
  },
}

const acts: Record<string, Act> = {
  openFiscal: (device) => device.openFiscal(SALE_RECEIPT),
  openNonFiscal: (device) => device.openNonFiscal(),
  closeNonFiscal: (device) => device.closeNonFiscal(),
  sell: (device) => device.sell(bread()),
  subtotal: (device) => device.subtotal({ print: false, display: false }),
  pay: (device) => device.pay({ mode: 0 }),
  closeFiscal: (device) => device.closeFiscal(),
  cancelFiscal: (device) => device.cancelFiscal(),
  reportZ: (device) => device.reportZ(),
  cashIn: (device) => device.cashInOut({ direction: 'in', amount: 100 }),
  text: (device) => device.printText({ text: 'hello' }),
}

const NO = 'noReceiptOpen'
const matrix: readonly (readonly [string, string, string, string, string, string])[] = [
  // Columns: action, idle, non-fiscal, selling, paying, paid.
  ['openFiscal', 'ok', 'nonFiscalReceiptOpen', 'receiptOpen', 'receiptOpen', 'receiptOpen'],
  ['openNonFiscal', 'ok', 'nonFiscalReceiptOpen', 'fiscalReceiptOpen', 'fiscalReceiptOpen', 'fiscalReceiptOpen'],
  ['closeNonFiscal', NO, 'ok', 'fiscalReceiptOpen', 'fiscalReceiptOpen', 'fiscalReceiptOpen'],
  ['sell', NO, 'nonFiscalReceiptOpen', 'ok', 'paymentStarted', 'paymentStarted'],
  ['subtotal', NO, 'nonFiscalReceiptOpen', 'ok', 'paymentStarted', 'paymentStarted'],
  ['pay', NO, 'nonFiscalReceiptOpen', 'ok', 'ok', 'alreadyPaid'],
  ['closeFiscal', NO, 'nonFiscalReceiptOpen', 'paymentNotStarted', 'notFullyPaid', 'ok'],
  ['cancelFiscal', NO, 'nonFiscalReceiptOpen', 'ok', 'paymentStarted', 'paymentStarted'],
  ['reportZ', 'ok', 'nonFiscalReceiptOpen', 'fiscalReceiptOpen', 'fiscalReceiptOpen', 'fiscalReceiptOpen'],
  ['cashIn', 'ok', 'nonFiscalReceiptOpen', 'fiscalReceiptOpen', 'fiscalReceiptOpen', 'fiscalReceiptOpen'],
  ['text', NO, 'ok', 'ok', 'ok', 'ok'],
]
const cells = matrix.flatMap(([act, ...answers]) =>
  Object.keys(prepare).map((state, index) => ({ act, state, answer: answers[index] })),
)

describe('the state machine of receipts', () => {
  it.each(cells)('answers $answer to $act in the state $state', ({ act, state, answer }) => {
    const { device } = plainDevice()
    prepare[state]?.(device)
    const booksBefore = books(device)
    const outcome = acts[act]?.(device)
    expect(outcome?.ok ? 'ok' : outcome?.refusal).toBe(answer)
    if (!outcome?.ok) expect(books(device)).toEqual(booksBefore)
  })
})

const selling: readonly { why: string; rules?: Partial<BookRules>; before?: Act[]; act: Act; answer: string }[] = [
  { why: 'a disabled tax group', act: (d) => d.sell(bread({ taxCode: 8 })), answer: 'taxGroupDisabled' },
  { why: 'a row of nothing', act: (d) => d.sell(bread({ price: 1, quantity: 499 })), answer: 'zeroRow' },
  {
    why: 'a row that its discount brings to nothing',
    act: (d) => d.sell(bread({ adjustment: { kind: 'discount', amount: 120 } })),
    answer: 'zeroRow',
  },
  {
    why: 'a discount above the row',
    act: (d) => d.sell(bread({ adjustment: { kind: 'discount', amount: 121 } })),
    answer: 'negativeRow',
  },
  { why: 'a row too large', act: (d) => d.sell(bread({ price: 999_999_999, quantity: 1001 })), answer: 'rowTooLarge' },
  {
    why: 'a total too large',
    before: [(d) => d.sell(bread({ price: 999_999_999 }))],
    act: (d) => d.sell(bread({ price: 1 })),
    answer: 'receiptTooLarge',
  },
  { why: 'a void of what was not sold', act: (d) => d.sell(bread({ void: true })), answer: 'nothingToVoid' },
  {
    why: 'a void of more than was sold',
    before: [(d) => d.sell(bread({ quantity: 2000 })), (d) => d.sell(bread({ void: true, quantity: 1500 }))],
    act: (d) => d.sell(bread({ void: true, quantity: 501 })),
    answer: 'nothingToVoid',
  },
  {
    why: 'a void that would leave the group below zero',
    before: [(d) => d.sell(bread({ adjustment: { kind: 'discount', percent: 1000 } }))],
    act: (d) => d.sell(bread({ void: true })),
    answer: 'negativeGroup',
  },
  {
    why: 'a void after an adjusted subtotal, where the family forbids it',
    rules: { voidAfterSubtotalAdjustment: false },
    before: [
      (d) => d.sell(bread()),
      (d) => d.subtotal({ print: true, display: false, adjustment: { kind: 'discount', percent: 100 } }),
    ],
    act: (d) => d.sell(bread({ void: true })),
    answer: 'voidAfterSubtotalAdjustment',
  },
  {
    why: 'a second adjusted subtotal, where the family forbids it',
    rules: { subtotalAdjustments: 'once' },
    before: [
      (d) => d.sell(bread()),
      (d) => d.subtotal({ print: true, display: false, adjustment: { kind: 'discount', percent: 100 } }),
    ],
    act: (d) => d.subtotal({ print: true, display: false, adjustment: { kind: 'discount', percent: 100 } }),
    answer: 'secondSubtotalAdjustment',
  },
  {
    why: 'an amount on a subtotal of two groups, where the family forbids it',
    rules: { subtotalAmountOneGroupOnly: true },
    before: [(d) => d.sell(bread()), (d) => d.sell(bread({ taxCode: 2 }))],
    act: (d) => d.subtotal({ print: true, display: false, adjustment: { kind: 'discount', amount: 100 } }),
    answer: 'mixedGroups',
  },
  {
    why: 'a discount above the total',
    before: [(d) => d.sell(bread())],
    act: (d) => d.subtotal({ print: true, display: false, adjustment: { kind: 'discount', amount: 121 } }),
    answer: 'adjustmentAboveTotal',
  },
  {
    why: 'an article that is not programmed',
    act: (d) => d.sellArticle({ plu: 99, quantity: 1000, void: false }),
    answer: 'articleUnknown',
  },
  {
    why: 'another price for an article of fixed price',
    act: (d) => d.sellArticle({ plu: 1, quantity: 1000, void: false, price: 121 }),
    answer: 'articlePriceFixed',
  },
  { why: 'a payment without a sale', act: (d) => d.pay({ mode: 0 }), answer: 'noSale' },
  {
    why: 'a payment of a total of zero',
    before: [(d) => d.sell(bread()), (d) => d.sell(bread({ void: true }))],
    act: (d) => d.pay({ mode: 0 }),
    answer: 'totalZero',
  },
  {
    why: 'an unknown payment mode',
    before: [(d) => d.sell(bread())],
    act: (d) => d.pay({ mode: 9 }),
    answer: 'paymentModeUnknown',
  },
  {
    why: 'a card payment above the rest',
    before: [(d) => d.sell(bread())],
    act: (d) => d.pay({ mode: 1, amount: 121 }),
    answer: 'paymentTooLarge',
  },
  {
    why: 'a payment of nothing',
    before: [(d) => d.sell(bread())],
    act: (d) => d.pay({ mode: 0, amount: 0 }),
    answer: 'paymentZero',
  },
]

describe('the books of a device', () => {
  it.each(selling)('refuse $why as $answer, and nothing has changed', ({ rules, before = [], act, answer }) => {
    const { device } = plainDevice(rules ? { rules } : {})
    ok(device.registers.setTaxRates([2000, 2000, 2000, 900, 0, 0, 0, null]))
    ok(device.openFiscal(SALE_RECEIPT))
    for (const step of before) ok(step(device))
    const booksBefore = books(device)
    expect(act(device)).toEqual({ ok: false, refusal: answer })
    expect(books(device)).toEqual(booksBefore)
  })

  it('refuse the sale after the last sale that a receipt can contain', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    for (let sale = 0; sale < device.profile.maxSales; sale++) ok(device.sell(bread()))
    expect(device.sell(bread())).toEqual({ ok: false, refusal: 'tooManySales' })
  })
})

describe('the payment of a receipt', () => {
  it('can mix modes, and gives change in cash from an empty drawer', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ price: 790 })))
    expect(ok(device.pay({ mode: 1, amount: 500 }))).toEqual({ rest: 290, change: 0 })
    expect(ok(device.pay({ mode: 0, amount: 1000 }))).toEqual({ rest: 0, change: 710 })
    expect(ok(device.closeFiscal())).toEqual({ document: 1, total: 790, change: 710 })
    expect(device.day.payments).toEqual({ 0: 290, 1: 500 })
    expect(device.day.drawerCash).toBe(290)
  })

  it('of a reversal is paid back only from cash in the drawer', () => {
    const { device } = plainDevice()
    sellReceipt(device, [bread()])
    const reversal = { ...SALE_RECEIPT, kind: 'reversal', reason: 'refund' } as const
    ok(device.openFiscal(reversal))
    ok(device.sell(bread({ quantity: 2000 })))
    expect(device.pay({ mode: 0 })).toEqual({ ok: false, refusal: 'notEnoughCash' })
    ok(device.cancelFiscal())
    ok(device.openFiscal(reversal))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    expect(device.day).toMatchObject({ total: 120, reversals: [120, 0, 0, 0, 0, 0, 0, 0], drawerCash: 0, receipts: 2 })
  })

  it('must cover the whole remaining amount if no further payment is possible', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ price: 790 })))
    for (let part = 0; part < 5; part++) ok(device.pay({ mode: 1, amount: 1 }))
    expect(device.pay({ mode: 1, amount: 1 })).toEqual({ ok: false, refusal: 'tooManyPayments' })
    expect(ok(device.pay({ mode: 0 }))).toEqual({ rest: 0, change: 0 })
    expect(ok(device.closeFiscal()).total).toBe(790)
  })

  it('can be reversed if the family supports it', () => {
    const { device } = plainDevice()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    ok(device.pay({ mode: 1, amount: 20 }))
    ok(device.voidPayments())
    ok(device.sell(bread()))
    expect(ok(device.pay({ mode: 1 }))).toEqual({ rest: 0, change: 0 })
    expect(ok(device.closeFiscal()).total).toBe(240)
    expect(device.day.payments).toEqual({ 1: 240 })
  })
})

describe('a void of a family that repeats the row', () => {
  it('reverses the row with its discount', () => {
    const { device } = plainDevice({ rules: { voidRepeatsRow: true } })
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sellArticle({ plu: 1, quantity: 1000, void: false, adjustment: { kind: 'discount', percent: 1000 } }))
    ok(device.sellArticle({ plu: 2, quantity: 1000, void: false }))
    expect(ok(device.sellArticle({ plu: 1, quantity: 1000, void: true }))).toMatchObject({ amount: -108, adjusted: 12 })
    expect(device.sellArticle({ plu: 1, quantity: 1000, void: true })).toEqual({ ok: false, refusal: 'nothingToVoid' })
  })
})

describe('a void of a free sale in such a family', () => {
  it('compares group, price and quantity, and not the name', () => {
    const { device } = plainDevice({ rules: { voidRepeatsRow: true } })
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread()))
    expect(device.sell(bread({ quantity: 500, void: true }))).toEqual({ ok: false, refusal: 'nothingToVoid' })
    expect(ok(device.sell(bread({ name: '', void: true }))).amount).toBe(-120)
  })
})

describe('the invoices of a device', () => {
  it('get the numbers of their range, and are refused when it is used up', () => {
    const { device } = plainDevice()
    device.registers.setInvoiceRange({ start: 5, end: 6 })
    const invoice = { ...SALE_RECEIPT, invoice: true, customer: { name: 'Buyer Ltd', fields: [] } }
    for (const number of [5, 6]) {
      expect(ok(device.openFiscal(invoice)).invoiceNumber).toBe(number)
      ok(device.sell(bread()))
      ok(device.pay({ mode: 0 }))
      ok(device.closeFiscal())
    }
    expect(device.openFiscal(invoice)).toEqual({ ok: false, refusal: 'invoiceRangeUsedUp' })
    expect(device.day.invoices).toBe(2)
  })

  it('need the customer once, before they are closed', () => {
    const { device } = plainDevice()
    ok(device.openFiscal({ ...SALE_RECEIPT, invoice: true }))
    ok(device.sell(bread()))
    expect(device.setCustomer({ fields: ['Buyer'] })).toEqual({ ok: false, refusal: 'paymentNotStarted' })
    ok(device.pay({ mode: 0 }))
    expect(device.closeFiscal()).toEqual({ ok: false, refusal: 'customerMissing' })
    ok(device.setCustomer({ fields: ['Buyer'] }))
    expect(device.setCustomer({ fields: ['Buyer'] })).toEqual({ ok: false, refusal: 'customerAlreadyGiven' })
    ok(device.closeFiscal())
  })
})
