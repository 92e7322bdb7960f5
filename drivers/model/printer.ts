import type { Capabilities } from './capabilities.ts'
import type { DeviceProblem } from './errors.ts'
import type { Family } from './families.ts'
import type { Money, Percent } from './money.ts'
import type {
  ArticleSale,
  Barcode,
  Customer,
  FiscalOpening,
  FreeSale,
  Operator,
  Payment,
  SeparatingLine,
  Subtotal,
  TaxCode,
  TextLine,
} from './receipt.ts'

export interface DeviceIdentity {
  readonly family: Family
  readonly model: string
  readonly firmware: string
  readonly serialNumber: string
  readonly fiscalMemoryNumber: string
}

/** The numbers that distinguish one device from another. */
export type DeviceNumbers = Pick<DeviceIdentity, 'serialNumber' | 'fiscalMemoryNumber'>

export const isSame = (one: DeviceNumbers, other: DeviceNumbers): boolean =>
  one.serialNumber === other.serialNumber && one.fiscalMemoryNumber === other.fiscalMemoryNumber

export type ReceiptKind = 'None' | 'NonFiscal' | 'Fiscal' | 'Invoice'

/** State of the transaction. `null`: the wire does not report it. */
export interface TransactionStatus {
  readonly isOpen: boolean
  readonly kind: ReceiptKind
  /** The device's running document number, as decimal text. */
  readonly receiptNumber: string | null
  readonly itemsCount: number | null
  readonly total: Money | null
  readonly paid: Money | null
  readonly remaining: Money | null
  /** The device's own answer, fields joined as its wire does, trailing separators removed. */
  readonly raw: string
}

export interface CountedAmount {
  readonly count: number | null
  readonly amount: Money | null
}

export interface ArchivedZ {
  readonly number: number
  /** `YYYY-MM-DDThh:mm:ss`, the device's local time. */
  readonly dateTime: string | null
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  readonly receiptsCount: number | null
  readonly total: Money | null
  readonly taxes: readonly {
    readonly taxCode: TaxCode
    readonly letter: string
    readonly rate: Percent | null
    readonly turnover: Money | null
    readonly tax: Money | null
  }[]
  readonly payments: readonly { readonly paymentMode: number; readonly amount: Money }[] | null
  readonly discounts: CountedAmount | null
  readonly surcharges: CountedAmount | null
  readonly voids: CountedAmount | null
  readonly cashIn: Money | null
  readonly cashOut: Money | null
  readonly raw: string
}

/**
 * Result of a command that the link may have retransmitted. The link retransmits after silence, and the device answers
 * the retransmission from its memory. A device that lost power in between has forgotten the command, and may have
 * executed it twice: `retransmitted` is then true.
 */
export interface PrintResult {
  readonly retransmitted: boolean
}

export interface DeviceAnswer extends PrintResult {
  /** The device's own answer: the fields joined as its wire does, trailing separators removed, `''` without data. */
  readonly text: string
}

export interface OpenedReceipt extends DeviceAnswer {
  /** The running number that the device gave to this document; null: the device did not report it. */
  readonly document: number | null
}

interface ClosedReceipt extends PrintResult {
  /** The device's running document number, which never restarts, as decimal text. */
  readonly receiptNumber: string
  readonly raw: string
}

export interface NonFiscalReceipts {
  /** The line of `cancelNonFiscal`; absent: the lines do not show that a receipt was cancelled. */
  readonly voidLine?: string
  openNonFiscal(operator?: Operator): Promise<OpenedReceipt>
  printNonFiscalText(line: TextLine): Promise<DeviceAnswer>
  closeNonFiscal(): Promise<DeviceAnswer>
  /** Prints a line that says that the document is void, then closes it: no wire has a cancel (decisions 4). */
  cancelNonFiscal(): Promise<DeviceAnswer>
}

export interface FiscalReceipts {
  openFiscal(opening: FiscalOpening): Promise<OpenedReceipt>
  printFiscalText(line: TextLine): Promise<DeviceAnswer>
  sell(sale: FreeSale): Promise<DeviceAnswer>
  sellArticle(sale: ArticleSale): Promise<DeviceAnswer>
  subtotal(request: Subtotal): Promise<DeviceAnswer>
  pay(payment: Payment): Promise<DeviceAnswer>
  /**
   * Closes the receipt. `customer`: the customer of the open invoice, if the wire carries it in the close; absent: the
   * customer of the settings.
   */
  closeFiscal(customer?: Customer): Promise<ClosedReceipt>
  cancelFiscal(): Promise<DeviceAnswer>
}

export interface Reports {
  copyLastReceipt(): Promise<ClosedReceipt>
  reportX(): Promise<DeviceAnswer>
  reportZ(): Promise<DeviceAnswer>
}

/** The open receipt; null: the wire does not report it. */
export interface OpenReceipt {
  readonly kind: Exclude<ReceiptKind, 'None'>
  readonly number: number | null
  readonly items: number | null
  readonly total: Money | null
  readonly paid: Money | null
  readonly remaining: Money | null
}

/**
 * The device's own report about itself at one moment, also if it was replaced by another device. A caller uses it to
 * distinguish its own receipts from those of other programs. Null: this wire does not report it, or not in the
 * requested form.
 */
export interface Evidence extends DeviceNumbers {
  /**
   * A number that is the same as long as this program holds the line without a break, so that no other program could
   * use it. Absent: unknown, as for evidence that an earlier start of this program has stored.
   */
  readonly hold?: number
  /** Null: no receipt is open. */
  readonly open: OpenReceipt | null
  /** Running number of the last document, including an open one. */
  readonly lastDocument: number | null
  /** Document number of the last fiscal receipt that was closed, not cancelled. */
  readonly lastReceipt: number | null
  /** Number of the last Z report; 0 before the first. */
  readonly lastZ: number | null
  /** Sums since the last Z report: turnover and number of closed sales, cash in and out (both positive). */
  readonly day: {
    readonly turnover: Money | null
    readonly receipts: number | null
    readonly cashIn: Money | null
    readonly cashOut: Money | null
  }
}

/** The day of a wire that does not report it, or that was not queried for it. */
export const UNREPORTED_DAY: Evidence['day'] = { turnover: null, receipts: null, cashIn: null, cashOut: null }

/** Facts about a document from the device's journal. */
export interface DocumentFacts {
  /** `other`: a copy, a cash movement or a report that the journal does not distinguish. Null: not reported. */
  readonly kind: 'fiscal' | 'cancelled' | 'nonFiscal' | 'x' | 'z' | 'copy' | 'cash' | 'other' | null
  /** Total of a fiscal receipt; null: not reported. */
  readonly total: Money | null
}

/** Queries, which change nothing on the device. */
export interface Questions {
  transactionStatus(): Promise<TransactionStatus>
  /** Returns the running number of the last document, open or closed, which recovery compares. */
  lastDocument(): Promise<number>
  /** Returns a Z report of the fiscal memory; `undefined`: the fiscal memory has no such report. */
  archivedZ(number: number): Promise<ArchivedZ | undefined>
  // Queries without an endpoint in the specification, used by recovery, legacy lines and platform orders. Absent: the
  // wire does not support them.
  /** Returns the number of the last Z report, with those other parts of its answer that can be read again. */
  lastReportZ?(): Promise<string>
  /** Returns the number of the last fiscal receipt, which a copy duplicates, as decimal text. */
  lastReceipt?(): Promise<string>
  /** Returns the rates programmed in the device; a tax group that is switched off is missing. */
  taxRates?(): Promise<ReadonlyMap<TaxCode, Percent>>
  /** Returns a programmed article; `undefined`: the device has no article with that number. */
  article?(plu: number): Promise<ProgrammedArticle | undefined>
}

/** Sums since the last Z report. Null: the wire does not report it. */
export interface DaySums {
  /** Turnover by tax group, A first. */
  readonly turnovers: readonly Money[] | null
  readonly total: Money | null
  /** Payments net of change; a mode that is missing has no sum. */
  readonly payments: readonly { readonly paymentMode: number; readonly amount: Money }[] | null
  readonly receipts: number | null
  readonly discounts: CountedAmount | null
  readonly surcharges: CountedAmount | null
  readonly voids: CountedAmount | null
  readonly cashIn: Money | null
  readonly cashOut: Money | null
}

/** The sums of a wire that does not report the day. */
export const UNREPORTED_SUMS: DaySums = {
  turnovers: null,
  total: null,
  payments: null,
  receipts: null,
  discounts: null,
  surcharges: null,
  voids: null,
  cashIn: null,
  cashOut: null,
}

export interface EvidenceOptions {
  readonly thorough?: boolean
  readonly of?: DeviceNumbers | null
}

/** Evidence of what was done on the device by any program. These queries change nothing on the device. */
export interface EvidenceSource {
  /**
   * Queries the evidence. `thorough`: includes values that take several more queries: the day, and the last receipt if
   * a journal must be searched. `of`: the expected device; rejects with `portLost` if another one answers. Absent or
   * null: any device.
   */
  evidence(options?: EvidenceOptions): Promise<Evidence>
  /**
   * Returns the numbers of the device that answers now. The device is queried each time; `connect` does that only if
   * the port has to be opened.
   */
  numbers(): Promise<DeviceNumbers>
  /**
   * Returns the facts about a document. `undefined`: the journal has no closed document with that number. Absent: the
   * wire does not report it.
   */
  documentOf?(number: number): Promise<DocumentFacts | undefined>
  /**
   * Returns the lines of a document as in the journal; `undefined`: the journal has no closed document with that
   * number.
   */
  linesOf?(number: number): Promise<readonly string[] | undefined>
  /**
   * Returns the sums of the day, in several queries. Absent: the wire has no sums of the day beyond those of the
   * evidence.
   */
  daySums?(): Promise<DaySums>
}

/** Elements that may be printed on a receipt of either kind, or without a receipt. */
export interface AuxiliaryCommands {
  printBarcode(barcode: Barcode): Promise<DeviceAnswer>
  printSeparatingLine(style: SeparatingLine): Promise<DeviceAnswer>
  displayLine(line: 1 | 2, text: string): Promise<DeviceAnswer>
  clearDisplay(): Promise<DeviceAnswer>
  /**
   * Moves cash into the drawer, or out of it if the amount is negative. Absent, like the drawer: the wire does not
   * support it.
   */
  moveCash?(amount: Money, operator: Operator): Promise<DeviceAnswer>
  openDrawer?(): Promise<DeviceAnswer>
}

/** Conditions that a device reports in its answers to any command. */
const CONDITIONS = [
  'paperNearlyOut',
  'paperOut',
  'coverOpen',
  /** Cover and mechanism share one bit. */
  'coverOrMechanism',
  'mechanism',
  'overheated',
  'clockNotSet',
  'fiscalMemoryNearlyFull',
  'fiscalMemoryFull',
  'journalNearlyFull',
  'journalFull',
] as const
export type Condition = (typeof CONDITIONS)[number]

/** State of the device as this program knows it without a query. */
interface DeviceState {
  /** The port is open, the device was identified, and it answered the last query. */
  readonly isConnected: boolean
  /** The device that was last identified; undefined: none yet. */
  readonly identity: DeviceIdentity | undefined
  /** Conditions that the last answer reported. */
  readonly conditions: ReadonlySet<Condition>
}

/**
 * Every operation of a device; one implementation per family. Operations that print or change something report whether
 * a command was `retransmitted`, and so does the `DeviceError` (errors.ts), the only error with which an operation
 * rejects. Operations run one at a time; the caller queues.
 */
export interface FiscalPrinter
  extends NonFiscalReceipts,
    FiscalReceipts,
    Reports,
    Questions,
    EvidenceSource,
    AuxiliaryCommands {
  readonly family: Family
  readonly capabilities: Capabilities
  /** Reaches the device (opens the port, detects model and settings), unless that is done already. */
  connect(): Promise<DeviceIdentity>
  /** Releases the port. The next operation opens it again. */
  disconnect(): Promise<void>
  /** Current state, without a query. */
  readonly state: DeviceState
  /** Registers a callback for printing commands that the device keeps waiting: for paper, or for its cover. */
  onWaiting(call: (problem: DeviceProblem) => void): void
  /**
   * Returns the change of the line since this evidence; undefined: it is open, and was held without a break. Sends no
   * query.
   */
  brokenSince(evidence: Pick<Evidence, 'hold'>): DeviceProblem | undefined
}

export interface ProgrammedArticle {
  readonly plu: number
  readonly name: string
  readonly price: Money
  /** Absent: the wire does not report it, or in an unknown form. */
  readonly taxCode?: TaxCode
}
