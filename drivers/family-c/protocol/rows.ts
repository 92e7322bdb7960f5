/**
 * Rows whose fields are each declared once for both directions. Less regular data has two functions over a writer and a
 * reader (cells.ts).
 */
import type { ByteText } from '../../wire/charset.ts'
import { type FieldFact, type FieldsOf, type FieldTable, type Layout, ownUnit, type RowOf } from '../../wire/row.ts'
import {
  type CellReader, type CellWriter, cells, departmentByte, digits, NO_TIME, readDepartment, readTax, readTime, TAX,
  writeTax, writeTime,
} from './cells.ts' // biome-ignore format: one list
import type { Edition } from './edition.ts'

export interface RowField<Name extends string, T> {
  readonly name: Name
  readonly fact: FieldFact | FieldTable
  write(value: T, w: CellWriter): ByteText | readonly ByteText[]
  read(r: CellReader): T
}
// biome-ignore lint/suspicious/noExplicitAny: the kit infers the value types from the literal it is given
type AnyRowField = RowField<string, any>
export type RowFields = readonly AnyRowField[]

export interface Row {
  readonly fields: RowFields
  /** Optional fields at the end of the row. Whether the first of them is present decides about all. */
  readonly tail?: RowFields
}
export type ValuesOf<R extends Row> = RowOf<R['fields']> &
  (R extends { readonly tail: infer Tail extends RowFields } ? Partial<RowOf<Tail>> : unknown)

export const factsOf = ({ fields, tail = [] }: Row): FieldTable =>
  Object.fromEntries([...fields, ...tail].map(({ name, fact }) => [name, fact]))

export function put({ fields, tail: [first, ...otherFields] = [] }: Row, values: object, w: CellWriter): ByteText[] {
  const held = ({ name }: AnyRowField): unknown => (values as Readonly<Record<string, unknown>>)[name]
  const tail = first && held(first) !== undefined ? [first, ...otherFields] : []
  return [...fields, ...tail].flatMap((field) => field.write(held(field), w))
}

export function readRowValues<const R extends Row>({ fields, tail = [] }: R, r: CellReader): ValuesOf<R> {
  const read = (some: RowFields) => some.map((one) => [one.name, one.read(r)] as const)
  const values = read(fields)
  if (tail.length > 0 && r.remaining >= tail.length && r.peek() !== '') values.push(...read(tail))
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ValuesOf<R>
}

export function row<const Fields extends RowFields, const Tail extends RowFields = readonly []>(
  edition: Edition,
  fields: Fields,
  { tail, closed = false }: { readonly tail?: Tail; readonly closed?: boolean } = {},
): Layout<RowOf<Fields> & Partial<RowOf<Tail>>> {
  type Values = RowOf<Fields> & Partial<RowOf<Tail>>
  const whole: Row = { fields, ...(tail && { tail }) }
  return cells<Values>(edition, {
    closed,
    fields: factsOf(whole) as FieldsOf<Values>,
    write: (values, w) => put(whole, values, w),
    read: (r) => readRowValues(whole, r) as Values,
  })
}

export const ownField = <Name extends string, T>(field: RowField<Name, T>): RowField<Name, T> => ({
  ...field,
  fact: typeof field.fact === 'string' ? ownUnit(field.fact) : ({ ...field.fact, own: true } as FieldFact),
})

export const text = <const Name extends string>(
  name: Name,
  width: number,
  limit?: Parameters<CellReader['text']>[1],
): RowField<Name, string> => ({
  name,
  fact: 'text',
  write: (value, w) => w.text(value, width),
  read: (r) => r.text(name, limit),
})

export const short = <const Name extends string>(name: Name, width: number): RowField<Name, string> => ({
  name,
  fact: 'text',
  write: (value, w) => w.short(value, width),
  read: (r) => r.text(name),
})

export const number = <const Name extends string>(
  name: Name,
  { digits: width = 1, ...range }: { readonly digits?: number; readonly min?: number; readonly max?: number } = {},
): RowField<Name, number> => ({
  name,
  fact: 'number',
  write: (value) => digits(value, width),
  read: (r) => r.whole(name, range),
})

export const amount = <const Name extends string>(name: Name): RowField<Name, number> => ({
  name,
  fact: ownUnit('money'),
  write: (value, w) => w.amount(value),
  read: (r) => r.amount(name),
})

export const amounts = <const Name extends string>(name: Name, count: number): RowField<Name, readonly number[]> => ({
  name,
  fact: ownUnit('money'),
  write: (values, w) => w.amounts(values),
  read: (r) => r.amounts(name, count),
})

export const quantity = <const Name extends string>(name: Name): RowField<Name, number> => ({
  name,
  fact: ownUnit('quantity'),
  write: (value, w) => w.quantity(value),
  read: (r) => r.quantity(name),
})

export const time = <const Name extends string>(name: Name): RowField<Name, string> => ({
  name,
  fact: ownUnit('time'),
  write: (value) => writeTime(value),
  read: (r) => readTime(name, r.next(name)),
})

/** Declares the time of an event that may not have happened yet. All digits are zero in that case. */
export const timeIfAny = <const Name extends string>(name: Name): RowField<Name, string | undefined> => ({
  name,
  fact: ownUnit('time'),
  write: (value) => (value === undefined ? NO_TIME : writeTime(value)),
  read(r) {
    const raw = r.next(name)
    return raw.startsWith('00-00') ? undefined : readTime(name, raw)
  },
})

export const letter = <const Name extends string, const Letters extends readonly string[]>(
  name: Name,
  letters: Letters,
): RowField<Name, Letters[number]> => ({
  name,
  fact: 'choice',
  write: (value) => value,
  read: (r) => r.letter(name, letters),
})

export const bit = <const Name extends string>(name: Name): RowField<Name, boolean> => ({
  name,
  fact: 'choice',
  write: (value) => (value ? '1' : '0'),
  read: (r) => r.bit(name),
})

export const tax: RowField<'tax', string> = {
  name: 'tax',
  fact: TAX,
  write: (value) => writeTax(value),
  read: (r) => readTax('tax', r.next('tax')),
}

export const department: RowField<'department', number> = {
  name: 'department',
  fact: 'number',
  write: (value) => departmentByte(value),
  read: (r) => readDepartment('department', r.next('department')),
}
