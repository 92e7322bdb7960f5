/**
 * Data of family C: cells between `;`. Most cells are padded to an exact width, and many are repeated for each tax
 * class or payment of the edition (sheet 1 and 4). A layout consists of two functions over a writer and a reader.
 *
 * Every problem is `syntax` (30/34), except a number with more symbols than its cell, which is `value` (30/35, input
 * register overflow).
 */

import { formatMoney, formatPercent, formatQuantity, formatShort, parseDecimal } from '../../model/money.ts'
import { trimEndOf } from '../../model/trim-end.ts'
import type { ByteText, CodePage } from '../../wire/charset.ts'
import { FieldError } from '../../wire/field.ts'
import type { FieldsOf, Layout } from '../../wire/row.ts'
import type { Edition } from './edition.ts'

export const syntaxError = (field: string, what: string): FieldError => new FieldError(field, 'syntax', what)
const overflow = (field: string, what: string): FieldError => new FieldError(field, 'value', what)

export const pad = (text: ByteText, width: number): ByteText => text.slice(0, width).padEnd(width, ' ')
/** Fields of the adjustment of a sale or a subtotal; negative for a discount. A request has at most one of the two. */
export const ADJUSTMENTS = {
  percent: { unit: 'percent', model: 'adjustment' },
  value: { unit: 'money', model: 'adjustment' },
} as const
export const TAX = { unit: 'text', model: 'taxCode' } as const

/** Replaces the separator, which a text cell cannot contain. A comma is the usual replacement (sheet 1). */
export const withoutSeparator = (text: string): string => text.replaceAll(';', ',')
const unpadded = (raw: ByteText): ByteText => trimEndOf(raw, ' ')

export interface CellWriter {
  text(value: string, width: number): ByteText
  short(value: string, width: number): ByteText
  /** Writes an amount of an answer, right-aligned if the edition has a fixed width. */
  amount(value: number): ByteText
  amounts(values: readonly number[]): ByteText[]
  quantity(value: number): ByteText
}

/** Reads the cells in order. Throws a syntax error if a cell is missing. */
export interface CellReader {
  readonly remaining: number
  next(name: string): ByteText
  peek(): ByteText | undefined
  text(
    name: string,
    limit?: { readonly width?: number; readonly widths?: readonly number[]; readonly max?: number },
  ): string
  whole(name: string, range?: { readonly min?: number; readonly max?: number }): number
  amount(name: string): number
  amounts(name: string, count: number): number[]
  quantity(name: string): number
  letter<const Letters extends readonly string[]>(name: string, letters: Letters): Letters[number]
  bit(name: string): boolean
}

interface CellLayout<T> {
  readonly fields: FieldsOf<T>
  /** The last cell is followed by a separator, too. `read` accepts both forms. */
  readonly closed?: boolean
  write(values: T, writer: CellWriter): readonly ByteText[]
  read(reader: CellReader): T
}

export function cells<T>(edition: Edition, layout: CellLayout<T>): Layout<T> {
  return {
    fields: layout.fields,
    write: (values, page) => layout.write(values, cellWriter(edition, page)).join(';') + (layout.closed ? ';' : ''),
    read(raw, page) {
      const pieces = raw.split(';')
      if (pieces.at(-1) === '' && (layout.closed || raw === '')) pieces.pop()
      const reader = cellReader(pieces, page)
      const values = layout.read(reader)
      if (reader.remaining > 1 || (reader.remaining === 1 && reader.peek() !== '')) {
        throw syntaxError('data', `${reader.remaining} cells too many`)
      }
      return values
    },
  }
}

function cellWriter(edition: Edition, page: CodePage): CellWriter {
  const encode = (value: string): ByteText => page.encode(withoutSeparator(value))
  const amount = (value: number): ByteText => formatMoney(value).padStart(edition.amountWidth, ' ')
  return {
    text: (value, width) => pad(encode(value), width),
    short: (value, width) => encode(value).slice(0, width),
    amount,
    amounts: (values) => values.map(amount),
    quantity: (value) => formatQuantity(value).padStart(edition.amountWidth, ' '),
  }
}

function cellReader(pieces: readonly ByteText[], page: CodePage): CellReader {
  let at = 0
  const next = (name: string): ByteText => {
    const piece = pieces[at++]
    if (piece === undefined) throw syntaxError(name, 'is missing')
    return piece
  }
  const reader: CellReader = {
    get remaining() {
      return pieces.length - at
    },
    next,
    peek: () => pieces[at],
    text(name, { width, widths, max } = {}) {
      const piece = next(name)
      const allowed = widths ?? (width === undefined ? undefined : [width])
      if (allowed !== undefined && !allowed.includes(piece.length)) {
        throw syntaxError(name, `${piece.length} symbols, exactly ${allowed.join(' or ')} are required`)
      }
      if (max !== undefined && piece.length > max) throw syntaxError(name, `${piece.length} symbols, at most ${max}`)
      return page.decode(unpadded(piece))
    },
    whole: (name, range) => readWhole(name, next(name), range),
    amount: (name) => readAmount(name, next(name), 14),
    amounts: (name, count) => Array.from({ length: count }, () => readAmount(name, next(name), 14)),
    quantity: (name) => readQuantity(name, next(name), 14),
    letter(name, letters) {
      const piece = next(name)
      if (!letters.includes(piece))
        throw syntaxError(name, `${JSON.stringify(piece)} is not one of ${letters.join(' ')}`)
      return piece
    },
    bit: (name) => reader.letter(name, ['0', '1']) === '1',
  }
  return reader
}

export function readWhole(
  name: string,
  raw: ByteText,
  { min = 0, max = 999_999_999 }: { readonly min?: number; readonly max?: number } = {},
): number {
  const text = raw.trim()
  if (!/^[+-]?\d{1,10}$/.test(text)) throw syntaxError(name, `${JSON.stringify(raw)} is not a whole number`)
  const value = Number(text)
  if (value < min || value > max) throw syntaxError(name, `${value} is outside ${min} to ${max}`)
  return value
}

function readDecimal(name: string, raw: ByteText, decimals: number, width: number): number {
  const text = raw.trim()
  const value = /[eE]/.test(text) ? 'not a decimal number' : parseDecimal(text, decimals)
  if (value === 'too large') throw overflow(name, `${text} is too large`)
  if (typeof value === 'string') throw syntaxError(name, `${JSON.stringify(raw)}: ${value}`)
  // The sign is not counted: -9999999.99 is a correction of the largest price.
  if (text.replace(/^[+-]/, '').length > width) throw overflow(name, `${text} needs more than ${width} symbols`)
  return value
}

export const readAmount = (name: string, raw: ByteText, width = 10): number => readDecimal(name, raw, 2, width)
export const readQuantity = (name: string, raw: ByteText, width = 10): number => readDecimal(name, raw, 3, width)
/** Parses a percentage into hundredths of a percent. The final `%` is optional. */
export const readPercent = (name: string, raw: ByteText): number =>
  readDecimal(name, raw.trim().replace(/%$/, ''), 2, 6)
export const writePercent = (value: number): ByteText => `${formatPercent(value)}%`
export const shortQuantity = (value: number): ByteText => formatShort(value, 3)

/** Returns the byte of a department: 80h + number; 80h is "no department". */
export const departmentByte = (number: number): ByteText => String.fromCharCode(0x80 + number)
export function readDepartment(name: string, raw: ByteText): number {
  const byte = raw.charCodeAt(0)
  if (raw.length !== 1 || byte < 0x80 || byte > 0x80 + 99) {
    throw syntaxError(name, `${JSON.stringify(raw)} is not a department byte`)
  }
  return byte - 0x80
}

/**
 * Letters of a tax class (sheet 4.8): Cyrillic А to З (C0h to C7h), Latin A to H, a digit 0 to 7, `*` for the forbidden
 * class, a blank for the class of the department. Values keep the letter that was received, so that it can be written
 * unchanged.
 */
const CYRILLIC = 'АБВГДЕЖЗ'
export const taxLetterOf = (code: number, letters: Edition['taxLetters']): string =>
  (letters === 'cyrillic' ? CYRILLIC : 'ABCDEFGH').charAt(code - 1)

export function writeTax(letter: string): ByteText {
  const index = CYRILLIC.indexOf(letter)
  return index >= 0 && letter !== '' ? String.fromCharCode(0xc0 + index) : letter
}
export function readTax(name: string, raw: ByteText): string {
  const byte = raw.charCodeAt(0)
  if (raw.length === 1 && byte >= 0xc0 && byte <= 0xc7) return CYRILLIC.charAt(byte - 0xc0)
  if (/^[A-H0-7* ]$/.test(raw)) return raw
  throw syntaxError(name, `${JSON.stringify(raw)} is not a tax class`)
}

export function taxCodeOf(letter: string): number | undefined {
  const places = ['ABCDEFGH', CYRILLIC, '01234567'].map((letters) => letters.indexOf(letter))
  const place = Math.max(...places)
  return letter === '' || place < 0 ? undefined : place + 1
}

export const noData: Layout<Record<never, never>> = {
  fields: {},
  write: () => '',
  read(raw) {
    if (raw !== '') throw syntaxError('data', 'no data is allowed')
    return {}
  },
}

type OneText<Name extends string> = { readonly [N in Name]: string }

export function wholeText<const Name extends string>(
  name: Name,
  { width, max, ignored = '' }: { readonly width?: number; readonly max?: number; readonly ignored?: string } = {},
): Layout<OneText<Name>> {
  return {
    fields: { [name]: 'text' } as FieldsOf<OneText<Name>>,
    write(values, page) {
      const bytes = page.encode(values[name])
      return width === undefined ? bytes.slice(0, max ?? bytes.length) : pad(bytes, width)
    },
    read(raw, page) {
      if (width !== undefined && raw.length !== width) {
        throw syntaxError(name, `${raw.length} symbols, exactly ${width} are required`)
      }
      return { [name]: page.decode(width === undefined ? raw : unpadded(raw)) + ignored } as OneText<Name>
    },
  }
}

/** Parses a time of the clock commands: `DD-MM-YYYY HH:MM` or with two digits of the year, seconds optional. */
export function readTime(name: string, raw: ByteText): string {
  const match = /^(\d\d)-(\d\d)-(\d{4}|\d\d) (\d\d):(\d\d)(?::(\d\d))?$/.exec(raw.trim())
  if (!match) throw syntaxError(name, `${JSON.stringify(raw)} is not a date and time`)
  const [, day, month, year = '', hour, minute, second = '00'] = match
  const local = `${year.length === 2 ? `20${year}` : year}-${month}-${day}T${hour}:${minute}:${second}`
  const date = new Date(`${local}Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== local) {
    throw syntaxError(name, `${raw} does not exist`)
  }
  return local
}

export const NO_TIME = '00-00-0000 00:00'
export const writeTime = (local: string): ByteText => `${writeDate(local)} ${local.slice(11, 16)}`
export const writeDate = (local: string): ByteText => `${local.slice(8, 10)}-${local.slice(5, 7)}-${local.slice(0, 4)}`

export const digits = (value: number, width: number): ByteText => String(value).padStart(width, '0')
