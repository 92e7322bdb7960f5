/** A complete receipt (specification 4.5), as its caller requests it. */
import type { ArticleSale, FiscalOpening, FreeSale, Payment, Subtotal, TextLine } from '../drivers/model/receipt.ts'
import type { Element, Operation } from './operations/operation.ts'

export type NonFiscalItem = Element

export type FiscalItem =
  | { readonly is: 'freeSale'; readonly sale: FreeSale }
  | { readonly is: 'articleSale'; readonly sale: ArticleSale }
  | { readonly is: 'subtotal'; readonly subtotal: Subtotal }
  | NonFiscalItem

export interface ReceiptPayment extends Payment {
  /** Text lines between the payment before and this one. */
  readonly textsBefore?: readonly TextLine[]
}

export interface FiscalReceipt extends Pick<Operation, 'expectedTotal'> {
  /** Absent: the default operator, and no invoice. */
  readonly opening?: FiscalOpening
  readonly items: readonly FiscalItem[]
  readonly subtotal?: Subtotal
  /** Empty: the whole total in cash. */
  readonly payments: readonly ReceiptPayment[]
  /** Messages name the parts by the fields of print-fiscal-receipt. */
  readonly named?: boolean
  /** Everything but the payments is printed, then the receipt is cancelled. */
  readonly cancelled?: boolean
}
