/**
 * How a campaign is dealt out: in chunks with seeds of their own, the families in turn. What a chunk comes to depends on
 * the chunk alone, so it does not matter which core of which machine runs it, or how many there are.
 */

import { randomInt } from 'node:crypto'
import { formatOptions, rigCommand } from '../../drivers/host/shell-command.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import type { Failure } from '../simulation/check.ts'
import type { Order } from '../simulation/check-worker.ts'
import type { Device } from '../simulation/every/places.ts'
import type { PlacesOrder } from '../simulation/every/try-places.ts'

export interface Plan {
  readonly families: readonly Family[]
  /** Of the devices; each family's first without. */
  readonly profile?: string
  /** Of the first chunk. */
  readonly seed: number
  /** For each family; without it there is always another chunk. */
  readonly runs?: number
  /** Runs of a chunk. */
  readonly chunk: number
  /** Longest list of steps. */
  readonly length?: number
  /** Of an earlier failure: the only chunk goes straight to it. */
  readonly path?: string
  /** Places that are tried, instead of runs. */
  readonly every?: PlacesPlan
}

/** The places of these devices, or one of `parts` equal parts of them. */
export interface PlacesPlan {
  readonly devices: readonly CountedDevice[]
  readonly pairs: boolean
  /** From 1. */
  readonly part: number
  readonly parts: number
}

export interface CountedDevice extends Device {
  /** Number of all its places, those of other parts included. */
  readonly places: number
}

export interface Chunk {
  /** From 0, over all families. */
  readonly index: number
  readonly order: Order | PlacesOrder
}

/** Runs of a chunk unless said otherwise: seconds of one core, and few enough that the cores end together. */
export const CHUNK = 500
/** Places of a chunk: seconds of one core as well. */
export const PLACES_CHUNK = 200
/** Longest list of steps that may be asked for: the memory of a run grows with it. */
export const LENGTH_MAX = 1000
/** A seed has at most nine digits: every one that is told can be given back as `--seed`. */
export const SEED_MAX = 999_999_999

export const randomSeed = (): number => randomInt(1, SEED_MAX + 1)

/** Undefined behind the last chunk. */
export function chunkAt(plan: Plan, index: number): Chunk | undefined {
  if (plan.every) return placesChunkAt(plan.every, plan.chunk, index)
  const { families, runs, chunk, seed, profile, length, path } = plan
  const place = Math.floor(index / families.length)
  const family = families[index % families.length]
  const left = runs === undefined ? chunk : runs - place * chunk
  if (family === undefined || left <= 0) return undefined
  const order = { family, runs: Math.min(chunk, left), seed: ((seed - 1 + place) % SEED_MAX) + 1 }
  return { index, order: { ...order, ...omitUndefined({ profile, length, path }) } }
}

/** Number of places of a device in this part. */
export const placesIn = ({ part, parts }: PlacesPlan, { places }: CountedDevice): number =>
  Math.max(0, Math.ceil((places - part + 1) / parts))

/** A chunk of places is a part itself: with `chunks` of them, `--shard I/N` of `parts * chunks` repeats it. */
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

/** Undefined: without end. */
export const chunksOf = ({ families, runs, chunk, every }: Plan): number | undefined =>
  every
    ? every.devices.reduce((sum, device) => sum + Math.ceil(placesIn(every, device) / chunk), 0)
    : runs === undefined
      ? undefined
      : families.length * Math.ceil(runs / chunk)

/** Of all families; undefined: without end. */
export const runsOf = ({ families, runs, every }: Plan): number | undefined =>
  every
    ? every.devices.reduce((sum, device) => sum + placesIn(every, device), 0)
    : runs === undefined
      ? undefined
      : families.length * runs

/** Repeats exactly this failure. `target`: where it was found, unless on the embedded device. */
export function repeatCommand({ seed, path, case: one, place }: Failure, length?: number, target?: string): string {
  const { family, profile } = one
  if (place) return rigCommand(['check', ...formatOptions({ every: true, pairs: place.pairs, family, profile, path })])
  return rigCommand(['check', ...formatOptions({ family, seed, path, profile, length, target })])
}

/** The command that runs a chunk alone. */
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

/** What a chunk is, in words. */
export function describeChunk({ index, order }: Chunk): string {
  const { family } = order
  if (!('first' in order)) return `chunk ${index} (family ${family}, seed ${order.seed})`
  const { profile, first, step } = order
  return `chunk ${index} (family ${family}${profile === undefined ? '' : ` ${profile}`}, places ${first + 1}/${step})`
}

/** Runs that a chunk would have made without its violation. */
export function leftOutBehind(plan: Plan, { chunk, path }: { readonly chunk: number; readonly path: string }): number {
  // A violation at a place ends nothing.
  if (plan.every) return 0
  const planned = chunkAt(plan, chunk)?.order.runs ?? 0
  return Math.max(0, planned - Number(path.split(':')[0]) - 1)
}
