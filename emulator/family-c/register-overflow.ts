import type { Edition } from '../../drivers/family-c/protocol/edition.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { onHand } from '../fiscal/day.ts'
import type { FiscalReceipt } from '../fiscal/types/receipt.ts'
import { type Context, type Refused, refused } from './context.ts'

/**
 * Registers of the day are as wide as their cells in the wire protocol: eleven symbols, in c6 thirteen (sheet 4.14).
 * The device refuses an operation that would overflow a register with 32/32, and sets status 1.1 until the Z report.
 */
const registerMax = ({ name }: Edition): number => (name === 'c6' ? 999_999_999_999 : 9_999_999_999)

const REGISTERS_FULL = { device: 2, command: 2 }

/** Returns a refusal, and sets status 1.1, if one of the sums after the operation exceeds its register. */
export function overflow(context: Context, ...sums: readonly number[]): Refused | undefined {
  const { device, edition, session } = context
  if (sums.every((sum) => sum <= registerMax(edition))) return undefined
  session.persistentCells.overflow = device.counters.lastZ
  return refused(REGISTERS_FULL)
}

export const overflowed = ({ device: { counters }, session }: Context): boolean =>
  session.persistentCells.overflow === counters.lastZ

/** Returns the turnover of the day with the open receipt; for a reversal, the reversals of the day with it. */
export const turnoverWith = ({ day }: FiscalDevice, { kind, total }: FiscalReceipt): number =>
  total + (kind === 'sale' ? day.total : day.reversals.reduce((sum, amount) => sum + amount, 0))

/** Returns the tendered and the on-hand sum of a payment mode after a further payment of `amount`. */
export function paidWith({ day }: FiscalDevice, receipt: FiscalReceipt, mode: number, amount: number): number[] {
  const mine = receipt.payments.reduce((sum, payment) => sum + (payment.mode === mode ? payment.tendered : 0), amount)
  return [(day.tendered[mode] ?? 0) + mine, onHand(day, mode) + mine]
}
