import { messageOf } from '../../../drivers/model/errors.ts'
import type { CheckResult, Failure, PlaceWords, Sums } from '../check.ts'
import { type DeliberateErrors, RunFailed, runCase } from '../run.ts'
import { describeStep } from '../steps.ts'
import {
  caseAt,
  type Device,
  describePlace,
  type InjectionPoint,
  type InjectionPoints,
  pairsOf,
  placesOf,
} from './injection-points.ts'

/** A share of the positions of a device, for one core. */
export interface PlacesOrder extends Device {
  /** Index of the first position, and the step to the next one. */
  readonly first: number
  readonly step: number
  /** Maximum number of positions. */
  readonly runs: number
  /** True for positions with two events. */
  readonly pairs?: boolean | undefined
}

/** A violation at a position. The path of the failure is the number of the position. */
export interface PlaceFailure extends Failure {
  readonly place: PlaceWords
}

export interface EveryResult extends CheckResult {
  readonly profile?: string
  readonly failures: readonly PlaceFailure[]
}

const POINTS_BY_CASE = new Map<string, Promise<InjectionPoints>>()

/** Returns the positions of a device, counted once per process. */
export function allPlaces(device: Device, pairs = false): Promise<InjectionPoints> {
  const key = `${device.family} ${device.profile} ${pairs}`
  const places = POINTS_BY_CASE.get(key) ?? (pairs ? pairsOf(device) : placesOf(device))
  POINTS_BY_CASE.set(key, places)
  return places
}

/**
 * Tries the positions of an order, and collects their violations. `broken`: a device or driver with a seeded mistake.
 */
export async function tryPlaces(
  { first, step, runs, pairs, ...device }: PlacesOrder,
  progress?: (sums: Sums) => void,
  { places, ...broken }: DeliberateErrors & { readonly places?: InjectionPoints } = {},
): Promise<EveryResult> {
  const began = performance.now()
  const all = places ?? (await allPlaces(device, pairs))
  const sums = { runs: 0, requests: 0, hits: 0, simulatedMs: 0 }
  const failures: PlaceFailure[] = []
  for (let place = first; sums.runs < runs && place < all.length; place += step) {
    const one = all.at(place) as InjectionPoint
    sums.runs++
    const failure = await tried(device, place, one, broken, sums)
    if (failure) failures.push(failure)
    progress?.(sums)
  }
  const { family, profile } = device
  const own = { family, ...(profile !== undefined && { profile }), seed: 1 }
  return { ...own, ...sums, tookMs: performance.now() - began, notRun: [], failures }
}

type MutableSums = { -readonly [K in keyof Sums]: Sums[K] }

async function tried(
  device: Device,
  place: number,
  one: InjectionPoint,
  broken: DeliberateErrors,
  sums: MutableSums,
): Promise<PlaceFailure | undefined> {
  const placed = caseAt(device, one)
  try {
    const { requests, hits, simulatedMs } = await runCase(placed, broken)
    sums.requests += requests
    sums.hits += hits
    sums.simulatedMs += simulatedMs
    return undefined
  } catch (problem) {
    if (!(problem instanceof RunFailed)) throw problem
    return {
      place: { name: describePlace(one), pairs: one.second !== undefined },
      ...{ seed: 1, path: String(place), case: placed, shrinks: 0 },
      ...{ why: messageOf(problem), words: placed.steps.map(describeStep), trace: problem.trace },
    }
  }
}

/** Returns the first part of a violation without the numbers of this run. */
export const kindOf = ({ why }: Pick<Failure, 'why'>): string =>
  why
    .replace(/^request \d+: /, '')
    .replace(/: .*/s, '')
    .replace(/\d+(?:\.\d\d)?/g, 'N')

/** Groups violations by kind, the most frequent kind first. */
export function byKind<One extends Failure>(failures: readonly One[]): readonly (readonly [string, readonly One[]])[] {
  return [...Map.groupBy(failures, kindOf)].toSorted(([, a], [, b]) => b.length - a.length)
}
