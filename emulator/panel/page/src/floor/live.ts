import type { FleetEventData, FleetEventName } from '../../../contract.ts'
import { call } from '../api.ts'
import { change, now, say } from '../store.ts'

/** Keeps the floor in step: all rows are read anew after each connection, then changed ones come in bundles. */

export function connectFloor(): void {
  const events = new EventSource('/emulator/fleet/events')
  const on = <Name extends FleetEventName>(name: Name, take: (data: FleetEventData<Name>) => void) =>
    events.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data)))
  events.addEventListener('open', () => void readAll())
  events.addEventListener('error', () => change({ connection: 'lost' }))
  on('rows', (changed) => {
    const fresh = new Map(changed.map((row) => [row.name, row]))
    change({ rows: now().rows.map((row) => fresh.get(row.name) ?? row) })
  })
  on('told', ({ text }) => say(text.split('\n')[0] ?? text, true))
}

async function readAll(): Promise<void> {
  try {
    change({ connection: 'live', rows: await call('GET /emulator/fleet') })
  } catch {
    change({ connection: 'lost' })
  }
}
