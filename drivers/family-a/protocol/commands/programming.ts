import { question, setting } from '../../../wire/command.ts'
import { choice, FieldError, int, optional, own, raw } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command, printing } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { blank, closure, count, limit, many, numbered, only, rate, splitTabs, TAB, words, yesNo } from '../fields.ts'
import { byForm, byOption, nothing, tabs, withRule } from '../layouts.ts'
import { date, plainTime } from '../time.ts'

const invoiceNumber = (name: 'first' | 'second') => optional(int(name, { min: 1, max: 9_999_999_999 }))

const password = (name: 'password') => words(name, { min: 1, max: 8, pattern: /^\d+$/ })

/** `POWEROFF` ends the session and restarts the device. */
const uploadWord = choice('word', {
  START: 'START',
  STOP: 'STOP',
  STOPP: 'STOPP',
  RESTART: 'RESTART',
  POWEROFF: 'POWEROFF',
})
type UploadWord = Parameters<typeof uploadWord.write>[0]

export type Upload = { readonly word: UploadWord } | { readonly piece: string }

const upload: Layout<Upload> = {
  fields: { piece: 'text' },
  write: (values) => ('word' in values ? values.word : values.piece) + TAB,
  read(data, page) {
    const [first = '', ...otherFields] = splitTabs(data)
    if (first === '' || otherFields.length > 0) throw new FieldError('piece', 'syntax', 'one field is expected')
    if (/^(START|STOPP?|RESTART|POWEROFF)$/.test(first)) return { word: uploadWord.read(first, page) }
    if (!/^[A-Za-z0-9+/]{1,72}={0,2}$/.test(first)) throw new FieldError('piece', 'value', 'is not base64', 1)
    return { piece: first }
  },
}
const uploaded = byForm({
  none: { when: (pieces) => pieces.length === 0, layout: nothing },
  checksum: { when: () => true, layout: tabs([words('checksum', { max: 8 })]) },
})

const client = int('client', { min: 1, max: 1_000 })
const clientsFrom = tabs([optional(client)], 0)

/** The content of a client record is not published; the house layout has the fields of command 57 (sheet 6.4). */
const clientFields = [
  client,
  words('buyer', { min: 1, max: 36 }),
  numbered('numberType', { company: '0', personal: '1', foreigner: '2', service: '3' }),
  words('taxNumber', { min: 8, max: 13, pattern: /^[0-9A-Za-z]+$/ }),
  optional(words('receiver', { max: 36 })),
  optional(words('vatNumber', { max: 14 })),
  optional(words('address1', { max: 36 })),
  optional(words('address2', { max: 36 })),
] as const

const removedClients: Layout<{ readonly first: number | 'all'; readonly last?: number }> = {
  fields: { first: 'number', last: 'number' },
  write: ({ first, last }) => `${first === 'all' ? 'A' : first}\t${last === undefined ? '' : `${last}\t`}`,
  read(data, page) {
    if (/^A\t?\t?$/.test(data)) return { first: 'all' }
    const { client: first, last } = tabs([client, optional(int('last', { min: 1, max: 1_000 }))], 1).read(data, page)
    return { first, ...(last === undefined ? {} : { last }) }
  },
}

/**
 * Parameters that may be written while a receipt is open, because they change neither printed nor counted values. The
 * list is a choice of this project; no source has one.
 */
const FREE_PARAMETERS =
  /^(PrnQuality|BarCodeHeight|BarcodeName|AutoPaperCutting|PaperCuttingType|TimeOutBeforePrintFlush|AutoPowerOff)$/

type Rates = readonly (number | null | undefined)[]

/**
 * Edition bg: the rates of all groups, and the decimals of amounts. Edition ro: one to five rates; omitted rates do not
 * change.
 */
function newRates(d: Edition): Layout<{ readonly rates: Rates; readonly decimals?: 'none' | 'two' | undefined }> {
  if (d.name === 'bg') {
    const all = tabs([many('rates', d.taxGroups, rate('rate', d)), numbered('decimals', { none: '0', two: '2' })])
    return all as unknown as ReturnType<typeof newRates>
  }
  const some = tabs([many('rates', PROGRAMMED_RATES, optional(rate('rate', d)))])
  return {
    fields: { rates: 'percent', decimals: 'choice' },
    write: ({ rates }, page) => some.write({ rates: filled(rates, undefined) }, page),
    read(data, page) {
      const pieces = splitTabs(data)
      if (pieces.length === 0) throw new FieldError('rates', 'syntax', 'is missing', 1)
      const values = some.read(
        filled(pieces, '')
          .map((piece) => piece + TAB)
          .join(''),
        page,
      )
      return { rates: values.rates.slice(0, pieces.length) }
    },
  }
}
/** Number of programmable rates, A to E; F and G are fixed. */
const PROGRAMMED_RATES = 5
const filled = <T>(values: readonly T[], rest: T): readonly T[] =>
  values.length < PROGRAMMED_RATES ? [...values, ...Array<T>(PROGRAMMED_RATES - values.length).fill(rest)] : values

const serialNumber = ({ name }: Edition) => {
  const length = name === 'ro' ? 12 : 8
  return words('serialNumber', { min: length, max: length })
}
const fiscalMemoryNumber = ({ name }: Edition) => {
  const length = name === 'ro' ? 10 : 8
  return words('fiscalMemoryNumber', { min: length, max: length, pattern: /^\d+$/ })
}

const headerLine = int('line', { min: 1, max: 10 })
const headerText = words('text', { max: 64 })
/** A password of at least four digits, which a change requires (sheet 9.1). */
const servicePassword = (name: 'password' | 'old') => words(name, { min: 4, max: 8, pattern: /^\d+$/ })

export const programmingCommands = (d: Edition) =>
  [
    command('taxRates', 50, '6.13', question, {
      response: tabs([
        closure('fromClosure'),
        many('rates', d.taxGroups, rate('rate', d)),
        d.name === 'ro' ? plainTime('entered') : date('entered'),
      ]),
    }),
    command('setTaxRates', 83, '6.13', setting, {
      request: newRates(d),
      response: tabs([count('changesLeft')]),
      fiscal: true,
    }),
    /** Without fields, the command is a query. One field sets the end of the range, two fields set start and end. */
    command('invoiceRange', 66, '6.13', question, {
      variants: [{ when: ({ first }) => first !== undefined, ...setting }],
      request: tabs([invoiceNumber('first'), invoiceNumber('second')], 0),
      response: tabs([
        own(int('start', { min: 0, max: 9_999_999_999 })),
        own(int('end', { min: 0, max: 9_999_999_999 })),
        own(int('current', { min: 0, max: 9_999_999_999 })),
      ]),
    }),
    command('setSerial', 91, '6.13', setting, {
      request: tabs([serialNumber(d), ...only(d, 'bg', fiscalMemoryNumber(d))]),
      response: tabs([words('country', { max: 32 })]),
      fiscal: true,
    }),
    command('fiscalise', 72, '6.13', setting, {
      request: tabs(
        [
          ...only(d, 'bg', serialNumber(d)),
          ...only(d, 'ro', fiscalMemoryNumber(d)),
          words('taxNumber', { min: 1, max: 13 }),
          ...only(d, 'ro', optional(yesNo('vatRegistered'))),
        ],
        2,
      ),
      fiscal: true,
    }),
    command('setTaxNumber', 98, '6.13', setting, {
      request: tabs([words('taxNumber', { min: 1, max: 13 })]),
      fiscal: true,
    }),
    command('operatorPassword', 101, '6.13', setting, {
      request: tabs([
        int('operator', { min: 1, max: 30 }),
        optional(words('old', { max: 8, pattern: /^\d+$/ })),
        password('password'),
      ]),
    }),
    /** A single field enters the password, two fields change it. An empty new password removes the password. */
    command('softwarePassword', 96, '6.13', question, {
      changes: 'memory',
      request: tabs([words('password', { max: 16 }), blank(words('changed', { max: 16 }))], 1),
    }),
    command('memoryTest', 89, '6.13', question, {
      variants: [{ when: ({ write }) => write === true, changes: 'memory' }],
      request: tabs([optional(yesNo('write'))], 0),
      response: tabs([own(int('left', { min: 0, max: 16 }))]),
    }),
    command('readMemory', 116, '6.13', question, {
      request: tabs([
        int('operation', { min: 0, max: 0 }),
        words('address', { min: 1, max: 6, pattern: /^[0-9A-Fa-f]+$/ }),
        int('count', { min: 1, max: 104 }),
      ]),
      response: tabs([own(words('dump', { max: 208 }))]),
    }),
    command('logo', 202, '6.13', setting, { request: upload, response: uploaded }),
    command('stampPicture', 203, '6.13', setting, { request: upload, response: uploaded }),
    command('stamp', 127, '6.13', printing, {
      variants: [{ when: ({ action }) => action === 'rename', ...setting, needs: [] }],
      request: tabs([
        numbered('action', { print: '0', rename: '1' }),
        words('name', { min: 1, max: 12, pattern: /^[^.]{1,8}(\.[^.]{1,3})?$/ }),
      ]),
      fiscal: true,
    }),
    command('modemTest', 135, '6.13', question, {
      request: tabs([choice('what', { sim: 's', imei: 'i', modem: 'M' })]),
      response: tabs([own(words('text', { max: 40 }))]),
    }),
    command('clients', 140, '6.13', question, {
      variants: [{ when: ({ option }) => option === 'P' || option === 'D', ...setting }],
      request: byOption({
        I: nothing,
        P: tabs(clientFields, 4),
        D: removedClients,
        R: tabs([client]),
        F: clientsFrom,
        L: clientsFrom,
        N: nothing,
        T: tabs([words('taxNumber', { min: 8, max: 13 })]),
        X: clientsFrom,
        x: clientsFrom,
      }),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        number: { when: (pieces) => pieces.length === 1, layout: tabs([client]) },
        capacity: {
          when: (pieces) => pieces.length === 3,
          layout: tabs([limit('capacity'), count('programmed'), limit('nameLength')]),
        },
        record: { when: () => true, layout: tabs(clientFields) },
      }),
    }),
    command('service', 253, '6.13', question, {
      editions: ['bg'],
      changes: 'memory',
      request: anything(),
    }),
    /**
     * Option 0 enters the password, 1 changes it, 2 closes the electronic journal, 3 restores the factory settings
     * (sheet 9.1).
     */
    command('servicePassword', 253, '9.1', question, {
      editions: ['ro'],
      changes: 'memory',
      request: byOption({
        '0': tabs([words('password', { min: 1, max: 8 })]),
        '1': tabs([words('old', { min: 1, max: 8 }), servicePassword('password')]),
        '2': tabs([words('password', { min: 1, max: 8 }), blank(words('more', { max: 0 }))], 2),
        '3': tabs([blank(words('password', { max: 8 })), blank(words('more', { max: 16 }))], 0),
      }),
    }),
    /**
     * Mode 0 is normal, 2 is trial, 3 is school, in which no fiscal document is printed. The meaning of 1 is unknown
     * (sheet 9.1).
     */
    command('mode', 149, '9.1', setting, {
      editions: ['ro'],
      request: tabs([int('mode', { min: 0, max: 3 })]),
      response: tabs([int('mode', { min: 0, max: 3 })]),
    }),
    command('cardTerminal', 55, '6.13', question, {
      changes: 'day',
      request: anything(),
      response: anything(),
    }),
    command('parameter', 255, '6.13', question, {
      variants: [
        { when: ({ value }) => value !== undefined, ...setting },
        { when: ({ name }) => FREE_PARAMETERS.test(name), allowedIn: 'anywhere' },
      ],
      request: tabs(
        [
          words('name', { min: 1, max: 40 }),
          optional(int('index', { min: 0, max: 9_999 })),
          optional(words('value', { max: 200 })),
        ],
        3,
      ),
      response: byForm({
        written: { when: (pieces) => pieces.length === 0, layout: nothing },
        value: { when: () => true, layout: tabs([words('value', { max: 200 })]) },
      }),
    }),
    /**
     * Command 43 of the edition ro (sheet 9.1). `I` reads the used and allowed numbers; `W` writes a line into a
     * buffer, or the buffer into the fiscal memory; `B` reads a line, `R` its record. The sources do not name the
     * letters B and R.
     */
    command('headerLine', 43, '9.1', question, {
      editions: ['ro'],
      variants: [{ when: ({ option }) => option === 'W', ...setting }],
      request: byOption({
        I: nothing,
        W: withRule(tabs([optional(headerLine), optional(headerText)], 0), ({ line, text }) => {
          if (line === undefined && text !== undefined) throw new FieldError('line', 'syntax', 'is missing', 1)
        }),
        B: tabs([headerLine]),
        R: tabs([headerLine, int('record', { min: 1, max: 99 })]),
      }),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        text: { when: (pieces) => pieces.length === 1, layout: tabs([headerText]) },
        room: {
          when: (pieces) => /^\d+$/.test(pieces[2] ?? ''),
          layout: tabs([count('changes'), limit('maxChanges'), limit('maxLines')]),
        },
        record: { when: () => true, layout: tabs([headerText, closure(), plainTime('at')]) },
      }),
    }),
  ] as const

/** Creates the layout of raw data, for commands that this project does not execute. */
function anything(): Layout<{ readonly data: string }> {
  const field = raw('data', { max: 480 })
  return {
    fields: { data: 'bytes' },
    write: ({ data }, page) => field.write(data, page),
    read: (data, page) => ({ data: field.read(data, page) }),
  }
}
