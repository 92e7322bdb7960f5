/**
 * Totals of receipts and change as the device computes them (sheet A 7; families B and C follow it). The service does
 * not add up receipts, but queries the device.
 */
import type { Money } from '../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'
import { percentOf, portion, sharesOf } from './rounding.ts'
import type { SaleRow } from './types/receipt.ts'
import type { ByTaxGroup } from './types/registers.ts'

export const NO_GROUPS: ByTaxGroup<Money> = [0, 0, 0, 0, 0, 0, 0, 0]

export function sum(groups: ByTaxGroup<Money>): Money {
  let total = 0
  for (const group of groups) total += group
  return total
}

/**
 * Returns the change of each tax group by an adjustment of the subtotal, negative for a discount (sheet A 7, rules 4
 * and 5).
 */
export function subtotalShares(groups: ByTaxGroup<Money>, adjustment: Adjustment): ByTaxGroup<Money> {
  const sizes =
    'percent' in adjustment
      ? mapGroups(groups, (group) => percentOf(group, adjustment.percent))
      : (sharesOf(adjustment.amount, groups) as ByTaxGroup<Money>)
  return adjustment.kind === 'discount' ? mapGroups(sizes, negative) : sizes
}

export function applyPayment(rest: Money, tendered: Money): { readonly rest: Money; readonly change: Money } {
  return tendered >= rest ? { rest: 0, change: tendered - rest } : { rest: rest - tendered, change: 0 }
}

const negative = (value: Money): Money => (value === 0 ? 0 : -value)

const mapGroups = <T, R>(groups: ByTaxGroup<T>, change: (value: T, index: number) => R): ByTaxGroup<R> =>
  groups.map(change) as unknown as ByTaxGroup<R>

export const addGroups = (left: ByTaxGroup<Money>, right: ByTaxGroup<Money>): ByTaxGroup<Money> =>
  mapGroups(left, (value, index) => value + (right[index] ?? 0))

export const addToGroup = (groups: ByTaxGroup<Money>, code: TaxCode, amount: Money): ByTaxGroup<Money> =>
  mapGroups(groups, (group, index) => (index === code - 1 ? group + amount : group))

/**
 * Distributes the subtotal adjustments of each group to its rows in proportion, so that the rows add up to the group's
 * adjusted sum.
 */
export function adjustedRows(rows: readonly SaleRow[], groups: ByTaxGroup<Money>): readonly Money[] {
  const plain = rows.reduce((sums, { taxCode, amount }) => addToGroup(sums, taxCode, amount), NO_GROUPS)
  let [passed, shared] = [NO_GROUPS, NO_GROUPS]
  return rows.map(({ taxCode, amount }) => {
    const groupSum = (sums: ByTaxGroup<Money>): Money => sums[taxCode - 1] ?? 0
    passed = addToGroup(passed, taxCode, amount)
    const soFar =
      groupSum(plain) === 0 ? groupSum(passed) : portion(groupSum(passed), groupSum(groups), groupSum(plain))
    const own = soFar - groupSum(shared)
    shared = addToGroup(shared, taxCode, own)
    return own
  })
}
