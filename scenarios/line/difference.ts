/** Where two answers differ, in bytes and in meaning. */

import { hexOf } from '../../drivers/wire/charset.ts'
import { readableFields } from '../../emulator/line/readable.ts'
import { answerFrames, type Exchange, type Meaning, type ReadFrame, readFrames } from './frames.ts'

export interface Difference {
  /** From 1. */
  readonly exchange: number
  /** Name of what was asked. */
  readonly command: string
  readonly question: string
  readonly recording: string
  readonly answer: string
  /** The first byte that is another, from 0; undefined: only the meaning is looked at. */
  readonly byte: number
  /** The first value that is another, in words; undefined: the bytes mean the same. */
  readonly meaning: string | undefined
}

/** undefined: the same bytes, but for those that only say "wait". */
export function differenceOf(
  exchange: Exchange,
  number: number,
  answer: Uint8Array,
  meaning: Meaning,
): Difference | undefined {
  const [before, now] = [answerFrames(exchange.answer, meaning), answerFrames(answer, meaning)]
  const [recordedBytes, answeredBytes] = [joined(before), joined(now)]
  if (Buffer.compare(recordedBytes, answeredBytes) === 0) return undefined
  const [frame] = readFrames([{ at: 0, direction: 'toDevice', bytes: exchange.ask }], meaning)
  return {
    exchange: number,
    command: frame?.command ?? 'unknown',
    question: hexOf(exchange.ask),
    recording: hexOf(recordedBytes),
    answer: hexOf(answeredBytes),
    byte: firstByte(recordedBytes, answeredBytes),
    meaning: meaningOf(before, now),
  }
}

const joined = (frames: readonly ReadFrame[]): Buffer => Buffer.concat(frames.map(({ bytes }) => bytes))

function firstByte(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return at < 0 ? one.length : at
}

function meaningOf(before: readonly ReadFrame[], now: readonly ReadFrame[]): string | undefined {
  for (let at = 0; at < Math.max(before.length, now.length); at++) {
    const [one, other] = [before[at], now[at]]
    if (!one) return `${other?.command} was answered, which was not recorded`
    if (!other) return `${one.command} was recorded, and nothing was answered`
    if (one.command !== other.command) return `${one.command} was recorded, ${other.command} was answered`
    const field = firstField(readableFields(one.fields, one.known), readableFields(other.fields, other.known), 'fields')
    if (field) return field
    if (one.status.join() !== other.status.join()) {
      return `status: [${one.status.join(' ')}] was recorded, [${other.status.join(' ')}] was answered`
    }
  }
  return undefined
}

function firstField(one: unknown, other: unknown, path: string): string | undefined {
  if (isObject(one) && isObject(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const difference = firstField(one[name], other[name], `${path}.${name}`)
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
