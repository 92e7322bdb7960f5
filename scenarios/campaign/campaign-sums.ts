/** What the chunks of a campaign come to, whoever ran them and in whatever order they ended. */
import type { Family } from '../../drivers/model/families.ts'
import type { CheckResult, Failure } from '../simulation/check.ts'
import type { Chunk, Plan } from './campaign-plan.ts'

/** A broken promise, reduced. The rest of its chunk is not run. */
export interface Violation extends Failure {
  /** Index of its chunk. */
  readonly chunk: number
}

export interface FamilySums {
  readonly family: Family
  /** Of the campaign. */
  readonly seed: number
  readonly runs: number
  readonly requests: number
  /** Faults that struck. */
  readonly hits: number
  readonly simulatedMs: number
  /** Time of cores, in ms. */
  readonly tookMs: number
  /** What is left out on this family, and why. */
  readonly notRun: readonly string[]
  /** In the order of their chunks. */
  readonly violations: readonly Violation[]
}

export class CampaignSums {
  readonly #plan: Plan
  readonly #families: Map<Family, FamilySums>

  constructor(plan: Plan) {
    this.#plan = plan
    const nothing = { seed: plan.seed, runs: 0, requests: 0, hits: 0, simulatedMs: 0, tookMs: 0, notRun: [] }
    this.#families = new Map(plan.families.map((family) => [family, { family, ...nothing, violations: [] }]))
  }

  /** Counts a chunk, which is to be told once. */
  add({ index }: Pick<Chunk, 'index'>, result: Omit<CheckResult, 'seed'>): void {
    const { family, notRun, failure } = result
    const before = this.of(family)
    const sum = (of: 'runs' | 'requests' | 'hits' | 'simulatedMs' | 'tookMs') => before[of] + result[of]
    const [runs, requests, hits] = [sum('runs'), sum('requests'), sum('hits')]
    this.set({ family, runs, requests, hits, simulatedMs: sum('simulatedMs'), tookMs: sum('tookMs'), notRun })
    if (failure) this.addViolation({ ...failure, chunk: index })
  }

  /** Sums that somebody else has counted. */
  set(sums: Omit<FamilySums, 'seed' | 'violations'>): void {
    this.#families.set(sums.family, { ...this.of(sums.family), ...sums })
  }

  addViolation(violation: Violation): void {
    const before = this.of(violation.case.family)
    const violations = [...before.violations, violation].toSorted((one, other) => one.chunk - other.chunk)
    this.#families.set(before.family, { ...before, violations })
  }

  of(family: Family): FamilySums {
    const sums = this.#families.get(family)
    if (!sums) throw new RangeError(`family ${family} is not in this campaign`)
    return sums
  }

  /** In the order of the plan. */
  families(): readonly FamilySums[] {
    return this.#plan.families.map((family) => this.of(family))
  }

  /** In the order of their chunks. */
  violations(): readonly Violation[] {
    return this.families()
      .flatMap(({ violations }) => violations)
      .toSorted((one, other) => one.chunk - other.chunk)
  }
}
