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

/** Returns the serial number, with the number of the fiscal memory if only that differs between the two devices. */
export const nameOfDevice = ({ serialNumber, fiscalMemoryNumber }: DeviceNumbers, other: DeviceNumbers): string =>
  serialNumber === other.serialNumber ? `${serialNumber} (fiscal memory ${fiscalMemoryNumber})` : serialNumber

export type ReceiptKind = 'None' | 'NonFiscal' | 'Fiscal' | 'Invoice'

/** State of the open receipt. A member is null if the device does not report it. */
export interface TransactionStatus {
  readonly isOpen: boolean
  readonly kind: ReceiptKind
  readonly receiptNumber: string | null
  readonly itemsCount: number | null
  readonly total: Money | null
  readonly paid: Money | null
  readonly remaining: Money | null
  /** The answer of the device: its fields joined as in the wire protocol, without trailing separators. */
  readonly raw: string
}

export interface CountedAmount {
  readonly count: number | null
  readonly amount: Money | null
}

export interface ArchivedZ {
  readonly number: number
  /** `YYYY-MM-DDThh:mm:ss` in the device's local time. */
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
 * Result of a command that the link may have retransmitted after silence. If the device lost power in between, it may
 * have executed the command twice; `retransmitted` shows that possibility.
 */
export interface PrintResult {
  readonly retransmitted: boolean
}

export interface DeviceAnswer extends PrintResult {
  /**
   * The answer of the device: its fields joined as in the wire protocol, without trailing separators. Empty if it has
   * no data.
   */
  readonly text: string
}

export interface OpenedReceipt extends DeviceAnswer {
  /** Running number of the document; null if the device did not report it. */
  readonly document: number | null
}

interface ClosedReceipt extends PrintResult {
  /** The device's running document number as decimal text. The number never restarts. */
  readonly receiptNumber: string
  readonly raw: string
}

export interface NonFiscalReceipts {
  /** The line that `cancelNonFiscal` prints. Absent if the document does not show that it was cancelled. */
  readonly voidLine?: string
  openNonFiscal(operator?: Operator): Promise<OpenedReceipt>
  printNonFiscalText(line: TextLine): Promise<DeviceAnswer>
  closeNonFiscal(): Promise<DeviceAnswer>
  /**
   * Prints a line that marks the document as void, then closes it, because no wire protocol can cancel it (decisions
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
   * Closes the receipt. `customer`: the customer of an open invoice, for wire protocols that send it with the close.
   * Defaults to the customer of the settings.
   */
  closeFiscal(customer?: Customer): Promise<ClosedReceipt>
  cancelFiscal(): Promise<DeviceAnswer>
}

export interface Reports {
  copyLastReceipt(): Promise<ClosedReceipt>
  reportX(): Promise<DeviceAnswer>
  reportZ(): Promise<DeviceAnswer>
}

export interface OpenReceipt {
  readonly kind: Exclude<ReceiptKind, 'None'>
  readonly number: number | null
  readonly items: number | null
  readonly total: Money | null
  readonly paid: Money | null
  readonly remaining: Money | null
}

/**
 * The device's report about itself at one moment. A caller uses it to distinguish its receipts from those of other
 * programs. A member is null if the device does not report it, or not in the requested form.
 */
export interface Evidence extends DeviceNumbers {
  /**
   * A number that does not change as long as this program holds the line without interruption, so that no other program
   * can use it. Absent if unknown, for example in evidence that an earlier process stored.
   */
  readonly hold?: number
  readonly open: OpenReceipt | null
  /** Running number of the last document, which may still be open. */
  readonly lastDocument: number | null
  /** Document number of the last fiscal receipt that was closed and not cancelled. */
  readonly lastReceipt: number | null
  /** Number of the last Z report; 0 before the first one. */
  readonly lastZ: number | null
  /** Sums since the last Z report. `cashIn` and `cashOut` are positive. */
  readonly day: {
    readonly turnover: Money | null
    readonly receipts: number | null
    readonly cashIn: Money | null
    readonly cashOut: Money | null
  }
}

export const UNREPORTED_DAY: Evidence['day'] = { turnover: null, receipts: null, cashIn: null, cashOut: null }

export interface DocumentFacts {
  /** `other`: a copy, a cash movement or a report that the journal does not distinguish. Null if not reported. */
  readonly kind: 'fiscal' | 'cancelled' | 'nonFiscal' | 'x' | 'z' | 'copy' | 'cash' | 'other' | null
  readonly total: Money | null
}

export interface Questions {
  transactionStatus(): Promise<TransactionStatus>
  lastDocument(): Promise<number>
  archivedZ(number: number): Promise<ArchivedZ | undefined>
  // Queries without an endpoint in the specification. Recovery, legacy lines and platform orders use them. A query is
  // absent if the wire protocol does not support it.
  /** Resolves to the text of the last Z report: its number, and those parts of its answer that can be read later. */
  lastReportZ?(): Promise<string>
  /** Resolves to the number of the last fiscal receipt, as decimal text. A copy duplicates this receipt. */
  lastReceipt?(): Promise<string>
  taxRates?(): Promise<ReadonlyMap<TaxCode, Percent>>
  /** Resolves to a programmed article; `undefined` if the device has none with that number. */
  article?(plu: number): Promise<ProgrammedArticle | undefined>
}

export interface DaySums {
  readonly turnovers: readonly Money[] | null
  readonly total: Money | null
  /** Payments minus change. A payment mode without a sum is missing. */
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

export interface EvidenceSource {
  /**
   * Queries the evidence. `thorough`: includes values that need several more queries, namely the day, and the last
   * receipt if the journal must be searched. `of`: the expected device; rejects with `portLost` if another device
   * answers.
   */
  evidence(options?: EvidenceOptions): Promise<Evidence>
  /**
   * Resolves to the numbers of the device that answers now. Always queries the device, whereas `connect` does so only
   * if the port must be opened.
   */
  numbers(): Promise<DeviceNumbers>
  /**
   * Resolves to the facts about a document; `undefined` if the electronic journal contains no closed document with that
   * number. Absent if the wire protocol does not support the query.
   */
  documentOf?(number: number): Promise<DocumentFacts | undefined>
  /**
   * Resolves to the lines of a document in the electronic journal; `undefined` if it contains no closed document with
   * that number.
   */
  linesOf?(number: number): Promise<readonly string[] | undefined>
  /**
   * Resolves to the sums of the day, by several queries. Absent if the device reports no more sums than the evidence
   * has.
   */
  daySums?(): Promise<DaySums>
}

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
  /** True if the port is open, the device was identified, and it answered the last query. */
  readonly isConnected: boolean
  readonly identity: DeviceIdentity | undefined
  readonly conditions: ReadonlySet<Condition>
}

/**
 * All operations of a device, implemented by each family. They reject only with `DeviceError` (errors.ts). The caller
 * must queue them; they must not run concurrently.
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
  /** Opens the port, and identifies the device and its settings, if that has not been done. */
  connect(): Promise<DeviceIdentity>
  /** Closes the port. The next operation opens it again. */
  disconnect(): Promise<void>
  readonly state: DeviceState
  /**
   * Registers a callback for printing commands during which the device waits for paper or for its cover to be closed.
   */
  onWaiting(call: (problem: DeviceProblem) => void): void
  /**
   * Returns the problem if the line was interrupted since this evidence; `undefined` if it was held without
   * interruption. Sends nothing to the device.
   */
  brokenSince(evidence: Pick<Evidence, 'hold'>): DeviceProblem | undefined
}

export interface ProgrammedArticle {
  readonly plu: number
  readonly name: string
  readonly price: Money
  /** Absent if the device does not report the tax code, or reports it in an unknown form. */
  readonly taxCode?: TaxCode
}
