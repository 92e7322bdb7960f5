import { trimEndOf } from '../../model/trim-end.ts'
import type { ByteText } from '../../wire/charset.ts'
import { deviceInfo } from './commands/queries.ts'
import { TAB } from './fields.ts'

/**
 * The first field of an answer is the code: 0, or a negative number that is the whole answer (sheet 4.1). Layouts of
 * answers describe the fields after it. The comma form of 90 is the only answer without a code.
 */
interface CodedAnswer {
  readonly code: number
  readonly rest: ByteText
}

export const writeCoded = (code: number, rest: ByteText = ''): ByteText => code + TAB + rest

/** Reads the code; undefined: the code is missing, which is allowed only in an empty answer. */
export function readCoded(data: ByteText): CodedAnswer | undefined {
  const match = /^(-?\d{1,9})(?:\t|$)/.exec(data)
  return match ? { code: Number(match[1]), rest: data.slice(match[0].length) } : undefined
}

/**
 * Returns whether the command is the first form of 90: requested without a TAB, answered with commas and without a code
 * (sheet 6.8).
 */
export const answersWithoutCode = (code: number, requestData: ByteText): boolean =>
  code === deviceInfo.code && !requestData.includes(TAB)

/**
 * Returns the device's own answer as text: the fields after the code, joined by TAB, without the separators at the end.
 */
export const answerText = (rest: string): string => trimEndOf(rest, '\t')
