import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Scrolling } from './scrolling.tsx'

/** A list whose rows have the same height. Only visible rows are rendered, because the list may be long. */
interface VirtualListProps<Row> {
  readonly rows: readonly Row[]
  readonly rowHeight: number
  readonly label: string
  readonly keyOf: (row: Row) => number | string
  /** `tab` makes one row of the list a tab stop; arrow keys move from there. */
  readonly draw: (row: Row, tab: { readonly tabIndex: 0 | -1 }) => ComponentChildren
  /** Index of the selected row. Arrow keys move the selection and the focus. */
  readonly chosen?: number
  readonly onChoose?: ((row: Row) => void) | undefined
  /** End at which rows are added; absent if none are added. */
  readonly newest?: 'first' | 'last'
  readonly more?: number
  /** Number of rows that the device stores, which is the maximum that can be shown. */
  readonly stored?: number
  readonly onNewest?: () => void
  /** True if the list stays at the end when rows are added, until the user scrolls away. */
  readonly follows?: boolean
  readonly onLeft?: () => void
  readonly empty: string
  readonly control?: { current: ListControl | undefined }
}

export interface ListControl {
  focus(index: number): void
}

const SPARE = 6
const AT_END_PX = 40
const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight < AT_END_PX

function useKeptFocus(box: { readonly current: HTMLElement | null }) {
  const toFocus = useRef<number | undefined>(undefined)
  const hadFocus = box.current?.contains(document.activeElement) ?? false
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const place = toFocus.current
    if (place !== undefined) {
      toFocus.current = undefined
      const row = current.querySelector<HTMLElement>(`li[aria-posinset="${place + 1}"] button`)
      row?.focus({ preventScroll: true })
    } else if (hadFocus && !current.contains(document.activeElement)) {
      // The focused row was scrolled out of sight and removed, so that the list gets the focus.
      current.focus({ preventScroll: true })
    }
  })
  return toFocus
}

function useRowsInSight<Row>(props: VirtualListProps<Row>) {
  const { rows, rowHeight, keyOf, chosen = -1, follows = false, newest } = props
  const box = useRef<HTMLElement>(null)
  const lastScroll = useRef({ top: 0, height: 400 })
  const [view, setView] = useState(lastScroll.current)
  /** Key of the last row that was visible. */
  const lastSeen = useRef<number | string>(undefined)
  const isFilled = useRef(false)
  const latest = useRef(props)
  latest.current = props

  const unseen = (): number => {
    if (newest !== 'last' || lastSeen.current === undefined) return 0
    const index = rows.findLastIndex((row) => keyOf(row) === lastSeen.current)
    return index < 0 ? 0 : rows.length - 1 - index
  }
  const look = () => {
    const { current } = box
    if (!current) return
    const { rows: all, keyOf: key } = latest.current
    const { scrollTop: top, clientHeight: height } = current
    if (latest.current.follows && top < lastScroll.current.top && !isNearEnd(current)) latest.current.onLeft?.()
    const bottom = Math.min(all.length, Math.floor((top + height) / rowHeight)) - 1
    const row = newest === 'last' ? all[bottom] : undefined
    if (row !== undefined && all.findLastIndex((one) => key(one) === lastSeen.current) < bottom)
      lastSeen.current = key(row)
    lastScroll.current = { top, height }
    setView(lastScroll.current)
  }
  const scrollTo = (index: number) => {
    const { current } = box
    if (!current) return
    const above = index * rowHeight
    if (above < current.scrollTop) current.scrollTop = above
    else if (above + rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = above + rowHeight - current.clientHeight
  }
  const toEnd = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }
  /** When the size changes, a list that follows stays at the end, and a visible selected row stays visible. */
  const resized = () => {
    const { chosen: index = -1, follows: isFollowing = false } = latest.current
    const { top, height } = lastScroll.current
    const wasSeen = index >= 0 && (index + 1) * rowHeight > top && index * rowHeight < top + height
    if (isFollowing) toEnd()
    if (wasSeen) scrollTo(index)
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
    const isFirst = !isFilled.current && rows.length > 0
    isFilled.current ||= isFirst
    if (follows || (isFirst && newest === 'last' && chosen < 0)) toEnd()
    if (isFirst) lastSeen.current = newest === 'last' ? keyOf(rows.at(-1) as Row) : undefined
    look()
  }, [rows.length, rows.at(-1), follows])
  // Scrolls to a row that was selected. The dependency is its key, not its index, because rows that are added or removed
  // before it must not scroll the list.
  const chosenKey = rows.slice(chosen, chosen + 1).map(keyOf)[0]
  useLayoutEffect(() => {
    const { current } = box
    if (!current || chosenKey === undefined || follows) return
    const spare = (current.clientHeight - rowHeight) / 2
    const middle = chosen * rowHeight - spare
    if (current.contains(document.activeElement)) scrollTo(chosen)
    else if (Math.abs(current.scrollTop - middle) > spare) current.scrollTop = middle
    look()
  }, [chosenKey])
  const toFocus = useKeptFocus(box)
  const focus = (index: number) => {
    toFocus.current = index
    scrollTo(index)
    look()
  }
  const toNewest = () => {
    latest.current.onNewest?.()
    requestAnimationFrame(() => {
      if (newest === 'first' && box.current) box.current.scrollTop = 0
      else toEnd()
      look()
      box.current?.focus({ preventScroll: true })
    })
  }
  return { box, seen: lastScroll, view, look, focus, unseen: unseen(), toNewest }
}

export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { rows, rowHeight, label, keyOf, draw, chosen = -1, onChoose, empty, control, newest, more = 0, stored } = props
  const { box, seen: lastScroll, view, look, focus, unseen, toNewest } = useRowsInSight(props)
  const [focused, setFocused] = useState<number | string>()
  if (control) control.current = { focus }

  const move = (event: KeyboardEvent) => {
    const index = stepTo(event.key, { ...lastScroll.current, rowHeight, rows: rows.length, chosen })
    const row = index === undefined ? undefined : rows[index]
    if (index === undefined || !row) return
    event.preventDefault()
    onChoose?.(row)
    focus(index)
  }

  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + SPARE)
  const visibleRows = rows.slice(first, last)
  const stop = tabStop(visibleRows.map(keyOf), focused, chosen - first, Math.ceil(view.top / rowHeight) - first)
  const count = unseen + more
  return (
    <div class="list">
      <Scrolling
        class="scroll"
        box={box}
        onScroll={look}
        onKeyDown={move}
        label={label}
        tabIndex={rows.length === 0 ? 0 : -1}
      >
        {rows.length === 0 ? <p class="empty">{empty}</p> : null}
        <ul
          class="rows"
          style={{ height: `${rows.length * rowHeight}px` }}
          onFocusIn={(event) => {
            const place = Number((event.target as Element).closest('li')?.getAttribute('aria-posinset')) - 1
            const row = rows[place]
            if (row !== undefined) setFocused(keyOf(row))
          }}
        >
          {visibleRows.map((row, index) => (
            <li
              key={keyOf(row)}
              style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
              aria-setsize={rows.length}
              aria-posinset={first + index + 1}
            >
              {draw(row, { tabIndex: index === stop ? 0 : -1 })}
            </li>
          ))}
        </ul>
      </Scrolling>
      {count === 0 ? null : (
        <button type="button" class={`newer ${newest}`} onClick={toNewest}>
          {newWords(count, stored)}
        </button>
      )}
    </div>
  )
}

/**
 * The device may have dropped rows that were never shown, so that the number of new rows is only a minimum from
 * `stored` on.
 */
const newWords = (count: number, stored = Number.POSITIVE_INFINITY): string =>
  count < stored ? `${count} new` : `${stored.toLocaleString('en')} or more new`

/** The tab stop is the row that last had the focus, otherwise the selected row, otherwise the first visible row. */
function tabStop(
  keys: readonly (number | string)[],
  focused: number | string | undefined,
  chosen: number,
  inSight: number,
): number {
  const index = focused === undefined ? -1 : keys.indexOf(focused)
  if (index >= 0) return index
  return chosen >= 0 && chosen < keys.length ? chosen : Math.min(Math.max(0, inSight), keys.length - 1)
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

interface InSight {
  readonly top: number
  readonly height: number
  readonly rowHeight: number
  readonly rows: number
  readonly chosen: number
}

/** Returns the index of the row to which a key moves; `undefined` for other keys. */
function stepTo(key: string, { top, height, rowHeight, rows, chosen }: InSight): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return rows - 1
  const step = STEPS[key]
  if (step === undefined) return undefined
  // The start is the focused row, otherwise the selected row, otherwise the first or last visible row.
  const focused = document.activeElement?.closest('li')?.getAttribute('aria-posinset')
  const from = focused ? Number(focused) - 1 : chosen
  const edge = step > 0 ? Math.ceil(top / rowHeight) : Math.floor((top + height) / rowHeight) - 1
  return Math.max(0, Math.min(rows - 1, from < 0 ? edge : from + step))
}
