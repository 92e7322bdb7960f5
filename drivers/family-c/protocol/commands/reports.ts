import type { ByteText } from '../../../wire/charset.ts'
import { question } from '../../../wire/command.ts'
import type { Layout } from '../../../wire/row.ts'
import { cells, digits, readWhole, syntaxError } from '../cells.ts'
import { command, printing, REPORT_MS, report } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { letter, number, row } from '../rows.ts'

const literal = (text: ByteText): Layout<Record<never, never>> => ({
  fields: {},
  write: () => text,
  read(raw) {
    if (raw !== text) throw syntaxError('data', `must be ${text}`)
    return {}
  },
})

const KIND = letter('kind', ['X', 'Z'])

export interface MemoryRange {
  readonly from: string
  readonly to: string
  readonly payments?: boolean
  /** Target instead of paper: 8 host, 2 USB, 4 SD card. */
  readonly storage?: '8' | '2' | '4'
}

const memoryRange = (d: Edition, bytes: 4 | 6): Layout<MemoryRange> =>
  cells(d, {
    fields: { from: 'text', to: 'text' },
    write: (v) => [v.from, v.to, ...(v.payments ? ['P'] : []), ...(v.storage === undefined ? [] : [v.storage])],
    read(r) {
      const end = (name: string): string => {
        const piece = r.next(name)
        if (!new RegExp(`^\\d{${bytes === 4 ? '1,4' : '6'}}$`).test(piece))
          throw syntaxError(name, 'has the wrong form')
        return piece.padStart(bytes, '0')
      }
      const range = { from: end('from'), to: end('to') }
      const payments = r.peek() === 'P' && r.next('payments') === 'P'
      const storage = r.remaining > 0 && r.peek() !== '' ? r.letter('storage', ['2', '4', '8']) : undefined
      return { ...range, ...(payments ? { payments } : {}), ...(storage === undefined ? {} : { storage }) }
    },
  })

export interface JournalAsk {
  /** 0 read, 1 print, 2 USB, 4 SD card, 8 read in brief form. */
  readonly target: '0' | '1' | '2' | '4' | '8'
  readonly by: 'D' | 'N' | 'Z' | '*'
  /** A date `DDMMYY`, a receipt number or a Z number, depending on `by`. Absent if `by` is `*`. */
  readonly from?: string
  readonly to?: string
  /**
   * Custom form: `C` is CSV of fiscal receipts, `X` the whole journal. Two bytes, each 40h plus bits, select the
   * documents.
   */
  readonly custom?: { readonly form: 'C' | 'X'; readonly fiscal: number; readonly other: number }
}

const journal: Layout<JournalAsk> = {
  fields: { from: 'text', to: 'text', custom: { fiscal: 'number', other: 'number' } },
  write({ target, by, from, to, custom }) {
    const head = custom
      ? `j${target};${custom.form};${String.fromCharCode(0x40 + custom.fiscal)};${String.fromCharCode(0x40 + custom.other)}`
      : `J${target}`
    return by === '*' ? `${head};*` : `${head};${by};${from};${to}`
  },
  read(raw) {
    // Some clients write the plain form with a small `j` (sheet 5.2).
    const match = /^([Jj])([01248])(?:;([CX]);([@-\x7f]);([@-\x7f]))?;(?:(\*)|([DNZ]);(\d{1,6});(\d{1,6}));?$/.exec(raw)
    if (!match) throw syntaxError('journal', 'is not a request for the journal')
    const [, , target, form, fiscal = '@', other = '@', all, by, from = '', to = ''] = match
    const width = by === 'Z' ? 4 : 6
    if (by === 'D' && (from.length !== 6 || to.length !== 6)) throw syntaxError('date', 'must be DDMMYY')
    const range = all
      ? { by: '*' as const }
      : { by: by as 'D' | 'N' | 'Z', from: widen(from, width), to: widen(to, width) }
    const ask = { target: target as JournalAsk['target'], ...range }
    if (form === undefined) return ask
    const bits = (letter: string) => letter.charCodeAt(0) - 0x40
    return { ...ask, custom: { form: form as 'C' | 'X', fiscal: bits(fiscal), other: bits(other) } }
  },
}
/** Pads a number. The edition c4 sends receipt numbers of five digits, but the value has six. */
const widen = (number: string, width: number): string => digits(readWhole('number', number), width)

export const STREAM_END = '@'

const goesToHost = (data: ByteText): boolean => /;8;?$/.test(data)

const stored = {
  when: ({ storage }: MemoryRange): boolean => storage !== undefined,
  changes: 'nothing',
  prints: false,
} as const
const memoryReport = { ...printing, variants: [stored], streams: goesToHost, limitMs: REPORT_MS } as const
const clearing = (changes: 'day' | 'memory') => ({
  when: ({ kind }: { readonly kind: 'X' | 'Z' }): boolean => kind === 'Z',
  changes,
})

export const reportCommands = (d: Edition) =>
  [
    command('reportX', 0x7c, '4.12', report, {
      claims: (data) => data.startsWith('X'),
      request: literal('X'),
    }),
    command('reportZ', 0x7c, '4.12', report, { changes: 'memory', request: literal('Z') }),
    command('paperJournal', 0x7c, '4.12', printing, {
      claims: (data) => data === 'E',
      request: literal('E'),
      limitMs: REPORT_MS,
    }),
    command('journalRead', 0x7c, '4.15', question, {
      allowedIn: 'betweenReceipts',
      claims: (data) => /^[jJ]/.test(data),
      streams: (data) => /^[jJ][08]/.test(data),
      variants: [{ when: ({ target }) => target === '1', ...printing }],
      request: journal,
      limitMs: REPORT_MS,
    }),
    command('articleDailyReport', 0x7f, '4.12', report, {
      variants: [clearing('memory')],
      request: row(d, [KIND]),
    }),
    command('departmentReport', 0x76, '4.12', report, {
      variants: [clearing('day')],
      request: row(d, [KIND]),
    }),
    command('articleReport', 0x7e, '4.12', report, {
      variants: [clearing('day')],
      request: row(d, [KIND]),
    }),
    command('operatorReport', 0x7d, '4.12', report, {
      variants: [clearing('day')],
      request: row(d, [KIND, number('operator', { max: 20 })]),
    }),
    command('memoryEvents', 0x77, '4.12', printing, {
      request: cells<{ readonly payments: boolean }>(d, {
        fields: {},
        write: (v) => (v.payments ? ['P'] : []),
        read: (r) => ({ payments: r.remaining > 0 && r.letter('payments', ['P']) === 'P' }),
      }),
      limitMs: REPORT_MS,
    }),
    command('memoryReport', 0x78, '4.12', memoryReport, { request: memoryRange(d, 4) }),
    // Command 78h with storage 8 sends the report to the host and prints nothing (sheet 4.15).
    command('archivedZ', 0x78, '4.15', question, {
      allowedIn: 'betweenReceipts',
      needs: ['clock'],
      claims: goesToHost,
      streams: () => true,
      request: memoryRange(d, 4),
      limitMs: REPORT_MS,
    }),
    command('memoryReportBrief', 0x79, '4.12', memoryReport, { request: memoryRange(d, 4) }),
    command('memoryReportByDate', 0x7a, '4.12', memoryReport, { request: memoryRange(d, 6) }),
    command('memoryReportByDateBrief', 0x7b, '4.12', memoryReport, {
      request: memoryRange(d, 6),
    }),
  ] as const
