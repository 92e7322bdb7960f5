import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Scrolling } from './scrolling.tsx'

/** A list of any length of which only the visible rows exist. Rows are of one height. */
export interface VirtualListProps<Row> {
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

export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const {
    rows,
    rowHeight,
    label,
    keyOf,
    draw,
    chosen = -1,
    onChoose,
    follows = false,
    keepsInSight = false,
    empty,
    control,
  } = props
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
  if (control) control.current = { focus }

  /** Where arrow keys begin: at the row with the focus, else at the chosen one; undefined: nowhere yet. */
  const place = (): number | undefined => {
    const row = document.activeElement?.closest('li')?.getAttribute('aria-posinset')
    if (row) return Number(row) - 1
    return chosen >= 0 ? chosen : undefined
  }
  /** With nothing to begin at: the first or the last row in sight. */
  const firstStep = (step: number): number => {
    const { top, height } = seen.current
    return step > 0 ? Math.ceil(top / rowHeight) : Math.floor((top + height) / rowHeight) - 1
  }
  const move = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
    const step = steps[event.key] ?? Number.NaN
    const from = place()
    const stepped = from === undefined ? firstStep(step) : from + step
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? rows.length - 1 : stepped
    const index = Math.max(0, Math.min(rows.length - 1, to))
    const row = rows[index]
    if (Number.isNaN(to) || !row) return
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
