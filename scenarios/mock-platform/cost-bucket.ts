import type { Clock } from '../../drivers/model/clock.ts'

/** The leaky bucket of a shop's query costs (platform orders 3 and 6.5). */
export interface BucketRules {
  readonly maximum: number
  readonly restorePerSecond: number
}

export const STANDARD_PLAN: BucketRules = { maximum: 2_000, restorePerSecond: 100 }

export const QUERY_COST_MAX = 1_000

export class CostBucket {
  readonly #rules: BucketRules
  readonly #clock: Clock
  #available: number
  #at: number

  constructor(rules: BucketRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
    this.#available = rules.maximum
    this.#at = clock.now()
  }

  get status(): { maximumAvailable: number; currentlyAvailable: number; restoreRate: number } {
    this.#refill()
    const { maximum, restorePerSecond } = this.#rules
    return {
      maximumAvailable: maximum,
      currentlyAvailable: Math.floor(this.#available),
      restoreRate: restorePerSecond,
    }
  }

  take(cost: number): boolean {
    this.#refill()
    if (cost > this.#available) return false
    this.#available -= cost
    return true
  }

  /** Credits the cost of requested nodes that the answer did not contain. */
  giveBack(cost: number): void {
    this.#refill()
    this.#available = Math.min(this.#rules.maximum, this.#available + cost)
  }

  empty(): void {
    this.#refill()
    this.#available = 0
  }

  #refill(): void {
    const now = this.#clock.now()
    const restored = ((now - this.#at) / 1000) * this.#rules.restorePerSecond
    this.#available = Math.min(this.#rules.maximum, this.#available + restored)
    this.#at = now
  }
}
