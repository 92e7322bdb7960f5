import type { Money, Quantity } from '../../../drivers/model/money.ts'
import type { Adjustment, Customer, TaxCode } from '../../../drivers/model/receipt.ts'
import type { ByTaxGroup } from './registers.ts'

export interface SaleRow {
  readonly name: string
  readonly taxCode: TaxCode
  readonly price: Money
  readonly quantity: Quantity
  readonly department: number
  readonly unit: string
  /** PLU of the article; 0 for a free sale. */
  readonly plu: number
  readonly void: boolean
  readonly adjustment?: Adjustment
  /** Signed amount after the adjustment, negative for a void. */
  readonly amount: Money
  /** Signed amount of the adjustment, negative for a discount; 0 without an adjustment. */
  readonly adjusted: Money
}

export interface PaymentRow {
  readonly mode: number
  readonly tendered: Money
  readonly change: Money
  /** The payment mode in which the change was given. Absent: cash. */
  readonly changeMode?: number
}

export type ReversalReason = 'operatorError' | 'refund' | 'taxBaseReduction'

/** Details that only some families have. They are stored with the receipt, so that they survive a restart. */
export interface ReceiptDetails {
  /** Family A: the reversed document, its invoice, and the reason as text. */
  readonly original?: string
  readonly toInvoice?: string
  readonly reasonText?: string
  /** Family C: the print mode (sheet C 4.7), and whether the receipt is detailed. */
  readonly print?: string
  readonly detailed?: '0' | '1'
  /** `1` prints the tax block, if the style prints it on request. */
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
  readonly paid: Money
  /** Remaining amount; 0 if the receipt is paid. */
  readonly rest: Money
  readonly change: Money
  /** Number of registered sales and voids. */
  readonly items: number
  readonly extra?: ReceiptDetails
}

/** `fields` are those of the wire protocol, whose order differs by family. */
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
  /** True if nothing is printed before the receipt is closed (sheet C 4.7). */
  readonly postponed?: boolean
  readonly extra?: ReceiptDetails
}

export interface Sale {
  readonly name: string
  readonly taxCode: TaxCode
  /** Positive, also for a void. */
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
  /** Absent: the programmed price. */
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
  readonly total: Money
  readonly groups: ByTaxGroup<Money>
}

export interface PaymentIntent {
  readonly mode: number
  /** Absent: exactly the remaining amount. */
  readonly amount?: Money
  /** The payment mode in which change is given (sheet C 4.11). Absent: cash. */
  readonly changeMode?: number
}

export interface PaymentResult {
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
  /** Positive sum. */
  readonly cashOut: Money
}
