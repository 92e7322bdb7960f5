import type { CommandName } from '../../drivers/family-b/protocol/index.ts'
import { type ByPhase, byPhase, type ReceiptPhase } from '../fiscal/phase.ts'
import type { Failure } from './context.ts'

/** What each command needs in each phase of the receipt, sheet 7 (fiscal-printer mode) and 9. */

type Cell = 'ok' | 'open' | 'closed' | 'begun'

/** 1.1 with 19 or 20; a sale after the first payment is no matter of 1.1 but error 6 (sheet 10.4). */
const FAILURES: Readonly<Record<Exclude<Cell, 'ok'>, Failure>> = {
  open: { channel: 'state', error: 19 },
  closed: { channel: 'state', error: 20 },
  begun: { channel: 'error', error: 6 },
}

type Row = ByPhase<Cell>
const row = byPhase<Cell>

const any = row('ok', 'ok', 'ok', 'ok', 'ok')
const between = row('ok', 'open', 'open', 'open', 'open')
const inNonFiscal = row('closed', 'ok', 'closed', 'closed', 'closed')
const inFiscal = row('closed', 'closed', 'ok', 'ok', 'ok')
const inAnyOpen = row('closed', 'ok', 'ok', 'ok', 'ok')
const whileSelling = row('closed', 'closed', 'ok', 'begun', 'begun')
const beforePayment = row('closed', 'closed', 'ok', 'closed', 'closed')
const untilPaid = row('closed', 'closed', 'ok', 'ok', 'closed')
const whenPaid = row('closed', 'closed', 'closed', 'closed', 'ok')

export interface Conditions {
  readonly states: Row
  /** Runs in fiscal-printer mode only (7). */
  readonly pcMode: boolean
  /** Refused without paper (13). */
  readonly prints: boolean
}

const on = (states: Row, ...more: readonly ('pcMode' | 'prints')[]): Conditions => ({
  states,
  pcMode: more.includes('pcMode'),
  prints: more.includes('prints'),
})

const QUIET = on(any)
const SETTING = on(between)
const DOCUMENT = on(between, 'pcMode', 'prints')
const SALE = on(whileSelling, 'pcMode', 'prints')

const TABLE: Readonly<Record<CommandName, Conditions>> = {
  displayClear: QUIET,
  displayUpper: QUIET,
  displayLower: QUIET,
  displayText: QUIET,
  displayClock: QUIET,
  displayRaw: QUIET,
  displayConversion: QUIET,
  displaySetUp: QUIET,
  openNonFiscal: DOCUMENT,
  nonFiscalText: on(inNonFiscal, 'pcMode', 'prints'),
  closeNonFiscal: on(inNonFiscal, 'pcMode', 'prints'),
  openFiscal: DOCUMENT,
  saleByPlu: SALE,
  sale: SALE,
  saleOnDisplay: SALE,
  saleByDepartment: SALE,
  subtotal: on(inFiscal, 'pcMode', 'prints'),
  payment: on(untilPaid, 'pcMode', 'prints'),
  fiscalText: on(inFiscal, 'pcMode', 'prints'),
  invoiceData: on(whenPaid, 'pcMode', 'prints'),
  closeFiscal: on(whenPaid, 'pcMode', 'prints'),
  cancelFiscal: on(beforePayment, 'pcMode', 'prints'),
  barcode: on(inAnyOpen, 'prints'),
  qrCode: on(inAnyOpen, 'prints'),
  readClock: QUIET,
  lastFiscalRecord: QUIET,
  daySums: QUIET,
  freeRecords: QUIET,
  status: QUIET,
  transactionStatus: QUIET,
  deviceInfo: QUIET,
  taxRates: QUIET,
  taxRatesByDate: DOCUMENT,
  taxNumber: QUIET,
  receiptSums: QUIET,
  dayPayments: QUIET,
  operatorInfo: QUIET,
  lastDocument: QUIET,
  lastDocumentQr: QUIET,
  firstUnsent: QUIET,
  shopFlags: QUIET,
  documentInfo: QUIET,
  constants: QUIET,
  errorText: QUIET,
  dailyReport: DOCUMENT,
  dailyReportWithArticles: DOCUMENT,
  archivedZ: QUIET,
  archivedZByDate: QUIET,
  memoryReportByNumber: DOCUMENT,
  memoryReportShortByNumber: DOCUMENT,
  memoryReportByDate: DOCUMENT,
  memoryReportShortByDate: DOCUMENT,
  memoryPassword: QUIET,
  operatorsReport: DOCUMENT,
  clearOperators: on(between, 'prints'),
  articlesReport: DOCUMENT,
  departmentsReport: DOCUMENT,
  parametersReport: DOCUMENT,
  diagnosticsReport: DOCUMENT,
  setClock: SETTING,
  // 10.8: with a receipt open the answer is `F`, not 1.1.
  cashInOut: on(any, 'pcMode', 'prints'),
  setTaxRates: SETTING,
  setPassword: SETTING,
  setOperatorName: SETTING,
  drawer: on(any, 'pcMode'),
  feed: on(any, 'pcMode', 'prints'),
  cut: on(any, 'pcMode', 'prints'),
  duplicate: DOCUMENT,
  printOptions: SETTING,
  texts: SETTING,
  parameters: SETTING,
  paymentNames: SETTING,
  article: SETTING,
  department: SETTING,
  reportAsText: QUIET,
  journalRead: QUIET,
}

/** Where options differ: asking is possible anywhere, changing only between receipts. */
export function conditionsOf(name: CommandName, ask: Readonly<Record<string, unknown>> | undefined): Conditions {
  const conditions = TABLE[name]
  if (!ask) return conditions
  switch (name) {
    case 'article':
      return ask['do'] === 'program' || ask['do'] === 'delete' ? conditions : QUIET
    case 'department':
    case 'texts':
    case 'parameters':
    case 'paymentNames':
      return ask['do'] === 'program' ? conditions : QUIET
    case 'printOptions':
      return ask['do'] === 'line' || ask['do'] === 'set' ? conditions : QUIET
    case 'subtotal': {
      const adjusts = ask['percent'] !== undefined || ask['netto'] !== undefined
      return { ...conditions, states: adjusts ? beforePayment : inFiscal, prints: ask['print'] === true }
    }
    case 'dailyReport':
    case 'dailyReportWithArticles':
      return ask['item'] === 6 || ask['item'] === 5 ? on(between, 'pcMode') : conditions
    case 'cashInOut':
      return ask['amount'] === 0 ? on(any, 'pcMode') : conditions
    default:
      return conditions
  }
}

/** Why the state of the receipt forbids it; undefined: it does not. */
export function stateFailure({ states }: Conditions, phase: ReceiptPhase): Failure | undefined {
  const cell = states[phase]
  return cell === 'ok' ? undefined : FAILURES[cell]
}
