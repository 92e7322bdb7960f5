import type { ArticleSale, FiscalOpening, FreeSale, Payment, Subtotal, TextLine } from '../drivers/model/receipt.ts'
import type { Element } from '../drivers/model/steps.ts'
import type { Operation } from './operations/operation.ts'

export type NonFiscalItem = Element

export type FiscalItem =
  | { readonly is: 'freeSale'; readonly sale: FreeSale }
  | { readonly is: 'articleSale'; readonly sale: ArticleSale }
  | { readonly is: 'subtotal'; readonly subtotal: Subtotal }
  | NonFiscalItem

export interface ReceiptPayment extends Payment {
  /** Text lines between the payment before this one and this one. */
  readonly textsBefore?: readonly TextLine[]
}

export interface FiscalReceipt extends Pick<Operation, 'expectedTotal'> {
  readonly opening?: FiscalOpening
  readonly items: readonly FiscalItem[]
  readonly subtotal?: Subtotal
  /** An empty list means the whole total in cash. */
  readonly payments: readonly ReceiptPayment[]
  /** True if messages name the parts by the fields of print-fiscal-receipt. */
  readonly named?: boolean
  /** True if everything except the payments is printed and the receipt is then cancelled. */
  readonly cancelled?: boolean
}
