import type { Range } from '../model/capabilities.ts'
import { countText } from '../model/count-text.ts'
import { formatDecimal, parseDecimal } from '../model/money.ts'
import type { ByteText, CodePage } from './charset.ts'

/**
 * Unit of a value. `money` is in hundredths, `quantity` in thousandths, `percent` in hundredths of a percent. `time` is
 * a date, a time or both. `choice` is a value of a closed list, or a flag.
 */
export type Unit = 'money' | 'quantity' | 'percent' | 'number' | 'text' | 'time' | 'bytes' | 'choice'

export const DECIMALS = { money: 2, quantity: 3, percent: 2 } as const

/**
 * A field of a row, for both directions. `write` and `read` refuse values that the source does not allow. A driver that
 * must tolerate more does so by a named exception elsewhere.
 */
export interface Field<Name extends string, T> {
  readonly name: Name
  readonly unit: Unit
  readonly model?: string
  /**
   * True if the value differs on every device: counters, sums, clocks, serial numbers. Such values are compared only by
   * form.
   */
  readonly own?: true
  /** True if the field may be empty. The value is then `undefined`. */
  readonly optional: boolean
  write(value: T, page: CodePage): ByteText
  read(raw: ByteText, page: CodePage): T
}

/**
 * Error of a field. `syntax`: it cannot be parsed; `value`: it is out of range. `index` counts the fields from 1.
 * `code` is the error code of the wire protocol for this mistake, if any.
 */
export class FieldError extends Error {
  readonly field: string
  readonly problem: 'syntax' | 'value'
  readonly what: string
  readonly code: number | undefined
  index: number

  constructor(field: string, problem: 'syntax' | 'value', what: string, index = 0, code?: number) {
    super(`${field}: ${what}`)
    this.name = 'FieldError'
    this.field = field
    this.problem = problem
    this.what = what
    this.index = index
    this.code = code
  }
}

const inRange = (name: string, value: number, { min, max }: Range, show: (value: number) => string): number => {
  if (value < min || value > max) {
    throw new FieldError(name, 'value', `${show(value)} is outside ${show(min)} to ${show(max)}`)
  }
  return value
}

/**
 * Returns whether the sign may be parsed. A forbidden minus is a value out of range, but a forbidden plus is a syntax
 * error.
 */
const isSigned = (raw: ByteText, { min }: Range): boolean => min < 0 || !raw.startsWith('+')

function decimal<Name extends string>(name: Name, unit: keyof typeof DECIMALS, range: Range): Field<Name, number> {
  const decimals = DECIMALS[unit]
  const show = (value: number) => formatDecimal(value, decimals)
  return {
    name,
    unit,
    optional: false,
    write: (value) => show(inRange(name, value, range, show)),
    read(raw) {
      // No wire protocol has exponents. A plus is allowed only where a minus is.
      const value = isSigned(raw, range) && /^[^eE]*$/.test(raw) ? parseDecimal(raw, decimals) : 'not a decimal number'
      if (typeof value === 'string') throw new FieldError(name, 'syntax', `${JSON.stringify(raw)}: ${value}`)
      return inRange(name, value, range, show)
    },
  }
}

/** Declares a whole number in decimal digits. `digits`: minimum number of digits, reached by leading zeros. */
export function int<Name extends string>(
  name: Name,
  options: Range & { readonly digits?: number },
): Field<Name, number> {
  return {
    name,
    unit: 'number',
    optional: false,
    write(value) {
      if (!Number.isSafeInteger(value)) throw new FieldError(name, 'value', `${value} is not a whole number`)
      const text = String(Math.abs(inRange(name, value, options, String))).padStart(options.digits ?? 1, '0')
      return value < 0 ? `-${text}` : text
    },
    read(raw) {
      if (!isSigned(raw, options) || !/^[+-]?\d{1,15}$/.test(raw)) {
        throw new FieldError(name, 'syntax', `${JSON.stringify(raw)} is not a whole number`)
      }
      return inRange(name, Number(raw), options, String)
    },
  }
}

export const money = <Name extends string>(
  name: Name,
  range: Range = { min: 0, max: 999_999_999 },
): Field<Name, number> => decimal(name, 'money', range)

export const quantity = <Name extends string>(name: Name, range: Range = { min: 1, max: 999_999_999 }) =>
  decimal(name, 'quantity', range)

export const percent = <Name extends string>(name: Name, range: Range = { min: 1, max: 9_999 }) =>
  decimal(name, 'percent', range)

/** Declares text in the device's code page; lengths are in bytes of that page. */
export function text<Name extends string>(
  name: Name,
  { min = 0, max, pattern }: { readonly min?: number; readonly max: number; readonly pattern?: RegExp },
): Field<Name, string> {
  const check = (raw: ByteText): ByteText => {
    if (raw.length < min || raw.length > max) {
      throw new FieldError(name, 'value', `${countText(raw.length, 'character')}; expected ${min} to ${max}`)
    }
    if (pattern && !pattern.test(raw)) throw new FieldError(name, 'value', `${JSON.stringify(raw)} has the wrong form`)
    return raw
  }
  return {
    name,
    unit: 'text',
    optional: false,
    write: (value, page) => check(page.encode(value)),
    read: (raw, page) => page.decode(check(raw)),
  }
}

export function raw<Name extends string>(
  name: Name,
  { min = 0, max }: { readonly min?: number; readonly max: number },
) {
  const field: Field<Name, ByteText> = {
    name,
    unit: 'bytes',
    optional: false,
    write: (value) => value,
    read(value) {
      if (value.length < min || value.length > max) {
        throw new FieldError(name, 'value', `${countText(value.length, 'byte')}; expected ${min} to ${max}`)
      }
      return value
    },
  }
  return field
}

/** Declares a value of a closed list: `choice('kind', { X: 'x', Z: 'z' })` maps each value to its text on the wire. */
export function choice<Name extends string, const Table extends Readonly<Record<string, ByteText>>>(
  name: Name,
  table: Table,
): Field<Name, keyof Table & string> {
  const values = new Map(Object.entries(table).map(([value, letter]) => [letter, value as keyof Table & string]))
  return {
    name,
    unit: 'choice',
    optional: false,
    write(value) {
      const letter = table[value]
      if (letter === undefined) throw new FieldError(name, 'value', `${value} is not one of ${Object.keys(table)}`)
      return letter
    },
    read(letter) {
      const value = values.get(letter)
      if (value === undefined) {
        throw new FieldError(name, 'value', `${JSON.stringify(letter)} is not one of ${[...values.keys()].join(' ')}`)
      }
      return value
    },
  }
}

/** Declares a flag: `flag('invoice', 'I')` is `I` or empty, `flag('print', '1', '0')` is 1 or 0. */
export function flag<Name extends string>(name: Name, on: ByteText, off: ByteText = ''): Field<Name, boolean> {
  return {
    name,
    unit: 'choice',
    optional: off === '',
    write: (value) => (value ? on : off),
    read(letter) {
      if (letter !== on && letter !== off) {
        throw new FieldError(
          name,
          'value',
          `${JSON.stringify(letter)} is not ${JSON.stringify(on)} or ${JSON.stringify(off)}`,
        )
      }
      return letter === on
    },
  }
}

/** Makes a field optional. It may be empty, or missing at the end of the row; the value is then `undefined`. */
export function optional<Name extends string, T>(field: Field<Name, T>): Field<Name, T | undefined> {
  return {
    ...field,
    optional: true,
    write: (value, page) => (value === undefined ? '' : field.write(value, page)),
    read: (raw, page) => (raw === '' ? undefined : field.read(raw, page)),
  }
}

export const own = <F extends { readonly name: string }>(field: F): F & { readonly own: true } => ({
  ...field,
  own: true,
})

export const called = <Name extends string, T>(model: string, field: Field<Name, T>): Field<Name, T> => ({
  ...field,
  model,
})
