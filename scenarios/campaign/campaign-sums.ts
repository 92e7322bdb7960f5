/** What the chunks of a campaign come to, whoever ran them and in whatever order they ended. */
import type { Family } from '../../drivers/model/families.ts'
import type { Failure } from '../simulation/check.ts'
import type { AnyResult } from '../simulation/check-thread.ts'
import type { Device } from '../simulation/every/places.ts'
import { type Chunk, type Plan, placesIn } from './campaign-plan.ts'

/** A broken promise, reduced. The rest of its chunk is not run, unless it is of places. */
export interface Violation extends Failure {
  /** Index of its chunk. */
  readonly chunk: number
}

export interface FamilySums {
  readonly family: Family
  /** Of a campaign over places that has chosen it. */
  readonly profile?: string
  /** Number of all places of the device, and of those that the campaign tries. */
  readonly places?: number
  readonly placesToTry?: number
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
  /** By `sumsName`. */
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

  /** Counts a chunk, which is to be told once. */
  add({ index }: Pick<Chunk, 'index'>, result: Omit<AnyResult, 'seed'>): void {
    const { family, profile, notRun } = result
    const before = this.of({ family, profile })
    const sum = (of: 'runs' | 'requests' | 'hits' | 'simulatedMs' | 'tookMs') => before[of] + result[of]
    const [runs, requests, hits] = [sum('runs'), sum('requests'), sum('hits')]
    this.set({ family, profile, runs, requests, hits, simulatedMs: sum('simulatedMs'), tookMs: sum('tookMs'), notRun })
    for (const failure of failuresOf(result)) this.addViolation({ ...failure, chunk: index })
  }

  /** Sums that somebody else has counted. */
  set(sums: Omit<FamilySums, 'seed' | 'violations' | 'profile'> & Device): void {
    const { profile: _named, ...counted } = sums
    this.#families.set(sumsName(sums), { ...this.of(sums), ...counted })
  }

  addViolation(violation: Violation): void {
    const before = this.of(this.#deviceOf(violation))
    const violations = [...before.violations, violation].toSorted(inOrder)
    this.#families.set(sumsName(before), { ...before, violations })
  }

  /** True if the campaign has the device of this violation. */
  has(violation: Violation): boolean {
    return this.#families.has(sumsName(this.#deviceOf(violation)))
  }

  of(device: Device): FamilySums {
    const sums = this.#families.get(sumsName(device))
    if (!sums) throw new RangeError(`${sumsName(device)} is not in this campaign`)
    return sums
  }

  /** Runs of a family are counted together, whatever the profile. */
  #deviceOf({ case: { family, profile } }: Violation): Device {
    return this.#plan.every ? { family, profile } : { family }
  }

  /** In the order of the plan. */
  families(): readonly FamilySums[] {
    return [...this.#families.values()]
  }

  /** In the order of their chunks. */
  violations(): readonly Violation[] {
    return this.families()
      .flatMap(({ violations }) => violations)
      .toSorted((one, other) => one.chunk - other.chunk)
  }
}

/** The name of the sums of a device. */
export const sumsName = ({ family, profile }: Device): string =>
  profile === undefined ? family : `${family} ${profile}`

/** The failure that has ended a chunk of runs, or those of a chunk of places. */
export const failuresOf = ({ failure, failures }: Pick<AnyResult, 'failure' | 'failures'>): readonly Failure[] =>
  failures ?? (failure ? [failure] : [])

/** Places in the order of their numbers, runs in that of their chunks. */
const inOrder = (one: Violation, other: Violation): number =>
  one.place && other.place ? Number(one.path) - Number(other.path) : one.chunk - other.chunk
