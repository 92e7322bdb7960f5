/**
 * Payments of a complete receipt, compared with the device's total before the first payment, and with its paid amount
 * after an interruption (decisions 3).
 */
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { OpenReceipt } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { type Entry, paymentsBegun, paymentsOf } from './operation.ts'

/** `PaymentMode` of cash on every family (decisions 4). */
export const CASH = 0

/** Returns the first problem of the payments; `undefined` if they pay exactly `total`, apart from change in cash. */
export function shortfall(
  payments: readonly Payment[],
  total: Money,
): { readonly path: string; readonly text: string } | undefined {
  let rest = total
  for (const [index, { mode, amount = rest }] of payments.entries()) {
    const path = `Payments[${index}]`
    if (rest === 0)
      return { path, text: `The receipt total of ${formatMoney(total)} is already paid; this payment is not needed.` }
    if (mode !== CASH && amount > rest) {
      const text = `The payment of ${formatMoney(amount)} exceeds the remaining ${formatMoney(rest)}; only cash gives change.`
      return { path, text }
    }
    rest = Math.max(0, rest - amount)
  }
  return rest === 0
    ? undefined
    : {
        path: 'Payments',
        text: `The payments total ${formatMoney(total - rest)}, but the receipt total is ${formatMoney(total)}.`,
      }
}

/** Returns whether the only payment is the whole sum in cash, as it is if the caller names no payment. */
export const isAllInCash = (payments: readonly Payment[]): boolean =>
  payments.length === 1 && payments[0]?.mode === CASH && payments[0].amount === undefined

/** Returns the tendered sum of the first `count` payments. */
const sumOf = (payments: readonly Payment[], count: number, total: Money | null): Money =>
  payments.slice(0, count).reduce((sum, { amount }) => sum + (amount ?? Math.max(0, (total ?? 0) - sum)), 0)

/**
 * Returns whether the paid amount is that of the first `count` payments. Some devices report the tendered amount,
 * others the amount without change.
 */
export function isPaid(payments: readonly Payment[], count: number, { paid, total }: OpenReceipt): boolean {
  const sum = sumOf(payments, count, total)
  return paid === sum || (total !== null && paid === Math.min(sum, total))
}

/**
 * Returns the number of payments that the device has accepted; `undefined` if the paid amount fits no number of them.
 */
export function paymentsTaken(entry: Entry, open: OpenReceipt): number | undefined {
  const payments = paymentsOf(entry)
  if (isAllInCash(payments)) return open.remaining === 0 ? 1 : 0
  const paymentCount = paymentsBegun(entry)
  // The device has accepted the last payment that was begun, or has not.
  const taken = [paymentCount, paymentCount - 1].find((count) => count >= 0 && isPaid(payments, count, open))
  // While this program runs, its record has all begun payments; a higher paid amount shows that the device executed one
  // twice.
  const mayBeBehind = entry.before?.hold === undefined
  return taken ?? (mayBeBehind ? furtherTaken(payments, paymentCount, open) : undefined)
}

/**
 * Returns the number of payments whose tendered sum is the paid amount: a failing disk may not have recorded all of
 * them. A paid amount equal to the total only is not accepted, as another program may have paid it.
 */
const furtherTaken = (
  payments: readonly Payment[],
  paymentCount: number,
  { paid, total }: OpenReceipt,
): number | undefined =>
  paymentCount === 0
    ? undefined
    : [...payments.keys(), payments.length].find(
        (count) => count > paymentCount && sumOf(payments, count, total) === paid,
      )

/** Returns the index of the step with this payment; the index of the last step if there are fewer payments. */
export function placeOfPayment({ steps }: Pick<Entry, 'steps'>, payment: number): number {
  let remaining = payment
  const place = steps.findIndex(({ does }) => does === 'pay' && remaining-- === 0)
  return place < 0 ? steps.length - 1 : place
}

/**
 * Returns the index of the first step that belongs to the payment: the lines of text before it, except for the first
 * payment.
 */
export const placeBefore = (entry: Pick<Entry, 'steps'>, payment: number): number =>
  payment === 0 ? placeOfPayment(entry, 0) : placeOfPayment(entry, payment - 1) + 1

/**
 * Returns whether another program has paid: this request has sent no payment, or only one that would have paid
 * everything.
 */
export const isPaidByOther = (entry: Entry, { paid, remaining }: OpenReceipt): boolean =>
  paymentsBegun(entry) === 0 ||
  (isAllInCash(paymentsOf(entry)) && paid !== null && paid > 0 && remaining !== null && remaining > 0)
