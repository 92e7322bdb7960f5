import { useEffect, useRef } from 'preact/hooks'
import { countText } from '../../../../../drivers/model/count-text.ts'
import type { DeviceView, RegistersView, ZView } from '../../../contract.ts'
import { idInAddress, timeInAddress } from '../address.ts'
import { asTyped, CHOOSE_ONE, dateAndTime } from '../labels-and-formats.ts'
import { Card, Facts } from '../parts/basic-components.tsx'
import { Columns } from '../parts/form.tsx'
import { NotStored, useUntilGone } from '../parts/run-ids.tsx'
import { Scrolling } from '../parts/scrolling.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { navigate, useAddress, useTimeInAddress } from '../route.ts'
import { deviceRead, useStore } from '../store.ts'

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

/** The printing time `at` excludes a Z report of another device. Without it, the number alone decides. */
const isZ = (z: ZView, number: number | undefined, at: string | undefined): boolean =>
  z.number === number && (at === undefined || timeInAddress(z) === at)

/**
 * Returns the open Z report: that of the address, or the newest at the time of opening, which stays open when a newer
 * one arrives. `isGone` is true if the device no longer has the report.
 */
function useOpenZ(zs: readonly ZView[], number: number | undefined, at: string | undefined) {
  const isRead = useStore((state) => deviceRead(state) !== undefined)
  const opened = useRef<ZView>(undefined)
  const before = opened.current
  const stored = (one: ZView) => zs.find((z) => isZ(z, one.number, timeInAddress(one)))
  const isOfAddress = before !== undefined && (number === undefined || isZ(before, number, at))
  const found = number === undefined ? zs.at(-1) : zs.find((z) => isZ(z, number, at))
  const chosen = isOfAddress ? (stored(before) ?? before) : found
  opened.current = chosen
  useTimeInAddress('day', number, at, chosen)
  return { chosen, isGone: isRead && chosen !== undefined && stored(chosen) === undefined, isRead }
}

/** Returns the reason why the Z report of the address is not shown. `asked` is its number as text. */
function whyNoZ(asked: string, at: string | undefined, isEmpty: boolean): string {
  const why =
    at === undefined
      ? `There is no Z report ${asTyped(asked)} in the fiscal memory.`
      : `Z report ${asTyped(asked)} was printed before the device was replaced, and is no longer stored.`
  return isEmpty ? why : `${why} ${CHOOSE_ONE}`
}

function Archive({ zs, registers }: { zs: readonly ZView[]; registers: RegistersView | null }) {
  const { path, query } = useAddress()
  const [asked] = path
  const { chosen, isGone, isRead } = useOpenZ(zs, idInAddress(asked), query['at'])
  const isLinked = useRef(asked !== undefined)
  useEffect(() => {
    if (!isRead || !isLinked.current) return
    isLinked.current = false
    document.querySelector('.archive')?.scrollIntoView({ block: 'start' })
  }, [isRead])
  const newestFirst = zs.toReversed()
  const row = isGone ? -1 : newestFirst.findIndex((one) => one.number === chosen?.number)
  const open = (z: ZView, isStep = true) =>
    navigate({ view: 'day', path: [String(z.number)], query: { at: timeInAddress(z) } }, isStep)
  const isEmpty = zs.length === 0 && !chosen
  return (
    <Card
      title="Z reports"
      class="archive"
      action={
        <>
          <p class="count">{countText(zs.length, 'closure')}</p>
          <p class="order">newest first</p>
        </>
      }
    >
      {asked !== undefined && !chosen && isRead ? <NotStored words={whyNoZ(asked, query['at'], isEmpty)} /> : null}
      {isEmpty ? (
        <p class="empty">The day has not been closed yet: the first Z report will appear here.</p>
      ) : (
        <>
          {zs.length === 0 ? null : <Plot zs={zs} chosen={isGone ? undefined : chosen?.number} />}
          <div class="archive-body">
            <VirtualList
              rows={newestFirst}
              rowHeight={44}
              label="Z reports, newest first"
              keyOf={(one) => one.number}
              chosen={row}
              onChoose={(one) => open(one, false)}
              empty="The day has not been closed yet."
              draw={(one, tab) => (
                <button
                  type="button"
                  {...tab}
                  class="row z-row"
                  aria-pressed={one === newestFirst[row]}
                  onClick={() => open(one)}
                >
                  <span class="number">Z {one.number}</span>
                  <span class="at">{dateAndTime(one.at)}</span>
                  <span class="num">{one.total}</span>
                </button>
              )}
            />
            {chosen ? <Closure z={chosen} registers={registers} isGone={isGone} /> : null}
          </div>
        </>
      )}
    </Card>
  )
}

const PLOTTED_ZS = 60
const FEWEST_PLACES = 12

const cents = (amount: string): bigint => BigInt(amount.replace('.', ''))

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
          // Height of the bar, relative to the highest one, with a visible minimum.
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

function Closure(props: { readonly z: ZView; readonly registers: RegistersView | null; readonly isGone: boolean }) {
  const { z, isGone } = props
  // The payment names of another device may differ.
  const payments = useUntilGone(isGone, props.registers?.payments)
  const nameOf = (mode: number) => payments?.find((one) => one.paymentMode === mode)?.name ?? `Mode ${mode}`
  return (
    <Scrolling class={`closure${isGone ? ' dimmed' : ''}`} label={`Z report ${z.number}`}>
      {isGone ? (
        <NotStored words="The device no longer has this Z report, because it was replaced. It is shown as it was read." />
      ) : null}
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
