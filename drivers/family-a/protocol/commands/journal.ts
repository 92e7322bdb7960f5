/** Commands of the electronic journal (sheet 6.12, which lists the document types 0 to 10). */
import { question } from '../../../wire/command.ts'
import { int, optional, own } from '../../../wire/field.ts'
import { command, printing } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { closure, document, only, signed, words } from '../fields.ts'
import { byForm, byOption, nothing, tabs } from '../layouts.ts'
import { time } from '../time.ts'

const REPORT_MS = 120_000
export const CLOSURE = 2
const type = int('type', { min: 0, max: 10 })

const selection = tabs([document('number'), type])
const ignored = tabs([optional(document('number')), optional(type)], 2)
const text = own(words('text', { max: 200 }))

const closures = tabs([closure('first'), closure('last')])

export const journalCommands = (d: Edition) =>
  [
    command('journalSearch', 124, '6.12', question, {
      request: tabs([optional(time('from')), optional(time('to')), optional(type)], 3),
      /** The edition ro sends the number of a Z report before each document number. */
      response: tabs([
        time('from'),
        time('to'),
        ...only(d, 'ro', closure('firstClosure')),
        document('first'),
        ...only(d, 'ro', closure('lastClosure')),
        document('last'),
      ]),
      limitMs: REPORT_MS,
    }),
    command('journalRead', 125, '6.12', question, {
      variants: [
        { when: ({ option }) => option === '3' || option === '13', ...printing },
        { when: (ask) => ask.option === '0' && ask.type === CLOSURE, runsAs: 'archivedZ' },
      ],
      request: byOption(
        {
          '0': selection,
          '1': ignored,
          '2': ignored,
          '3': selection,
          '8': tabs([optional(document('number')), optional(type)], 0),
          '9': tabs([document('first'), document('last')]),
          /** The log of a range of Z reports: 10 selects the range, 11 reads the next line, 13 prints the log. */
          '10': closures,
          '11': nothing,
          '13': closures,
          /** The whole journal of a range of Z reports: 20 selects the range, 21 reads the next line. */
          '20': closures,
          '21': nothing,
        },
        d.name === 'bg' ? ['10', '11', '13', '20', '21'] : ['8', '9'],
      ),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        text: { when: (pieces) => pieces.length === 1, layout: tabs([text]) },
        document: {
          when: (pieces) => pieces.length === (d.name === 'ro' ? 6 : 5),
          /** The edition ro numbers fiscal receipts within their Z report, whose number precedes theirs. */
          layout: tabs([
            document(),
            ...only(d, 'ro', closure('closureOfNumber')),
            document('number'),
            time('at'),
            type,
            closure(),
          ]),
        },
        row: {
          when: () => true,
          layout: tabs([
            own(words('device', { max: 8 })),
            own(words('kind', { max: 40 })),
            document(),
            own(words('saleNumber', { max: 21 })),
            own(words('name', { max: 72 })),
            signed('price'),
            own(words('quantity', { max: 14 })),
            signed('value'),
            signed('total'),
            own(words('invoice', { max: 10 })),
            own(words('buyer', { max: 14 })),
            own(words('reversedReceipt', { max: 10 })),
            own(words('reversedInvoice', { max: 10 })),
            own(words('reason', { max: 60 })),
          ]),
        },
      }),
      limitMs: REPORT_MS,
    }),
    /**
     * Files for the tax authority (sheet 9.1): option 0 selects the files of some days or Z reports, or one file by
     * name; option 1 reads the selected data piece by piece.
     */
    command('exportFiles', 128, '9.1', question, {
      editions: ['ro'],
      request: byOption({
        '0': tabs([words('first', { min: 1, max: 40 }), optional(words('last', { max: 20 }))], 1),
        '1': nothing,
      }),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        text: { when: () => true, layout: tabs([text]) },
      }),
      limitMs: REPORT_MS,
    }),
  ] as const
