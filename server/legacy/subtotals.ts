import type { Limits } from '../../drivers/model/capabilities.ts'
import { formatMoney, formatPercent, type Money } from '../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'
import { TaxGroups } from './groups.ts'
import { fail } from './problem.ts'

/**
 * Adjustments of the subtotal in a form that the connected family accepts (legacy formats 1.4, 1.6). A percentage
 * becomes an amount if the wire protocol does not accept it, or if the device would round it differently than the
 * lines.
 */
export class Subtotals {
  readonly #groups = new TaxGroups()
  /** True if the last payment is the whole remaining amount. A difference of a hundredth then does no harm. */
  readonly #paysAll: boolean
  #adjusted = 0

  constructor(paysAll: boolean) {
    this.#paysAll = paysAll
  }

  add(code: TaxCode, amount: Money): void {
    this.#groups.add(code, amount)
  }

  checkVoid({ adjustedSubtotals }: Limits): void {
    if (adjustedSubtotals === undefined || this.#adjusted === 0) return
    fail(
      '402',
      undefined,
      'this device cannot void items after the subtotal was adjusted: send the void before the adjustment',
    )
  }

  adjust(adjustment: Adjustment, limits: Limits): Adjustment {
    const { adjustedSubtotals, subtotalAmount } = limits
    this.#adjusted++
    if (adjustedSubtotals !== undefined && this.#adjusted > adjustedSubtotals) {
      fail('402', undefined, 'this device adjusts the subtotal of a receipt only once')
    }
    const takesAmounts = subtotalAmount === undefined || (subtotalAmount === 'oneTaxGroup' && this.#groups.count <= 1)
    const fitting = 'percent' in adjustment ? this.#percentage(adjustment, limits, takesAmounts) : adjustment
    if ('amount' in fitting && !takesAmounts) {
      const where = subtotalAmount === 'never' ? '' : ' where lines of several VAT groups were sold'
      fail('402', undefined, `this device adjusts a subtotal by percent only${where}, not by an amount`)
    }
    this.#groups.adjust(fitting)
    return fitting
  }

  #percentage(
    adjustment: Extract<Adjustment, { percent: number }>,
    { subtotalPercent }: Limits,
    takesAmounts: boolean,
  ): Adjustment {
    const { kind, percent } = adjustment
    const [exact, byGroup] = [this.#groups.exactly(percent), this.#groups.byGroup(percent)]
    const isCarried = percent <= subtotalPercent[kind]
    if (isCarried && exact === byGroup) return adjustment
    if (takesAmounts) return { kind, amount: exact }
    if (!isCarried) {
      const most = formatPercent(subtotalPercent[kind])
      fail(
        '402',
        undefined,
        `a ${kind} of ${formatPercent(percent)} % on the subtotal; this device accepts at most ${most}`,
      )
    }
    if (this.#paysAll) return adjustment
    const [due, here] = [formatMoney(exact), formatMoney(byGroup)]
    return fail(
      '402',
      undefined,
      `${formatPercent(percent)} % of the subtotal is ${due}, but ${here} on this device, which rounds it in each VAT group`,
    )
  }
}
