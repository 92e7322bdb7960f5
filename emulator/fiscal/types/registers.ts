import type { Money, Quantity } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'

/** Settings and totals by operator, article, department and group. */

/** Eight places, tax group A to H; families with fewer groups leave the rest at zero. */
export type ByTaxGroup<T> = readonly [T, T, T, T, T, T, T, T]

export interface Counted {
  readonly count: number
  readonly amount: Money
}

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
  readonly extra?: ArticleDetails
  /** When a receipt that sold it was closed last, in device time; absent: not since the turnover was cleared. */
  readonly soldAt?: number
}

/** Details of family C (sheet C 4.13). */
interface ArticleDetails {
  /** The letter of the tax class as it was programmed. */
  readonly tax?: string
  /** `1`: sold one at a time. */
  readonly single?: '0' | '1'
  /** How the stock is kept, and the stock as it was given where sales do not change it. */
  readonly stockFlag?: string
  readonly stock?: string
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
  /** Those of rows, the others being of subtotals; absent: none. */
  readonly rowDiscounts?: Counted
  readonly surcharges: Counted
  readonly voids: Counted
  readonly payments: Readonly<Record<number, Money>>
  /** As handed over, and what went back, as the day keeps them; absent: nothing yet (C 6Fh). */
  readonly tendered?: Readonly<Record<number, Money>>
  readonly change?: Readonly<Record<number, Money>>
  readonly cashIn: Counted
  readonly cashOut: Counted
}
