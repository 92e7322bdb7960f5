/** Meanings of the refusals of family C (sheet 2.3), in the terms of drivers/model/refusals.ts. */
import type { RefusalTable } from '../model/refusals.ts'

export const REFUSALS: RefusalTable = [
  { key: 'notAllowedNow', means: 'state' },
  { key: 'fiscalReceiptOpen', means: 'state', phase: 'selling' },
  { key: 'residue', means: 'state', phase: 'paying' },
  { key: 'paidNotClosed', means: 'state', phase: 'paid' },
  { key: 'nonFiscalReceiptOpen', means: 'state', phase: 'nonFiscal' },
  { key: 'syntax', operations: ['sellArticle'], means: 'articleUnknown' },
  { key: 'syntax', operations: ['openFiscal', 'openNonFiscal'], means: 'operatorUnknown' },
  { key: 'nothingToCorrect', means: 'notSold' },
  { key: 'valueZero', operations: ['sell', 'sellArticle'], means: 'zeroRow' },
  { key: 'taxConflict', means: 'taxGroupOff' },
  { key: 'registerOverflow', means: 'tooLarge' },
  { key: 'valueTooLarge', adjusted: true, means: 'discountTooLarge' },
  { key: 'valueTooLarge', operations: ['sell', 'sellArticle'], means: 'tooLarge' },
  { key: 'notEnoughMoney', means: 'notEnoughCash' },
  { key: 'insufficientConditions', operations: ['copy'], means: 'copyRefused' },
  { key: 'wrongPassword', means: 'wrongPassword' },
  { key: 'displayMissing', means: 'noDisplay' },
  { key: 'clock', means: 'clockNotSet' },
  { key: 'dayExpired', means: 'dayExpired' },
  { key: 'fiscalMemory', means: 'memoryFull' },
  { key: 'journalFull', means: 'journalFull' },
]
