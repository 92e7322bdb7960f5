/** Faults that a test can inject, per request (platform orders 6.9). */

export const FAULTS = [
  'delay',
  'hang',
  'reset',
  'error500',
  'error502',
  'tooMany',
  'html',
  'truncated',
  'changedTotal',
  'unauthorized',
] as const
type FaultKind = (typeof FAULTS)[number]

export interface FaultRule {
  readonly do: FaultKind
  /** Kind of request; all kinds if undefined. */
  readonly on?: 'exchange' | 'graphql' | 'relay'
  /** Number of requests; 1 if undefined. */
  readonly times?: number
  /** Number of requests that pass first. */
  readonly skip?: number
  /** Duration of `delay`. */
  readonly ms?: number
  /** Value for `tooMany`. */
  readonly retryAfterS?: number
  /** Amount that `changedTotal` adds to the total of further pages. */
  readonly hundredths?: number
}

export class FaultPlan {
  #rules: { rule: FaultRule; skip: number; remaining: number }[] = []

  add(rule: FaultRule): void {
    this.#rules.push({ rule, skip: rule.skip ?? 0, remaining: rule.times ?? 1 })
  }

  clear(): void {
    this.#rules = []
  }

  /** Returns the fault of this request, if any, and counts it. */
  take(place: 'exchange' | 'graphql' | 'relay'): FaultRule | undefined {
    for (const entry of this.#rules) {
      if ((entry.rule.on !== undefined && entry.rule.on !== place) || entry.remaining === 0) continue
      if (entry.skip > 0) {
        entry.skip--
        continue
      }
      entry.remaining--
      return entry.rule
    }
    return undefined
  }
}
