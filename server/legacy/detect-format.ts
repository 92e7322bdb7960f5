/**
 * The format of a job, and its array as numbered lines (legacy formats 1.1, 1.2 and 5). The first `^` or `,` in the
 * first line that is not blank decides. A later line that decides for the other format is an error.
 */
import { trimEndOf } from '../../drivers/model/trim-end.ts'
import { lengthOf } from './line-fields.ts'
import { fail } from './problem.ts'

const MAX_LINES = 1_000
const MAX_LINE_LENGTH = 1_000

export type LegacyFormat = 1 | 2

export interface NumberedLine {
  /** Position in the array of the request, counted from 1. */
  readonly line: number
  readonly text: string
}

/**
 * Returns the lines that are not blank, without their line ends. Throws 101, 102 or 105 if the array as a whole is
 * invalid.
 */
export function numberedLines(body: unknown): readonly NumberedLine[] {
  if (!Array.isArray(body)) return fail('101', undefined, 'the body must be a JSON array of strings')
  if (body.length > MAX_LINES) return fail('105', undefined, `the job has more than ${MAX_LINES} lines`)
  const lines: NumberedLine[] = []
  for (const [index, element] of body.entries()) {
    if (typeof element !== 'string') return fail('101', undefined, `element ${index + 1} of the array is not a string`)
    const text = trimEndOf(index === 0 ? element.replace(/^\uFEFF/, '') : element, '\r\n')
    if (text.trim() !== '') lines.push({ line: index + 1, text })
  }
  if (lines.length === 0) return fail('102', undefined, 'the job has no line')
  return lines
}

function decidesFor(text: string): LegacyFormat | undefined {
  const caret = text.indexOf('^')
  const comma = text.indexOf(',')
  if (caret < 0 && comma < 0) return undefined
  if (caret < 0) return 2
  return comma < 0 || caret < comma ? 1 : 2
}

export function detectFormat(first: NumberedLine): LegacyFormat {
  checkLength(first)
  return (
    decidesFor(first.text) ?? fail('103', first.line, 'neither a caret nor a comma: the format cannot be determined')
  )
}

export function checkLine({ line, text }: NumberedLine, format: LegacyFormat): void {
  checkLength({ line, text })
  const decided = decidesFor(text)
  if (decided !== undefined && decided !== format) {
    fail('104', line, `the line has format ${decided}, but the job has format ${format}`)
  }
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text))
    fail('201', line, 'the line contains a control character: remove it')
}

function checkLength({ line, text }: NumberedLine): void {
  if (lengthOf(text) > MAX_LINE_LENGTH) fail('105', line, `the line is longer than ${MAX_LINE_LENGTH} characters`)
}
