import { useMemo } from 'preact/hooks'
import { type Lane, lanesOf, type TimeRow } from './timeline-rows.ts'

export const LANE_NAMES: Readonly<Record<Lane, string>> = {
  requests: 'Requests',
  wire: 'Wire',
  paper: 'Paper',
  display: 'Display',
  hands: 'Device',
  faults: 'Faults',
}

const LANE_HIGH = 10
const LANE_PX = 16
/** Minimum number of positions, so that a few rows do not fill the axis. */
const FEWEST_PLACES = 40

/** Returns one path per lane, because thousands of separate marks would be slow. */
function marksOf(rows: readonly TimeRow[], visibleLanes: readonly Lane[]): readonly (readonly [Lane, string])[] {
  const paths: Record<Lane, string> = { requests: '', wire: '', paper: '', display: '', hands: '', faults: '' }
  for (const [at, row] of rows.entries()) {
    for (const lane of lanesOf(row).filter((one) => visibleLanes.includes(one)))
      paths[lane] += `M${at + 0.5} ${visibleLanes.indexOf(lane) * LANE_HIGH + 2}v${LANE_HIGH - 4}`
  }
  return visibleLanes.map((lane) => [lane, paths[lane]] as const)
}

export function TimeAxis(props: {
  readonly rows: readonly TimeRow[]
  readonly lanes: readonly Lane[]
  readonly chosen: number
  readonly words: string
  readonly onChoose: (index: number) => void
}) {
  const { rows, lanes, chosen, words, onChoose } = props
  const marks = useMemo(() => marksOf(rows, lanes), [rows, lanes.join()])
  const places = Math.max(rows.length, FEWEST_PLACES)
  const last = Math.max(0, rows.length - 1)
  return (
    <div class="time-axis">
      <div class="time-names" aria-hidden="true">
        {lanes.map((lane) => (
          <span key={lane}>{LANE_NAMES[lane]}</span>
        ))}
      </div>
      <div class="time-marks">
        <svg
          viewBox={`0 0 ${places} ${lanes.length * LANE_HIGH}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          height={lanes.length * LANE_PX}
        >
          {marks.map(([lane, path]) => (
            <path key={lane} class={`lane-${lane}`} d={path} />
          ))}
          {rows.length === 0 ? null : (
            <path class="now" d={`M${Math.max(0, chosen) + 0.5} 0v${lanes.length * LANE_HIGH}`} />
          )}
        </svg>
        <input
          type="range"
          class="time-slider"
          aria-label="Moment"
          aria-valuetext={words}
          min={0}
          max={last}
          value={Math.max(0, chosen)}
          disabled={rows.length === 0}
          onInput={(event) => onChoose(Number(event.currentTarget.value))}
        />
      </div>
    </div>
  )
}
