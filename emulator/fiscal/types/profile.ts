import type { Family } from '../../../drivers/model/families.ts'
import type { Money, Percent } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'
import type { PaperWords } from '../../print/words.ts'
import type { ByTaxGroup } from './registers.ts'

/** What a device is, as data: numbers, rules and words of a family's profile. */

/** Everything about the device that is fixed by family and profile; numbers from section "limits" of the sheets. */
export interface DeviceProfile {
  readonly family: Family
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
  /** B: the wire has no sale that the service could use but of programmed articles. Absent: it has. */
  readonly articlesOnly?: true
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
  /**
   * As it leaves the works: the rates of the tax groups, null for a group that is switched off, and the groups of the
   * articles where they are others than usual. Absent: the usual ones (decisions 4).
   */
  readonly factory?: {
    readonly taxRates: ByTaxGroup<Percent | null>
    readonly articles: Partial<Record<TaxCode, TaxCode>>
  }
  /** The numbers that a device reports before it is fiscalised. Absent: none. */
  readonly unset?: (numbers: DeviceNumbers) => DeviceNumbers
  /** A 8: before it is fiscalised a device has no tax rates. Absent: it has those of the factory. */
  readonly ratesUnset?: true
  readonly rules: BookRules
  readonly paper: PaperStyle
}

export type DeviceNumbers = Pick<DeviceProfile, 'serialNumber' | 'fiscalMemoryNumber'>

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
  /**
   * A 9.1: an invoice is a fiscal receipt with the client's tax number; it takes no number from a range, and closures tell
   * the sum of such receipts and the tax in it. Absent: invoices are numbered.
   */
  readonly simplifiedInvoices?: boolean
  /** A 9.1: the payment mode that may exceed the rest; the excess is handed out in cash. Absent: none but cash. */
  readonly cashAdvance?: number
}

/** Words and order of the family's paper; the layout itself is common (emulator/print/layout.ts). */
export interface PaperStyle {
  readonly words: PaperWords
  /** `#` around comment lines (B, C). */
  readonly commentMarks: boolean
  readonly taxBlock: 'always' | 'onRequest' | 'never'
  /** Sum and quantity before the name (B) or the name first (A, C). */
  readonly itemLayout: 'nameFirst' | 'quantityFirst'
  /** Begins a new line in a name (C 4.8); absent: nothing does. */
  readonly nameBreak?: string
  /** Reports tell departments, journal and grand totals, and each closure of the fiscal memory (C 4.15, 5.5). */
  readonly fullReports?: boolean
  /** The eight letters of the tax groups on paper; absent: A to H. */
  readonly taxLetters?: string
  /** Digits of a document number, more when it needs them; absent: 7. */
  readonly documentDigits?: number
  /** B 14.1: fiscal receipts and Z reports end with the hash of what stands above it. */
  readonly documentHash?: boolean
}

/** What the configuration and the control interface may set on a new device. */
export interface FactorySettings {
  /** Percent per group, undefined: as decisions 4; null: the group is disabled. */
  readonly taxRates?: Partial<Record<TaxCode, Percent | null>>
  readonly operators?: Readonly<Record<number, { readonly password: string }>>
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
  /** False: a device that was never fiscalised. */
  readonly fiscalised?: boolean
}
