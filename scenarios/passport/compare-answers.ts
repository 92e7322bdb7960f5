import { countText } from '../../drivers/model/count-text.ts'
import type { ReceiptPhase } from '../../drivers/model/receipt.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import type { Probe } from '../../drivers/wire/passport-probes.ts'
import type { Questionnaire, Request, ResponseParts } from '../../drivers/wire/questionnaire.ts'
import {
  type Action,
  dataChange,
  standingFlags,
  statusChange,
  varyingParts,
} from '../../emulator/passport/answer-change.ts'
import { overrideName } from '../../emulator/passport/overrides.ts'
import type { Conversation, Exchange } from './conversation.ts'
import type { Echo, ReplayResult } from './reference-device.ts'

export interface Observation {
  readonly probe: Probe
  readonly state: ReceiptPhase
  readonly command: string
  readonly request: Request | undefined
  readonly frame: Uint8Array
  /** Index of the frame among those of the probe, from 0. The index of the last frame is -1. */
  readonly part: number
  readonly device: Echo
  readonly emulator: Echo
  /** Result on the emulated device: its refusal, `done` or `nothing`. */
  readonly outcome: string
  /** Override that makes the emulated device answer like the device. Missing if the answers do not differ. */
  readonly action?: Action
  readonly meaning?: string
  /** Set if the answers of the device vary between attempts. Values that vary are compared by form only. */
  readonly varies?: true
}

/**
 * Returns a function that compares a replay with the recorded answers. For each probe, that function returns the first
 * attempt: the first part that differs, or the first part if none does. Comparisons are cached, because most answers
 * are the same in every replay.
 */
export function observer(
  q: Questionnaire,
  { exchanges, initialReceipt }: Conversation,
): (replayed: ReplayResult) => readonly Observation[] {
  const isForeign = initialReceipt.receipt !== 'none'
  const attempts = Map.groupBy(exchanges.entries(), ([, { probe }]) => probe?.id)
  const probes = [...attempts.values()].flatMap(([first, ...again]) => {
    const [at, exchange] = first as [number, Exchange]
    const others = again.map(([, other]) => other)
    return exchange.probe ? [{ at, exchange, probe: exchange.probe, others, known: [] as KnownDifference[] }] : []
  })
  return ({ echoes }) =>
    probes.map(({ at, exchange, probe, others, known }) => {
      const response = echoes[at] ?? []
      const before = known.find((one) => sameEchoes(one.echoes, response))
      if (before) return before.observation
      const observation = observed(q, probe, exchange, others, response, isForeign)
      known.push({ echoes: response, observation })
      return observation
    })
}

interface KnownDifference {
  readonly echoes: readonly Echo[]
  readonly observation: Observation
}

const sameEchoes = (one: readonly Echo[], other: readonly Echo[]): boolean =>
  one.length === other.length && one.every(({ bytes }, at) => sameBytes(bytes, (other[at] as Echo).bytes))

function observed(
  q: Questionnaire,
  probe: Probe,
  exchange: Exchange,
  otherExchanges: readonly Exchange[],
  echoes: readonly Echo[],
  isForeign: boolean,
): Observation {
  // If a probe reads a document to its end, only the last answer is comparable.
  const ends = exchange.reads !== undefined
  const parts = ends ? [-1] : exchange.requests.map((_, at) => at)
  const all = parts.map((at): Observation => {
    const frame = exchange.requests.at(at) as Uint8Array
    const device = exchange.responses.at(at) ?? { bytes: new Uint8Array(0), frames: [] }
    const emulator = echoes.at(at) ?? { bytes: new Uint8Array(0), frames: [] }
    const otherAttempts = otherExchanges.flatMap(({ responses, requests }) => {
      const [response, other] = [responses.at(at), requests.at(at)]
      return response && other ? [{ echo: response, frame: other }] : []
    })
    const before = at > 0 ? exchange.requests[at - 1] : undefined
    return {
      part: at,
      ...side(q, probe, exchange.state, frame, device, emulator),
      ...differs(q, frame, device, emulator, otherAttempts, { ends, isForeign, ...(before && { before }) }),
    }
  })
  return all.find(({ action }) => action) ?? (all[0] as Observation)
}

function side(q: Questionnaire, probe: Probe, state: ReceiptPhase, frame: Uint8Array, device: Echo, emulator: Echo) {
  const request = q.readRequest(frame)
  const response = request && q.readAnswer(emulator.frames, request)
  const outcome = response ? (response.refusal ?? 'done') : 'nothing'
  const command = request ? overrideName(q, request) : 'link'
  return { probe, state, command, request, frame, device, emulator, outcome }
}

type DifferenceFacts = Pick<Observation, 'action' | 'meaning' | 'varies'>
interface Attempt {
  readonly echo: Echo
  readonly frame: Uint8Array
}

interface StateFacts {
  readonly ends: boolean
  readonly isForeign: boolean
  readonly before?: Uint8Array
}

function differs(
  q: Questionnaire,
  frame: Uint8Array,
  device: Echo,
  emulator: Echo,
  otherAttempts: readonly Attempt[],
  { ends, isForeign, before }: StateFacts,
): DifferenceFacts {
  const request = q.readRequest(frame) ?? requestIn(q, frame)
  if (!request) return differInBytes(device, emulator)
  const [theirs, ours] = [q.readAnswer(device.frames, request), q.readAnswer(emulator.frames, request)]
  const outcomes = new Set([{ echo: device, frame }, ...otherAttempts].map((attempt) => outcomeOf(q, attempt)))
  if (outcomes.size > 1) return { varies: true }
  if (device.bytes.length === 0)
    return emulator.bytes.length === 0
      ? {}
      : { action: { silent: true }, meaning: `does not answer, ${describeOurs(ours)}` }
  if (!theirs) {
    if (!ours && sameBytes(device.bytes, emulator.bytes)) return {}
    const earlier = before && q.readRequest(before)
    const old = earlier && q.readAnswer(device.frames, earlier)
    if (old && !ours && q.readAnswer(emulator.frames, earlier))
      return differs(q, before, device, emulator, [], { ends, isForeign })
    // The number in this conversation is arbitrary, so the answer is encoded again with the first number.
    const bytes = hexOf(old ? q.writeAnswer(old, { ...earlier, number: q.numbers.first }) : device.bytes)
    return { action: { bytes }, meaning: `answers ${bytes}, ${describeOurs(ours)}` }
  }
  const tried = otherAttempts.flatMap(({ echo, frame: other }) => {
    const attempt = q.readRequest(other)
    return (attempt && q.readAnswer(echo.frames, attempt)) ?? []
  })
  // The receipt of another program has other values, so only their form is comparable.
  const isOfReceipt = isForeign && q.catalogue.find(request.code, request.data)?.allowedIn !== 'anywhere'
  const isAll = isOfReceipt || q.isOwn?.(request)
  const various = varyingParts(q, request, [theirs, ...tried])
  const flags = variousFlags([theirs, ...tried])
  const varies = (isAll || various.size === 0) && flags.length === 0 ? {} : { varies: true as const }
  const own = { values: isAll ? ('all' as const) : various, flags: [...q.ownFlags, ...flags] }
  const meant = { ...differInMeaning(q, request, theirs, ours, own), ...varies }
  if (meant.action || !ours || ends || various.size > 0) return meant
  // The meaning is the same, but the encoding differs.
  const isOther = isUsual(q, request, theirs, device) !== isUsual(q, request, ours, emulator)
  return isOther
    ? { action: { bytes: hexOf(device.bytes) }, meaning: 'has the same meaning in another encoding' }
    : varies
}

function outcomeOf(q: Questionnaire, { echo, frame }: Attempt): string {
  const request = q.readRequest(frame)
  const answer = request && q.readAnswer(echo.frames, request)
  if (answer) return answer.refusal ?? 'done'
  return echo.bytes.length === 0 ? 'silent' : 'other'
}

const variousFlags = (answers: readonly ResponseParts[]): readonly string[] =>
  [...new Set(answers.flatMap(({ flags }) => flags))].filter(
    (flag) => !answers.every(({ flags }) => flags.includes(flag)),
  )

/** Returns true if the frame equals the encoding of this project. */
const isUsual = (q: Questionnaire, request: Request, response: ResponseParts, { frames }: Echo): boolean =>
  sameBytes(q.writeAnswer(response, request), frames.at(-1) ?? new Uint8Array(0))

function requestIn(q: Questionnaire, bytes: Uint8Array): Request | undefined {
  const frames = new Deframer(q.framesToDevice)
    .push(bytes)
    .flatMap((event) => (event.kind === 'frame' ? [event.bytes] : []))
  const [frame] = frames
  return frame && q.readRequest(frame)
}

export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

function differInBytes(device: Echo, emulator: Echo): DifferenceFacts {
  if (sameBytes(device.bytes, emulator.bytes)) return {}
  const words = ({ bytes }: Echo) => (bytes.length === 0 ? 'nothing' : hexOf(bytes))
  return {
    action: device.bytes.length === 0 ? { silent: true } : { bytes: hexOf(device.bytes) },
    meaning: `answers ${words(device)}, the emulator ${words(emulator)}`,
  }
}

const describeOurs = (response: ResponseParts | undefined): string => {
  if (!response) return 'the emulator does not answer'
  return response.refusal === undefined ? 'the emulator executes it' : `the emulator refuses with ${response.refusal}`
}

export const isEmpty = (change: object): boolean => Object.keys(change).length === 0

function differInMeaning(
  q: Questionnaire,
  request: Request,
  theirs: ResponseParts,
  ours: ResponseParts | undefined,
  own: { readonly values: ReadonlySet<string> | 'all'; readonly flags: readonly string[] },
): DifferenceFacts {
  const without = (flags: readonly string[]) => flags.filter((flag) => !own.flags.includes(flag))
  const persistentFlags = ours ? without(standingFlags(q, ours)) : []
  if (theirs.refusal !== undefined) {
    const { refusal, data } = theirs
    const isSame =
      ours?.refusal === refusal && sameBits(without(theirs.flags), without(ours.flags)) && ours.data === data
    if (isSame) return {}
    const status = statusChange(without(theirs.flags), persistentFlags)
    const code = /^-?\d+$/.test(refusal) ? Number(refusal) : refusal
    const added = { ...(status.length > 0 && { status }), ...(data !== '' && { data }) }
    const meaning =
      ours?.refusal === refusal
        ? `refused with ${refusal}; ${bitWords(theirs, ours, without)}`
        : `refused with ${refusal}, ${ours?.refusal === undefined ? describeOurs(ours) : `the emulator has ${ours.refusal}`}`
    return { action: { refusal: { code, ...added } }, meaning }
  }
  if (!ours || ours.refusal !== undefined) {
    const status = statusChange(without(theirs.flags), persistentFlags)
    const answer = { data: theirs.data, ...(status.length > 0 && { status }) }
    return { action: { answer }, meaning: `executed, ${describeOurs(ours)}` }
  }
  const change = dataChange(q, request, theirs, ours, own.values)
  const status = statusChange(without(theirs.flags), without(ours.flags))
  const answer = { ...change, ...(status.length > 0 && { status }) }
  if (isEmpty(answer)) return {}
  return { action: { answer }, meaning: answerWords(q, request, change, theirs, ours, without) }
}

const sameBits = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join()

function bitWords(theirs: ResponseParts, ours: ResponseParts, without: (flags: readonly string[]) => string[]): string {
  const change = statusChange(without(theirs.flags), without(ours.flags))
  return change.map((one) => `${one.slice(1)} is ${one.startsWith('+') ? 'set' : 'not set'}`).join(', ')
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function answerWords(
  q: Questionnaire,
  request: Request,
  { fields = {}, widths = {}, added = [], missing = [] }: NonNullable<Action['answer']>,
  theirs: ResponseParts,
  ours: ResponseParts,
  without: (flags: readonly string[]) => string[],
): string {
  const before = readValues(q, request, ours)
  const words = [
    ...Object.entries(fields).map(([name, value]) =>
      /^\d+$/.test(name)
        ? `part ${name} is ${formatValue(value)}`
        : `${name} is ${formatValue(value)}, the emulator has ${formatValue(before[name] ?? 'none')}`,
    ),
    ...Object.entries(widths).map(([place, width]) => `part ${place} has ${width} digits`),
    ...(added.length > 0 ? [`${countText(added.length, 'more part')}: ${added.join(' ')}`] : []),
    ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
    ...(sameBits(without(theirs.flags), without(ours.flags)) ? [] : [bitWords(theirs, ours, without)]),
  ]
  return words.join('; ')
}

function readValues(q: Questionnaire, request: Request, response: ResponseParts): Readonly<Record<string, unknown>> {
  try {
    const values: unknown = q.catalogue.find(request.code, request.data)?.response.read(response.data, q.page)
    return (values ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
