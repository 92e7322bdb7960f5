import type { Adjustment } from '../../drivers/model/receipt.ts'
import type { Books } from './books.ts'
import { CASH, onHand } from './day.ts'
import type { RegisterBook } from './registers.ts'
import { settle } from './totals.ts'
import type { Refusal } from './types/outcome.ts'
import type { BookRules } from './types/profile.ts'
import type { FiscalReceipt, PaymentIntent, PaymentRow } from './types/receipt.ts'

/** What may stand in the way of an adjusted subtotal or of a payment. */

/** Why an adjustment of the subtotal is refused. */
export function refuseAdjustment(
  receipt: FiscalReceipt,
  adjustment: Adjustment,
  rules: BookRules,
): Refusal | undefined {
  if (receipt.rows.length === 0) return 'noSale'
  if (rules.subtotalAdjustments === 'once' && receipt.subtotalAdjustments.length > 0) return 'secondSubtotalAdjustment'
  if (!('amount' in adjustment)) return undefined
  if (receipt.total === 0) return 'totalZero'
  if (adjustment.kind === 'discount' && adjustment.amount > receipt.total) return 'adjustmentAboveTotal'
  const groups = receipt.groups.filter((group) => group !== 0).length
  return rules.subtotalAmountOneGroupOnly && groups > 1 ? 'mixedGroups' : undefined
}

/** What a payment becomes as a row of the receipt, or why it is refused (sheet A 6.4). */
export function paymentOf(
  receipt: FiscalReceipt,
  intent: PaymentIntent,
  books: Books,
  registers: RegisterBook,
): PaymentRow | Refusal {
  const { rules, maxPayments } = books.profile
  const { mode } = intent
  if (receipt.rows.length === 0 && !rules.emptyReceipt) return 'noSale'
  if (receipt.payments.length > 0 && receipt.rest === 0) return 'alreadyPaid'
  const known = registers.payment(mode)
  if (!known) return 'paymentModeUnknown'
  if (!known.enabled) return 'paymentModeDisabled'
  if (receipt.total === 0 && !rules.zeroTotal) return 'totalZero'
  const tendered = intent.amount ?? receipt.rest
  // The payment that pays the rest is always taken: a receipt that nothing can end would block the device.
  if (receipt.payments.length >= maxPayments && tendered < receipt.rest) return 'tooManyPayments'
  if (tendered === 0 && receipt.rest > 0) return 'paymentZero'
  if (tendered > rules.receiptMaximum) return 'paymentTooLarge'
  const { change } = settle(receipt.rest, tendered)
  if (change > 0 && (receipt.kind === 'reversal' || (mode !== CASH && !rules.nonCashChange))) return 'paymentTooLarge'
  const { changeMode } = intent
  const payment = { mode, tendered, change, ...(changeMode === undefined ? {} : { changeMode }) }
  return drawerAllows(books.state.day, receipt, payment, rules) ? payment : 'notEnoughCash'
}

/**
 * What is handed over counts in, so an empty drawer never refuses change in what the payment is made with (decisions 3);
 * change in anything else must be on hand (C 4.11).
 */
function drawerAllows(
  day: Books['state']['day'],
  receipt: FiscalReceipt,
  payment: PaymentRow,
  rules: BookRules,
): boolean {
  const { change, changeMode = CASH } = payment
  const inHand = (wanted: number): number =>
    [...receipt.payments, payment].reduce((sum, { mode, tendered }) => sum + (mode === wanted ? tendered : 0), 0)
  // A part that is paid cannot be taken back: a rest that the drawer lacks would keep the receipt open for ever.
  if (receipt.kind === 'reversal') return (rules.reversalInCash ? receipt.total : inHand(CASH)) <= day.drawerCash
  return payment.mode === changeMode || change <= Math.max(0, onHand(day, changeMode)) + inHand(changeMode)
}
