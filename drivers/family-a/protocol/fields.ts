import type { ByteText } from '../../wire/charset.ts'
import { choice, type Field, FieldError, int, money, own, percent } from '../../wire/field.ts'
import { splitRow } from '../../wire/row.ts'
import type { Edition, EditionName } from './edition.ts'

export const TAB = '\t'
const STYLE = { separator: TAB, ended: true, dropEmptyTail: false } as const

export const splitTabs = (raw: ByteText): ByteText[] => splitRow(raw, STYLE)

// biome-ignore lint/suspicious/noExplicitAny: the kit infers the value types from the literal it is given
export type AnyField = Field<string, any>

export interface WideField<Name extends string, T> extends Field<Name, T> {
  readonly width: number
}

export const widthOf = (field: AnyField): number => ('width' in field ? (field as WideField<string, unknown>).width : 1)

/**
 * Runs an action, and adds the number of fields before it to its error. A field of several pieces has already counted
 * its own pieces.
 */
export function locateError<T>(before: number, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof FieldError) error.index = before + Math.max(1, error.index)
    throw error
  }
}

/** Returns a field that may be empty (`null`), or absent together with its TAB (`undefined`). */
export const blank = <Name extends string, T>(field: Field<Name, T>): Field<Name, T | null | undefined> => ({
  ...field,
  optional: true,
  write: (value, page) => (value === null || value === undefined ? '' : field.write(value, page)),
  read: (raw, page) => (raw === '' ? null : field.read(raw, page)),
})

/**
 * Declares text in which a control character is sent as 10h and the character plus 40h; lengths are those of the plain
 * text.
 */
export function words<Name extends string>(
  name: Name,
  { min = 0, max, pattern }: { readonly min?: number; readonly max: number; readonly pattern?: RegExp },
): Field<Name, string> {
  const check = (plain: ByteText): ByteText => {
    if (plain.length < min || plain.length > max) {
      throw new FieldError(name, 'value', `${plain.length} characters; expected ${min} to ${max}`)
    }
    if (pattern && !pattern.test(plain)) {
      throw new FieldError(name, 'value', `${JSON.stringify(plain)} has the wrong form`)
    }
    return plain
  }
  return {
    name,
    unit: 'text',
    optional: false,
    write: (value, page) =>
      check(page.encode(value)).replace(/[\x00-\x1f]/g, (c) => `\x10${String.fromCharCode(c.charCodeAt(0) + 0x40)}`),
    read: (raw, page) =>
      page.decode(
        check(raw.replace(/\x10([\x40-\x5f])/g, (_, c: string) => String.fromCharCode(c.charCodeAt(0) - 0x40))),
      ),
  }
}

/** Declares a number of the document counter, in the field `document` by default; 0 if there is no document yet. */
export function document(): Field<'document', number>
export function document<Name extends string>(name: Name): Field<Name, number>
export function document(name = 'document'): Field<string, number> {
  return own(int(name, { min: 0, max: 9_999_999 }))
}

export const yesNo = <Name extends string>(name: Name): Field<Name, boolean> => ({
  name,
  unit: 'choice',
  optional: false,
  write: (value) => (value ? '1' : '0'),
  read(raw) {
    if (raw === '0' || raw === '1') return raw === '1'
    throw new FieldError(name, /^-?\d+$/.test(raw) ? 'value' : 'syntax', `${JSON.stringify(raw)} is not 0 or 1`)
  },
})

/** Declares a choice of numbers: text that is not a number is a syntax error, another number is out of range. */
export function numbered<Name extends string, const Table extends Readonly<Record<string, ByteText>>>(
  name: Name,
  table: Table,
): Field<Name, keyof Table & string> {
  const inner = choice(name, table)
  return {
    ...inner,
    read(raw, page) {
      if (!/^-?\d+$/.test(raw)) throw new FieldError(name, 'syntax', `${JSON.stringify(raw)} is not a number`)
      return inner.read(raw, page)
    },
  }
}

type Numbers = Readonly<Record<string, ByteText>>

export const numberedIn = <Name extends string, const Bg extends Numbers, const Ro extends Numbers>(
  name: Name,
  edition: Pick<Edition, 'name'>,
  tables: { readonly bg: Bg; readonly ro: Ro },
) => numbered<Name, Numbers>(name, tables[edition.name]) as Field<Name, (keyof Bg | keyof Ro) & string>

export const signed = <Name extends string>(name: Name) =>
  own(money(name, { min: -99_999_999_999, max: 99_999_999_999 }))

/**
 * Declares a sum of the open receipt. Unlike `sum`, it is not specific to the device, because it follows from the
 * items.
 */
export const receiptSum = <Name extends string>(name: Name) => money(name, { min: 0, max: 99_999_999_999 })

export const sum = <Name extends string>(name: Name) => own(receiptSum(name))

export const limit = <Name extends string>(name: Name) => int(name, { min: 0, max: 9_999_999 })

export const count = <Name extends string>(name: Name) => own(limit(name))

export function many<Name extends string, T>(name: Name, width: number, field: Field<string, T>) {
  const wide: WideField<Name, readonly T[]> = {
    name,
    unit: field.unit,
    ...(field.own && { own: field.own }),
    width,
    optional: false,
    write(values, page) {
      if (values.length !== width) throw new FieldError(name, 'syntax', `${values.length} values; expected ${width}`)
      return values.map((value, before) => locateError(before, () => field.write(value, page))).join(TAB)
    },
    read: (raw, page) => raw.split(TAB).map((piece, before) => locateError(before, () => field.read(piece, page))),
  }
  return wide
}

type OptionalFields<Fields extends readonly AnyField[]> = {
  readonly [At in keyof Fields]: Fields[At] extends Field<infer Name, infer T> ? Field<Name, T | undefined> : never
}

/**
 * Returns the fields if they exist in this edition at this position of a row; their values are absent in the other
 * edition.
 */
export const only = <const Fields extends readonly AnyField[]>(
  edition: Pick<Edition, 'name'>,
  name: EditionName,
  ...fields: Fields
): OptionalFields<Fields> => (edition.name === name ? fields : []) as unknown as OptionalFields<Fields>

/**
 * Returns the fields that the edition ro has after the document: its Z report, and its number among the fiscal receipts
 * of that Z report.
 */
export const fiscalCounters = (edition: Edition) => only(edition, 'ro', closure(), count('fiscalNumber'))

/** Declares the number of a Z report, in the field `closure` by default; 0 if there is no Z report yet. */
export function closure(): Field<'closure', number>
export function closure<Name extends string>(name: Name): Field<Name, number>
export function closure(name = 'closure'): Field<string, number> {
  return own(int(name, { min: 0, max: 9_999 }))
}

export const sums = <Name extends string>(name: Name, { taxGroups }: Edition) => many(name, taxGroups, sum('sum'))

/**
 * Declares the rate of a tax group: hundredths of a percent, or null for a disabled group, which has a special number.
 */
export const rate = <Name extends string>(name: Name, { disabledRate }: Edition): Field<Name, number | null> => {
  const inner = percent(name, { min: 0, max: 10_002 })
  return {
    ...inner,
    write: (value, page) => (value === null ? disabledRate : inner.write(value, page)),
    read(raw, page) {
      const value = inner.read(raw, page)
      if (value < 10_000) return value
      if (disabledRate === '100.02' && raw !== disabledRate) throw new FieldError(name, 'value', `${raw} is not a rate`)
      return null
    },
  }
}

/**
 * Declares a tax group as a Latin letter from A on, or as its counterpart at the beginning of the Cyrillic alphabet.
 */
export const groupLetter = <Name extends string>(name: Name, { taxGroups }: Edition): Field<Name, number> => ({
  name,
  unit: 'number',
  optional: false,
  write(value) {
    if (value < 1 || value > taxGroups) throw new FieldError(name, 'value', `${value} is outside 1 to ${taxGroups}`)
    return String.fromCharCode(64 + value)
  },
  read(raw) {
    const code = /^[A-H\xC0-\xC7]$/.test(raw) ? raw.charCodeAt(0) : 0
    const group = code >= 0xc0 ? code - 0xbf : code - 64
    if (group >= 1 && group <= taxGroups) return group
    throw new FieldError(name, raw === '' ? 'syntax' : 'value', 'is not a tax group')
  },
})
