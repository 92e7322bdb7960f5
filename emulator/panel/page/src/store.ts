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
import type { TriggeredFault } from './parts/moments.ts'
import { asSentence } from './words.ts'

/** Where a message leads to. */
interface Link {
  readonly to: string
  readonly words: string
}

/** What the page knows of the device; one object that is replaced, and those who want to see it. */

interface State {
  readonly connection: 'connecting' | 'live' | 'lost'
  /** When the connection was lost: milliseconds of the wall clock. */
  readonly lostAt: number
  readonly device: DeviceView | null
  readonly registers: RegistersView | null
  readonly documents: readonly DocumentHead[]
  readonly open: OpenReceiptPaper | null
  readonly frames: readonly FrameView[]
  /** Requests of the REST service, oldest first. */
  readonly requests: readonly RequestHead[]
  /** The REST service over the device; null: not read yet. */
  readonly service: ServiceView | null
  readonly rules: readonly RuleView[]
  /** What rules have struck, oldest first. */
  readonly strikes: readonly TriggeredFault[]
  /** When the device's clock was read: milliseconds of the page. */
  readonly readAt: number
  readonly zs: readonly ZView[]
  /** The device has opened the drawer, and nobody has pushed it in. */
  readonly isDrawerOpen: boolean
  /** The exam that the device takes part in; null: it does in none. */
  readonly exam: ExamView | null
  /** On the page of many printers: how each stands, in the order in which they were named. */
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
  strikes: [],
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

/** Which device all of it is about; undefined until the lists have been read. */
export const deviceRead = ({ device, registers }: State): number | undefined =>
  registers === null ? undefined : device?.generation

/** Those who watch are told once per picture that the browser draws, however much changes. */
export function change(part: Partial<State>): void {
  state = { ...state, ...part }
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    for (const watcher of watchers) watcher()
  })
}

/** Draws again when the part that `pick` gives has become another one. */
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

/** Since when is kept: a connection that is lost already is lost since then. */
export function lostConnection(): void {
  if (state.connection !== 'lost') change({ connection: 'lost', lostAt: Date.now() })
}

let messageTimer: ReturnType<typeof setTimeout> | undefined
const MESSAGE_MS = 6000

export function say(text: string, isError = false, link?: Link): void {
  clearTimeout(messageTimer)
  change({ message: { text, isError, ...(link && { link }) } })
  // A mistake stays until it is read and closed.
  if (!isError) messageTimer = setTimeout(() => change({ message: null }), MESSAGE_MS)
}

/** Runs what a control does; what comes of it is said. */
export function act(work: () => Promise<string | undefined>): void {
  void acted(work)
}

/** The same; resolves when it is over, however it ended. */
export function acted(work: () => Promise<string | undefined>): Promise<void> {
  return work().then(
    (text) => {
      if (text !== undefined) say(text)
    },
    (problem: unknown) => say(asSentence(problem instanceof Error ? problem.message : String(problem)), true),
  )
}
