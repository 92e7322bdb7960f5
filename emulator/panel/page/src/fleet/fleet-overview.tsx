import { useEffect, useRef, useState } from 'preact/hooks'
import { countText } from '../../../../../drivers/model/count-text.ts'
import type { FleetRow } from '../../../contract.ts'
import { Facts } from '../parts/basic-components.tsx'
import { useAnswer } from '../parts/call-answer.ts'
import { Connection, Message, toMain } from '../parts/connection-and-messages.tsx'
import { LinkToDocs } from '../parts/docs-link.tsx'
import { Shortcuts, showShortcuts } from '../parts/shortcuts.tsx'
import { useStore } from '../store.ts'
import { FleetControls } from './fleet-controls.tsx'
import {
  cents,
  changesWithEveryReceipt,
  FILTERS,
  type FilterName,
  isTroubled,
  matchesSearch,
  ORDERS,
  type OrderName,
  SETTLE_MS,
} from './sort-and-filter.ts'
import { Tiles } from './tiles.tsx'

export function FleetOverview() {
  const rows = useStore((state) => state.rows)
  const connection = useStore((state) => state.connection)
  const [typed, setTyped] = useState('')
  const [shownFilter, setShown] = useState<FilterName>('all')
  const [order, setOrder] = useState<OrderName>('trouble')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const sorted = useSorted(rows, order)
  const hasDocs = useAnswer(() => fetch('/docs', { method: 'HEAD' }).then(({ ok }) => ok), 'docs')
  const words = typed.trim().replace(/\s+/g, ' ')
  const visible = sorted.filter((row) => FILTERS[shownFilter].fits(row) && matchesSearch(row, words))
  const title = countText(rows.length, 'printer')
  useEffect(() => {
    document.title = `Fleet · ${title}`
  }, [title])
  const choose = (name: string) => {
    const next = new Set(chosen)
    if (!next.delete(name)) next.add(name)
    setChosen(next)
  }
  const names = visible.filter(({ state }) => state !== 'failed').map(({ name }) => name)
  const hidden = chosen.size - visible.filter(({ name }) => chosen.has(name)).length
  return (
    <div class="floor">
      <button type="button" class="skip" onClick={toMain}>
        Skip to the content
      </button>
      <header class="top">
        <div class="who">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          <h1>{rows.length === 0 ? 'Printers' : title}</h1>
        </div>
        <Summary rows={rows} />
        <div class="now">
          <LinkToDocs address={hasDocs ? '/docs' : undefined} />
          <button type="button" class="quiet help" onClick={showShortcuts} aria-label="Keyboard shortcuts">
            ?
          </button>
          <Connection />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <div class="floor-tools">
          <div class="filters">
            <label class="field grow">
              <span>Find</span>
              <input
                type="search"
                placeholder="name, family, number, port, state"
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            </label>
            <Choice label="Show" options={FILTERS} value={shownFilter} onChange={setShown} />
            <Choice label="Order" options={ORDERS} value={order} onChange={setOrder} />
          </div>
          <FleetControls
            chosen={[...chosen]}
            visibleNames={names}
            hidden={hidden}
            onChoose={(all) => setChosen(new Set(all))}
          />
        </div>
        <p class="count floor-count" role="status">
          {visible.length === rows.length ? '' : `${visible.length} of ${rows.length} shown`}
        </p>
        <Tiles
          rows={visible}
          chosen={chosen}
          onChoose={choose}
          empty={connection === 'connecting' ? 'Reading the printers.' : 'No printer matches.'}
        />
      </main>
      <Shortcuts isFleet />
      <Message />
    </div>
  )
}

function Summary({ rows }: { rows: readonly FleetRow[] }) {
  const total = rows.reduce((sum, row) => sum + cents(row.total), 0n)
  const text = `${total / 100n}.${String(total % 100n).padStart(2, '0')}`
  const figures: readonly (readonly [string, string | number])[] = [
    ['In trouble', rows.filter(isTroubled).length],
    ['Receipts open', rows.filter(({ state }) => state === 'receipt').length],
    ['Turnover today', text],
  ]
  return <Facts rows={figures} as="floor-figures" />
}

function Choice<Name extends string>(props: {
  readonly label: string
  readonly options: Readonly<Record<Name, { readonly label: string }>>
  readonly value: Name
  readonly onChange: (name: Name) => void
}) {
  const { label, options, value, onChange } = props
  const names = Object.keys(options) as Name[]
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Name)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {options[name].label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Returns the current rows in an order that does not change constantly while receipts are printed. */
function useSorted(rows: readonly FleetRow[], order: OrderName): readonly FleetRow[] {
  const lastOrder = useRef<{ order: OrderName; count: number; at: number; names: readonly string[] } | undefined>(
    undefined,
  )
  const isOld =
    lastOrder.current?.order !== order ||
    lastOrder.current.count !== rows.length ||
    !changesWithEveryReceipt(order) ||
    performance.now() - lastOrder.current.at > SETTLE_MS
  if (isOld) {
    const names = rows.toSorted(ORDERS[order].compare).map(({ name }) => name)
    lastOrder.current = { order, count: rows.length, at: performance.now(), names }
  }
  const byName = new Map(rows.map((row) => [row.name, row]))
  return (lastOrder.current?.names ?? []).flatMap((name) => byName.get(name) ?? [])
}
