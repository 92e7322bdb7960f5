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
  readonly on?: 'exchange' | 'graphql' | 'relay'
  readonly times?: number
  /** Number of matching requests that pass first. */
  readonly skip?: number
  readonly ms?: number
  readonly retryAfterS?: number
  /** Amount that `changedTotal` adds to the total on pages after the first. */
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
