import { useMemo, useRef, useState } from 'preact/hooks'

/** Lists that do not move under their reader: what is new waits until it is asked for, or comes where nobody looks. */

interface Held<Row> {
  readonly of: string
  readonly rows: readonly Row[]
  /** Newer rows that the list does not hold. */
  readonly more: number
}

/** Upper limit of held rows, as a multiple of the rows that the device stores. */
const HELD_TIMES = 2

interface Growing<Row> {
  readonly rows: readonly Row[]
  readonly more: number
  /** Lets go of what was held: the list is what the device stores now. */
  readonly release: () => void
}

/**
 * Rows in the order in which they came, the newest last: those that the device no longer stores stay in the list. `of`:
 * the subject of the list; another subject is another list. `follows`: nothing is held.
 */
export function useGrowing<Row>(
  live: readonly Row[],
  { idOf, of, stored, follows }: { idOf: (row: Row) => number; of: string; stored: number; follows: boolean },
): Growing<Row> {
  const held = useRef<Held<Row>>({ of, rows: live, more: 0 })
  const [released, release] = useState(0)
  const wasReleased = useRef(released)
  held.current = useMemo(() => {
    const isReleased = wasReleased.current !== released
    wasReleased.current = released
    if (follows || isReleased || held.current.of !== of) return { of, rows: live, more: 0 }
    return joined(held.current, live, idOf, HELD_TIMES * stored)
  }, [live, of, follows, released])
  return { rows: held.current.rows, more: held.current.more, release: () => release((count) => count + 1) }
}

function joined<Row>(
  { of, rows }: Held<Row>,
  live: readonly Row[],
  idOf: (row: Row) => number,
  most: number,
): Held<Row> {
  const [first] = live
  const last = rows.at(-1)
  if (first === undefined || last === undefined || idOf(live.at(-1) as Row) < idOf(last))
    return { of, rows: live, more: 0 }
  const older = rows.slice(0, indexFrom(rows, idOf(first), idOf))
  if (older.length === 0) return { of, rows: live, more: 0 }
  if (older.length + live.length <= most) return { of, rows: [...older, ...live], more: 0 }
  return { of, rows, more: live.length - indexFrom(live, idOf(last) + 1, idOf) }
}

/** Index of the first row with this id or a greater one. */
function indexFrom<Row>(rows: readonly Row[], id: number, idOf: (row: Row) => number): number {
  const index = rows.findIndex((row) => idOf(row) >= id)
  return index < 0 ? rows.length : index
}

/**
 * Rows of a list with the newest first, in the order in which they came: those that come after the list was opened wait.
 * `shows`: id of a row that the reader has asked for.
 */
export function useWaiting<Row>(
  live: readonly Row[],
  { idOf, of, shows = 0 }: { idOf: (row: Row) => number; of: string; shows?: number | undefined },
): Growing<Row> {
  const held = useRef({ of, last: 0 })
  const [, redraw] = useState(0)
  const last = live.at(-1)
  const newest = last === undefined ? 0 : idOf(last)
  const { of: before, last: until } = held.current
  const isAskedFor = shows > until && shows <= newest
  if (before !== of || until === 0 || newest < until || isAskedFor) held.current = { of, last: newest }
  const shownUntil = held.current.last
  const rows = useMemo(
    () => (newest === shownUntil ? live : live.slice(0, indexFrom(live, shownUntil + 1, idOf))),
    [live, shownUntil],
  )
  const release = () => {
    held.current = { of, last: newest }
    redraw((count) => count + 1)
  }
  return { rows, more: live.length - rows.length, release }
}
