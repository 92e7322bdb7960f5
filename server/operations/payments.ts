/**
 * Payments of a complete receipt. They are compared with the device's total before the first payment, and with its paid
 * amount after an interruption (decisions 3).
 */
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { OpenReceipt } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { type Entry, paymentsBegun, paymentsOf } from './operation.ts'

export const CASH = 0

/** Returns the first problem of the payments; `undefined` if they pay exactly `total`, apart from change in cash. */
export function shortfall(
  payments: readonly Payment[],
  total: Money,
): { readonly path: string; readonly text: string } | undefined {
  let rest = total
  for (const [index, { mode, amount = rest }] of payments.entries()) {
    const path = `Payments[${index}]`
    if (rest === 0) {
      if (total === 0) return { path, text: 'The receipt total is 0.00: omit the payments.' }
      return { path, text: `The receipt total of ${formatMoney(total)} is already paid; this payment is not needed.` }
    }
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

/** Returns whether the only payment is the whole sum in cash, as in a request without payments. */
export const isAllInCash = (payments: readonly Payment[]): boolean =>
  payments.length === 1 && payments[0]?.mode === CASH && payments[0].amount === undefined

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

/** Returns the number of payments that the device has executed; `undefined` if the paid amount matches no number. */
export function paymentsTaken(entry: Entry, open: OpenReceipt): number | undefined {
  const payments = paymentsOf(entry)
  if (isAllInCash(payments)) return open.remaining === 0 ? 1 : 0
  const paymentCount = paymentsBegun(entry)
  // The last payment that was begun may have been executed or not.
  const taken = [paymentCount, paymentCount - 1].find((count) => count >= 0 && isPaid(payments, count, open))
  // While this program holds the line, its record contains all payments that were begun. A higher paid amount then
  // means that the device executed one twice.
  const mayLackPayments = entry.before?.hold === undefined
  return taken ?? (mayLackPayments ? furtherTaken(payments, paymentCount, open) : undefined)
}

/**
 * Returns the number of payments whose tendered sum is the paid amount. A failing disk may not have recorded all
 * payments. A paid amount that only equals the total is not sufficient, because another program may have paid it.
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

export function placeOfPayment({ steps }: Pick<Entry, 'steps'>, payment: number): number {
  let remaining = payment
  const place = steps.findIndex(({ does }) => does === 'pay' && remaining-- === 0)
  return place < 0 ? steps.length - 1 : place
}

/**
 * Returns the index of the first step that belongs to the payment. The lines of text before a payment belong to it,
 * except for the first payment.
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
