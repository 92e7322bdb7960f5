/**
 * Commands that read registers (sheet 4.14). Amounts have 11 symbols in the edition c4 and in the payments of command
 * 6Eh; elsewhere they have no fixed width.
 */
import { formatMoney } from '../../../model/money.ts'
import { question } from '../../../wire/command.ts'
import { type FieldsOf, type Layout, ownUnit, type RowOf } from '../../../wire/row.ts'
import { cells, digits, readAmount, readTime, readWhole, syntaxError, writeDate } from '../cells.ts'
import { command } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import {
  amount, amounts, bit, factsOf, letter, number, ownField, put, type Row, type RowField, type RowFields, readRowValues, row, text,
  timeIfAny, type ValuesOf,
} from '../rows.ts' // biome-ignore format: one list
import { OPERATORS } from './actions.ts'

export interface CountAndSum {
  readonly count: number
  readonly sum: number
}

const grand = <const Name extends string>(name: Name): RowField<Name, number> => ({
  ...amount(name),
  write: (value) => formatMoney(value).padStart(14, ' '),
})
const FIVE = { digits: 5 } as const
const COUNT_AND_SUM = [ownField(number('count', FIVE)), amount('sum')] as const
const counted = <const Name extends string>(name: Name): RowField<Name, CountAndSum> => ({
  name,
  fact: { count: ownUnit('number'), sum: ownUnit('money') },
  write: (value, w) => put({ fields: COUNT_AND_SUM }, value, w),
  read: (r) => readRowValues({ fields: COUNT_AND_SUM }, r),
})

const registerRows = (d: Edition) => {
  const payments: RowField<'payments', readonly number[]> = {
    ...amounts('payments', d.payments),
    ...(d.name === 'c6' && { write: (values) => values.map((value) => formatMoney(value).padStart(11, ' ')) }),
  }
  const moved = { fields: [payments, ...COUNT_AND_SUM] } as const
  return {
    '0': { fields: [payments] },
    '1': {
      fields: [
        ownField(number('customers', FIVE)),
        counted('discounts'),
        counted('surcharges'),
        counted('corrections'),
      ],
    },
    '2': moved,
    '3': moved,
    '4': { fields: [payments] },
    '5': {
      fields: [
        ownField(number('reports', FIVE)),
        ownField(number('lastBlock', FIVE)),
        ownField(number('journal', FIVE)),
        timeIfAny('at'),
      ],
    },
    '6': { fields: [payments] },
    '7': { fields: [grand('turnover'), grand('vat')], tail: [grand('reversalTurnover'), grand('reversalVat')] },
    '9': { fields: [ownField(text('signature', 40))] },
  } as const
}
type RegisterRows = ReturnType<typeof registerRows>
export type Registers = {
  [Option in keyof RegisterRows]: { readonly option: Option } & ValuesOf<RegisterRows[Option]>
}[keyof RegisterRows]

const OPTIONS = ['0', '1', '2', '3', '4', '5', '6', '7', '9'] as const

const registers = <const Before extends RowFields>(d: Edition, before: Before): Layout<Registers & RowOf<Before>> => {
  type Values = Registers & RowOf<Before>
  const rows: Readonly<Record<Registers['option'], Row>> = registerRows(d)
  const all = { fields: [...before, ...Object.values(rows).flatMap(({ fields, tail = [] }) => [...fields, ...tail])] }
  return cells<Values>(d, {
    closed: true,
    fields: factsOf(all) as FieldsOf<Values>,
    write: (v, w) => [v.option, ...put({ fields: before }, v, w), ...put(rows[v.option], v, w)],
    read(r) {
      const option = r.letter('option', OPTIONS)
      return { option, ...readRowValues({ fields: before }, r), ...readRowValues(rows[option], r) } as unknown as Values
    },
  })
}

const FLAGS = {
  fields: [
    bit('voidForbidden'),
    ownField(bit('vatPrinted')),
    ownField(bit('detailed')),
    bit('payStarted'),
    bit('payFinished'),
    bit('powerDown'),
    // Types of c4 and cr: 0 receipt, 1 invoice. Types of c6: 0 and 2 sale, 1 and 3 invoice, 4 and 6 storno, 5 and 7
    // credit note.
    ownField(number('type', { max: 9 })),
    amount('change'),
    ownField(number('changeType', { max: 9 })),
  ],
} as const

export interface ReceiptState extends ValuesOf<typeof FLAGS> {
  readonly open: boolean
  readonly sales: number
  readonly turnover: readonly number[]
  /** Present only in the edition c6. */
  readonly current?: number
}

const receiptState = (d: Edition): Layout<ReceiptState> => {
  const early = d.name === 'cr' ? 5 : 3
  return cells(d, {
    closed: d.closedAnswers,
    fields: {
      sales: ownUnit('number'),
      turnover: ownUnit('money'),
      type: ownUnit('number'),
      change: ownUnit('money'),
      changeType: ownUnit('number'),
      current: ownUnit('number'),
      vatPrinted: ownUnit('choice'),
      detailed: ownUnit('choice'),
    },
    write(v, w) {
      const amounts = w.amounts(v.turnover)
      return [
        v.open ? '1' : '0',
        digits(v.sales, 3),
        ...amounts.slice(0, early),
        ...put(FLAGS, v, w),
        ...amounts.slice(early),
        ...(d.name === 'c6' ? [digits(v.current ?? 0, 6)] : []),
      ]
    },
    read(r) {
      const open = r.bit('open')
      const sales = r.remaining > 0 ? r.whole('sales') : 0
      const first = r.amounts('turnover', early)
      const flags = readRowValues(FLAGS, r)
      const turnover = [...first, ...r.amounts('turnover', d.taxClasses - early)]
      const state = { open, sales, turnover, ...flags }
      return d.name === 'c6' && r.remaining > 0 ? { ...state, current: r.whole('current') } : state
    },
  })
}

export interface ReceiptPayments {
  readonly open: boolean
  readonly payments: readonly number[]
}

export interface ReceiptCode {
  readonly memory: string
  readonly document: number
  readonly at: string
  readonly amount: number
}
const receiptCode: Layout<ReceiptCode> = {
  fields: {
    memory: ownUnit('text'),
    document: ownUnit('number'),
    at: ownUnit('time'),
    amount: ownUnit('money'),
  },
  write: (v) => `${v.memory}*${digits(v.document, 6)}*${v.at.replace('T', '*')}*${formatMoney(v.amount)}`,
  read(raw) {
    const [memory = '', document = '', date = '', time = '', amount = ''] = raw.split('*')
    return {
      memory,
      document: readWhole('document', document),
      at: `${date}T${time}`,
      amount: readAmount('amount', amount),
    }
  },
}

const NO_DAY = '00-00-0000'
const DAY: RowField<'day', string | undefined> = {
  name: 'day',
  fact: ownUnit('time'),
  write: (day) => (day === undefined ? NO_DAY : writeDate(day)),
  read(r) {
    const day = r.next('day')
    return day === NO_DAY ? undefined : readTime('day', `${day} 00:00`).slice(0, 10)
  },
}
const lastZ = (d: Edition) =>
  row(d, [DAY, ownField(number('number', { digits: 4 })), ownField(number('ramResets', { digits: 4 }))], {
    closed: d.name !== 'c6',
    // Fields of the edition c6. Values of `lastType`: 0 sale, 1 invoice, 2 non-fiscal, 4 storno, 5 credit note.
    tail: [
      ownField(number('receipts', { digits: 6 })),
      timeIfAny('lastReceiptAt'),
      ownField(number('journal')),
      ownField(number('lastType')),
    ],
  })

export interface LastDocument {
  readonly document: number
}
const lastDocument = (d: Edition): Layout<LastDocument> =>
  cells(d, {
    closed: d.lastDocument === 'four',
    fields: { document: ownUnit('number') },
    write({ document }) {
      switch (d.lastDocument) {
        // A number above 9999 is not cut and has five digits.
        case 'four':
          return [digits(document, 4)]
        case 'six':
          return [digits(document, 6)]
        case 'fourAndSeven':
          return [digits(document % 10_000, 4), digits(document, 7)]
      }
    },
    read(r) {
      const first = r.whole('document')
      return { document: r.remaining > 0 && r.peek() !== '' ? r.whole('document') : first }
    },
  })

export interface ElectronicAsk {
  readonly document: number
  readonly size?: string
}

export const registerCommands = (d: Edition) =>
  [
    command('daySums', 0x6d, '4.14', question, {
      // The sums of storno receipts exist only in the edition c6.
      response: row(d, [amounts('turnover', d.taxClasses), amount('total')], {
        tail: [amounts('reversals', d.taxClasses), amount('reversalTotal')],
      }),
    }),
    command('dayRegisters', 0x6e, '4.14', question, {
      // Option `:` shows the turnover on the display.
      variants: [{ when: ({ option }) => option === ':', changes: 'paper' }],
      request: row(d, [letter('option', [...OPTIONS, ':'])]),
      response: registers(d, []),
    }),
    command('operatorRegisters', 0x6f, '4.14', question, {
      request: row(d, [letter('option', ['1', '2', '3', '4', '5', '6']), number('operator', OPERATORS)]),
      response: registers(d, [number('operator')]),
    }),
    command('lastDocument', 0x71, '4.14', question, { response: lastDocument(d) }),
    command('transactionStatus', 0x72, '4.14', question, { response: receiptState(d) }),
    command('receiptPayments', 0x72, '4.14', question, {
      claims: (data) => data.startsWith('P'),
      request: cells<Record<never, never>>(d, {
        fields: {},
        write: () => ['P'],
        read(r) {
          r.letter('option', ['P'])
          return {}
        },
      }),
      response: cells<ReceiptPayments>(d, {
        fields: { payments: ownUnit('money') },
        write: (v, w) => ['P', v.open ? '1' : '0', ...w.amounts(v.payments)],
        read(r) {
          r.letter('option', ['P'])
          return { open: r.bit('open'), payments: r.amounts('payment', d.payments) }
        },
      }),
    }),
    command('receiptCode', 0x72, '4.14', question, {
      claims: (data) => /^[Bb]/.test(data),
      request: cells<{ document?: number }>(d, {
        fields: { document: 'number' },
        write: (v) => (v.document === undefined ? ['B'] : ['b', digits(v.document, 6)]),
        read: (r) => (r.letter('option', ['B', 'b']) === 'B' ? {} : { document: r.whole('document', { min: 1 }) }),
      }),
      response: receiptCode,
    }),
    command('electronicReceipt', 0x72, '4.14', question, {
      claims: (data) => /^[eE]/.test(data),
      streams: () => true,
      request: cells<ElectronicAsk>(d, {
        fields: { document: 'number', size: 'text' },
        write: (v) => [
          v.size === undefined ? 'e' : 'E',
          digits(v.document, 6),
          ...(v.size === undefined ? [] : [v.size]),
        ],
        read(r) {
          const option = r.letter('option', ['e', 'E'])
          const document = r.whole('document', { min: 1 })
          if (option === 'e') return { document }
          const size = r.next('size')
          if (size.length !== 1) throw syntaxError('size', 'must be one symbol')
          return { document, size }
        },
      }),
    }),
    command('lastZ', 0x73, '4.14', question, { response: lastZ(d) }),
    command('memoryDump', 0x75, '4.14', question, { streams: () => true }),
  ] as const
