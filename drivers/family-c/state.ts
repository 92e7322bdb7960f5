/** The open receipt. Command 20h returns its kind, command 72h its content (sheet 4.1, 4.14). */
import { openedNumber } from '../link/same-device.ts'
import type { Money } from '../model/money.ts'
import type { TransactionStatus } from '../model/printer.ts'
import type { ReceiptState } from './protocol/commands/registers.ts'
import { flagsOf, lastDocument, stateOf } from './reported-values.ts'
import type { DeviceC } from './session.ts'

export interface RememberedFacts {
  document?: number | undefined
  /** Amount that this driver has paid in `document`. The edition c4 does not report it (sheet 4.14). */
  paid?: Money | undefined
}

export const totalOf = ({ turnover }: ReceiptState): Money => turnover.reduce((total, amount) => total + amount, 0)

export async function remainingAmount(
  device: DeviceC,
  state: ReceiptState,
  remembered: RememberedFacts,
): Promise<Money | null> {
  if (state.payFinished) return 0
  const paid = await paidOf(device, state, remembered)
  return paid === null ? null : Math.max(0, totalOf(state) - paid)
}

/**
 * Resolves to the paid amount; null if it is unknown. Only the edition c6 reports it. On other editions, payments by
 * another program are unknown.
 */
async function paidOf(device: DeviceC, state: ReceiptState, remembered: RememberedFacts): Promise<Money | null> {
  if (!state.payStarted) return 0
  const answer = await device.askUnlessRefused('any', 'receiptPayments', {})
  if (answer?.values) return answer.values.payments.reduce((sum, amount) => sum + amount, 0)
  if (state.payFinished) return totalOf(state) + state.change
  await rememberedDocument(device, remembered)
  return remembered.paid ?? null
}

/**
 * Resolves to the number of the last document. If it has changed, another program may have opened a receipt, so the
 * remembered payments are discarded.
 */
async function rememberedDocument(device: DeviceC, remembered: RememberedFacts): Promise<number> {
  const document = await lastDocument(device)
  if (document !== remembered.document) Object.assign(remembered, { document, paid: undefined })
  return document
}

export const numberOfOpened = (device: DeviceC): Promise<number | null> => openedNumber(device, lastDocument)

const NOT_REPORTED = { itemsCount: null, total: null, paid: null, remaining: null } as const

export async function transactionStatus(device: DeviceC, remembered: RememberedFacts): Promise<TransactionStatus> {
  const flags = await flagsOf(device)
  const { state, text: raw } = await stateOf(device)
  const receiptNumber = String(await rememberedDocument(device, remembered))
  if (flags.has('nonFiscalOpen')) return { isOpen: true, kind: 'NonFiscal', receiptNumber, ...NOT_REPORTED, raw }
  if (!state.open) return { isOpen: false, kind: 'None', receiptNumber, ...NOT_REPORTED, raw }
  return {
    isOpen: true,
    kind: (state.type & 1) === 1 ? 'Invoice' : 'Fiscal',
    receiptNumber,
    itemsCount: state.sales,
    total: totalOf(state),
    paid: await paidOf(device, state, remembered),
    remaining: await remainingAmount(device, state, remembered),
    raw,
  }
}
