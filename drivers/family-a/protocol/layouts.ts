import type { ByteText } from '../../wire/charset.ts'
import { FieldError } from '../../wire/field.ts'
import { nothing as empty, type FieldsOf, type FieldTable, type Layout, type RowOf, tableOf } from '../../wire/row.ts'
import { type AnyField, locateError, splitTabs, TAB, widthOf } from './fields.ts'

/**
 * Creates a row of TAB-ended fields. The first `keep` fields are always written; undefined optional fields after them
 * are omitted. Too many or too few fields are an error of the row as a whole (index 0).
 */
export function tabs<const Fields extends readonly AnyField[]>(
  fields: Fields,
  keep: number = fields.length,
): Layout<RowOf<Fields>> {
  const widths = fields.map(widthOf)
  const width = widths.reduce((sum, one) => sum + one, 0)
  const names = fields.flatMap(({ name }, index) => Array.from({ length: widths[index] as number }, () => name))
  return {
    fields: tableOf(fields) as FieldsOf<RowOf<Fields>>,
    nameOfField: (_raw, index) => names[index - 1],
    write(values, page) {
      const members = values as Record<string, unknown>
      let count = fields.length
      while (count > keep && members[(fields[count - 1] as AnyField).name] === undefined) count--
      let at = 1
      let out = ''
      for (let index = 0; index < count; index++) {
        const field = fields[index] as AnyField
        const value = members[field.name]
        if (value === undefined && !field.optional) throw new FieldError(field.name, 'syntax', 'is missing', at)
        out += locateError(at - 1, () => field.write(value, page)) + TAB
        at += widths[index] as number
      }
      return out
    },
    read(raw, page) {
      const pieces = splitTabs(raw)
      if (pieces.length > width) throw new FieldError('row', 'syntax', `${pieces.length} fields, at most ${width}`)
      const values: Record<string, unknown> = {}
      let at = 0
      for (const [index, field] of fields.entries()) {
        const wide = widths[index] as number
        if (at + wide > pieces.length) {
          if (!field.optional) throw new FieldError(field.name, 'syntax', 'is missing')
        } else {
          const piece = wide === 1 ? (pieces[at] as string) : pieces.slice(at, at + wide).join(TAB)
          const value = locateError(at, () => field.read(piece, page))
          if (value !== undefined) values[field.name] = value
        }
        at += wide
      }
      return values as RowOf<Fields>
    },
  }
}

/**
 * The layout without fields. A single empty field counts as none (sheet 2.8), as in rows whose fields are all optional.
 */
export const nothing: Layout<Record<never, never>> = {
  fields: {},
  write: empty.write,
  read: (raw, page) => empty.read(raw === TAB ? '' : raw, page),
}

// biome-ignore lint/suspicious/noExplicitAny: one table has layouts of every type
export type AnyLayout = Layout<any>

const unitOf = (fact: FieldTable[string]): unknown => (typeof fact === 'object' ? fact['unit'] : fact)
const isOwn = (fact: FieldTable[string]): boolean => typeof fact === 'object' && fact['own'] === true

/** Returns the fields of all layouts, after the field that selects the layout. Throws if a name has two units. */
function united(first: string, layouts: readonly AnyLayout[]): FieldTable {
  const fields: Record<string, FieldTable[string]> = { [first]: 'choice' }
  for (const [name, fact] of layouts.flatMap((layout) => Object.entries(layout.fields as FieldTable))) {
    const before = fields[name]
    if (before !== undefined && unitOf(before) !== unitOf(fact)) throw new Error(`field ${name} has two units`)
    // A field whose value is specific to a device in one layout is compared by form in all layouts.
    if (before === undefined || isOwn(fact)) fields[name] = fact
  }
  return fields
}

type CasesOf<Table extends Readonly<Record<string, AnyLayout>>> = {
  [Option in keyof Table]: { readonly option: Option } & (Table[Option] extends Layout<infer T> ? T : never)
}[keyof Table]

/** Creates the layout of commands whose first field selects the others. `unknown`: options that the edition lacks. */
export function byOption<const Table extends Readonly<Record<string, AnyLayout>>>(
  table: Table,
  unknown: readonly (keyof Table)[] = [],
): Layout<CasesOf<Table>> {
  const layouts: Readonly<Record<string, AnyLayout>> = Object.fromEntries(
    Object.entries(table).filter(([option]) => !unknown.includes(option)),
  )
  return {
    fields: united('option', Object.values(layouts)) as FieldsOf<CasesOf<Table>>,
    nameOfField(raw, index) {
      if (index === 1) return 'option'
      const [option = ''] = splitTabs(raw)
      const layout = Object.hasOwn(layouts, option) ? layouts[option] : undefined
      return layout?.nameOfField?.(raw.slice(option.length + 1), index - 1)
    },
    write(values, page) {
      const option = (values as { option: string }).option
      const layout = layouts[option]
      if (layout === undefined) throw new FieldError('option', 'value', `${option} is none of ${Object.keys(table)}`, 1)
      return option + TAB + layout.write(values, page)
    },
    read(raw, page) {
      const [option] = splitTabs(raw)
      if (option === undefined) throw new FieldError('option', 'syntax', 'is missing')
      const layout = Object.hasOwn(layouts, option) ? layouts[option] : undefined
      if (layout === undefined) {
        throw new FieldError('option', option === '' ? 'syntax' : 'value', `${JSON.stringify(option)} is unknown`, 1)
      }
      try {
        const rest = layout.read(raw.slice(option.length + 1), page) as object
        return { option, ...rest } as CasesOf<Table>
      } catch (error) {
        if (error instanceof FieldError && error.index > 0) error.index++
        throw error
      }
    },
  }
}

type FormsOf<Table extends Readonly<Record<string, { readonly layout: AnyLayout }>>> = {
  [Form in keyof Table]: { readonly form: Form } & (Table[Form]['layout'] extends Layout<infer T> ? T : never)
}[keyof Table]

/**
 * Creates the layout of data in several forms that only the content distinguishes: the first form whose `when` returns
 * true.
 */
export function byForm<
  const Table extends Readonly<
    Record<string, { readonly when: (pieces: readonly ByteText[]) => boolean; readonly layout: AnyLayout }>
  >,
>(table: Table): Layout<FormsOf<Table>> {
  const forms = Object.entries(table)
  return {
    fields: united(
      'form',
      forms.map(([, { layout }]) => layout),
    ) as FieldsOf<FormsOf<Table>>,
    nameOfField(raw, index) {
      const pieces = splitTabs(raw)
      return forms.find(([, { when }]) => when(pieces))?.[1].layout.nameOfField?.(raw, index)
    },
    write(values, page) {
      const form = (values as { form: string }).form
      const layout = forms.find(([name]) => name === form)?.[1].layout
      if (!layout) throw new FieldError('form', 'value', `${form} is none of ${Object.keys(table)}`, 1)
      return layout.write(values, page)
    },
    read(raw, page) {
      const pieces = splitTabs(raw)
      const [form, { layout } = {}] = forms.find(([, { when }]) => when(pieces)) ?? []
      if (!layout) throw new FieldError('row', 'syntax', `no form with ${pieces.length} fields`)
      return { form, ...(layout.read(raw, page) as object) } as FormsOf<Table>
    },
  }
}

/** Adds a rule over several fields to a layout; the rule throws FieldError with the field's index. */
export const withRule = <T>(layout: Layout<T>, rule: (values: T) => void): Layout<T> => ({
  ...layout,
  write(values, page) {
    rule(values)
    return layout.write(values, page)
  },
  read(raw, page) {
    const values = layout.read(raw, page)
    rule(values)
    return values
  },
})
