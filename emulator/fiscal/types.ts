import type { Money, Percent, Quantity } from '../../drivers/model/money.ts'
import type { Adjustment, Customer, TaxCode, TextLine } from '../../drivers/model/receipt.ts'

/** The words of the device's books. No bytes, no family: a family's wire turns its commands into these and back. */

/** Why the books refuse. Each wire maps each of them to its family's own code; the list is closed. */
export type Refusal =
  // state
  | 'noReceiptOpen' | 'receiptOpen' | 'fiscalReceiptOpen' | 'nonFiscalReceiptOpen' | 'paymentStarted'
  | 'paymentNotStarted' | 'notFullyPaid' | 'alreadyPaid' | 'noSale' | 'wrongReceiptKind' | 'notFiscalised'
  | 'alreadyFiscalised' | 'taxRatesNotSet'
  // blocks
  | 'dayExpired' | 'fiscalMemoryFull' | 'journalFull' | 'clockNotSet' | 'clockBehind' | 'invoiceRangeUsedUp'
  | 'noPaper' | 'coverOpen' | 'noDisplay'
  // operators
  | 'operatorUnknown' | 'wrongPassword'
  // sales
  | 'taxGroupDisabled' | 'zeroRow' | 'rowTooLarge' | 'negativeRow' | 'negativeGroup' | 'receiptTooLarge'
  | 'tooManySales' | 'tooManyPayments' | 'nothingToVoid' | 'voidAfterSubtotalAdjustment' | 'secondSubtotalAdjustment'
  | 'adjustmentAboveTotal' | 'mixedGroups' | 'articleUnknown' | 'articleWithoutPrice' | 'articlePriceFixed'
  | 'articlePriceAboveMaximum' | 'articleHasTurnover' | 'articleNameExists' | 'articleBarcodeExists'
  | 'articleTableFull' | 'outOfStock' | 'departmentUnknown'
  // payments and cash
  | 'paymentModeUnknown' | 'paymentModeDisabled' | 'paymentTooLarge' | 'paymentZero' | 'totalZero' | 'notEnoughCash'
  // invoices
  | 'customerMissing' | 'customerAlreadyGiven'
  // reading back
  | 'nothingToCopy' | 'notFound' | 'emptyRange'
  // settings
  | 'dayNotClosed' | 'noChangesLeft' // biome-ignore format: one line a subject

/** Success with what the wire may want to tell, or the reason why nothing has changed. */
export type Outcome<T = void> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const refuse = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({ ok: false, refusal })

/** Eight places, tax group A to H; families with fewer groups leave the rest at zero. */
export type ByTaxGroup<T> = readonly [T, T, T, T, T, T, T, T]

export interface Counted {
  readonly count: number
  readonly amount: Money
}

// ---------------------------------------------------------------- what a device is, as data

/** Everything about the device that is fixed by family and profile; numbers from section "limits" of the sheets. */
export interface DeviceProfile {
  readonly family: 'A' | 'B' | 'C'
  readonly profile: string
  readonly model: string
  readonly firmware: string
  readonly serialNumber: string
  readonly fiscalMemoryNumber: string
  readonly taxNumber: string
  /** Characters of a paper line. */
  readonly lineWidth: number
  readonly displayWidth: number
  readonly displayLines: number
  readonly taxGroups: number
  readonly operators: number
  readonly departments: number
  readonly articles: {
    readonly capacity: number
    readonly maxNumber: number
    readonly nameLength: number
    /** B 10.4, 11: the number of an article decides whether its price is free. Absent: each article says it. */
    readonly freePriceAbove?: number
  }
  /** The payment modes of the wire: `mode` is the service's PaymentMode. */
  readonly payments: readonly { readonly mode: number; readonly name: string }[]
  /** The mode that is foreign currency, which lies in a drawer of its own (A 6.4, 6.6). Absent: there is none. */
  readonly foreignPayment?: number
  readonly fiscalMemoryCapacity: number
  /** Below this many free records the device warns. */
  readonly fiscalMemoryWarning: number
  readonly taxRateChanges: number
  /** Lines of the electronic journal, and where "nearly full" begins. */
  readonly journalCapacity: number
  readonly journalWarning: number
  readonly maxSales: number
  readonly maxPayments: number
  readonly headerLines: number
  readonly footerLines: number
  readonly factoryPassword: (operator: number) => string
  readonly rules: BookRules
  readonly paper: PaperStyle
}

/** Where the books of the three families differ; each member names the section it is from, in the profile. */
export interface BookRules {
  /**
   * What a void must match. `row`: name, tax group and price of an earlier row with enough quantity left (A).
   * `group`: only enough turnover of the tax group in this receipt (C).
   */
  readonly voidMatches: 'row' | 'group'
  readonly voidAfterSubtotalAdjustment: boolean
  readonly subtotalAdjustments: 'any' | 'once'
  /** C 4.9: an amount on the subtotal only when all sales are of one tax group. */
  readonly subtotalAmountOneGroupOnly: boolean
  /** False: a payment other than cash may not exceed the rest. */
  readonly nonCashChange: boolean
  /** May a receipt of total zero be paid and closed? (A: no; B, C: yes). */
  readonly zeroTotal: boolean
  /** B: a cancelled receipt is an issued fiscal document and counts in the day's receipts. */
  readonly cancelledCounts: boolean
  /** Payments other than cash stay "on hand" by mode (C 6Eh 0). */
  readonly zOnEmptyDay: boolean
  /** Rows and totals above this are refused. */
  readonly rowMaximum: Money
  readonly receiptMaximum: Money
  /** The device refuses fiscal receipts when 24 hours have passed since the first one after the last Z. */
  readonly dayBlock: boolean
  /** C 4.11: a receipt without a sale can be paid (with 0) and closed. Absent: refused, `noSale`. */
  readonly emptyReceipt?: boolean
  /** B 9: a subtotal without adjustment is possible after payment has begun. Absent: refused, `paymentStarted`. */
  readonly subtotalWhilePaying?: boolean
  /** B 10.4: a sale of more than the stock is refused. Absent: the stock may become negative. */
  readonly stockChecked?: boolean
  /** A 6.11: two articles may not have one name. Absent: true. */
  readonly articleNamesUnique?: boolean
  /** A 6.11: two articles may not have one barcode. Absent: true; else the one programmed last is found by it. */
  readonly articleBarcodesUnique?: boolean
  /** C 4.13: what storno receipts took back has registers of its own, beside being taken off what was sold. */
  readonly articleReversalsApart?: boolean
  /**
   * B 10.5: a reversal is paid in cash only, so the drawer must hold the whole of it before the first part is paid.
   * Absent: what the drawer lacks can be paid by another mode or taken back.
   */
  readonly reversalInCash?: boolean
  /** B 10.8: the clock is not set before a document of the journal either. Absent: before the fiscal memory alone. */
  readonly clockBehindJournal?: boolean
  /** B, frame 107 R: what a subtotal adjusts reaches the sums of articles and departments, each in its tax group. */
  readonly subtotalReachesRows?: boolean
  /**
   * B 10.4: a void takes back one whole earlier row of the same price and quantity, with the adjustment that it had;
   * the adjustment of the void itself is ignored. Absent: a void is computed like a sale, from its own adjustment.
   */
  readonly voidRepeatsRow?: boolean
  /** A 6.12: reports of the fiscal memory stand in the journal like every document. Absent: they do not (C 4.14). */
  readonly memoryReportsInJournal?: boolean
}

/** Words and order of the family's paper; the layout itself is common (emulator/print/layout.ts). */
export interface PaperStyle {
  readonly words: PaperWords
  /** `#` around comment lines (B, C). */
  readonly commentMarks: boolean
  readonly taxBlock: 'always' | 'onRequest' | 'never'
  /** Sum and quantity before the name (B) or the name first (A, C). */
  readonly itemLayout: 'nameFirst' | 'quantityFirst'
  /** Reports tell departments, journal and grand totals, and each closure of the fiscal memory (C 4.15, 5.5). */
  readonly fullReports?: boolean
  /** The eight letters of the tax groups on paper; absent: A to H. */
  readonly taxLetters?: string
  /** Digits of a document number, more when it needs them; absent: 7. */
  readonly documentDigits?: number
  /** B 14.1: fiscal receipts and Z reports end with the hash of what stands above it. */
  readonly documentHash?: boolean
}

export interface PaperWords {
  readonly fiscalReceipt: string
  readonly nonFiscalReceipt: string
  readonly invoice: string
  readonly reversal: string
  readonly copy: string
  readonly cancelled: string
  readonly subtotal: string
  readonly total: string
  readonly change: string
  readonly operator: string
  readonly correction: string
  readonly discount: string
  readonly surcharge: string
  readonly reportX: string
  readonly reportZ: string
  readonly cashIn: string
  readonly cashOut: string
  /** What documents of a device without fiscalisation end with; absent: the words of a service receipt. */
  readonly notFiscalised?: string
  /** Printed into the open receipt when the power is back; absent: nothing is. */
  readonly powerLoss?: string
  /** Absent ones are English (emulator/print/words.ts). */
  readonly more?: Partial<import('../print/words.ts').MoreWords>
}

/** What the configuration and the control interface may set on a new device. */
export interface FactorySettings {
  /** Percent per group, undefined: as decisions 4; null: the group is disabled. */
  readonly taxRates?: Partial<Record<TaxCode, Percent | null>>
  readonly operators?: Readonly<Record<number, { readonly password: string }>>
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
}

// ---------------------------------------------------------------- registers

export interface OperatorRecord {
  readonly code: number
  readonly name: string
  readonly password: string
}

export interface Article {
  readonly plu: number
  readonly name: string
  readonly taxCode: TaxCode
  readonly department: number
  readonly group: number
  readonly priceType: 'fixed' | 'free' | 'maximum'
  readonly price: Money
  /** null: stock is not tracked. */
  readonly stock: Quantity | null
  readonly barcodes: readonly string[]
  readonly unit: number
  readonly turnover: Money
  readonly sold: Quantity
  /** What was taken back by storno receipts, where the rules keep that apart. */
  readonly reversed?: { readonly quantity: Quantity; readonly amount: Money }
  /** Family's own details (C: how the stock is kept, the letter of the tax class as it was programmed). */
  readonly extra?: Readonly<Record<string, string>>
  /** When a receipt that sold it was closed last, in device time; absent: not since the turnover was cleared. */
  readonly soldAt?: number
}

/** An article as it is programmed, without what its sales have counted. */
export type ProgrammedArticle = Omit<Article, 'turnover' | 'sold' | 'soldAt' | 'reversed'>

export interface Department {
  readonly number: number
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: Money
  readonly unit: number
}

/** Totals of one operator, department or item group of the day. */
export interface RegisterTotals {
  readonly sales: Counted
  readonly reversals: Counted
  /** Thousandths sold and not reversed; absent: nothing yet. */
  readonly quantity?: number
}

export interface OperatorTotals {
  /** Fiscal receipts, of which `reversals` (absent: none) are no sales. */
  readonly receipts: number
  readonly reversals?: number
  /** Rows sold (B 112). */
  readonly sales?: Counted
  readonly total: Money
  readonly discounts: Counted
  readonly surcharges: Counted
  readonly voids: Counted
  readonly payments: Readonly<Record<number, Money>>
  /** As handed over, and what went back, as the day keeps them; absent: nothing yet (C 6Fh). */
  readonly tendered?: Readonly<Record<number, Money>>
  readonly change?: Readonly<Record<number, Money>>
  readonly cashIn: Counted
  readonly cashOut: Counted
}

// ---------------------------------------------------------------- receipt

export interface SaleRow {
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: Money
  readonly quantity: Quantity
  readonly department: number
  readonly unit: string
  /** 0: a free sale. */
  readonly plu: number
  readonly void: boolean
  readonly adjustment?: Adjustment
  /** Signed, after the adjustment: negative for a void. */
  readonly amount: Money
  /** Signed amount of the adjustment: negative for a discount; 0 without. */
  readonly adjusted: Money
}

export interface PaymentRow {
  readonly mode: number
  readonly tendered: Money
  readonly change: Money
  /** The payment mode that the change was given in; absent: cash. */
  readonly changeMode?: number
}

export type ReversalReason = 'operatorError' | 'refund' | 'taxBaseReduction'

export interface FiscalReceipt {
  readonly kind: 'sale' | 'reversal'
  readonly reason?: ReversalReason
  readonly invoice: boolean
  readonly invoiceNumber?: number
  readonly document: number
  readonly openedAt: number
  readonly operator: number
  readonly pointOfSale: number
  readonly saleNumber?: string
  readonly customer?: CustomerData
  readonly rows: readonly SaleRow[]
  readonly subtotalAdjustments: readonly { readonly adjustment: Adjustment; readonly amount: Money }[]
  readonly groups: ByTaxGroup<Money>
  readonly total: Money
  readonly payments: readonly PaymentRow[]
  /** What was tendered so far, all modes together. */
  readonly paid: Money
  /** What is left to pay; 0 when paid. */
  readonly rest: Money
  readonly change: Money
  /** Sales and voids registered so far. */
  readonly items: number
  /** Family's own details that must survive a restart (e.g. C's print type). */
  readonly extra?: Readonly<Record<string, string>>
}

/** Customer of an invoice, in the fields of the three wires. */
export interface CustomerData extends Partial<Customer> {
  readonly fields: readonly string[]
}

export type OpenReceipt =
  | { readonly kind: 'nonFiscal'; readonly document: number; readonly openedAt: number; readonly operator: number }
  | ({ readonly fiscal: FiscalReceipt } & { readonly kind: 'fiscal' })

export interface OpenFiscal {
  readonly kind: 'sale' | 'reversal'
  readonly reason?: ReversalReason
  readonly reasonText?: string
  readonly original?: {
    readonly document: number
    readonly at: string
    readonly fiscalMemoryNumber: string
    readonly invoice?: string
  }
  readonly invoice: boolean
  readonly operator: number
  readonly pointOfSale: number
  readonly saleNumber?: string
  readonly customer?: CustomerData
  /** Nothing is printed before the receipt is closed (C 4.7). */
  readonly postponed?: boolean
  /** `vat: '1'` asks for the tax block where the style prints it on request. */
  readonly extra?: Readonly<Record<string, string>>
}

export interface Sale {
  readonly name: string
  readonly taxCode: TaxCode
  /** Positive; a void is said by `void`. */
  readonly price: Money
  readonly quantity: Quantity
  readonly department?: number
  readonly unit?: string
  readonly plu?: number
  readonly void: boolean
  readonly adjustment?: Adjustment
}

export interface ArticleSaleIntent {
  readonly plu: number
  readonly quantity: Quantity
  readonly void: boolean
  /** Absent: the programmed one. */
  readonly price?: Money
  readonly adjustment?: Adjustment
}

export interface SubtotalIntent {
  readonly print: boolean
  readonly display: boolean
  readonly adjustment?: Adjustment
}

export interface SubtotalResult {
  readonly before: Money
  readonly adjusted: Money
  /** After the adjustment. */
  readonly total: Money
  readonly groups: ByTaxGroup<Money>
}

export interface PaymentIntent {
  readonly mode: number
  /** Absent: exactly the rest. */
  readonly amount?: Money
  /** What change is given in (C 4.11); absent: cash. */
  readonly changeMode?: number
}

export interface PaymentResult {
  /** Still due. */
  readonly rest: Money
  readonly change: Money
}

export interface ClosedFiscal {
  readonly document: number
  readonly total: Money
  readonly change: Money
}

export interface CashIntent {
  readonly direction: 'in' | 'out'
  readonly amount: Money
  readonly mode?: number
  readonly operator?: number
  readonly text?: readonly string[]
}

export interface CashResult {
  readonly drawer: Money
  readonly cashIn: Money
  /** Positive. */
  readonly cashOut: Money
}

// ---------------------------------------------------------------- day, fiscal memory, journal

export interface DayTotals extends CashDrawer {
  /** Sales after adjustments, gross, per group. */
  readonly taxes: ByTaxGroup<Money>
  readonly reversals: ByTaxGroup<Money>
  /** By PaymentMode, cash net of change: adds up to the turnover of sales. */
  readonly payments: Readonly<Record<number, Money>>
  readonly reversalPayments: Readonly<Record<number, Money>>
  /** As handed over, before change. */
  readonly tendered: Readonly<Record<number, Money>>
  readonly change: Readonly<Record<number, Money>>
  readonly paymentCounts: Readonly<Record<number, number>>
  readonly total: Money
  readonly discounts: Counted
  readonly surcharges: Counted
  readonly voids: Counted
  /** Cancelled receipts have a counter of their own and count nowhere else. */
  readonly cancelled: Counted
  /** The drawer of foreign currency; null: none came since the last Z. */
  readonly foreign: CashDrawer | null
  /** Sales, reversals and invoices closed since the last Z. */
  readonly receipts: number
  readonly reversalReceipts: number
  readonly invoices: number
  /** All documents since the last Z, of every kind. */
  readonly documents: number
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  /** When the 24 hours began: first fiscal receipt after the last Z. */
  readonly since: number | null
}

/** What was brought into a drawer and taken out beside the receipts, and what lies there. */
export interface CashDrawer {
  readonly cashIn: Counted
  readonly cashOut: Counted
  readonly drawerCash: Money
}

/** A daily closure as it stands in the fiscal memory. */
export interface ZRecord {
  readonly number: number
  /** The device's running document number of the Z report. */
  readonly document: number
  /** Device local time, ISO without zone: `2025-07-14T21:03:00`. */
  readonly at: string
  readonly firstReceipt: number | null
  readonly lastReceipt: number | null
  readonly receiptsCount: number
  readonly reversalReceiptsCount: number
  readonly total: Money
  readonly taxes: readonly {
    readonly taxCode: TaxCode
    readonly rate: Percent | null
    readonly turnover: Money
    readonly tax: Money
    readonly reversal: Money
    readonly reversalTax: Money
  }[]
  readonly payments: Readonly<Record<number, Money>>
  readonly discounts: Counted
  readonly surcharges: Counted
  readonly voids: Counted
  readonly cancelled: Counted
  readonly cashIn: Money
  readonly cashOut: Money
  readonly drawerCash: Money
  /** Foreign currency and its payment mode; absent: none came that day. */
  readonly foreign?: {
    readonly mode: number
    readonly cashIn: Money
    readonly cashOut: Money
    readonly drawerCash: Money
  }
  readonly journalDocuments: { readonly first: number | null; readonly last: number | null }
}

/** Sums over daily closures. */
export interface GrandTotals {
  readonly turnover: Money
  readonly tax: Money
  readonly reversal: Money
  readonly reversalTax: Money
}

export type FiscalMemoryEvent =
  | { readonly kind: 'fiscalised'; readonly at: string; readonly serialNumber: string; readonly taxNumber: string }
  | {
      readonly kind: 'taxRates'
      readonly at: string
      readonly fromZ: number
      readonly rates: ByTaxGroup<Percent | null>
    }
  | { readonly kind: 'ramReset'; readonly at: string }
  | ({ readonly kind: 'z' } & { readonly z: ZRecord })

export type DocumentKind = 'fiscal' | 'invoice' | 'nonFiscal' | 'x' | 'z' | 'copy' | 'cancelled' | 'memory' | 'service'

/** A document of the electronic journal: which lines belong to it, and what kind of document it is. */
export interface JournalDocument {
  readonly document: number
  readonly kind: DocumentKind
  /** Number within its kind, reversals and cash movements by themselves (for Z: the closure's number). */
  readonly kindNumber: number
  readonly reversal: boolean
  /** Of a cash movement: its direction (A's journal has a type for them). */
  readonly cash?: 'in' | 'out'
  readonly at: string
  /** The closure it belongs to: the last Z + 1 at the time it was made; a Z belongs to itself. */
  readonly z: number
}

export interface JournalLine {
  readonly id: number
  readonly at: string
  readonly document: number
  readonly line: string
  /** Hash of the line before and this line, in hexadecimal. */
  readonly chain: string
}

// ---------------------------------------------------------------- counters

export interface Counters {
  /** Running number of the last document of any kind; never restarts. */
  readonly lastDocument: number
  /** Number of the last fiscal receipt's document. */
  readonly lastReceipt: number
  readonly lastReceiptAt: number | null
  readonly lastZ: number
  readonly lastZAt: number | null
  readonly fiscalReceipts: number
  readonly nonFiscal: number
  readonly invoices: number
  readonly taxRateChanges: number
  readonly ramResets: number
}

export type PaperState = 'ok' | 'low' | 'out'

/** What the device tells the world besides its answers: the panel, the recorder and fault rules listen. */
export type DeviceEvent =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'document'; readonly id: number; readonly kind: DocumentKind; readonly number: number }
  | { readonly type: 'display'; readonly lines: readonly string[] }
  | { readonly type: 'state' }
  | { readonly type: 'drawer' }

/** Where trouble may strike inside the books; asked at these places and nowhere else. */
export interface BookPoints {
  /** Before anything is written to fiscal memory or journal. May throw `PowerCut`: the whole command is undone. */
  memoryWrite(what: 'receipt' | 'z' | 'taxRates' | 'journal'): void
  /** Before a line goes on paper. May change the mechanism's state; may throw `PowerCut`. */
  paperLine(text: string): void
  /** Asked before a fiscal receipt is opened or closed, a Z, and tax rates; true: refused with `fiscalMemoryFull`. */
  memoryFull?(): boolean
}

export class PowerCut extends Error {
  constructor() {
    super('power cut')
    this.name = 'PowerCut'
  }
}

export type { TextLine }
