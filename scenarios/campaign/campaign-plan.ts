/**
 * Divides a campaign into chunks with consecutive seeds, the families in turn. The result of a chunk depends only on
 * the chunk: not on cores, machines or other chunks.
 */

import { randomInt } from 'node:crypto'
import { formatOptions, rigCommand } from '../../drivers/host/shell-command.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Failure } from '../simulation/check.ts'
import type { Order } from '../simulation/check-worker.ts'
import type { Device } from '../simulation/every/injection-points.ts'
import type { PointsOrder } from '../simulation/every/try-points.ts'

export interface Plan {
  readonly families: readonly Family[]
  readonly profile?: string
  readonly seed: number
  readonly runs?: number
  readonly chunk: number
  readonly length?: number
  /** Path of an earlier failure as fast-check reports it. The campaign then reproduces that failure. */
  readonly path?: string
  readonly every?: PlacesPlan
}

/** Fault positions of several devices. If `parts` is above 1, the campaign tries only every `parts`-th position. */
export interface PlacesPlan {
  readonly devices: readonly CountedDevice[]
  readonly pairs: boolean
  readonly part: number
  readonly parts: number
}

export interface CountedDevice extends Device {
  readonly places: number
}

export interface Chunk {
  readonly index: number
  readonly order: Order | PointsOrder
}

/** Default number of runs in a chunk: a few seconds of work, so that all cores finish at about the same time. */
export const CHUNK = 500
/** Default number of fault positions in a chunk: a few seconds of work. */
export const PLACES_CHUNK = 200
/** Maximum of `--length`: the memory of a run grows with its steps. */
export const LENGTH_MAX = 1000
/** Maximum seed: `--seed` accepts up to nine digits. */
export const SEED_MAX = 999_999_999

export const randomSeed = (): number => randomInt(1, SEED_MAX + 1)

export function chunkAt(plan: Plan, index: number): Chunk | undefined {
  if (plan.every) return placesChunkAt(plan.every, plan.chunk, index)
  const { families, runs, chunk, seed, profile, length, path } = plan
  const place = Math.floor(index / families.length)
  const family = families[index % families.length]
  const remainingRuns = runs === undefined ? chunk : runs - place * chunk
  if (family === undefined || remainingRuns <= 0) return undefined
  const order = { family, runs: Math.min(chunk, remainingRuns), seed: ((seed - 1 + place) % SEED_MAX) + 1 }
  return { index, order: { ...order, ...omitUndefined({ profile, length, path }) } }
}

export const placesIn = ({ part, parts }: PlacesPlan, { places }: CountedDevice): number =>
  Math.max(0, Math.ceil((places - part + 1) / parts))

/**
 * Returns a chunk of positions. A chunk is itself a share: if the device has `chunks` chunks, `--shard I/N` with N =
 * `parts * chunks` runs the chunk again.
 */
function placesChunkAt(plan: PlacesPlan, chunk: number, index: number): Chunk | undefined {
  let before = 0
  for (const device of plan.devices) {
    const { places, ...named } = device
    const count = placesIn(plan, device)
    const chunks = Math.ceil(count / chunk)
    const own = index - before
    if (own < chunks) {
      const [first, step] = [plan.part - 1 + plan.parts * own, plan.parts * chunks]
      return { index, order: { ...named, first, step, runs: Math.ceil((places - first) / step), pairs: plan.pairs } }
    }
    before += chunks
  }
  return undefined
}

export const chunksOf = ({ families, runs, chunk, every }: Plan): number | undefined =>
  every
    ? every.devices.reduce((sum, device) => sum + Math.ceil(placesIn(every, device) / chunk), 0)
    : runs === undefined
      ? undefined
      : families.length * Math.ceil(runs / chunk)

export const runsOf = ({ families, runs, every }: Plan): number | undefined =>
  every
    ? every.devices.reduce((sum, device) => sum + placesIn(every, device), 0)
    : runs === undefined
      ? undefined
      : families.length * runs

/**
 * Returns the command that reproduces the failure. `target` is the address of the device that failed, or `undefined`
 * for the embedded device.
 */
export function repeatCommand({ seed, path, case: one, place }: Failure, length?: number, target?: string): string {
  const { family, profile } = one
  if (place) return rigCommand(['check', ...formatOptions({ every: true, pairs: place.pairs, family, profile, path })])
  return rigCommand(['check', ...formatOptions({ family, seed, path, profile, length, target })])
}

export function chunkCommand({ order }: Chunk): string {
  if ('first' in order) {
    const { family, profile, pairs, first, step } = order
    return rigCommand([
      'check',
      ...formatOptions({ every: true, pairs, family, profile, shard: `${first + 1}/${step}` }),
    ])
  }
  const { family, seed, runs, profile, length } = order
  return rigCommand(['check', ...formatOptions({ family, seed, runs, chunk: runs, profile, length })])
}

export function describeChunk({ index, order }: Chunk): string {
  const { family } = order
  if (!('first' in order)) return `chunk ${index} (family ${family}, seed ${order.seed})`
  const { profile, first, step } = order
  return `chunk ${index} (family ${family}${profile === undefined ? '' : ` ${profile}`}, places ${first + 1}/${step})`
}

/** Returns the number of runs of the chunk that did not take place because the chunk ended at its violation. */
export function runsOmittedBy(plan: Plan, { chunk, path }: { readonly chunk: number; readonly path: string }): number {
  if (plan.every) return 0
  const planned = chunkAt(plan, chunk)?.order.runs ?? 0
  return Math.max(0, planned - Number(path.split(':')[0]) - 1)
}
