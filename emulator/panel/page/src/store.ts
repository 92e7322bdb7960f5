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
  SessionView,
  ZView,
} from '../../contract.ts'
import { asSentence } from './labels-and-formats.ts'
import type { TriggeredFault } from './parts/timeline-rows.ts'

interface Link {
  readonly to: string
  readonly words: string
}

interface State {
  readonly connection: 'connecting' | 'live' | 'lost'
  /** Time at which the connection was lost, in ms since 1970. */
  readonly lostAt: number
  readonly device: DeviceView | null
  readonly registers: RegistersView | null
  readonly documents: readonly DocumentHead[]
  readonly open: OpenReceiptPaper | null
  readonly frames: readonly FrameView[]
  readonly requests: readonly RequestHead[]
  /** The REST service for the device; `null` until it is read. */
  readonly service: ServiceView | null
  readonly rules: readonly RuleView[]
  readonly triggeredFaults: readonly TriggeredFault[]
  /** Time at which the clock of the device was read, in ms since the page was opened. */
  readonly readAt: number
  readonly zs: readonly ZView[]
  /** True after the device has opened the drawer, until the user closes it. */
  readonly isDrawerOpen: boolean
  /** The recorded session; `null` if none is recorded, `undefined` before it is read. */
  readonly session: SessionView | null | undefined
  /** A sentence about a session that ended because the program was restarted, until another one is started. */
  readonly endedSession: string | null
  readonly exam: ExamView | null
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
  session: undefined,
  endedSession: null,
  exam: null,
  rows: [],
  message: null,
}
const watchers = new Set<() => void>()
let isScheduled = false

export const now = (): State => state

/** Returns the generation of the device; `undefined` until the lists have been read. */
export const deviceRead = ({ device, registers }: State): number | undefined =>
  registers === null ? undefined : device?.generation

/** Watchers are called once per frame of the browser, even after many changes. */
export function change(part: Partial<State>): void {
  state = { ...state, ...part }
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    for (const watcher of watchers) watcher()
  })
}

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

/** Keeps the time of the first loss if the connection is already lost. */
export function lostConnection(): void {
  if (state.connection !== 'lost') change({ connection: 'lost', lostAt: Date.now() })
}

let messageTimer: ReturnType<typeof setTimeout> | undefined
const MESSAGE_MS = 6000

export function say(text: string, isError = false, link?: Link): void {
  clearTimeout(messageTimer)
  change({ message: { text, isError, ...(link && { link }) } })
  // An error remains until the user closes it.
  if (!isError) messageTimer = setTimeout(() => change({ message: null }), MESSAGE_MS)
}

/** Removes the message of an earlier action, if the answer to the next one may appear elsewhere. */
export function clearMessage(): void {
  if (state.message) change({ message: null })
}

export function startAction(work: () => Promise<string | undefined>): void {
  void runAction(work)
}

/** Like `startAction`, but resolves when the action has ended, also after a failure. */
export function runAction(work: () => Promise<string | undefined>): Promise<void> {
  return work().then(
    (text) => {
      if (text !== undefined) say(text)
    },
    (problem: unknown) => say(asSentence(problem instanceof Error ? problem.message : String(problem)), true),
  )
}
