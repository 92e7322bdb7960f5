import type { Money, Quantity } from '../../../drivers/model/money.ts'
import type { Adjustment, Customer, TaxCode } from '../../../drivers/model/receipt.ts'
import type { ByTaxGroup } from './registers.ts'

/** A receipt from its opening to its end, and what is asked of it. */

export interface SaleRow {
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: Money
  readonly quantity: Quantity
  readonly department: number
  readonly unit: string
  /** 0: a free sale. */
  readonly plu: number
  readonly void: boolean
  readonly adjustment?: Adjustment
  /** Signed, after the adjustment: negative for a void. */
  readonly amount: Money
  /** Signed amount of the adjustment: negative for a discount; 0 without. */
  readonly adjusted: Money
}

export interface PaymentRow {
  readonly mode: number
  readonly tendered: Money
  readonly change: Money
  /** The payment mode that the change was given in; absent: cash. */
  readonly changeMode?: number
}

export type ReversalReason = 'operatorError' | 'refund' | 'taxBaseReduction'

/** Details of single families; they survive a restart with the receipt. */
export interface ReceiptDetails {
  /** A: the document that is reversed, its invoice, and why in words. */
  readonly original?: string
  readonly toInvoice?: string
  readonly reasonText?: string
  /** C: how the receipt is printed (sheet C 4.7), and whether in detail. */
  readonly print?: string
  readonly detailed?: '0' | '1'
  /** `1`: with the tax block, where the style prints it on request. */
  readonly vat?: '0' | '1'
}

export interface FiscalReceipt {
  readonly kind: 'sale' | 'reversal'
  readonly reason?: ReversalReason
  readonly invoice: boolean
  readonly invoiceNumber?: number
  readonly document: number
  readonly openedAt: number
  readonly operator: number
  readonly pointOfSale: number
  readonly saleNumber?: string
  readonly customer?: CustomerData
  readonly rows: readonly SaleRow[]
  readonly subtotalAdjustments: readonly { readonly adjustment: Adjustment; readonly amount: Money }[]
  readonly groups: ByTaxGroup<Money>
  readonly total: Money
  readonly payments: readonly PaymentRow[]
  /** What was tendered so far, all modes together. */
  readonly paid: Money
  /** What is left to pay; 0 when paid. */
  readonly rest: Money
  readonly change: Money
  /** Sales and voids registered so far. */
  readonly items: number
  readonly extra?: ReceiptDetails
}

/** Customer of an invoice, in the fields of the three wires. */
export interface CustomerData extends Partial<Customer> {
  readonly fields: readonly string[]
}

export type OpenReceipt =
  | { readonly kind: 'nonFiscal'; readonly document: number; readonly openedAt: number; readonly operator: number }
  | ({ readonly fiscal: FiscalReceipt } & { readonly kind: 'fiscal' })

export interface OpenFiscal {
  readonly kind: 'sale' | 'reversal'
  readonly reason?: ReversalReason
  readonly reasonText?: string
  readonly original?: {
    readonly document: number
    readonly at: string
    readonly fiscalMemoryNumber: string
    readonly invoice?: string
  }
  readonly invoice: boolean
  readonly operator: number
  readonly pointOfSale: number
  readonly saleNumber?: string
  readonly customer?: CustomerData
  /** Nothing is printed before the receipt is closed (C 4.7). */
  readonly postponed?: boolean
  readonly extra?: ReceiptDetails
}

export interface Sale {
  readonly name: string
  readonly taxCode: TaxCode
  /** Positive; a void is said by `void`. */
  readonly price: Money
  readonly quantity: Quantity
  readonly department?: number
  readonly unit?: string
  readonly plu?: number
  readonly void: boolean
  readonly adjustment?: Adjustment
}

export interface ArticleSaleIntent {
  readonly plu: number
  readonly quantity: Quantity
  readonly void: boolean
  /** Absent: the programmed one. */
  readonly price?: Money
  readonly adjustment?: Adjustment
}

export interface SubtotalIntent {
  readonly print: boolean
  readonly display: boolean
  readonly adjustment?: Adjustment
}

export interface SubtotalResult {
  readonly before: Money
  readonly adjusted: Money
  /** After the adjustment. */
  readonly total: Money
  readonly groups: ByTaxGroup<Money>
}

export interface PaymentIntent {
  readonly mode: number
  /** Absent: exactly the rest. */
  readonly amount?: Money
  /** What change is given in (C 4.11); absent: cash. */
  readonly changeMode?: number
}

export interface PaymentResult {
  /** Still due. */
  readonly rest: Money
  readonly change: Money
}

export interface ClosedFiscal {
  readonly document: number
  readonly total: Money
  readonly change: Money
}

export interface CashIntent {
  readonly direction: 'in' | 'out'
  readonly amount: Money
  readonly mode?: number
  readonly operator?: number
  readonly text?: readonly string[]
}

export interface CashResult {
  readonly drawer: Money
  readonly cashIn: Money
  /** Positive. */
  readonly cashOut: Money
}
