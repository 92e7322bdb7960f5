import type { Money, Percent, Quantity } from '../../../drivers/model/money.ts'
import type {
  DocumentKind,
  FiscalMemoryEvent,
  FiscalMemoryEventOf,
  GrandTotals,
  JournalDocument,
  JournalLine,
  ZRecord,
} from './day.ts'
import type { PaperState } from './events.ts'
import type { Outcome, Refusal } from './outcome.ts'
import type { FiscalReceipt } from './receipt.ts'
import type {
  Article,
  ByTaxGroup,
  Department,
  OperatorRecord,
  OperatorTotals,
  ProgrammedArticle,
  RegisterTotals,
} from './registers.ts'

/** The parts of a device, as its wire sees them. */

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
  /** The whole header, with a record in the fiscal memory. Refused with sales since the last Z, or without room. */
  writeHeader(lines: readonly string[]): Outcome
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
  /** In school nothing is printed as fiscal (A 9.1). */
  setSchool(on: boolean): void
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
  readonly remaining: number
  /** Leaves room for this number of daily closures; `undefined`: all that the device has. */
  setRemaining(left: number | undefined): void
  z(number: number): ZRecord | undefined
  zs(from: number, to: number): readonly ZRecord[]
  /** Dates as `YYYY-MM-DD`, inclusive. */
  zsByDate(from: string, to: string): readonly ZRecord[]
  readonly lastZ: ZRecord | undefined
  /** Over all closures. */
  readonly grand: GrandTotals
  /** Time of the last record of any kind. */
  readonly lastRecordAt: string | undefined
  /** All records, oldest first: closures and rare events. */
  events(): readonly FiscalMemoryEvent[]
  /** Those of one kind, without a look at the closures, of which there is one for each day of the device's life. */
  eventsOf<Kind extends FiscalMemoryEvent['kind']>(kind: Kind): readonly FiscalMemoryEventOf<Kind>[]
}

export interface Journal {
  readonly lines: number
  readonly remaining: number
  /** Leaves room for this number of lines; `undefined`: all that the device has. */
  setRemaining(left: number | undefined): void
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
  /** Lines by their ids, both bounds included; at most `limit`. */
  read(from?: number, to?: number, limit?: number): readonly JournalLine[]
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
  /** What it is on the upper line, and how much on the lower one. */
  showAmount(what: string, amount: Money): void
  clear(): void
  readonly history: readonly { readonly at: number; readonly lines: readonly string[] }[]
}
