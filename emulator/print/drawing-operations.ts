import type { SeparatingLine } from '../../drivers/model/receipt.ts'

/**
 * The drawing operations of a receipt printer. A document on paper is a list of them: `text-paper.ts` converts the list
 * to lines of text, `svg-paper.ts` to a picture.
 */
export type DrawingOperation =
  | ({ readonly op: 'text'; readonly text: string; readonly align?: 'left' | 'center' | 'right' } & TypeStyle)
  | ({ readonly op: 'columns'; readonly left: string; readonly right: string } & TypeStyle)
  | { readonly op: 'rule'; readonly style: SeparatingLine }
  | BarcodeOperation
  /** `shop` is the loaded picture, `fiscal` the mark of a fiscal document with its words. */
  | { readonly op: 'logo'; readonly name: 'shop' | 'fiscal'; readonly text: string }
  | { readonly op: 'feed'; readonly lines: number }
  | { readonly op: 'cut' }

export interface TypeStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  /** Double or half height of the letters. Their width is unchanged. */
  readonly height?: 'double' | 'half'
}

export interface BarcodeOperation {
  readonly op: 'barcode'
  /** The service's barcode type, 1 to 16 (specification 2.3). */
  readonly type: number
  /** Display name of the symbology, for example `EAN-13`. */
  readonly label: string
  readonly data: string
  /** Module size of a QR code or PDF417, in dots. */
  readonly size?: number
  readonly align?: 'left' | 'center' | 'right'
  /** Width of the narrowest bar in dots. */
  readonly scale?: number
  /** Height of the bars in mm. */
  readonly height?: number
  readonly printText?: boolean
}

export const text = (
  value: string,
  style: TypeStyle & { align?: 'left' | 'center' | 'right' } = {},
): DrawingOperation => ({
  op: 'text',
  text: value,
  ...style,
})

export const centered = (value: string, style: TypeStyle = {}): DrawingOperation => ({
  op: 'text',
  text: value,
  align: 'center',
  ...style,
})

export const columns = (left: string, right: string, style: TypeStyle = {}): DrawingOperation => ({
  op: 'columns',
  left,
  right,
  ...style,
})

export const rule = (style: SeparatingLine): DrawingOperation => ({ op: 'rule', style })
