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
 * The device without its wire protocol: books, registers, paper, display. Synchronous; every operation either does
 * everything that it describes (in memory and in the store) or refuses and changes nothing.
 *
 * Operations check conditions of the books: receipt state and values. Conditions whose order differs by family
 * (password, paper, 24 hours, full memory) are methods of `refusals`, which the wire protocol calls first.
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

  // current state
  readonly receipt: OpenReceipt | null
  /** The last fiscal receipt that was closed or cancelled. Its values remain readable (A 76, B 76, C 72h). */
  readonly lastFiscal: LastFiscal | null
  readonly day: DayTotals
  readonly counters: Counters
  /** Returns the device time in ms. */
  now(): number
  /**
   * Returns `YYYY-MM-DDThh:mm:ss` of the device's wall clock (UTC in the simulation: a fiscal device has no time
   * zones).
   */
  localTime(at?: number): string
  readonly clockSet: boolean
  /**
   * Time of the last record of the fiscal memory or, on B, of the last document if it is later; `undefined` if there is
   * none.
   */
  readonly earliestClock: string | undefined
  /** Refuses a time before `earliestClock`. */
  setClock(local: string): Outcome
  /** Simulates an empty clock battery: the clock must be set again. */
  loseClock(): void
  readonly fiscalised: boolean
  fiscalise(serialNumber: string, taxNumber: string): Outcome
  /** Fiscalises with the numbers of the profile, and with the profile's tax rates if none are set. */
  fiscaliseAsFactory(): Outcome
  /**
   * The numbers that the wire protocol reports. Before fiscalisation, these are the numbers of a device that is not
   * fiscalised.
   */
  readonly numbers: DeviceNumbers

  openNonFiscal(opening?: {
    readonly operator?: number
    readonly header?: boolean
    readonly postponed?: boolean
  }): Outcome<{ document: number }>
  closeNonFiscal(): Outcome<{ document: number }>

  openFiscal(opening: OpenFiscal): Outcome<{ document: number; invoiceNumber?: number }>
  sell(sale: Sale): Outcome<SaleRow>
  sellArticle(sale: ArticleSaleIntent): Outcome<SaleRow>
  subtotal(request: SubtotalIntent): Outcome<SubtotalResult>
  pay(payment: PaymentIntent): Outcome<PaymentResult>
  /** Reverses all payments (C 35h `-`). */
  voidPayments(): Outcome
  setCustomer(customer: CustomerData): Outcome
  closeFiscal(): Outcome<ClosedFiscal>
  /** Voids all items and closes the receipt as a document of kind `cancelled` without turnover. */
  cancelFiscal(): Outcome<ClosedFiscal>

  // in any open receipt (the wire protocol decides which kind it allows)
  printText(line: TextLine): Outcome
  printBarcode(barcode: Barcode, label: string): Outcome
  printSeparator(style: SeparatingLine | 'nothingDue'): Outcome
  feed(lines: number): void
  cut(): void
  openDrawer(): void

  // between receipts
  cashInOut(cash: CashIntent): Outcome<CashResult>
  reportX(): Outcome<ZRecord>
  /** `onPaper: false` writes the report to the fiscal memory and the journal without printing it (B 10.7, C 4.1). */
  reportZ(options?: { readonly onPaper?: boolean }): Outcome<ZRecord>
  copyLastReceipt(): Outcome<{ document: number }>
  /** Prints a report whose lines the wire protocol provides (departments, operators, items, fiscal memory). */
  printReport(kind: DocumentKind, lines: readonly TextLine[]): Outcome<{ document: number }>
  /** Prints fiscal memory records of a range of Z numbers, short or with their sums. */
  printMemoryReport(from: number, to: number, detailed: boolean): Outcome<{ document: number }>
  /** Returns the lines of a fiscal memory report, for wire protocols that send the report instead of printing it. */
  memoryReportLines(from: number, to: number, detailed: boolean): readonly string[]

  // manual actions and accidents
  /**
   * Simulates a loss of the RAM: day totals and registers are reset to factory state and the clock is not set; fiscal
   * memory and journal are retained.
   */
  resetRam(): void
  /** Undoes unfinished operations after a power cut by reading the stored state again. Called by the device loop. */
  powerOn(): void

  // the whole device
  documents(after?: number, limit?: number): readonly PaperDocument[]
  document(id: number): PaperDocument | undefined
  /** Returns the requests that produced the document; `undefined` if no stored requests produced it. */
  printedSteps(id: number): readonly PrintedStep[] | undefined
  /** Returns the documents without their content, oldest first. */
  documentHeads(query?: HeadQuery): readonly DocumentHead[]
  /** The printed part of the open receipt; `null` if no receipt is open. */
  readonly openPaper: OpenPaper | null
  /**
   * Makes a new device, fiscalised unless the settings or `fiscalised` say otherwise. `keep` retains fiscal memory,
   * journal and running numbers.
   */
  reset(options?: ResetOptions): void
  snapshot(): DeviceSnapshot
  /**
   * Restores a device from a snapshot. If the snapshot does not fit, throws SnapshotError with a readable message and
   * changes nothing. If `tester` changes the fiscal memory or the journal, a record of the fiscal memory documents the
   * change.
   */
  restore(document: unknown, by?: 'tester' | 'rig'): void
  close(): void
}

/** The open receipt on paper: all drawing operations, and the number of text lines that have been printed. */
export interface OpenPaper {
  readonly number: number
  readonly operations: readonly DrawingOperation[]
  readonly linesPrinted: number
}

/** The sums of a closed or cancelled receipt. Other documents have no sums. */
interface ReceiptSum {
  readonly total?: Money
  /** Payment modes in the order of their first payment, without duplicates. */
  readonly paymentModes?: readonly number[]
  readonly reversalReason?: ReversalReason
}

export interface HeadQuery {
  readonly after?: number
  /** Only documents with a smaller id; with a limit, the newest of them. */
  readonly before?: number
  readonly limit?: number
  /** Only documents whose paper contains this text. */
  readonly search?: string
}

/** The properties of a document that lists show. */
export interface DocumentHead extends Pick<PaperDocument, 'id' | 'kind' | 'number' | 'at'>, ReceiptSum {
  readonly zNumber?: number
}

export interface PaperDocument extends ReceiptSum {
  readonly id: number
  readonly kind: DocumentKind
  /** The device's running document number. */
  readonly number: number
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
  /** The number of the day's Z report, and the number of the receipt within the day. */
  readonly closure?: number
  readonly receiptOfDay?: number
  readonly items: number
  readonly total: Money
  readonly paid: Money
  readonly change: Money
  readonly cancelled: boolean
  readonly invoice: boolean
  readonly invoiceNumber?: number
  readonly reversal: boolean
  readonly groups: ByTaxGroup<Money>
  readonly closedAt: number
  readonly payments: readonly { readonly mode: number; readonly amount: Money; readonly changeMode?: number }[]
}
