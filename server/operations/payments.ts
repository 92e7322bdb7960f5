/**
 * The payments of a complete receipt against the device's own sum: checked before the first of them is sent, and after
 * an interruption by the paid amount that the device reports (decisions 3).
 */
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { OpenReceipt } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { type Entry, paymentsBegun, paymentsOf } from './operation.ts'

/** `PaymentMode` 0 is cash on every family (decisions 4). */
export const CASH = 0

/**
 * Returns the mistake in payments for this sum, and its path; undefined: they add up to it. `total`: the device's own.
 */
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

/** Returns whether the payment is the whole sum in cash: the caller has named no payment. */
export const isAllInCash = (payments: readonly Payment[]): boolean =>
  payments.length === 1 && payments[0]?.mode === CASH && payments[0].amount === undefined

/** Returns the sum tendered by the first `count` payments. */
const sumOf = (payments: readonly Payment[], count: number, total: Money | null): Money =>
  payments.slice(0, count).reduce((sum, { amount }) => sum + (amount ?? Math.max(0, (total ?? 0) - sum)), 0)

/**
 * Returns whether exactly these payments are made. Some wires report the tendered amount, others the part that the
 * receipt needed.
 */
export function isPaid(payments: readonly Payment[], count: number, { paid, total }: OpenReceipt): boolean {
  const sum = sumOf(payments, count, total)
  return paid === sum || (total !== null && paid === Math.min(sum, total))
}

/**
 * Returns the number of payments that the device has accepted; undefined: the paid amount does not match the request.
 */
export function paymentsTaken(entry: Entry, open: OpenReceipt): number | undefined {
  const payments = paymentsOf(entry)
  if (isAllInCash(payments)) return open.remaining === 0 ? 1 : 0
  const paymentCount = paymentsBegun(entry)
  // The last payment that was begun was accepted or not.
  const taken = [paymentCount, paymentCount - 1].find((count) => count >= 0 && isPaid(payments, count, open))
  // While this program runs, it knows the number of begun payments: a higher paid amount means that one was accepted
  // twice.
  const mayBeBehind = entry.before?.hold === undefined
  return taken ?? (mayBeBehind ? furtherTaken(payments, paymentCount, open) : undefined)
}

/**
 * Returns the number of payments whose sum is exactly the paid amount. After the first payment, more may have been
 * begun than a failing disk recorded. If only the total is paid, another program may have paid it.
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

/** Returns the step of the payment with this index among the payments; after the last of them, the receipt's end. */
export function placeOfPayment({ steps }: Pick<Entry, 'steps'>, payment: number): number {
  let remaining = payment
  const place = steps.findIndex(({ does }) => does === 'pay' && remaining-- === 0)
  return place < 0 ? steps.length - 1 : place
}

/** Returns the step at which a payment begins: the lines of text before it. */
export const placeBefore = (entry: Pick<Entry, 'steps'>, payment: number): number =>
  payment === 0 ? placeOfPayment(entry, 0) : placeOfPayment(entry, payment - 1) + 1

/**
 * Returns whether an amount is paid that is not a payment of this request: the request had sent none, or the one that
 * pays all.
 */
export const isPaidByOther = (entry: Entry, { paid, remaining }: OpenReceipt): boolean =>
  paymentsBegun(entry) === 0 ||
  (isAllInCash(paymentsOf(entry)) && paid !== null && paid > 0 && remaining !== null && remaining > 0)
