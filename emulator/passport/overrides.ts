/** A wire protocol that replaces answers by those of a recorded device where the two are known to differ. */
import { hexOf } from '../../drivers/wire/charset.ts'
import type { Deframed } from '../../drivers/wire/deframer.ts'
import { OWN_CLOSURES, type OwnClosure } from '../../drivers/wire/passport-probes.ts'
import type { Questionnaire, Request, ResponseParts } from '../../drivers/wire/questionnaire.ts'
import type { FiscalDevice } from '../fiscal/api.ts'
import { receiptPhase } from '../fiscal/receipt-phase.ts'
import type { Answer, FrameReaction, Wire } from '../wire.ts'
import { changedData, changedFlags, standingFlags } from './answer-change.ts'
import type { Override } from './passport.ts'

export function overrideName(q: Questionnaire, { code, data }: Request): string {
  const command = q.catalogue.find(code, data)
  return command?.name ?? `0x${code.toString(16).toUpperCase()}`
}

const CLOSURES = Object.keys(OWN_CLOSURES) as OwnClosure[]
/** Returns the `request` of an override that means the query of this Z report. */
export const closureWord = (closure: OwnClosure): string => `{${closure}}`

const bytesIn = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

type Run = Extract<FrameReaction, { kind: 'run' }>

const EMPTY_ANSWER: ResponseParts = { data: '', flags: [], lines: 0 }

export function withOverrides(
  wire: Wire,
  q: Questionnaire,
  overrides: readonly Override[],
  device: OverriddenDevice,
): Wire {
  if (overrides.length === 0) return wire
  const onLine = linkAnswers(q, overrides)
  const repeats = repeatRules(q, overrides)
  let previous: Request | undefined
  /** The last answer in its original and its sent form, for retransmitted requests. */
  let last: { readonly own: string; readonly frame: Uint8Array } | undefined

  function rememberLast(own: Uint8Array | undefined, frame: Uint8Array): Uint8Array {
    last = own && { own: hexOf(own), frame }
    return frame
  }

  function stopped(meeting: Run, request: Request, { refusal, silent }: Override): Answer {
    if (silent || !refusal) return { frames: [] }
    const { frames } = meeting.refuse()
    const flags = changedFlags(standingFlags(q, q.readAnswer(frames, request) ?? EMPTY_ANSWER), refusal.status)
    const next = { refusal: String(refusal.code), data: refusal.data ?? '', flags, lines: 0 }
    return { frames: [rememberLast(frames[0], q.writeAnswer(next, request))] }
  }

  function changed(answer: Answer, request: Request, override: Override): Answer {
    const { bytes } = override
    const change = (frames: readonly Uint8Array[]): readonly Uint8Array[] => {
      const next =
        bytes === undefined ? q.writeAnswer(changedParts(q, frames, request, override), request) : bytesIn(bytes)
      return bytes === undefined
        ? [...frames.slice(0, -1), rememberLast(frames.at(-1), next)]
        : [rememberLast(frames.at(-1), next)]
    }
    const { later } = answer
    return { ...answer, frames: change(answer.frames), ...(later && { later: () => change(later()) }) }
  }

  function run(meeting: Run, request: Request): Answer {
    const fittingOverrides = fitting(overrides, q, request, device)
    const stop = fittingOverrides.find((one) => (one.silent || one.refusal) && (one.instead ?? 'done') === 'done')
    if (stop) return stopped(meeting, request, stop)
    const answer = meeting.run()
    const outcome = q.readAnswer(answer.frames, request)?.refusal ?? 'done'
    const override = fittingOverrides.find(({ instead }) => instead === undefined || instead === outcome)
    if (!override) return answer
    return override.silent ? { frames: [] } : changed(answer, request, override)
  }

  function again(meeting: FrameReaction, before: Request, request: Request, override: Override): FrameReaction {
    const { silent, bytes, refusal } = override
    if (silent) return { kind: 'ignore' }
    if (bytes !== undefined) {
      // The stored bytes are the answer to the previous command. The answer to this command has its own frame number.
      const old = q.readAnswer([bytesIn(bytes)], before)
      return { kind: 'reply', bytes: old ? q.writeAnswer(old, { ...before, number: request.number }) : bytesIn(bytes) }
    }
    if (meeting.kind === 'run') {
      const act = () => (refusal ? stopped(meeting, request, override) : changed(meeting.run(), request, override))
      return { ...meeting, run: act }
    }
    const stored = meeting.kind === 'reply' ? [meeting.bytes] : []
    return { kind: 'reply', bytes: Buffer.concat(changed({ frames: stored }, request, override).frames) }
  }

  function meet(event: Deframed<unknown>): FrameReaction {
    if (event.kind !== 'frame') return meetPlain(event)
    const [before, request] = [previous, q.readRequest(event.bytes)]
    previous = request
    const meeting = meetPlain(event)
    const repeat = before && request && repeats.get(repeatOf(before, request) ?? '')
    return repeat ? again(meeting, before, request, repeat) : meeting
  }

  function meetPlain(event: Deframed<unknown>): FrameReaction {
    const bytes = event.kind === 'single' ? Uint8Array.of(event.byte) : event.bytes
    const lineAnswer = onLine.get(hexOf(bytes))
    if (lineAnswer) return lineAnswer.length > 0 ? { kind: 'reply', bytes: lineAnswer } : { kind: 'ignore' }
    const meeting = wire.meet(event)
    if (meeting.kind === 'reply' && last?.own === hexOf(meeting.bytes)) return { kind: 'reply', bytes: last.frame }
    const request = meeting.kind === 'run' ? q.readRequest(bytes) : undefined
    if (meeting.kind !== 'run' || !request) return meeting
    last = undefined
    if (fitting(overrides, q, request, device).length === 0) return meeting
    return { ...meeting, run: () => run(meeting, request) }
  }

  function restart(): void {
    previous = undefined
    wire.restart()
  }

  return { ...wire, meet, restart, expired: (piece) => onLine.get(hexOf(piece)) ?? wire.expired(piece) }
}

type OverriddenDevice = Pick<FiscalDevice, 'receipt' | 'counters'>

function fitting(
  overrides: readonly Override[],
  q: Questionnaire,
  request: Request,
  device: OverriddenDevice,
): readonly Override[] {
  const state = receiptPhase(device)
  return overrides.filter(
    (one) =>
      one.command === overrideName(q, request) &&
      (one.state === undefined || one.state === state) &&
      (one.request === undefined ||
        isRequest(one.request, request.data) ||
        isOwnClosure(one.request, q, request, device)),
  )
}

/** Returns true if the request is the query of `{lastZ}` or `{nextZ}`, whose number depends on the last Z report. */
function isOwnClosure(command: string, q: Questionnaire, { data }: Request, { counters }: OverriddenDevice): boolean {
  const own = CLOSURES.find((closure) => closureWord(closure) === command)
  return own !== undefined && q.archivedZ(OWN_CLOSURES[own](counters.lastZ))[1] === data
}

function changedParts(
  q: Questionnaire,
  frames: readonly Uint8Array[],
  request: Request,
  { refusal, answer = {} }: Override,
): ResponseParts {
  const { refusal: before, ...answerWithoutRefusal } = q.readAnswer(frames, request) ?? EMPTY_ANSWER
  const persistentFlags =
    refusal || before !== undefined ? standingFlags(q, answerWithoutRefusal) : answerWithoutRefusal.flags
  if (!refusal)
    return {
      ...answerWithoutRefusal,
      data: changedData(q, request, answerWithoutRefusal, answer),
      flags: changedFlags(persistentFlags, answer.status),
    }
  const { code, data = '', status } = refusal
  return { ...answerWithoutRefusal, refusal: String(code), data, flags: changedFlags(persistentFlags, status) }
}

/** A passport masks passwords as `**`, which match any text. */
function isRequest(pattern: string, data: string): boolean {
  if (!pattern.includes('**')) return pattern === data
  const [first = '', ...rest] = pattern.split('**')
  const last = rest.pop() ?? ''
  if (data.length < first.length + last.length || !data.startsWith(first) || !data.endsWith(last)) return false
  let at = first.length
  return rest.every((piece) => {
    const place = data.indexOf(piece, at)
    at = place + piece.length
    return place >= 0 && at <= data.length - last.length
  })
}

type Repeat = 'same' | 'otherData' | 'otherCommand'

/** Compares a request with the previous one. Returns `undefined` if their frame numbers differ. */
function repeatOf(before: Request, request: Request): Repeat | undefined {
  if (before.number !== request.number) return undefined
  if (before.code !== request.code) return 'otherCommand'
  return before.data === request.data ? 'same' : 'otherData'
}

/** Returns the two requests with one frame number that a probe of the line sends; `undefined` for any other probe. */
export function repeatIn(q: Questionnaire, id: string | undefined): readonly [Request, Request] | undefined {
  const frames = q.link.find((probe) => probe.id === id)?.bytes(q.numbers.first) ?? []
  const [before, request] = frames.map((frame) => q.readRequest(frame))
  return before && request && [before, request]
}

function repeatRules(q: Questionnaire, overrides: readonly Override[]): ReadonlyMap<string, Override> {
  return new Map(
    overrides.flatMap((one) => {
      const pair = one.command === 'link' ? repeatIn(q, one.request) : undefined
      const repeat = pair && repeatOf(...pair)
      return repeat ? [[repeat, one] as const] : []
    }),
  )
}

/** Returns the answers to bytes that are not a command, for every frame number that these bytes may contain. */
function linkAnswers(q: Questionnaire, overrides: readonly Override[]): ReadonlyMap<string, Uint8Array> {
  const answers = new Map<string, Uint8Array>()
  for (const { command, request, bytes = '' } of overrides) {
    const probe = command === 'link' && !repeatIn(q, request) ? q.link.find(({ id }) => id === request) : undefined
    for (let number = q.numbers.first; probe && number <= q.numbers.last; number++)
      for (const frame of probe.bytes(number)) answers.set(hexOf(frame), bytesIn(bytes))
  }
  return answers
}
