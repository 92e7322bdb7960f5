import type { DeviceView } from '../../../contract.ts'
import { call } from '../api.ts'

export interface ControlState<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly tone?: 'warning' | 'bad'
  readonly confirmation: string
  /** Consequence of the state, and label of the button that restores the first state. */
  readonly trouble?: { readonly text: string; readonly remedy: string }
}

export interface DeviceControl<Value extends string = string> {
  readonly label: string
  readonly icon: string
  /** The first state is the normal state. */
  readonly states: readonly [ControlState<Value>, ...ControlState<Value>[]]
  now(device: DeviceView): Value
  set(value: Value): Promise<unknown>
}

const control = <Value extends string>(one: DeviceControl<Value>): DeviceControl<Value> => one

export const PAPER = control({
  label: 'Paper',
  icon: 'M5 3h10v14l-2.5-1.6L10 17l-2.5-1.6L5 17zM8 7h4M8 10h4',
  states: [
    { value: 'ok', label: 'Loaded', confirmation: 'Paper is loaded.' },
    { value: 'low', label: 'Nearly out', tone: 'warning', confirmation: 'The paper is nearly used up.' },
    {
      value: 'out',
      label: 'Out',
      tone: 'bad',
      confirmation: 'The paper is taken out: printing is refused now.',
      trouble: { text: 'The paper is out: printing is refused.', remedy: 'Load paper' },
    },
  ],
  now: ({ paper }) => paper,
  set: (state) => call('POST /emulator/paper', { body: { state } }),
})

export const COVER = control({
  label: 'Cover',
  icon: 'M3 10l14-5M3 10h14v6H3z',
  states: [
    { value: 'closed', label: 'Closed', confirmation: 'The cover is closed.' },
    {
      value: 'open',
      label: 'Open',
      tone: 'bad',
      confirmation: 'The cover is open.',
      trouble: { text: 'The cover is open: printing is refused.', remedy: 'Close the cover' },
    },
  ],
  now: ({ cover }) => (cover ? 'open' : 'closed'),
  set: (state) => call('POST /emulator/cover', { body: { open: state === 'open' } }),
})

export const POWER = control({
  label: 'Power',
  icon: 'M10 3v6M6.2 5.6a6 6 0 1 0 7.6 0',
  states: [
    { value: 'on', label: 'On', confirmation: 'The device is switched on.' },
    {
      value: 'off',
      label: 'Off',
      tone: 'bad',
      confirmation: 'The device is switched off.',
      trouble: {
        text: 'The device is switched off: nothing is printed, and it does not answer.',
        remedy: 'Switch it on',
      },
    },
  ],
  now: ({ power }) => (power ? 'on' : 'off'),
  set: (state) => call('POST /emulator/power', { body: { on: state === 'on' } }),
})

export const CABLE = control({
  label: 'Cable',
  icon: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3',
  states: [
    { value: 'in', label: 'Plugged in', confirmation: 'The cable is plugged in.' },
    {
      value: 'out',
      label: 'Pulled out',
      tone: 'bad',
      confirmation: 'The cable is pulled out.',
      trouble: { text: 'The cable is pulled out: no program reaches the device.', remedy: 'Plug it in' },
    },
  ],
  now: ({ cable }) => (cable ? 'in' : 'out'),
  set: (state) => call('POST /emulator/cable', { body: { connected: state === 'in' } }),
})
