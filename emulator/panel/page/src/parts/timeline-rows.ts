import type { FrameView, TimelineEntryView } from '../../../contract.ts'

type EntryOf<Is extends TimelineEntryView['is']> = Extract<TimelineEntryView, { readonly is: Is }>
export type TriggeredFault = EntryOf<'fault'>

export const LANES = ['requests', 'wire', 'paper', 'display', 'hands', 'faults'] as const
export type Lane = (typeof LANES)[number]

export interface TimeRow {
  /** Ids of the first and the last timeline entry. A selected row shows the state after the last entry. */
  readonly first: number
  readonly last: number
  /** UTC. */
  readonly at: string
  /** Id of the request frame; absent if no frame caused the row. */
  readonly ask?: number
  readonly answers: readonly number[]
  /**
   * True if a frame caused the row, even if the frame is no longer stored. False for an action at the device or a
   * request.
   */
  readonly isOfFrame: boolean
  readonly lines: readonly EntryOf<'line'>[]
  readonly documents: readonly EntryOf<'document'>[]
  readonly display?: readonly string[]
  readonly actions: readonly string[]
  readonly faults: readonly TriggeredFault[]
  readonly request?: EntryOf<'request'>
}

interface OpenSection {
  first: number
  last: number
  at: string
  ask?: number
  answers: number[]
  isOfFrame: boolean
  lines: EntryOf<'line'>[]
  documents: EntryOf<'document'>[]
  display?: readonly string[]
  actions: string[]
  faults: TriggeredFault[]
  request?: EntryOf<'request'>
  /**
   * `printed` after a document, to which a manual action may still belong; `done` if later entries belong to other
   * rows.
   */
  state: 'going' | 'printed' | 'done'
}

const startOf = ({ id, at, frame }: TimelineEntryView): OpenSection => ({
  ...{ first: id, last: id, at, isOfFrame: frame !== undefined },
  ...{ answers: [], lines: [], documents: [], actions: [], faults: [], state: 'going' as const },
})

/** Groups timeline entries into rows. `moments` must be sorted, oldest first. */
export function timeRows(moments: readonly TimelineEntryView[]): readonly TimeRow[] {
  const rows: OpenSection[] = []
  const byFrame = new Map<number, OpenSection>()
  let question: OpenSection | undefined
  let lastState: EntryOf<'state'> | undefined
  /** Returns the row of the entry's frame, or the row of the last action at the device. */
  const rowOf = (moment: TimelineEntryView): OpenSection => {
    const knownFrame = moment.frame === undefined ? undefined : byFrame.get(moment.frame)
    if (knownFrame) return knownFrame
    // A fault of a response in transit belongs to the row of the request.
    if (moment.is === 'fault' && moment.point === 'link.toHost' && question) return question
    const before = rows.at(-1)
    const isOfAction = before && !before.isOfFrame && !before.request
    const isOpen = before?.state === 'going' || (before?.state === 'printed' && moment.is === 'hand')
    if (moment.frame === undefined && isOfAction && isOpen && isSoon(before.at, moment.at)) return before
    const row = startOf(moment)
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
      // A fault may have started the row of this frame.
      const met = byFrame.get(moment.frame ?? 0)
      const row = met ?? startOf(moment)
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
      rows.push({ ...startOf(moment), request: moment, state: 'done' })
      continue
    }
    const isAnotherStand = moment.is !== 'state' || !lastState || actionsBetween(lastState, moment).length > 0
    // A growing receipt has no row, because the paper shows it.
    if (!isAnotherStand && moment.frame === undefined) {
      lastState = moment
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
        row.actions.push(...(lastState ? actionsBetween(lastState, moment) : []))
        lastState = moment
        break
      case 'hand': {
        const words = callWords(moment) ?? (isBare(row) ? asBefore(moment) : undefined)
        if (words !== undefined) row.actions.push(words)
        row.state = 'done'
      }
    }
  }
  return rows
}

/**
 * A manual action is reported after its consequences: entries within this time in ms before the action belong to it.
 */
const SOON_MS = 2000
const isSoon = (before: string, after: string): boolean => Date.parse(after) - Date.parse(before) <= SOON_MS

const CONTROL_LABELS = {
  paper: (state: unknown) => (state === 'ok' ? 'paper loaded' : state === 'low' ? 'paper nearly out' : 'paper out'),
  cover: (isOpen: unknown) => (isOpen ? 'cover opened' : 'cover closed'),
  power: (isOn: unknown) => (isOn ? 'switched on' : 'switched off'),
  cable: (isIn: unknown) => (isIn ? 'plugged in' : 'cable pulled out'),
}
const CONTROL_NAMES = Object.keys(CONTROL_LABELS) as (keyof typeof CONTROL_LABELS)[]

const actionsBetween = (before: EntryOf<'state'>, after: EntryOf<'state'>): string[] =>
  CONTROL_NAMES.flatMap((name) => (before[name] === after[name] ? [] : [CONTROL_LABELS[name](after[name])]))

const isBare = ({ actions, lines, documents, faults }: OpenSection): boolean =>
  actions.length + lines.length + documents.length + faults.length === 0

function asBefore({ call, body }: EntryOf<'hand'>): string {
  const name = CONTROL_NAMES.find((one) => call === `POST /emulator/${one}`)
  const [value] = Object.values(body ?? {})
  return name === undefined ? call : `${CONTROL_LABELS[name](value)} (as before)`
}

/** Descriptions of calls, except those whose effect the state entries show. */
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
  'POST /emulator/receipts': 'receipt printed from Compose',
  'POST /emulator/receipt': 'end of the receipt',
  'POST /emulator/documents/{id}/again': 'printed again',
  'POST /emulator/requests/{id}/again': 'request sent again',
  'POST /emulator/mechanism': 'speed of the mechanism',
  'POST /emulator/faults': 'fault rule added',
  'DELETE /emulator/faults': 'fault rules cleared',
  'DELETE /emulator/faults/{id}': 'fault rule cleared',
}
const callWords = ({ call }: EntryOf<'hand'>): string | undefined => CALLS[call]

export const lanesOf = (row: TimeRow): readonly Lane[] => [
  ...(row.request ? (['requests'] as const) : []),
  ...(row.ask !== undefined || row.answers.length > 0 ? (['wire'] as const) : []),
  ...(row.lines.length > 0 || row.documents.length > 0 ? (['paper'] as const) : []),
  ...(row.display ? (['display'] as const) : []),
  ...(row.actions.length > 0 ? (['hands'] as const) : []),
  ...(row.faults.length > 0 ? (['faults'] as const) : []),
]

/** The device after a timeline entry. A member is `undefined` if no earlier entry is stored. */
interface DeviceBefore {
  readonly display: readonly string[] | undefined
  readonly state: EntryOf<'state'> | undefined
  /** Document and number of lines that were printed last. */
  readonly paper: { readonly number: number; readonly lines: number } | undefined
}

export function pastAt(moments: readonly TimelineEntryView[], id: number): DeviceBefore {
  const until = (is: TimelineEntryView['is']) => moments.findLast((moment) => moment.is === is && moment.id <= id)
  const [line, display, state] = [until('line'), until('display'), until('state')]
  return {
    display: display?.is === 'display' ? display.lines : undefined,
    state: state?.is === 'state' ? state : undefined,
    paper: line?.is === 'line' ? { number: line.document, lines: line.line } : undefined,
  }
}

/** Returns the printed lines by the id of the frame that caused them. */
export function linesByFrame(moments: readonly TimelineEntryView[]): ReadonlyMap<number, readonly EntryOf<'line'>[]> {
  return Map.groupBy(
    moments.flatMap((moment) => (moment.is === 'line' ? [moment] : [])),
    ({ frame = 0 }) => frame,
  )
}

export function lineNumbers(lines: readonly Pick<EntryOf<'line'>, 'line'>[]): string {
  const [first, last] = [lines[0]?.line, lines.at(-1)?.line]
  if (first === undefined || last === undefined) return ''
  return first === last ? `line ${first}` : `lines ${first} to ${last}`
}

export const framesById = (frames: readonly FrameView[]): ReadonlyMap<number, FrameView> =>
  new Map(frames.map((frame) => [frame.id, frame]))
