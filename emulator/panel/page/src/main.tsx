import { render } from 'preact'
import { isFleet } from './api.ts'
import { App } from './app.tsx'
import { FleetOverview } from './fleet/fleet-overview.tsx'
import { connectFleet } from './fleet/live-updates.ts'
import { NoPrinter, whyNoPrinter } from './fleet/no-printer.tsx'
import { connect } from './live-updates.ts'
import { preparePrinting } from './parts/browser-print.ts'
import './style.css'
import './printer/printer.css'

async function start(place: HTMLElement): Promise<void> {
  if (isFleet) {
    render(<FleetOverview />, place)
    connectFleet()
    return
  }
  const why = await whyNoPrinter()
  if (why !== undefined) return render(<NoPrinter why={why} />, place)
  render(<App />, place)
  preparePrinting()
  connect()
}

const place = document.getElementById('page')
if (place) void start(place)
