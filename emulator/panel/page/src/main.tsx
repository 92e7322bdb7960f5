import { render } from 'preact'
import { isFleet } from './api.ts'
import { App } from './app.tsx'
import { FleetOverview } from './fleet/fleet-overview.tsx'
import { connectFleet } from './fleet/live.ts'
import { connect } from './live.ts'
import { preparePrinting } from './parts/print.ts'
import './style.css'
import './printer/printer.css'

const place = document.getElementById('page')
if (place) render(isFleet ? <FleetOverview /> : <App />, place)
if (isFleet) connectFleet()
else {
  preparePrinting()
  connect()
}
