import { useRef } from 'preact/hooks'
import type { DeviceView } from '../../../contract.ts'
import { call } from '../api.ts'
import { acted, useStore } from '../store.ts'

/** What keeps the device from printing or from being reached, as long as it lasts, each with the hand that mends it. */

export interface Trouble {
  readonly name: string
  readonly text: string
  readonly remedy: string
  readonly mend: () => Promise<unknown>
  readonly done: string
}

const OFF: Trouble = {
  name: 'power',
  text: 'The device is switched off: nothing is printed, and it does not answer.',
  remedy: 'Switch it on',
  mend: () => call('POST /emulator/power', { body: { on: true } }),
  done: 'The device is switched on.',
}
const NO_PAPER: Trouble = {
  name: 'paper',
  text: 'The paper is out: printing is refused.',
  remedy: 'Load paper',
  mend: () => call('POST /emulator/paper', { body: { state: 'ok' } }),
  done: 'Paper is loaded.',
}
const OPEN: Trouble = {
  name: 'cover',
  text: 'The cover is open: printing is refused.',
  remedy: 'Close the cover',
  mend: () => call('POST /emulator/cover', { body: { open: false } }),
  done: 'The cover is closed.',
}
const PULLED_OUT: Trouble = {
  name: 'cable',
  text: 'The cable is pulled out: no program reaches the device.',
  remedy: 'Plug it in',
  mend: () => call('POST /emulator/cable', { body: { connected: true } }),
  done: 'The cable is plugged in.',
}

export const troublesOf = ({ power, paper, cover, cable }: DeviceView): readonly Trouble[] => [
  ...(power ? [] : [OFF]),
  ...(paper === 'out' ? [NO_PAPER] : []),
  ...(cover ? [OPEN] : []),
  ...(cable ? [] : [PULLED_OUT]),
]

export function Troubles() {
  const device = useStore((state) => state.device)
  const box = useRef<HTMLDivElement>(null)
  const troubles = device ? troublesOf(device) : []
  const apply = ({ mend, done }: Trouble) =>
    acted(async () => {
      await mend()
      // The button goes with its trouble: the focus stays here.
      box.current?.focus()
      return done
    })
  return (
    <div class="troubles" role="status" ref={box} tabIndex={-1}>
      {troubles.map((trouble) => (
        <p key={trouble.name} class="trouble">
          <span>{trouble.text}</span>
          <button type="button" onClick={() => apply(trouble)}>
            {trouble.remedy}
          </button>
        </p>
      ))}
    </div>
  )
}
