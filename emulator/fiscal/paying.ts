import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { Adjustment } from '../../drivers/model/receipt.ts'
import { type Page, paymentBlock, totalBlock } from '../print/document-layout.ts'
import type { DrawingOperation } from '../print/drawing-operations.ts'
import type { Books } from './books.ts'
import { CASH, cashOf, drawerOf, onHand } from './day.ts'
import type { RegisterBook } from './registers.ts'
import { addGroups, applyPayment, subtotalShares, sum } from './totals.ts'
import type { Refusal } from './types/outcome.ts'
import type { BookRules, DeviceProfile } from './types/profile.ts'
import type { FiscalReceipt, PaymentIntent, PaymentRow } from './types/receipt.ts'
import type { ByTaxGroup } from './types/registers.ts'

export function adjustedShares(
  receipt: FiscalReceipt,
  adjustment: Adjustment,
  rules: BookRules,
): ByTaxGroup<Money> | Refusal {
  if (receipt.rows.length === 0) return 'noSale'
  if (rules.subtotalAdjustments === 'once' && receipt.subtotalAdjustments.length > 0) return 'secondSubtotalAdjustment'
  if ('amount' in adjustment) {
    if (receipt.total === 0) return 'totalZero'
    if (adjustment.kind === 'discount' && adjustment.amount > receipt.total) return 'adjustmentAboveTotal'
    const groups = receipt.groups.filter((group) => group !== 0).length
    if (rules.subtotalAmountOneGroupOnly && groups > 1) return 'mixedGroups'
  }
  const shares = subtotalShares(receipt.groups, adjustment)
  if (receipt.total + sum(shares) > rules.receiptMaximum) return 'receiptTooLarge'
  return addGroups(receipt.groups, shares).some((group) => group < 0) ? 'negativeGroup' : shares
}

/** Returns the payment as a row of the receipt, or the reason to refuse it (sheet A 6.4). */
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
  const paymentMode = registers.payment(mode)
  if (!paymentMode) return 'paymentModeUnknown'
  if (!paymentMode.enabled) return 'paymentModeDisabled'
  if (receipt.total === 0 && !rules.zeroTotal) return 'totalZero'
  const tendered = intent.amount ?? receipt.rest
  // The limit does not apply to a payment of the whole remaining amount: a receipt that cannot be closed blocks the
  // device.
  if (receipt.payments.length >= maxPayments && tendered < receipt.rest) return 'tooManyPayments'
  if (tendered === 0 && receipt.rest > 0) return 'paymentZero'
  if (tendered > rules.receiptMaximum) return 'paymentTooLarge'
  const { change } = applyPayment(receipt.rest, tendered)
  const givesChange = mode === CASH || mode === rules.cashAdvance || rules.nonCashChange
  if (change > 0 && (receipt.kind === 'reversal' || !givesChange)) return 'paymentTooLarge'
  const { changeMode } = intent
  const payment = { mode, tendered, change, ...(changeMode === undefined ? {} : { changeMode }) }
  const { day } = books.state
  const suffices = drawerAllows(day, receipt, payment, rules) && foreignSuffices(day, receipt, payment, books.profile)
  return suffices ? payment : 'notEnoughCash'
}

/** Returns false if the foreign currency drawer lacks the amount that a reversal pays back (sheet A 6.3). */
function foreignSuffices(
  day: Books['state']['day'],
  receipt: FiscalReceipt,
  payment: PaymentRow,
  { foreignPayment }: DeviceProfile,
): boolean {
  const { mode } = payment
  if (receipt.kind !== 'reversal' || mode !== foreignPayment) return true
  return cashOf([...receipt.payments, payment], mode) <= drawerOf(day, mode).drawerCash
}

/**
 * Returns false if the drawer lacks the change or the amount of a reversal. Change in the mode of the payment is always
 * possible, because it comes from the tendered amount (decisions 3). Change in any other mode must be on hand (sheet C
 * 4.11).
 */
function drawerAllows(
  day: Books['state']['day'],
  receipt: FiscalReceipt,
  payment: PaymentRow,
  rules: BookRules,
): boolean {
  const { change, changeMode = CASH } = payment
  const inHand = (which: number): number =>
    [...receipt.payments, payment].reduce((sum, { mode, tendered }) => sum + (mode === which ? tendered : 0), 0)
  // The whole receipt must be on hand: a partial payment cannot be reversed, so that the receipt would stay open
  // forever.
  if (receipt.kind === 'reversal') return (rules.reversalInCash ? receipt.total : inHand(CASH)) <= day.drawerCash
  return payment.mode === changeMode || change <= Math.max(0, onHand(day, changeMode)) + inHand(changeMode)
}

export const paymentLines = (
  { total, payments }: FiscalReceipt,
  payment: PaymentRow,
  rest: Money,
  page: Page,
  registers: RegisterBook,
): readonly DrawingOperation[] => [
  ...(payments.length === 0 ? totalBlock(page, total) : []),
  ...paymentBlock(page, registers.payment(payment.mode)?.name ?? '', payment, rest === 0),
]

export const voidedPaymentLines = (
  payments: readonly PaymentRow[],
  { style }: Page,
  registers: RegisterBook,
): readonly DrawingOperation[] =>
  payments.map(({ mode, tendered }) => ({
    op: 'columns',
    left: `${style.words.correction} ${registers.payment(mode)?.name ?? ''}`.trim(),
    right: `${formatMoney(0 - tendered)}  `,
  }))
