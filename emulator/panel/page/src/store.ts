/** The state of the page: one immutable object, and its watchers. */
import { useEffect, useState } from 'preact/hooks'
import type {
  DeviceView,
  DocumentHead,
  ExamView,
  FleetRow,
  FrameView,
  OpenReceiptPaper,
  RegistersView,
  RequestHead,
  RuleView,
  ServiceView,
  ZView,
} from '../../contract.ts'
import type { TriggeredFault } from './parts/timeline-rows.ts'
import { asSentence } from './words.ts'

/** The link in a message. */
interface Link {
  readonly to: string
  readonly words: string
}

interface State {
  readonly connection: 'connecting' | 'live' | 'lost'
  /** Time at which the connection was lost, in ms of the wall clock. */
  readonly lostAt: number
  readonly device: DeviceView | null
  readonly registers: RegistersView | null
  readonly documents: readonly DocumentHead[]
  readonly open: OpenReceiptPaper | null
  readonly frames: readonly FrameView[]
  /** Requests of the REST service, oldest first. */
  readonly requests: readonly RequestHead[]
  /** The REST service for the device; null: not read yet. */
  readonly service: ServiceView | null
  readonly rules: readonly RuleView[]
  /** Triggered faults, oldest first. */
  readonly triggeredFaults: readonly TriggeredFault[]
  /** Time at which the device's clock was read, in ms of the page. */
  readonly readAt: number
  readonly zs: readonly ZView[]
  /** True after the device has opened the drawer, until it is pushed in. */
  readonly isDrawerOpen: boolean
  /** The exam in which the device takes part; null if there is none. */
  readonly exam: ExamView | null
  /** On the page of many printers: their rows, in the order in which they were named. */
  readonly rows: readonly FleetRow[]
  readonly message: { readonly text: string; readonly isError: boolean; readonly link?: Link } | null
}

let state: State = {
  connection: 'connecting',
  lostAt: 0,
  device: null,
  registers: null,
  documents: [],
  open: null,
  frames: [],
  requests: [],
  service: null,
  rules: [],
  triggeredFaults: [],
  readAt: 0,
  zs: [],
  isDrawerOpen: false,
  exam: null,
  rows: [],
  message: null,
}
const watchers = new Set<() => void>()
let isScheduled = false

export const now = (): State => state

/** Returns the generation of the device; undefined until the lists were read. */
export const deviceRead = ({ device, registers }: State): number | undefined =>
  registers === null ? undefined : device?.generation

/** Changes the state. Watchers are called once per frame of the browser, even for many changes. */
export function change(part: Partial<State>): void {
  state = { ...state, ...part }
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    for (const watcher of watchers) watcher()
  })
}

/** Returns a part of the state, and renders again when it changes. */
export function useStore<T>(pick: (state: State) => T): T {
  const [part, setPart] = useState(() => pick(state))
  useEffect(() => {
    const look = () => setPart(() => pick(state))
    look()
    watchers.add(look)
    return () => {
      watchers.delete(look)
    }
  }, [])
  return part
}

/** Marks the connection as lost; a connection that is lost already keeps its time. */
export function lostConnection(): void {
  if (state.connection !== 'lost') change({ connection: 'lost', lostAt: Date.now() })
}

let messageTimer: ReturnType<typeof setTimeout> | undefined
const MESSAGE_MS = 6000

export function say(text: string, isError = false, link?: Link): void {
  clearTimeout(messageTimer)
  change({ message: { text, isError, ...(link && { link }) } })
  // An error message stays until it is closed.
  if (!isError) messageTimer = setTimeout(() => change({ message: null }), MESSAGE_MS)
}

/** Runs the action of a control, and shows its result. */
export function startAction(work: () => Promise<string | undefined>): void {
  void runAction(work)
}

/** Runs the action of a control, and shows its result; resolves when it has ended, also after a failure. */
export function runAction(work: () => Promise<string | undefined>): Promise<void> {
  return work().then(
    (text) => {
      if (text !== undefined) say(text)
    },
    (problem: unknown) => say(asSentence(problem instanceof Error ? problem.message : String(problem)), true),
  )
}
