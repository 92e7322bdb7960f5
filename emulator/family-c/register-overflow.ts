import type { Edition } from '../../drivers/family-c/protocol/edition.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { onHand } from '../fiscal/day.ts'
import type { FiscalReceipt } from '../fiscal/types/receipt.ts'
import { type Context, type Refused, refused } from './context.ts'

/**
 * Returns the capacity of the registers of the day, which is that of their cells in the wire protocol: eleven symbols,
 * in c6 thirteen (sheet 4.14). An operation that would overflow a register is refused with 32/32, and status 1.1 is set
 * until the Z report.
 */
const registerMax = ({ name }: Edition): number => (name === 'c6' ? 999_999_999_999 : 9_999_999_999)

const REGISTERS_FULL = { device: 2, command: 2 }

/**
 * Returns the refusal if one of the sums exceeds its register; `undefined` if all fit. `sums`: the values after the
 * operation.
 */
export function overflow(context: Context, ...sums: readonly number[]): Refused | undefined {
  const { device, edition, session } = context
  if (sums.every((sum) => sum <= registerMax(edition))) return undefined
  session.persistentCells.overflow = device.counters.lastZ
  return refused(REGISTERS_FULL)
}

/** Returns true if an operation was refused since the last Z report (status 1.1). */
export const overflowed = ({ device: { counters }, session }: Context): boolean =>
  session.persistentCells.overflow === counters.lastZ

/** Returns the turnover including the open receipt. */
export const turnoverWith = ({ day }: FiscalDevice, { kind, total }: FiscalReceipt): number =>
  total + (kind === 'sale' ? day.total : day.reversals.reduce((sum, amount) => sum + amount, 0))

/** Returns the sums that the payment increases, tendered and on hand, with its amount. */
export function paidWith({ day }: FiscalDevice, receipt: FiscalReceipt, mode: number, amount: number): number[] {
  const mine = receipt.payments.reduce((sum, payment) => sum + (payment.mode === mode ? payment.tendered : 0), amount)
  return [(day.tendered[mode] ?? 0) + mine, onHand(day, mode) + mine]
}
