import type { Refusal } from '../fiscal/types/outcome.ts'

const REASONS: Partial<Record<Refusal, string>> = {
  clockBehind: 'the device accepts no time before its last record',
  receiptOpen: 'a receipt is open',
  fiscalReceiptOpen: 'a receipt is open',
  nonFiscalReceiptOpen: 'a receipt is open',
  dayNotClosed: 'a Z report is needed first',
  dayExpired: '24 hours have passed since the first receipt: a Z report is needed first',
  noPaper: 'there is no paper',
  coverOpen: 'the cover is open',
  clockNotSet: 'the clock is not set',
  notFiscalised: 'the device is not fiscalised',
  fiscalMemoryFull: 'the fiscal memory is full',
  journalFull: 'the electronic journal is full',
  articleHasTurnover:
    'the article has turnover, and the device changes it only after a report of articles that clears the turnovers. Such a report is a command of the wire protocol; a reset of the device clears them, too',
  articleNameExists: 'another article has this name',
  articleBarcodeExists: 'another article has this barcode',
  articleTableFull: 'the table of articles is full',
}

export const refusalText = (refusal: Refusal): string => REASONS[refusal] ?? `the device refuses it (${refusal})`
