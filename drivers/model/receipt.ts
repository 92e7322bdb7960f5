import type { Money, Percent, Quantity } from './money.ts'

/** What a caller wants on paper: the words of the service specification 2, in integers. */

/** 1 to 8, standing for the tax groups A to H. */
export type TaxCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
export const TAX_CODES: readonly TaxCode[] = [1, 2, 3, 4, 5, 6, 7, 8]
export const taxLetter = (code: TaxCode): string => String.fromCharCode(64 + code)

/** Rates by tax code, of a list that begins with group A; a group that is switched off has none. */
export const ratesByCode = (rates: readonly (Percent | null)[]): ReadonlyMap<TaxCode, Percent> =>
  new Map(
    TAX_CODES.flatMap((code) => {
      const rate = rates[code - 1] ?? null
      return rate === null ? [] : [[code, rate] as const]
    }),
  )

/** A surcharge or a discount. `percent` in hundredths of a percent, `amount` in hundredths; always positive. */
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
  /** The service's type, 1 to 16 (specification 2.3); what a family supports is in its capabilities. */
  readonly type: number
  readonly data: string
  /** Module size of a QR code. */
  readonly qrSize?: number
  /** 0 left, 1 centre, 2 right. */
  readonly position?: number
  /** Width of the narrowest bar in dots. */
  readonly scale?: number
  /** Height of the bars in mm. */
  readonly height?: number
  readonly printText?: boolean
}

/** 1 `-`, 2 `=`, 3 `*`, 4 dashed. */
export type SeparatingLine = 1 | 2 | 3 | 4
const STROKES: Readonly<Record<SeparatingLine, string>> = { 1: '-', 2: '=', 3: '*', 4: '- ' }

/** The same as a text, on a wire that has no command for it. */
export const strokes = (style: SeparatingLine, width: number): string => STROKES[style].repeat(width).slice(0, width)

export interface FreeSale {
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: Money
  readonly quantity: Quantity
  /** 0 is "no department". */
  readonly department: number
  readonly unit: string
  /** Takes back an earlier sale of the same name, price and tax code. */
  readonly void: boolean
  readonly adjustment?: Adjustment
}

export interface ArticleSale {
  /** Number of the article (PLU) programmed in the device. */
  readonly plu: number
  /** Instead of the programmed price; only where `Capabilities.articlePrice` says that the wire carries it. */
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
  /** PaymentMode of the service: 0 is cash on every family. */
  readonly mode: number
  /** Absent: exactly what is left to pay. */
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

/** Of valid form, and nobody: what an invoice is made out to when nobody named a customer. */
export const PLACEHOLDER_CUSTOMER: Customer = { taxNumber: '999999999', name: 'CUSTOMER', address: '-' }

export interface FiscalOpening {
  readonly operator: Operator
  readonly pointOfSale: number
  readonly invoice: boolean
  /** For an invoice, or for the client's tax number on a receipt; the driver fills in what the wire wants besides. */
  readonly customer?: Customer
}

/** What stands open on a device: nothing, a non-fiscal receipt, or a fiscal one on which nothing, something or all is paid. */
export type ReceiptPhase = 'idle' | 'nonFiscal' | 'selling' | 'paying' | 'paid'
