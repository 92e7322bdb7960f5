import type { Percent } from './money.ts'
import type { RefusalTable } from './refusals.ts'

/** The abilities of a family, as data: no code outside a family's folder asks which family it talks to. */
export interface Capabilities {
  /** False: the driver refuses a free sale before any byte (family B); the text names the alternative. */
  readonly freeSale: true | { readonly refusedBecause: string }
  /** False: the invoice flag has no meaning on this wire and is ignored. */
  readonly invoice: boolean
  /** The wire has a field for the number of the point of sale. */
  readonly pointOfSale?: true
  /** Text formatting: with `none` only the message itself is printed. */
  readonly textFormatting: 'full' | 'none'
  /** A non-fiscal receipt opens with an operator and a password (family C). */
  readonly nonFiscalNeedsOperator: boolean
  /** The service's barcode types that this family prints, by number; empty if it prints none. */
  readonly barcodes: readonly BarcodeSupport[]
  /** Returns the beginning of the refusal of a barcode type that the family does not support. */
  readonly barcodeRefusal: (type: number) => string
  readonly displayWidth: number
  /** The driver pads a shorter text to the width of the display, so that nothing of the previous line remains. */
  readonly displayIsPadded?: true
  readonly lineWidth: number
  /** Characters of a line of text, if different from `lineWidth`; a longer text is cut. */
  readonly textWidth?: number
  /** The modes that a payment may name, and their names. */
  readonly paymentModes: readonly { readonly mode: number; readonly name: string }[]
  /** The device refuses a sale of zero value. */
  readonly refusesZeroRows: boolean
  /** Returns the factory password of an operator, which the service uses if the configuration contains none. */
  readonly defaultPassword: (operatorCode: number) => string
  /** `exact`: other lengths are padded or cut. `digits`: only digits are possible. */
  readonly passwordLength: {
    readonly min: number
    readonly max: number
    readonly exact?: number
    readonly digits?: true
  }
  /** The wire carries a client's tax number on a plain receipt too; otherwise it is printed as a text line. */
  readonly buyerNumberOnReceipt?: boolean
  /** The device prints copies only while one of its parameters allows them. */
  readonly copyNeedsParameter?: true
  /** Returns whether the article can be sold at a price given with the sale; absent: no article can. */
  readonly articlePrice?: (plu: number) => boolean
  readonly limits: Limits
  /** The meanings of the family's refusals; absent: the refusals speak for themselves. */
  readonly refusals?: RefusalTable
}

/** A range of numbers, including both ends. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** The limits of this wire on requests of the service, known before anything is opened. Absent: no such limit. */
export interface Limits {
  /** The largest percentages on a row and on the subtotal. */
  readonly rowPercent: AdjustmentLimit
  readonly subtotalPercent: AdjustmentLimit
  /** Restriction of an amount on the subtotal: never, or only while all items sold are of one tax group. */
  readonly subtotalAmount?: 'never' | 'oneTaxGroup'
  /** Number of subtotals with an adjustment in one receipt; after the last of them no item can be voided. */
  readonly adjustedSubtotals?: number
  /** Number of payments in one receipt. */
  readonly payments: number
  /** Number of tax groups from A on; absent: all eight. */
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
  /** Number of digits before an optional check digit of the caller; absent: the type has no check digit. */
  readonly checked?: number
  /** Height of the bars in mm, besides 0 for the default; absent: not applicable to this type. */
  readonly height?: Range
  /** Width of the narrowest bar in dots; absent: not applicable to this type. */
  readonly scale?: Range
  /** Size of a module in dots; absent: not applicable to this type. */
  readonly size?: Range
  /** The barcode can be aligned left, in the middle, or right. */
  readonly position?: true
}
