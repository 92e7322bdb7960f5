/** A complete receipt (specification 4.5), as its caller wants it. */
import type { ArticleSale, FiscalOpening, FreeSale, Payment, Subtotal, TextLine } from '../drivers/model/receipt.ts'
import type { Element, Operation } from './operations/operation.ts'

export type NonFiscalItem = Element

export type FiscalItem =
  | { readonly is: 'freeSale'; readonly sale: FreeSale }
  | { readonly is: 'articleSale'; readonly sale: ArticleSale }
  | { readonly is: 'subtotal'; readonly subtotal: Subtotal }
  | NonFiscalItem

export interface ReceiptPayment extends Payment {
  /** Printed before this payment, after the one before. */
  readonly textsBefore?: readonly TextLine[]
}

export interface FiscalReceipt extends Pick<Operation, 'expectedTotal'> {
  /** Absent: the operator of the configuration, no invoice. */
  readonly opening?: FiscalOpening
  readonly items: readonly FiscalItem[]
  readonly subtotal?: Subtotal
  /** Empty: the whole remaining sum in cash. */
  readonly payments: readonly ReceiptPayment[]
  /** True: its parts have the names that print-fiscal-receipt has for them. */
  readonly named?: boolean
  /** True: everything is printed but paid, then the receipt is cancelled; the answer is empty. */
  readonly cancelled?: boolean
}
