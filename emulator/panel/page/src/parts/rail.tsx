import { call } from '../api.ts'
import { act, acted, useStore } from '../store.ts'
import { kindOf } from '../words.ts'
import { CABLE, COVER, type Hand, PAPER, POWER } from './hands.ts'
import { Card, Facts, Icon, Switch } from './small.tsx'

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

function Hands() {
  const device = useStore((state) => state.device)
  const sample = () =>
    act(async () => {
      const { number } = await call('POST /emulator/sample')
      return `Receipt ${number} is printed.`
    })
  return (
    <Card title="Hands on the device" class="hands">
      {([PAPER, COVER, POWER, CABLE] as readonly Hand[]).map((hand) => (
        <Switch
          key={hand.label}
          label={hand.label}
          icon={<Icon path={hand.icon} />}
          options={hand.states}
          value={device ? hand.now(device) : undefined}
          onChange={(value) =>
            acted(async () => {
              await hand.set(value)
              return hand.states.find((state) => state.value === value)?.done
            })
          }
        />
      ))}
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
