import type { Money, Percent, Quantity } from '../../drivers/model/money.ts'
import type { Barcode, SeparatingLine, TaxCode, TextLine } from '../../drivers/model/receipt.ts'
import type { DrawingOperation } from '../print/operations.ts'
import type {
  Article,
  ArticleSaleIntent,
  ByTaxGroup,
  CashIntent,
  CashResult,
  ClosedFiscal,
  Counted,
  Counters,
  CustomerData,
  DayTotals,
  Department,
  DeviceProfile,
  DocumentKind,
  FiscalMemoryEvent,
  FiscalReceipt,
  GrandTotals,
  JournalDocument,
  JournalLine,
  OpenFiscal,
  OpenReceipt,
  OperatorRecord,
  OperatorTotals,
  Outcome,
  PaperState,
  PaymentIntent,
  PaymentResult,
  ProgrammedArticle,
  Refusal,
  RegisterTotals,
  Sale,
  SaleRow,
  SubtotalIntent,
  SubtotalResult,
  ZRecord,
} from './types.ts'

/**
 * The device without its wire: books, registers, paper, display. Synchronous; every operation either does the whole of
 * what it says (in memory and in the store) or refuses and changes nothing.
 *
 * Operations check what belongs to the books: receipt state and values. What a family checks in an order of its own
 * (password, paper, 24 hours, full memory) are the questions of `refusals`, asked by the wire first.
 */
export interface FiscalDevice {
  readonly profile: DeviceProfile
  readonly refusals: Refusals
  readonly registers: Registers
  readonly articles: Articles
  readonly memory: FiscalMemory
  readonly journal: Journal
  readonly mechanism: Mechanism
  readonly display: Display

  // what stands
  readonly receipt: OpenReceipt | null
  /** The last fiscal receipt closed or cancelled; its values stay readable (A 76, B 76, C 72h). */
  readonly lastFiscal: LastFiscal | null
  readonly day: DayTotals
  readonly counters: Counters
  /** Device time in ms; local wall time is `localTime()`. */
  now(): number
  /** `YYYY-MM-DDThh:mm:ss` of the device's own wall clock (UTC in the simulation: no time zones in a fiscal device). */
  localTime(at?: number): string
  readonly clockSet: boolean
  /** Refused when it lies before the last record of the fiscal memory or, on B, before the last document. */
  setClock(local: string): Outcome
  readonly fiscalised: boolean
  fiscalise(serialNumber: string, taxNumber: string): Outcome

  // non-fiscal receipt
  openNonFiscal(opening?: {
    readonly operator?: number
    readonly header?: boolean
    readonly postponed?: boolean
  }): Outcome<{ document: number }>
  closeNonFiscal(): Outcome<{ document: number }>

  // fiscal receipt
  openFiscal(opening: OpenFiscal): Outcome<{ document: number; invoiceNumber?: number }>
  sell(sale: Sale): Outcome<SaleRow>
  sellArticle(sale: ArticleSaleIntent): Outcome<SaleRow>
  subtotal(request: SubtotalIntent): Outcome<SubtotalResult>
  pay(payment: PaymentIntent): Outcome<PaymentResult>
  /** C 35h `-`: takes all payments back. */
  voidPayments(): Outcome
  setCustomer(customer: CustomerData): Outcome
  closeFiscal(): Outcome<ClosedFiscal>
  /** Voids everything and ends the receipt: a document of kind `cancelled`, no turnover. */
  cancelFiscal(): Outcome<ClosedFiscal>

  // in any open receipt (the wire decides which kind it allows)
  printText(line: TextLine): Outcome
  printBarcode(barcode: Barcode, label: string): Outcome
  printSeparator(style: SeparatingLine | 'nothingDue'): Outcome
  feed(lines: number): void
  cut(): void
  openDrawer(): void

  // between receipts
  cashInOut(cash: CashIntent): Outcome<CashResult>
  reportX(): Outcome<ZRecord>
  /** `printed: false`: into fiscal memory and journal, and not on paper (B 10.7, C 4.1). */
  reportZ(options?: { readonly printed?: boolean }): Outcome<ZRecord>
  copyLastReceipt(): Outcome<{ document: number }>
  /** A report made by the wire (departments, operators, items, fiscal memory): a document of the given kind. */
  printReport(kind: DocumentKind, lines: readonly TextLine[]): Outcome<{ document: number }>
  /** Prints fiscal memory records from to, short or with their sums. */
  printMemoryReport(from: number, to: number, detailed: boolean): Outcome<{ document: number }>
  /** The lines such a report would have, for wires that send it instead. */
  memoryReportLines(from: number, to: number, detailed: boolean): readonly string[]

  // what a hand or an accident does
  /** The RAM is gone: day totals and registers as from the factory, clock not set; fiscal memory and journal stay. */
  resetRam(): void
  /** The power came back: what was half done is as the store has it. Called by the device loop after a power cut. */
  powerOn(): void

  // the whole device
  /** Printed documents, oldest first, those with an id above `after`; at most `limit` of them. */
  documents(after?: number, limit?: number): readonly PaperDocument[]
  document(id: number): PaperDocument | undefined
  /** The same documents without their content, oldest first; `search`: only those with this text on paper. */
  documentHeads(query?: { readonly after?: number; readonly search?: string }): readonly DocumentHead[]
  /** The paper of the receipt in hand, as far as it has left the printer; null: none is open. */
  readonly openPaper: OpenPaper | null
  /** A new, fiscalised device; `keep` leaves fiscal memory, journal and the running numbers as they are. */
  reset(options?: { readonly keep?: 'fiscalMemory' }): void
  /** The whole state as one JSON document. */
  snapshot(): DeviceSnapshot
  /** Takes such a document. Throws SnapshotError, with one sentence, and changes nothing when it does not fit. */
  restore(document: unknown): void
  /** Closes the store; the device is of no use afterwards. */
  close(): void
}

/** The receipt in hand on paper: of the drawing, so many lines of text have been printed. */
export interface OpenPaper {
  readonly number: number
  readonly operations: readonly DrawingOperation[]
  readonly printed: number
}

/** What a list shows of a document. */
export interface DocumentHead extends Pick<PaperDocument, 'id' | 'kind' | 'number' | 'at'> {
  readonly zNumber?: number
}

/** A document as it left the printer. */
export interface PaperDocument {
  readonly id: number
  readonly kind: DocumentKind
  /** The device's running document number. */
  readonly number: number
  /** Of a Z report: the number of the closure. */
  readonly zNumber?: number
  /** Device local time. */
  readonly at: string
  readonly text: readonly string[]
  readonly operations: readonly DrawingOperation[]
}

export interface DeviceSnapshot {
  readonly format: 'fiscal-rig device'
  readonly version: 1
  readonly family: string
  readonly profile: string
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>
}

export interface LastFiscal {
  readonly document: number
  readonly items: number
  readonly total: Money
  readonly paid: Money
  readonly change: Money
  readonly cancelled: boolean
  readonly invoice: boolean
  readonly reversal: boolean
  readonly groups: ByTaxGroup<Money>
  readonly closedAt: number
  readonly payments: readonly { readonly mode: number; readonly amount: Money; readonly changeMode?: number }[]
}

/** Each answers undefined when nothing stands in the way. */
export interface Refusals {
  fiscalised(): Refusal | undefined
  operator(code: number, password: string): Refusal | undefined
  /** 24 hours have passed since the first fiscal receipt after the last Z. */
  day(): Refusal | undefined
  fiscalMemory(): Refusal | undefined
  journal(): Refusal | undefined
  clock(): Refusal | undefined
  /** Paper and cover. */
  print(): Refusal | undefined
  invoiceRange(): Refusal | undefined
}

/** Settings; every change is kept. `parameters` are the family's own (A 255, B 150, C 65h), as text. */
export interface Registers {
  readonly taxRates: ByTaxGroup<Percent | null>
  /** Writes a record to the fiscal memory. Refused with sales since the last Z, when no change is left, or no room. */
  setTaxRates(rates: ByTaxGroup<Percent | null>): Outcome<{ changesLeft: number }>
  readonly header: readonly string[]
  setHeader(index: number, text: string): void
  readonly footer: readonly string[]
  setFooter(index: number, text: string): void
  operator(code: number): OperatorRecord | undefined
  setOperator(operator: OperatorRecord): void
  operatorTotals(code: number): OperatorTotals
  readonly payments: readonly { readonly mode: number; readonly name: string; readonly enabled: boolean }[]
  setPayment(mode: number, change: { readonly name?: string; readonly enabled?: boolean }): void
  department(number: number): Department
  setDepartment(department: Department): void
  departmentTotals(number: number): RegisterTotals
  /** Item groups (A 87). */
  groupTotals(number: number): RegisterTotals
  readonly invoiceRange: { readonly start: number; readonly end: number; readonly next: number } | null
  setInvoiceRange(range: { readonly start: number; readonly end: number }): void
  readonly taxNumber: string
  setTaxNumber(text: string): void
  parameter(name: string): string | undefined
  setParameter(name: string, value: string): void
  /** Clears the totals of all departments (C 76h). */
  clearDepartmentTotals(): void
  /** Clears the totals of operators (A 105, C 7Dh) or of articles (A 111, C 7Eh). */
  clearOperatorTotals(from: number, to: number): void
}

export interface Articles {
  readonly count: number
  get(plu: number): Article | undefined
  /** By one of its barcodes. */
  byBarcode(code: string): Article | undefined
  /** Refused: name or barcode taken, table full, article with turnover changed. */
  program(article: ProgrammedArticle): Outcome
  addStock(plu: number, quantity: Quantity): Outcome
  remove(from: number, to: number): Outcome<{ removed: number }>
  /** The first programmed article with a number of at least (or, downward, at most) this one. */
  next(from: number, direction: 'up' | 'down', only?: 'sold'): Article | undefined
  /** The first free number from here on. */
  nextFree(from: number, direction: 'up' | 'down'): number | undefined
  all(): IterableIterator<Article>
  clearTurnover(from: number, to: number): void
}

export interface FiscalMemory {
  readonly capacity: number
  readonly used: number
  readonly left: number
  z(number: number): ZRecord | undefined
  zs(from: number, to: number): readonly ZRecord[]
  /** Dates as `YYYY-MM-DD`, inclusive. */
  zsByDate(from: string, to: string): readonly ZRecord[]
  readonly lastZ: ZRecord | undefined
  /** Over all closures. */
  readonly grand: GrandTotals
  /** Time of the last record of any kind. */
  readonly lastRecordAt: string | undefined
  events(): readonly FiscalMemoryEvent[]
}

export interface Journal {
  readonly lines: number
  readonly left: number
  /** The newest document. */
  readonly last: JournalDocument | undefined
  /** Documents by number, of the given kinds; the wire knows its own kind numbers. */
  documents(query: {
    readonly from?: number
    readonly to?: number
    readonly fromTime?: string
    readonly toTime?: string
    readonly fromZ?: number
    readonly toZ?: number
    readonly kinds?: readonly DocumentKind[]
  }): readonly JournalDocument[]
  /** The lines of one document, as printed. */
  linesOf(document: number): readonly string[]
  read(from?: number, to?: number): readonly JournalLine[]
  /** The lines of one document with their links in the chain. */
  readDocument(document: number): readonly JournalLine[]
  /** The fiscal receipt of a document as it was closed or cancelled, for wires that give it row by row (A 125/8). */
  receipt(document: number): FiscalReceipt | undefined
}

export interface Mechanism {
  readonly paper: PaperState
  readonly coverOpen: boolean
  setPaper(state: PaperState): void
  setCover(open: boolean): void
  /** Lines wait for paper or for the cover: what is printing stopped half-way and goes on by itself afterwards. */
  readonly blocked: boolean
  /** There is paper and the cover is closed. */
  readonly canPrint: boolean
  /** Calls back each time when it can print (again), and everything that waited has been printed. */
  onUnblocked(call: () => void): void
  /** Lines that left the printer since the device was made; a command's share is the difference. */
  readonly linesPrinted: number
}

export interface Display {
  readonly attached: boolean
  setAttached(attached: boolean): void
  readonly lines: readonly string[]
  /** Line 1 is the upper one; shorter text leaves the rest of the line blank. */
  show(line: number, text: string): void
  /** Shows these lines from the upper one on, unless something else is shown before. */
  showLater(delayMs: number, lines: readonly string[]): void
  clear(): void
  readonly history: readonly { readonly at: number; readonly lines: readonly string[] }[]
}

export type { Counted, TaxCode }
