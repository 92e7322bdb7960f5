import { formatMoney } from '../../../model/money.ts'
import type { ByteText } from '../../../wire/charset.ts'
import { question } from '../../../wire/command.ts'
import { choice, flag, int, optional, own, raw, text } from '../../../wire/field.ts'
import { type Layout, ownUnit, row } from '../../../wire/row.ts'
import { command, printing } from '../command-facts.ts'
import {
  date,
  readDate,
  readDateTime,
  readRate,
  readSum,
  readSums,
  SUMS,
  type Sums,
  sum,
  writeDate,
  writeDateTime,
  writeRate,
  writeSums,
} from '../numbers.ts'
import { badForm, COMMAS, counter, ignoredData, longText, optionalText, rawData } from './rows.ts'

/** `T` selects sums with VAT, `N` or nothing sums without VAT. */
const withTax = row(COMMAS, [optional(choice('sums', { gross: 'T', net: 'N' }))])

const lastRecord: Layout<{ readonly number: number; readonly date: string } & Sums> = {
  fields: { number: ownUnit('number'), ...SUMS, date: ownUnit('time') },
  write: ({ number, date, ...sums }) =>
    [String(number).padStart(4, '0'), ...writeSums(sums), writeDate(date)].join(','),
  read(raw) {
    const pieces = raw.split(',')
    if (pieces.length < 3) throw badForm('lastRecord', raw)
    return {
      number: Number(pieces[0]),
      ...readSums('sum', pieces.slice(1, -1)),
      date: readDate('date', pieces.at(-1) ?? ''),
    }
  },
}

const sumsOnly: Layout<Sums> = {
  fields: SUMS,
  write: (sums) => writeSums(sums).join(','),
  read: (raw) => readSums('sum', raw.split(',')),
}

export interface Rates {
  readonly rates: readonly (number | null)[]
}

/** `P|F[,rates...,DDMMYY]`: the current rates and the date on which they were set. The device also prints a report. */
const ratesByDate: Layout<{ readonly found: boolean; readonly date?: string } & Rates> = {
  fields: { rates: 'percent', date: ownUnit('time') },
  write: ({ found, rates, date }) =>
    found ? ['P', ...rates.map(writeRate), ...(date === undefined ? [] : [writeDate(date)])].join(',') : 'F',
  read(raw) {
    const [letter, ...rest] = raw.split(',')
    if (letter === 'F') return { found: false, rates: [] }
    if (letter !== 'P' || rest.length < 2) throw badForm('rates', raw)
    return { found: true, rates: rest.slice(0, -1).map(readRate), date: readDate('date', rest.at(-1) ?? '') }
  },
}

/** `CanVoid,Tax1..N,InvoiceFlag,InvoiceNo` */
const receiptSumsAnswer: Layout<
  { readonly canVoid: boolean; readonly invoice: boolean; readonly invoiceNumber: number } & Sums
> = {
  fields: { ...SUMS, invoiceNumber: ownUnit('number') },
  write: ({ canVoid, invoice, invoiceNumber, ...sums }) =>
    [canVoid ? '1' : '0', ...writeSums(sums), invoice ? '1' : '0', String(invoiceNumber).padStart(10, '0')].join(','),
  read(raw) {
    const pieces = raw.split(',')
    if (pieces.length < 4) throw badForm('receiptSums', raw)
    return {
      canVoid: pieces[0] === '1',
      ...readSums('sum', pieces.slice(1, -2)),
      invoice: pieces.at(-2) === '1',
      invoiceNumber: Number(pieces.at(-1)),
    }
  },
}

/** `Cash,Pay1..,ZNo,NextDoc,InvoiceNo` */
const dayPaymentsAnswer: Layout<
  { readonly zNumber: number; readonly nextDocument: number; readonly invoiceNumber: number } & Sums
> = {
  fields: {
    ...SUMS,
    zNumber: ownUnit('number'),
    nextDocument: ownUnit('number'),
    invoiceNumber: ownUnit('number'),
  },
  write: ({ zNumber, nextDocument, invoiceNumber, ...sums }) =>
    [
      ...writeSums(sums),
      String(zNumber).padStart(4, '0'),
      String(nextDocument).padStart(6, '0'),
      String(invoiceNumber).padStart(10, '0'),
    ].join(','),
  read(raw) {
    const pieces = raw.split(',')
    if (pieces.length < 4) throw badForm('dayPayments', raw)
    const [zNumber = 0, nextDocument = 0, invoiceNumber = 0] = pieces.slice(-3).map(Number)
    return { ...readSums('payment', pieces.slice(0, -3)), zNumber, nextDocument, invoiceNumber }
  },
}

interface CountAndSum {
  readonly count: number
  readonly sum: number
}

export interface OperatorAnswer {
  readonly receipts: number
  readonly sales: CountAndSum
  readonly discounts: CountAndSum
  readonly surcharges: CountAndSum
  readonly voids: CountAndSum
  readonly name: string
}

const six = (count: number): ByteText => String(count).padStart(6, '0')
const writeCounted = ({ count, sum }: CountAndSum): ByteText => `${six(count)};${formatMoney(sum)}`

const COUNT_AND_SUM = { count: ownUnit('number'), sum: ownUnit('money') } as const

/** `Receipts,Sales;Sum,Disc;Sum,Sur;Sum,Void;Sum,Name[TAB...]` */
const operatorAnswer: Layout<OperatorAnswer> = {
  fields: {
    receipts: ownUnit('number'),
    sales: COUNT_AND_SUM,
    discounts: COUNT_AND_SUM,
    surcharges: COUNT_AND_SUM,
    voids: COUNT_AND_SUM,
    name: ownUnit('text'),
  },
  write: ({ receipts, sales, discounts, surcharges, voids, name }, page) =>
    [six(receipts), ...[sales, discounts, surcharges, voids].map(writeCounted), page.encode(name)].join(','),
  read(raw, page) {
    const match = /^(\d+),([^,]*),([^,]*),([^,]*),([^,]*),([^\t]*)/.exec(raw)
    if (!match) throw badForm('operator', raw)
    const [, receipts, sales = '', discounts = '', surcharges = '', voids = '', name = ''] = match
    return {
      receipts: Number(receipts),
      sales: readCounted(sales),
      discounts: readCounted(discounts),
      surcharges: readCounted(surcharges),
      voids: readCounted(voids),
      name: page.decode(name),
    }
  },
}

export interface DocumentAnswer {
  readonly found: boolean
  /** TAB-separated fields: number, date and time, numbers of the journal, sale number, Z report and hash. */
  readonly fields: readonly string[]
}

export const queryCommands = [
  /** The newest firmware writes the date with dots instead of dashes. */
  command('readClock', 62, '10.6', question, {
    response: {
      fields: { at: ownUnit('time') },
      write: ({ at, dots }: { readonly at: string; readonly dots?: boolean }) => writeDateTime(at, dots ? '.' : '-'),
      read: (text) => ({ at: readDateTime('clock', text), ...(text.includes('.') ? { dots: true } : {}) }),
    },
  }),
  command('lastFiscalRecord', 64, '10.6', question, { request: withTax, response: lastRecord }),
  command('daySums', 65, '10.6', question, { request: withTax, response: sumsOnly }),
  command('freeRecords', 68, '10.6', question, {
    response: row(COMMAS, [
      own(int('logical', { min: 0, max: 99_999, digits: 4 })),
      own(int('physical', { min: 0, max: 99_999, digits: 4 })),
    ]),
  }),
  /** Returns the six status bytes as data. Some programs send an `X`, which the device ignores. */
  command('status', 74, '10.6', question, {
    request: ignoredData,
    response: {
      fields: { status: 'bytes' },
      write: ({ status }: { readonly status: ByteText }) => status,
      read: (status) => ({ status }),
    },
  }),
  command('transactionStatus', 76, '10.6', question, {
    request: row(COMMAS, [flag('payments', 'T')]),
    response: row(COMMAS, [
      flag('open', '1', '0'),
      own(int('items', { min: -9_999, max: 99_999 })),
      sum('amount', 10),
      optional(sum('tender', 10)),
      optional(sum('remainder', 10)),
    ]),
  }),
  /**
   * The first field consists of model, version, date and time, separated by blanks (sheet 2). Numbers that were not set
   * are empty.
   */
  command('deviceInfo', 90, '10.6', question, {
    request: row(COMMAS, [optional(choice('checksum', { calculate: '1', skip: '0' }))]),
    response: row({ ...COMMAS, dropEmptyTail: false }, [
      longText('firmware'),
      text('checksum', { max: 4 }),
      text('switches', { max: 16 }),
      int('country', { min: 0, max: 99 }),
      own(optionalText('serialNumber')),
      own(optionalText('fiscalMemoryNumber')),
    ]),
  }),
  command('taxRates', 97, '10.6', question, {
    response: {
      fields: { rates: 'percent' },
      write: ({ rates }: Rates) => rates.map(writeRate).join(','),
      read: (raw) => ({ rates: raw.split(',').map(readRate) }),
    },
  }),
  command('taxRatesByDate', 50, '10.6', printing, {
    asText: true,
    request: row(COMMAS, [optional(date('from')), optional(date('to'))]),
    response: ratesByDate,
  }),
  /** Tax number of the owner; minus signs until the device is fiscalised. */
  command('taxNumber', 99, '10.6', question, {
    response: row(COMMAS, [own(longText('taxNumber'))]),
  }),
  command('receiptSums', 103, '10.6', question, { response: receiptSumsAnswer }),
  command('dayPayments', 110, '10.6', question, {
    request: row(COMMAS, [flag('all', 'A')]),
    response: dayPaymentsAnswer,
  }),
  command('operatorInfo', 112, '10.6', question, {
    request: row(COMMAS, [int('operator', { min: 1, max: 99 })]),
    response: operatorAnswer,
  }),
  command('lastDocument', 113, '10.6', question, {
    response: row(COMMAS, [counter('document')]),
  }),
  /**
   * Text for the QR code of the last document: `PS,14,FM*document*date*time*amount`. `PF` marks a fiscal document, `PS`
   * another one. The type is 0 sale, 1 refund, 2 operator error or 3 reduction of the tax base; 14 was observed on a
   * document that is not fiscal.
   */
  command('lastDocumentQr', 116, '10.6', question, {
    editions: ['b8'],
    response: row(COMMAS, [
      text('result', { min: 1, max: 2 }),
      own(int('type', { min: 0, max: 99 })),
      own(longText('text')),
    ]),
  }),
  /**
   * `T` tests the modem, `W` the link to the server: `Error[,Level,Attached,IMSI,ICC_ID,IMEI]`, the level in percent.
   */
  command('modemTest', 194, '10.6', question, {
    editions: ['b8'],
    request: rawData,
    response: row(COMMAS, [
      int('error', { min: 0, max: 127 }),
      own(optional(int('level', { min: 0, max: 100 }))),
      optional(flag('attached', '1', '0')),
      own(optional(text('subscriber', { max: 20 }))),
      own(optional(text('card', { max: 22 }))),
      own(optional(text('equipment', { max: 20 }))),
    ]),
  }),
  /** Number of the first document that was not sent to the server: `P,number`, or `F` if there is none. */
  command('firstUnsent', 117, '10.6', question, {
    editions: ['b8'],
    response: row(COMMAS, [flag('found', 'P', 'F'), optional(counter('document'))]),
  }),
  command('shopFlags', 118, '10.6', question, {
    editions: ['b8'],
    request: ignoredData,
    response: row(COMMAS, [raw('flags', { max: 16 })]),
  }),
  command('documentInfo', 119, '10.6', question, {
    editions: ['b8'],
    request: row(COMMAS, [int('document', { min: 1, max: 99_999_999 }), optional(text('option', { max: 1 }))]),
    response: {
      fields: { fields: ownUnit('text') },
      write: ({ found, fields }: DocumentAnswer, page) =>
        found
          ? `P${page.encode(fields[0] ?? '')}${fields
              .slice(1)
              .map((one) => `\t${page.encode(one)}`)
              .join('')}`
          : 'F',
      read(raw, page) {
        if (raw === 'F') return { found: false, fields: [] }
        if (!raw.startsWith('P')) throw badForm('document', raw)
        return {
          found: true,
          fields: raw
            .slice(1)
            .split('\t')
            .map((one) => page.decode(one)),
        }
      },
    },
  }),
  /** 26 constants in their published order (sheet 11). */
  command('constants', 128, '11', question, {
    response: {
      fields: { constants: 'bytes' },
      write: ({ constants }: { readonly constants: readonly ByteText[] }) => constants.join(','),
      read: (raw) => ({ constants: raw.split(',') }),
    },
  }),
  /** The device's own text for an error number. Only the newest firmware has this command. */
  command('errorText', 174, '8.1', question, {
    editions: ['b8'],
    request: row(COMMAS, [int('number', { min: 1, max: 127 })]),
    response: row(COMMAS, [int('number', { min: 1, max: 127 }), longText('text')]),
  }),
] as const

function readCounted(piece: ByteText): CountAndSum {
  const [count = '', amount = ''] = piece.split(';')
  return { count: Number(count), sum: readSum('sum', amount) }
}
