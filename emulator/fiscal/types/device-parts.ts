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

/** Conditions that block a command. A method returns `undefined` if its condition does not apply. */
export interface Refusals {
  fiscalised(): Refusal | undefined
  operator(code: number, password: string): Refusal | undefined
  /** Refuses if 24 hours have passed since the first fiscal receipt after the last Z report. */
  day(): Refusal | undefined
  fiscalMemory(): Refusal | undefined
  journal(): Refusal | undefined
  clock(): Refusal | undefined
  print(): Refusal | undefined
  invoiceRange(): Refusal | undefined
}

/**
 * Settings of the device; every change is stored. `parameters` are specific to the family (command 255 of family A, 150
 * of family B, 65h of family C), as text.
 */
export interface Registers {
  readonly taxRates: ByTaxGroup<Percent | null>
  /**
   * Adds a record to the fiscal memory. Refuses if a receipt is open, if there are receipts since the last Z report, if
   * no change is left, or if the memory is full.
   */
  setTaxRates(rates: ByTaxGroup<Percent | null>): Outcome<{ changesLeft: number }>
  readonly header: readonly string[]
  setHeader(index: number, text: string): void
  /**
   * Writes the whole header, with a record in the fiscal memory. Refuses if there are receipts since the last Z report,
   * or if the memory is full.
   */
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
  groupTotals(number: number): RegisterTotals
  readonly invoiceRange: { readonly start: number; readonly end: number; readonly next: number } | null
  setInvoiceRange(range: { readonly start: number; readonly end: number }): void
  readonly taxNumber: string
  setTaxNumber(text: string): void
  /** Switches the training mode, in which receipts are printed as non-fiscal (sheet A 9.1). */
  setSchool(on: boolean): void
  parameter(name: string): string | undefined
  setParameter(name: string, value: string): void
  clearDepartmentTotals(): void
  clearOperatorTotals(from: number, to: number): void
}

export interface Articles {
  readonly count: number
  get(plu: number): Article | undefined
  byBarcode(code: string): Article | undefined
  /**
   * Refuses if the name or a barcode is in use and must be unique, if the table is full, or if the article has
   * turnover.
   */
  program(article: ProgrammedArticle): Outcome
  addStock(plu: number, quantity: Quantity): Outcome
  remove(from: number, to: number): Outcome<{ removed: number }>
  /** Returns the first programmed article whose number is at least (`down`: at most) `from`. */
  next(from: number, direction: 'up' | 'down', only?: 'sold'): Article | undefined
  nextFree(from: number, direction: 'up' | 'down'): number | undefined
  all(): IterableIterator<Article>
  clearTurnover(from: number, to: number): void
}

export interface FiscalMemory {
  readonly capacity: number
  readonly used: number
  readonly remaining: number
  /** Leaves room for this number of Z records. `undefined` restores the device's full capacity. */
  setRemaining(remaining: number | undefined): void
  z(number: number): ZRecord | undefined
  zs(from: number, to: number): readonly ZRecord[]
  /** Dates are `YYYY-MM-DD`, both inclusive. */
  zsByDate(from: string, to: string): readonly ZRecord[]
  readonly lastZ: ZRecord | undefined
  readonly grand: GrandTotals
  /** Time of the last record of any kind, except those of a tester. */
  readonly lastRecordAt: string | undefined
  events(): readonly FiscalMemoryEvent[]
  /** Avoids reading the Z records, of which there is one for each day. */
  eventsOf<Kind extends FiscalMemoryEvent['kind']>(kind: Kind): readonly FiscalMemoryEventOf<Kind>[]
}

export interface Journal {
  readonly lines: number
  readonly remaining: number
  /** Leaves room for this number of lines. `undefined` restores the device's full capacity. */
  setRemaining(remaining: number | undefined): void
  readonly last: JournalDocument | undefined
  documents(query: {
    readonly from?: number
    readonly to?: number
    readonly fromTime?: string
    readonly toTime?: string
    readonly fromZ?: number
    readonly toZ?: number
    readonly kinds?: readonly DocumentKind[]
  }): readonly JournalDocument[]
  linesOf(document: number): readonly string[]
  /** Bounds are line ids, both inclusive. */
  read(from?: number, to?: number, limit?: number): readonly JournalLine[]
  readDocument(document: number): readonly JournalLine[]
  /**
   * Returns the closed or cancelled fiscal receipt of a document, for wire protocols that report it by row (command 125
   * of family A).
   */
  receipt(document: number): FiscalReceipt | undefined
}

export interface Mechanism {
  readonly paper: PaperState
  readonly coverOpen: boolean
  setPaper(state: PaperState): void
  setCover(open: boolean): void
  /** True if lines wait for paper or a closed cover. Printing then continues automatically. */
  readonly blocked: boolean
  readonly canPrint: boolean
  /** Calls back each time that printing becomes possible again, after all waiting lines have been printed. */
  onUnblocked(call: () => void): void
  /**
   * Number of lines printed since this object was created. The lines of a command are the difference before and after
   * it.
   */
  readonly linesPrinted: number
}

export interface Display {
  readonly attached: boolean
  setAttached(attached: boolean): void
  readonly lines: readonly string[]
  /** Line 1 is the upper line. The text is padded with blanks. */
  show(line: number, text: string): void
  /** Shows these lines from the upper one on after `delayMs`, unless other lines are shown before. */
  showLater(delayMs: number, lines: readonly string[]): void
  showAmount(what: string, amount: Money): void
  clear(): void
  readonly history: readonly { readonly at: number; readonly lines: readonly string[] }[]
}
