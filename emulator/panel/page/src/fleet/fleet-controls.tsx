import { useState } from 'preact/hooks'
import type { CallInput } from '../../../contract.ts'
import { call } from '../api.ts'
import { change, now, startAction, useStore } from '../store.ts'

type ControlValues = Omit<CallInput<'POST /emulator/fleet/controls'>['body'], 'names'>

const CONTROLS: readonly (readonly [label: string, hands: ControlValues])[] = [
  ['Load paper', { paper: 'ok' }],
  ['Let the paper run low', { paper: 'low' }],
  ['Take the paper out', { paper: 'out' }],
  ['Close the cover', { cover: false }],
  ['Open the cover', { cover: true }],
  ['Switch on', { power: true }],
  ['Switch off', { power: false }],
  ['Plug the cable in', { cable: true }],
  ['Pull the cable out', { cable: false }],
]

/** The controls remain visible if no printer is selected. */
export function FleetControls(props: {
  readonly chosen: readonly string[]
  readonly visibleNames: readonly string[]
  /** Number of chosen printers that the filters hide. */
  readonly hidden: number
  readonly onChoose: (names: readonly string[]) => void
}) {
  const { chosen, visibleNames, hidden, onChoose } = props
  const [index, setIndex] = useState(0)
  const isLive = useStore((state) => state.connection === 'live')
  const lay = () =>
    startAction(async () => {
      const [label = '', values = {}] = CONTROLS[index] ?? []
      const rows = await call('POST /emulator/fleet/controls', { body: { names: [...chosen], ...values } })
      const fresh = new Map(rows.map((row) => [row.name, row]))
      change({ rows: now().rows.map((row) => fresh.get(row.name) ?? row) })
      return `${label}: ${rows.length === 1 ? rows[0]?.name : `${rows.length} printers`}.`
    })
  return (
    <fieldset class="floor-hands" aria-label="Controls of the chosen printers">
      <p class="count">
        {chosen.length === 0 ? 'None chosen' : `${chosen.length} chosen`}
        {hidden === 0 ? '' : `, ${hidden} not shown`}
      </p>
      <button type="button" class="quiet" onClick={() => onChoose(visibleNames)}>
        Choose all shown
      </button>
      <button type="button" class="quiet" disabled={chosen.length === 0} onClick={() => onChoose([])}>
        Choose none
      </button>
      <select aria-label="What to do" value={index} onChange={(event) => setIndex(Number(event.currentTarget.value))}>
        {CONTROLS.map(([label], at) => (
          <option key={label} value={at}>
            {label}
          </option>
        ))}
      </select>
      <button type="button" class="primary" disabled={chosen.length === 0 || !isLive} onClick={lay}>
        {hidden === 0 ? 'Do it' : `Do it, also on the ${hidden} not shown`}
      </button>
    </fieldset>
  )
}
