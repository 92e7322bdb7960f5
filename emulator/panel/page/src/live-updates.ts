/** Keeps the page of a device current: reads all lists after each connection, then receives events. */
import { isOnItsWay } from '../../../faults/effects.ts'
import { FRAME_HISTORY_SIZE } from '../../../frame-history.ts'
import type {
  DeviceView,
  DocumentHead,
  DocumentView,
  EventData,
  EventName,
  ExamView,
  FrameView,
  RequestHead,
  TimelineEntryView,
} from '../../contract.ts'
import { faultLink } from './address.ts'
import { call, eventsPath } from './api.ts'
import { backend } from './backend.ts'
import { dateAndTime } from './labels-and-formats.ts'
import { waiting as waitingWords } from './parts/fault-triggers.tsx'
import type { TriggeredFault } from './parts/timeline-rows.ts'
import { change, lostConnection, now, say } from './store.ts'

/** Minimum interval in ms of requests that follow events. */
const FOLLOW_MS = 60
const FRAMES_MS = 40

/** Events that arrived while the lists were read, to be applied afterwards; `null` at other times. */
let waiting: (() => void)[] | null = null
let generation = 0

const runs: string[] = []
const GENERATIONS = 1_000_000_000

/**
 * A restarted emulator counts generations from the start. Returns the device with a generation that is unique over all
 * runs.
 */
function acrossRuns(device: DeviceView): DeviceView {
  if (!runs.includes(device.run)) runs.push(device.run)
  return { ...device, generation: runs.indexOf(device.run) * GENERATIONS + device.generation }
}

type Listeners = { readonly [Name in EventName]: (data: EventData<Name>) => void }

const LISTENERS: Listeners = {
  state: takeState,
  document: takeDocument,
  frame: takeFrame,
  request: takeRequest,
  fault() {
    strikesFollow()
    rulesFollow()
  },
  display({ lines }) {
    const { device } = now()
    if (device) change({ device: { ...device, display: lines } })
  },
  line: () => paperFollows(),
  drawer: () => change({ isDrawerOpen: true }),
  exam: (exam) => change({ exam }),
}

/**
 * Delays events that arrive while the lists are read. A state is also shown immediately, except before the first
 * reading: during an exam, the page must not offer controls.
 */
function inTurn<Name extends EventName>(name: Name): (data: unknown) => void {
  const take = LISTENERS[name] as (data: unknown) => void
  return (data) => {
    waiting?.push(() => take(data))
    if (!waiting || (name === 'state' && generation !== 0 && isOfRun(data as DeviceView))) take(data)
  }
}

/**
 * The lists of a run remain on the page until those of a new run have been read. Returns whether a state belongs to the
 * run on the page.
 */
const isOfRun = ({ run }: DeviceView): boolean => run === now().device?.run

export function connect(): void {
  const names = Object.keys(LISTENERS) as EventName[]
  backend.listen(eventsPath, {
    opened: () => void readAll(),
    onLost: lostConnection,
    events: Object.fromEntries(names.map((name) => [name, inTurn(name)])),
  })
}

async function readAll(): Promise<void> {
  if (waiting) return
  waiting = []
  try {
    const [read, newest, frames, rules, triggeredFaults, zs, open, registers, exam, requests, service, session] =
      await Promise.all([
        call('GET /emulator'),
        headsBefore(NEWEST),
        call('GET /emulator/frames'),
        call('GET /emulator/faults'),
        strikesAfter(0),
        call('GET /emulator/z-reports'),
        call('GET /emulator/receipt'),
        call('GET /emulator/registers'),
        call('GET /emulator/exam'),
        call('GET /emulator/requests'),
        call('GET /emulator/service'),
        call('GET /emulator/session'),
      ])
    const device = acrossRuns(read)
    const isAnother = now().device !== null && device.generation !== generation
    const ended = endedSessionOf(device.run, exam)
    const documents = [...olderDocuments(device.generation, newest), ...withRun(newest, { exam, device })]
    generation = device.generation
    // The lists contain the pending events, unless those are of another run.
    pendingFrames = []
    pendingRequests = []
    change({
      ...(isAnother && { isDrawerOpen: false }),
      connection: 'live',
      device,
      readAt: performance.now(),
      documents,
      frames,
      rules,
      triggeredFaults,
      zs: withRun(zs, { exam, device }),
      open,
      registers,
      exam,
      requests,
      service,
      session,
      ...(ended !== undefined && { endedSession: ended }),
    })
    if (ended !== undefined) say(ended)
    void readOlder(device.generation, documents[0]?.id)
  } catch {
    // The devices of an exam have ended with it, and the page shows the result. The event with the result may still be
    // delayed.
    const exam = await call('GET /emulator/exam').catch(() => null)
    if (exam?.ended) change({ connection: 'live', exam })
    else lostConnection()
  } finally {
    const late = waiting ?? []
    waiting = null
    for (const take of late) take()
  }
}

/**
 * Returns a sentence about the session that another run of the program has recorded; `undefined` if there was none, or
 * if nothing happened in it. The devices of an exam are replaced with each case.
 */
function endedSessionOf(run: string, exam: ExamView | null): string | undefined {
  const { device, session, frames, requests } = now()
  if (!device || !session || device.run === run || exam !== null) return undefined
  if (session.steps === 0 && frames.length === 0 && requests.length === 0) return undefined
  return `The program was restarted: the session since ${dateAndTime(session.since)} has ended and can no longer be saved.`
}

/** Adds the run of the device during an exam, for the addresses of its documents. */
function withRun<Printed extends { readonly at: string }>(
  all: readonly Printed[],
  { exam, device }: Pick<ReturnType<typeof now>, 'exam' | 'device'> = now(),
): readonly (Printed & { readonly examRun?: string })[] {
  return exam === null || device === null ? all : all.map((one) => ({ ...one, examRun: device.run }))
}

/** Document heads per request, so that the newest ones of a long day are shown before all are read. */
const PAGE = 1000
const NEWEST = 999_999_999_999_999
const headsBefore = (before: number) =>
  call('GET /emulator/documents', { query: { content: 'none', before, limit: PAGE } })

/** Returns the documents that were read before the connection was lost, if the newest documents continue them. */
function olderDocuments(startGeneration: number, newest: readonly DocumentHead[]): readonly DocumentHead[] {
  const [first] = newest
  if (!first || startGeneration !== generation) return []
  const older = now().documents.filter(({ id }) => id < first.id)
  return older.at(-1)?.id === first.id - 1 ? older : []
}

async function readOlder(startGeneration: number, first = 1): Promise<void> {
  let before = first
  while (before > 1) {
    const older = await headsBefore(before).catch(() => [])
    const { documents } = now()
    const joins = generation === startGeneration && documents[0]?.id === before
    if (!joins || older.length === 0) return
    change({ documents: [...withRun(older), ...documents] })
    before = older[0]?.id ?? 1
  }
}

function takeState(own: DeviceView): void {
  const device = acrossRuns(own)
  if (generation !== 0 && device.generation !== generation) {
    void readAll()
    return
  }
  const readAt = performance.now()
  change({ device, readAt, connection: 'live' })
  if (device.receipt || now().open) paperFollows()
}

function takeDocument({ text: _text, ...head }: DocumentView): void {
  const { documents } = now()
  if (head.id <= (documents.at(-1)?.id ?? 0)) return
  change({ documents: [...documents, ...withRun([head])], open: null })
  if (head.kind === 'z') zsFollow()
  paperFollows()
}

function takeFrame(frame: FrameView): void {
  const { frames } = now()
  if (frame.id <= (frames.at(-1)?.id ?? 0)) return
  pendingFrames.push(frame)
  if (pendingFrames.length === 1) setTimeout(addFrames, FRAMES_MS)
}

let pendingFrames: FrameView[] = []
/** Frames are added in groups, because hundreds may arrive in a short time. */
function addFrames(): void {
  const last = now().frames.at(-1)?.id ?? 0
  const fresh = pendingFrames.filter(({ id }) => id > last)
  pendingFrames = []
  change({ frames: [...now().frames, ...fresh].slice(-FRAME_HISTORY_SIZE) })
  if (firstUnmet() !== undefined) strikesFollow()
}

/** A request arrives a second time if its turn on the device ends after its response. */
function takeRequest(head: RequestHead): void {
  pendingRequests.push(head)
  if (pendingRequests.length === 1) setTimeout(addRequests, FRAMES_MS)
}

const REQUESTS_KEPT = 1000
let pendingRequests: RequestHead[] = []
function addRequests(): void {
  const { requests } = now()
  const changed = new Map(pendingRequests.map((head) => [head.id, head]))
  pendingRequests = []
  const last = requests.at(-1)?.id ?? 0
  const current = requests.map((head) => changed.get(head.id) ?? head)
  const fresh = [...changed.values()].filter(({ id }) => id > last)
  change({ requests: [...current, ...fresh].slice(-REQUESTS_KEPT) })
}

/** Combines calls in quick succession. The last call is never dropped. */
function following(work: () => Promise<void>): () => void {
  let isDue = false
  let running = false
  let isRefreshNeeded = false
  const run = async () => {
    isDue = false
    running = true
    await work().catch(() => undefined)
    running = false
    if (!isRefreshNeeded) return
    isRefreshNeeded = false
    ask()
  }
  const ask = () => {
    if (running) isRefreshNeeded = true
    else if (!isDue) {
      isDue = true
      setTimeout(() => void run(), FOLLOW_MS)
    }
  }
  return ask
}

const isStrike = (moment: TimelineEntryView): moment is TriggeredFault => moment.is === 'fault'
const strikesAfter = async (after: number): Promise<readonly TriggeredFault[]> =>
  (await call('GET /emulator/timeline', { query: { after, is: 'fault' } })).filter(isStrike)
const firstUnmet = (): TriggeredFault | undefined =>
  now().triggeredFaults.find((fault) => fault.frame === undefined && isOnItsWay(fault))
const strikesFollow = following(async () => {
  const { triggeredFaults: faults } = now()
  const after = (firstUnmet()?.id ?? (faults.at(-1)?.id ?? 0) + 1) - 1
  const startGeneration = generation
  const fresh = await strikesAfter(after)
  if (generation !== startGeneration) return
  change({ triggeredFaults: [...faults.filter(({ id }) => id <= after), ...fresh].slice(-FRAME_HISTORY_SIZE) })
  const triggered = fresh.find(({ rule }) => isNews(rule, faults))
  if (triggered) {
    say(`Rule ${triggered.rule} was triggered.`, false, {
      to: faultLink(triggered, now().device?.run),
      words: 'Details',
    })
  }
})
/**
 * Returns whether to announce that a rule was triggered: at its first fault, in every tab. An error message remains, and
 * the faults of an exam are not announced.
 */
function isNews(rule: number | undefined, faults: readonly TriggeredFault[]): boolean {
  const { message, exam } = now()
  if (message?.text === waitingWords(rule)) return true
  return rule !== undefined && exam === null && message?.isError !== true && !faults.some((one) => one.rule === rule)
}

const paperFollows = following(async () => {
  const open = await call('GET /emulator/receipt')
  change({ open })
})
const zsFollow = following(async () => change({ zs: withRun(await call('GET /emulator/z-reports')) }))
export const rulesFollow = following(async () => change({ rules: await call('GET /emulator/faults') }))
