/** Payments: refusals, and cases at their limits (sheets A 6.4, B 10.5, C 4.11). */
import { describe, expect, it } from 'vitest'
import type { FiscalDevice } from '../../emulator/fiscal/api.ts'
import type { Outcome } from '../../emulator/fiscal/types/outcome.ts'
import type { BookRules } from '../../emulator/fiscal/types/profile.ts'
import type { OpenFiscal, PaymentIntent, Sale } from '../../emulator/fiscal/types/receipt.ts'
import {
  answerOf,
  bread,
  inHand,
  issue,
  ok,
  PROFILE,
  plainDevice,
  profileWith,
  REVERSAL,
  SALE_RECEIPT,
} from './plain-device.ts'

const CURRENCY = 3
const payments = [...PROFILE.payments, { mode: CURRENCY, name: 'CURRENCY' }]
const deviceWith = (rules: Partial<BookRules> = {}) =>
  plainDevice({ profile: profileWith(rules, { payments, foreignPayment: CURRENCY }) }).device

interface Paid {
  readonly what: string
  readonly rules?: Partial<BookRules>
  readonly before?: (device: FiscalDevice) => unknown
  readonly opening?: OpenFiscal
  readonly sales?: readonly Sale[]
  readonly earlier?: readonly PaymentIntent[]
  readonly payment: PaymentIntent
  readonly answer: { readonly rest: number; readonly change: number } | string
}

const cashIn =
  (amount: number, mode = 0) =>
  (device: FiscalDevice): Outcome<unknown> =>
    device.cashInOut({ direction: 'in', amount, mode })
const LIMITED: Partial<BookRules> = { receiptMaximum: 10_000 }
const NOTHING_LEFT = [bread(), bread({ void: true })]
const DUE = [bread({ price: 790 })]
const CHANGE: Partial<BookRules> = { nonCashChange: true }
const PAID = { rest: 0, change: 0 }

/** Leaves 2.10 in mode 2: 5.00 received and 2.90 returned. */
const onHand210 = (device: FiscalDevice) => {
  issue(device, SALE_RECEIPT, [bread({ price: 500 })], [{ mode: 2 }])
  issue(device, REVERSAL, [bread({ price: 290 })], [{ mode: 2 }])
}

const paid: readonly Paid[] = [
  {
    what: 'a mode that is switched off',
    before: (device) => device.registers.setPayment(1, { enabled: false }),
    payment: { mode: 1 },
    answer: 'paymentModeDisabled',
  },
  {
    what: 'nothing of a bill of zero, if the family has them (B, C)',
    rules: { zeroTotal: true },
    sales: NOTHING_LEFT,
    payment: { mode: 0, amount: 0 },
    answer: PAID,
  },
  {
    what: 'the most that can be handed over',
    rules: LIMITED,
    payment: { mode: 0, amount: 10_000 },
    answer: { rest: 0, change: 9210 },
  },
  { what: 'a hundredth above it', rules: LIMITED, payment: { mode: 0, amount: 10_001 }, answer: 'paymentTooLarge' },
  {
    what: 'a cash advance, which is handed out in cash (A 9.1)',
    rules: { cashAdvance: 1 },
    before: cashIn(210),
    payment: { mode: 1, amount: 1000 },
    answer: { rest: 0, change: 210 },
  },
  {
    what: 'a cash advance that the drawer has not',
    rules: { cashAdvance: 1 },
    before: cashIn(209),
    payment: { mode: 1, amount: 1000 },
    answer: 'notEnoughCash',
  },
  {
    what: 'another mode above the rest, if a mode has cash advance',
    rules: { cashAdvance: 1 },
    before: cashIn(210),
    payment: { mode: 2, amount: 1000 },
    answer: 'paymentTooLarge',
  },
  {
    what: 'change in cash that part payments brought',
    rules: CHANGE,
    earlier: [{ mode: 0, amount: 300 }],
    payment: { mode: 1, amount: 790 },
    answer: { rest: 0, change: 300 },
  },
  {
    what: 'a hundredth more of it',
    rules: CHANGE,
    earlier: [{ mode: 0, amount: 300 }],
    payment: { mode: 1, amount: 791 },
    answer: 'notEnoughCash',
  },
  {
    what: 'change in the mode of the payment itself, of which none was in the drawer',
    rules: CHANGE,
    payment: { mode: 1, amount: 1000, changeMode: 1 },
    answer: { rest: 0, change: 210 },
  },
  {
    what: 'change in another mode that is on hand (C 4.11)',
    rules: CHANGE,
    before: onHand210,
    payment: { mode: 1, amount: 1000, changeMode: 2 },
    answer: { rest: 0, change: 210 },
  },
  {
    what: 'a hundredth more of that',
    rules: CHANGE,
    before: (device) => [onHand210(device), cashIn(5000)(device)],
    payment: { mode: 1, amount: 1001, changeMode: 2 },
    answer: 'notEnoughCash',
  },
  {
    what: 'change in another mode that was never paid in',
    rules: CHANGE,
    before: cashIn(5000),
    payment: { mode: 1, amount: 1000, changeMode: 2 },
    answer: 'notEnoughCash',
  },
  {
    what: 'change in a mode of which more was given back than paid in, beyond what is handed over now',
    rules: CHANGE,
    before: (device) => issue(device, REVERSAL, [bread()], [{ mode: 2 }]),
    earlier: [{ mode: 2, amount: 300 }],
    payment: { mode: 1, amount: 790, changeMode: 2 },
    answer: { rest: 0, change: 300 },
  },
  { what: 'currency, of which none is in its drawer', payment: { mode: CURRENCY }, answer: PAID },
  { what: 'a reversal by card, whatever the drawer holds', opening: REVERSAL, payment: { mode: 1 }, answer: PAID },
  {
    what: 'a reversal with more cash than its total',
    opening: REVERSAL,
    before: cashIn(5000),
    payment: { mode: 0, amount: 791 },
    answer: 'paymentTooLarge',
  },
  {
    what: 'the cash part of a reversal',
    opening: REVERSAL,
    before: cashIn(200),
    earlier: [{ mode: 1, amount: 590 }],
    payment: { mode: 0, amount: 200 },
    answer: PAID,
  },
  {
    what: 'a cash part above what is in the drawer',
    opening: REVERSAL,
    before: cashIn(199),
    earlier: [{ mode: 1, amount: 590 }],
    payment: { mode: 0, amount: 200 },
    answer: 'notEnoughCash',
  },
  {
    what: 'a reversal in currency that lies in its drawer',
    opening: REVERSAL,
    before: cashIn(790, CURRENCY),
    payment: { mode: CURRENCY },
    answer: PAID,
  },
  {
    what: 'a hundredth more than lies there, though there is cash',
    opening: REVERSAL,
    before: (device) => [cashIn(789, CURRENCY)(device), cashIn(5000)(device)],
    payment: { mode: CURRENCY },
    answer: 'notEnoughCash',
  },
  {
    what: 'currency in two parts, more than lies there',
    opening: REVERSAL,
    before: cashIn(789, CURRENCY),
    earlier: [{ mode: CURRENCY, amount: 400 }],
    payment: { mode: CURRENCY },
    answer: 'notEnoughCash',
  },
]

describe('a payment', () => {
  it.each(paid)(
    'has the result $answer: $what',
    ({ rules, before, opening = SALE_RECEIPT, sales = DUE, earlier = [], payment, answer }) => {
      const device = deviceWith(rules)
      before?.(device)
      ok(device.openFiscal(opening))
      for (const sale of sales) ok(device.sell(sale))
      for (const part of earlier) ok(device.pay(part))
      const outcome = device.pay(payment)
      expect(outcome.ok ? outcome.value : outcome.refusal).toEqual(answer)
    },
  )

  it('is stored with the mode of its change only if the request named a mode', () => {
    const device = deviceWith(CHANGE)
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ price: 790 })))
    ok(device.pay({ mode: 0, amount: 500 }))
    ok(device.pay({ mode: 1, amount: 500, changeMode: 1 }))
    expect(inHand(device).payments).toStrictEqual([
      { mode: 0, tendered: 500, change: 0 },
      { mode: 1, tendered: 500, change: 210, changeMode: 1 },
    ])
    ok(device.closeFiscal())
    // Change in the mode of the payment does not affect the drawer: 5.00 in cash, and 2.90 in mode 1.
    expect(device.day).toMatchObject({ payments: { 0: 500, 1: 290 }, change: { 1: 210 }, drawerCash: 500 })
  })
})

describe('payments that are reversed (C 4.11)', () => {
  it('appear on paper under the names of their modes, and leave the whole sum as the remaining amount', () => {
    const device = deviceWith()
    ok(device.openFiscal(SALE_RECEIPT))
    ok(device.sell(bread({ price: 790 })))
    ok(device.pay({ mode: 1, amount: 200 }))
    ok(device.pay({ mode: 2, amount: 90 }))
    ok(device.voidPayments())
    expect(inHand(device)).toMatchObject({ payments: [], paid: 0, rest: 790, change: 0 })
    ok(device.pay({ mode: 0 }))
    ok(device.closeFiscal())
    const lines = device.journal.linesOf(1).filter((line) => line.startsWith('CORRECTION'))
    expect(lines.map((line) => line.trimEnd().replace(/ {2,}/, ' : '))).toEqual([
      'CORRECTION CARD : -2.00',
      'CORRECTION CREDIT : -0.90',
    ])
  })

  it.each([
    ['no receipt is open', 'noReceiptOpen', () => undefined],
    ['nothing was paid', 'paymentNotStarted', (device: FiscalDevice) => device.openFiscal(SALE_RECEIPT)],
    ['a non-fiscal receipt is open', 'nonFiscalReceiptOpen', (device: FiscalDevice) => device.openNonFiscal()],
  ] as const)('are refused when %s: %s', (_, answer, before) => {
    const device = deviceWith()
    before(device)
    expect(answerOf(device.voidPayments())).toBe(answer)
  })
})

it('a receipt of which one hundredth is not paid remains open', () => {
  const { device } = plainDevice()
  ok(device.openFiscal(SALE_RECEIPT))
  ok(device.sell(bread({ price: 120 })))
  ok(device.pay({ mode: 0, amount: 119 }))
  expect(answerOf(device.closeFiscal())).toBe('notFullyPaid')
  ok(device.pay({ mode: 0, amount: 1 }))
  ok(device.closeFiscal())
})
