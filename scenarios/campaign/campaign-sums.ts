/** Results of a campaign, independent of the order in which chunks end. */
import type { Family } from '../../drivers/model/families.ts'
import type { Failure } from '../simulation/check.ts'
import type { AnyResult } from '../simulation/check-thread.ts'
import type { Device } from '../simulation/every/injection-points.ts'
import { type Chunk, type Plan, placesIn } from './campaign-plan.ts'

export interface Violation extends Failure {
  readonly chunk: number
}

export interface FamilySums {
  readonly family: Family
  readonly profile?: string
  readonly places?: number
  readonly placesToTry?: number
  readonly seed: number
  readonly runs: number
  readonly requests: number
  readonly hits: number
  readonly simulatedMs: number
  /** Processor time in ms. */
  readonly tookMs: number
  readonly notRun: readonly string[]
  readonly violations: readonly Violation[]
}

export class CampaignSums {
  readonly #plan: Plan
  readonly #families: Map<string, FamilySums>

  constructor(plan: Plan) {
    this.#plan = plan
    const nothing = { seed: plan.seed, runs: 0, requests: 0, hits: 0, simulatedMs: 0, tookMs: 0, notRun: [] }
    const { every } = plan
    const devices = every
      ? every.devices.map((device) => ({ ...device, placesToTry: placesIn(every, device) }))
      : plan.families.map((family) => ({ family }))
    this.#families = new Map(
      devices.map((device) => [sumsName(device), { ...device, ...nothing, violations: [] as readonly Violation[] }]),
    )
  }

  /** Adds the result of a chunk. Callers must pass each chunk once. */
  add({ index }: Pick<Chunk, 'index'>, result: Omit<AnyResult, 'seed'>): void {
    const { family, profile, notRun } = result
    const before = this.of({ family, profile })
    const sum = (of: 'runs' | 'requests' | 'hits' | 'simulatedMs' | 'tookMs') => before[of] + result[of]
    const [runs, requests, hits] = [sum('runs'), sum('requests'), sum('hits')]
    this.set({ family, profile, runs, requests, hits, simulatedMs: sum('simulatedMs'), tookMs: sum('tookMs'), notRun })
    for (const failure of failuresOf(result)) this.addViolation({ ...failure, chunk: index })
  }

  set(sums: Omit<FamilySums, 'seed' | 'violations' | 'profile'> & Device): void {
    const { profile: _named, ...counted } = sums
    this.#families.set(sumsName(sums), { ...this.of(sums), ...counted })
  }

  addViolation(violation: Violation): void {
    const before = this.of(this.#deviceOf(violation))
    const violations = [...before.violations, violation].toSorted(inOrder)
    this.#families.set(sumsName(before), { ...before, violations })
  }

  has(violation: Violation): boolean {
    return this.#families.has(sumsName(this.#deviceOf(violation)))
  }

  of(device: Device): FamilySums {
    const sums = this.#families.get(sumsName(device))
    if (!sums) throw new RangeError(`${sumsName(device)} is not in this campaign`)
    return sums
  }

  #deviceOf({ case: { family, profile } }: Violation): Device {
    return this.#plan.every ? { family, profile } : { family }
  }

  families(): readonly FamilySums[] {
    return [...this.#families.values()]
  }

  violations(): readonly Violation[] {
    return this.families()
      .flatMap(({ violations }) => violations)
      .toSorted((one, other) => one.chunk - other.chunk)
  }
}

export const sumsName = ({ family, profile }: Device): string =>
  profile === undefined ? family : `${family} ${profile}`

export const failuresOf = ({ failure, failures }: Pick<AnyResult, 'failure' | 'failures'>): readonly Failure[] =>
  failures ?? (failure ? [failure] : [])

const inOrder = (one: Violation, other: Violation): number =>
  one.place && other.place ? Number(one.path) - Number(other.path) : one.chunk - other.chunk
