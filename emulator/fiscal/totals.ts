import { percentOf } from '../../drivers/model/amounts.ts'
import { type Money, multiplyDivide, type Percent } from '../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'
import type { SaleRow } from './types/receipt.ts'
import type { ByTaxGroup } from './types/registers.ts'

/**
 * The only production arithmetic of receipts, tax and change (sheet A 7; B and C follow it). A single row is in
 * drivers/model/amounts.ts.
 * Integers in, integers out; every rounding is half away from zero.
 */

const HUNDRED_PERCENT = 10_000
const RULE = 'halfAwayFromZero'

export const NO_GROUPS: ByTaxGroup<Money> = [0, 0, 0, 0, 0, 0, 0, 0]

/** Rule 3. */
export function sum(groups: ByTaxGroup<Money>): Money {
  let total = 0
  for (const group of groups) total += group
  return total
}

/** Rules 4 and 5: what an adjustment of the subtotal changes in each tax group, negative for a discount. */
export function subtotalShares(groups: ByTaxGroup<Money>, adjustment: Adjustment): ByTaxGroup<Money> {
  const sizes =
    'percent' in adjustment
      ? mapGroups(groups, (group) => percentOf(group, adjustment.percent))
      : sharesOfAmount(groups, adjustment.amount)
  return adjustment.kind === 'discount' ? mapGroups(sizes, negative) : sizes
}

/**
 * Rule 5: each group its rounded share; the leftover hundredths one by one to the groups present, from A upward,
 * starting over at the end. Too much given away by the rounding is taken back in the same order.
 */
function sharesOfAmount(groups: ByTaxGroup<Money>, amount: Money): ByTaxGroup<Money> {
  const total = sum(groups)
  if (total === 0) return NO_GROUPS
  const shares = groups.map((group) => multiplyDivide(group, amount, total, RULE))
  let leftover = amount - shares.reduce((all, share) => all + share, 0)
  const step = leftover < 0 ? -1 : 1
  while (leftover !== 0) {
    for (let index = 0; index < shares.length && leftover !== 0; index++) {
      if (groups[index] === 0) continue
      shares[index] = (shares[index] ?? 0) + step
      leftover -= step
    }
  }
  return shares as unknown as ByTaxGroup<Money>
}

/** Rule 6: the tax that is contained in a gross sum. */
export const includedTax = (gross: Money, rate: Percent | null): Money =>
  rate === null ? 0 : multiplyDivide(gross, rate, HUNDRED_PERCENT + rate, RULE)

/** What a payment leaves to pay, and what goes back. */
export function settle(rest: Money, tendered: Money): { readonly rest: Money; readonly change: Money } {
  return tendered >= rest ? { rest: 0, change: tendered - rest } : { rest: rest - tendered, change: 0 }
}

export const negative = (value: Money): Money => (value === 0 ? 0 : -value)

export const mapGroups = <T, R>(groups: ByTaxGroup<T>, change: (value: T, index: number) => R): ByTaxGroup<R> =>
  groups.map(change) as unknown as ByTaxGroup<R>

export const addGroups = (left: ByTaxGroup<Money>, right: ByTaxGroup<Money>): ByTaxGroup<Money> =>
  mapGroups(left, (value, index) => value + (right[index] ?? 0))

export const addToGroup = (groups: ByTaxGroup<Money>, code: TaxCode, amount: Money): ByTaxGroup<Money> =>
  mapGroups(groups, (group, index) => (index === code - 1 ? group + amount : group))

/**
 * The amounts of the rows with their parts of the subtotal adjustments: what a group's sum was changed by goes to its rows
 * in proportion, so that they add up to the group again.
 */
export function adjustedRows(rows: readonly SaleRow[], groups: ByTaxGroup<Money>): readonly Money[] {
  const plain = rows.reduce((sums, { taxCode, amount }) => addToGroup(sums, taxCode, amount), NO_GROUPS)
  let [passed, shared] = [NO_GROUPS, NO_GROUPS]
  return rows.map(({ taxCode, amount }) => {
    const of = (sums: ByTaxGroup<Money>): Money => sums[taxCode - 1] ?? 0
    passed = addToGroup(passed, taxCode, amount)
    const soFar = of(plain) === 0 ? of(passed) : multiplyDivide(of(passed), of(groups), of(plain), RULE)
    const own = soFar - of(shared)
    shared = addToGroup(shared, taxCode, own)
    return own
  })
}
