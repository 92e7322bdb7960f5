/**
 * Numbers, sums, rates and dates of family B (sheet 6.2 to 6.4). Amounts have two styles, zero-padded hundredths and
 * decimals with a point; `readSum` accepts both.
 */

import { formatDecimal } from '../../model/money.ts'
import type { TaxCode } from '../../model/receipt.ts'
import { trimEndOf } from '../../model/trim-end.ts'
import type { ByteText } from '../../wire/charset.ts'
import { type Field, FieldError } from '../../wire/field.ts'
import { ownUnit } from '../../wire/row.ts'

export interface DecimalForm {
  readonly decimals: number
  /** Significant digits, before and after the point together. */
  readonly digits: number
  readonly min: number
  readonly max: number
}

export const PRICE: DecimalForm = { decimals: 2, digits: 9, min: 0, max: 999_999_999 }
export const SIGNED_PRICE: DecimalForm = { ...PRICE, min: -999_999_999 }
export const SHORT_PRICE: DecimalForm = { ...PRICE, digits: 8 }
export const QUANTITY: DecimalForm = { decimals: 3, digits: 8, min: 1, max: 999_999_999 }
export const PERCENT: DecimalForm = { decimals: 2, digits: 5, min: -10_000, max: 9_999 }

const fault = (field: string, what: string, code: number) => new FieldError(field, 'value', what, 0, code)

/**
 * Parses a decimal as strictly as the device does. Each mistake has its own error number (sheet 8.1: 11 to 16 and 21).
 */
export function readDecimal(name: string, raw: ByteText, { decimals, digits, min, max }: DecimalForm): number {
  if (raw === '') throw new FieldError(name, 'syntax', 'is missing')
  if (/[^\d.+-]/.test(raw)) throw fault(name, `${JSON.stringify(raw)} has an illegal character`, 14)
  if (raw.split('.').length > 2) throw fault(name, 'has two decimal points', 11)
  if (raw.split(/[+-]/).length > 2) throw fault(name, 'has more than one sign', 12)
  if (/.[+-]/.test(raw)) throw fault(name, 'has a sign that is not first', 13)
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(raw) ?? []
  if (whole === '' && fraction === '') throw new FieldError(name, 'syntax', 'has no digits')
  if (fraction.length > decimals) throw fault(name, `has more than ${decimals} decimals`, 15)
  const significant = whole.replace(/^0+/, '').length + trimEndOf(fraction, '0').length
  if (significant > digits) throw fault(name, `has more than ${digits} digits`, 16)
  const size = Number(whole + fraction.padEnd(decimals, '0'))
  const value = sign === '-' && size !== 0 ? -size : size
  if (value < min || value > max) throw fault(name, `${raw} is out of range`, 21)
  return value
}

export function writeDecimal(name: string, value: number, { decimals, min, max }: DecimalForm): ByteText {
  if (value < min || value > max) throw fault(name, `${formatDecimal(value, decimals)} is out of range`, 21)
  return formatDecimal(value, decimals)
}

export const writeSigned = (name: string, value: number, form: DecimalForm): ByteText =>
  value < 0 ? writeDecimal(name, value, form) : `+${writeDecimal(name, value, form)}`

/** Writes hundredths in a fixed number of digits. A minus sign replaces one digit. */
export function writeSum(value: number, digits: number): ByteText {
  return value < 0 ? `-${String(-value).padStart(digits - 1, '0')}` : String(value).padStart(digits, '0')
}

export function readSum(name: string, raw: ByteText): number {
  const match = /^\s*([+-]?)(\d+)(?:\.(\d{1,2}))?$/.exec(raw)
  if (!match) throw new FieldError(name, 'syntax', `${JSON.stringify(raw)} is not a sum`)
  const [, sign, whole = '', fraction] = match
  const size = fraction === undefined ? Number(whole) : Number(whole + fraction.padEnd(2, '0'))
  return sign === '-' && size !== 0 ? -size : size
}

/** Declares a sum in hundredths. `digits`: the written width; any width can be read. */
export function sum<Name extends string>(name: Name, digits: number): Field<Name, number> {
  return {
    name,
    unit: 'money',
    own: true,
    optional: false,
    write: (value) => writeSum(value, digits),
    read: (raw) => readSum(name, raw),
  }
}

export interface Sums {
  readonly sums: readonly number[]
  readonly digits: number
}

export const SUMS = { sums: ownUnit('money'), digits: 'number' } as const

export const writeSums = ({ sums, digits }: Sums): ByteText[] => sums.map((value) => writeSum(value, digits))

export const readSums = (name: string, pieces: readonly ByteText[]): Sums => ({
  sums: pieces.map((piece) => readSum(name, piece)),
  digits: pieces[0]?.length ?? 0,
})

const FORBIDDEN = -100

/** Writes a rate such as `20.00`, with at least five characters. A forbidden group is null and becomes `-1.00`. */
export const writeRate = (rate: number | null): ByteText => formatDecimal(rate ?? FORBIDDEN, 2).padStart(5, '0')

export function readRate(raw: ByteText): number | null {
  const value = readDecimal('rate', raw, { decimals: 2, digits: 4, min: FORBIDDEN, max: 9_999 })
  if (value < 0 && value !== FORBIDDEN) throw fault('rate', `${raw} is out of range`, 21)
  return value === FORBIDDEN ? null : value
}

/**
 * Returns the byte of a group: the first group has the byte of constant P7, the others the codes after it (sheet 6.2).
 */
export function taxByte(firstGroup: ByteText, taxCode: TaxCode): ByteText {
  if (firstGroup === ' ') return taxCode === 1 ? ' ' : String.fromCharCode(0x41 + taxCode - 2)
  return String.fromCharCode(firstGroup.charCodeAt(0) + taxCode - 1)
}

export function taxCodeOf(firstGroup: ByteText, groups: number, byte: ByteText): TaxCode | undefined {
  for (let code = 1; code <= groups; code++) if (taxByte(firstGroup, code as TaxCode) === byte) return code as TaxCode
  return undefined
}

const pad = (value: number): string => String(value).padStart(2, '0')

function isoDateTime(field: string, year: number, month: number, day: number, time: string): string {
  const date = new Date(Date.UTC(year, month - 1, day))
  // `Date.UTC` moves a day that the month does not have into another month.
  if (date.getUTCMonth() !== month - 1) throw fault(field, 'is not a date', 10)
  return `${year}-${pad(month)}-${pad(day)}${time}`
}

/**
 * Parses `DD-MM-YY HH:mm[:SS]` into `YYYY-MM-DDThh:mm:ss`. Newer firmware writes dots instead of dashes. A year of four
 * digits is accepted.
 */
export function readDateTime(field: string, raw: ByteText): string {
  const match = /^(\d{2})[-.](\d{2})[-.](\d{2}|\d{4}) (\d{2}):(\d{2})(?::(\d{2}))?$/.exec(raw)
  if (!match) throw fault(field, `${JSON.stringify(raw)} is not a date and time`, 10)
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((one) => Number(one ?? 0))
  if (hour > 23 || minute > 59 || second > 59) throw fault(field, 'is not a time', 10)
  return isoDateTime(field, year < 100 ? 2000 + year : year, month, day, `T${pad(hour)}:${pad(minute)}:${pad(second)}`)
}

export function writeDateTime(at: string, separator = '-'): ByteText {
  return `${[at.slice(8, 10), at.slice(5, 7), at.slice(2, 4)].join(separator)} ${at.slice(11, 19)}`
}

export function readDate(field: string, raw: ByteText): string {
  const match = /^(\d{2})(\d{2})(\d{2})$/.exec(raw)
  if (!match) throw fault(field, `${JSON.stringify(raw)} is not a date`, 10)
  return isoDateTime(field, 2000 + Number(match[3]), Number(match[2]), Number(match[1]), '')
}

export const writeDate = (at: string): ByteText => at.slice(8, 10) + at.slice(5, 7) + at.slice(2, 4)

export function date<Name extends string>(name: Name): Field<Name, string> {
  return { name, unit: 'time', own: true, optional: false, write: writeDate, read: (raw) => readDate(name, raw) }
}
