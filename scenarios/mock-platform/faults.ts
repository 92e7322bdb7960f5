/** What a test may make go wrong, request by request (platform orders 6.9). */

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
  /** Which requests; all of them when absent. */
  readonly on?: 'exchange' | 'graphql' | 'relay'
  /** How many requests; 1 when absent. */
  readonly times?: number
  /** Requests that pass before it. */
  readonly skip?: number
  /** Of a delay. */
  readonly ms?: number
  /** Of `tooMany`. */
  readonly retryAfterS?: number
  /** Of `changedTotal`: added to the total of further pages. */
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

  /** The fault of this request, if any; counts it. */
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
