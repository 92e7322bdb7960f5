import type { Money } from '../../drivers/model/money.ts'
import type { Barcode, SeparatingLine, TextLine } from '../../drivers/model/receipt.ts'
import type { DrawingOperation } from '../print/drawing-operations.ts'
import type { RefusedStep } from './refused-requests.ts'
import type { BOOKS_FORMAT } from './tables.ts'
import type { Counters, DayTotals, DocumentKind, ZRecord } from './types/day.ts'
import type { Articles, Display, FiscalMemory, Journal, Mechanism, Refusals, Registers } from './types/device-parts.ts'
import type { Outcome, Refusal } from './types/outcome.ts'
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
 * The device without its wire protocol: books, registers, paper, display. All operations are synchronous. Each one
 * either succeeds completely (in memory and in the store) or refuses and changes nothing. Operations check receipt
 * state and values. Conditions whose order differs by family (password, paper, 24 hours, full memory) are methods of
 * `refusals`, which the wire protocol calls first.
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

  readonly receipt: OpenReceipt | null
  /**
   * The last fiscal receipt that was closed or cancelled. Its values remain readable (for example by command 76 of
   * family A).
   */
  readonly lastFiscal: LastFiscal | null
  readonly day: DayTotals
  readonly counters: Counters
  /** Returns the device time in ms. */
  now(): number
  /**
   * Returns the device time as `YYYY-MM-DDThh:mm:ss`. A fiscal device has no time zones, so that `Date` functions in
   * UTC are used.
   */
  localTime(at?: number): string
  readonly clockSet: boolean
  /** Time of the last record of the fiscal memory or, on family B, of the last document if that is later. */
  readonly earliestClock: string | undefined
  /** Refuses a time before `earliestClock`. */
  setClock(local: string): Outcome
  /** Simulates an empty clock battery: the clock must be set again. */
  loseClock(): void
  readonly fiscalised: boolean
  fiscalise(serialNumber: string, taxNumber: string): Outcome
  /** Fiscalises with the numbers of the profile, and with the profile's tax rates if none are set. */
  fiscaliseAsFactory(): Outcome
  /** Serial and fiscal memory number as the wire protocol reports them, which may differ before fiscalisation. */
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
  /** Reverses all payments (family C, 35h `-`). */
  voidPayments(): Outcome
  setCustomer(customer: CustomerData): Outcome
  closeFiscal(): Outcome<ClosedFiscal>
  /** Voids all items and closes the receipt as a document of kind `cancelled`, which has no turnover. */
  cancelFiscal(): Outcome<ClosedFiscal>

  printText(line: TextLine): Outcome
  printBarcode(barcode: Barcode, label: string): Outcome
  printSeparator(style: SeparatingLine | 'nothingDue'): Outcome
  feed(lines: number): void
  cut(): void
  openDrawer(): void

  cashInOut(cash: CashIntent): Outcome<CashResult>
  reportX(): Outcome<ZRecord>
  /** `onPaper: false` writes the report to fiscal memory and journal without printing it (sheet B 10.7 and C 4.1). */
  reportZ(options?: { readonly onPaper?: boolean }): Outcome<ZRecord>
  copyLastReceipt(): Outcome<{ document: number }>
  /** Prints a report whose lines the wire protocol provides, for example departments or operators. */
  printReport(kind: DocumentKind, lines: readonly TextLine[]): Outcome<{ document: number }>
  printMemoryReport(from: number, to: number, detailed: boolean): Outcome<{ document: number }>
  memoryReportLines(from: number, to: number, detailed: boolean): readonly string[]

  /** Resets day totals and registers to factory state and clears the clock. Fiscal memory and journal are retained. */
  resetRam(): void
  /** Must be called after a power cut: reads the stored state again, which undoes unfinished operations. */
  powerOn(): void

  documents(after?: number, limit?: number): readonly PaperDocument[]
  document(id: number): PaperDocument | undefined
  printedSteps(id: number): readonly PrintedStep[] | undefined
  /** Returns the requests that were refused on the receipt since the program started. */
  refusedSteps(id: number): readonly RefusedStep[]
  /** Must be called for a request that a command refuses before it reaches the books. */
  noteRefused(asked: RefusedStep['asked'], refusal: Refusal): void
  documentHeads(query?: HeadQuery): readonly DocumentHead[]
  readonly openPaper: OpenPaper | null
  /**
   * Replaces the device by a new one, which is fiscalised unless the settings or `fiscalised` say otherwise. `keep`
   * retains fiscal memory, journal and running numbers.
   */
  reset(options?: ResetOptions): void
  snapshot(): DeviceSnapshot
  /**
   * Restores a device from a snapshot. Throws SnapshotError and changes nothing if the snapshot does not fit. If a
   * `tester` replaces fiscal memory or journal, a new record of the fiscal memory documents that.
   */
  restore(document: unknown, by?: 'tester' | 'rig'): void
  close(): void
}

/** All drawing operations of the open receipt, and the number of its text lines that have been printed. */
export interface OpenPaper {
  readonly number: number
  readonly operations: readonly DrawingOperation[]
  readonly linesPrinted: number
}

/** The sums of a closed or cancelled receipt; absent for other documents. */
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
  readonly search?: string
}

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
  /** Number of the day's Z report, followed by the number of the receipt within the day. */
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
