import { messageOf } from '../../../drivers/model/errors.ts'
import type { CheckResult, Failure, PointName, Sums } from '../check.ts'
import { type DeliberateErrors, RunFailed, runCase } from '../run.ts'
import { describeStep } from '../steps.ts'
import {
  caseAt,
  type Device,
  describePoint,
  type InjectionPoint,
  type InjectionPoints,
  injectionPointsOf,
  pairsOf,
} from './injection-points.ts'

export interface PointsOrder extends Device {
  readonly first: number
  readonly step: number
  readonly runs: number
  readonly pairs?: boolean | undefined
}

export interface PointFailure extends Failure {
  readonly place: PointName
}

export interface EveryResult extends CheckResult {
  readonly profile?: string
  readonly failures: readonly PointFailure[]
}

const POINTS_BY_DEVICE = new Map<string, Promise<InjectionPoints>>()

/** The positions of a device are counted once per process. */
export function allInjectionPoints(device: Device, pairs = false): Promise<InjectionPoints> {
  const key = `${device.family} ${device.profile} ${pairs}`
  const places = POINTS_BY_DEVICE.get(key) ?? (pairs ? pairsOf(device) : injectionPointsOf(device))
  POINTS_BY_DEVICE.set(key, places)
  return places
}

/**
 * Tries the positions of an order, and collects their violations. `broken` is a device or driver with a seeded mistake.
 */
export async function tryPoints(
  { first, step, runs, pairs, ...device }: PointsOrder,
  progress?: (sums: Sums) => void,
  { places, ...broken }: DeliberateErrors & { readonly places?: InjectionPoints } = {},
): Promise<EveryResult> {
  const began = performance.now()
  const all = places ?? (await allInjectionPoints(device, pairs))
  const sums = { runs: 0, requests: 0, hits: 0, simulatedMs: 0 }
  const failures: PointFailure[] = []
  for (let place = first; sums.runs < runs && place < all.length; place += step) {
    const one = all.at(place) as InjectionPoint
    sums.runs++
    const failure = await tryPoint(device, place, one, broken, sums)
    if (failure) failures.push(failure)
    progress?.(sums)
  }
  const { family, profile } = device
  const own = { family, ...(profile !== undefined && { profile }), seed: 1 }
  return { ...own, ...sums, tookMs: performance.now() - began, notRun: [], failures }
}

type MutableSums = { -readonly [K in keyof Sums]: Sums[K] }

async function tryPoint(
  device: Device,
  place: number,
  one: InjectionPoint,
  broken: DeliberateErrors,
  sums: MutableSums,
): Promise<PointFailure | undefined> {
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
      place: { name: describePoint(one), pairs: one.second !== undefined },
      ...{ seed: 1, path: String(place), case: placed, shrinks: 0 },
      ...{ why: messageOf(problem), words: placed.steps.map(describeStep), trace: problem.trace },
    }
  }
}

export const kindOf = ({ why }: Pick<Failure, 'why'>): string =>
  why
    .replace(/^request \d+: /, '')
    .replace(/: .*/s, '')
    .replace(/\d+(?:\.\d\d)?/g, 'N')

export function byKind<One extends Failure>(failures: readonly One[]): readonly (readonly [string, readonly One[]])[] {
  return [...Map.groupBy(failures, kindOf)].toSorted(([, a], [, b]) => b.length - a.length)
}
