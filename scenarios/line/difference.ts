import { hexOf } from '../../drivers/wire/charset.ts'
import { readableFields } from '../../emulator/line/readable-fields.ts'
import { answerFrames, type Exchange, type FrameDecoder, type ReadFrame, readFrames } from './frames.ts'
import { isNumber, type NumberReplacement, numberReplacementFor } from './running-numbers.ts'

export interface Difference {
  readonly exchange: number
  readonly command: string
  readonly question: string
  readonly recording: string
  readonly answer: string
  readonly byte: number
  readonly meaning: string | undefined
}

/**
 * Returns `undefined` if the answer equals the recorded one. Bytes that mean "wait", and fields that differ between any
 * two printers, are ignored.
 */
export function differenceOf(
  exchange: Exchange,
  number: number,
  answer: Uint8Array,
  meaning: FrameDecoder,
): Difference | undefined {
  const [before, now] = [answerFrames(exchange.answer, meaning), answerFrames(answer, meaning)]
  const [recordedBytes, answeredBytes] = [joined(before), joined(now)]
  if (Buffer.compare(recordedBytes, answeredBytes) === 0) return undefined
  const words = meaningOf(before, now, numberReplacementFor)
  if (words === undefined && meaningOf(before, now) !== undefined) return undefined
  const [frame] = readFrames([{ at: 0, direction: 'toDevice', bytes: exchange.ask }], meaning)
  return {
    exchange: number,
    command: frame?.command ?? 'unknown',
    question: hexOf(exchange.ask),
    recording: hexOf(recordedBytes),
    answer: hexOf(answeredBytes),
    byte: firstByte(recordedBytes, answeredBytes),
    meaning: words,
  }
}

const joined = (frames: readonly ReadFrame[]): Buffer => Buffer.concat(frames.map(({ bytes }) => bytes))

function firstByte(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return at < 0 ? one.length : at
}

type MayDiffer = (command: string, field: string) => NumberReplacement | undefined

function meaningOf(
  before: readonly ReadFrame[],
  now: readonly ReadFrame[],
  mayDiffer: MayDiffer = () => undefined,
): string | undefined {
  for (let at = 0; at < Math.max(before.length, now.length); at++) {
    const [one, other] = [before[at], now[at]]
    if (!one) return `${other?.command} was answered, which was not recorded`
    if (!other) return `${one.command} was recorded, and nothing was answered`
    if (one.command !== other.command) return `${one.command} was recorded, ${other.command} was answered`
    const own = (name: string) => mayDiffer(one.command, name)
    const [recorded, answered] = [
      readableFields(one.fields, one.fieldMeanings),
      readableFields(other.fields, other.fieldMeanings),
    ]
    const field = firstField(recorded, answered, 'fields', own)
    if (field) return field
    if (one.status.join() !== other.status.join()) {
      return `status: [${one.status.join(' ')}] was recorded, [${other.status.join(' ')}] was answered`
    }
  }
  return undefined
}

function firstField(
  one: unknown,
  other: unknown,
  path: string,
  mayDiffer: (name: string) => NumberReplacement | undefined,
): string | undefined {
  if (isObject(one) && isObject(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const kind = mayDiffer(name)
      if (kind === 'own' && name in one && name in other) continue
      if (kind === 'running' && isNumber(one[name]) && isNumber(other[name])) continue
      const difference = firstField(one[name], other[name], `${path}.${name}`, mayDiffer)
      if (difference) return difference
    }
    return undefined
  }
  const [recording, answer] = [JSON.stringify(one), JSON.stringify(other)]
  return recording === answer
    ? undefined
    : `${path}: ${recording ?? 'nothing'} was recorded, ${answer ?? 'nothing'} was answered`
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
