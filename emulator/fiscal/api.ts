import type { Money } from '../../drivers/model/money.ts'
import type { Barcode, SeparatingLine, TextLine } from '../../drivers/model/receipt.ts'
import type { DrawingOperation } from '../print/operations.ts'
import type { BOOKS_FORMAT } from './tables.ts'
import type { Counters, DayTotals, DocumentKind, ZRecord } from './types/day.ts'
import type { Outcome } from './types/outcome.ts'
import type { Articles, Display, FiscalMemory, Journal, Mechanism, Refusals, Registers } from './types/parts.ts'
import type { PrintedStep } from './types/print-request.ts'
import type { DeviceNumbers, DeviceProfile } from './types/profile.ts'
import type {
  ArticleSaleIntent,
  CashIntent,
  CashResult,
  ClosedFiscal,
  CustomerData,
  OpenFiscal,
  OpenReceipt,
  PaymentIntent,
  PaymentResult,
  ReversalReason,
  Sale,
  SaleRow,
  SubtotalIntent,
  SubtotalResult,
} from './types/receipt.ts'
import type { ByTaxGroup } from './types/registers.ts'

export interface ResetOptions {
  readonly keep?: 'fiscalMemory'
  readonly fiscalised?: boolean
}

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
  /** Its battery is empty: the clock must be set again. */
  loseClock(): void
  readonly fiscalised: boolean
  fiscalise(serialNumber: string, taxNumber: string): Outcome
  /** As the works would: with the numbers of the profile, and its tax rates where none are set. */
  fiscaliseAsFactory(): Outcome
  /** The numbers that the wire reports; before fiscalisation those of such a device. */
  readonly numbers: DeviceNumbers

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
  reportZ(options?: { readonly onPaper?: boolean }): Outcome<ZRecord>
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
  /** What was asked for on that document; undefined: it came of something else. */
  courseOf(id: number): readonly PrintedStep[] | undefined
  /** The same documents without their content, oldest first. */
  documentHeads(query?: HeadQuery): readonly DocumentHead[]
  /** The paper of the receipt in hand, as far as it has left the printer; null: none is open. */
  readonly openPaper: OpenPaper | null
  /**
   * A new device, fiscalised unless the settings or `fiscalised` say otherwise; `keep` leaves fiscal memory, journal and
   * the running numbers as they are.
   */
  reset(options?: ResetOptions): void
  /** The whole state as one JSON document. */
  snapshot(): DeviceSnapshot
  /**
   * Takes such a document. Throws SnapshotError, with one sentence, and changes nothing when it does not fit. `tester`:
   * where fiscal memory or journal become others, a record of the fiscal memory says so.
   */
  restore(document: unknown, by?: 'tester' | 'rig'): void
  /** Closes the store; the device is of no use afterwards. */
  close(): void
}

/** The receipt in hand on paper: of the drawing, so many lines of text have been printed. */
export interface OpenPaper {
  readonly number: number
  readonly operations: readonly DrawingOperation[]
  readonly linesPrinted: number
}

/** What a receipt came to, closed or cancelled; absent: another document. */
interface ReceiptSum {
  readonly total?: Money
  /** In the order of the payments, each once. */
  readonly paymentModes?: readonly number[]
  /** Of a reversal. */
  readonly reversalReason?: ReversalReason
}

export interface HeadQuery {
  /** Only those with a greater id. */
  readonly after?: number
  /** Only those with a smaller one; of them the newest, where there is a limit. */
  readonly before?: number
  readonly limit?: number
  /** Only those with this text on paper. */
  readonly search?: string
}

/** What a list shows of a document. */
export interface DocumentHead extends Pick<PaperDocument, 'id' | 'kind' | 'number' | 'at'>, ReceiptSum {
  readonly zNumber?: number
}

/** A document as it left the printer. */
export interface PaperDocument extends ReceiptSum {
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
  readonly version: typeof BOOKS_FORMAT
  readonly family: string
  readonly profile: string
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>
}

export interface LastFiscal {
  readonly document: number
  /** The closure it belongs to, and the receipts of that closure up to it. */
  readonly closure?: number
  readonly receiptOfDay?: number
  readonly items: number
  readonly total: Money
  readonly paid: Money
  readonly change: Money
  readonly cancelled: boolean
  readonly invoice: boolean
  /** Of an invoice. */
  readonly invoiceNumber?: number
  readonly reversal: boolean
  readonly groups: ByTaxGroup<Money>
  readonly closedAt: number
  readonly payments: readonly { readonly mode: number; readonly amount: Money; readonly changeMode?: number }[]
}
