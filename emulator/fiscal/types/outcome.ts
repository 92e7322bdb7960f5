export type Refusal =
  | 'noReceiptOpen' | 'receiptOpen' | 'fiscalReceiptOpen' | 'nonFiscalReceiptOpen' | 'paymentStarted'
  | 'paymentNotStarted' | 'notFullyPaid' | 'alreadyPaid' | 'noSale' | 'wrongReceiptKind' | 'notFiscalised'
  | 'alreadyFiscalised' | 'taxRatesNotSet'
  | 'dayExpired' | 'fiscalMemoryFull' | 'journalFull' | 'clockNotSet' | 'clockBehind' | 'invoiceRangeUsedUp'
  | 'noPaper' | 'coverOpen' | 'noDisplay'
  | 'operatorUnknown' | 'wrongPassword'
  | 'taxGroupDisabled' | 'zeroRow' | 'rowTooLarge' | 'negativeRow' | 'negativeGroup' | 'receiptTooLarge'
  | 'tooManySales' | 'tooManyPayments' | 'nothingToVoid' | 'voidAfterSubtotalAdjustment' | 'secondSubtotalAdjustment'
  | 'adjustmentAboveTotal' | 'mixedGroups' | 'articleUnknown' | 'articleWithoutPrice' | 'articlePriceFixed'
  | 'articlePriceAboveMaximum' | 'articleHasTurnover' | 'articleNameExists' | 'articleBarcodeExists'
  | 'articleTableFull' | 'outOfStock' | 'departmentUnknown'
  | 'paymentModeUnknown' | 'paymentModeDisabled' | 'paymentTooLarge' | 'paymentZero' | 'totalZero' | 'notEnoughCash'
  | 'customerMissing' | 'customerAlreadyGiven'
  | 'nothingToCopy' | 'notFound' | 'emptyRange'
  | 'dayNotClosed' | 'noChangesLeft' // biome-ignore format: one line a subject

/** After a refusal, nothing was changed. */
export type Outcome<T = void> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const refuse = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({ ok: false, refusal })
