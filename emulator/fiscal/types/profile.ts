/** A device as data: numbers, rules and words of a family's profile. */
import type { Family } from '../../../drivers/model/families.ts'
import type { Money, Percent } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'
import type { PaperWords } from '../../print/words.ts'
import type { ByTaxGroup } from './registers.ts'

/** The properties that family and profile fix; numbers are from the section "limits" of the sheets. */
export interface DeviceProfile {
  readonly family: Family
  readonly profile: string
  readonly model: string
  readonly firmware: string
  readonly serialNumber: string
  readonly fiscalMemoryNumber: string
  readonly taxNumber: string
  /** Characters per paper line. */
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
    /**
     * B 10.4, 11: articles with a number above this one have a free price. Absent: each article defines its price type.
     */
    readonly freePriceAbove?: number
  }
  /** B: the wire protocol has no usable sale other than that of programmed articles. Absent: it has one. */
  readonly articlesOnly?: true
  /** The payment modes of the wire protocol: `mode` is the service's PaymentMode. */
  readonly payments: readonly { readonly mode: number; readonly name: string }[]
  /** The mode for foreign currency, which has a separate drawer (A 6.4, 6.6). Absent: the device has none. */
  readonly foreignPayment?: number
  readonly fiscalMemoryCapacity: number
  /** Number of free records below which the device warns. */
  readonly fiscalMemoryWarning: number
  readonly taxRateChanges: number
  /** Lines of the electronic journal; `journalWarning` is the threshold of "nearly full". */
  readonly journalCapacity: number
  readonly journalWarning: number
  readonly maxSales: number
  readonly maxPayments: number
  readonly headerLines: number
  readonly footerLines: number
  readonly factoryPassword: (operator: number) => string
  /**
   * Factory state: the rates of the tax groups, null for a disabled group, and replacements for the tax groups of the
   * articles. Absent: the usual ones (decisions 4).
   */
  readonly factory?: {
    readonly taxRates: ByTaxGroup<Percent | null>
    readonly articles: Partial<Record<TaxCode, TaxCode>>
  }
  /** Returns the numbers that a device reports before it is fiscalised. Absent: empty numbers. */
  readonly unset?: (numbers: DeviceNumbers) => DeviceNumbers
  /** A 8: a device has no tax rates before it is fiscalised. Absent: it has the factory rates. */
  readonly ratesUnset?: true
  readonly rules: BookRules
  readonly paper: PaperStyle
}

export type DeviceNumbers = Pick<DeviceProfile, 'serialNumber' | 'fiscalMemoryNumber'>

/** Rules in which the books of the three families differ; in the profile, each member cites its section. */
export interface BookRules {
  /**
   * Condition that a void must meet. `row`: name, tax group and price of an earlier row with enough quantity left (A).
   * `group`: only enough turnover of the tax group in this receipt (C).
   */
  readonly voidMatches: 'row' | 'group'
  readonly voidAfterSubtotalAdjustment: boolean
  readonly subtotalAdjustments: 'any' | 'once'
  /** C 4.9: an amount on the subtotal requires that all sales are in one tax group. */
  readonly subtotalAmountOneGroupOnly: boolean
  /** False: a payment other than cash may not exceed the remaining amount. */
  readonly nonCashChange: boolean
  /** True if a receipt with a total of zero can be paid and closed (A: no; B, C: yes). */
  readonly zeroTotal: boolean
  /** B: a cancelled receipt is an issued fiscal document and is included in the day's receipts. */
  readonly cancelledCounts: boolean
  /** True: a Z report is possible on a day without receipts. False: refused, `noSale`. */
  readonly zOnEmptyDay: boolean
  /** Maximum of a row; `receiptMaximum` is that of a receipt's total. Larger amounts are refused. */
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
  /** A 6.11: two articles must not have the same name. Absent: true. */
  readonly articleNamesUnique?: boolean
  /**
   * A 6.11: two articles must not have the same barcode. Absent: true. False: the barcode finds the article that was
   * programmed last.
   */
  readonly articleBarcodesUnique?: boolean
  /**
   * C 4.13: storno receipts are also counted in separate registers of the article, besides being subtracted from its
   * sales.
   */
  readonly articleReversalsApart?: boolean
  /**
   * B 10.5: a reversal is paid in cash only, so the drawer must contain the whole amount before the first part is paid.
   * Absent: another mode can pay the amount that the drawer lacks.
   */
  readonly reversalInCash?: boolean
  /**
   * B 10.8: the clock cannot be set to a time before the last journal document either. Absent: only the fiscal memory
   * limits it.
   */
  readonly clockBehindJournal?: boolean
  /**
   * B, frame 107 R: subtotal adjustments are distributed to the sums of articles and departments, each in its tax
   * group.
   */
  readonly subtotalReachesRows?: boolean
  /**
   * B 10.4: a void reverses one whole earlier row of the same price and quantity, including its adjustment; an
   * adjustment in the void itself is ignored. Absent: a void is computed like a sale, from its own adjustment.
   */
  readonly voidRepeatsRow?: boolean
  /** A 6.12: the journal contains reports of the fiscal memory like every document. Absent: it does not (C 4.14). */
  readonly memoryReportsInJournal?: boolean
  /**
   * A 9.1: an invoice is a fiscal receipt with the client's tax number; it has no number from a range, and closures
   * report the sum of such receipts and the tax in it. Absent: invoices are numbered.
   */
  readonly simplifiedInvoices?: boolean
  /**
   * A 9.1: the payment mode that may exceed the remaining amount; the excess is paid out in cash. Absent: only cash
   * may.
   */
  readonly cashAdvance?: number
}

/** Words and order of the family's printout; the layout itself is common (emulator/print/layout.ts). */
export interface PaperStyle {
  readonly words: PaperWords
  /** `#` around comment lines (B, C). */
  readonly commentMarks: boolean
  readonly taxBlock: 'always' | 'onRequest' | 'never'
  /** Order in an item block: name first (A, C), or quantity and sum before the name (B). */
  readonly itemLayout: 'nameFirst' | 'quantityFirst'
  /** The character that begins a new line in a name (C 4.8). Absent: no character does. */
  readonly nameBreak?: string
  /** Reports include departments, journal and grand totals, and each closure of the fiscal memory (C 4.15, 5.5). */
  readonly fullReports?: boolean
  /** The eight letters of the tax groups on paper. Absent: A to H. */
  readonly taxLetters?: string
  /** Minimum number of digits of a document number. Absent: 7. */
  readonly documentDigits?: number
  /** B 14.1: fiscal receipts and Z reports end with a hash of the lines above it. */
  readonly documentHash?: boolean
}

/** Settings of a new device that the configuration and the control API may change. */
export interface FactorySettings {
  /** Percent per group. Undefined: the rates of decisions 4. null: the group is disabled. */
  readonly taxRates?: Partial<Record<TaxCode, Percent | null>>
  readonly operators?: Readonly<Record<number, { readonly password: string }>>
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
  /** False: the device was never fiscalised. */
  readonly fiscalised?: boolean
}
