/** The timeline of a trace: the steps on an axis, and the state of the device before and after each of them. */
import { html, joinMarkup, type Markup } from '../../../drivers/host/markup.ts'
import { faultLine } from '../../../emulator/faults/effects.ts'
import { faultsOfStep } from '../injected-faults.ts'
import type { DeviceState, StepLogEntry } from '../step-results.ts'
import type { ReportData } from './report-data.ts'

const LANES = ['requests', 'wire', 'paper', 'device', 'faults'] as const
type Lane = (typeof LANES)[number]

const NAMES: Readonly<Record<Lane, string>> = {
  requests: 'Requests',
  wire: 'Wire',
  paper: 'Paper',
  device: 'Device',
  faults: 'Faults',
}

const LANE_HIGH = 10
const isWider = (range: readonly [number, number] | undefined): boolean => range !== undefined && range[1] > range[0]

/** Amounts are left out, because they change with every sale. */
function isTouched([before, after]: readonly [DeviceState, DeviceState]): boolean {
  return (['power', 'paper', 'cover', 'cable'] as const).some((name) => before[name] !== after[name])
}

const lanesOf = ({ answered, heard, injected, printed, device }: StepLogEntry): readonly Lane[] => [
  ...(/^\d{3}\b/.test(answered ?? '') ? (['requests'] as const) : []),
  ...(isWider(heard) ? (['wire'] as const) : []),
  ...(isWider(printed) ? (['paper'] as const) : []),
  ...(device && isTouched(device) ? (['device'] as const) : []),
  ...(isWider(injected) ? (['faults'] as const) : []),
]

/** Returns nothing if the target does not report the state of the device. */
export function scrubber({ story, detail }: ReportData): Markup {
  if (!detail || !story.some(({ device }) => device)) return html``
  const places = story.length
  const paths = LANES.map((lane, row) => {
    const marks = story.flatMap((step, at) =>
      lanesOf(step).includes(lane) ? [`M${at + 0.5} ${row * LANE_HIGH + 2}v${LANE_HIGH - 4}`] : [],
    )
    return html`<path class="lane-${lane}" d="${marks.join('')}"></path>`
  })
  const steps = story.map((step) => {
    const { title, status, atMs, tookMs, printed, device } = step
    return {
      ...{ title, status, atMs, tookMs },
      ...(isWider(step.injected) && { faults: faultsOfStep(step, detail).map(faultLine) }),
      ...(printed && { printed: printed[1] }),
      ...(device && { before: device[0], after: device[1] }),
    }
  })
  const last = story.length - 1
  return html`<div class="scrubber" role="group" aria-label="Timeline" data-steps="${JSON.stringify(steps)}" hidden>
<div class="axis"><div class="lanes" aria-hidden="true">${joinMarkup(LANES.map((lane) => html`<span>${NAMES[lane]}</span>`))}</div>
<div><svg viewBox="0 0 ${places} ${LANES.length * LANE_HIGH}" preserveAspectRatio="none" aria-hidden="true">${paths}<path class="now" d="M${last + 0.5} 0v${LANES.length * LANE_HIGH}"></path></svg>
<input type="range" min="0" max="${last}" value="${last}" aria-label="Step"></div></div>
<div class="moment" role="status"></div>
</div>
`
}
