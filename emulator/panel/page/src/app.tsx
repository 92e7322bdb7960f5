import { useEffect } from 'preact/hooks'
import { printerName } from './api.ts'
import { Clock } from './parts/clock.tsx'
import { Rail } from './parts/rail.tsx'
import { Connection, Message, toMain } from './parts/status.tsx'
import { useAddress } from './route.ts'
import { useStore } from './store.ts'
import { ComposeView } from './views/compose.tsx'
import { DayView } from './views/day.tsx'
import { DocumentsView } from './views/documents.tsx'
import { ExamView } from './views/exam.tsx'
import { FaultsView } from './views/faults.tsx'
import { PaperView } from './views/paper.tsx'
import { SetupView } from './views/setup.tsx'
import { TimelineView } from './views/timeline.tsx'
import { WireView } from './views/wire.tsx'

/** The shell: who the device is, the views, and beside them what a hand can do to it. */

const VIEWS = [
  { name: 'paper', label: 'Paper', Body: PaperView },
  { name: 'compose', label: 'Compose', Body: ComposeView },
  { name: 'documents', label: 'Documents', Body: DocumentsView },
  { name: 'day', label: 'Day and memory', Body: DayView },
  { name: 'wire', label: 'Wire', Body: WireView },
  { name: 'timeline', label: 'Time line', Body: TimelineView },
  { name: 'faults', label: 'Faults', Body: FaultsView },
  { name: 'setup', label: 'Setup', Body: SetupView },
  { name: 'exam', label: 'Exam', Body: ExamView },
] as const

const viewOf = (view: string) => VIEWS.find(({ name }) => name === view) ?? VIEWS[0]

export function App() {
  const view = viewOf(useAddress().view)
  const device = useStore((state) => state.device)
  const isExamined = useStore((state) => state.exam !== null)
  const composes = useStore((state) => state.registers?.composes === true)
  const isThere = (name: string) => (name === 'exam' ? isExamined : name !== 'compose' || composes)
  const model = device ? `${device.model}, family ${device.family}` : 'Emulated fiscal printer'
  const name = printerName ?? model
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
          <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width="28" height="28" />
          {printerName === undefined ? null : (
            <a class="back" href="/floor">
              All printers
            </a>
          )}
          <h1>{printerName ?? device?.model ?? 'Emulated fiscal printer'}</h1>
          <p>{device ? `Family ${device.family} · profile ${device.profile} · ${device.serialNumber}` : ''}</p>
        </div>
        <nav aria-label="Views">
          {VIEWS.filter((one) => isThere(one.name)).map(({ name: own, label }) => (
            <a key={own} href={`#/${own}`} aria-current={own === view.name ? 'page' : undefined}>
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
