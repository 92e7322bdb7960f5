import { question } from '../../../wire/command.ts'
import { int, money, optional, own } from '../../../wire/field.ts'
import { command, printing } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { closure, count, many, numbered, numberedIn, only, signed, sum, sums, words, yesNo } from '../fields.ts'
import { type AnyLayout, byForm, byOption, nothing, tabs } from '../layouts.ts'
import { date, longTime, plainTime } from '../time.ts'

const SLOW_MS = 60_000
const REPORT_MS = 120_000
const slow = { fiscal: true, limitMs: REPORT_MS } as const

const closed = { turnover: '0', tax: '1' } as const
const withReversals = { ...closed, reversals: '2', reversalTax: '3' } as const
const withInvoices = { ...closed, invoices: '2', invoiceTax: '3' } as const

/**
 * Detail of a memory report. In the edition ro, `begin` starts a report and `next` returns its next line; both print
 * nothing (sheet 9.1). The sources do not name the number of `begin`, so the emulator uses 2.
 */
const detail = (d: Edition) =>
  numberedIn('detail', d, {
    bg: { short: '0', detailed: '1' },
    ro: { short: '0', detailed: '1', begin: '2', next: '3' },
  })
const isRead = ({ detail: how }: { readonly detail: string }): boolean => how === 'begin' || how === 'next'
const reading = { when: isRead, ...question, needs: [], editions: ['ro'] } as const
const memoryReportAnswer = byForm({
  printed: { when: (pieces) => pieces.length === 0, layout: nothing },
  text: { when: () => true, layout: tabs([own(words('text', { max: 200 }))]) },
})

const paymentCount = ({ name }: Edition): number => (name === 'ro' ? 8 : 7)

const onPaper = { when: (pieces: readonly string[]) => pieces.length === 0, layout: nothing }

/** Layout of commands that return the totals of one number. Without a number they print the totals of all. */
const oneNumberLayout = {
  ...question,
  variants: [{ when: ({ number }: { readonly number?: number | undefined }) => number === undefined, ...printing }],
  request: tabs([optional(int('number', { min: 1, max: 99 }))], 0),
  ...slow,
} as const
const totals = <L extends AnyLayout>(layout: L) => byForm({ printed: onPaper, totals: { when: () => true, layout } })

export const reportCommands = (d: Edition) =>
  [
    command('cashInOut', 70, '6.6', printing, {
      changes: 'day',
      variants: [{ when: ({ amount = 0 }) => amount === 0, changes: 'nothing', prints: false, needs: [] }],
      request: tabs(
        [
          numbered('kind', { in: '0', out: '1', foreignIn: '2', foreignOut: '3' }),
          optional(money('amount', { min: 0, max: 999_999_999 })),
        ],
        2,
      ),
      /** `cashOut` is negative. */
      response: tabs([signed('drawer'), sum('cashIn'), signed('cashOut')]),
      fiscal: true,
      limitMs: SLOW_MS,
    }),
    command('report', 69, '6.6', printing, {
      variants: [
        { when: ({ option }) => option === 'X', runsAs: 'reportX' },
        { when: ({ option }) => option === 'Z', runsAs: 'reportZ', changes: 'memory', once: true },
      ],
      request: byOption(
        {
          X: nothing,
          Z: nothing,
          D: nothing,
          G: nothing,
          /** `P` is the periodic report of the edition bg, `E` the register report of the edition ro. */
          P: tabs([numbered('of', { payments: '1', departments: '2', items: '3' }), date('from'), date('to')]),
          E: nothing,
        },
        d.name === 'bg' ? ['E'] : ['P'],
      ),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        sums: {
          when: () => true,
          /** The exempt group of the edition ro is the last group. The sum of the invoices and their tax follow it. */
          layout: tabs([
            closure('number'),
            sums('sales', d),
            ...only(d, 'bg', sums('reversals', d)),
            ...only(d, 'ro', sum('invoices'), sum('invoiceTax')),
          ]),
        },
      }),
      ...slow,
    }),
    command('lastClosure', 64, '6.6', question, {
      request: tabs([optional(numberedIn('of', d, { bg: withReversals, ro: closed }))], 0),
      response: tabs([
        closure('number'),
        sums('sums', d),
        ...only(d, 'bg', date('date')),
        ...only(d, 'ro', sum('invoices'), plainTime('at')),
      ]),
    }),
    command('daySums', 65, '6.6', question, {
      request: tabs([optional(numberedIn('of', d, { bg: withReversals, ro: withInvoices }))], 0),
      response: tabs([closure('number'), sums('sums', d)]),
    }),
    command('closuresLeft', 68, '6.6', question, { response: tabs([count('left')]) }),
    command('lastFiscalRecord', 86, '6.6', question, { response: tabs([longTime('at')]) }),
    command('memoryReportByDate', 94, '6.6', printing, {
      variants: [reading],
      request: tabs([detail(d), optional(date('from')), optional(date('to'))], 1),
      response: memoryReportAnswer,
      ...slow,
    }),
    command('memoryReport', 95, '6.6', printing, {
      variants: [reading],
      request: tabs(
        [detail(d), optional(int('from', { min: 1, max: 9_999 })), optional(int('to', { min: 1, max: 9_999 }))],
        1,
      ),
      response: memoryReportAnswer,
      ...slow,
    }),
    command('operatorsReport', 105, '6.6', printing, {
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
    command('articlesReport', 111, '6.6', printing, {
      variants: [{ when: ({ of }) => of === 'turnoverAndClear' || of === 'summaryAndClear', changes: 'day' }],
      request: tabs(
        [
          numberedIn('of', d, {
            bg: { turnover: '0', turnoverAndClear: '1', parameters: '2', stock: '3' },
            ro: {
              turnover: '0',
              summary: '1',
              turnoverAndClear: '2',
              summaryAndClear: '3',
              parameters: '4',
              stock: '5',
            },
          }),
          optional(int('first', { min: 1, max: 999_999 })),
          optional(int('last', { min: 1, max: 999_999 })),
        ],
        1,
      ),
      ...slow,
    }),
    command('dayCounters', 110, '6.6', question, {
      request: tabs(
        [
          optional(
            numberedIn('of', d, {
              bg: {
                payments: '0',
                reversalPayments: '1',
                sales: '2',
                adjustments: '3',
                corrections: '4',
                cash: '5',
              },
              ro: { payments: '0', sales: '2', adjustments: '3', corrections: '4', cash: '5' },
            }),
          ),
        ],
        0,
      ),
      response: byForm({
        /** Payment modes from 0 on, then foreign currency: 0 to 5 in the edition bg, 0 to 6 in ro. */
        payments: {
          when: (pieces) => pieces.length === paymentCount(d) && pieces[0]?.includes('.') === true,
          layout: tabs([many('amounts', paymentCount(d), signed('amount'))]),
        },
        sales: { when: (pieces) => pieces.length === 2, layout: tabs([count('clients'), signed('total')]) },
        /** Surcharges and discounts, or voids and cancelled receipts: a count and a sum each. */
        pair: {
          when: (pieces) => pieces.length === 4,
          layout: tabs([count('firstCount'), signed('firstSum'), count('secondCount'), signed('secondSum')]),
        },
        /**
         * Cash in, cash out, and both in foreign currency; in the edition ro also surcharges and discounts, of rows and
         * of the subtotal.
         */
        pairs: {
          when: (pieces) => pieces.length === 8,
          layout: tabs([
            count('firstCount'),
            signed('firstSum'),
            count('secondCount'),
            signed('secondSum'),
            count('thirdCount'),
            signed('thirdSum'),
            count('fourthCount'),
            signed('fourthSum'),
          ]),
        },
      }),
    }),
    command('operatorTotals', 112, '6.6', question, {
      request: tabs([int('operator', { min: 1, max: 30 })]),
      response: tabs([
        count('receipts'),
        signed('total'),
        count('discounts'),
        signed('discountSum'),
        ...only(
          d,
          'ro',
          count('rowDiscounts'),
          signed('rowDiscountSum'),
          count('totalDiscounts'),
          signed('totalDiscountSum'),
        ),
        count('surcharges'),
        signed('surchargeSum'),
        count('voids'),
        signed('voidSum'),
      ]),
    }),
    command('groupTotals', 87, '6.6', oneNumberLayout, {
      response: totals(tabs([count('sales'), signed('salesSum'), own(words('name', { max: 72 }))])),
    }),
    command('departmentTotals', 88, '6.6', oneNumberLayout, {
      response: totals(
        tabs([
          ...only(d, 'bg', own(int('taxCode', { min: 1, max: 8 })), own(money('price'))),
          count('sales'),
          signed('salesSum'),
          ...only(d, 'bg', count('reversals'), signed('reversalSum')),
          own(words('name', { max: 72 })),
        ]),
      ),
    }),
  ] as const
