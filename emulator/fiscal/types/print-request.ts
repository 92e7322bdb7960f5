import type { Money } from '../../../drivers/model/money.ts'
import type { Adjustment, Barcode, SeparatingLine, TextLine } from '../../../drivers/model/receipt.ts'
import type { CustomerData, FiscalReceipt, SaleRow } from './receipt.ts'

/** A request for a document as the books processed it, independent of the wire protocol. */
export type PrintRequest =
  | ({ readonly ask: 'fiscal' } & Pick<FiscalReceipt, 'kind' | 'invoice' | 'operator' | 'pointOfSale'>)
  | { readonly ask: 'nonFiscal'; readonly operator: number }
  /** `ownPrice`: the article was sold at another price than the programmed one. */
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

/**
 * `lines` is the number of document lines that the request produced. `asked` is `null` for lines that no request
 * produced.
 */
export interface PrintedStep {
  readonly asked: PrintRequest | null
  readonly lines: number
}
