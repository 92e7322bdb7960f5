/** Steps of a request to a device: those of a receipt, or a single command. */
import type { Money } from './money.ts'
import type {
  ArticleSale,
  Barcode,
  Customer,
  FiscalOpening,
  FreeSale,
  Operator,
  Payment,
  SeparatingLine,
  Subtotal,
  TextLine,
} from './receipt.ts'

/** A printed element that is not a part of any sum that a device reports. */
export type Element =
  | { readonly is: 'text'; readonly line: TextLine }
  | { readonly is: 'barcode'; readonly barcode: Barcode }
  | { readonly is: 'separatingLine'; readonly style: SeparatingLine }

export type Sale = FreeSale | ArticleSale

export type DocumentKind = 'x' | 'z' | 'copy' | 'cashIn' | 'cashOut'

export type Step = {
  readonly path?: string
} & (
  | { readonly does: 'open'; readonly opening?: FiscalOpening }
  | { readonly does: 'openNonFiscal'; readonly operator?: Operator }
  | { readonly does: 'sell'; readonly sale: Sale }
  | { readonly does: 'subtotal'; readonly subtotal: Subtotal }
  | { readonly does: 'print'; readonly element: Element; readonly on: 'fiscal' | 'nonFiscal' }
  | { readonly does: 'pay'; readonly payment: Payment }
  /** `customer`: only for an invoice. */
  | { readonly does: 'close'; readonly customer?: Customer }
  | { readonly does: 'closeNonFiscal' | 'cancel' | 'cancelNonFiscal' }
  /** `amount` (positive) and `operator`: only for cash in and cash out. */
  | { readonly does: 'document'; readonly kind: DocumentKind; readonly amount?: Money; readonly operator?: Operator }
)
export type StepOfKind<Does extends Step['does']> = Extract<Step, { does: Does }>
