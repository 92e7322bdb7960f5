/**
 * The rotating part of a suite. `npm test` runs a part of every large set of cases, selected by the hash of the sources
 * (rotation.ts): the same sources run the same cases, and each change runs others.
 */
import { createHash } from 'node:crypto'

/** True in `npm run test:deep`, which runs every case, except in sets with `deepOf`. */
export const isDeep = process.env['RIG_SUITE'] === 'deep'

/** `--shard I/N` of `npm run test:deep`: one of N parts of every large set of cases. */
const [SHARD, SHARDS] = (process.env['RIG_SHARD'] ?? '1/1').split('/').map(Number) as [number, number]

export interface RotationOptions {
  /** One of each `of` consecutive items runs. */
  readonly of: number
  /** The value of `of` in `npm run test:deep`, for sets that are too large to run whole. Default: 1. */
  readonly deepOf?: number
  /** Distinguishes lists of equal length, so that they do not run the same indexes. */
  readonly salt?: string
}

export interface SliceOptions<Item> extends RotationOptions {
  /** Items that always run: those that match, or the first N. Default: none. */
  readonly keep?: number | ((item: Item) => boolean)
}

/** Returns the seed of random runs, which changes with the sources; `--seed N` of `npm run test:deep` sets it. */
export const rotatingSeed = (): number =>
  Number(process.env['RIG_SEED'] ?? Number.parseInt((process.env['SLICE'] ?? '1').slice(0, 7), 16)) + SHARD - 1

/** Returns the number of random runs: `few` in `npm test`, `many` in `npm run test:deep`, divided among its shards. */
export const rotatingRuns = (few: number, many = few * 10): number => (isDeep ? Math.ceil(many / SHARDS) : few)

/** Returns the indexes below `count` that run now, ascending. */
export function rotating(count: number, { of, deepOf = 1, salt = '' }: RotationOptions): number[] {
  const size = isDeep ? deepOf : of
  const key = isDeep ? (process.env['RIG_SEED'] ?? '') : (process.env['SLICE'] ?? '')
  const blocks = Array.from({ length: Math.ceil(count / size) }, (_nothing, block) => block)
  const ours = blocks.filter((block) => block % SHARDS === SHARD - 1)
  return ours.map((block) => {
    const first = block * size
    const hash = createHash('sha256').update(`${key} ${salt} ${block}`).digest().readUInt32BE(0)
    return first + (hash % Math.min(size, count - first))
  })
}

/** Returns whether a test runs now. `isKept`: in every `npm test`. */
export function hasItsTurn(name: string, { of, isKept }: { readonly of: number; readonly isKept: boolean }): boolean {
  const key = isDeep ? '' : (process.env['SLICE'] ?? '')
  const hash = createHash('sha256').update(`${key} ${name}`).digest().readUInt32BE(0)
  return isDeep ? hash % SHARDS === SHARD - 1 : isKept || hash % of === 0
}

/** Returns the items that run now, in their order. */
export function slice<Item>(all: readonly Item[], { keep = 0, ...options }: SliceOptions<Item>): Item[] {
  const isKept = typeof keep === 'number' ? (_item: Item, index: number) => index < keep : keep
  const rest = [...all.keys()].filter((index) => !isKept(all[index] as Item, index))
  const chosen = new Set(rotating(rest.length, options).map((index) => rest[index]))
  return all.filter((item, index) => isKept(item, index) || chosen.has(index))
}
