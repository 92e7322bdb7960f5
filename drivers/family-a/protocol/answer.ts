import { trimEndOf } from '../../model/trim-end.ts'
import type { ByteText } from '../../wire/charset.ts'
import { deviceInfo } from './commands/queries.ts'
import { TAB } from './fields.ts'

/**
 * The first field of an answer is the code: 0, or a negative number that is the whole answer (sheet 4.1).
 * Layouts of answers describe the fields behind it. The comma form of 90 is the one answer without a code.
 */
interface CodedAnswer {
  readonly code: number
  readonly rest: ByteText
}

export const writeCoded = (code: number, rest: ByteText = ''): ByteText => code + TAB + rest

/** Undefined: no code where one belongs, which only an empty answer may lack. */
export function readCoded(data: ByteText): CodedAnswer | undefined {
  const match = /^(-?\d{1,9})(?:\t|$)/.exec(data)
  return match ? { code: Number(match[1]), rest: data.slice(match[0].length) } : undefined
}

/** The first form of 90: asked for without a TAB, answered with commas and without a code (sheet 6.8). */
export const answersWithoutCode = (code: number, requestData: ByteText): boolean =>
  code === deviceInfo.code && !requestData.includes(TAB)

/** The device's own answer as text: the fields behind the code, joined by TAB, without the separators at the end. */
export const answerText = (rest: string): string => trimEndOf(rest, '\t')
