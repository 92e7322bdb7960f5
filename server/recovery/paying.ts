/**
 * The payments of a composite receipt against the device's own sum: known before the first of them is sent, and after an
 * interruption by what the device says is paid (decisions 3).
 */
import { DeviceError } from '../../drivers/model/errors.ts'
import { formatMoney, type Money } from '../../drivers/model/money.ts'
import type { DeviceNumbers, FiscalPrinter, OpenReceipt } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { doubtfulText } from './doubtful.ts'
import { isRefusal } from './failed-call.ts'
import type { Announce, Doubtful, ReceiptPayment, Settlement } from './progress.ts'

/** The printer, and the device on which the receipt was found: what another one says is not about it. */
export interface Found {
  readonly printer: FiscalPrinter
  readonly of: DeviceNumbers
}

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
  const counted = taken ?? furtherTaken(payments, begun, open)
  return counted === undefined ? undefined : [...payments.entries()].slice(counted)
}

/**
 * Behind the first of them, more may have been begun than a disk that failed could take: so many that exactly this was
 * handed over. Where it is only all that was to pay, somebody else may have paid it.
 */
const furtherTaken = (payments: readonly Payment[], begun: number, { paid, total }: OpenReceipt): number | undefined =>
  begun === 0
    ? undefined
    : [...payments.keys(), payments.length].find((count) => count > begun && sumOf(payments, count, total) === paid)

/** Something is paid that is no payment of this request: it had sent none, or the one that pays all at once. */
export const isPaidByOther = ({ payments, begun }: Settlement, { paid, remaining }: OpenReceipt): boolean =>
  begun === 0 || (payments.length === 0 && paid !== null && paid > 0 && remaining !== null && remaining > 0)

/**
 * What is left is paid as it was asked for, in cash where that cannot be. `doubt`: called for each line of text of which
 * the device does not tell whether it stands once.
 */
export async function payRest(
  at: Found,
  undertaken: Settlement,
  open: OpenReceipt,
  announce: Announce,
  doubt: (text: Doubtful) => void,
): Promise<Settlement> {
  const { printer } = at
  const { texts = [] } = undertaken
  let settlement = undertaken
  let rest = open.remaining
  const left = paymentsLeft(undertaken, open)
  for (const [index, [place, { textsBefore = [], ...payment }]] of (left ?? []).entries()) {
    const isNew = place >= settlement.begun
    // The disk may not know that it was begun, and its texts are printed before it is taken.
    const mayBeBegun = index === 0 && undertaken.begun > 0
    settlement = isNew ? begin(settlement, place + 1) : settlement
    announce('paying', { settlement })
    try {
      if (textsBefore.length > 0 && !settlement.textsPrinted) {
        for (const line of textsBefore) {
          const text = doubtfulText(line.text, texts)
          if (!isNew) doubt({ ...text, mayBeMissing: true })
          else if ((await printer.printFiscalText(line)).repeated || mayBeBegun) doubt(text)
        }
        settlement = { ...settlement, textsPrinted: true }
        announce('paying', { settlement })
      }
      const { repeated } = await printer.pay(payment)
      rest = rest === null ? null : Math.max(0, rest - (payment.amount ?? rest))
      if (repeated && !(await isPaidSoFar(at, settlement))) return await payInCash(at, settlement, announce)
    } catch (error) {
      if (!isRefusal(error) && !isUnsendable(error)) throw error
      return payInCash(at, settlement, announce)
    }
  }
  return left !== undefined && rest === 0 ? settlement : payInCash(at, settlement, announce)
}

/** Of the next payment nothing is printed yet. */
export function begin({ textsPrinted: _, ...settlement }: Settlement, begun: number): Settlement {
  return { ...settlement, begun }
}

const isUnsendable = (error: unknown): boolean =>
  error instanceof DeviceError && (error.problem.kind === 'badValue' || error.problem.kind === 'unsupported')

async function isPaidSoFar({ printer, of }: Found, { payments, begun }: Settlement): Promise<boolean> {
  const { open } = await printer.evidence({ of })
  return open === null || open.paid === null || payments.length === 0 || isPaid(payments, begun, open)
}

async function payInCash({ printer, of }: Found, before: Settlement, announce: Announce): Promise<Settlement> {
  const settlement: Settlement = before.payments.length === 0 ? before : { ...before, inCash: true }
  announce('paying', { settlement })
  const { open } = await printer.evidence({ of })
  if (open?.remaining === 0) return settlement
  try {
    await printer.pay({ mode: CASH })
  } catch (error) {
    // Where the wire cannot tell what is left, nothing may be left.
    if (open?.remaining !== null || !isRefusal(error)) throw error
  }
  return settlement
}
