/**
 * `npm test` runs a part of every large set of cases. The hash of the sources (bin/commands/test-slice.ts) selects the part, so the
 * same sources run the same cases, and each change runs others.
 */
import { createHash } from 'node:crypto'

/** True in `npm run test:deep`, which runs every case except in sets with `deepOf`. */
export const isDeep = process.env['RIG_SUITE'] === 'deep'

/** `--shard I/N` of `npm run test:deep` selects one of N parts of every large set of cases. */
const [SHARD, SHARDS] = (process.env['RIG_SHARD'] ?? '1/1').split('/').map(Number) as [number, number]

export interface RotationOptions {
  /** The run includes one item of every `of` consecutive items. */
  readonly of: number
  /** `npm run test:deep` uses this value as `of`, for sets that are too large to run whole. The default is 1. */
  readonly deepOf?: number
  /** The salt distinguishes lists of equal length, so that they do not run the same indexes. */
  readonly salt?: string
}

export interface SliceOptions<Item> extends RotationOptions {
  /** These items always run: those that match, or the first N. The default is none. */
  readonly keep?: number | ((item: Item) => boolean)
}

/** Returns the seed of random runs, which changes with the sources. `--seed N` of `npm run test:deep` sets the seed. */
export const rotatingSeed = (): number =>
  Number(process.env['RIG_SEED'] ?? Number.parseInt((process.env['SLICE'] ?? '1').slice(0, 7), 16)) + SHARD - 1

/** Returns `few` in `npm test`, and `many` divided among the shards in `npm run test:deep`. */
export const rotatingRuns = (few: number, many = few * 10): number => (isDeep ? Math.ceil(many / SHARDS) : few)

/** Returns indexes below `count`, ascending. */
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

/** `isKept` makes the test run in every `npm test`. */
export function hasItsTurn(name: string, { of, isKept }: { readonly of: number; readonly isKept: boolean }): boolean {
  const key = isDeep ? '' : (process.env['SLICE'] ?? '')
  const hash = createHash('sha256').update(`${key} ${name}`).digest().readUInt32BE(0)
  return isDeep ? hash % SHARDS === SHARD - 1 : isKept || hash % of === 0
}

export function slice<Item>(all: readonly Item[], { keep = 0, ...options }: SliceOptions<Item>): Item[] {
  const isKept = typeof keep === 'number' ? (_item: Item, index: number) => index < keep : keep
  const rest = [...all.keys()].filter((index) => !isKept(all[index] as Item, index))
  const chosen = new Set(rotating(rest.length, options).map((index) => rest[index]))
  return all.filter((item, index) => isKept(item, index) || chosen.has(index))
}
