/**
 * What a row and an adjustment come to (sheet A 7, rules 1 and 2): the arithmetic that the device's books, the drivers and
 * legacy lines have in common. Integers in, integers out; every rounding is half away from zero.
 */
import { type Money, multiplyDivide, ONE, type Percent, type Quantity } from './money.ts'
import type { Adjustment } from './receipt.ts'

const HUNDRED_PERCENT: Percent = 10_000

export const rowAmount = (price: Money, quantity: Quantity): Money =>
  multiplyDivide(price, quantity, ONE, 'halfAwayFromZero')

export const percentOf = (base: Money, percent: Percent): Money =>
  multiplyDivide(base, percent, HUNDRED_PERCENT, 'halfAwayFromZero')

/** What an adjustment changes, negative for a discount. */
export function adjustmentOf(base: Money, adjustment: Adjustment | undefined): Money {
  if (!adjustment) return 0
  const size = 'percent' in adjustment ? percentOf(base, adjustment.percent) : adjustment.amount
  return adjustment.kind === 'discount' && size !== 0 ? -size : size
}
