/** Meanings of the refusals of family A (sheet 4.2), in the terms of drivers/model/refusals.ts. */
import type { RefusalTable } from '../model/refusals.ts'

export const REFUSALS: RefusalTable = [
  { key: 'receiptClosed', means: 'state', phase: 'idle' },
  { key: 'receiptOpen', means: 'state', phase: 'selling' },
  { key: 'fiscalOpen', means: 'state', phase: 'selling' },
  { key: 'nonfiscalOpen', means: 'state', phase: 'nonFiscal' },
  { key: 'paymentStarted', means: 'state', phase: 'paying' },
  { key: 'paymentNotStarted', means: 'state', phase: 'selling' },
  { key: 'belowTotal', means: 'state', phase: 'paying' },
  { key: 'regNotPossible', means: 'state' },
  { key: 'noTransactions', means: 'nothingSold' },
  { key: 'pluNotFound', means: 'articleUnknown' },
  // A number that no article can have. The code names only the place of the field.
  { key: 'valueField1', operations: ['sellArticle'], means: 'articleUnknown' },
  { key: 'valueField1', operations: ['openFiscal', 'openNonFiscal'], means: 'operatorUnknown' },
  { key: 'outOfStock', means: 'stockTooSmall' },
  { key: 'lineNotFound', means: 'notSold' },
  { key: 'rowZero', means: 'zeroRow' },
  { key: 'vatForbidden', means: 'taxGroupOff' },
  { key: 'qtyPriceOverflow', means: 'tooLarge' },
  { key: 'valueBad', adjusted: true, means: 'discountTooLarge' },
  { key: 'payTooMuch', means: 'payTooMuch' },
  { key: 'ejNoRecords', operations: ['copy'], means: 'nothingToCopy' },
  { key: 'ejFull', means: 'journalFull' },
  { key: 'wrongPassword', means: 'wrongPassword' },
  { key: 'noDisplay', means: 'noDisplay' },
  { key: 'notFiscalised', means: 'notFiscalised' },
  { key: 'day24h', means: 'dayExpired' },
  { key: 'fmFull', means: 'memoryFull' },
  { key: 'fmFailure', means: 'memoryFull' },
]
