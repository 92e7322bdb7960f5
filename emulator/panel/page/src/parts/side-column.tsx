import { useState } from 'preact/hooks'
import type { ReceiptView } from '../../../contract.ts'
import { call } from '../api.ts'
import { CustomerDisplay } from '../display/customer-display.tsx'
import { cents } from '../fleet/sort-and-filter.ts'
import { kindOf } from '../labels-and-formats.ts'
import { runAction, startAction, useStore } from '../store.ts'
import { Card, Facts, Icon, Switch } from './basic-components.tsx'
import { CABLE, COVER, type DeviceControl, PAPER, POWER } from './device-controls.ts'
import { startOnce } from './double-click.ts'
import { asPrinted } from './print-result.ts'

export function Rail() {
  const isExamined = useStore((state) => state.exam !== null)
  return (
    <aside class="rail" aria-label="The device">
      <CustomerDisplay />
      {isExamined ? null : <Controls />}
      <OpenReceipt />
    </aside>
  )
}

function Controls() {
  const device = useStore((state) => state.device)
  const sample = () =>
    startOnce('sample', async () => {
      const { number } = await call('POST /emulator/sample')
      return `Receipt ${number} is printed.`
    })
  return (
    <Card title="Device controls" class="hands">
      {([PAPER, COVER, POWER, CABLE] as readonly DeviceControl[]).map((control) => (
        <Switch
          key={control.label}
          label={control.label}
          icon={<Icon path={control.icon} />}
          options={control.states}
          value={device ? control.now(device) : undefined}
          onChange={(value) =>
            runAction(async () => {
              await control.set(value)
              return control.states.find((state) => state.value === value)?.confirmation
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

function OpenReceipt() {
  const receipt = useStore((state) => state.device?.receipt)
  const isExamined = useStore((state) => state.exam !== null)
  return (
    <Card title="Open receipt">
      {receipt ? (
        <>
          <Facts
            rows={[
              ['Kind', kindOf(receipt.kind)],
              ['Number', receipt.number],
              ['Items', receipt.items],
              ['Total', receipt.total],
              ['Paid', receipt.paid],
            ]}
          />
          {isExamined ? null : <Endings key={receipt.number} receipt={receipt} />}
        </>
      ) : (
        <p class="empty">No receipt is open.</p>
      )}
    </Card>
  )
}

/** Buttons that close or cancel the open receipt, whichever program has opened it, if the device permits that. */
function Endings({ receipt }: { readonly receipt: ReceiptView }) {
  const composes = useStore((state) => state.registers?.composes === true)
  const [isRefused, setRefused] = useState(false)
  const end = (how: 'cancel' | 'close', done: string) =>
    startAction(async () => {
      const printed = await call('POST /emulator/receipt', { body: { end: how } })
      setRefused(printed.errors.length > 0)
      return asPrinted(printed, done)
    })
  const isPaid = cents(receipt.paid) >= cents(receipt.total)
  const isStarted = cents(receipt.paid) > 0n
  return (
    <>
      {composes ? (
        <div class="buttons endings">
          {isStarted ? null : (
            <button type="button" onClick={() => end('cancel', 'Cancelled')}>
              Cancel it
            </button>
          )}
          {receipt.kind === 'nonFiscal' || receipt.items > 0 ? (
            <button type="button" onClick={() => end('close', 'Closed')}>
              {isPaid ? 'Close it' : 'Pay the remaining amount in cash and close it'}
            </button>
          ) : null}
        </div>
      ) : null}
      {composes && !isRefused ? null : (
        <p class="soft">{`The program that has the line ends it: ${toSend(receipt)}.`}</p>
      )}
    </>
  )
}

/** The named commands exist in all families. */
const toSend = ({ kind }: ReceiptView): string =>
  kind === 'nonFiscal'
    ? 'with closeNonFiscal'
    : 'with cancelFiscal if nothing is paid, otherwise with a payment of the remaining amount and closeFiscal'
