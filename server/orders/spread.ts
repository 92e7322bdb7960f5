import type { Money } from '../../drivers/model/money.ts'

/**
 * Spreads an amount over weights by largest remainder (platform orders 5.4): every share is rounded down, the hundredths
 * that are left go one each to the largest remainders; ties to the greater weight, then to the lower index. Exact for
 * 0 <= amount <= sum of weights; then 0 <= share <= weight and the shares add up to the amount.
 */
export function spread(amount: Money, weights: readonly Money[]): readonly Money[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (total === 0n) return weights.map(() => 0)
  const parts = weights.map((weight, index) => {
    const product = BigInt(amount) * BigInt(weight)
    return { index, weight, share: Number(product / total), remainder: product % total }
  })
  const left = amount - parts.reduce((sum, { share }) => sum + share, 0)
  const ranked = [...parts].sort(
    (one, other) => compare(other.remainder, one.remainder) || other.weight - one.weight || one.index - other.index,
  )
  const lucky = new Set(ranked.slice(0, left).map(({ index }) => index))
  return parts.map(({ index, share }) => share + (lucky.has(index) ? 1 : 0))
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)
