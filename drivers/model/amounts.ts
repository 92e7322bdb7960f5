/**
 * Integer arithmetic of amounts (sheet A 7) for drivers, legacy lines and platform orders. The emulated device has
 * separate code in emulator/fiscal/rounding.ts; test/fiscal/rounding.test.ts compares the two.
 */
import { type Money, ONE, type Percent, type Quantity } from './money.ts'
import type { Adjustment } from './receipt.ts'

type RoundingRule = 'halfAwayFromZero'

/** Returns `a * b / divisor`, rounded by the named rule. Exact even if the product exceeds the safe integers. */
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

export const rowAmount = (price: Money, quantity: Quantity): Money =>
  multiplyDivide(price, quantity, ONE, 'halfAwayFromZero')

export const percentOf = (base: Money, percent: Percent): Money =>
  multiplyDivide(base, percent, HUNDRED_PERCENT, 'halfAwayFromZero')

export function adjustmentOf(base: Money, adjustment: Adjustment | undefined): Money {
  if (!adjustment) return 0
  const size = 'percent' in adjustment ? percentOf(base, adjustment.percent) : adjustment.amount
  return adjustment.kind === 'discount' && size !== 0 ? -size : size
}

/**
 * Returns the share of each weight, rounded (sheet A 7, rule 5). The hundredths that are missing from the amount are
 * added one by one to the shares whose weight is not 0, from the first on and repeatedly. Excess hundredths are
 * subtracted in the same order.
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
 * Distributes an amount over weights by largest remainder (platform orders 5.4). Each share is rounded down; the
 * largest remainders get one hundredth more each. Equal remainders are ordered by the greater weight, then by the lower
 * index. For 0 <= amount <= sum of weights, each share is between 0 and its weight, and the shares add up to the
 * amount.
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
