/** What the books make of an operation. */

/** Why the books refuse. Each wire maps each of them to its family's own code; the list is closed. */
export type Refusal =
  // state
  | 'noReceiptOpen' | 'receiptOpen' | 'fiscalReceiptOpen' | 'nonFiscalReceiptOpen' | 'paymentStarted'
  | 'paymentNotStarted' | 'notFullyPaid' | 'alreadyPaid' | 'noSale' | 'wrongReceiptKind' | 'notFiscalised'
  | 'alreadyFiscalised' | 'taxRatesNotSet'
  // blocks
  | 'dayExpired' | 'fiscalMemoryFull' | 'journalFull' | 'clockNotSet' | 'clockBehind' | 'invoiceRangeUsedUp'
  | 'noPaper' | 'coverOpen' | 'noDisplay'
  // operators
  | 'operatorUnknown' | 'wrongPassword'
  // sales
  | 'taxGroupDisabled' | 'zeroRow' | 'rowTooLarge' | 'negativeRow' | 'negativeGroup' | 'receiptTooLarge'
  | 'tooManySales' | 'tooManyPayments' | 'nothingToVoid' | 'voidAfterSubtotalAdjustment' | 'secondSubtotalAdjustment'
  | 'adjustmentAboveTotal' | 'mixedGroups' | 'articleUnknown' | 'articleWithoutPrice' | 'articlePriceFixed'
  | 'articlePriceAboveMaximum' | 'articleHasTurnover' | 'articleNameExists' | 'articleBarcodeExists'
  | 'articleTableFull' | 'outOfStock' | 'departmentUnknown'
  // payments and cash
  | 'paymentModeUnknown' | 'paymentModeDisabled' | 'paymentTooLarge' | 'paymentZero' | 'totalZero' | 'notEnoughCash'
  // invoices
  | 'customerMissing' | 'customerAlreadyGiven'
  // reading back
  | 'nothingToCopy' | 'notFound' | 'emptyRange'
  // settings
  | 'dayNotClosed' | 'noChangesLeft' // biome-ignore format: one line a subject

/** Success with what the wire may want to tell, or the reason why nothing has changed. */
export type Outcome<T = void> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const refuse = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({ ok: false, refusal })
