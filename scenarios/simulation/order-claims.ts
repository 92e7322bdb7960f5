/**
 * Judges orders of the platform, which are identified by their totals. An order is printed once, and once more for each
 * request with `again`. A receipt number in an answer must be that of such a receipt, and a definite error leaves no
 * receipt.
 */

import type { ClaimedOutcome } from './claimed-outcome.ts'
import type { Reply } from './client.ts'
import { type Document, receiptsIn } from './journal.ts'
import { orderTotal } from './orders.ts'
import { isDecidedByOther, type JudgedWorld } from './paper.ts'
import type { OrderStep, UnderWay } from './steps.ts'

interface OrderClaim {
  mayBePrinted: boolean
  readonly again: Set<number>
}

export class OrderClaims {
  readonly #world: JudgedWorld
  readonly #underWay: () => readonly UnderWay[]
  readonly #orders = new Map<number, OrderClaim>()

  constructor(world: JudgedWorld, underWay: () => readonly UnderWay[]) {
    this.#world = world
    this.#underWay = underWay
  }

  onReply(
    request: number,
    { order, again }: OrderStep,
    outcome: ClaimedOutcome,
    { message }: Reply,
  ): string | undefined {
    const claim = this.#orders.get(order) ?? { mayBePrinted: false, again: new Set() }
    this.#orders.set(order, claim)
    if (outcome.is !== 'nothing') claim.mayBePrinted = true
    if (outcome.is !== 'nothing' && again) claim.again.add(request)
    const printed = this.#receiptsOf(order)
    const numbers = printed.map(({ number }) => String(number))
    const wrong = this.#count(order, claim)
    if (wrong !== undefined) return wrong
    const named = outcome.is === 'printed' ? outcome.number : /already printed: receipt (\d+)/.exec(message)?.[1]
    if (named !== undefined && !numbers.includes(named) && !this.#isChangedByOther(named))
      return `its answer says receipt ${named} for order ${order}, which is on ${numbers.join(', ') || 'no paper'}`
    return undefined
  }

  final(): string | undefined {
    for (const [order, claim] of this.#orders) {
      const wrong = this.#count(order, claim)
      if (wrong !== undefined) return wrong
      if (!claim.mayBePrinted && this.#ownReceiptsOf(order).length > 0)
        return `order ${order} is on paper, and every answer was an error`
    }
    return undefined
  }

  #count(order: number, { again }: OrderClaim): string | undefined {
    const { length } = this.#ownReceiptsOf(order)
    const openRequests = this.#underWay().flatMap(({ request, step }) =>
      step.do === 'order' && step.order === order && step.again ? [request] : [],
    )
    return length > 1 + new Set([...again, ...openRequests]).size
      ? `order ${order} is on paper ${length} times`
      : undefined
  }

  /** An order with a row of another program no longer has its own total. */
  #isChangedByOther(receiptNumber: string): boolean {
    return receiptsIn(this.#world.journals).some(
      (one) => String(one.number) === receiptNumber && isDecidedByOther(this.#world, one),
    )
  }

  /** Leaves out receipts that another program has paid on or ended, because the service can only close them. */
  #ownReceiptsOf(order: number): readonly Document[] {
    return this.#receiptsOf(order).filter((one) => !isDecidedByOther(this.#world, one))
  }

  #receiptsOf(order: number): readonly Document[] {
    const total = orderTotal(order)
    return receiptsIn(this.#world.journals).filter((one) => one.total === total)
  }
}
