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
  /** Index of the chosen row: arrow keys move it. */
  readonly chosen?: number
  readonly onChoose?: (row: Row) => void
  /** Stays at the end when rows are added, as long as nobody has scrolled away from it. */
  readonly follows?: boolean
  readonly empty: string
}

const SPARE = 6
const AT_END_PX = 40

export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { rows, rowHeight, label, keyOf, draw, chosen = -1, onChoose, follows = false, empty } = props
  const box = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  const lastTop = useRef(0)
  const [view, setView] = useState({ top: 0, height: 400 })

  const look = () => {
    const { current } = box
    if (!current) return
    // Rows may have come since the browser scrolled: only who scrolls up has left the end.
    const isNear = current.scrollHeight - current.scrollTop - current.clientHeight < AT_END_PX
    if (isNear || current.scrollTop < lastTop.current) atEnd.current = isNear
    lastTop.current = current.scrollTop
    setView({ top: current.scrollTop, height: current.clientHeight })
  }
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const observer = new ResizeObserver(look)
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

  const move = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
    const to =
      event.key === 'Home' ? 0 : event.key === 'End' ? rows.length - 1 : chosen + (steps[event.key] ?? Number.NaN)
    const index = Math.max(0, Math.min(rows.length - 1, to))
    const row = rows[index]
    if (Number.isNaN(to) || !row || !onChoose || !box.current) return
    event.preventDefault()
    onChoose(row)
    const { current } = box
    const above = index * rowHeight
    if (above < current.scrollTop) current.scrollTop = above
    else if (above + rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = above + rowHeight - current.clientHeight
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
