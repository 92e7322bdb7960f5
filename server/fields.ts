/**
 * The kinds of fields in the specification as zod schemas over `Json` (drivers/model), by the rules of decisions 1:
 * names are case-insensitive, `null` counts as missing, numbers are never read from text and never rounded. Each kind
 * registers its description, so validation, API description and generated tests use the same declaration. The same
 * declaration writes values of the model as JSON.
 *
 * A message continues a sentence that begins with the path: `Price` + ` must be ...`.
 */
import { z } from 'zod'
import { exactNumber, JsonNumber, JsonObject } from '../drivers/model/json.ts'
import { type DecimalProblem, formatDecimal, formatShort, parseDecimal } from '../drivers/model/money.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** Description of a kind: `schema` for the API description, `words` for messages, the rest for generated tests. */
export interface FieldInfo {
  readonly is: 'number' | 'text' | 'flag' | 'object' | 'list' | 'item'
  readonly words: string
  readonly schema: JsonSchema
  readonly optional?: boolean
  readonly min?: number
  readonly max?: number
  readonly decimals?: number
  readonly members?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly alternatives?: readonly Alternative[]
}

export interface Alternative {
  readonly type: number
  readonly name: string
  readonly member: string
  readonly schema: z.ZodType
  readonly is: string
  readonly modelName: string
}

/**
 * Registered fields. `info` is a `FieldInfo` in a box, because zod would treat schemas in it as patterns. `reader` is a
 * `Reader` with the same result as zod, at a tenth of the cost. `writer` is a `Writer`.
 */
const fields = z.registry<{ readonly info: unknown; readonly reader: unknown; readonly writer: unknown }>()

function fieldOf(schema: z.ZodType) {
  const cached = fields.get(schema)
  if (!cached) throw new Error('a field was not made by server/fields.ts')
  return cached
}

export const infoOf = (schema: z.ZodType): FieldInfo => fieldOf(schema).info as FieldInfo

export type ReportIssue = (message: string, path?: PropertyKey[]) => void

/** Creates a kind. `read` and `write` are not called for `undefined`, and `read` is not called for `null`. */
export function kind<T>(
  info: FieldInfo,
  read: (value: unknown, reportIssue: ReportIssue) => T | undefined,
  write: Writer = asItIs,
): z.ZodType<T> {
  const reader: Reader<T> = (value, reportIssue) => {
    if (value !== undefined && value !== null) return read(value, reportIssue)
    return reportIssue(`is required: ${info.words}`) as undefined
  }
  const schema = z.transform((value: unknown, context): T => {
    const reportIssue: ReportIssue = (message, path = []) => {
      context.issues.push({ code: 'custom', message, path, input: value })
    }
    return reader(value, reportIssue) as T
  })
  return schema.register(fields, { info, reader, writer: write }) as unknown as z.ZodType<T>
}

/** The inverse of a reader, without checks. Returns a value for `JSON.stringify`. */
type Writer = (value: unknown) => unknown

const asItIs: Writer = (value) => value

/** Returns the JSON that is read as `value`; `undefined` for a field that is then absent. */
export const writeAs = <T>(schema: z.ZodType<T>, value: T | undefined): unknown =>
  value === undefined ? undefined : (fieldOf(schema).writer as Writer)(value)

type Reader<T> = (value: unknown, reportIssue: ReportIssue) => T | undefined

const readerOf = <T>(schema: z.ZodType<T>): Reader<T> => fieldOf(schema).reader as Reader<T>

/** Returns `undefined` if a problem was reported. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, reportIssue: ReportIssue): T | undefined {
  let isClean = true
  const read = readerOf(schema)(value, (message, path) => {
    isClean = false
    reportIssue(message, path)
  })
  return isClean ? read : undefined
}

export const show = (value: unknown): string => {
  if (value instanceof JsonNumber) return value.source
  if (value instanceof JsonObject) return 'an object'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)}`
  return String(value)
}

export function optional<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  const read = readerOf(schema)
  const reader: Reader<T | undefined> = (value, reportIssue) =>
    value === undefined ? undefined : read(value, reportIssue)
  const { info, writer } = fieldOf(schema)
  return z.optional(schema).register(fields, { info: { ...(info as FieldInfo), optional: true }, reader, writer })
}

type RenamedField<M extends string, T> = z.ZodType<T> & { readonly modelName: M }

export function renamedField<const M extends string, T>(modelName: M, schema: z.ZodType<T>): RenamedField<M, T>
/** `into` returns the value of the model. It is also called for a missing field. `from` is its inverse. */
export function renamedField<const M extends string, T, U>(
  modelName: M,
  schema: z.ZodType<T>,
  into: (value: T) => U,
  from?: (value: U) => T,
): RenamedField<M, U>
export function renamedField(
  modelName: string,
  schema: z.ZodType,
  into = asItIs,
  from = asItIs,
): RenamedField<string, unknown> {
  const reader: Reader<unknown> = (value, reportIssue) => {
    let isClean = true
    const read = readerOf(schema)(value, (message, path) => {
      isClean = false
      reportIssue(message, path)
    })
    return isClean ? into(read) : undefined
  }
  const writer: Writer = (value) => writeAs(schema, from(value))
  const piped = z.pipe(schema, z.transform(into)).register(fields, { info: infoOf(schema), reader, writer })
  return Object.assign(piped, { modelName })
}

interface Range {
  readonly min: number
  readonly max: number
  readonly about?: string
}

const WHY_NOT: Readonly<Record<DecimalProblem, (decimals: number) => string>> = {
  'not a decimal number': () => 'it cannot be read',
  'too large': () => 'it is too large',
  'too many decimals': (decimals) =>
    decimals === 0 ? 'it has decimals' : `it has more than ${decimals} decimals, and amounts are never rounded`,
}

function number(words: string, decimals: number, range: Range): z.ZodType<number> {
  const { min, max, about } = range
  const full = `${words} from ${formatDecimal(min, decimals)} to ${formatDecimal(max, decimals)}`
  const unit = 10 ** decimals
  const schema: JsonSchema = {
    type: decimals === 0 ? 'integer' : 'number',
    minimum: min / unit,
    maximum: max / unit,
    // `multipleOf` would be wrong: validators compute a binary remainder, in which 0.29 is not a multiple of 0.01.
    ...(decimals > 0 && { 'x-decimals': decimals }),
    ...describing([about, decimals > 0 ? `At most ${decimals} decimals.` : undefined]),
  }
  const read = (value: unknown, reportIssue: ReportIssue) => {
    if (!(value instanceof JsonNumber)) return reportIssue(`must be ${full}; it is ${show(value)}`) as undefined
    const number = parseDecimal(value.source, decimals)
    if (typeof number === 'string') {
      return reportIssue(
        `must be ${full}; ${value.source.slice(0, 40)} is not: ${WHY_NOT[number](decimals)}`,
      ) as undefined
    }
    if (number < min || number > max) return reportIssue(`must be ${full}; it is ${value.source}`) as undefined
    return number
  }
  const write = (value: unknown) => exactNumber(formatShort(value as number, decimals))
  return kind({ is: 'number', words: full, schema, min, max, decimals }, read, write)
}

function describing(parts: readonly (string | undefined)[]): JsonSchema {
  const description = parts.filter((part) => part !== undefined).join(' ')
  return description === '' ? {} : { description }
}

export const int = (range: Range): z.ZodType<number> => number('a whole number', 0, range)

export const money = (range: Range): z.ZodType<number> => number('a number with at most 2 decimals', 2, range)

export const quantity = (range: Range): z.ZodType<number> => number('a number with at most 3 decimals', 3, range)

/** A number with a meaning (specification 2.3), for example `{0: 'Normal', 1: 'Double'}`. */
export function choice<const N extends number>(names: Readonly<Record<N, string>>, about?: string): z.ZodType<N> {
  const values = Object.keys(names).map(Number) as N[]
  const list = values.map((value) => `${value} ${names[value]}`).join(', ')
  const first = Math.min(...values)
  const last = Math.max(...values)
  const schema = { type: 'integer', enum: values, description: about === undefined ? `${list}.` : `${about}: ${list}.` }
  return kind(
    { is: 'number', words: `one of ${list}`, schema, min: first, max: last, decimals: 0 },
    (value, reportIssue) => {
      const read = value instanceof JsonNumber ? parseDecimal(value.source, 0) : undefined
      if (typeof read === 'number' && values.includes(read as N)) return read as N
      return reportIssue(`must be one of ${list}; it is ${show(value)}`) as undefined
    },
  )
}

export function flag(about?: string): z.ZodType<boolean> {
  const schema = { type: 'boolean', ...(about !== undefined && { description: about }) }
  return kind({ is: 'flag', words: 'true or false', schema }, (value, reportIssue) =>
    typeof value === 'boolean' ? value : (reportIssue(`must be true or false; it is ${show(value)}`) as undefined),
  )
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u
const LONE_SURROGATE = /[\ud800-\udfff]/u

function textProblem(value: string): string | undefined {
  const control = CONTROL.exec(value)
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `must not contain control characters; it has U+${code} at position ${control.index + 1}`
  }
  return LONE_SURROGATE.test(value) ? 'must be valid Unicode; it has half of a surrogate pair' : undefined
}

/** A text. Its length is counted in characters (code points), not in bytes. */
export function text({ max, min = 1, about }: { max: number; min?: number; about?: string }): z.ZodType<string> {
  const words = `a text of ${min} to ${max} characters`
  const schema = { type: 'string', minLength: min, maxLength: max, ...(about !== undefined && { description: about }) }
  return kind({ is: 'text', words, schema, min, max }, (value, reportIssue) => {
    if (typeof value !== 'string') return reportIssue(`must be ${words}; it is ${show(value)}`) as undefined
    const length = [...value].length
    if (length < min || length > max) return reportIssue(`must be ${words}; it has ${length}`) as undefined
    const problem = textProblem(value)
    return problem === undefined ? value : (reportIssue(problem) as undefined)
  })
}
