import type { Nibbles } from '../../drivers/family-c/protocol/errors.ts'
import type { CommandName } from '../../drivers/family-c/protocol/index.ts'
import type { FiscalDevice } from '../fiscal/api.ts'

/** States of the device and what each command answers in them (sheet 5.1). */
export const STATES = ['idle', 'nonfiscal', 'open', 'residue', 'paid'] as const
export type State = (typeof STATES)[number]

export function stateOf({ receipt }: Pick<FiscalDevice, 'receipt'>): State {
  if (receipt === null) return 'idle'
  if (receipt.kind === 'nonFiscal') return 'nonfiscal'
  const { payments, rest } = receipt.fiscal
  if (payments.length === 0) return 'open'
  return rest > 0 ? 'residue' : 'paid'
}

/** `34/32` and so on as the sheet writes them; `go` where the state allows the command. */
type Cell = 'go' | 0 | 4 | 5 | 6 | 7
const row = (...cells: readonly [Cell, Cell, Cell, Cell, Cell]) => cells

const RULES = {
  any: row('go', 'go', 'go', 'go', 'go'),
  between: row('go', 6, 4, 5, 7),
  closeNonFiscal: row(0, 'go', 4, 5, 7),
  sale: row(0, 6, 'go', 5, 7),
  payment: row(0, 6, 'go', 'go', 7),
  voidPayments: row(0, 6, 'go', 'go', 'go'),
  payAndClose: row(0, 6, 'go', 'go', 'go'),
  text: row(0, 'go', 'go', 'go', 'go'),
  closeFiscal: row(0, 6, 4, 5, 'go'),
  // c6: 38h closes a non-fiscal receipt too.
  closeEither: row(0, 'go', 4, 5, 'go'),
  // 4.4: idle or inside a non-fiscal receipt.
  barcode: row('go', 'go', 4, 5, 7),
} as const
export type StateRule = keyof typeof RULES

/** undefined: the command may go on. */
export function refusedBy(rule: StateRule, state: State): Nibbles | undefined {
  const cell = RULES[rule][STATES.indexOf(state)]
  return cell === undefined || cell === 'go' ? undefined : { device: cell, command: 2 }
}

/** What must be in order besides the state. The order in which it is asked is that of sheet 5.1. */
export type Need = 'memory' | 'clock' | 'day' | 'paper' | 'journal'

export interface Conduct {
  readonly rule: StateRule
  readonly needs: readonly Need[]
}

const quiet: Conduct = { rule: 'any', needs: [] }
const setting: Conduct = { rule: 'between', needs: [] }
const on = (rule: StateRule, ...needs: readonly Need[]): Conduct => ({ rule, needs })
const opening = on('between', 'memory', 'clock', 'day', 'paper', 'journal')
const selling = on('sale', 'memory', 'clock', 'day', 'paper')
const finishing = ['memory', 'clock', 'paper'] as const
const report = on('between', 'memory', 'clock', 'paper', 'journal')
// 5.3: reports of the fiscal memory are allowed even when it is full.
const memoryPrint = on('between', 'clock', 'paper')

/** Every command has its conduct: one that is missing here does not compile. */
export const CONDUCT: Readonly<Record<CommandName, Conduct>> = {
  status: quiet,
  deviceInfo: quiet,
  deviceNumbers: quiet,
  registration: quiet,
  readTaxRates: quiet,
  readDecimalPoint: quiet,
  readPayments: quiet,
  readParameters: quiet,
  printerStatus: quiet,
  readClock: quiet,
  readHeader: quiet,
  readOperator: quiet,
  readDepartment: quiet,
  readArticle: quiet,
  automaticZ: quiet,
  readInvoiceRange: quiet,
  customerBase: quiet,
  freeMemoryRecords: quiet,
  diagnostics: on('between', 'paper'),
  activeLogo: on('between', 'paper'),
  displayClear: quiet,
  displayUpper: quiet,
  displayLower: quiet,
  displayText: quiet,
  displayClock: quiet,
  cut: on('any', 'paper'),
  drawer: quiet,
  feed: on('any', 'paper'),
  printLogo: on('any', 'paper'),
  barcode: on('barcode', 'paper'),
  openNonFiscal: on('between', 'paper', 'journal'),
  closeNonFiscal: on('closeNonFiscal', 'paper'),
  fiscalText: on('text', 'paper'),
  nonFiscalText: on('text', 'paper'),
  openFiscal: opening,
  openReversal: opening,
  sale: selling,
  saleByPlu: selling,
  saleByDepartment: selling,
  saleOfFraction: selling,
  subtotal: selling,
  adjustment: selling,
  payment: on('payment', ...finishing),
  payAndClose: on('payAndClose', ...finishing),
  closeFiscal: on('closeFiscal', ...finishing),
  cancelFiscal: on('payAndClose', ...finishing),
  duplicate: on('between', 'paper', 'journal'),
  cashInOut: on('between', 'memory', 'clock', 'day', 'paper', 'journal'),
  reportX: report,
  reportZ: report,
  paperJournal: on('between', 'paper'),
  journalRead: on('between'),
  articleDailyReport: report,
  departmentReport: report,
  articleReport: report,
  operatorReport: report,
  memoryEvents: memoryPrint,
  memoryReport: memoryPrint,
  archivedZ: on('between', 'clock'),
  memoryReportBrief: memoryPrint,
  memoryReportByDate: memoryPrint,
  memoryReportByDateBrief: memoryPrint,
  serviceMode: setting,
  fiscalise: setting,
  setTaxRates: on('between', 'memory'),
  setDecimalPoint: setting,
  setPayment: setting,
  setParameters: setting,
  setDisplay: setting,
  setDepartment: setting,
  // It prints the new time.
  setClock: on('between', 'paper'),
  setHeader: setting,
  setOperator: setting,
  programArticle: setting,
  loadLogo: setting,
  loadLogoNumbered: setting,
  setInvoiceRange: setting,
  servicePassword: setting,
  daySums: quiet,
  dayRegisters: quiet,
  operatorRegisters: quiet,
  lastDocument: quiet,
  transactionStatus: quiet,
  receiptPayments: quiet,
  receiptCode: quiet,
  electronicReceipt: quiet,
  lastZ: quiet,
  memoryDump: quiet,
}
