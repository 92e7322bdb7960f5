import { render } from 'preact'
import { isFloor } from './api.ts'
import { App } from './app.tsx'
import { FleetOverview } from './floor/floor.tsx'
import { connectFloor } from './floor/live.ts'
import { connect } from './live.ts'
import { preparePrinting } from './parts/print.ts'
import './style.css'
import './printer/printer.css'

const place = document.getElementById('page')
if (place) render(isFloor ? <FleetOverview /> : <App />, place)
if (isFloor) connectFloor()
else {
  preparePrinting()
  connect()
}
