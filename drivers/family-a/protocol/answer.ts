import { trimEndOf } from '../../model/trim-end.ts'
import type { ByteText } from '../../wire/charset.ts'
import { deviceInfo } from './commands/queries.ts'
import { TAB } from './fields.ts'

/**
 * The first field of an answer: 0, or a negative code without further fields (sheet 4.1). Layouts of answers describe
 * the fields after the code. Only the comma form of command 90 has no code.
 */
interface CodedAnswer {
  readonly code: number
  readonly rest: ByteText
}

export const writeCoded = (code: number, rest: ByteText = ''): ByteText => code + TAB + rest

/** Returns the code and the remaining data; `undefined` if the data does not begin with a code. */
export function readCoded(data: ByteText): CodedAnswer | undefined {
  const match = /^(-?\d{1,9})(?:\t|$)/.exec(data)
  return match ? { code: Number(match[1]), rest: data.slice(match[0].length) } : undefined
}

/**
 * Returns whether the request is the first form of command 90. That form has no TAB, and its answer has commas and no
 * code (sheet 6.8).
 */
export const answersWithoutCode = (code: number, requestData: ByteText): boolean =>
  code === deviceInfo.code && !requestData.includes(TAB)

export const answerText = (rest: string): string => trimEndOf(rest, '\t')
