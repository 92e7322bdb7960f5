import type { Nibbles } from '../../drivers/family-c/protocol/errors.ts'
import type { AskOf, CommandName } from '../../drivers/family-c/protocol/index.ts'
import { byPhase, type ReceiptPhase } from '../fiscal/phase.ts'

/** What each command answers in each phase of the receipt (sheet 5.1): `34/32` and so on; `go` where it is allowed. */
type Cell = 'go' | 0 | 4 | 5 | 6 | 7
const row = byPhase<Cell>

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
export function refusedBy(rule: StateRule, phase: ReceiptPhase): Nibbles | undefined {
  const cell = RULES[rule][phase]
  return cell === 'go' ? undefined : { device: cell, command: 2 }
}

/** What must be in order besides the state. The order in which it is asked is that of sheet 5.1. */
export type Need = 'memory' | 'clock' | 'day' | 'paper' | 'journal'

export interface Conduct {
  readonly rule: StateRule
  readonly needs: readonly Need[]
}

const quiet: Conduct = { rule: 'any', needs: [] }
const on = (rule: StateRule, ...needs: readonly Need[]): Conduct => ({ rule, needs })
// 5.3: while the clock is lost only what reads goes on, and 48h that sets it.
const setting = on('between', 'clock')
const service = on('between', 'clock', 'paper')
const opening = on('between', 'memory', 'clock', 'day', 'paper', 'journal')
const selling = on('sale', 'memory', 'clock', 'day', 'paper')
// 5.3: after 24 hours a receipt is not opened and nothing more is sold; what is in hand is finished.
const adjusting = on('sale', 'memory', 'clock', 'paper')
const finishing = ['memory', 'clock', 'paper'] as const
const report = on('between', 'memory', 'clock', 'paper', 'journal')
// 5.3: reports of the fiscal memory are allowed even when it is full.
const memoryPrint = on('between', 'clock', 'paper')

/** Every command has its conduct: one that is missing here does not compile. */
const CONDUCT: Readonly<Record<CommandName, Conduct>> = {
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
  diagnostics: service,
  activeLogo: service,
  displayClear: quiet,
  displayUpper: quiet,
  displayLower: quiet,
  displayText: quiet,
  displayClock: quiet,
  cut: on('any', 'paper'),
  drawer: quiet,
  feed: on('any', 'paper'),
  printLogo: on('any', 'clock', 'paper'),
  barcode: on('barcode', 'clock', 'paper'),
  openNonFiscal: on('between', 'clock', 'paper', 'journal'),
  closeNonFiscal: on('closeNonFiscal', 'clock', 'paper'),
  fiscalText: on('text', 'clock', 'paper'),
  nonFiscalText: on('text', 'clock', 'paper'),
  openFiscal: opening,
  openReversal: opening,
  sale: selling,
  saleByPlu: selling,
  saleByDepartment: selling,
  saleOfFraction: selling,
  subtotal: adjusting,
  adjustment: adjusting,
  payment: on('payment', ...finishing),
  payAndClose: on('payAndClose', ...finishing),
  closeFiscal: on('closeFiscal', ...finishing),
  cancelFiscal: on('payAndClose', ...finishing),
  duplicate: on('between', 'clock', 'paper', 'journal'),
  cashInOut: on('between', 'memory', 'clock', 'day', 'paper', 'journal'),
  reportX: report,
  reportZ: report,
  paperJournal: service,
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
  setTaxRates: on('between', 'memory', 'clock'),
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

type Asked = { readonly [Name in CommandName]?: (ask: AskOf<Name>) => Conduct | undefined }

/** Leaves no paper: it goes to the host or to a medium. */
const stored = ({ storage }: { readonly storage?: string }): Conduct | undefined =>
  storage === undefined ? undefined : on('between', 'clock')

/** Where the data decide what a command does; undefined: as above. */
const BY_DATA: Asked = {
  // With a change it prints whatever its flag says (sheet 4.9).
  subtotal: ({ print, percent, value }) => (print || percent || value ? undefined : on('sale', 'memory', 'clock')),
  automaticZ: ({ option }) => (option === 'R' ? undefined : on('any', 'clock')),
  customerBase: ({ option }) => (option === 'R' ? undefined : option === 'P' ? setting : service),
  journalRead: ({ target }) => (target === '1' ? service : undefined),
  memoryReport: stored,
  memoryReportBrief: stored,
  memoryReportByDate: stored,
  memoryReportByDateBrief: stored,
}

/** `ask` undefined: its data could not be read. */
export function conductOf(name: CommandName, ask: unknown): Conduct {
  const byData = BY_DATA[name] as ((ask: unknown) => Conduct | undefined) | undefined
  return (ask === undefined ? undefined : byData?.(ask)) ?? CONDUCT[name]
}
