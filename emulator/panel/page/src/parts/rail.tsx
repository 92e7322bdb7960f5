import { call } from '../api.ts'
import { CustomerDisplay } from '../display/display.tsx'
import { act, acted, useStore } from '../store.ts'
import { kindOf } from '../words.ts'
import { CABLE, COVER, type Hand, PAPER, POWER } from './hands.ts'
import { Card, Facts, Icon, Switch } from './small.tsx'

/** The device itself: what its customer sees, what a hand can do to it, what it has in hand. */
export function Rail() {
  return (
    <aside class="rail" aria-label="The device">
      <CustomerDisplay />
      <Hands />
      <InHand />
    </aside>
  )
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
