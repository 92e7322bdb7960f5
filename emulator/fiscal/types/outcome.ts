/** The reason of a refusal. Each wire protocol maps every reason to an error code of its family. */
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

/** Success with the values that the wire protocol may report, or the reason why nothing was changed. */
export type Outcome<T = void> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const refuse = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({ ok: false, refusal })
