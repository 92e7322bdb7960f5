import { render } from 'preact'
import { App } from './app.tsx'
import { connect } from './live.ts'
import './style.css'

const place = document.getElementById('page')
if (place) render(<App />, place)
connect()
