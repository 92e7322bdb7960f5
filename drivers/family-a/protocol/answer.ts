import { trimEndOf } from '../../model/trim-end.ts'
import type { ByteText } from '../../wire/charset.ts'
import { deviceInfo } from './commands/queries.ts'
import { TAB } from './fields.ts'

/**
 * The first field of an answer: 0, or a negative code without further fields (sheet 4.1). Layouts of answers describe
 * the fields after the code. Only the comma form of 90 has no code.
 */
interface CodedAnswer {
  readonly code: number
  readonly rest: ByteText
}

export const writeCoded = (code: number, rest: ByteText = ''): ByteText => code + TAB + rest

/**
 * Returns the code and the remaining data; `undefined` if the code is missing, which is allowed only in an empty
 * answer.
 */
export function readCoded(data: ByteText): CodedAnswer | undefined {
  const match = /^(-?\d{1,9})(?:\t|$)/.exec(data)
  return match ? { code: Number(match[1]), rest: data.slice(match[0].length) } : undefined
}

/**
 * Returns whether the request is the first form of 90, which has no TAB and is answered with commas and without a code
 * (sheet 6.8).
 */
export const answersWithoutCode = (code: number, requestData: ByteText): boolean =>
  code === deviceInfo.code && !requestData.includes(TAB)

/** Returns the fields after the code as text, joined by TAB, without trailing separators. */
export const answerText = (rest: string): string => trimEndOf(rest, '\t')
