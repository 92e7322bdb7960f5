/**
 * Fields that consist of others (fields.ts): objects with case-insensitive names, lists, and items of a receipt, whose
 * `Type` selects the member that is read.
 */

import type { z } from 'zod'
import { countText } from '../drivers/model/count-text.ts'
import { JsonObject } from '../drivers/model/json.ts'
import {
  type Alternative,
  choice,
  type FieldInfo,
  infoOf,
  type JsonSchema,
  kind,
  type ReportIssue,
  readAs,
  show,
  writeAs,
} from './fields.ts'

/** Maximum number of elements. No device accepts a receipt with as many. */
const ELEMENTS_MAX = 1_000
/** Maximum number of members. No object of the API has as many; unknown members below the limit are ignored. */
const MEMBERS_MAX = 256
const NAME_SHOWN = 40

const modelNameOf = (name: string, schema: z.ZodType | undefined): string =>
  schema && 'modelName' in schema ? String(schema.modelName) : name

export const restNamesIn = (objects: readonly z.ZodType[]): ReadonlyMap<string, string> =>
  new Map(
    objects.flatMap((one) =>
      Object.entries(infoOf(one).members ?? {}).map(([name, schema]) => [modelNameOf(name, schema), name] as const),
    ),
  )

const fieldNames = new Set<string>()
const declare = (names: readonly string[]): void => {
  for (const name of names) fieldNames.add(name.toLowerCase())
}

export const isFieldName = (name: string): boolean => fieldNames.has(name.toLowerCase())

type Shape = Readonly<Record<string, z.ZodType>>
type FieldsOf<S extends Shape> = { [K in keyof S]: z.output<S[K]> }
type NameOf<S extends Shape, K extends keyof S> = S[K] extends { readonly modelName: infer M extends string } ? M : K
type MembersOf<S extends Shape> = {
  [K in keyof S as undefined extends z.output<S[K]> ? never : NameOf<S, K>]: z.output<S[K]>
} & {
  [K in keyof S as undefined extends z.output<S[K]> ? NameOf<S, K> : never]?: Exclude<z.output<S[K]>, undefined>
}

/**
 * Returns the members by their declared names. Reports names that appear twice. Returns `undefined` if the object has
 * too many members.
 */
function membersOf(
  value: JsonObject,
  names: readonly string[],
  reportIssue: ReportIssue,
): Record<string, unknown> | undefined {
  const count = value.entries.length
  if (count > MEMBERS_MAX) return reportIssue(`must have at most ${MEMBERS_MAX} fields; it has ${count}`) as undefined
  const declared = new Map(names.map((name) => [name.toLowerCase(), name]))
  const members: Record<string, unknown> = {}
  const times = new Map<string, number>()
  for (const [spelling, member] of value.entries) {
    const key = spelling.toLowerCase()
    const name = declared.get(key)
    const time = (times.get(key) ?? 0) + 1
    if (time === 2) reportIssue('appears twice in one object; send it once', [name ?? spelling.slice(0, NAME_SHOWN)])
    times.set(key, time)
    if (name !== undefined && member !== null && members[name] === undefined) members[name] = member
  }
  return members
}

function readMember<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: PropertyKey[],
  reportIssue: ReportIssue,
): T | undefined {
  return readAs(schema, value, (message, inner = []) => reportIssue(message, [...path, ...inner]))
}

interface ObjectRules<S extends Shape, T> {
  readonly about?: string
  /** Checks a combination of fields. Only valid fields are passed. */
  readonly together?: (
    fields: Partial<FieldsOf<S>>,
    reportIssue: (name: keyof S & string, message: string) => void,
  ) => void
  readonly into?: (members: MembersOf<S>) => T
  /** The inverse of `into`. */
  readonly from?: (value: T) => Partial<MembersOf<S>>
}

export function object<S extends Shape, T = MembersOf<S>>(shape: S, rules: ObjectRules<S, T> = {}): z.ZodType<T> {
  const names = Object.keys(shape)
  declare(names)
  const required = names.filter((name) => !infoOf(shape[name] as z.ZodType).optional)
  const schema: JsonSchema = {
    type: 'object',
    ...(rules.about !== undefined && { description: rules.about }),
    properties: Object.fromEntries(names.map((name) => [name, infoOf(shape[name] as z.ZodType).schema])),
    ...(required.length > 0 && { required }),
  }
  const write = (value: unknown) => {
    const members = (rules.from?.(value as T) ?? value) as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      names.flatMap((name) => {
        const written = writeAs(shape[name] as z.ZodType, members[modelNameOf(name, shape[name])])
        return written === undefined ? [] : [[name, written]]
      }),
    )
  }
  const read = (value: unknown, reportIssue: ReportIssue) => {
    if (!(value instanceof JsonObject)) return reportIssue(`must be an object; it is ${show(value)}`) as undefined
    let clean = true
    const report: ReportIssue = (message, path) => {
      clean = false
      reportIssue(message, path)
    }
    const entries = membersOf(value, names, report)
    if (!entries) return undefined
    const fields: Record<string, unknown> = {}
    const members: Record<string, unknown> = {}
    for (const name of names) {
      const field = readMember(shape[name] as z.ZodType, entries[name], [name], report)
      if (field === undefined) continue
      fields[name] = field
      members[modelNameOf(name, shape[name])] = field
    }
    rules.together?.(fields as Partial<FieldsOf<S>>, (name, message) => report(message, [name]))
    if (!clean) return undefined
    return rules.into ? rules.into(members as MembersOf<S>) : (members as T)
  }
  return kind({ is: 'object', words: 'an object', schema, members: shape }, read, write)
}

/** Checks the number of elements before it reads any of them. */
export function list<T>(
  element: z.ZodType<T>,
  { min = 0, max = ELEMENTS_MAX, about }: { min?: number; max?: number; about?: string } = {},
): z.ZodType<T[]> {
  const words = min > 0 ? `a list with at least ${countText(min, 'element')}` : 'a list'
  const schema = {
    type: 'array',
    items: infoOf(element).schema,
    ...(min > 0 && { minItems: min }),
    maxItems: max,
    ...(about !== undefined && { description: about }),
  }
  const read = (value: unknown, reportIssue: ReportIssue) => {
    if (!Array.isArray(value)) return reportIssue(`must be ${words}; it is ${show(value)}`) as undefined
    if (value.length < min)
      return reportIssue(`must be ${words}; it has ${value.length === 0 ? 'none' : value.length}`) as undefined
    if (value.length > max) return reportIssue(`must be a list of at most ${max}; it has ${value.length}`) as undefined
    return value.map((one: unknown, index) => readMember(element, one, [index], reportIssue) as T)
  }
  const write = (value: unknown) => (value as readonly T[]).map((one) => writeAs(element, one))
  return kind({ is: 'list', words, schema, min, max, element }, read, write)
}

/** `model` is the type of the items in the model. No value has this member. */
type AlternativeFor<T> = Alternative & { readonly model?: T }

/** Declares a `Type` of an item. Its companion member `member` is read into the model as `{ is, [modelName]: value }`. */
export const alternative = <const I extends string, const M extends string, V>(
  type: number,
  name: string,
  schema: z.ZodType<V>,
  [is, modelName]: readonly [is: I, modelName: M],
  member = name,
): AlternativeFor<{ readonly is: I } & { readonly [K in M]: V }> => ({ type, name, member, schema, is, modelName })

/** An item, whose `Type` selects the companion member (specification 4.5). Companions of other types are ignored. */
export function item<T>(alternatives: readonly AlternativeFor<T>[]): z.ZodType<T> {
  const typeOf = choice(Object.fromEntries(alternatives.map((one) => [one.type, one.name])) as Record<number, string>)
  const names = ['Type', ...new Set(alternatives.map((one) => one.member))]
  declare(names)
  const schema: JsonSchema = {
    type: 'object',
    description: alternatives.map((one) => `Type ${one.type} (${one.name}) needs ${one.member}.`).join(' '),
    properties: {
      Type: infoOf(typeOf).schema,
      ...Object.fromEntries(alternatives.map((one) => [one.member, infoOf(one.schema).schema])),
    },
    required: ['Type'],
  }
  const info: FieldInfo = { is: 'item', words: 'an object', schema, alternatives }
  const read = (value: unknown, reportIssue: ReportIssue) => {
    if (!(value instanceof JsonObject)) return reportIssue(`must be an object; it is ${show(value)}`) as undefined
    const entries = membersOf(value, names, reportIssue)
    if (!entries) return undefined
    const type = readMember(typeOf, entries['Type'], ['Type'], reportIssue)
    const chosen = alternatives.find((one) => one.type === type)
    if (!chosen) return undefined
    if (entries[chosen.member] === undefined) {
      return reportIssue(`is required when Type is ${chosen.type} (${chosen.name})`, [chosen.member]) as undefined
    }
    const companion = readMember(chosen.schema, entries[chosen.member], [chosen.member], reportIssue)
    return companion === undefined ? undefined : ({ is: chosen.is, [chosen.modelName]: companion } as T)
  }
  const write = (value: unknown) => {
    const { is, ...members } = value as Readonly<Record<string, unknown>>
    const chosen = alternatives.find((one) => one.is === is)
    if (!chosen) throw new Error(`no alternative is declared for ${String(is)}`)
    return { Type: chosen.type, [chosen.member]: writeAs(chosen.schema, members[chosen.modelName]) }
  }
  return kind(info, read, write)
}
