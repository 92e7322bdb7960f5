import { stringify } from 'yaml'
import { hexOf } from '../../drivers/wire/charset.ts'
import { readableFields } from '../../emulator/line/readable-fields.ts'
import { answerFrames, type Exchange, exchangesOf, type FrameDecoder, type ReadFrame, readFrames } from './frames.ts'
import type { Recording } from './recording.ts'
import { isNumber, numberReplacementFor } from './running-numbers.ts'

const hexOfFrames = (frames: readonly ReadFrame[]): string => hexOf(Buffer.concat(frames.map(({ bytes }) => bytes)))

export function asFixture({ pieces, heading }: Recording, meaning: FrameDecoder): string {
  const source = heading ? `recorded at ${heading.device} on ${heading.startedAt.slice(0, 10)}` : 'recorded'
  const codes = new Map(meaning.commands.map(({ name, code }) => [name, code]))
  const entries = exchangesOf(pieces, meaning).flatMap(({ ask, answer }, index) => {
    const questions = readFrames([{ at: 0, direction: 'toDevice', bytes: ask }], meaning)
    const answered = answerFrames(answer, meaning)
    const [frame] = questions
    if (!frame || questions.length !== 1 || frame.kind !== 'frame' || answered.length === 0) return []
    const last = answered.at(-1) as ReadFrame
    const code = codes.get(frame.command)
    return [
      {
        id: `recorded-${String(index + 1).padStart(4, '0')}-${frame.command}`,
        provenance: { ask: 'captured', answer: 'captured' },
        source,
        meaning: `Exchange ${index + 1} of the recording: ${frame.command}.`,
        ask: { command: frame.command, ...(code !== undefined && { code }), values: frame.fields, bytes: hexOf(ask) },
        answer: { command: last.command, values: last.fields, flags: last.status, bytes: hexOfFrames(answered) },
      },
    ]
  })
  return `${JSON.stringify(entries, null, 1)}\n`
}

export function asScenario({ pieces, heading }: Recording, meaning: FrameDecoder, profile: string | undefined): string {
  const exchanges = exchangesOf(pieces, meaning)
  const scenario = {
    name: `Recorded traffic, family ${meaning.family}`,
    purpose: `Sends what a program sent to ${heading?.device ?? 'a device'}, and expects the recorded answers.`,
    families: [meaning.family],
    ...(profile !== undefined && { profile }),
    given: { clock: deviceTime(exchanges[0]?.at ?? 0) },
    steps: exchanges.map((exchange) => wireStep(exchange, meaning)),
  }
  return stringify(scenario, { lineWidth: 0 })
}

function wireStep({ ask, answer, retransmissions = 0 }: Exchange, meaning: FrameDecoder) {
  const [frame] = readFrames([{ at: 0, direction: 'toDevice', bytes: ask }], meaning)
  const answered = answerFrames(answer, meaning)
  const times = retransmissions === 1 ? 'once' : `${retransmissions} times`
  return {
    wire: { send: hexOf(ask), ...(answered.length > 0 && { answer: expectationOf(answered) }) },
    ...(frame && { note: `${frame.command}${retransmissions > 0 ? `, retransmitted ${times}` : ''}` }),
  }
}

/** Returns the bytes. If their meaning contains numbers that differ on another printer, returns the meaning. */
function expectationOf(answered: readonly ReadFrame[]) {
  const { command, fields, fieldMeanings, status } = answered.at(-1) as ReadFrame
  const readable = Object.entries(readableFields(fields, fieldMeanings))
  if (!readable.some(([name]) => numberReplacementFor(command, name))) return hexOfFrames(answered)
  const expected = readable.map(
    ([name, value]) => [name, MATCHERS[numberReplacementFor(command, name) ?? 'alike'](value)] as const,
  )
  return { command, fields: Object.fromEntries(expected), ...(status.length > 0 && { status }) }
}

const MATCHERS = {
  alike: (value: unknown) => value,
  running: (value: unknown) => (isNumber(value) ? { number: true } : value),
  own: () => ({ present: true }),
}

const deviceTime = (at: number): string => new Date(at).toISOString().slice(0, 19)
