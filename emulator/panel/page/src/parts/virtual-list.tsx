import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Scrolling } from './scrolling.tsx'

/** A list of any length of which only the visible rows exist. Rows are of one height. */
interface VirtualListProps<Row> {
  readonly rows: readonly Row[]
  readonly rowHeight: number
  readonly label: string
  readonly keyOf: (row: Row) => number | string
  readonly draw: (row: Row) => ComponentChildren
  /** Index of the chosen row: arrow keys move it, and the focus with it. */
  readonly chosen?: number
  readonly onChoose?: ((row: Row) => void) | undefined
  /** Stays at the end when rows are added, as long as nobody has scrolled away from it. */
  readonly follows?: boolean
  /** The chosen row is brought into sight, whoever has chosen it. */
  readonly keepsInSight?: boolean
  readonly empty: string
  /** What others may do to the list. */
  readonly control?: { current: ListControl | undefined }
}

export interface ListControl {
  /** Brings a row into sight and gives it the focus. */
  focus(index: number): void
}

const SPARE = 6
const AT_END_PX = 40
const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < AT_END_PX

/** The scrolling of a list: which rows are in sight, what stays in sight, and where the focus is. */
function useRowsInSight<Row>(props: VirtualListProps<Row>) {
  const { rows, rowHeight, chosen = -1, follows = false, keepsInSight = false } = props
  const box = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  const seen = useRef({ top: 0, height: 400 })
  const [view, setView] = useState(seen.current)
  /** Index of the row that gets the focus as soon as it is there. */
  const toFocus = useRef<number | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const hadFocus = box.current?.contains(document.activeElement) ?? false

  const look = () => {
    const { current } = box
    if (!current) return
    // Rows may have come since the browser scrolled: only who scrolls up has left the end.
    const isNear = isNearEnd(current)
    if (isNear || current.scrollTop < seen.current.top) atEnd.current = isNear
    seen.current = { top: current.scrollTop, height: current.clientHeight }
    setView(seen.current)
  }
  const scrollTo = (index: number) => {
    const { current } = box
    if (!current) return
    const above = index * rowHeight
    if (above < current.scrollTop) current.scrollTop = above
    else if (above + rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = above + rowHeight - current.clientHeight
  }
  /** The place has another size: who was at the end stays there, and the chosen row stays in sight. */
  const resized = () => {
    const { current } = box
    if (!current) return
    const { chosen: index = -1, follows: isFollowing = false } = latest.current
    const { top, height } = seen.current
    const wasSeen = index >= 0 && (index + 1) * rowHeight > top && index * rowHeight < top + height
    if (isFollowing && atEnd.current) current.scrollTop = current.scrollHeight
    if (wasSeen) {
      scrollTo(index)
      // Who reads a row that is not the last stays with it.
      atEnd.current = isNearEnd(current)
    }
    look()
  }
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(resized)
    observer.observe(current)
    look()
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    if (follows && atEnd.current) current.scrollTop = current.scrollHeight
    look()
  }, [rows.length, rows.at(-1)])
  useLayoutEffect(() => {
    if (!keepsInSight || chosen < 0) return
    atEnd.current = false
    scrollTo(chosen)
    look()
  }, [chosen, keepsInSight])
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const place = toFocus.current
    if (place !== undefined) {
      toFocus.current = undefined
      const row = current.querySelector<HTMLElement>(`li[aria-posinset="${place + 1}"] button`)
      row?.focus({ preventScroll: true })
    } else if (hadFocus && !current.contains(document.activeElement)) {
      // The row with the focus was scrolled out of being: the list keeps it.
      current.focus({ preventScroll: true })
    }
  })

  const focus = (index: number) => {
    toFocus.current = index
    scrollTo(index)
    look()
  }
  return { box, seen, view, look, focus }
}

export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { rows, rowHeight, label, keyOf, draw, chosen = -1, onChoose, empty, control } = props
  const { box, seen, view, look, focus } = useRowsInSight(props)
  if (control) control.current = { focus }

  const move = (event: KeyboardEvent) => {
    const index = stepTo(event.key, { ...seen.current, rowHeight, rows: rows.length, chosen })
    const row = index === undefined ? undefined : rows[index]
    if (index === undefined || !row) return
    event.preventDefault()
    onChoose?.(row)
    focus(index)
  }

  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + SPARE)
  return (
    <Scrolling class="scroll" box={box} onScroll={look} onKeyDown={move} label={label}>
      {rows.length === 0 ? <p class="empty">{empty}</p> : null}
      <ul class="rows" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, last).map((row, index) => (
          <li
            key={keyOf(row)}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={rows.length}
            aria-posinset={first + index + 1}
          >
            {draw(row)}
          </li>
        ))}
      </ul>
    </Scrolling>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

interface InSight {
  readonly top: number
  readonly height: number
  readonly rowHeight: number
  readonly rows: number
  readonly chosen: number
}

/** Index of the row that a key leads to; undefined: the key moves nothing. */
function stepTo(key: string, { top, height, rowHeight, rows, chosen }: InSight): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return rows - 1
  const step = STEPS[key]
  if (step === undefined) return undefined
  // Begins at the row with the focus, else at the chosen row, else at the first or the last row in sight.
  const focused = document.activeElement?.closest('li')?.getAttribute('aria-posinset')
  const from = focused ? Number(focused) - 1 : chosen
  const edge = step > 0 ? Math.ceil(top / rowHeight) : Math.floor((top + height) / rowHeight) - 1
  return Math.max(0, Math.min(rows - 1, from < 0 ? edge : from + step))
}
