import type { ErrorKey } from '../../drivers/family-a/protocol/errors.ts'
import type { CommandName } from '../../drivers/family-a/protocol/index.ts'
import { type ByPhase, byPhase } from '../fiscal/phase.ts'

/** Per phase of the receipt (sheet 5): may go on, or is refused with this code; the rest is its handler's matter. */
type Row = ByPhase<'ok' | ErrorKey>
const row = byPhase<'ok' | ErrorKey>

const anywhere = row('ok', 'ok', 'ok', 'ok', 'ok')
const betweenReceipts = row('ok', 'nonfiscalOpen', 'fiscalOpen', 'fiscalOpen', 'fiscalOpen')
const openers = row('ok', 'nonfiscalOpen', 'receiptOpen', 'receiptOpen', 'receiptOpen')
const inNonFiscal = row('receiptClosed', 'ok', 'fiscalOpen', 'fiscalOpen', 'fiscalOpen')
const beforePayment = row('receiptClosed', 'nonfiscalOpen', 'ok', 'paymentStarted', 'paymentStarted')
const inFiscal = row('receiptClosed', 'nonfiscalOpen', 'ok', 'ok', 'ok')
const inAny = row('receiptClosed', 'ok', 'ok', 'ok', 'ok')

export interface Conditions {
  readonly states: Row
  /** Refused without paper or with the cover open (sheet 8). */
  readonly prints: boolean
  /** Adds a document, so a full journal refuses it (sheet 8). */
  readonly documents: boolean
}

const on = (states: Row, ...more: readonly ('prints' | 'documents')[]): Conditions => ({
  states,
  prints: more.includes('prints'),
  documents: more.includes('documents'),
})

/** Display, queries and programming that leave receipts alone. */
const QUIET = on(anywhere)
const PRINTING_QUERY = on(betweenReceipts, 'prints', 'documents')
const SETTING = on(betweenReceipts)

const TABLE: Readonly<Record<CommandName, Conditions>> = {
  displayClear: QUIET,
  displayLower: QUIET,
  displayUpper: QUIET,
  showClock: QUIET,
  feed: on(anywhere, 'prints'),
  cut: on(anywhere, 'prints'),
  pcMode: QUIET,
  beep: QUIET,
  drawer: QUIET,
  openNonFiscal: on(row('ok', 'nonfiscalOpen', 'fiscalOpen', 'fiscalOpen', 'fiscalOpen'), 'prints', 'documents'),
  nonFiscalText: on(inNonFiscal, 'prints'),
  closeNonFiscal: on(inNonFiscal, 'prints'),
  fiscalText: on(inFiscal, 'prints'),
  barcode: on(inAny, 'prints'),
  separatingLine: on(inAny, 'prints'),
  rotatedText: on(betweenReceipts, 'prints', 'documents'),
  openFiscal: on(openers, 'prints', 'documents'),
  openReversal: on(openers, 'prints', 'documents'),
  sale: on(beforePayment, 'prints'),
  saleByPlu: on(beforePayment, 'prints'),
  subtotal: on(beforePayment, 'prints'),
  payment: on(row('receiptClosed', 'nonfiscalOpen', 'ok', 'ok', 'regNotPossible'), 'prints'),
  invoiceData: on(row('receiptClosed', 'nonfiscalOpen', 'paymentNotStarted', 'paymentNotStarted', 'ok'), 'prints'),
  closeFiscal: on(row('receiptClosed', 'nonfiscalOpen', 'paymentNotStarted', 'belowTotal', 'ok'), 'prints'),
  cancelFiscal: on(row('receiptClosed', 'nonfiscalOpen', 'ok', 'paymentStarted', 'paymentStarted'), 'prints'),
  duplicate: PRINTING_QUERY,
  cashInOut: PRINTING_QUERY,
  report: PRINTING_QUERY,
  memoryReportByDate: PRINTING_QUERY,
  memoryReport: PRINTING_QUERY,
  operatorsReport: PRINTING_QUERY,
  articlesReport: PRINTING_QUERY,
  lastClosure: QUIET,
  daySums: QUIET,
  closuresLeft: QUIET,
  lastFiscalRecord: QUIET,
  dayCounters: QUIET,
  operatorTotals: QUIET,
  groupTotals: QUIET,
  departmentTotals: QUIET,
  status: QUIET,
  transactionStatus: QUIET,
  currentReceipt: QUIET,
  errorText: QUIET,
  deviceInfo: QUIET,
  deviceDetails: QUIET,
  taxNumber: QUIET,
  modemInfo: QUIET,
  setClock: SETTING,
  readClock: QUIET,
  articles: QUIET,
  journalSearch: QUIET,
  journalRead: QUIET,
  taxRates: QUIET,
  setTaxRates: SETTING,
  headerLine: SETTING,
  invoiceRange: QUIET,
  setSerial: SETTING,
  fiscalise: SETTING,
  setTaxNumber: SETTING,
  operatorPassword: SETTING,
  softwarePassword: QUIET,
  memoryTest: QUIET,
  readMemory: QUIET,
  logo: SETTING,
  stampPicture: SETTING,
  stamp: on(betweenReceipts, 'prints', 'documents'),
  modemTest: QUIET,
  clients: QUIET,
  service: QUIET,
  cardTerminal: QUIET,
  parameter: QUIET,
}

/** Settings of print and sound may change inside a receipt; what is printed on it or counted may not. */
const FREE_PARAMETERS =
  /^(PrnQuality|BarCodeHeight|BarcodeName|AutoPaperCutting|PaperCuttingType|TimeOutBeforePrintFlush|AutoPowerOff)$/

/** Commands whose options differ: reading is possible anywhere, printing and programming only between receipts. */
export function conditionsOf(name: CommandName, ask: Readonly<Record<string, unknown>> | undefined): Conditions {
  const conditions = TABLE[name]
  if (!ask) return conditions
  switch (name) {
    case 'articles':
      return /^[PAD]$/.test(String(ask['option'])) ? SETTING : QUIET
    case 'clients':
      return /^[PD]$/.test(String(ask['option'])) ? SETTING : QUIET
    case 'journalRead':
      return ask['option'] === '3' ? PRINTING_QUERY : QUIET
    case 'parameter':
      return ask['value'] === undefined || FREE_PARAMETERS.test(String(ask['name'])) ? QUIET : SETTING
    case 'invoiceRange':
      return ask['first'] === undefined ? QUIET : SETTING
    case 'groupTotals':
    case 'departmentTotals':
      return ask['number'] === undefined ? PRINTING_QUERY : QUIET
    case 'modemInfo':
      return ask['kind'] === undefined || ask['kind'] === 'print' || ask['kind'] === 'printServer'
        ? PRINTING_QUERY
        : QUIET
    case 'stamp':
      return ask['action'] === 'rename' ? SETTING : conditions
    case 'cashInOut':
      return (ask['amount'] ?? 0) === 0 ? on(betweenReceipts) : conditions
    case 'subtotal':
      return ask['print'] === true ? conditions : on(beforePayment)
    default:
      return conditions
  }
}
