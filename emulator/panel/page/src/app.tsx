import { useEffect, useRef } from 'preact/hooks'
import type { Address } from './address.ts'
import { printerName } from './api.ts'
import { asTyped } from './labels-and-formats.ts'
import { Card } from './parts/basic-components.tsx'
import { Clock } from './parts/clock.tsx'
import { Connection, Message, toMain } from './parts/connection-and-messages.tsx'
import { DocsLink } from './parts/docs-link.tsx'
import { Shortcuts, showShortcuts } from './parts/shortcuts.tsx'
import { Rail } from './parts/side-column.tsx'
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

/** Views whose address may contain the id of an object. */
const WITH_OBJECTS: readonly string[] = ['documents', 'day', 'requests', 'timeline']

const UNKNOWN = { name: 'unknown', label: 'No such view', Body: UnknownView } as const

function viewOf({ view, path }: Address) {
  const found = view === '' ? VIEWS[0] : VIEWS.find(({ name }) => name === view)
  return found && path.length <= (WITH_OBJECTS.includes(found.name) ? 1 : 0) ? found : UNKNOWN
}

function UnknownView() {
  const { view, path } = useAddress()
  return (
    <Card title="No such view">
      <p class="long-name">
        The control panel has no view named {asTyped([view, ...path].join('/'))}. Choose one from the menu, or open{' '}
        <a href="#/paper">Paper</a>.
      </p>
    </Card>
  )
}

/** Shown instead of every other view after an exam, because its devices no longer exist. */
function AfterExam({ label, report }: { readonly label: string; readonly report: string | null }) {
  return (
    <Card title={`${label} is not available here`}>
      <p>
        The exam is over. Its devices no longer exist. Open <a href="#/exam">Exam</a> for the result
        {report === null ? null : (
          <>
            , or <a href={report}>the report</a> for the log of each case
          </>
        )}
        .
      </p>
    </Card>
  )
}

/** Shown for the address of a view that this device does not have now. */
function MissingView({ label, why }: { readonly label: string; readonly why: string }) {
  return (
    <Card title={`${label} is not available here`}>
      <p>
        {why} Choose another view from the menu, or open <a href="#/paper">Paper</a>.
      </p>
    </Card>
  )
}

const DURING_EXAM = 'An exam is running on this device, and no other client may act on it until the exam is over.'
const NO_SERVICE =
  'This control panel does not see the requests of a REST service that is attached to the line of this device: read the log of that service, or record them with its option --record. It lists the requests of a service only if fiscal-rig serve has started this device.'
const NO_COMPOSE = 'This device was started without the part of the program that prints composed receipts.'
const NO_EXAM = 'No exam is running on this device. Start one with fiscal-rig exam --panel-port.'

/** Views that no other client may use during an exam. */
const ACTING: readonly string[] = ['compose', 'requests', 'faults', 'setup']

/** Returns why the device does not have this view now; `undefined` if it has, or if that is not known yet. */
function useMissingViews(): (name: string) => string | undefined {
  const exam = useStore((state) => state.exam)
  const registers = useStore((state) => state.registers)
  const service = useStore((state) => state.service)
  return (name) => {
    if (exam !== null && ACTING.includes(name)) return DURING_EXAM
    if (registers === null) return undefined
    if (name === 'exam' && exam === null) return NO_EXAM
    if (name === 'compose' && !registers.composes) return NO_COMPOSE
    return name === 'requests' && !service?.hasRequests ? NO_SERVICE : undefined
  }
}

/** Returns whether the menu contains a view. */
function useMenu(): (name: string) => boolean {
  const exam = useStore((state) => state.exam)
  const composes = useStore((state) => state.registers?.composes === true)
  const hasRequests = useStore((state) => state.service?.hasRequests === true)
  return (name) => {
    if (exam?.ended) return name === 'exam'
    if (exam !== null) return !ACTING.includes(name)
    return { exam: false, compose: composes, requests: hasRequests }[name] ?? true
  }
}

function Content({ view }: { readonly view: ReturnType<typeof viewOf> }) {
  const ended = useStore((state) => state.exam?.ended)
  const why = useMissingViews()(view.name)
  if (ended && view.name !== 'exam' && view !== UNKNOWN) return <AfterExam label={view.label} report={ended.report} />
  return why === undefined ? <view.Body /> : <MissingView label={view.label} why={why} />
}

export function App() {
  const view = viewOf(useAddress())
  const device = useStore((state) => state.device)
  const isOver = useStore((state) => (state.exam?.ended ?? null) !== null)
  const isLost = useStore((state) => state.connection === 'lost')
  const isThere = useMenu()
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
      <div class={`frame view-${view.name}${isLost ? ' stale' : ''}${isOver ? ' no-rail' : ''}`}>
        {isOver ? null : <Rail />}
        {/* Views without controls need a tab stop, so that the keyboard can scroll them. */}
        <main id="main" tabIndex={SCROLLING.includes(view.name) ? 0 : -1}>
          <Content view={view} />
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
