import type { Money, Quantity } from '../../../drivers/model/money.ts'
import type { TaxCode } from '../../../drivers/model/receipt.ts'

/** Eight values, for tax groups A to H. For families with fewer groups, the other values are not used. */
export type ByTaxGroup<T> = readonly [T, T, T, T, T, T, T, T]

export interface CountedAmount {
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
  /** `null` if the stock is not tracked. */
  readonly stock: Quantity | null
  readonly barcodes: readonly string[]
  readonly unit: number
  readonly turnover: Money
  readonly sold: Quantity
  /** Quantity and amount that reversals subtracted, if the rules count them separately. */
  readonly reversed?: { readonly quantity: Quantity; readonly amount: Money }
  readonly extra?: ArticleDetails
  /**
   * Device time in ms at which a receipt that sold the article was last closed. Absent if there was none since the
   * turnover was cleared.
   */
  readonly soldAt?: number
}

/** Details of family C (sheet C 4.13). */
interface ArticleDetails {
  readonly tax?: string
  /** `1` if the article is sold as a single item. */
  readonly single?: '0' | '1'
  /** The stock mode, and the programmed stock for a mode in which sales do not change it. */
  readonly stockFlag?: string
  readonly stock?: string
}

export type ProgrammedArticle = Omit<Article, 'turnover' | 'sold' | 'soldAt' | 'reversed'>

export interface Department {
  readonly number: number
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: Money
  readonly unit: number
}

export interface RegisterTotals {
  readonly sales: CountedAmount
  readonly reversals: CountedAmount
  /** Quantity sold minus quantity reversed, in thousandths. Absent: zero. */
  readonly quantity?: number
}

export interface OperatorTotals {
  /** Number of fiscal receipts, including `reversals`. */
  readonly receipts: number
  readonly reversals?: number
  /** Sold rows (command 112 of family B). */
  readonly sales?: CountedAmount
  readonly total: Money
  readonly discounts: CountedAmount
  /** The part of `discounts` that was given on rows; the remainder was given on subtotals. Absent: zero. */
  readonly rowDiscounts?: CountedAmount
  readonly surcharges: CountedAmount
  readonly voids: CountedAmount
  readonly payments: Readonly<Record<number, Money>>
  /** Amounts handed over, and change given, as in the totals of the day (command 6Fh of family C). Absent: none. */
  readonly tendered?: Readonly<Record<number, Money>>
  readonly change?: Readonly<Record<number, Money>>
  readonly cashIn: CountedAmount
  readonly cashOut: CountedAmount
}
