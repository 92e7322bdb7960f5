import { question, setting } from '../../../wire/command.ts'
import { choice, FieldError, int, optional, raw } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command, printed } from '../facts.ts'
import {
  blank,
  byForm,
  byOption,
  count,
  many,
  nothing,
  numbered,
  rate,
  splitTabs,
  TAB,
  tabs,
  words,
  yesNo,
} from '../fields.ts'
import { date } from '../time.ts'

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
    const [first = '', ...more] = splitTabs(data)
    if (first === '' || more.length > 0) throw new FieldError('piece', 'syntax', 'one field is wanted')
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

/** What a client record holds is not published; ours has the fields of 57 (sheet 6.4). */
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

/** Settings of print and sound may change inside a receipt; what is printed on it or counted may not. */
const FREE_PARAMETERS =
  /^(PrnQuality|BarCodeHeight|BarcodeName|AutoPaperCutting|PaperCuttingType|TimeOutBeforePrintFlush|AutoPowerOff)$/

export const programmingCommands = [
  /** Programming and service: sheet 6.13. */
  command({
    name: 'taxRates',
    code: 50,
    source: '6.13',
    ...question,
    response: tabs([int('fromClosure', { min: 0, max: 9_999 }), many('rates', 8, rate('rate')), date('entered')]),
  }),
  command({
    name: 'setTaxRates',
    code: 83,
    source: '6.13',
    ...setting,
    request: tabs([many('rates', 8, rate('rate')), numbered('decimals', { none: '0', two: '2' })]),
    response: tabs([count('changesLeft')]),
    fiscal: true,
  }),
  /** No field reads; one is the new end; two are start and end. */
  command({
    name: 'invoiceRange',
    code: 66,
    source: '6.13',
    ...question,
    variants: [{ when: ({ first }) => first !== undefined, ...setting }],
    request: tabs([invoiceNumber('first'), invoiceNumber('second')], 0),
    response: tabs([
      int('start', { min: 0, max: 9_999_999_999 }),
      int('end', { min: 0, max: 9_999_999_999 }),
      int('current', { min: 0, max: 9_999_999_999 }),
    ]),
  }),
  command({
    name: 'setSerial',
    code: 91,
    source: '6.13',
    ...setting,
    request: tabs([
      words('serialNumber', { min: 8, max: 8 }),
      words('fiscalMemoryNumber', { min: 8, max: 8, pattern: /^\d{8}$/ }),
    ]),
    response: tabs([words('country', { max: 32 })]),
    fiscal: true,
  }),
  command({
    name: 'fiscalise',
    code: 72,
    source: '6.13',
    ...setting,
    request: tabs([words('serialNumber', { min: 8, max: 8 }), words('taxNumber', { min: 1, max: 13 })]),
    fiscal: true,
  }),
  command({
    name: 'setTaxNumber',
    code: 98,
    source: '6.13',
    ...setting,
    request: tabs([words('taxNumber', { min: 1, max: 13 })]),
    fiscal: true,
  }),
  command({
    name: 'operatorPassword',
    code: 101,
    source: '6.13',
    ...setting,
    request: tabs([
      int('operator', { min: 1, max: 30 }),
      optional(words('old', { max: 8, pattern: /^\d+$/ })),
      password('password'),
    ]),
  }),
  /** One field enters the password, two change it. An empty new one takes it away. */
  command({
    name: 'softwarePassword',
    code: 96,
    source: '6.13',
    ...question,
    changes: 'memory',
    request: tabs([words('password', { max: 16 }), blank(words('changed', { max: 16 }))], 1),
  }),
  command({
    name: 'memoryTest',
    code: 89,
    source: '6.13',
    ...question,
    variants: [{ when: ({ write }) => write === true, changes: 'memory' }],
    request: tabs([optional(yesNo('write'))], 0),
    response: tabs([int('left', { min: 0, max: 16 })]),
  }),
  command({
    name: 'readMemory',
    code: 116,
    source: '6.13',
    ...question,
    request: tabs([
      int('operation', { min: 0, max: 0 }),
      words('address', { min: 1, max: 6, pattern: /^[0-9A-Fa-f]+$/ }),
      int('count', { min: 1, max: 104 }),
    ]),
    response: tabs([words('dump', { max: 208 })]),
  }),
  command({ name: 'logo', code: 202, source: '6.13', ...setting, request: upload, response: uploaded }),
  command({ name: 'stampPicture', code: 203, source: '6.13', ...setting, request: upload, response: uploaded }),
  command({
    name: 'stamp',
    code: 127,
    source: '6.13',
    ...printed,
    variants: [{ when: ({ action }) => action === 'rename', ...setting, needs: [] }],
    request: tabs([
      numbered('action', { print: '0', rename: '1' }),
      words('name', { min: 1, max: 12, pattern: /^[^.]{1,8}(\.[^.]{1,3})?$/ }),
    ]),
    fiscal: true,
  }),
  command({
    name: 'modemTest',
    code: 135,
    source: '6.13',
    ...question,
    request: tabs([choice('what', { sim: 's', imei: 'i', modem: 'M' })]),
    response: tabs([words('text', { max: 40 })]),
  }),
  command({
    name: 'clients',
    code: 140,
    source: '6.13',
    ...question,
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
        layout: tabs([count('capacity'), count('programmed'), count('nameLength')]),
      },
      record: { when: () => true, layout: tabs(clientFields) },
    }),
  }),
  command({ name: 'service', code: 253, source: '6.13', ...question, changes: 'memory', request: anything() }),
  command({
    name: 'cardTerminal',
    code: 55,
    source: '6.13',
    ...question,
    changes: 'day',
    request: anything(),
    response: anything(),
  }),
  /** An empty value reads, another one writes. */
  command({
    name: 'parameter',
    code: 255,
    source: '6.13',
    ...question,
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
  /** 43 in profile ro (sheet 9): what it does is known, its fields are not; ours are a line from 0, as in 255, and the text. */
  command({
    name: 'headerLine',
    code: 43,
    source: '6.3',
    ...setting,
    editions: ['ro'],
    request: tabs([int('line', { min: 0, max: 9 }), words('text', { max: 64 })]),
  }),
] as const

/** Options of 253 and 55 that the rig does not carry out: kept as they came. */
function anything(): Layout<{ readonly data: string }> {
  const field = raw('data', { max: 480 })
  return {
    fields: { data: 'bytes' },
    write: ({ data }, page) => field.write(data, page),
    read: (data, page) => ({ data: field.read(data, page) }),
  }
}
