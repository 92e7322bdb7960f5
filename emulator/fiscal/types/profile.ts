import type { Family } from '../../../drivers/model/families.ts'
import type { Money, Percent } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'
import type { PaperWords } from '../../print/paper-words.ts'
import type { ByTaxGroup } from './registers.ts'

/** A device as data. Numbers are from the section "limits" of each sheet. */
export interface DeviceProfile {
  readonly family: Family
  readonly profile: string
  readonly model: string
  readonly firmware: string
  readonly serialNumber: string
  readonly fiscalMemoryNumber: string
  readonly taxNumber: string
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
     * Articles with a number above this one have a free price (sheet B 10.4 and 11). Absent: each article defines its
     * price type.
     */
    readonly freePriceAbove?: number
  }
  /** True if the wire protocol can only sell programmed articles (family B). */
  readonly articlesOnly?: true
  /** `mode` is the service's PaymentMode. */
  readonly payments: readonly { readonly mode: number; readonly name: string }[]
  /**
   * The mode for foreign currency, which has a separate drawer (sheet A 6.4 and 6.6). Absent if the device has none.
   */
  readonly foreignPayment?: number
  readonly fiscalMemoryCapacity: number
  /** Number of free records below which the device warns. */
  readonly fiscalMemoryWarning: number
  readonly taxRateChanges: number
  /** Number of lines. `journalWarning` is the number of free lines below which the device warns. */
  readonly journalCapacity: number
  readonly journalWarning: number
  readonly maxSales: number
  readonly maxPayments: number
  readonly headerLines: number
  readonly footerLines: number
  readonly factoryPassword: (operator: number) => string
  /**
   * Factory state: the rates of the tax groups (null: disabled), and replacements for the tax groups of the articles.
   * Absent: the state in decisions 4.
   */
  readonly factory?: {
    readonly taxRates: ByTaxGroup<Percent | null>
    readonly articles: Partial<Record<TaxCode, TaxCode>>
  }
  /** Returns the numbers that a device reports before it is fiscalised. Absent: empty numbers. */
  readonly unset?: (numbers: DeviceNumbers) => DeviceNumbers
  /** True if a device has no tax rates before it is fiscalised (sheet A 8). Absent: it has the factory rates. */
  readonly ratesUnset?: true
  readonly rules: BookRules
  readonly paper: PaperStyle
}

export type DeviceNumbers = Pick<DeviceProfile, 'serialNumber' | 'fiscalMemoryNumber'>

/** Rules in which the books of the families differ. The profiles cite the section for each member. */
export interface BookRules {
  /**
   * Condition of a void. `row`: an earlier row of the same name, tax group and price with enough remaining quantity
   * (family A). `group`: enough turnover of the tax group in this receipt (family C).
   */
  readonly voidMatches: 'row' | 'group'
  readonly voidAfterSubtotalAdjustment: boolean
  readonly subtotalAdjustments: 'any' | 'once'
  /** True if an amount on the subtotal requires that all sales are in one tax group (sheet C 4.9). */
  readonly subtotalAmountOneGroupOnly: boolean
  /** If false, a payment other than cash may not exceed the remaining amount. */
  readonly nonCashChange: boolean
  /** True if a receipt with a total of zero can be paid and closed (families B and C). */
  readonly zeroTotal: boolean
  /** True if a cancelled receipt counts as an issued fiscal document and as a receipt of the day (family B). */
  readonly cancelledCounts: boolean
  /** If false, a Z report on a day without receipts is refused with `noSale`. */
  readonly zOnEmptyDay: boolean
  /** Maximum amount of a row. `receiptMaximum` is the maximum of a receipt's total. Larger amounts are refused. */
  readonly rowMaximum: Money
  readonly receiptMaximum: Money
  /** True if fiscal receipts are refused when 24 hours have passed since the first one after the last Z report. */
  readonly dayBlock: boolean
  /**
   * True if a receipt without a sale can be paid (with 0) and closed (sheet C 4.11). Absent: the payment is refused
   * with `noSale`.
   */
  readonly emptyReceipt?: boolean
  /**
   * True if a subtotal without adjustment is possible after the first payment (sheet B 9). Absent: it is refused with
   * `paymentStarted`.
   */
  readonly subtotalWhilePaying?: boolean
  /** True if a sale of more than the stock is refused (sheet B 10.4). Absent: the stock may become negative. */
  readonly stockChecked?: boolean
  /** True or absent if two articles must not have the same name (sheet A 6.11). */
  readonly articleNamesUnique?: boolean
  /**
   * True or absent if two articles must not have the same barcode (sheet A 6.11). If false, a barcode finds the article
   * that was programmed last.
   */
  readonly articleBarcodesUnique?: boolean
  /**
   * True if reversals are also counted in separate registers of the article, besides being subtracted from its sales
   * (sheet C 4.13).
   */
  readonly articleReversalsApart?: boolean
  /**
   * True if a reversal is paid in cash only, so that the drawer must contain the whole amount before the first part is
   * paid (sheet B 10.5). Absent: another mode can pay the amount that the drawer lacks.
   */
  readonly reversalInCash?: boolean
  /**
   * True if the clock cannot be set to a time before the last journal document (sheet B 10.8). Absent: only the fiscal
   * memory limits the clock.
   */
  readonly clockBehindJournal?: boolean
  /**
   * True if subtotal adjustments are distributed to the sums of articles and departments of each tax group (family B,
   * frame 107 R).
   */
  readonly subtotalReachesRows?: boolean
  /**
   * True if a void reverses one whole earlier row of the same price and quantity, including its adjustment; an
   * adjustment in the void itself is ignored (sheet B 10.4). Absent: a void is computed like a sale, with its own
   * adjustment.
   */
  readonly voidRepeatsRow?: boolean
  /** True if the journal contains reports on the fiscal memory (sheet A 6.12). Absent: it does not (sheet C 4.14). */
  readonly memoryReportsInJournal?: boolean
  /**
   * True if an invoice is a fiscal receipt with the client's tax number, without a number from a range; Z reports
   * contain the sum of such receipts and the tax in it (sheet A 9.1). Absent: invoices are numbered.
   */
  readonly simplifiedInvoices?: boolean
  /**
   * The payment mode that may exceed the remaining amount; the excess is paid out in cash (sheet A 9.1). Absent: only
   * cash may exceed it.
   */
  readonly cashAdvance?: number
}

/** Words and order of the family's printout. All families have the same layout (emulator/print/document-layout.ts). */
export interface PaperStyle {
  readonly words: PaperWords
  /** True if `#` encloses comment lines (families B and C). */
  readonly commentMarks: boolean
  readonly taxBlock: 'always' | 'onRequest' | 'never'
  /** Order in an item block: name first (families A and C), or quantity and amount before the name (family B). */
  readonly itemLayout: 'nameFirst' | 'quantityFirst'
  /** The character that begins a new line in a name (sheet C 4.8). Absent: no character does. */
  readonly nameBreak?: string
  /**
   * True if reports include departments, journal, grand totals and each Z report of the fiscal memory (sheet C 4.15 and
   * 5.5).
   */
  readonly fullReports?: boolean
  /** The letters of the tax groups on paper. Absent: A to H. */
  readonly taxLetters?: string
  /** Minimum number of digits of a document number. Absent: 7. */
  readonly documentDigits?: number
  /** True if fiscal receipts and Z reports end with a hash of the lines above (sheet B 14.1). */
  readonly documentHash?: boolean
}

/** Settings of a new device that the configuration and the control API may change. */
export interface FactorySettings {
  /** Percent per group. `null` disables the group; an absent group has its rate of decisions 4. */
  readonly taxRates?: Partial<Record<TaxCode, Percent | null>>
  readonly operators?: Readonly<Record<number, { readonly password: string }>>
  readonly header?: readonly string[]
  readonly footer?: readonly string[]
  /** If false, the device was never fiscalised. */
  readonly fiscalised?: boolean
}
