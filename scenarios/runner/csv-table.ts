/**
 * A table of examples in a CSV file. The first line names the columns, and each further line is a row. A cell that
 * looks like a number is a number, unless it is quoted. An empty cell is null.
 */

import { CsvError, parse } from 'csv-parse/sync'
import { countText } from '../../drivers/model/count-text.ts'
import { isName } from './fields.ts'
import type { Mistake } from './mistake.ts'
import { type NumberForm, numberIn } from './number-form.ts'

export type Row = Readonly<Record<string, unknown>>

interface Table {
  readonly rows: readonly Row[]
  readonly mistakes: readonly Mistake[]
}

const ROWS_MAX = 10_000
const COLUMNS_MAX = 200
/** Maximum sizes of a table and of a row, in characters. */
const TABLE_MAX = 4 * 1024 * 1024
const ROW_MAX = 64 * 1024

interface Cell {
  readonly text: string
  readonly isQuoted: boolean
}

interface Line {
  readonly record: readonly Cell[]
  readonly info: { readonly lines: number }
}

/** The result contains the mistakes in the text. Nothing is thrown. */
export function readTable(file: string, text: string, form: NumberForm): Table {
  const mistakes: Mistake[] = []
  const reportIssue = (line: number, what: string) => void mistakes.push({ file, line, column: 1, what })
  if (text.length > TABLE_MAX) {
    reportIssue(1, `expected at most ${TABLE_MAX / 1024 / 1024} MiB`)
    return { rows: [{}], mistakes }
  }
  const [head, ...lines] = linesOf(text, reportIssue)
  const columns = head?.record.map(({ text: name }) => name) ?? []
  if (mistakes.length === 0 && (!head || lines.length === 0))
    reportIssue(head?.info.lines ?? 1, 'expected a line with the names of the columns, and a row')
  if (columns.length > COLUMNS_MAX) {
    reportIssue(1, `expected at most ${COLUMNS_MAX} columns`)
    return { rows: [{}], mistakes }
  }
  for (const [index, name] of columns.entries()) {
    if (!isName(name))
      reportIssue(1, `column ${index + 1}: expected a name of letters, digits and _, not ${JSON.stringify(name)}`)
    else if (columns.indexOf(name) < index) reportIssue(1, `there is more than one column ${name}`)
  }
  if (lines.length > ROWS_MAX) reportIssue(ROWS_MAX, `expected at most ${ROWS_MAX} rows`)
  if (mistakes.length > 0) return { rows: [nothingIn(columns)], mistakes }
  const rows = lines.map(({ record, info }): Row => {
    if (record.length !== columns.length)
      reportIssue(
        info.lines,
        `expected ${countText(columns.length, 'cell')} (${columns.join(', ')}), found ${record.length}`,
      )
    return Object.fromEntries(
      columns.map((name, index) => {
        const cell = record[index] ?? { text: '', isQuoted: false }
        return [
          name,
          name === 'families'
            ? familiesIn(cell.text)
            : cellValue(cell, form, (what) => reportIssue(info.lines, `${name}: ${what}`)),
        ]
      }),
    )
  })
  return { rows, mistakes }
}

const nothingIn = (columns: readonly string[]): Row => Object.fromEntries(columns.map((name) => [name, null]))

function linesOf(text: string, reportIssue: (line: number, what: string) => void): readonly Line[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      trim: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: ROW_MAX,
      // The line with the names, and one row more than allowed.
      to: ROWS_MAX + 2,
      cast: (cell, { quoting }): Cell => ({ text: cell, isQuoted: quoting }),
    }) as unknown as readonly Line[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error as CsvError & { readonly lines?: number }
    reportIssue(
      lines ?? 1,
      (error.message.split('\n')[0] ?? '').replace(/^./, (first) => first.toLowerCase()),
    )
    // The first line may still name the columns.
    const [head = ''] = text.split('\n', 1)
    return head === text ? [] : linesOf(head, () => undefined)
  }
}

/** Spreadsheets use the separator of their locale. */
function delimiterOf(text: string): string {
  const head = text.split('\n', 1)[0] ?? ''
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

const familiesIn = (text: string): unknown => (text === '' ? undefined : text.split(/[\s,;|]+/))

function cellValue({ text, isQuoted }: Cell, form: NumberForm, reportIssue: (what: string) => void): unknown {
  if (isQuoted) return text
  if (text === '') return null
  if (text === 'true' || text === 'false') return text === 'true'
  const value = numberIn(text, form)
  if (typeof value === 'object') reportIssue(value.what)
  return value
}
