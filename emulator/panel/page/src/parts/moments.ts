import type { FrameView, TimelineEntryView } from '../../../contract.ts'

/** The time line: what happened, one row for each cause, with all that came of it. */

type Of<Is extends TimelineEntryView['is']> = Extract<TimelineEntryView, { readonly is: Is }>
/** A rule has struck: when, where, what, and the frame that it was about. */
export type TriggeredFault = Of<'fault'>

export const LANES = ['requests', 'wire', 'paper', 'display', 'hands', 'faults'] as const
export type Lane = (typeof LANES)[number]

export interface TimeRow {
  /** Ids of the first and of the last moment: the device is looked at as it was after the last. */
  readonly first: number
  readonly last: number
  /** UTC. */
  readonly at: string
  /** Ids of frames; absent: it did not come over the wire. */
  readonly ask?: number
  readonly answers: readonly number[]
  readonly lines: readonly Of<'line'>[]
  readonly documents: readonly Of<'document'>[]
  readonly display?: readonly string[]
  readonly hands: readonly string[]
  readonly faults: readonly TriggeredFault[]
  /** A request of the REST service that has ended. */
  readonly request?: Of<'request'>
}

interface Growing {
  first: number
  last: number
  at: string
  ask?: number
  answers: number[]
  lines: Of<'line'>[]
  documents: Of<'document'>[]
  display?: readonly string[]
  hands: string[]
  faults: TriggeredFault[]
  request?: Of<'request'>
  /** `printed`: a document is finished, and a hand may yet say that it has done it. `done`: what follows is something else. */
  state: 'going' | 'printed' | 'done'
}

const begun = ({ id, at }: TimelineEntryView): Growing => ({
  ...{ first: id, last: id, at },
  ...{ answers: [], lines: [], documents: [], hands: [], faults: [], state: 'going' as const },
})

/** Moments stand oldest first. */
export function timeRows(moments: readonly TimelineEntryView[]): readonly TimeRow[] {
  const rows: Growing[] = []
  const byFrame = new Map<number, Growing>()
  let question: Growing | undefined
  let standing: Of<'state'> | undefined
  /** Of the frame that it came by; what came by none goes to what has just happened at the device itself. */
  const rowOf = (moment: TimelineEntryView): Growing => {
    const known = moment.frame === undefined ? undefined : byFrame.get(moment.frame)
    if (known) return known
    // What becomes of an answer on its way belongs to its question.
    if (moment.is === 'fault' && moment.point === 'link.toHost' && question) return question
    const before = rows.at(-1)
    const isOfHand = before && before.ask === undefined && before.answers.length === 0 && !before.request
    const isOpen = before?.state === 'going' || (before?.state === 'printed' && moment.is === 'hand')
    if (moment.frame === undefined && isOfHand && isOpen && isSoon(before.at, moment.at)) return before
    const row = begun(moment)
    rows.push(row)
    if (moment.frame !== undefined) byFrame.set(moment.frame, row)
    return row
  }
  for (const moment of moments) {
    if (moment.is === 'frame') {
      if (moment.direction === 'toHost' && question) {
        question.answers.push(moment.frame ?? 0)
        question.last = Math.max(question.last, moment.id)
        byFrame.set(moment.frame ?? 0, question)
        continue
      }
      // What struck a question on its way has been told already.
      const met = byFrame.get(moment.frame ?? 0)
      const row = met ?? begun(moment)
      row.last = moment.id
      if (moment.direction === 'toDevice') {
        question = row
        row.ask = moment.frame ?? 0
      } else row.answers.push(moment.frame ?? 0)
      byFrame.set(moment.frame ?? 0, row)
      if (!met) rows.push(row)
      continue
    }
    if (moment.is === 'request') {
      rows.push({ ...begun(moment), request: moment, state: 'done' })
      continue
    }
    const isAnotherStand = moment.is !== 'state' || !standing || handsIn(standing, moment).length > 0
    // A receipt that grows is seen on the paper; it is no row of its own.
    if (!isAnotherStand && moment.frame === undefined) {
      standing = moment
      continue
    }
    const row = rowOf(moment)
    row.last = Math.max(row.last, moment.id)
    switch (moment.is) {
      case 'line':
        row.lines.push(moment)
        break
      case 'document':
        row.documents.push(moment)
        row.state = 'printed'
        break
      case 'display':
        row.display = moment.lines
        break
      case 'fault':
        row.faults.push(moment)
        break
      case 'state':
        row.hands.push(...(standing ? handsIn(standing, moment) : []))
        standing = moment
        break
      case 'hand': {
        const words = callWords(moment) ?? (isBare(row) ? asBefore(moment) : undefined)
        if (words !== undefined) row.hands.push(words)
        row.state = 'done'
      }
    }
  }
  return rows
}

/** What a hand does is told when it is done: what came of it stands just before. */
const SOON_MS = 2000
const isSoon = (before: string, after: string): boolean => Date.parse(after) - Date.parse(before) <= SOON_MS

const HANDS = {
  paper: (state: unknown) => (state === 'ok' ? 'paper loaded' : state === 'low' ? 'paper nearly out' : 'paper out'),
  cover: (isOpen: unknown) => (isOpen ? 'cover opened' : 'cover closed'),
  power: (isOn: unknown) => (isOn ? 'switched on' : 'switched off'),
  cable: (isIn: unknown) => (isIn ? 'plugged in' : 'cable pulled out'),
}
const HAND_NAMES = Object.keys(HANDS) as (keyof typeof HANDS)[]

const handsIn = (before: Of<'state'>, after: Of<'state'>): string[] =>
  HAND_NAMES.flatMap((name) => (before[name] === after[name] ? [] : [HANDS[name](after[name])]))

const isBare = ({ hands, lines, documents, faults }: Growing): boolean =>
  hands.length + lines.length + documents.length + faults.length === 0

/** Of a hand that has changed nothing. */
function asBefore({ call, body }: Of<'hand'>): string {
  const name = HAND_NAMES.find((one) => call === `POST /emulator/${one}`)
  const [value] = Object.values(body ?? {})
  return name === undefined ? call : `${HANDS[name](value)} (as before)`
}

/** Of those that the states tell already nothing. */
const CALLS: Readonly<Record<string, string>> = {
  'POST /emulator/session': 'a session begins',
  'POST /emulator/clock': 'clock set',
  'POST /emulator/articles': 'articles programmed',
  'POST /emulator/display': 'customer display',
  'POST /emulator/room': 'room of memory or journal',
  'POST /emulator/fiscalised': 'fiscalised, or not',
  'POST /emulator/reset': 'reset',
  'PUT /emulator/snapshot': 'another state loaded',
  'POST /emulator/sample': 'sample receipt',
  'POST /emulator/receipts': 'receipt put together here',
  'POST /emulator/receipt': 'receipt ended here',
  'POST /emulator/documents/{id}/again': 'printed again',
  'POST /emulator/requests/{id}/again': 'request sent again',
  'POST /emulator/mechanism': 'speed of the mechanism',
  'POST /emulator/faults': 'fault rule added',
  'DELETE /emulator/faults': 'fault rules cleared',
  'DELETE /emulator/faults/{id}': 'fault rule cleared',
}
const callWords = ({ call }: Of<'hand'>): string | undefined => CALLS[call]

export const lanesOf = (row: TimeRow): readonly Lane[] => [
  ...(row.request ? (['requests'] as const) : []),
  ...(row.ask !== undefined || row.answers.length > 0 ? (['wire'] as const) : []),
  ...(row.lines.length > 0 || row.documents.length > 0 ? (['paper'] as const) : []),
  ...(row.display ? (['display'] as const) : []),
  ...(row.hands.length > 0 ? (['hands'] as const) : []),
  ...(row.faults.length > 0 ? (['faults'] as const) : []),
]

/** The device as it was after a moment; undefined: nothing of it is known so far back. */
interface Past {
  readonly display: readonly string[] | undefined
  readonly state: Of<'state'> | undefined
  /** The paper that was printed last: its document, and so many lines of it. */
  readonly paper: { readonly number: number; readonly lines: number } | undefined
}

export function pastAt(moments: readonly TimelineEntryView[], id: number): Past {
  const until = (is: TimelineEntryView['is']) => moments.findLast((moment) => moment.is === is && moment.id <= id)
  const [line, display, state] = [until('line'), until('display'), until('state')]
  return {
    display: display?.is === 'display' ? display.lines : undefined,
    state: state?.is === 'state' ? state : undefined,
    paper: line?.is === 'line' ? { number: line.document, lines: line.line } : undefined,
  }
}

/** Lines of a document by the frame that they came by: `5`, `5 to 7`. */
export function linesByFrame(moments: readonly TimelineEntryView[]): ReadonlyMap<number, readonly Of<'line'>[]> {
  return Map.groupBy(
    moments.flatMap((moment) => (moment.is === 'line' ? [moment] : [])),
    ({ frame = 0 }) => frame,
  )
}

export function lineNumbers(lines: readonly Pick<Of<'line'>, 'line'>[]): string {
  const [first, last] = [lines[0]?.line, lines.at(-1)?.line]
  if (first === undefined || last === undefined) return ''
  return first === last ? `line ${first}` : `lines ${first} to ${last}`
}

/** By their ids. */
export const framesById = (frames: readonly FrameView[]): ReadonlyMap<number, FrameView> =>
  new Map(frames.map((frame) => [frame.id, frame]))
