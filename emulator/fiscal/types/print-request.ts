import type { Money } from '../../../drivers/model/money.ts'
import type { Adjustment, Barcode, SeparatingLine, TextLine } from '../../../drivers/model/receipt.ts'
import type { CustomerData, FiscalReceipt, SaleRow } from './receipt.ts'

/** What was asked for on a document, in its order, as the books understood it: the same whatever wire it came over. */
export type PrintRequest =
  | ({ readonly ask: 'fiscal' } & Pick<FiscalReceipt, 'kind' | 'invoice' | 'operator' | 'pointOfSale'>)
  | { readonly ask: 'nonFiscal'; readonly operator: number }
  /** `ownPrice`: of an article, and not at its programmed price. */
  | { readonly ask: 'sale'; readonly row: SaleRow; readonly ownPrice?: true }
  | { readonly ask: 'subtotal'; readonly display: boolean; readonly adjustment?: Adjustment }
  | { readonly ask: 'payment'; readonly mode: number; readonly amount: Money }
  | { readonly ask: 'voidPayments' }
  | { readonly ask: 'customer'; readonly customer: CustomerData }
  | { readonly ask: 'text'; readonly line: TextLine }
  | { readonly ask: 'barcode'; readonly barcode: Barcode }
  | { readonly ask: 'separator'; readonly style: SeparatingLine | 'nothingDue' }
  | { readonly ask: 'feed'; readonly lines: number }
  | { readonly ask: 'cut' }
  | { readonly ask: 'reportX' | 'reportZ' | 'copy' }

/** One thing that was asked for, and how many lines of the document came of it; null: its end. */
export interface PrintedStep {
  readonly asked: PrintRequest | null
  readonly lines: number
}
