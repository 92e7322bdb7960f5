/** Keeps the fleet overview current: reads all rows after each connection, then receives changed rows. */
import type { FleetEventData, FleetEventName } from '../../../contract.ts'
import { call } from '../api.ts'
import { backend } from '../backend.ts'
import { change, lostConnection, now, say } from '../store.ts'

export function connectFleet(): void {
  const events: { readonly [Name in FleetEventName]: (data: FleetEventData<Name>) => void } = {
    rows(changed) {
      const fresh = new Map(changed.map((row) => [row.name, row]))
      change({ rows: now().rows.map((row) => fresh.get(row.name) ?? row) })
    },
    told: ({ text }) => say(text.split('\n')[0] ?? text, true),
  }
  backend.listen('/emulator/fleet/events', {
    opened: () => void readAll(),
    onLost: lostConnection,
    events: events as Readonly<Record<string, (data: unknown) => void>>,
  })
}

async function readAll(): Promise<void> {
  try {
    change({ connection: 'live', rows: await call('GET /emulator/fleet') })
  } catch {
    lostConnection()
  }
}
