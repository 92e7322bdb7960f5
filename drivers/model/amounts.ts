/**
 * Integer arithmetic of amounts (sheet A 7) for drivers, legacy lines and platform orders. The device has its own in
 * emulator/fiscal/rounding.ts; test/fiscal/rounding.test.ts compares both.
 */
import { type Money, ONE, type Percent, type Quantity } from './money.ts'
import type { Adjustment } from './receipt.ts'

/** Rule by which the quotient of two integers becomes an integer. Every rounding in this project names its rule. */
type RoundingRule = 'halfAwayFromZero'

/** Returns `a * b / divisor`, rounded by the named rule; exact for any size of the product. */
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

/** Returns the amount of a row (sheet A 7, rule 1). */
export const rowAmount = (price: Money, quantity: Quantity): Money =>
  multiplyDivide(price, quantity, ONE, 'halfAwayFromZero')

export const percentOf = (base: Money, percent: Percent): Money =>
  multiplyDivide(base, percent, HUNDRED_PERCENT, 'halfAwayFromZero')

/** Returns the amount of an adjustment, negative for a discount (sheet A 7, rule 2). */
export function adjustmentOf(base: Money, adjustment: Adjustment | undefined): Money {
  if (!adjustment) return 0
  const size = 'percent' in adjustment ? percentOf(base, adjustment.percent) : adjustment.amount
  return adjustment.kind === 'discount' && size !== 0 ? -size : size
}

/**
 * Returns the rounded share of each weight (sheet A 7, rule 5). The hundredths that the rounding leaves are added one
 * by one to the shares with a weight, from the first on and repeatedly; excess hundredths are subtracted in the same
 * order.
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
 * Distributes an amount over weights by largest remainder (platform orders 5.4): rounds every share down and adds one
 * hundredth each to the largest remainders; ties go to the greater weight, then to the lower index. Exact for 0 <=
 * amount <= sum of weights; then 0 <= share <= weight, and the shares add up to the amount.
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
  const roundedUp = new Set(ranked.slice(0, remaining).map(({ index }) => index))
  return parts.map(({ index, share }) => share + (roundedUp.has(index) ? 1 : 0))
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
