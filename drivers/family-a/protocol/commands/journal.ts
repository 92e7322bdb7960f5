import { question } from '../../../wire/command.ts'
import { int, optional } from '../../../wire/field.ts'
import { command, printed } from '../facts.ts'
import { byForm, byOption, document, nothing, signed, tabs, words } from '../fields.ts'
import { time } from '../time.ts'

/** Electronic journal: sheet 6.12. Document types 0 to 10 are those of its table. */
const REPORT_MS = 120_000
/** Of a document: a Z report. */
const CLOSURE = 2
const type = int('type', { min: 0, max: 10 })

/** Number and type select the document; the lines that follow are read one by one. */
const selection = tabs([document('number'), type])
const ignored = tabs([optional(document('number')), optional(type)], 2)
const text = words('text', { max: 200 })

export const journalCommands = [
  command({
    name: 'journalSearch',
    code: 124,
    source: '6.12',
    ...question,
    request: tabs([optional(time('from')), optional(time('to')), optional(type)], 3),
    response: tabs([time('from'), time('to'), document('first'), document('last')]),
    limitMs: REPORT_MS,
  }),
  command({
    name: 'journalRead',
    code: 125,
    source: '6.12',
    ...question,
    variants: [
      { when: ({ option }) => option === '3', ...printed },
      { when: (ask) => ask.option === '0' && ask.type === CLOSURE, runsAs: 'archivedZ' },
    ],
    request: byOption({
      '0': selection,
      '1': ignored,
      '2': ignored,
      '3': selection,
      '8': tabs([optional(document('number')), optional(type)], 0),
      '9': tabs([document('first'), document('last')]),
    }),
    response: byForm({
      none: { when: (pieces) => pieces.length === 0, layout: nothing },
      text: { when: (pieces) => pieces.length === 1, layout: tabs([text]) },
      document: {
        when: (pieces) => pieces.length === 5,
        layout: tabs([document(), document('number'), time('at'), type, int('closure', { min: 0, max: 9_999 })]),
      },
      row: {
        when: () => true,
        layout: tabs([
          words('device', { max: 8 }),
          words('kind', { max: 40 }),
          document(),
          words('saleNumber', { max: 21 }),
          words('name', { max: 72 }),
          signed('price'),
          words('quantity', { max: 14 }),
          signed('value'),
          signed('total'),
          words('invoice', { max: 10 }),
          words('buyer', { max: 14 }),
          words('reversedReceipt', { max: 10 }),
          words('reversedInvoice', { max: 10 }),
          words('reason', { max: 60 }),
        ]),
      },
    }),
    limitMs: REPORT_MS,
  }),
] as const
