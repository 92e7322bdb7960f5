import { formatPercent } from '../../../model/money.ts'
import { question } from '../../../wire/command.ts'
import { type Layout, ownUnit } from '../../../wire/row.ts'
import { type CellReader, cells, digits, readPercent, readTime, syntaxError, writeTime } from '../cells.ts'
import { command, printing, programming } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { number, ownField, type RowField, row, short, text, time } from '../rows.ts'
import { printerStatus, type StatusName, status } from '../status.ts'

export interface Parameters {
  readonly pos: number
  readonly logo: boolean
  readonly drawer: boolean
  readonly cutter: boolean
  /** Manual mode, in which the device itself shows nothing on the display. */
  readonly display: boolean
  readonly articleReport: boolean
  readonly currency: boolean
  readonly ejFont: boolean
  readonly oneOperator: boolean
  readonly usbHost?: boolean
}

/** Registration data of the Bulgarian editions, or of the Romanian edition. */
export interface Registration {
  readonly taxId: string
  readonly idType: number
  readonly number: string
  readonly at: string
}

const statusAnswer: Layout<{ readonly flags: ReadonlySet<StatusName> }> = {
  fields: { flags: ownUnit('choice') },
  write: ({ flags }) => status.write(flags),
  read(raw) {
    if (raw.length < 5 || raw.length > 7) throw syntaxError('status', `${raw.length} bytes`)
    return { flags: status.read(raw) }
  },
}

/** Request whose data is ignored. Some clients send data with command 21h (sheet 5.2). */
const ignored: Layout<Record<never, never>> = { fields: {}, write: () => '', read: () => ({}) }

const parameterRow = (d: Edition): Layout<Parameters> => {
  const bit = (on: boolean) => (on ? '1' : '0')
  return cells(d, {
    fields: { pos: 'number' },
    write(p) {
      const pos = digits(p.pos, 4)
      const common = [pos, bit(p.logo), bit(p.drawer), bit(p.cutter), bit(p.display)]
      return d.name === 'cr'
        ? [...common, bit(p.currency), bit(p.usbHost === true)]
        : [...common, bit(p.articleReport), bit(p.currency), bit(p.ejFont), '0', bit(p.oneOperator)]
    },
    // Command 45h is accepted with 7 to 10 fields (sheet 4.13). The edition cr has seven; the other descriptions
    // differ.
    read(r) {
      const count = r.remaining
      if (count < 7 || count > 10) throw syntaxError('parameters', `${count} fields, 7 to 10 are allowed`)
      const pos = r.whole('pos', { max: 9999 })
      const [logo, drawer, cutter, display] = ['logo', 'drawer', 'cutter', 'display'].map((name) => r.bit(name))
      const rest = Array.from({ length: count - 5 }, () => r.bit('parameter'))
      const romanian = count === 7
      return {
        pos,
        logo: logo === true,
        drawer: drawer === true,
        cutter: cutter === true,
        display: display === true,
        articleReport: !romanian && rest[0] === true,
        currency: rest[romanian ? 0 : 1] === true,
        ejFont: !romanian && rest[2] === true,
        oneOperator: rest[4] === true,
        ...(romanian ? { usbHost: rest[1] === true } : {}),
      }
    },
  })
}

export { parameterRow }

/**
 * Rates as `xx.xx%`, with two digits before the point, each followed by a separator. A disabled class has -1.00 %
 * (sheet 4.1).
 */
const rateAnswer = (d: Edition): Layout<{ readonly rates: readonly (number | null)[] }> =>
  cells(d, {
    fields: { rates: 'percent' },
    closed: true,
    write: ({ rates }) => rates.map((rate) => `${rate === null ? '-1.00' : formatPercent(rate).padStart(5, '0')}%`),
    // Older firmware pads with blanks and omits the last separator.
    read: (r) => ({
      rates: Array.from({ length: d.taxClasses }, () => {
        const rate = readPercent('rate', r.next('rate'))
        return rate < 0 || rate >= 10_000 ? null : rate
      }),
    }),
  })

/**
 * Operator number. The answer has as many digits as the request, because clients read the name at a fixed position
 * after them.
 */
export interface OperatorNumber {
  readonly operator: number
  readonly digits?: 1
}
const OPERATOR_NUMBER = { operator: 'number', digits: 'number' } as const
const writeOperator = ({ operator, digits: width }: OperatorNumber): string => digits(operator, width ?? 2)
function readOperator(r: CellReader, range?: { readonly min: number; readonly max: number }): OperatorNumber {
  const isOne = r.peek()?.trim().length === 1
  return { operator: r.whole('operator', range), ...(isOne && { digits: 1 }) }
}

export interface PaymentNames {
  readonly names: readonly string[]
  readonly exchangeRate: number
  /** Kind of each payment; null for FFh. Present only in the edition c4. */
  readonly codes?: readonly (number | null)[]
}

export const writeExchangeRate = (rate: number): string =>
  `${digits(Math.floor(rate / 100_000), 4)}.${digits(rate % 100_000, 5)}`
export function readExchangeRate(raw: string): number {
  const match = /^\s*(\d{1,4})(?:\.(\d{0,5}))?\s*$/.exec(raw)
  if (!match) throw syntaxError('rate', `${JSON.stringify(raw)} is not an exchange rate`)
  return Number(match[1]) * 100_000 + Number((match[2] ?? '').padEnd(5, '0'))
}

const paymentAnswer = (d: Edition): Layout<PaymentNames> =>
  cells(d, {
    fields: { names: 'text', exchangeRate: ownUnit('number'), codes: 'number' },
    write: ({ names, exchangeRate, codes }, w) => [
      ...names.map((name) => w.text(name, 10)),
      writeExchangeRate(exchangeRate),
      ...(d.name === 'c4'
        ? (codes ?? []).map((code) => (code === null ? '\xff' : String.fromCharCode(0x30 + code)))
        : []),
    ],
    read(r) {
      const names = Array.from({ length: d.payments }, () => r.text('name', { max: 10 }))
      const exchangeRate = readExchangeRate(r.next('exchangeRate'))
      if (d.name !== 'c4' || r.remaining === 0) return { names, exchangeRate }
      const codes = Array.from({ length: d.payments }, () => {
        const byte = r.next('code').charCodeAt(0)
        return byte === 0xff ? null : byte - 0x30
      })
      return { names, exchangeRate, codes }
    },
  })

export const DECIMAL_POINT: RowField<'decimals', 0 | 2> = {
  name: 'decimals',
  fact: 'number',
  write: (decimals) => String(decimals),
  read: (r) => (r.letter('decimals', ['0', '2']) === '2' ? 2 : 0),
}

export const INVOICE = { digits: 10, min: 1, max: 9_999_999_999 } as const

export const identityCommands = (d: Edition) =>
  [
    command('status', 0x20, '3', question, { request: ignored, response: statusAnswer }),
    command('deviceInfo', 0x21, '4.1', question, {
      request: ignored,
      response: row(
        d,
        [
          number('type', { max: 99 }),
          short('certificate', 6),
          time('certifiedAt'),
          short('model', 50),
          short('firmware', 64),
        ],
        // The final separator is required. A known client joins this answer with that of command 60h and expects seven
        // parts.
        { closed: true },
      ),
    }),
    command('deviceNumbers', 0x60, '4.1', question, {
      request: ignored,
      response: row(d, [ownField(text('serial', 8)), ownField(text('memory', 8))]),
    }),
    command('registration', 0x61, '4.1', question, {
      response: cells<Registration>(d, {
        fields: { taxId: ownUnit('text'), idType: ownUnit('number'), number: ownUnit('text'), at: ownUnit('time') },
        closed: true,
        write: (v, w) =>
          d.name === 'cr'
            ? [w.text(v.taxId, 15), w.text(v.number, 10), String(v.idType)]
            : [w.text(v.taxId, 13), String(v.idType), w.short(v.number, 12), writeTime(v.at)],
        read(r) {
          if (d.name === 'cr') {
            const taxId = r.text('taxId')
            return { taxId, number: r.text('number'), idType: r.whole('idType'), at: '' }
          }
          const taxId = r.text('taxId')
          const idType = r.whole('idType', { max: 9 })
          return { taxId, idType, number: r.text('number'), at: readTime('at', r.next('at')) }
        },
      }),
    }),
    command('readTaxRates', 0x62, '4.1', question, { response: rateAnswer(d) }),
    command('readDecimalPoint', 0x63, '4.1', question, {
      response: row(d, [DECIMAL_POINT]),
    }),
    command('readPayments', 0x64, '4.1', question, { response: paymentAnswer(d) }),
    command('readParameters', 0x65, '4.1', question, { response: parameterRow(d) }),
    command('printerStatus', 0x66, '4.1', question, {
      response: cells<{ display: boolean; flags: ReadonlySet<string>; jumper: boolean }>(d, {
        fields: {},
        write: (v) => [
          `${v.display ? 'Y' : 'N'}`,
          printerStatus.write(v.flags as ReadonlySet<never>),
          v.jumper ? 'J' : ' ',
        ],
        read: (r) => ({
          display: r.letter('display', ['Y', 'N']) === 'Y',
          flags: printerStatus.read(r.next('flags')),
          jumper: r.next('jumper') === 'J',
        }),
      }),
    }),
    command('readClock', 0x68, '4.1', question, {
      response: row(d, [time('at')]),
    }),
    command('readHeader', 0x69, '4.1', question, {
      request: row(d, [number('line', { max: 9 })]),
      response: row(d, [number('line'), short('text', 48)]),
    }),
    command('readOperator', 0x6a, '4.1', question, {
      request: cells<OperatorNumber>(d, {
        fields: OPERATOR_NUMBER,
        write: (v) => [writeOperator(v)],
        read: (r) => readOperator(r, { min: 1, max: 20 }),
      }),
      response: cells<OperatorNumber & { name: string; password: string }>(d, {
        fields: { ...OPERATOR_NUMBER, name: ownUnit('text'), password: ownUnit('text') },
        write: (v, w) => [writeOperator(v), w.text(v.name, 20), w.text(v.password, d.passwordWidth)],
        read: (r) => ({ ...readOperator(r), name: r.text('name'), password: r.text('password') }),
      }),
    }),
    command('automaticZ', 0x4f, '4.1', question, {
      variants: [{ when: ({ option }) => option === 'W', changes: 'memory', needs: ['clock'] }],
      request: cells<{ option: 'R' | 'W'; automatic?: boolean }>(d, {
        fields: {},
        write: (v) => ['H', v.option, ...(v.option === 'W' ? [v.automatic ? '1' : '0'] : [])],
        read(r) {
          r.letter('part', ['H'])
          const option = r.letter('option', ['R', 'W'])
          return option === 'R' ? { option } : { option, automatic: r.bit('automatic') }
        },
      }),
      response: cells<{ automatic: boolean }>(d, {
        fields: {},
        write: (v) => ['H', 'R', v.automatic ? '1' : '0'],
        read(r) {
          r.next('part')
          r.next('option')
          return { automatic: r.bit('automatic') }
        },
      }),
    }),
    command('readInvoiceRange', 0x70, '4.1', question, {
      response: row(d, [
        ownField(number('next', { ...INVOICE, min: 0 })),
        ownField(number('last', { ...INVOICE, min: 0 })),
      ]),
    }),
    command('customerBase', 0x52, '4.1', question, {
      variants: [
        { when: ({ option }) => option === 'P', ...programming },
        { when: ({ option }) => option === 'X' || option === 'Z', ...printing },
        { when: ({ option }) => option === 'Z', changes: 'memory' },
      ],
      request: customerRequest(d),
      response: customerRow(d),
    }),
    command('freeMemoryRecords', 0x74, '4.1', question, {
      response: row(d, [ownField(number('left', { digits: 4 }))], { closed: d.name === 'c4' }),
    }),
  ] as const

export interface CustomerRecord {
  readonly number: number
  readonly fields: readonly string[]
  readonly idType?: number
}
/** Maximum number of customers in the customer base of the device (sheet 5.4). */
export const CUSTOMERS = 1_000
export const CUSTOMER_WIDTHS = [26, 16, 13, 13, 30] as const

const CUSTOMER = { number: 'number', fields: ownUnit('text'), idType: ownUnit('number') } as const

type CustomerAsk =
  | { readonly option: 'R'; readonly number: number }
  | { readonly option: 'P'; readonly number: number; readonly fields: readonly string[]; readonly idType?: number }
  | { readonly option: 'X' | 'Z' }

function customerRequest(d: Edition): Layout<CustomerAsk> {
  return cells(d, {
    fields: CUSTOMER,
    write(v, w) {
      if (v.option === 'R') return ['R', digits(v.number, 4)]
      if (v.option !== 'P') return [v.option]
      return ['P', digits(v.number, 4), ...customerCells(v, (text, width) => w.text(text, width))]
    },
    read(r) {
      const option = r.letter('option', ['R', 'P', 'X', 'Z'])
      if (option === 'X' || option === 'Z') return { option }
      const number = r.whole('number', { min: 1, max: CUSTOMERS })
      if (option === 'R') return { option, number }
      const fields = CUSTOMER_WIDTHS.map((max) => r.text('field', { max }))
      if (r.remaining === 0 || r.peek() === '') return { option, number, fields }
      return { option, number, fields, idType: r.whole('idType', { max: 9 }) }
    },
  })
}

function customerRow(d: Edition): Layout<CustomerRecord> {
  return cells(d, {
    fields: CUSTOMER,
    write: (v, w) => [digits(v.number, 4), ...customerCells(v, (text, width) => w.text(text, width))],
    read(r) {
      const number = r.whole('number')
      const fields = CUSTOMER_WIDTHS.map(() => r.text('field'))
      return r.remaining === 0 ? { number, fields } : { number, fields, idType: r.whole('idType') }
    },
  })
}

function customerCells(v: CustomerRecord, text: (value: string, width: number) => string): string[] {
  const fields = CUSTOMER_WIDTHS.map((width, index) => text(v.fields[index] ?? '', width))
  return v.idType === undefined ? fields : [...fields, String(v.idType)]
}
