import type { Percent } from './money.ts'
import type { RefusalTable } from './refusals.ts'

/** The abilities of a family, as data: code outside a family's folder does not depend on the family's name. */
export interface Capabilities {
  /** An object if the driver refuses a free sale before any byte (family B); the text names the alternative. */
  readonly freeSale: true | { readonly refusedBecause: string }
  /** False if the wire protocol has no invoice: the driver ignores the invoice flag. */
  readonly invoice: boolean
  /** The wire protocol has a field for the number of the point of sale. */
  readonly pointOfSale?: true
  /** Text formatting; with `none` the device prints only the text itself. */
  readonly textFormatting: 'full' | 'none'
  /** A non-fiscal receipt is opened with an operator and a password (family C). */
  readonly nonFiscalNeedsOperator: boolean
  readonly barcodes: readonly BarcodeSupport[]
  readonly barcodeRefusal: (type: number) => string
  readonly displayWidth: number
  /** The driver pads a shorter text to the width of the display, so that nothing of the previous line remains. */
  readonly displayIsPadded?: true
  readonly lineWidth: number
  /** Characters of a line of text, if different from `lineWidth`; a longer text is cut. */
  readonly textWidth?: number
  readonly paymentModes: readonly { readonly mode: number; readonly name: string }[]
  /** The device refuses a sale of zero value. */
  readonly refusesZeroRows: boolean
  /** Returns the factory password of an operator, which the service uses if the configuration contains none. */
  readonly defaultPassword: (operatorCode: number) => string
  /** `exact`: the driver pads or cuts other lengths. `digits`: only digits are possible. */
  readonly passwordLength: {
    readonly min: number
    readonly max: number
    readonly exact?: number
    readonly digits?: true
  }
  /**
   * The wire protocol has a field for a client's tax number on a receipt; otherwise the service prints the number as a
   * text line.
   */
  readonly buyerNumberOnReceipt?: boolean
  /** The device prints copies only while one of its parameters allows copies. */
  readonly copyNeedsParameter?: true
  /** Returns whether the article can be sold at a price given with the sale; absent if no article can. */
  readonly articlePrice?: (plu: number) => boolean
  readonly limits: Limits
  readonly refusals?: RefusalTable
}

export interface Range {
  readonly min: number
  readonly max: number
}

/** Limits of the wire protocol that the service checks before it opens anything. An absent member is no limit. */
export interface Limits {
  /** Largest percentage of an adjustment of a row. */
  readonly rowPercent: AdjustmentLimit
  readonly subtotalPercent: AdjustmentLimit
  /** Restriction of an amount on the subtotal: never, or only while all items sold are of one tax group. */
  readonly subtotalAmount?: 'never' | 'oneTaxGroup'
  /** Number of subtotals with an adjustment in one receipt; after the last of them no item can be voided. */
  readonly adjustedSubtotals?: number
  readonly payments: number
  /** Number of tax groups from A on; absent if all eight exist. */
  readonly taxGroups?: number
  /** Significant digits, before and after the point together. */
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
  /** Description of the required data, for messages and for the API's description. */
  readonly data: string
  readonly pattern: RegExp
  /** Number of digits before an optional check digit from the caller; absent if the type has no check digit. */
  readonly checked?: number
  /** Height of the bars in mm, besides 0 for the default; absent if not applicable to this type. */
  readonly height?: Range
  /** Width of the narrowest bar in dots; absent if not applicable to this type. */
  readonly scale?: Range
  /** Size of a module in dots; absent if not applicable to this type. */
  readonly size?: Range
  /** The barcode can be aligned left, in the middle, or right. */
  readonly position?: true
}
