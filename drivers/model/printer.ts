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

/** By what one device is told from another. */
export type DeviceNumbers = Pick<DeviceIdentity, 'serialNumber' | 'fiscalMemoryNumber'>

export const isSame = (one: DeviceNumbers, other: DeviceNumbers): boolean =>
  one.serialNumber === other.serialNumber && one.fiscalMemoryNumber === other.fiscalMemoryNumber

export type ReceiptKind = 'None' | 'NonFiscal' | 'Fiscal' | 'Invoice'

/** `null` is what the wire cannot tell. */
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
 * After silence a command is written again, and a device answers such a repeat from its memory. One that lost its power
 * in between has forgotten, and may have carried the command out twice: then `retransmitted` is true.
 */
export interface Performed {
  readonly retransmitted: boolean
}

export interface DeviceAnswer extends Performed {
  /** The device's own answer: the fields joined as its wire does, trailing separators removed, `''` without data. */
  readonly text: string
}

export interface OpenedReceipt extends DeviceAnswer {
  /** The running number that the device gave to this document; null: it did not tell. */
  readonly document: number | null
}

interface ClosedReceipt extends Performed {
  /** The device's running document number, which never restarts, as decimal text. */
  readonly receiptNumber: string
  readonly raw: string
}

export interface NonFiscalReceipts {
  /** The line of `cancelNonFiscal`; absent: what is cancelled cannot be told by its lines. */
  readonly voidLine?: string
  openNonFiscal(operator?: Operator): Promise<OpenedReceipt>
  printNonFiscalText(line: TextLine): Promise<DeviceAnswer>
  closeNonFiscal(): Promise<DeviceAnswer>
  /** No wire has a cancel: one line says that the document is void, then it is closed (decisions 4). */
  cancelNonFiscal(): Promise<DeviceAnswer>
}

export interface FiscalReceipts {
  openFiscal(opening: FiscalOpening): Promise<OpenedReceipt>
  printFiscalText(line: TextLine): Promise<DeviceAnswer>
  sell(sale: FreeSale): Promise<DeviceAnswer>
  sellArticle(sale: ArticleSale): Promise<DeviceAnswer>
  subtotal(request: Subtotal): Promise<DeviceAnswer>
  pay(payment: Payment): Promise<DeviceAnswer>
  /** `customer`: of the invoice that is open, where the wire takes him at its end; without, the one of the settings. */
  closeFiscal(customer?: Customer): Promise<ClosedReceipt>
  cancelFiscal(): Promise<DeviceAnswer>
}

export interface Reports {
  copyLastReceipt(): Promise<ClosedReceipt>
  reportX(): Promise<DeviceAnswer>
  reportZ(): Promise<DeviceAnswer>
}

/** What stands open; null is what the wire cannot tell. */
export interface OpenReceipt {
  readonly kind: Exclude<ReceiptKind, 'None'>
  readonly number: number | null
  readonly items: number | null
  readonly total: Money | null
  readonly paid: Money | null
  readonly remaining: Money | null
}

/**
 * What the device that answers now says itself, also where it was exchanged for another one, by which a caller tells its
 * own work from anybody else's. Null: this wire cannot tell, or not in the form that was asked for.
 */
export interface Evidence extends DeviceNumbers {
  /**
   * As long as it is the same number, this program has held the line without a break, and nobody else could speak on it.
   * Absent: that is not known, as of what an earlier start of this program has written down.
   */
  readonly hold?: number
  /** Null: nothing is open. */
  readonly open: OpenReceipt | null
  /** Running number of the last document, an open one included. */
  readonly lastDocument: number | null
  /** Document number of the last fiscal receipt that was closed, not cancelled. */
  readonly lastReceipt: number | null
  /** Number of the last Z report; 0 before the first. */
  readonly lastZ: number | null
  /** Since the last Z report: turnover of closed sales, how many there are, cash in and out (both positive). */
  readonly day: {
    readonly turnover: Money | null
    readonly receipts: number | null
    readonly cashIn: Money | null
    readonly cashOut: Money | null
  }
}

/** Of a wire that tells nothing of the day, or where it was not asked. */
export const UNREPORTED_DAY: Evidence['day'] = { turnover: null, receipts: null, cashIn: null, cashOut: null }

/** What the device's journal says of a document. */
export interface DocumentFacts {
  /** `other`: a copy, a cash movement or a report that the journal does not tell apart. Null: not told. */
  readonly kind: 'fiscal' | 'cancelled' | 'nonFiscal' | 'x' | 'z' | 'copy' | 'cash' | 'other' | null
  /** Of a fiscal receipt; null: not told. */
  readonly total: Money | null
}

/** Nothing is different afterwards. */
export interface Questions {
  transactionStatus(): Promise<TransactionStatus>
  /** Running number of the last document, open or closed; what recovery compares. */
  lastDocument(): Promise<number>
  /** `undefined` when the fiscal memory has no such report. */
  archivedZ(number: number): Promise<ArchivedZ | undefined>
  // What the specification has no endpoint for, and recovery, legacy lines and platform orders use. Absent: the wire
  // lacks it.
  /** Number of the last Z report, with what else of its answer can be read again. */
  lastReportZ?(): Promise<string>
  /** Number of the last fiscal receipt, the one that a copy copies, as decimal text. */
  lastReceipt?(): Promise<string>
  /** The rates programmed in the device; a group that is switched off is missing. */
  taxRates?(): Promise<ReadonlyMap<TaxCode, Percent>>
  /** A programmed article; `undefined` when the device has none of that number. */
  article?(plu: number): Promise<ProgrammedArticle | undefined>
}

/** Since the last Z report. Null: the wire cannot tell. */
export interface DaySums {
  /** By tax group, A first. */
  readonly turnovers: readonly Money[] | null
  readonly total: Money | null
  /** Net of change; a mode that is missing has no sum. */
  readonly payments: readonly { readonly paymentMode: number; readonly amount: Money }[] | null
  readonly receipts: number | null
  readonly discounts: CountedAmount | null
  readonly surcharges: CountedAmount | null
  readonly voids: CountedAmount | null
  readonly cashIn: Money | null
  readonly cashOut: Money | null
}

/** Of a wire that tells nothing of the day. */
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

/** What was done on the device, whoever did it. Nothing is different afterwards. */
export interface Witness {
  /**
   * `thorough`: also what takes several more questions: the day, and the last receipt where a journal must be searched.
   * `of`: the device that it is to be about: rejects with `portLost` where another one answers. Absent or null: whichever.
   */
  evidence(options?: EvidenceOptions): Promise<Evidence>
  /** Of the device that answers now: it is asked each time, which `connect` does only where the port has to be opened. */
  numbers(): Promise<DeviceNumbers>
  /** `undefined`: the journal has no closed document of that number. Absent: the wire does not tell. */
  documentOf?(number: number): Promise<DocumentFacts | undefined>
  /** Its lines, as they stand in the journal; `undefined`: the journal has no closed document of that number. */
  linesOf?(number: number): Promise<readonly string[] | undefined>
  /** Takes several questions. Absent: the wire has no sums of the day beyond those of the evidence. */
  daySums?(): Promise<DaySums>
}

/** What stands on a receipt of either kind, or on none. */
export interface Elements {
  printBarcode(barcode: Barcode): Promise<DeviceAnswer>
  printSeparatingLine(style: SeparatingLine): Promise<DeviceAnswer>
  displayLine(line: 1 | 2, text: string): Promise<DeviceAnswer>
  clearDisplay(): Promise<DeviceAnswer>
  /** Cash into the drawer, or out of it when the amount is negative. Absent, like the drawer: the wire lacks it. */
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

/** State of the device as this program knows it without asking. */
interface DeviceState {
  /** The port is open, the device behind it was identified, and it answered when it was asked last. */
  readonly isConnected: boolean
  /** The device that was identified last; undefined: none yet. */
  readonly identity: DeviceIdentity | undefined
  /** Conditions that the last answer reported. */
  readonly conditions: ReadonlySet<Condition>
}

/**
 * Every operation a device can be asked for; one implementation per family. What prints or changes something tells
 * whether it was `retransmitted`, and so does the `DeviceError` (errors.ts) with which an operation rejects, and with nothing
 * else. Operations are asked for one at a time; the caller queues.
 */
export interface FiscalPrinter extends NonFiscalReceipts, FiscalReceipts, Reports, Questions, Witness, Elements {
  readonly family: Family
  readonly capabilities: Capabilities
  /** Reaches the device (opens the port, detects model and settings) unless that is done already. */
  connect(): Promise<DeviceIdentity>
  /** Gives the port back. The next operation opens it again. */
  disconnect(): Promise<void>
  /** Asks nothing. */
  readonly state: DeviceState
  /** Calls back when a command that prints is kept waiting by the device: for paper, or for its cover. */
  onWaiting(call: (problem: DeviceProblem) => void): void
  /** What has happened to the line since this evidence; undefined: it is open, and was held without a break. Asks nothing. */
  brokenSince(evidence: Pick<Evidence, 'hold'>): DeviceProblem | undefined
}

export interface ProgrammedArticle {
  readonly plu: number
  readonly name: string
  readonly price: Money
  /** Absent: the wire does not report it, or in a way that is not known. */
  readonly taxCode?: TaxCode
}
