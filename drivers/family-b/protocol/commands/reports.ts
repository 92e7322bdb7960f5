import { type Change, question } from '../../../wire/command.ts'
import { int, optional, raw } from '../../../wire/field.ts'
import { type FieldsOf, type Layout, ownUnit, row } from '../../../wire/row.ts'
import { command, printing } from '../command-facts.ts'
import { date, readRate, readSums, SUMS, type Sums, writeRate, writeSums } from '../numbers.ts'
import { badForm, COMMAS, doneOrFailed, ignoredData } from './rows.ts'

export interface DailyReportRequest {
  /**
   * 0 and 1 are Z reports, 2 and 3 X reports; 5 returns the free lines of the journal; 6 is a Z report that is not
   * printed; 8 and 9 are periodic reports by departments. Defaults to a Z report.
   */
  readonly item?: number
  readonly keepOperators: boolean
}

const dailyRequest: Layout<DailyReportRequest> = {
  fields: { item: 'number' },
  write: ({ item, keepOperators }) => `${item ?? ''}${keepOperators ? 'N' : ''}`,
  read(raw) {
    const match = /^([01235689])?(N)?$/.exec(raw)
    if (!match) throw badForm('report', raw)
    return { ...(match[1] === undefined ? {} : { item: Number(match[1]) }), keepOperators: match[2] !== undefined }
  },
}

type DailyReportAnswer =
  | ({ readonly kind: 'report'; readonly closure: number } & Sums)
  | { readonly kind: 'journal'; readonly free: number; readonly total?: number }
  /** The reports by departments return no data. */
  | { readonly kind: 'none' }

const dailyAnswer: Layout<DailyReportAnswer> = {
  fields: { closure: ownUnit('number'), ...SUMS, free: ownUnit('number'), total: ownUnit('number') },
  write(values) {
    switch (values.kind) {
      case 'report':
        return [String(values.closure).padStart(4, '0'), ...writeSums(values)].join(',')
      case 'journal':
        return [values.free, ...(values.total === undefined ? [] : [values.total])].join(',')
      case 'none':
        return ''
    }
  },
  read(raw) {
    if (raw === '') return { kind: 'none' }
    const pieces = raw.split(',')
    if (pieces.some((piece) => !/^-?\d+(\.\d+)?$/.test(piece))) throw badForm('report', raw)
    const [first = '', ...rest] = pieces
    if (rest.length < 2) {
      return { kind: 'journal', free: Number(first), ...(rest[0] === undefined ? {} : { total: Number(rest[0]) }) }
    }
    return { kind: 'report', closure: Number(first), ...readSums('sum', rest) }
  },
}

const REPORT_MS = 90_000

const report = { ...printing, asText: true, limitMs: REPORT_MS } as const

export const isZ = (item = 0): boolean => item === 0 || item === 1 || item === 6
export const isX = (item = 0): boolean => item === 2 || item === 3

/**
 * Declares a daily report. Without data it is a Z report. Items 5, 8 and 9 are neither Z nor X reports, so they run
 * under the command's own name. `free`: the change that item 5 makes.
 */
const daily = <const Name extends string>(name: Name, code: number, free: Change) =>
  command(name, code, '10.7', report, {
    changes: 'memory',
    runsAs: 'reportZ',
    variants: [
      { when: ({ item }: DailyReportRequest) => isZ(item), once: true },
      { when: ({ item }: DailyReportRequest) => isX(item), changes: 'paper', runsAs: 'reportX' },
      { when: ({ item }: DailyReportRequest) => item === 5, changes: free, prints: false, runsAs: name },
      { when: ({ item }: DailyReportRequest) => item === 6, prints: false, editions: ['b8'] },
      { when: ({ item }: DailyReportRequest) => item === 8 || item === 9, changes: 'paper', runsAs: name },
    ],
    request: dailyRequest,
    response: dailyAnswer,
    fiscal: true,
  })

/** 0 gross sums, 1 net sums, 2 taxes, 3 rates. 4, 5 and 6 mean the same as 0, 1 and 2, over a range. */
const option = int('option', { min: 0, max: 6 })

export type ArchiveAnswer =
  | ({ readonly result: 'sums' } & Sums)
  | { readonly result: 'rates'; readonly rates: readonly (number | null)[] }
  | { readonly result: 'damaged' | 'absent' }

const archiveAnswer: Layout<ArchiveAnswer> = {
  fields: { ...SUMS, rates: ownUnit('percent') },
  write(values) {
    switch (values.result) {
      case 'sums':
        return ['P', ...writeSums(values)].join(',')
      case 'rates':
        return ['P', ...values.rates.map(writeRate)].join(',')
      case 'damaged':
        return 'F'
      case 'absent':
        return 'E'
    }
  },
  read(raw) {
    if (raw === 'F') return { result: 'damaged' }
    if (raw === 'E') return { result: 'absent' }
    const [letter, ...rest] = raw.split(',')
    if (letter !== 'P' || rest.length === 0) throw badForm('archive', raw)
    return rest.every((piece) => piece.includes('.'))
      ? { result: 'rates', rates: rest.map(readRate) }
      : { result: 'sums', ...readSums('sum', rest) }
  },
}

const number = <Name extends string>(name: Name) => int(name, { min: 0, max: 9_999 })

const PAYMENTS = ',PAY'

type WithPayments<T> = T & { readonly payments?: boolean }

const byNumber = withPayments(row(COMMAS, [number('from'), number('to')]))
const byDate = withPayments(row(COMMAS, [date('from'), date('to')]))

const memoryReport = {
  ...report,
  runsAs: 'memoryReport',
  variants: [{ when: ({ payments }: { readonly payments?: boolean }) => payments === true, editions: ['b8'] }],
} as const

export const reportCommands = [
  daily('dailyReport', 69, 'nothing'),
  daily('dailyReportWithArticles', 108, 'paper'),
  command('archivedZ', 114, '10.7', question, {
    request: row(COMMAS, [number('number'), option, optional(number('to'))]),
    response: archiveAnswer,
  }),
  command('archivedZByDate', 146, '10.7', question, {
    request: row(COMMAS, [date('date'), option, optional(date('to'))]),
    response: archiveAnswer,
  }),
  command('memoryReportByNumber', 73, '10.7', memoryReport, { request: byNumber }),
  command('memoryReportShortByNumber', 95, '10.7', memoryReport, { request: byNumber }),
  command('memoryReportByDate', 94, '10.7', memoryReport, { request: byDate }),
  command('memoryReportShortByDate', 79, '10.7', memoryReport, { request: byDate }),
  /** Unlocks the reports of the fiscal memory on firmware that locks them (sheet 2). */
  command('memoryPassword', 192, '2', question, {
    changes: 'memory',
    request: row(COMMAS, [raw('password', { min: 1, max: 16 })]),
  }),
  command('operatorsReport', 105, '10.8', report, { request: ignoredData }),
  /** Clears the totals of one operator; without data, of all operators. */
  command(
    'clearOperators',
    104,
    '10.8',
    { changes: 'day', prints: true, allowedIn: 'betweenReceipts' },
    {
      request: row(COMMAS, [optional(int('operator', { min: 1, max: 99 })), optional(raw('password', { max: 6 }))]),
      limitMs: REPORT_MS,
    },
  ),
  /** `clear`: 0 keeps the turnover of the articles, 1 clears it. */
  command('articlesReport', 111, '10.8', report, {
    variants: [{ when: ({ clear }) => clear === 1, changes: 'day' }],
    request: row(COMMAS, [
      optional(int('clear', { min: 0, max: 1 })),
      optional(int('from', { min: 1, max: 999_999 })),
      optional(int('to', { min: 1, max: 999_999 })),
    ]),
    response: doneOrFailed,
  }),
  command('departmentsReport', 165, '10.8', report, {
    request: ignoredData,
    response: doneOrFailed,
  }),
  command('parametersReport', 166, '10.8', report, {
    request: ignoredData,
    response: doneOrFailed,
  }),
  command('diagnosticsReport', 71, '10.8', report),
] as const

function withPayments<T extends object>(inner: Layout<T>): Layout<WithPayments<T>> {
  return {
    fields: inner.fields as unknown as FieldsOf<WithPayments<T>>,
    write: (values, page) => inner.write(values, page) + (values.payments ? PAYMENTS : ''),
    read: (raw, page) =>
      raw.endsWith(PAYMENTS)
        ? { ...inner.read(raw.slice(0, -PAYMENTS.length), page), payments: true }
        : inner.read(raw, page),
  }
}
