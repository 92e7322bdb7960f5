/**
 * The payments of a composite receipt against the device's own sum: known before the first of them is sent, and after an
 * interruption by what the device says is paid (decisions 3).
 */
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { OpenReceipt } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import type { ReceiptPayment, Settlement } from './progress.ts'

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
    if (rest === 0) return { path, text: `nothing is left to pay; ${formatMoney(total)} is to be paid in all.` }
    if (mode !== CASH && amount > rest) {
      const text = `${formatMoney(amount)} is offered, and ${formatMoney(rest)} is left to pay; only cash gives change.`
      return { path, text }
    }
    rest = Math.max(0, rest - amount)
  }
  return rest === 0
    ? undefined
    : { path: 'Payments', text: `${formatMoney(total)} is to be paid, and ${formatMoney(total - rest)} is offered.` }
}

/** Handed over by the first so many payments. */
const sumOf = (payments: readonly Payment[], count: number, total: Money | null): Money =>
  payments.slice(0, count).reduce((sum, { amount }) => sum + (amount ?? Math.max(0, (total ?? 0) - sum)), 0)

/** Is exactly this paid? Some wires tell what was handed over, others what of it the receipt took. */
export function isPaid(payments: readonly Payment[], count: number, { paid, total }: OpenReceipt): boolean {
  const sum = sumOf(payments, count, total)
  return paid === sum || (total !== null && paid === Math.min(sum, total))
}

/** The payments that the device has not taken yet, by their places; undefined: what is paid is not what was asked for. */
export function paymentsLeft(
  { payments, begun, inCash }: Settlement,
  open: OpenReceipt,
): readonly (readonly [number, ReceiptPayment])[] | undefined {
  if (inCash) return undefined
  if (payments.length === 0) return open.remaining === 0 ? [] : [[0, { mode: CASH }]]
  // The last one that was begun was taken or not.
  const taken = [begun, begun - 1].find((count) => count >= 0 && isPaid(payments, count, open))
  return taken === undefined ? undefined : [...payments.entries()].slice(taken)
}
