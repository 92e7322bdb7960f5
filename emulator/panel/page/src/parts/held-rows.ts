/**
 * Lists that do not move while they are read: new rows wait until the user requests them, or are added out of sight.
 */
import { useMemo, useRef, useState } from 'preact/hooks'

interface HeldRows<Row> {
  readonly of: string
  readonly rows: readonly Row[]
  readonly newer: readonly Row[]
}

/** Maximum length of a list, as a multiple of the rows that the device stores. */
const HELD_TIMES = 2

interface GrowingList<Row> {
  readonly rows: readonly Row[]
  /** Waiting rows. A filtered list counts only those that it will show. */
  readonly newer: readonly Row[]
  readonly release: () => void
}

/**
 * Holds rows in order of arrival: rows that the device no longer stores remain in the list. `of` identifies the subject
 * of the list. With `follows`, no rows are held.
 */
export function useGrowing<Row>(
  live: readonly Row[],
  { idOf, of, stored, follows }: { idOf: (row: Row) => number; of: string; stored: number; follows: boolean },
): GrowingList<Row> {
  const held = useRef<HeldRows<Row>>({ of, rows: live, newer: [] })
  const [released, release] = useState(0)
  const wasReleased = useRef(released)
  held.current = useMemo(() => {
    const isReleased = wasReleased.current !== released
    wasReleased.current = released
    if (follows || isReleased || held.current.of !== of) return { of, rows: live, newer: [] }
    return joined(held.current, live, idOf, HELD_TIMES * stored)
  }, [live, of, follows, released])
  return { rows: held.current.rows, newer: held.current.newer, release: () => release((count) => count + 1) }
}

function joined<Row>(
  { of, rows }: HeldRows<Row>,
  live: readonly Row[],
  idOf: (row: Row) => number,
  most: number,
): HeldRows<Row> {
  const [first] = live
  const last = rows.at(-1)
  if (first === undefined || last === undefined || idOf(live.at(-1) as Row) < idOf(last))
    return { of, rows: live, newer: [] }
  const older = rows.slice(0, indexFrom(rows, idOf(first), idOf))
  if (older.length === 0) return { of, rows: live, newer: [] }
  if (older.length + live.length <= most) return { of, rows: [...older, ...live], newer: [] }
  return { of, rows, newer: live.slice(indexFrom(live, idOf(last) + 1, idOf)) }
}

function indexFrom<Row>(rows: readonly Row[], id: number, idOf: (row: Row) => number): number {
  const index = rows.findIndex((row) => idOf(row) >= id)
  return index < 0 ? rows.length : index
}

/**
 * Holds the rows of a list that shows the newest first: rows that arrive later wait. `shows` is the id of a row that
 * the user has requested.
 */
export function useWaiting<Row>(
  live: readonly Row[],
  { idOf, of, shows = 0 }: { idOf: (row: Row) => number; of: string; shows?: number | undefined },
): GrowingList<Row> {
  const held = useRef({ of, last: 0 })
  const [, redraw] = useState(0)
  const last = live.at(-1)
  const newest = last === undefined ? 0 : idOf(last)
  const { of: before, last: until } = held.current
  const isAskedFor = shows > until && shows <= newest
  if (before !== of || until === 0 || newest < until || isAskedFor) held.current = { of, last: newest }
  const shownUntil = held.current.last
  const [rows, newer] = useMemo(() => {
    const end = newest === shownUntil ? live.length : indexFrom(live, shownUntil + 1, idOf)
    return [end === live.length ? live : live.slice(0, end), live.slice(end)]
  }, [live, shownUntil])
  const release = () => {
    held.current = { of, last: newest }
    redraw((count) => count + 1)
  }
  return { rows, newer, release }
}
