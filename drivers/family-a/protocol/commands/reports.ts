import { question } from '../../../wire/command.ts'
import { int, money, optional } from '../../../wire/field.ts'
import { command, printed } from '../facts.ts'
import { byForm, byOption, count, many, nothing, numbered, signed, sum, sums, tabs, words, yesNo } from '../fields.ts'
import { date, longTime } from '../time.ts'

/** Money and reports: sheet 6.6. */
const SLOW_MS = 60_000
const REPORT_MS = 120_000
const slow = { fiscal: true, limitMs: REPORT_MS } as const

const sumsOf = { turnover: '0', tax: '1', reversals: '2', reversalTax: '3' } as const

const detail = numbered('detail', { short: '0', detailed: '1' })

const onPaper = { when: (pieces: readonly string[]) => pieces.length === 0, layout: nothing }

export const reportCommands = [
  command({
    name: 'cashInOut',
    code: 70,
    source: '6.6',
    ...printed,
    changes: 'day',
    variants: [{ when: ({ amount = 0 }) => amount === 0, changes: 'nothing', prints: false, needs: [] }],
    request: tabs(
      [
        numbered('kind', { in: '0', out: '1', foreignIn: '2', foreignOut: '3' }),
        optional(money('amount', { min: 0, max: 999_999_999 })),
      ],
      2,
    ),
    /** `cashOut` has a minus sign. */
    response: tabs([signed('drawer'), sum('cashIn'), signed('cashOut')]),
    fiscal: true,
    limitMs: SLOW_MS,
  }),
  command({
    name: 'report',
    code: 69,
    source: '6.6',
    ...printed,
    variants: [
      { when: ({ option }) => option === 'X', runsAs: 'reportX' },
      { when: ({ option }) => option === 'Z', runsAs: 'reportZ', changes: 'memory' },
    ],
    request: byOption({
      X: nothing,
      Z: nothing,
      D: nothing,
      G: nothing,
      P: tabs([numbered('of', { payments: '1', departments: '2', items: '3' }), date('from'), date('to')]),
    }),
    response: byForm({
      none: { when: (pieces) => pieces.length === 0, layout: nothing },
      sums: {
        when: () => true,
        layout: tabs([int('number', { min: 0, max: 9_999 }), sums('sales'), sums('reversals')]),
      },
    }),
    ...slow,
  }),
  command({
    name: 'lastClosure',
    code: 64,
    source: '6.6',
    ...question,
    request: tabs([optional(numbered('of', sumsOf))], 0),
    response: tabs([int('number', { min: 0, max: 9_999 }), sums('sums'), date('date')]),
  }),
  command({
    name: 'daySums',
    code: 65,
    source: '6.6',
    ...question,
    request: tabs([optional(numbered('of', sumsOf))], 0),
    response: tabs([int('number', { min: 0, max: 9_999 }), sums('sums')]),
  }),
  command({ name: 'closuresLeft', code: 68, source: '6.6', ...question, response: tabs([count('left')]) }),
  command({ name: 'lastFiscalRecord', code: 86, source: '6.6', ...question, response: tabs([longTime('at')]) }),
  command({
    name: 'memoryReportByDate',
    code: 94,
    source: '6.6',
    ...printed,
    request: tabs([detail, optional(date('from')), optional(date('to'))], 1),
    ...slow,
  }),
  command({
    name: 'memoryReport',
    code: 95,
    source: '6.6',
    ...printed,
    request: tabs(
      [detail, optional(int('from', { min: 1, max: 9_999 })), optional(int('to', { min: 1, max: 9_999 }))],
      1,
    ),
    ...slow,
  }),
  command({
    name: 'operatorsReport',
    code: 105,
    source: '6.6',
    ...printed,
    variants: [{ when: ({ clear }) => clear === true, changes: 'day' }],
    request: tabs(
      [
        optional(int('first', { min: 1, max: 30 })),
        optional(int('last', { min: 1, max: 30 })),
        optional(yesNo('clear')),
      ],
      0,
    ),
    ...slow,
  }),
  command({
    name: 'articlesReport',
    code: 111,
    source: '6.6',
    ...printed,
    variants: [{ when: ({ of }) => of === 'turnoverAndClear', changes: 'day' }],
    request: tabs(
      [
        numbered('of', { turnover: '0', turnoverAndClear: '1', parameters: '2', stock: '3' }),
        optional(int('first', { min: 1, max: 999_999 })),
        optional(int('last', { min: 1, max: 999_999 })),
      ],
      1,
    ),
    ...slow,
  }),
  command({
    name: 'dayCounters',
    code: 110,
    source: '6.6',
    ...question,
    request: tabs(
      [
        optional(
          numbered('of', {
            payments: '0',
            reversalPayments: '1',
            sales: '2',
            adjustments: '3',
            corrections: '4',
            cash: '5',
          }),
        ),
      ],
      0,
    ),
    response: byForm({
      /** Payment modes 0 to 5, then foreign currency. */
      payments: { when: (pieces) => pieces.length === 7, layout: tabs([many('amounts', 7, signed('amount'))]) },
      sales: { when: (pieces) => pieces.length === 2, layout: tabs([count('clients'), signed('total')]) },
      /** Surcharges and discounts, or voids and cancelled receipts. */
      pair: {
        when: (pieces) => pieces.length === 4,
        layout: tabs([count('firstCount'), signed('firstSum'), count('secondCount'), signed('secondSum')]),
      },
      cash: {
        when: (pieces) => pieces.length === 8,
        layout: tabs([
          count('inCount'),
          signed('inSum'),
          count('outCount'),
          signed('outSum'),
          count('foreignInCount'),
          signed('foreignInSum'),
          count('foreignOutCount'),
          signed('foreignOutSum'),
        ]),
      },
    }),
  }),
  command({
    name: 'operatorTotals',
    code: 112,
    source: '6.6',
    ...question,
    request: tabs([int('operator', { min: 1, max: 30 })]),
    response: tabs([
      count('receipts'),
      signed('total'),
      count('discounts'),
      signed('discountSum'),
      count('surcharges'),
      signed('surchargeSum'),
      count('voids'),
      signed('voidSum'),
    ]),
  }),
  command({
    name: 'groupTotals',
    code: 87,
    source: '6.6',
    ...question,
    variants: [{ when: ({ number }) => number === undefined, ...printed }],
    request: tabs([optional(int('number', { min: 1, max: 99 }))], 0),
    response: byForm({
      printed: onPaper,
      totals: { when: () => true, layout: tabs([count('sales'), signed('salesSum'), words('name', { max: 72 })]) },
    }),
    ...slow,
  }),
  command({
    name: 'departmentTotals',
    code: 88,
    source: '6.6',
    ...question,
    variants: [{ when: ({ number }) => number === undefined, ...printed }],
    request: tabs([optional(int('number', { min: 1, max: 99 }))], 0),
    response: byForm({
      printed: onPaper,
      totals: {
        when: () => true,
        layout: tabs([
          int('taxCode', { min: 1, max: 8 }),
          money('price'),
          count('sales'),
          signed('salesSum'),
          count('reversals'),
          signed('reversalSum'),
          words('name', { max: 72 }),
        ]),
      },
    }),
    ...slow,
  }),
] as const
