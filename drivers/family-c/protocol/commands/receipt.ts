import type { Layout } from '../../../wire/row.ts'
import { type CellReader, cells, digits, readTime, syntaxError } from '../cells.ts'
import { command, opening } from '../command-facts.ts'
import type { Edition } from '../edition.ts'
import { OPERATORS } from './actions.ts'
import { CUSTOMER_WIDTHS, CUSTOMERS } from './identity.ts'

/** Print type: a bit field that is added to 30h or 40h. Some clients send it as a byte from 00h to 09h. */
interface PrintType {
  readonly invoice: boolean
  readonly postponed: boolean
  readonly buffered: boolean
  readonly electronic: boolean
  readonly reversal: boolean
}

export function printType(symbol: string): PrintType {
  const byte = symbol.charCodeAt(0)
  const bits = byte & 0x0f
  return {
    invoice: (bits & 1) !== 0,
    postponed: (bits & 2) !== 0,
    buffered: (bits & 4) !== 0,
    electronic: (bits & 8) !== 0,
    reversal: (byte & 0x40) !== 0,
  }
}

interface ReversalOf {
  readonly reason: number
  readonly related: string
  readonly at: string
  readonly memory: string
  readonly invoice?: string
}

export interface FiscalOpeningAsk {
  readonly operator: number
  readonly password: string
  /** `detailed` and `vat` are both present or both absent. */
  readonly detailed?: boolean
  readonly vat?: boolean
  /** Absent in the oldest form. */
  readonly print?: string
  /** Five fields in the editions c4 and c6, seven on a Romanian customer receipt. */
  readonly customer?: readonly string[]
  readonly idType?: number
  /** Number in the customer base of the device, sent as `#nnnn`. */
  readonly customerNumber?: number
  readonly reversal?: ReversalOf
  readonly urn?: string
}

const RECEIPT_CUSTOMER_WIDTHS = [15, 30, 20, 20, 20, 20, 30] as const

/** Unique sale number, usually `XXXXXXXX-ZZZZ-YYYYYYY`. Other forms up to 24 symbols are accepted. */
const URN = /^[\w-]{1,24}$/

const openingLayout = (d: Edition): Layout<FiscalOpeningAsk> => {
  const row = cells<FiscalOpeningAsk>(d, {
    fields: {
      operator: 'number',
      password: 'text',
      print: 'choice',
      customer: 'text',
      idType: 'number',
      customerNumber: 'number',
      reversal: { reason: 'number', related: 'text', at: 'time', memory: 'text', invoice: 'text' },
      urn: 'text',
    },
    write(v, w) {
      const bit = (on: boolean | undefined) => (on ? '1' : '0')
      const widths = v.customer?.length === 7 ? RECEIPT_CUSTOMER_WIDTHS : CUSTOMER_WIDTHS
      const reversal = v.reversal
      return [
        String(v.operator),
        w.text(v.password, d.passwordWidth),
        ...(v.detailed === undefined ? [] : [bit(v.detailed), bit(v.vat)]),
        ...(v.print === undefined ? [] : [v.print]),
        ...(v.customerNumber === undefined ? [] : [`#${digits(v.customerNumber, 4)}`]),
        ...(v.customer === undefined ? [] : widths.map((width, index) => w.text(v.customer?.[index] ?? '', width))),
        ...(v.idType === undefined ? [] : [String(v.idType)]),
        ...(reversal === undefined ? [] : reversalCells(reversal)),
        ...(v.urn !== undefined && reversal !== undefined ? [v.urn] : []),
      ]
    },
    read: (r) => readOpening(r),
  })
  return {
    fields: row.fields,
    write: (v, page) => row.write(v, page) + (v.urn !== undefined && v.reversal === undefined ? `$${v.urn}` : ''),
    read(raw, page) {
      const mark = raw.lastIndexOf('$')
      if (mark < 0) return row.read(raw, page)
      const urn = raw.slice(mark + 1)
      if (!URN.test(urn)) throw syntaxError('urn', `${JSON.stringify(urn)} is not a number of a sale`)
      return { ...row.read(raw.slice(0, mark), page), urn }
    },
  }
}

function reversalCells(reversal: ReversalOf): string[] {
  const { reason, related, at, memory, invoice } = reversal
  return invoice === undefined
    ? [String(reason), related, at, memory]
    : [String(reason), digits(Number(invoice), 10), at, related, memory]
}

function readOpening(r: CellReader): FiscalOpeningAsk {
  const operator = r.whole('operator', OPERATORS)
  const head = { operator, password: r.text('password', { max: 6 }) }
  if (r.remaining === 0) return head
  if (r.remaining === 1) throw syntaxError('data', 'three fields match none of the forms')
  const second = r.next('detailed')
  if (!/^[01]$/.test(second)) throw syntaxError('detailed', 'must be 0 or 1')
  const options = { detailed: second !== '0', vat: r.bit('vat') }
  if (r.remaining === 0) return { ...head, ...options }
  const print = readPrint(r.next('print'))
  const type = printType(print)
  const opening = { ...head, ...options, print }
  if (r.remaining === 0) return opening
  return {
    ...opening,
    ...(type.invoice ? readCustomer(r) : {}),
    ...(type.reversal ? readReversal(r, type.invoice) : {}),
  }
}

function readPrint(raw: string): string {
  const byte = raw.charCodeAt(0)
  if (raw.length !== 1) throw syntaxError('print', `${JSON.stringify(raw)} is not a print type`)
  if (byte <= 0x09) return String.fromCharCode(0x30 + byte)
  if (!'012345'.includes(raw) && !'89@ABCDE'.includes(raw)) {
    throw syntaxError('print', `${JSON.stringify(raw)} is not a print type`)
  }
  return raw
}

function readCustomer(r: CellReader): Partial<FiscalOpeningAsk> {
  if (r.peek()?.startsWith('#')) {
    const number = Number(r.next('customer').slice(1))
    if (!Number.isInteger(number) || number < 1 || number > CUSTOMERS)
      throw syntaxError('customer', 'is not a customer number')
    return { customerNumber: number }
  }
  // A customer receipt has seven fields. An invoice has five, and may have a type of the id number.
  const seven = r.remaining === 7
  if (r.remaining < 5) throw syntaxError('customer', 'has too few fields')
  const widths = seven ? RECEIPT_CUSTOMER_WIDTHS : CUSTOMER_WIDTHS
  const customer = widths.map((max) => r.text('customer', { max }))
  const idType = r.peek()?.length === 1 ? r.whole('idType', { max: 9 }) : undefined
  return idType === undefined ? { customer } : { customer, idType }
}

function readReversal(r: CellReader, creditNote: boolean): Partial<FiscalOpeningAsk> {
  if (r.remaining < (creditNote ? 5 : 4)) throw syntaxError('reversal', 'has too few fields')
  const reason = r.whole('reason', { max: 2 })
  const invoice = creditNote ? numberOf(r, 'invoice', /^\d{10}$/) : undefined
  const related = creditNote ? undefined : numberOf(r, 'related', /^\d{1,6}$/)
  const at = r.next('at')
  if (!/^\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/.test(at)) throw syntaxError('at', 'must be DD-MM-YY HH:MM:SS')
  readTime('at', at)
  const number = related ?? numberOf(r, 'related', /^\d{1,6}$/)
  const memory = numberOf(r, 'memory', /^\w{8}$/)
  const urn = r.remaining > 0 && r.peek() !== '' ? r.text('urn', { max: 24 }) : undefined
  return {
    reversal: { reason, related: number, at, memory, ...(invoice === undefined ? {} : { invoice }) },
    ...(urn === undefined ? {} : { urn }),
  }
}

/** Reads the number of a document or of a fiscal memory. No such number is 0. */
function numberOf(r: CellReader, name: string, shape: RegExp): string {
  const text = r.next(name)
  if (!shape.test(text) || /^0+$/.test(text)) throw syntaxError(name, `${JSON.stringify(text)} is not a number`)
  return text
}

/**
 * Returns whether the data opens a storno receipt or a credit note. Only the print type distinguishes them from other
 * receipts.
 */
const opensReversal = (data: string): boolean => /^[^;]*;[^;]*;[^;]*;[^;]*;[@A-E](;|\$|$)/.test(data)

export const receiptCommands = (d: Edition) =>
  [
    command('openFiscal', 0x30, '4.7', opening, { request: openingLayout(d), limitMs: 15_000 }),
    command('openReversal', 0x30, '4.7', opening, {
      claims: opensReversal,
      request: openingLayout(d),
      limitMs: 15_000,
    }),
  ] as const
