import { useState } from 'preact/hooks'
import type { DeviceView, RegistersView, ZView } from '../../../contract.ts'
import { Columns } from '../parts/form.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { Card, Facts } from '../parts/small.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { useStore } from '../store.ts'
import { dateAndTime } from '../words.ts'

/** The books: the day so far, the counters, the fiscal memory and every closure in it. */
export function DayView() {
  const device = useStore((state) => state.device)
  const registers = useStore((state) => state.registers)
  const zs = useStore((state) => state.zs)
  if (!device) return null
  return (
    <div class="books">
      <Figures device={device} />
      <div class="today">
        <Card title="Tax groups today">
          <TaxTable device={device} registers={registers} />
        </Card>
        <Card title="Payments today">
          <PaymentTable device={device} registers={registers} />
        </Card>
        <div class="column">
          <Card title="Corrections and cash today">
            <Corrections device={device} />
          </Card>
          <Card title="Fiscal memory">
            <Gauge device={device} />
          </Card>
        </div>
      </div>
      <Archive zs={zs} registers={registers} />
    </div>
  )
}

function Figures({ device }: { device: DeviceView }) {
  const { day, counters } = device
  const figures: readonly (readonly [string, string | number])[] = [
    ['Turnover today', day.total],
    ['Cash in drawer', day.drawerCash],
    ['Fiscal receipts in all', counters.fiscalReceipts],
    ['Service receipts in all', counters.nonFiscal],
    ['Last receipt', counters.lastReceiptNumber || 'none'],
    ['Last Z report', counters.lastZ || 'none'],
  ]
  return <Facts rows={figures} as="figures" />
}

const percent = (rate: string | null | undefined): string =>
  rate === undefined ? '' : rate === null ? 'disabled' : `${rate} %`

function TaxTable({ device, registers }: { device: DeviceView; registers: RegistersView | null }) {
  return (
    <table>
      <Columns names={['Group', 'Rate', 'Turnover']} numbers={[1, 2]} />
      <tbody>
        {Object.entries(device.day.taxes).map(([letter, turnover]) => (
          <tr key={letter} class={turnover === '0.00' ? 'nothing' : ''}>
            <th scope="row">{letter}</th>
            <td class="num">{percent(registers?.taxRates.find((one) => one.letter === letter)?.rate)}</td>
            <td class="num">{turnover}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function PaymentTable({ device, registers }: { device: DeviceView; registers: RegistersView | null }) {
  const modes = registers?.payments ?? []
  return (
    <table>
      <Columns names={['Mode', 'Name', 'Amount']} numbers={[2]} />
      <tbody>
        {modes.map(({ paymentMode, name }) => {
          const amount = device.day.payments[paymentMode] ?? '0.00'
          return (
            <tr key={paymentMode} class={amount === '0.00' ? 'nothing' : ''}>
              <td>{paymentMode}</td>
              <th scope="row">{name}</th>
              <td class="num">{amount}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Corrections({ device: { day } }: { device: DeviceView }) {
  return (
    <Facts
      rows={[
        [`Discounts (${day.discounts.count})`, day.discounts.amount],
        [`Surcharges (${day.surcharges.count})`, day.surcharges.amount],
        [`Voids (${day.voids.count})`, day.voids.amount],
        ['Cash put in', day.cashIn],
        ['Cash taken out', day.cashOut],
      ]}
    />
  )
}

function Gauge({ device: { fiscalMemory, fiscalMemoryNumber } }: { device: DeviceView }) {
  const { used, capacity } = fiscalMemory
  const share = (100 * used) / capacity
  const text = `${used} of ${capacity} records used`
  return (
    <>
      <div class="gauge" aria-hidden="true">
        <div style={{ width: `${share}%` }} />
      </div>
      <p class="gauge-text">
        {text} ({share < 1 ? 'under 1' : Math.round(share)} %)
      </p>
      <Facts rows={[['Memory number', fiscalMemoryNumber]]} />
    </>
  )
}

const isSameZ = (one: ZView, other: ZView | undefined): boolean => one.number === other?.number && one.at === other.at

function Archive({ zs, registers }: { zs: readonly ZView[]; registers: RegistersView | null }) {
  const [opened, open] = useState<ZView>()
  const newestFirst = zs.toReversed()
  // A Z report stays open when a newer one arrives. A replaced device has other ones.
  const chosen = zs.find((one) => isSameZ(one, opened)) ?? zs.at(-1)
  if (chosen !== opened) open(chosen)
  return (
    <Card
      title="Z reports"
      class="archive"
      action={<p class="count">{zs.length === 1 ? '1 closure' : `${zs.length} closures`}</p>}
    >
      {zs.length === 0 ? (
        <p class="empty">The day has not been closed yet: the first Z report will appear here.</p>
      ) : (
        <>
          <Plot zs={zs} chosen={chosen?.number} />
          <div class="archive-body">
            <VirtualList
              rows={newestFirst}
              rowHeight={44}
              label="Z reports, newest first"
              keyOf={(one) => one.number}
              chosen={newestFirst.findIndex((one) => one.number === chosen?.number)}
              onChoose={open}
              empty=""
              draw={(one, tab) => (
                <button
                  type="button"
                  {...tab}
                  class="row z-row"
                  aria-pressed={one.number === chosen?.number}
                  onClick={() => open(one)}
                >
                  <span class="number">Z {one.number}</span>
                  <span class="at">{dateAndTime(one.at)}</span>
                  <span class="num">{one.total}</span>
                </button>
              )}
            />
            {chosen ? <Closure z={chosen} registers={registers} /> : null}
          </div>
        </>
      )}
    </Card>
  )
}

const PLOTTED_ZS = 60
const FEWEST_PLACES = 12

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))

/** Turnover of the last closures, one bar each. */
function Plot({ zs, chosen }: { zs: readonly ZView[]; chosen: number | undefined }) {
  const plottedZs = zs.slice(-PLOTTED_ZS)
  const highest = plottedZs.reduce((most, { total }) => (cents(total) > cents(most) ? total : most), '0.00')
  const places = Math.max(plottedZs.length, FEWEST_PLACES)
  const first = plottedZs[0]
  const last = plottedZs.at(-1)
  const label = `Turnover of Z reports ${first?.number} to ${last?.number}: highest ${highest}, last ${last?.total}`
  return (
    <figure class="plot">
      <p class="plot-most" aria-hidden="true">
        {highest}
      </p>
      <svg viewBox={`0 0 ${places} 1`} preserveAspectRatio="none" role="img" aria-label={label}>
        {plottedZs.map((z, index) => {
          // Heights of bars, in thousandths of the highest.
          const high = Math.max(10, highest === '0.00' ? 0 : Number((1000n * cents(z.total)) / cents(highest))) / 1000
          return (
            <rect
              key={z.number}
              class={z.number === chosen ? 'bar chosen' : 'bar'}
              x={index + 0.14}
              y={1 - high}
              width={0.72}
              height={high}
            />
          )
        })}
      </svg>
      <p class="plot-ends" aria-hidden="true">
        <span>Z {first?.number}</span>
        <span>{plottedZs.length === places ? `Z ${last?.number}` : ''}</span>
      </p>
    </figure>
  )
}

function Closure({ z, registers }: { z: ZView; registers: RegistersView | null }) {
  const nameOf = (mode: number) => registers?.payments.find((one) => one.paymentMode === mode)?.name ?? `Mode ${mode}`
  return (
    <Scrolling class="closure" label={`Z report ${z.number}`}>
      <h3>
        Z {z.number} <span>{dateAndTime(z.at)}</span>
      </h3>
      <table>
        <Columns names={['Group', 'Rate', 'Turnover', 'Tax']} numbers={[1, 2, 3]} />
        <tbody>
          {z.taxes
            .filter(({ turnover }) => turnover !== '0.00')
            .map(({ letter, rate, turnover, tax }) => (
              <tr key={letter}>
                <th scope="row">{letter}</th>
                <td class="num">{percent(rate)}</td>
                <td class="num">{turnover}</td>
                <td class="num">{tax}</td>
              </tr>
            ))}
          <tr class="sum">
            <th scope="row" colSpan={2}>
              Total
            </th>
            <td class="num">{z.total}</td>
            <td />
          </tr>
        </tbody>
      </table>
      <Facts
        rows={[
          ['Receipts', z.firstReceipt === null ? '0' : `${z.receiptsCount} (${z.firstReceipt} to ${z.lastReceipt})`],
          ...z.payments
            .filter(({ amount }) => amount !== '0.00')
            .map(({ paymentMode, amount }) => [nameOf(paymentMode), amount] as const),
          [`Discounts (${z.discounts.count})`, z.discounts.amount],
          [`Surcharges (${z.surcharges.count})`, z.surcharges.amount],
          [`Voids (${z.voids.count})`, z.voids.amount],
          ['Cash in, out', `${z.cashIn}, ${z.cashOut}`],
        ]}
      />
    </Scrolling>
  )
}
