import { percentOf, sharesOf } from '../../drivers/model/amounts.ts'
import type { Money, Percent } from '../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'

/**
 * The sums of a receipt by tax group, computed as on a device (sheet A 7). A percentage of the subtotal is rounded in
 * each group, so the sum may differ from the exact one by hundredths. An amount is distributed exactly.
 */
export class TaxGroups {
  readonly #sums = new Map<TaxCode, Money>()

  get count(): number {
    return this.#sums.size
  }

  add(code: TaxCode, amount: Money): void {
    this.#sums.set(code, (this.#sums.get(code) ?? 0) + amount)
  }

  /** Returns a percentage of the whole sum, rounded once. */
  exactly(percent: Percent): Money {
    return percentOf(this.#total, percent)
  }

  /** Returns a percentage that is rounded in each group, as on the device. */
  byGroup(percent: Percent): Money {
    return [...this.#sums.values()].reduce((sum, group) => sum + percentOf(group, percent), 0)
  }

  adjust(adjustment: Adjustment): void {
    const sign = adjustment.kind === 'discount' ? -1 : 1
    const shares = 'percent' in adjustment ? this.#percentages(adjustment.percent) : this.#split(adjustment.amount)
    for (const [code, share] of shares) this.add(code, sign * share)
  }

  get #total(): Money {
    return [...this.#sums.values()].reduce((sum, group) => sum + group, 0)
  }

  #percentages(percent: Percent): readonly (readonly [TaxCode, Money])[] {
    return [...this.#sums].map(([code, group]) => [code, percentOf(group, percent)])
  }

  #split(amount: Money): readonly (readonly [TaxCode, Money])[] {
    const groups = [...this.#sums].sort(([one], [other]) => one - other)
    const shares = sharesOf(
      amount,
      groups.map(([, group]) => group),
    )
    return groups.map(([code], index) => [code, shares[index] ?? 0])
  }
}
