import { adjustmentOf, rowAmount } from '../model/amounts.ts'
import { ONE } from '../model/money.ts'
import type { Adjustment, FreeSale, Operator } from '../model/receipt.ts'
import { type ByteText, clean } from '../wire/charset.ts'

export const CASH = 0

/** The layout of the command pads and cuts the password to the edition's width. */
export const operatorOf = ({ code, password }: Operator): { operator: number; password: string } => ({
  operator: code,
  password: clean(password),
})

export function changeOf(adjustment: Adjustment | undefined): { percent?: number; value?: number } {
  if (!adjustment) return {}
  const sign = adjustment.kind === 'discount' ? -1 : 1
  return 'percent' in adjustment ? { percent: sign * adjustment.percent } : { value: sign * adjustment.amount }
}

/**
 * Returns price and quantity of a sale. The device refuses a void with an adjustment (sheet 4.8), so the amount of the
 * adjusted sale is voided as one piece.
 */
export function amountsOf({ price, quantity, adjustment, void: isVoid }: FreeSale) {
  if (!isVoid || !adjustment) return { price, quantity, ...changeOf(adjustment) }
  const base = rowAmount(price, quantity)
  return { price: base + adjustmentOf(base, adjustment), quantity: ONE }
}

interface WrappedName {
  readonly before: readonly ByteText[]
  readonly last: ByteText
}

/** Wraps a long name. Its last part fits into the field of the sale; the parts before it are printed as lines. */
export function wrapName(name: ByteText, room: number, lineWidth: number): WrappedName {
  if (name.length <= room) return { before: [], last: name }
  const before: ByteText[] = []
  let rest = name
  while (rest.length > room) {
    const width = Math.min(lineWidth, rest.length - 1)
    const blank = rest.lastIndexOf(' ', width)
    const cut = blank > 0 ? blank : width
    before.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return rest === ''
    ? { before: before.slice(0, -1), last: (before.at(-1) ?? '').slice(0, room) }
    : { before, last: rest }
}
