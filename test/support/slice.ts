/**
 * The rotating part of a suite. `npm test` runs a part of everything that is many; the hash of the sources selects it
 * (rotation.ts), so that the same sources run the same tests and each change tries other places.
 */
import { createHash } from 'node:crypto'

/** True in `npm run test:deep`, which leaves nothing out. */
export const isDeep = process.env['RIG_SUITE'] === 'deep'

export interface SliceOptions<Item> {
  /** Items that always run: those that match, or the first N. Default: none. */
  readonly keep?: number | ((item: Item) => boolean)
  /** One in `of` of the other items runs, and at least one. */
  readonly of: number
  /** The same in `npm run test:deep`, for what is too much even there. Default: 1. */
  readonly deepOf?: number
  /** Text that tells an item from the others. Default: its JSON. */
  readonly id?: (item: Item) => string
}

const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0)

/** Returns the items that run now, in their order. */
export function slice<Item>(
  all: readonly Item[],
  { keep = 0, of, deepOf = 1, id = (item) => JSON.stringify(item) }: SliceOptions<Item>,
): Item[] {
  const parts = isDeep ? deepOf : of
  if (parts <= 1) return [...all]
  const key = process.env['SLICE'] ?? ''
  const isKept = typeof keep === 'number' ? (_item: Item, index: number) => index < keep : keep
  const rotating = all
    .map((item, index) => ({ item, index, rank: hashOf(`${key} ${id(item)}`) }))
    .filter(({ item, index }) => !isKept(item, index))
    .sort((a, b) => a.rank - b.rank)
  const chosen = new Set(rotating.slice(0, Math.ceil(rotating.length / parts)).map(({ index }) => index))
  return all.filter((item, index) => isKept(item, index) || chosen.has(index))
}

/** Numbers from 0 to `count - 1`. */
export const upToCount = (count: number): number[] => Array.from({ length: count }, (_nothing, index) => index)
