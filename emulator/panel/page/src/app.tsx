import { useEffect, useState } from 'preact/hooks'
import { Clock } from './parts/clock.tsx'
import { Rail } from './parts/rail.tsx'
import { change, useStore } from './store.ts'
import { DayView } from './views/day.tsx'
import { DocumentsView } from './views/documents.tsx'
import { ExamView } from './views/exam.tsx'
import { FaultsView } from './views/faults.tsx'
import { PaperView } from './views/paper.tsx'
import { SetupView } from './views/setup.tsx'
import { WireView } from './views/wire.tsx'

/** The shell: who the device is, the views, and beside them what a hand can do to it. */

const VIEWS = [
  { name: 'paper', label: 'Paper', Body: PaperView },
  { name: 'documents', label: 'Documents', Body: DocumentsView },
  { name: 'day', label: 'Day and memory', Body: DayView },
  { name: 'wire', label: 'Wire', Body: WireView },
  { name: 'faults', label: 'Faults', Body: FaultsView },
  { name: 'setup', label: 'Setup', Body: SetupView },
  { name: 'exam', label: 'Exam', Body: ExamView },
] as const

const viewOf = (hash: string) => VIEWS.find(({ name }) => `#${name}` === hash.split('/')[0]) ?? VIEWS[0]

export function App() {
  const [view, setView] = useState(() => viewOf(location.hash))
  useEffect(() => {
    const look = () => setView(viewOf(location.hash))
    addEventListener('hashchange', look)
    return () => removeEventListener('hashchange', look)
  }, [])
  const device = useStore((state) => state.device)
  const isExamined = useStore((state) => state.exam !== null)
  const name = device ? `${device.model}, family ${device.family}` : 'Emulated fiscal printer'
  useEffect(() => {
    document.title = `${view.label} · ${name}`
  }, [view, name])
  return (
    <>
      <button type="button" class="skip" onClick={toMain}>
        Skip to the content
      </button>
      <header class="top">
        <div class="who">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          <h1>{device?.model ?? 'Emulated fiscal printer'}</h1>
          <p>{device ? `Family ${device.family} · profile ${device.profile} · ${device.serialNumber}` : ''}</p>
        </div>
        <nav aria-label="Views">
          {VIEWS.filter((one) => one.name !== 'exam' || isExamined).map(({ name: own, label }) => (
            <a key={own} href={`#${own}`} aria-current={own === view.name ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <div class="now">
          <Clock class="clock" />
          <Connection />
        </div>
      </header>
      <div class={`frame view-${view.name}`}>
        <Rail />
        <main id="main" tabIndex={-1}>
          <view.Body />
        </main>
      </div>
      <Message />
    </>
  )
}

function toMain(): void {
  document.getElementById('main')?.focus()
}

const CONNECTIONS = { connecting: 'connecting', live: 'live', lost: 'no connection, trying again' } as const

function Connection() {
  const connection = useStore((state) => state.connection)
  return (
    // The longest of them keeps its room, so that nothing moves when the connection goes.
    <p class={`connection ${connection}`} data-longest={CONNECTIONS.lost}>
      <span role="status">{CONNECTIONS[connection]}</span>
    </p>
  )
}

function Message() {
  const message = useStore((state) => state.message)
  return (
    <div class="message-place">
      <div role="status">{message && !message.isError ? <p class="message">{message.text}</p> : null}</div>
      <div role="alert">
        {message?.isError ? (
          <p class="message error">
            {message.text}
            <button type="button" class="quiet" onClick={() => change({ message: null })}>
              Close
            </button>
          </p>
        ) : null}
      </div>
    </div>
  )
}
