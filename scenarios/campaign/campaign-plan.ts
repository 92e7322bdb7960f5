/**
 * How a campaign is dealt out: in chunks with seeds of their own, the families in turn. What a chunk comes to depends on
 * the chunk alone, so it does not matter which core of which machine runs it, or how many there are.
 */

import { randomInt } from 'node:crypto'
import { optionWords, rigCommand } from '../../drivers/host/shell-command.ts'
import type { Family } from '../../drivers/model/families.ts'
import { present } from '../../drivers/model/present.ts'
import type { Failure } from '../simulation/check.ts'
import type { Order } from '../simulation/check-worker.ts'

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
}

export interface Chunk {
  /** From 0, over all families. */
  readonly index: number
  readonly order: Order
}

/** Runs of a chunk unless said otherwise: seconds of one core, and few enough that the cores end together. */
export const CHUNK = 500
/** Longest list of steps that may be asked for: the memory of a run grows with it. */
export const LENGTH_MAX = 1000
/** A seed has at most nine digits: every one that is told can be given back as `--seed`. */
export const SEED_MAX = 999_999_999

export const randomSeed = (): number => randomInt(1, SEED_MAX + 1)

/** Undefined behind the last chunk. */
export function chunkAt(plan: Plan, index: number): Chunk | undefined {
  const { families, runs, chunk, seed, profile, length, path } = plan
  const place = Math.floor(index / families.length)
  const family = families[index % families.length]
  const left = runs === undefined ? chunk : runs - place * chunk
  if (family === undefined || left <= 0) return undefined
  const order = { family, runs: Math.min(chunk, left), seed: ((seed - 1 + place) % SEED_MAX) + 1 }
  return { index, order: { ...order, ...present({ profile, length, path }) } }
}

/** Undefined: without end. */
export const chunksOf = ({ families, runs, chunk }: Plan): number | undefined =>
  runs === undefined ? undefined : families.length * Math.ceil(runs / chunk)

/** Of all families; undefined: without end. */
export const runsOf = ({ families, runs }: Plan): number | undefined =>
  runs === undefined ? undefined : families.length * runs

/** Repeats exactly this failure. `target`: where it was found, unless on the embedded device. */
export function repeatCommand({ seed, path, case: one }: Failure, length?: number, target?: string): string {
  const { family, profile } = one
  return rigCommand(['check', ...optionWords({ family, seed, path, profile, length, target })])
}

/** Runs that a chunk would have made without its violation. */
export function leftOutBehind(plan: Plan, { chunk, path }: { readonly chunk: number; readonly path: string }): number {
  const planned = chunkAt(plan, chunk)?.order.runs ?? 0
  return Math.max(0, planned - Number(path.split(':')[0]) - 1)
}
