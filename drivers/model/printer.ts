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

export type DeviceNumbers = Pick<DeviceIdentity, 'serialNumber' | 'fiscalMemoryNumber'>

export const isSame = (one: DeviceNumbers, other: DeviceNumbers): boolean =>
  one.serialNumber === other.serialNumber && one.fiscalMemoryNumber === other.fiscalMemoryNumber

export type ReceiptKind = 'None' | 'NonFiscal' | 'Fiscal' | 'Invoice'

/** State of the transaction; a member is null if the device does not report it. */
export interface TransactionStatus {
  readonly isOpen: boolean
  readonly kind: ReceiptKind
  readonly receiptNumber: string | null
  readonly itemsCount: number | null
  readonly total: Money | null
  readonly paid: Money | null
  readonly remaining: Money | null
  /** The device's own answer, fields joined as in the wire protocol, trailing separators removed. */
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
 * Result of a command that the link may have retransmitted after silence. A device that lost power in between has
 * forgotten the command and may have executed it twice; `retransmitted` shows that possibility.
 */
export interface PrintResult {
  readonly retransmitted: boolean
}

export interface DeviceAnswer extends PrintResult {
  /** The device's own answer, fields joined as in the wire protocol, trailing separators removed; `''` without data. */
  readonly text: string
}

export interface OpenedReceipt extends DeviceAnswer {
  /** The running number that the device gave to this document; null if the device did not report the number. */
  readonly document: number | null
}

interface ClosedReceipt extends PrintResult {
  /** The device's running document number, which never restarts, as decimal text. */
  readonly receiptNumber: string
  readonly raw: string
}

export interface NonFiscalReceipts {
  /** The line that `cancelNonFiscal` prints; absent if the lines do not show that a receipt was cancelled. */
  readonly voidLine?: string
  openNonFiscal(operator?: Operator): Promise<OpenedReceipt>
  printNonFiscalText(line: TextLine): Promise<DeviceAnswer>
  closeNonFiscal(): Promise<DeviceAnswer>
  /**
   * Prints a line that marks the document as void, then closes the document: no wire protocol has a cancel (decisions
   * 4).
   */
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
   * Closes the receipt. `customer`: the customer of the open invoice, for wire protocols that send the customer with
   * the close; defaults to the customer of the settings.
   */
  closeFiscal(customer?: Customer): Promise<ClosedReceipt>
  cancelFiscal(): Promise<DeviceAnswer>
}

export interface Reports {
  copyLastReceipt(): Promise<ClosedReceipt>
  reportX(): Promise<DeviceAnswer>
  reportZ(): Promise<DeviceAnswer>
}

/** The open receipt; a member is null if the device does not report it. */
export interface OpenReceipt {
  readonly kind: Exclude<ReceiptKind, 'None'>
  readonly number: number | null
  readonly items: number | null
  readonly total: Money | null
  readonly paid: Money | null
  readonly remaining: Money | null
}

/**
 * The device's own report about itself at one moment, by which a caller distinguishes its own receipts from those of
 * other programs. A member is null if the device does not report it, or not in the requested form.
 */
export interface Evidence extends DeviceNumbers {
  /**
   * A number that remains the same while this program holds the line without interruption, so that no other program
   * could use the line. Absent if unknown, as in evidence that an earlier start of this program stored.
   */
  readonly hold?: number
  readonly open: OpenReceipt | null
  /** Running number of the last document, including an open document. */
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

/** The day of a device that does not report it or was not queried for it. */
export const UNREPORTED_DAY: Evidence['day'] = { turnover: null, receipts: null, cashIn: null, cashOut: null }

/** Facts about a document from the device's electronic journal. */
export interface DocumentFacts {
  /** `other`: a copy, a cash movement or a report that the journal does not distinguish. Null if not reported. */
  readonly kind: 'fiscal' | 'cancelled' | 'nonFiscal' | 'x' | 'z' | 'copy' | 'cash' | 'other' | null
  /** Total of a fiscal receipt; null if not reported. */
  readonly total: Money | null
}

export interface Questions {
  transactionStatus(): Promise<TransactionStatus>
  /** Resolves to the running number of the last document, open or closed, which recovery compares. */
  lastDocument(): Promise<number>
  /** Resolves to a Z report of the fiscal memory; `undefined` if the fiscal memory has no such report. */
  archivedZ(number: number): Promise<ArchivedZ | undefined>
  // Queries without an endpoint in the specification, used by recovery, legacy lines and platform orders. Absent if the
  // wire protocol does not support them.
  /**
   * Resolves to the text of the last Z report: its number, with those other parts of its answer that can be read again.
   */
  lastReportZ?(): Promise<string>
  /** Resolves to the number of the last fiscal receipt, which a copy duplicates, as decimal text. */
  lastReceipt?(): Promise<string>
  /** Resolves to the rates programmed in the device; a disabled tax group is missing. */
  taxRates?(): Promise<ReadonlyMap<TaxCode, Percent>>
  /** Resolves to a programmed article; `undefined` if the device has no article with that number. */
  article?(plu: number): Promise<ProgrammedArticle | undefined>
}

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

/** Queries of the facts that show what any program did on the device. */
export interface EvidenceSource {
  /**
   * Queries the evidence. `thorough`: includes values that take several more queries: the day, and the last receipt if
   * the journal must be searched. `of`: the expected device, if any; rejects with `portLost` if another device answers.
   */
  evidence(options?: EvidenceOptions): Promise<Evidence>
  /**
   * Resolves to the numbers of the device that answers now. Queries the device each time, whereas `connect` queries
   * only if the port has to be opened.
   */
  numbers(): Promise<DeviceNumbers>
  /**
   * Resolves to the facts about a document; `undefined` if the electronic journal has no closed document with that
   * number. Absent if the wire protocol does not support the query.
   */
  documentOf?(number: number): Promise<DocumentFacts | undefined>
  /**
   * Resolves to the lines of a document in the electronic journal; `undefined` if the journal has no closed document
   * with that number.
   */
  linesOf?(number: number): Promise<readonly string[] | undefined>
  /**
   * Resolves to the sums of the day, in several queries. Absent if the device reports no more sums than the evidence
   * contains.
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
   * Moves cash into the drawer, or out of it if the amount is negative. Absent, like `openDrawer`, if the wire protocol
   * does not support it.
   */
  moveCash?(amount: Money, operator: Operator): Promise<DeviceAnswer>
  openDrawer?(): Promise<DeviceAnswer>
}

const CONDITIONS = [
  'paperNearlyOut',
  'paperOut',
  'coverOpen',
  /** Cover and mechanism, if they share one bit. */
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

interface DeviceState {
  /** The port is open, the device was identified, and the device answered the last query. */
  readonly isConnected: boolean
  readonly identity: DeviceIdentity | undefined
  readonly conditions: ReadonlySet<Condition>
}

/**
 * All operations of a device; each family implements this interface. The operations reject only with `DeviceError`
 * (errors.ts) and must not be called concurrently: the caller queues them.
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
  /** Opens the port and detects model and settings, unless that is done already. */
  connect(): Promise<DeviceIdentity>
  /** Closes the port. The next operation opens it again. */
  disconnect(): Promise<void>
  readonly state: DeviceState
  /** Registers a callback for printing commands during which the device waits for paper or for its cover. */
  onWaiting(call: (problem: DeviceProblem) => void): void
  /**
   * Returns the interruption of the line since this evidence; `undefined` if the line was held all the time. Sends no
   * query.
   */
  brokenSince(evidence: Pick<Evidence, 'hold'>): DeviceProblem | undefined
}

export interface ProgrammedArticle {
  readonly plu: number
  readonly name: string
  readonly price: Money
  /** Absent if the device does not report it, or reports it in an unknown form. */
  readonly taxCode?: TaxCode
}
