import type { PaperState } from '../../../contract.ts'
import { call } from '../api.ts'
import { act, acted, useStore } from '../store.ts'
import { kindOf } from '../words.ts'
import { Card, Facts, Icon, type Option, Switch } from './small.tsx'

/** The device itself: what its customer sees, what a hand can do to it, what it has in hand. */
export function Rail() {
  return (
    <aside class="rail" aria-label="The device">
      <Display />
      <Hands />
      <InHand />
    </aside>
  )
}

function Display() {
  const device = useStore((state) => state.device)
  const lines = device?.display ?? []
  return (
    <Card title="Customer display" class="display-card">
      <div class={device?.power === false ? 'display off' : 'display'} role="img" aria-label={spoken(lines)}>
        {lines.map((line, index) => (
          <div key={index} class="display-line" aria-hidden="true">
            {[...line].map((letter, at) => (
              <span key={at}>{letter}</span>
            ))}
          </div>
        ))}
      </div>
    </Card>
  )
}

const spoken = (lines: readonly string[]): string => {
  const words = lines.map((line) => line.trim()).filter((line) => line !== '')
  return words.length === 0 ? 'The display is blank' : `The display shows: ${words.join('; ')}`
}

const ICONS = {
  paper: 'M5 3h10v14l-2.5-1.6L10 17l-2.5-1.6L5 17zM8 7h4M8 10h4',
  cover: 'M3 10l14-5M3 10h14v6H3z',
  power: 'M10 3v6M6.2 5.6a6 6 0 1 0 7.6 0',
  cable: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3',
} as const

const PAPER = [
  { value: 'ok', label: 'Loaded' },
  { value: 'low', label: 'Nearly out', tone: 'warning' },
  { value: 'out', label: 'Out', tone: 'bad' },
] as const satisfies readonly Option<PaperState>[]

const DONE: Readonly<Record<PaperState, string>> = {
  ok: 'Paper is loaded.',
  low: 'The paper is nearly used up.',
  out: 'The paper is taken out: printing is refused now.',
}

const touch = (hand: Promise<unknown>, done: string): Promise<void> =>
  acted(async () => {
    await hand
    return done
  })

function Hands() {
  const device = useStore((state) => state.device)
  const yes = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'yes' : 'no')
  const sample = () =>
    act(async () => {
      const { number } = await call('POST /emulator/sample')
      return `Receipt ${number} is printed.`
    })
  return (
    <Card title="Hands on the device" class="hands">
      <Switch
        label="Paper"
        icon={<Icon path={ICONS.paper} />}
        options={PAPER}
        value={device?.paper}
        onChange={(state) => touch(call('POST /emulator/paper', { body: { state } }), DONE[state])}
      />
      <Switch
        label="Cover"
        icon={<Icon path={ICONS.cover} />}
        options={[
          { value: 'no', label: 'Closed' },
          { value: 'yes', label: 'Open', tone: 'bad' },
        ]}
        value={yes(device?.cover)}
        onChange={(to) => {
          const open = to === 'yes'
          return touch(call('POST /emulator/cover', { body: { open } }), `The cover is ${open ? 'open' : 'closed'}.`)
        }}
      />
      <Switch
        label="Power"
        icon={<Icon path={ICONS.power} />}
        options={[
          { value: 'yes', label: 'On' },
          { value: 'no', label: 'Off', tone: 'bad' },
        ]}
        value={yes(device?.power)}
        onChange={(to) => {
          const on = to === 'yes'
          return touch(call('POST /emulator/power', { body: { on } }), `The device is switched ${on ? 'on' : 'off'}.`)
        }}
      />
      <Switch
        label="Cable"
        icon={<Icon path={ICONS.cable} />}
        options={[
          { value: 'yes', label: 'Plugged in' },
          { value: 'no', label: 'Pulled out', tone: 'bad' },
        ]}
        value={yes(device?.cable)}
        onChange={(to) => {
          const connected = to === 'yes'
          const done = `The cable is ${connected ? 'plugged in' : 'pulled out'}.`
          return touch(call('POST /emulator/cable', { body: { connected } }), done)
        }}
      />
      <button type="button" class="primary wide" onClick={sample} disabled={!device}>
        Print a sample receipt
      </button>
    </Card>
  )
}

function InHand() {
  const receipt = useStore((state) => state.device?.receipt)
  return (
    <Card title="Receipt in hand">
      {receipt ? (
        <Facts
          rows={[
            ['Kind', kindOf(receipt.kind)],
            ['Number', receipt.number],
            ['Items', receipt.items],
            ['Total', receipt.total],
            ['Paid', receipt.paid],
          ]}
        />
      ) : (
        <p class="empty">No receipt is open.</p>
      )}
    </Card>
  )
}
