import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { FiscalDevice } from './api.ts'

/**
 * The phases of the open receipt in all families. `selling` has no payment yet, `paying` is partly paid, and `paid` has
 * no remaining amount. The states.ts of each family defines the answer of a command in each phase.
 */
export const RECEIPT_PHASES: readonly ReceiptPhase[] = ['idle', 'nonFiscal', 'selling', 'paying', 'paid']
export type { ReceiptPhase }

export function receiptPhase({ receipt }: Pick<FiscalDevice, 'receipt'>): ReceiptPhase {
  if (receipt === null) return 'idle'
  if (receipt.kind === 'nonFiscal') return 'nonFiscal'
  const { payments, rest } = receipt.fiscal
  if (payments.length === 0) return 'selling'
  return rest > 0 ? 'paying' : 'paid'
}

type ByPhase<Cell> = Readonly<Record<ReceiptPhase, Cell>>

export const byPhase = <Cell>(
  ...[idle, nonFiscal, selling, paying, paid]: readonly [Cell, Cell, Cell, Cell, Cell]
): ByPhase<Cell> => ({
  idle,
  nonFiscal,
  selling,
  paying,
  paid,
})
