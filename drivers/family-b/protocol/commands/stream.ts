/**
 * Reports and the journal as lines on the wire (sheet 10.9). The lines arrive before the answer to the command. The
 * host acknowledges each line by one byte; without the acknowledgement the device stops.
 *
 *     153:   1A | 6-digit line number | 09 | N or B | 09 | text | 0D 0A       end: 1A | 09 45 | 0D 0A
 *     195:   1A | T | 09 | text | 0D 0A                                       end: 1A | 45 | 0D 0A
 */
import type { ByteText, CodePage } from '../../../wire/charset.ts'
import { question } from '../../../wire/command.ts'
import { FieldError } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command } from '../command-facts.ts'
import { readDate, writeDate } from '../numbers.ts'
import { badForm } from './rows.ts'

export interface JournalRequest {
  /**
   * `content` and `by` together are the type of command 195. Tens digit: 0 all documents, 1 Z reports, 2 fiscal
   * documents. Units digit: 1 document number, 2 Z number, 3 date.
   */
  readonly content: 'all' | 'z' | 'fiscal'
  readonly by: 'document' | 'z' | 'date'
  readonly from: string
  readonly to: string
  readonly option?: '1' | 'A'
}

const CONTENTS = { all: 0, z: 10, fiscal: 20 } as const
const KEYS = { document: 1, z: 2, date: 3 } as const

const keyOf = <T extends Readonly<Record<string, number>>>(table: T, value: number): keyof T & string => {
  const entry = Object.entries(table).find(([, one]) => one === value)
  if (!entry) throw new FieldError('type', 'value', `${value} is not a type of journal query`)
  return entry[0]
}

/** `R{type},{from},{to}[,1|A]`. Without the last field, the device prints the documents instead of sending them. */
const journalRequest: Layout<JournalRequest> = {
  fields: { from: 'text', to: 'text' },
  write({ content, by, from, to, option }) {
    const border = (value: string) => (by === 'date' ? writeDate(value) : value)
    const type = CONTENTS[content] + KEYS[by]
    return `R${type},${border(from)},${border(to)}${option === undefined ? '' : `,${option}`}`
  },
  read(raw) {
    const match = /^R(\d{1,2}),(\d+),(\d+)(?:,([1A]))?$/.exec(raw)
    if (!match) throw badForm('journal', raw)
    const [, type, from = '', to = '', option] = match
    const by = keyOf(KEYS, Number(type) % 10)
    const border = (value: string) => (by === 'date' ? readDate('date', value) : String(Number(value)))
    return {
      content: keyOf(CONTENTS, Number(type) - (Number(type) % 10)),
      by,
      from: border(from),
      to: border(to),
      ...(option === undefined ? {} : { option: option as '1' | 'A' }),
    }
  },
}

export const REPORT_END: ByteText = '\tE'
export const JOURNAL_END: ByteText = 'E'

export const writeReportLine = (number: number, text: string, bold: boolean, page: CodePage): ByteText =>
  `${String(number).padStart(6, '0')}\t${bold ? 'B' : 'N'}\t${page.encode(text)}`

export const writeJournalLine = (text: string, page: CodePage): ByteText => `T\t${page.encode(text)}`

export const streamCommands = [
  /** The next report is sent instead of printed, provided that it is requested within 5 s. */
  command('reportAsText', 153, '10.9', question),
  command('journalRead', 195, '10.9', question, {
    variants: [{ when: ({ option }) => option === undefined, changes: 'paper' }],
    request: journalRequest,
    limitMs: 90_000,
  }),
] as const

export function readStreamedLine(line: ByteText, page: CodePage): string | undefined {
  if (line === REPORT_END || line === JOURNAL_END) return undefined
  const report = /^\d{6}\t[NB]\t(.*)$/s.exec(line)
  if (report) return page.decode(report[1] ?? '')
  return page.decode(line.startsWith('T\t') ? line.slice(2) : line)
}
