import { useEffect, useRef } from 'preact/hooks'
import { printerName } from './api.ts'
import { Clock } from './parts/clock.tsx'
import { DocsLink } from './parts/docs-link.tsx'
import { Shortcuts, showShortcuts } from './parts/shortcuts.tsx'
import { Rail } from './parts/side-column.tsx'
import { Card } from './parts/small.tsx'
import { Connection, Message, toMain } from './parts/status.tsx'
import { useAddress } from './route.ts'
import { change, now, useStore } from './store.ts'
import { ComposeView } from './views/compose.tsx'
import { DayView } from './views/day.tsx'
import { DocumentsView } from './views/documents.tsx'
import { ExamView } from './views/exam.tsx'
import { FaultsView } from './views/faults.tsx'
import { PaperView } from './views/paper.tsx'
import { RequestsView } from './views/requests.tsx'
import { SetupView } from './views/setup.tsx'
import { TimelineView } from './views/timeline.tsx'
import { WireView } from './views/wire.tsx'

const VIEWS = [
  { name: 'paper', label: 'Paper', Body: PaperView },
  { name: 'compose', label: 'Compose', Body: ComposeView },
  { name: 'documents', label: 'Documents', Body: DocumentsView },
  { name: 'day', label: 'Day and memory', Body: DayView },
  { name: 'requests', label: 'Requests', Body: RequestsView },
  { name: 'wire', label: 'Wire', Body: WireView },
  { name: 'timeline', label: 'Timeline', Body: TimelineView },
  { name: 'faults', label: 'Faults', Body: FaultsView },
  { name: 'setup', label: 'Setup', Body: SetupView },
  { name: 'exam', label: 'Exam', Body: ExamView },
] as const

const SCROLLING: readonly string[] = ['compose', 'day', 'faults', 'setup', 'exam']

const UNKNOWN = { name: 'unknown', label: 'No such view', Body: UnknownView } as const

const viewOf = (view: string) => (view === '' ? VIEWS[0] : (VIEWS.find(({ name }) => name === view) ?? UNKNOWN))

function UnknownView() {
  const { view } = useAddress()
  return (
    <Card title="No such view">
      <p class="long-name">
        The control panel has no view named {view.slice(0, 60)}. Choose one from the menu, or open{' '}
        <a href="#/paper">Paper</a>.
      </p>
    </Card>
  )
}

export function App() {
  const view = viewOf(useAddress().view)
  const device = useStore((state) => state.device)
  const isExamined = useStore((state) => state.exam !== null)
  const composes = useStore((state) => state.registers?.composes === true)
  const hasRequests = useStore((state) => state.service?.hasRequests === true)
  const isLost = useStore((state) => state.connection === 'lost')
  const isThere = (name: string) => {
    // During an exam, no other client may act on the device.
    if (isExamined) return !['compose', 'requests', 'faults', 'setup'].includes(name)
    return { exam: false, compose: composes, requests: hasRequests }[name] ?? true
  }
  const model = device ? `${device.model}, family ${device.family}` : 'Emulated fiscal printer'
  const name = printerName ?? model
  useEffect(() => {
    document.title = `${view.label} · ${name}`
  }, [view, name])
  // A refusal in the previous view says nothing about the current view.
  useEffect(() => {
    if (now().message?.isError) change({ message: null })
  }, [view.name])
  return (
    <>
      <button type="button" class="skip" onClick={toMain}>
        Skip to the content
      </button>
      <header class="top">
        <div class="who">
          <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width="24" height="24" />
          {printerName === undefined ? null : (
            <a class="back" href="/floor">
              All printers
            </a>
          )}
          <h1>{printerName ?? device?.model ?? 'Emulated fiscal printer'}</h1>
          {device ? (
            <p class="kind-of">
              <span class="word">Family </span>
              <b>{device.family}</b> · {device.profile}
            </p>
          ) : null}
          {device ? <p class="serial">{device.serialNumber}</p> : null}
        </div>
        <div class="now">
          <DocsLink />
          <button type="button" class="quiet help" onClick={showShortcuts} aria-label="Keyboard shortcuts">
            ?
          </button>
          <Clock class="clock" />
          <Connection />
        </div>
        <Views current={view.name} isThere={isThere} />
      </header>
      <div class={`frame view-${view.name}${isLost ? ' stale' : ''}`}>
        <Rail />
        {/* Views without controls need a tab stop, so that the keyboard can scroll them. */}
        <main id="main" tabIndex={SCROLLING.includes(view.name) ? 0 : -1}>
          <view.Body />
        </main>
      </div>
      <Shortcuts />
      <Message />
    </>
  )
}

/** On a phone, the links are one line, which scrolls sideways to the current view. */
function Views({ current, isThere }: { readonly current: string; readonly isThere: (name: string) => boolean }) {
  const nav = useRef<HTMLElement>(null)
  const visibleViews = VIEWS.filter(({ name }) => isThere(name))
  useEffect(() => {
    const { current: line } = nav
    const link = line?.querySelector<HTMLElement>('[aria-current]')
    if (line && link) line.scrollLeft = link.offsetLeft - (line.clientWidth - link.offsetWidth) / 2
  }, [current, visibleViews.length])
  return (
    <nav aria-label="Views" ref={nav}>
      {visibleViews.map(({ name, label }) => (
        <a key={name} href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  )
}
