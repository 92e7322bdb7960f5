import type { ByteText } from '../../../wire/charset.ts'
import { question, setting } from '../../../wire/command.ts'
import { FieldError, int, optional, own, raw } from '../../../wire/field.ts'
import type { Layout } from '../../../wire/row.ts'
import { command, printing } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import {
  closure,
  count,
  document,
  fiscalCounters,
  numbered,
  numberedIn,
  only,
  signed,
  sums,
  TAB,
  words,
  yesNo,
} from '../fields.ts'
import { byForm, nothing, tabs } from '../layouts.ts'
import { longTime, time } from '../time.ts'

const statusBytes = (pieces: readonly ByteText[]) => pieces.length === 1 && /^[\x80-\xff]{8}$/.test(pieces[0] ?? '')

export interface Diagnostic {
  readonly model: string
  readonly firmware: string
  readonly date: string
  readonly time: string
  readonly checksum: string
  readonly switches: string
  readonly serialNumber: string
  /** Absent in answers of the edition ro. */
  readonly fiscalMemoryNumber?: string | undefined
}

/**
 * Two letters and six digits; in the edition ro two letters and ten digits. A device that was never fiscalised may have
 * blanks before the digits.
 */
const serialNumber = own(words('serialNumber', { max: 12 }))
/** Eight digits; in the edition ro ten digits. */
const fiscalMemoryNumber = own(words('fiscalMemoryNumber', { max: 10 }))

const diagnosticRow = tabs(
  [
    words('model', { max: 32 }),
    words('firmware', { max: 10 }),
    words('date', { max: 7 }),
    words('time', { max: 4 }),
    words('checksum', { max: 4 }),
    words('switches', { max: 8 }),
    serialNumber,
    optional(fiscalMemoryNumber),
  ],
  7,
)

/** Without a TAB in the request, the answer has commas and no code; with a TAB it is an ordinary row (sheet 6.8). */
const diagnosticRequest: Layout<{ readonly form: 'commas' | 'tabs'; readonly checksum: boolean }> = {
  fields: {},
  write: ({ form, checksum }) => (checksum ? '1' : '') + (form === 'tabs' ? TAB : ''),
  read(data) {
    const match = /^(1?)(\t?)$/.exec(data)
    if (!match) throw new FieldError('checksum', 'value', `${JSON.stringify(data)} is neither empty nor 1`, 1)
    return { form: match[2] === '' ? 'commas' : 'tabs', checksum: match[1] === '1' }
  },
}

const diagnosticResponse: Layout<{ readonly form: 'commas' | 'tabs' } & Diagnostic> = {
  fields: diagnosticRow.fields,
  write(values, page) {
    if (values.form === 'tabs') return diagnosticRow.write(values, page)
    const { model, firmware, date, time: hour, checksum, switches, serialNumber: serial, fiscalMemoryNumber } = values
    const numbers = fiscalMemoryNumber === undefined ? serial : `${serial},${fiscalMemoryNumber}`
    return page.encode(`${model},${firmware} ${date} ${hour},${checksum},${switches},${numbers}`)
  },
  read(data, page) {
    if (data.includes(TAB)) return { form: 'tabs', ...diagnosticRow.read(data, page) }
    const [model = '', version = '', checksum = '', switches = '', serial, memory] = data.split(',')
    const [firmware = '', date = '', hour = ''] = version.split(' ')
    if (serial === undefined) throw new FieldError('row', 'syntax', 'fewer than five parts')
    return {
      form: 'commas',
      model: page.decode(model),
      firmware,
      date,
      time: hour,
      checksum,
      switches,
      serialNumber: serial,
      ...(memory !== undefined && { fiscalMemoryNumber: memory }),
    }
  },
}

export const deviceInfo = command('deviceInfo', 90, '6.8', question, {
  request: diagnosticRequest,
  response: diagnosticResponse,
})

export const queryCommands = (d: Edition) =>
  [
    command('status', 74, '6.7', question, {
      request: tabs([...only(d, 'bg', optional(numbered('option', { receipt: '0', qr: '1' })))], 0),
      response: byForm({
        bytes: { when: statusBytes, layout: tabs([raw('status', { min: 8, max: 8 })]) },
        receipt: {
          when: (pieces) => pieces.length === 6,
          layout: tabs([
            yesNo('printing'),
            int('state', { min: 0, max: 5 }),
            document(),
            optional(signed('qrAmount')),
            optional(document('qrDocument')),
            optional(time('qrAt')),
          ]),
        },
        qr: { when: () => true, layout: tabs([own(words('qr', { max: 400 }))]) },
      }),
    }),
    command('transactionStatus', 76, '6.7', question, {
      /** The number of fields distinguishes the editions (sheet 9.3). */
      response: tabs([
        int('open', { min: 0, max: 5 }),
        document(),
        ...fiscalCounters(d),
        count('items'),
        signed('amount'),
        signed('paid'),
      ]),
    }),
    command('currentReceipt', 103, '6.7', question, {
      response: tabs([
        sums('groups', d),
        yesNo('invoice'),
        ...only(d, 'bg', own(int('nextInvoice', { min: 0, max: 9_999_999_999, digits: 10 })), yesNo('reversal')),
      ]),
    }),
    command('errorText', 100, '6.7', question, {
      request: tabs([int('code', { min: -999_999, max: 0 })]),
      response: tabs([int('code', { min: -999_999, max: 0 }), words('text', { max: 200 })]),
    }),
    deviceInfo,
    /** The final TAB may be missing (sheet 2.8), which `tabs` accepts. */
    command('deviceDetails', 123, '6.8', question, {
      request: tabs([
        numbered('option', { identity: '1', power: '2', lastDocuments: '3', verifyJournal: '4', battery: '5' }),
      ]),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        identity: {
          when: (pieces) => pieces.length === (d.name === 'ro' ? 5 : 7),
          layout: tabs([
            serialNumber,
            fiscalMemoryNumber,
            words('header1', { max: 64 }),
            words('header2', { max: 64 }),
            own(words('taxNumber', { max: 14 })),
            ...only(d, 'bg', words('header3', { max: 64 }), words('header4', { max: 64 })),
          ]),
        },
        lastDocuments: {
          when: (pieces) => pieces.length === 4 && /^$|-/.test(pieces[1] ?? ''),
          layout: tabs([
            count('receiptOfDay'),
            optional(longTime('receiptAt')),
            closure(),
            optional(longTime('closureAt')),
          ]),
        },
        power: {
          when: (pieces) => pieces.length === 4,
          layout: tabs([
            own(int('mainMillivolts', { min: 0, max: 99_999 })),
            own(int('memoryMillivolts', { min: 0, max: 99_999 })),
            // Empty without a modem.
            optional(own(int('signalPercent', { min: 0, max: 100 }))),
            optional(own(yesNo('network'))),
          ]),
        },
        battery: {
          when: (pieces) => pieces.length === 2,
          layout: tabs([
            own(int('millivolts', { min: 0, max: 99_999 })),
            own(int('chargePercent', { min: 0, max: 100 })),
          ]),
        },
      }),
    }),
    command('taxNumber', 99, '6.8', question, {
      response: tabs([own(words('taxNumber', { max: 13 }))]),
    }),
    /**
     * Kind 2 returns thirteen fields about the link to the tax server. Their order is that of C-FPG, one of the sources
     * of the protocol specification.
     */
    command('modemInfo', 71, '6.8', d.name === 'ro' ? printing : question, {
      variants: [
        { when: ({ kind = 'print' }) => kind.startsWith('print'), ...printing },
        { when: ({ kind }) => kind === 'sendAll', changes: 'memory' },
      ],
      request: tabs(
        [
          optional(
            numberedIn('kind', d, {
              bg: {
                print: '0',
                modem: '1',
                server: '2',
                printServer: '3',
                lan: '4',
                card: '6',
                radio: '9',
                modemWithoutLink: '10',
                sendAll: '11',
              },
              ro: {
                print: '0',
                printModem: '1',
                printRadio: '2',
                printRadio2: '3',
                printLan: '4',
                printSecurity: '5',
                printCard: '6',
              },
            }),
          ),
        ],
        0,
      ),
      response: byForm({
        none: { when: (pieces) => pieces.length === 0, layout: nothing },
        server: {
          when: () => true,
          layout: tabs([
            optional(longTime('lastContact')),
            optional(longTime('nextContact')),
            closure('lastClosureSent'),
            count('closureInError'),
            count('closureErrors'),
            own(int('closureError', { min: -999_999, max: 999_999 })),
            document('saleInError'),
            count('saleErrors'),
            own(int('saleStatus', { min: -999_999, max: 999_999 })),
            document('lastDocumentSent'),
            optional(longTime('lastDocumentSentAt')),
            own(int('lastError', { min: -999_999, max: 999_999 })),
            count('minutesLeft'),
          ]),
        },
      }),
    }),
    command('setClock', 61, '6.9', setting, { request: tabs([time('at')]) }),
    command('readClock', 62, '6.9', question, { response: tabs([time('at')]) }),
  ] as const
