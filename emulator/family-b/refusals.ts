/**
 * Errors of family B for refusals of the books (sheet 8, 9 and 13). Handlers override some of them for single commands.
 */
import type { ErrorNumber } from '../../drivers/family-b/protocol/errors.ts'
import type { StatusName } from '../../drivers/family-b/protocol/status.ts'
import type { Refusal } from '../fiscal/types/outcome.ts'

/**
 * The channel on which the device reports a refusal (sheet 8): `state` sets bit 1.1, `error` has a number in byte 3.
 */
export type Reason =
  | { readonly channel: 'invalid' }
  | { readonly channel: 'syntax' }
  | { readonly channel: 'state'; readonly error?: ErrorNumber }
  | { readonly channel: 'error'; readonly error: ErrorNumber; readonly flag?: StatusName }
  /** The device has no paper, or the mechanism does not work. The status reports this condition in every answer. */
  | { readonly channel: 'mechanism' }

const state = (error?: ErrorNumber): Reason => ({ channel: 'state', ...(error === undefined ? {} : { error }) })
const number = (error: ErrorNumber): Reason => ({ channel: 'error', error })

export const REASONS: Readonly<Record<Refusal, Reason>> = {
  noReceiptOpen: state(20),
  receiptOpen: state(19),
  fiscalReceiptOpen: state(19),
  nonFiscalReceiptOpen: state(19),
  paymentStarted: number(6),
  paymentNotStarted: state(20),
  notFullyPaid: state(20),
  alreadyPaid: state(20),
  noSale: number(25),
  wrongReceiptKind: state(20),
  notFiscalised: state(),
  alreadyFiscalised: number(94),
  taxRatesNotSet: number(8),
  dayExpired: number(82),
  fiscalMemoryFull: number(30),
  journalFull: number(126),
  clockNotSet: number(20),
  clockBehind: number(10),
  invoiceRangeUsedUp: number(9),
  noPaper: { channel: 'mechanism' },
  coverOpen: { channel: 'mechanism' },
  noDisplay: number(20),
  operatorUnknown: number(21),
  wrongPassword: number(66),
  taxGroupDisabled: number(8),
  zeroRow: number(5),
  rowTooLarge: number(1),
  negativeRow: number(48),
  negativeGroup: number(48),
  receiptTooLarge: number(1),
  tooManySales: number(3),
  tooManyPayments: number(4),
  nothingToVoid: number(24),
  voidAfterSubtotalAdjustment: number(23),
  secondSubtotalAdjustment: number(22),
  adjustmentAboveTotal: number(48),
  mixedGroups: number(22),
  articleUnknown: number(44),
  articleWithoutPrice: number(120),
  articlePriceFixed: number(7),
  articlePriceAboveMaximum: number(21),
  articleHasTurnover: number(93),
  articleNameExists: number(21),
  articleBarcodeExists: number(45),
  articleTableFull: number(1),
  outOfStock: number(26),
  departmentUnknown: number(21),
  paymentModeUnknown: number(21),
  paymentModeDisabled: number(7),
  paymentTooLarge: number(21),
  paymentZero: number(5),
  totalZero: number(5),
  notEnoughCash: number(28),
  customerMissing: number(120),
  customerAlreadyGiven: number(7),
  nothingToCopy: number(50),
  notFound: number(50),
  emptyRange: number(50),
  dayNotClosed: number(91),
  noChangesLeft: number(94),
}
