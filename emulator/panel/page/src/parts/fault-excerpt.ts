/**
 * The details of a triggered rule: the preceding rows, the fault, the reactions of host and device, and the outcome.
 */
import { countText } from '../../../../../drivers/model/count-text.ts'
import { describeTrigger } from '../../../../faults/effects.ts'
import type { FrameView, TimelineEntryView } from '../../../contract.ts'
import { asSeparateWords, kindOf } from '../labels-and-formats.ts'
import { answersTo, isSingleByte } from './exchanges.ts'
import { framesById, lineNumbers, type TimeRow, type TriggeredFault, timeRows } from './timeline-rows.ts'

export interface Chapter {
  readonly id: number
  readonly at: string
  readonly sentences: readonly string[]
  readonly isTriggeredRow: boolean
}

const FRAMES_BEFORE = 2
const FRAMES_AFTER = 6
const QUIET_MS = 10_000

/** Returns an empty list if the fault is no longer stored. */
export function chaptersOf(
  moments: readonly TimelineEntryView[],
  frames: readonly FrameView[],
  id: number,
): readonly Chapter[] {
  const byId = framesById(frames)
  const rows = timeRows(moments).filter((row) => !isAnsweredPing(row, byId))
  const start = rows.findIndex(({ faults }) => faults.some((fault) => fault.id === id))
  if (start < 0) return []
  const end = Math.min(lastBeforePause(rows, start), lastBeforeNextSale(rows, start, byId))
  let before: FrameView | undefined
  let heldUntil = 0
  const chapters = rows
    .slice(Math.max(0, start - FRAMES_BEFORE), Math.min(end, start + FRAMES_AFTER) + 1)
    .map((row) => {
      const ask = byId.get(row.ask ?? 0)
      const isAgain = ask !== undefined && ask.hex === before?.hex
      if (ask) before = ask
      const isHeld = Date.parse(row.at) < heldUntil
      heldUntil = Math.max(heldUntil, heldBy(row))
      return {
        id: row.last,
        at: row.at,
        isTriggeredRow: row === rows[start],
        sentences: describeRow(row, { byId, ask, isAgain, isHeld }),
      }
    })
  const described = chapters.filter(({ sentences }) => sentences.length > 0)
  const last = rows[end] as TimeRow
  const omittedRows = end - start - FRAMES_AFTER
  const sentences = [
    ...(omittedRows > 0 ? [`${countText(omittedRows, 'more row')}.`] : []),
    outcome(rows.slice(start, end + 1), moments),
  ]
  return [...described, { id: last.last, at: last.at, isTriggeredRow: false, sentences }]
}

/** Family C sends a ping before every command. An answered ping has no consequences, so that its row is omitted. */
function isAnsweredPing({ ask = 0, answers, faults }: TimeRow, byId: ReadonlyMap<number, FrameView>): boolean {
  const request = byId.get(ask)
  return request !== undefined && isSingleByte(request) && answers.length > 0 && faults.length === 0
}

/** Returns the time at which a delayed response arrives, and until which later responses wait; 0 without a delay. */
const heldBy = ({ faults }: TimeRow): number => Math.max(0, ...faults.map(arrivesAt))

function arrivesAt({ point, what, at }: TriggeredFault): number {
  const [, late] = /^(?:delayMs|busyMs) (\d+)$/.exec(what) ?? []
  return point === 'link.toHost' && late !== undefined ? Date.parse(at) + Number(late) : 0
}

/** Waiting for a delayed response is no pause. */
function lastBeforePause(rows: readonly TimeRow[], start: number): number {
  let busyUntil = 0
  for (let index = start; index < rows.length; index++) {
    const row = rows[index] as TimeRow
    if (index > start && Date.parse(row.at) - busyUntil > QUIET_MS) return index - 1
    busyUntil = Math.max(busyUntil, Date.parse(row.at), heldBy(row))
  }
  return rows.length - 1
}

/**
 * Returns the last row of the work during which the fault was triggered: the successful request of the service or, if
 * there is none, the finished document. After a failed request, the next request completes the work.
 */
function lastBeforeNextSale(rows: readonly TimeRow[], start: number, byId: ReadonlyMap<number, FrameView>): number {
  let isFinished = false
  let heldUntil = 0
  for (let index = start; index < rows.length; index++) {
    const row = rows[index] as TimeRow
    const ask = byId.get(row.ask ?? 0)
    // Commands that the host sends while waiting for a delayed response belong to the fault.
    const isHeld = Date.parse(row.at) < heldUntil
    if (isFinished && !isHeld && ask && STARTS_DOCUMENT.test(ask.command)) return index - 1
    heldUntil = Math.max(heldUntil, heldBy(row))
    if (row.request && isAnswerOf(row.request, rows[start] as TimeRow)) return index
    isFinished ||= row.documents.length > 0
  }
  return rows.length - 1
}

const isAnswerOf = ({ at, ms, status }: Required<TimeRow>['request'], fault: TimeRow): boolean =>
  status !== null && status < 400 && Date.parse(at) - ms <= Date.parse(fault.at)

const STARTS_DOCUMENT = /^open[A-Z]|report/i

const NO_ANSWER = 'The host receives no answer.'
/** Names of the byte with which a device of family A, B or C reports a damaged frame. */
const DAMAGED: ReadonlySet<string> = new Set(['refused', 'NAK', 'nack'])

/** Describes a request to which the device sent only single bytes, or nothing. */
function withoutAnswer(bytes: readonly FrameView[]): string {
  const isDamaged = bytes.some(({ command }) => DAMAGED.has(command))
  return isDamaged ? 'The device reports a damaged frame, so that the host sends it again.' : NO_ANSWER
}

const isLossOfAnswer = ({ point, what }: TriggeredFault): boolean => point === 'link.toHost' && what === 'drop'

function describeRow(
  row: TimeRow,
  of: {
    readonly byId: ReadonlyMap<number, FrameView>
    readonly ask: FrameView | undefined
    readonly isAgain: boolean
    readonly isHeld: boolean
  },
): readonly string[] {
  const { byId, ask, isAgain, isHeld } = of
  const answerFrames = row.answers.flatMap((id) => byId.get(id) ?? [])
  const answers = answersTo(ask, answerFrames)
  const isOfWire = row.ask !== undefined
  const describeFaults = (isOfAnswer: boolean) =>
    row.faults
      .filter(({ point }) => (point === 'link.toHost') === isOfAnswer)
      .map((fault) => `Rule ${fault.rule ?? ''}: ${describeTrigger(fault)}.`)
  const printed =
    row.lines.length === 0 ? [] : [`Printed: ${lineNumbers(row.lines)} of document ${row.lines[0]?.document}.`]
  return [
    ...(ask ? [`The host ${isAgain ? 'sends again' : 'sends'}: ${asSeparateWords(ask.command)}.`] : []),
    ...describeFaults(false),
    ...row.actions.map((action) => `At the device: ${action}.`),
    ...printed,
    ...row.documents.map(({ number }) => `Document ${number} is finished.`),
    ...(answers.length > 0
      ? [`The device answers${problemsIn(answers)}${isHeld ? '; the host has not received it yet' : ''}.`]
      : isOfWire
        ? [withoutAnswer(answerFrames)]
        : []),
    ...describeFaults(true),
    ...(answers.length > 0 && row.faults.some(isLossOfAnswer) ? [NO_ANSWER] : []),
  ]
}

function problemsIn(answers: readonly FrameView[]): string {
  const { meaning } = answers.at(-1)?.fields ?? {}
  return meaning === undefined ? '' : ` with a refusal: ${meaning}`
}

function outcome(rows: readonly TimeRow[], moments: readonly TimelineEntryView[]): string {
  const last = rows.at(-1)?.last ?? 0
  const state = moments.findLast((moment) => moment.is === 'state' && moment.id <= last)
  const open = state?.is === 'state' ? state.receipt : null
  const documents = rows.flatMap((row) => row.documents).map(({ kind, number }) => `${kindOf(kind)} ${number}`)
  const isPrinting = rows.some((row) => row.lines.length > 0)
  const unfinished = isPrinting ? 'no document was finished' : 'nothing was printed'
  return `Result: ${documents.join(', ') || unfinished}${open ? `; receipt ${open.number} is still open` : ''}.`
}
