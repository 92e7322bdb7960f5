import type { Money, Percent, Quantity } from './money.ts'

export type TaxCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
export const TAX_CODES: readonly TaxCode[] = [1, 2, 3, 4, 5, 6, 7, 8]
export const taxLetter = (code: TaxCode): string => String.fromCharCode(64 + code)

/** Returns the rates by tax code. The list begins with group A; a disabled group is missing in the result. */
export const ratesByCode = (rates: readonly (Percent | null)[]): ReadonlyMap<TaxCode, Percent> =>
  new Map(
    TAX_CODES.flatMap((code) => {
      const rate = rates[code - 1] ?? null
      return rate === null ? [] : [[code, rate] as const]
    }),
  )

/**
 * A surcharge or a discount. `percent` is in hundredths of a percent, `amount` in hundredths. Both are always positive.
 */
export type Adjustment =
  | { readonly kind: 'surcharge' | 'discount'; readonly percent: Percent }
  | { readonly kind: 'surcharge' | 'discount'; readonly amount: Money }

export type TextHeight = 'normal' | 'double' | 'half'
export type TextAlignment = 'left' | 'center' | 'right'

export interface TextLine {
  readonly text: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly height?: TextHeight
  readonly alignment?: TextAlignment
}

export interface Barcode {
  /**
   * Type in the service's API, 1 to 16 (specification 2.3). `Capabilities.barcodes` lists those that the device
   * supports.
   */
  readonly type: number
  readonly data: string
  readonly qrSize?: number
  /** 0 left, 1 centre, 2 right. */
  readonly position?: number
  readonly scale?: number
  readonly height?: number
  readonly printText?: boolean
}

/** 1 `-`, 2 `=`, 3 `*`, 4 dashed. */
export type SeparatingLine = 1 | 2 | 3 | 4
const STROKES: Readonly<Record<SeparatingLine, string>> = { 1: '-', 2: '=', 3: '*', 4: '- ' }

export const separatingLineText = (style: SeparatingLine, width: number): string =>
  STROKES[style].repeat(width).slice(0, width)

export interface FreeSale {
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: Money
  readonly quantity: Quantity
  /** 0 means no department. */
  readonly department: number
  readonly unit: string
  /** The sale voids an earlier sale of the same name, price and tax code. */
  readonly void: boolean
  readonly adjustment?: Adjustment
}

export interface ArticleSale {
  readonly plu: number
  /** Price in place of the programmed one. Only if `Capabilities.articlePrice` allows it. */
  readonly price?: Money
  readonly quantity: Quantity
  readonly void: boolean
  readonly adjustment?: Adjustment
}

export interface Subtotal {
  readonly print: boolean
  readonly display: boolean
  readonly adjustment?: Adjustment
}

export interface Payment {
  /** PaymentMode of the service. 0 is cash on every family. */
  readonly mode: number
  /** Defaults to the remaining amount. */
  readonly amount?: Money
}

export interface Operator {
  readonly code: number
  readonly password: string
}

export interface Customer {
  readonly taxNumber: string
  readonly name: string
  readonly address: string
}

/** A fictitious customer in valid form, for an invoice whose customer is unknown. */
export const PLACEHOLDER_CUSTOMER: Customer = { taxNumber: '999999999', name: 'CUSTOMER', address: '-' }

export interface FiscalOpening {
  readonly operator: Operator
  readonly pointOfSale: number
  readonly invoice: boolean
  /**
   * Customer of an invoice, or the client's tax number on a receipt. The driver adds other values that the wire
   * protocol requires.
   */
  readonly customer?: Customer
}

/** Phase of the open receipt. `paying`: partly paid; `paid`: fully paid but not closed. */
export type ReceiptPhase = 'idle' | 'nonFiscal' | 'selling' | 'paying' | 'paid'
