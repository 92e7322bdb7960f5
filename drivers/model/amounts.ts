/**
 * Arithmetic of amounts: the amount of a row and of an adjustment, and the shares of an amount (sheet A 7). Drivers,
 * legacy lines and platform orders share it; the device has its own (emulator/fiscal/rounding.ts), and
 * test/fiscal/rounding.test.ts compares both. Integers in, integers out.
 */
import { type Money, ONE, type Percent, type Quantity } from './money.ts'
import type { Adjustment } from './receipt.ts'

/** Rule by which the quotient of two integers becomes an integer. Every rounding in this project names its rule. */
type RoundingRule = 'halfAwayFromZero'

/** Returns `a * b / divisor`, rounded by the named rule, exact for any size of the product. */
export function multiplyDivide(a: number, b: number, divisor: number, rule: RoundingRule): number {
  const product = a * b
  if (Number.isSafeInteger(product) && Number.isSafeInteger(product * 2)) return divideRounded(product, divisor, rule)
  const quotient = divideBig(BigInt(a) * BigInt(b), BigInt(divisor))
  return Number(quotient)
}

function divideRounded(value: number, divisor: number, _rule: RoundingRule): number {
  const magnitude = Math.abs(value)
  const remainder = magnitude % divisor
  const quotient = (magnitude - remainder) / divisor + (remainder * 2 >= divisor ? 1 : 0)
  return value < 0 && quotient !== 0 ? -quotient : quotient
}

function divideBig(value: bigint, divisor: bigint): bigint {
  const magnitude = value < 0n ? -value : value
  const quotient = magnitude / divisor + ((magnitude % divisor) * 2n >= divisor ? 1n : 0n)
  return value < 0n ? -quotient : quotient
}

export const HUNDRED_PERCENT: Percent = 10_000

/** Rule 1: returns the amount of a row. */
export const rowAmount = (price: Money, quantity: Quantity): Money =>
  multiplyDivide(price, quantity, ONE, 'halfAwayFromZero')

export const percentOf = (base: Money, percent: Percent): Money =>
  multiplyDivide(base, percent, HUNDRED_PERCENT, 'halfAwayFromZero')

/** Rule 2: returns the amount of an adjustment, negative for a discount. */
export function adjustmentOf(base: Money, adjustment: Adjustment | undefined): Money {
  if (!adjustment) return 0
  const size = 'percent' in adjustment ? percentOf(base, adjustment.percent) : adjustment.amount
  return adjustment.kind === 'discount' && size !== 0 ? -size : size
}

/**
 * Rule 5: returns the rounded share of each weight; the leftover hundredths are added one by one to those that have a
 * weight, from the first upward, starting over at the end. If the rounding gave too much, hundredths are subtracted in
 * the same order.
 */
export function sharesOf(amount: Money, weights: readonly Money[]): readonly Money[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return weights.map(() => 0)
  const shares = weights.map((weight) => multiplyDivide(weight, amount, total, 'halfAwayFromZero'))
  const takers = weights.flatMap((weight, index) => (weight === 0 ? [] : [index]))
  const remaining = amount - shares.reduce((sum, share) => sum + share, 0)
  for (let unit = 0; unit < Math.abs(remaining); unit++) {
    const index = takers[unit % takers.length] as number
    shares[index] = (shares[index] ?? 0) + Math.sign(remaining)
  }
  return shares
}

/**
 * Spreads an amount over weights by largest remainder (platform orders 5.4): every share is rounded down, the remaining
 * hundredths are added one each to the largest remainders; ties to the greater weight, then to the lower index. Exact
 * for 0 <= amount <= sum of weights; then 0 <= share <= weight and the shares add up to the amount.
 */
export function spread(amount: Money, weights: readonly Money[]): readonly Money[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (total === 0n) return weights.map(() => 0)
  const parts = weights.map((weight, index) => {
    const product = BigInt(amount) * BigInt(weight)
    return { index, weight, share: Number(product / total), remainder: product % total }
  })
  const remaining = amount - parts.reduce((sum, { share }) => sum + share, 0)
  const ranked = [...parts].sort(
    (one, other) => compare(other.remainder, one.remainder) || other.weight - one.weight || one.index - other.index,
  )
  const lucky = new Set(ranked.slice(0, remaining).map(({ index }) => index))
  return parts.map(({ index, share }) => share + (lucky.has(index) ? 1 : 0))
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
