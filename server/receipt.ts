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
  /** Text lines before this payment, after the one before. */
  readonly textsBefore?: readonly TextLine[]
}

export interface FiscalReceipt extends Pick<Operation, 'expectedTotal'> {
  /** Absent: the operator of the configuration, no invoice. */
  readonly opening?: FiscalOpening
  readonly items: readonly FiscalItem[]
  readonly subtotal?: Subtotal
  /** Empty: the whole total in cash. */
  readonly payments: readonly ReceiptPayment[]
  /** True: its parts have the field names of print-fiscal-receipt. */
  readonly named?: boolean
  /** True: everything except the payments is printed, then the receipt is cancelled; the answer is empty. */
  readonly cancelled?: boolean
}
