import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import type { FiscalDevice } from './api.ts'

/**
 * How far the receipt in hand has come, in one vocabulary for the three families. `selling`: open, and nothing is paid
 * yet; `paying`: a part is paid; `paid`: nothing is left to pay. A family's sheet says what each command answers in
 * which of them (states.ts of the family).
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

/** A row of a family's table: what stands for each phase, in the order of `RECEIPT_PHASES`. */
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
