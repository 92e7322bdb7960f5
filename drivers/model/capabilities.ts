import type { Percent } from './money.ts'
import type { RefusalTable } from './refusals.ts'

/** What a family can do, as data: nothing outside a family's folder asks which family it is talking to. */
export interface Capabilities {
  /** False: a free sale is refused before any byte (family B); the text tells the caller what to use instead. */
  readonly freeSale: true | { readonly refusedBecause: string }
  /** False: the invoice flag has no meaning on this wire and is ignored. */
  readonly invoice: boolean
  /** The wire has a place for the number of the point of sale. */
  readonly pointOfSale?: true
  /** Text formatting: with `none` only the message itself is printed. */
  readonly textFormatting: 'full' | 'none'
  /** A non-fiscal receipt opens with an operator and a password (family C). */
  readonly nonFiscalNeedsOperator: boolean
  /** The service's barcode types this family prints, by number; empty with the reason where there are none. */
  readonly barcodes: readonly BarcodeSupport[]
  /** Begins the refusal of a barcode type that the family lacks. */
  readonly barcodeRefusal: (type: number) => string
  readonly displayWidth: number
  /** What is shorter than the display is filled up, and does not leave the rest of the line as it was. */
  readonly displayIsPadded?: true
  readonly lineWidth: number
  /** Characters of a line of text, where they are not those of a line; a longer text is cut. */
  readonly textWidth?: number
  /** The modes a payment may name, and the words for them. */
  readonly paymentModes: readonly { readonly mode: number; readonly name: string }[]
  /** A sale of zero value is refused by the device. */
  readonly refusesZeroRows: boolean
  /** Factory password of an operator: what the service uses when the configuration names none. */
  readonly defaultPassword: (operatorCode: number) => string
  /** `exact`: others are padded or cut. `digits`: nothing else is possible. */
  readonly passwordLength: {
    readonly min: number
    readonly max: number
    readonly exact?: number
    readonly digits?: true
  }
  /** The wire carries a client's tax number on a plain receipt too; otherwise it is printed as a text line. */
  readonly buyerNumberOnReceipt?: boolean
  /** Copies are printed only while a parameter of the device allows them. */
  readonly copyNeedsParameter?: true
  /** Articles that can be sold at a price given with the sale; absent: none. */
  readonly articlePrice?: (plu: number) => boolean
  readonly limits: Limits
  /** What the family's refusals mean; absent: they speak for themselves. */
  readonly refusals?: RefusalTable
}

/** Both ends belong to it. */
export interface Range {
  readonly min: number
  readonly max: number
}

/** What this wire cannot carry of what the service takes: known before anything is opened. Absent: no such limit. */
export interface Limits {
  /** The largest percentages: on a row, and on the subtotal. */
  readonly rowPercent: AdjustmentLimit
  readonly subtotalPercent: AdjustmentLimit
  /** An amount on the subtotal: never, or only while all that was sold is of one tax group. */
  readonly subtotalAmount?: 'never' | 'oneTaxGroup'
  /** Subtotals with an adjustment in one receipt; after the last of them nothing is taken back. */
  readonly adjustedSubtotals?: number
  /** Payments of one receipt. */
  readonly payments: number
  /** Tax groups from A on; absent: all eight. */
  readonly taxGroups?: number
  /** Significant digits, before and behind the point together. */
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
  /** What the data must look like, in words, for messages and for the API's description. */
  readonly data: string
  readonly pattern: RegExp
  /** So many digits and, where the caller has added it, a check digit; absent: it has none. */
  readonly checked?: number
  /** Of the bars, in mm, besides 0 for the default; absent: it has no meaning here. */
  readonly height?: Range
  /** Of the narrowest bar, in dots; absent: it has no meaning here. */
  readonly scale?: Range
  /** Of a module, in dots; absent: it has no meaning here. */
  readonly size?: Range
  /** It can stand left, in the middle, or right. */
  readonly position?: true
}
