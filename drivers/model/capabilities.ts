import type { Percent } from './money.ts'
import type { RefusalTable } from './refusals.ts'

/** The abilities of a family as data, so that code outside a family's folder does not depend on the family's name. */
export interface Capabilities {
  /** An object if the driver refuses a free sale before anything is sent (family B). Its text names the alternative. */
  readonly freeSale: true | { readonly refusedBecause: string }
  readonly invoice: boolean
  readonly pointOfSale?: true
  /** `none`: the device prints only the text itself. */
  readonly textFormatting: 'full' | 'none'
  readonly nonFiscalNeedsOperator: boolean
  readonly barcodes: readonly BarcodeSupport[]
  readonly barcodeRefusal: (type: number) => string
  readonly displayWidth: number
  /** True if the driver pads a text to the width of the display, so that nothing of the earlier text remains. */
  readonly displayIsPadded?: true
  readonly lineWidth: number
  /** Number of characters of a line of text, if it differs from `lineWidth`. The driver cuts a longer text. */
  readonly textWidth?: number
  readonly paymentModes: readonly { readonly mode: number; readonly name: string }[]
  readonly refusesZeroRows: boolean
  readonly defaultPassword: (operatorCode: number) => string
  /** `exact`: the driver pads or cuts passwords of other lengths. `digits`: only digits are allowed. */
  readonly passwordLength: {
    readonly min: number
    readonly max: number
    readonly exact?: number
    readonly digits?: true
  }
  /**
   * True if the wire protocol has a field for the client's tax number on a receipt. Otherwise the service prints the
   * number as a line of text.
   */
  readonly buyerNumberOnReceipt?: boolean
  /** True if the device prints copies only while one of its parameters allows them. */
  readonly copyNeedsParameter?: true
  /** Returns whether the article can be sold at a price in the request. Absent if no article can. */
  readonly articlePrice?: (plu: number) => boolean
  readonly limits: Limits
  readonly refusals?: RefusalTable
}

export interface Range {
  readonly min: number
  readonly max: number
}

/** Limits of the wire protocol, which the service checks before it opens a receipt. An absent member means no limit. */
export interface Limits {
  readonly rowPercent: AdjustmentLimit
  readonly subtotalPercent: AdjustmentLimit
  /** Restriction of an amount on the subtotal: never allowed, or only if all sold items are of one tax group. */
  readonly subtotalAmount?: 'never' | 'oneTaxGroup'
  /** Maximum number of adjusted subtotals in a receipt. After the last of them, no item can be voided. */
  readonly adjustedSubtotals?: number
  readonly payments: number
  /** Number of tax groups, from A on. Absent if all eight exist. */
  readonly taxGroups?: number
  /** Maximum number of significant digits, before and after the point together. */
  readonly quantityDigits?: number
  readonly paymentDigits?: number
}

export interface AdjustmentLimit {
  readonly surcharge: Percent
  readonly discount: Percent
}

export interface BarcodeSupport {
  readonly type: number
  readonly name: string
  readonly data: string
  readonly pattern: RegExp
  /** Number of digits before the check digit, which callers may omit. Absent if the type has no check digit. */
  readonly checked?: number
  readonly height?: Range
  readonly scale?: Range
  readonly size?: Range
  readonly position?: true
}
