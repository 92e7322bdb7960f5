/**
 * The payments of a complete receipt against the device's own sum: known before the first of them is sent, and after an
 * interruption by what the device says is paid (decisions 3).
 */
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { OpenReceipt } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { type Entry, paymentsBegun, paymentsOf } from './operation.ts'

/** `PaymentMode` 0 is cash on every family (decisions 4). */
export const CASH = 0

/** What is wrong about payments for this sum, and where; undefined: they come to it. `total`: the device's own. */
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

/** The whole sum at once, in cash: its caller has named no payment. */
export const isAllInCash = (payments: readonly Payment[]): boolean =>
  payments.length === 1 && payments[0]?.mode === CASH && payments[0].amount === undefined

/** Handed over by the first so many payments. */
const sumOf = (payments: readonly Payment[], count: number, total: Money | null): Money =>
  payments.slice(0, count).reduce((sum, { amount }) => sum + (amount ?? Math.max(0, (total ?? 0) - sum)), 0)

/** Is exactly this paid? Some wires tell what was handed over, others what of it the receipt took. */
export function isPaid(payments: readonly Payment[], count: number, { paid, total }: OpenReceipt): boolean {
  const sum = sumOf(payments, count, total)
  return paid === sum || (total !== null && paid === Math.min(sum, total))
}

/** So many payments the device has taken; undefined: what is paid is not what was asked for. */
export function paymentsTaken(entry: Entry, open: OpenReceipt): number | undefined {
  const payments = paymentsOf(entry)
  if (isAllInCash(payments)) return open.remaining === 0 ? 1 : 0
  const begun = paymentsBegun(entry)
  // The last one that was begun was taken or not.
  const taken = [begun, begun - 1].find((count) => count >= 0 && isPaid(payments, count, open))
  // As long as this program lives, it knows how many it has begun: more that is paid is one that was taken twice.
  const mayBeBehind = entry.before?.hold === undefined
  return taken ?? (mayBeBehind ? furtherTaken(payments, begun, open) : undefined)
}

/**
 * Behind the first of them, more may have been begun than a disk that failed could take: so many that exactly this was
 * handed over. Where it is only all that was to pay, somebody else may have paid it.
 */
const furtherTaken = (payments: readonly Payment[], begun: number, { paid, total }: OpenReceipt): number | undefined =>
  begun === 0
    ? undefined
    : [...payments.keys(), payments.length].find((count) => count > begun && sumOf(payments, count, total) === paid)

/** The step that makes the payment with this place among the payments; behind the last of them, the receipt's end. */
export function placeOfPayment({ steps }: Pick<Entry, 'steps'>, payment: number): number {
  let left = payment
  const place = steps.findIndex(({ does }) => does === 'pay' && left-- === 0)
  return place < 0 ? steps.length - 1 : place
}

/** Where it begins: at the lines of text before it. */
export const placeBefore = (entry: Pick<Entry, 'steps'>, payment: number): number =>
  payment === 0 ? placeOfPayment(entry, 0) : placeOfPayment(entry, payment - 1) + 1

/** Something is paid that is no payment of this request: it had sent none, or the one that pays all at once. */
export const isPaidByOther = (entry: Entry, { paid, remaining }: OpenReceipt): boolean =>
  paymentsBegun(entry) === 0 ||
  (isAllInCash(paymentsOf(entry)) && paid !== null && paid > 0 && remaining !== null && remaining > 0)
