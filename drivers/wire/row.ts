import type { ByteText, CodePage } from './charset.ts'
import { type Field, FieldError, type Unit } from './field.ts'

/**
 * Facts of a field: its unit, the name of its value in drivers/model if that differs, and whether its value differs on
 * every device.
 */
export type FieldFact = Unit | { readonly unit: Unit; readonly model?: string; readonly own?: true }
export interface FieldTable {
  readonly [name: string]: FieldFact | FieldTable | undefined
}

type Keys<T> = T extends unknown ? keyof T & string : never
type At<T, Key> = T extends unknown ? (Key extends keyof T ? NonNullable<T[Key]> : never) : never
type Facts<U extends Unit> = U | { readonly unit: U; readonly model?: string; readonly own?: true }
type FactOf<V> = [V] extends [readonly (infer Item)[]]
  ? FactOf<NonNullable<Item>>
  : [V] extends [ReadonlySet<unknown> | boolean]
    ? Facts<'choice'>
    : [Extract<V, object>] extends [never]
      ? [Extract<V, number>] extends [never]
        ? Facts<'text' | 'time' | 'bytes' | 'choice'>
        : Facts<'money' | 'quantity' | 'percent' | 'number'>
      : FieldsOf<Extract<V, object>>
type IsClear<V> = [V] extends [ReadonlySet<unknown> | boolean]
  ? true
  : [V] extends [string]
    ? string extends V
      ? false
      : true
    : false
export type FieldsOf<T> = {
  readonly [Key in Keys<T> as IsClear<At<T, Key>> extends true ? never : Key]: FactOf<At<T, Key>>
} & { readonly [Key in Keys<T> as IsClear<At<T, Key>> extends true ? Key : never]?: FactOf<At<T, Key>> }

/** The data of a frame, in both directions. Regular data is a row of fields; other data has a hand-written layout. */
export interface Layout<T> {
  readonly fields: FieldsOf<T>
  write(values: T, page: CodePage): ByteText
  /** Throws FieldError with the index of the field, counted from 1. */
  read(raw: ByteText, page: CodePage): T
  /** Family A: returns the name of the field with this index, counted from 1, in the data. */
  nameOfField?(raw: ByteText, index: number): string | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: the kit infers the value types from the literal it is given
type AnyField = Field<string, any>

interface ReadableField {
  readonly name: string
  read(...args: never[]): unknown
}
type ValueOf<F> = F extends { read(...args: never[]): infer T } ? T : never
type Required<Fields extends readonly ReadableField[]> = {
  readonly [F in Fields[number] as undefined extends ValueOf<F> ? never : F['name']]: ValueOf<F>
}
type Optional<Fields extends readonly ReadableField[]> = {
  readonly [F in Fields[number] as undefined extends ValueOf<F> ? F['name'] : never]?: ValueOf<F>
}
export type RowOf<Fields extends readonly ReadableField[]> = Required<Fields> & Optional<Fields>

export interface RowStyle {
  /** Separator between fields, or after each field if `ended` is true. */
  readonly separator: ByteText
  /** True if a separator follows the last field, too (family A). */
  readonly ended: boolean
  /** True if empty optional fields at the end are omitted, including their separators. */
  readonly dropEmptyTail: boolean
}

export function splitRow(raw: ByteText, style: RowStyle): ByteText[] {
  if (raw === '') return []
  const pieces = raw.split(style.separator)
  if (style.ended && pieces.at(-1) === '') pieces.pop()
  return pieces
}

export const tableOf = (fields: readonly AnyField[]): FieldTable =>
  Object.fromEntries(fields.map((field) => [field.name, factOf(field)]))

const factOf = ({ unit, model, own }: AnyField): FieldFact =>
  model === undefined && own === undefined ? unit : { unit, ...(model !== undefined && { model }), ...(own && { own }) }

export const ownUnit = <const U extends Unit>(unit: U): { readonly unit: U; readonly own: true } => ({
  unit,
  own: true,
})

/**
 * Creates a row of fields in a family's style. `read` treats missing optional fields at the end as empty, and refuses
 * more fields than the row has.
 */
export function row<const Fields extends readonly AnyField[]>(style: RowStyle, fields: Fields): Layout<RowOf<Fields>> {
  return {
    fields: tableOf(fields) as FieldsOf<RowOf<Fields>>,
    write(values, page) {
      const pieces: ByteText[] = []
      inEachField(fields, (field) => {
        const value = (values as Record<string, unknown>)[field.name]
        if (value === undefined && !field.optional) throw new FieldError(field.name, 'syntax', 'is missing')
        pieces.push(field.write(value, page))
      })
      if (style.dropEmptyTail) while (pieces.at(-1) === '') pieces.pop()
      const joined = pieces.join(style.separator)
      return style.ended && pieces.length > 0 ? joined + style.separator : joined
    },
    read(raw, page) {
      const pieces = splitRow(raw, style)
      if (pieces.length > fields.length) {
        throw new FieldError(
          'row',
          'syntax',
          `${pieces.length} fields, at most ${fields.length} are allowed`,
          fields.length + 1,
        )
      }
      const values: Record<string, unknown> = {}
      inEachField(fields, (field, index) => {
        const piece = pieces[index]
        if (piece === undefined && !field.optional) throw new FieldError(field.name, 'syntax', 'is missing')
        const value = field.read(piece ?? '', page)
        if (value !== undefined) values[field.name] = value
      })
      return values as RowOf<Fields>
    },
  }
}

function inEachField(fields: readonly AnyField[], act: (field: AnyField, index: number) => void): void {
  let index = 0
  try {
    for (const field of fields) act(field, index++)
  } catch (error) {
    if (error instanceof FieldError && error.index === 0) error.index = index
    throw error
  }
}

export const nothing: Layout<Record<never, never>> = {
  fields: {},
  write: () => '',
  read(raw) {
    if (raw !== '') throw new FieldError('data', 'syntax', `${JSON.stringify(raw)} where no data is allowed`, 1)
    return {}
  },
}
