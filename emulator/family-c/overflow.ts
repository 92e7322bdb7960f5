import type { Edition } from '../../drivers/family-c/protocol/edition.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { onHand } from '../fiscal/day.ts'
import type { FiscalReceipt } from '../fiscal/types/receipt.ts'
import { type Context, type Refused, refused } from './context.ts'

/**
 * The registers of the day hold what their cells on the wire do (sheet 4.14): eleven symbols, in c6 thirteen. What would make
 * one of them overflow is refused with 32/32, and status 1.1 stands until the Z report.
 */
const registerMax = ({ name }: Edition): number => (name === 'c6' ? 999_999_999_999 : 9_999_999_999)

const REGISTERS_FULL = { device: 2, command: 2 }

/** A sum that a register would have; undefined: all of them fit. */
export function overflow(context: Context, ...sums: readonly number[]): Refused | undefined {
  const { device, edition, session } = context
  if (sums.every((sum) => sum <= registerMax(edition))) return undefined
  session.persistentCells.overflow = device.counters.lastZ
  return refused(REGISTERS_FULL)
}

/** Status 1.1: something was refused since the last Z. */
export const overflowed = ({ device: { counters }, session }: Context): boolean =>
  session.persistentCells.overflow === counters.lastZ

/** The turnover with the receipt in hand. */
export const turnoverWith = ({ day }: FiscalDevice, { kind, total }: FiscalReceipt): number =>
  total + (kind === 'sale' ? day.total : day.reversals.reduce((sum, amount) => sum + amount, 0))

/** What the payment adds to: what was tendered, and what is on hand. */
export function paidWith({ day }: FiscalDevice, receipt: FiscalReceipt, mode: number, amount: number): number[] {
  const mine = receipt.payments.reduce((sum, payment) => sum + (payment.mode === mode ? payment.tendered : 0), amount)
  return [(day.tendered[mode] ?? 0) + mine, onHand(day, mode) + mine]
}
