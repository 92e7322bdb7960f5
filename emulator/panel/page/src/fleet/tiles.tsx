/** The tiles of the fleet overview. Only visible tiles are rendered, because a fleet may be large. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FleetRow } from '../../../contract.ts'
import { Scrolling } from '../parts/scrolling.tsx'
import { STATES } from './sort-and-filter.ts'

const TILE_WIDTH = 236
const TILE_HEIGHT = 118
const GAP = 10

export function Tiles(props: {
  readonly rows: readonly FleetRow[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (name: string) => void
  readonly empty: string
}) {
  const { rows, chosen, onChoose, empty } = props
  const box = useRef<HTMLElement>(null)
  const [view, setView] = useState({ top: 0, height: 0, width: 0 })
  const look = () => {
    const { current } = box
    if (current) setView({ top: current.scrollTop, height: current.clientHeight, width: current.clientWidth })
  }
  useLayoutEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(look)
    observer.observe(box.current)
    look()
    return () => observer.disconnect()
  }, [])
  // If there are fewer tiles, the browser may have changed the scroll position.
  useLayoutEffect(look, [rows.length])

  const columns = Math.max(1, Math.floor((view.width - GAP) / (TILE_WIDTH + GAP)))
  const width = (view.width - GAP) / columns - GAP
  const step = TILE_HEIGHT + GAP
  const first = Math.max(0, Math.floor((view.top - GAP) / step)) * columns
  const last = Math.max(0, Math.ceil((view.top + view.height - GAP) / step)) * columns
  return (
    <Scrolling class="floor-tiles" box={box} onScroll={look} label="Printers">
      {rows.length === 0 ? <p class="empty">{empty}</p> : null}
      <ul style={{ height: `${GAP + Math.ceil(rows.length / columns) * step}px` }}>
        {view.width === 0
          ? null
          : rows.slice(first, last).map((row, index) => {
              const place = first + index
              return (
                <li
                  key={row.name}
                  aria-setsize={rows.length}
                  aria-posinset={place + 1}
                  style={{
                    width: `${width}px`,
                    height: `${TILE_HEIGHT}px`,
                    left: `${GAP + (place % columns) * (width + GAP)}px`,
                    top: `${GAP + Math.floor(place / columns) * step}px`,
                  }}
                >
                  <Tile row={row} isChosen={chosen.has(row.name)} onChoose={() => onChoose(row.name)} />
                </li>
              )
            })}
      </ul>
    </Scrolling>
  )
}

function Tile({ row, isChosen, onChoose }: { row: FleetRow; isChosen: boolean; onChoose: () => void }) {
  const { name, family, profile, state, total, lastLine, strip, why, line } = row
  const { label, tone } = STATES[state]
  return (
    <article class={`tile ${tone}${isChosen ? ' chosen' : ''}`}>
      {/* Chromium may keep the style of an element whose ancestor changes its class while tiles move: a changed state gets new elements. */}
      <Strip key={state} strip={strip} state={state} />
      <div class="tile-words">
        <div class="tile-head">
          {state === 'failed' ? (
            <span class="tile-name">{name}</span>
          ) : (
            <a class="tile-name" href={`/floor/${encodeURIComponent(name)}`}>
              {name}
            </a>
          )}
          <input type="checkbox" aria-label={`Choose ${name}`} checked={isChosen} onChange={onChoose} />
        </div>
        <p class="tile-kind">
          {family} · {profile}
          {line?.startsWith('tcp:') ? ` · ${line.slice(line.lastIndexOf(':') + 1)}` : ''}
        </p>
        <p class="tile-line" title={why}>
          {why ?? lastLine}
        </p>
        <p class="tile-foot">
          <span key={state} class={`tile-state ${tone}`}>
            {label}
          </span>
          <span class="num">{total}</span>
        </p>
      </div>
    </article>
  )
}

const STRIP_LINES = 12
const FULL_LINE = 9
const WIDTH = 26
const LINE_STEP = 6

/** The paper in miniature: the last lines, and a torn edge if the paper is out. */
function Strip({ strip, state }: Pick<FleetRow, 'strip' | 'state'>) {
  const lines = [...strip].map(Number)
  const path = lines
    .map((full, index) => {
      const length = ((WIDTH - 8) * full) / FULL_LINE
      const x = 4 + (WIDTH - 8 - length) / 2
      return full === 0 ? '' : `M${x} ${(STRIP_LINES - lines.length + index) * LINE_STEP + 8}h${length}`
    })
    .join('')
  const length = STRIP_LINES * LINE_STEP + 8
  const top = (STRIP_LINES - lines.length) * LINE_STEP
  return (
    <svg class={`strip ${state}`} viewBox={`0 0 ${WIDTH} ${length}`} aria-hidden="true" focusable="false">
      <rect class="strip-paper" x="0" y={top} width={WIDTH} height={length - top} />
      <path class="strip-print" d={path} />
    </svg>
  )
}
