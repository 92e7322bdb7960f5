import type { Refusal } from '../fiscal/types/outcome.ts'

const REASONS: Partial<Record<Refusal, string>> = {
  clockBehind: 'the device accepts no time before its last record',
  receiptOpen: 'a receipt is open: close or cancel it',
  fiscalReceiptOpen: 'a receipt is open: close or cancel it',
  nonFiscalReceiptOpen: 'a receipt is open: close or cancel it',
  dayNotClosed: 'a Z report is needed first: print one',
  dayExpired: '24 hours have passed since the first receipt: print a Z report first',
  noPaper: 'there is no paper: load a new roll',
  coverOpen: 'the cover is open: close it',
  clockNotSet: 'the clock is not set: set it',
  notFiscalised: 'the device is not fiscalised',
  fiscalMemoryFull: 'the fiscal memory is full',
  journalFull: 'the electronic journal is full',
  articleHasTurnover:
    'the article has turnover, and the device changes it only after a report of articles that clears the turnovers. Such a report is a command of the wire protocol; a reset of the device clears them, too',
  articleNameExists: 'another article has this name: choose another name',
  articleBarcodeExists: 'another article has this barcode: choose another one',
  articleTableFull: 'the table of articles is full: delete an article',
}

export const refusalText = (refusal: Refusal): string => REASONS[refusal] ?? `the device refuses it (${refusal})`
