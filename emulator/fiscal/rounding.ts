/**
 * Arithmetic of amounts in the device (sheet A 7). Service and drivers have their own (drivers/model/amounts.ts), so
 * that a rounding error on one side is detected: test/fiscal/rounding.test.ts compares the two.
 */
import type { Money, Percent, Quantity } from '../../drivers/model/money.ts'
import type { Adjustment } from '../../drivers/model/receipt.ts'

const THOUSAND_PIECES = 1000n
const PERCENT_WHOLE = 10_000

/** Returns `value * part / whole`, rounded half away from zero. */
export function portion(value: number, part: number, whole: number): number {
  const product = BigInt(value) * BigInt(part)
  return rounded(product, BigInt(whole))
}

function rounded(product: bigint, divisor: bigint): number {
  const size = product < 0n ? -product : product
  const result = Number((size * 2n + divisor) / (divisor * 2n))
  return product < 0n && result !== 0 ? -result : result
}

/** Sheet A 7, rule 1. */
export const rowAmount = (price: Money, quantity: Quantity): Money =>
  rounded(BigInt(price) * BigInt(quantity), THOUSAND_PIECES)

export const percentOf = (base: Money, percent: Percent): Money => portion(base, percent, PERCENT_WHOLE)

/** Returns the adjustment of an amount, negative for a discount (sheet A 7, rule 2). */
export function adjustmentOf(base: Money, adjustment: Adjustment | undefined): Money {
  if (!adjustment) return 0
  const size = 'percent' in adjustment ? percentOf(base, adjustment.percent) : adjustment.amount
  return adjustment.kind === 'surcharge' || size === 0 ? size : -size
}

/** Returns the tax that a gross sum contains (sheet A 7, rule 6). */
export const includedTax = (gross: Money, rate: Percent | null): Money =>
  rate === null ? 0 : portion(gross, rate, PERCENT_WHOLE + rate)

/**
 * Returns the rounded share of each group (sheet A 7, rule 5). The rounding difference is distributed in steps of 0.01
 * over the groups that are not empty, starting with the first.
 */
export function sharesOf(amount: Money, groups: readonly Money[]): readonly Money[] {
  const total = groups.reduce((sum, group) => sum + group, 0)
  if (total === 0) return groups.map(() => 0)
  const rough = groups.map((group) => portion(group, amount, total))
  const missing = amount - rough.reduce((sum, share) => sum + share, 0)
  const full = groups.filter((group) => group !== 0).length
  const rounds = Math.floor(Math.abs(missing) / full)
  let extra = Math.abs(missing) % full
  return rough.map((share, index) => {
    if (groups[index] === 0) return share
    const units = rounds + (extra-- > 0 ? 1 : 0)
    return share + Math.sign(missing) * units
  })
}
