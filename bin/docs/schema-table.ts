/** Converts JSON Schema to tables: one row per member of an object and of its nested values. */
import { countText } from '../../drivers/model/count-text.ts'
import { code, table } from './table.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly default?: unknown
  readonly 'x-decimals'?: number
}

interface Row {
  /** Path such as `ReceiptItems[].PluSale.Price`. */
  readonly path: string
  readonly words: string
  readonly description: string
  readonly isRequired: boolean
}

export type Lookup = (ref: string) => Schema

/** Returns a lookup of `$ref` for `#/$defs/NAME` or `#/components/schemas/NAME` of this document. */
export const lookupIn =
  (document: unknown): Lookup =>
  (ref) =>
    ref
      .split('/')
      .slice(1)
      .reduce((so, step) => (so as Readonly<Record<string, unknown>>)[step], document) as Schema

export const resolveSchema = (schema: Schema, lookup: Lookup): Schema =>
  schema.$ref === undefined ? schema : { ...resolveSchema(lookup(schema.$ref), lookup), ...withoutRef(schema) }

const withoutRef = ({ $ref: _ref, ...rest }: Schema): Schema => rest

const json = (value: unknown): string => `\`${JSON.stringify(value)}\``

const range = (min: number | undefined, max: number | undefined): string => {
  const isOpen = max === undefined || max >= Number.MAX_SAFE_INTEGER
  const isLow = min === undefined || min <= -Number.MAX_SAFE_INTEGER
  if (isLow && isOpen) return ''
  if (isLow) return `at most ${max}`
  return isOpen ? `from ${min}` : `${min} to ${max}`
}

/** Returns the expected value in words, for example `whole number, 1 to 8`. */
export function wordsOf(schema: Schema, lookup: Lookup): string {
  const one = resolveSchema(schema, lookup)
  const choices = one.anyOf ?? one.oneOf
  if (choices)
    return [...new Set(choices.map((choice) => wordsOf(choice, lookup)).filter((word) => word !== ''))].join(', or ')
  if ('const' in one) return json(one.const)
  if (one.enum) return one.enum.map(json).join(', ')
  switch ([one.type].flat()[0]) {
    case 'integer':
      return phrase('whole number', range(one.minimum, one.maximum))
    case 'number':
      return phrase('number', range(one.minimum, one.maximum), decimals(one['x-decimals']))
    case 'string':
      return phrase('text', signs(one.minLength, one.maxLength))
    case 'boolean':
      return '`true` or `false`'
    case 'null':
      return '`null`'
    case 'array':
      return phrase(`list of ${plural(wordsOf(one.items ?? {}, lookup))}`, entries(one.minItems, one.maxItems))
    case 'object':
      return 'object'
    default:
      return ''
  }
}

const phrase = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')
const plural = (words: string): string =>
  words === '' ? 'anything' : words.replace(/^(object|text|number|whole number)/, '$1s')
const decimals = (count: number | undefined): string =>
  count === undefined ? '' : `at most ${countText(count, 'decimal')}`
const signs = (min: number | undefined, max: number | undefined): string =>
  max === undefined ? '' : min === undefined || min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`
const entries = (min: number | undefined, max: number | undefined): string =>
  max === undefined ? '' : `${min ?? 0} to ${max} entries`

type DescribedElsewhere = (path: string) => boolean

const DEPTH_MAX = 6

export function rowsOf(schema: Schema, lookup: Lookup, isClosed: DescribedElsewhere = () => false): Row[] {
  const walk = (one: Schema, before: string, depth: number): Row[] => {
    const {
      properties = {},
      required = [],
      items,
      additionalProperties: additional,
      ...rest
    } = resolveSchema(one, lookup)
    const choices = rest.anyOf ?? rest.oneOf ?? rest.allOf
    if (choices) return unique(choices.flatMap((choice) => walk(choice, before, depth)))
    if (items) return walk(items, before === '' ? '[].' : `${before.slice(0, -1)}[].`, depth)
    const own = Object.entries(properties).flatMap(([name, member]) => {
      const path = before + name
      const words = wordsOf(member, lookup)
      const { description = '' } = resolveSchema(member, lookup)
      const row = { path, words, description, isRequired: required.includes(name) }
      return isClosed(path) || depth === DEPTH_MAX ? [row] : [row, ...walk(member, `${path}.`, depth + 1)]
    })
    return typeof additional === 'object' ? [...own, ...walk(additional, `${before}NAME.`, depth + 1)] : own
  }
  return walk(schema, '', 0)
}

const unique = (rows: readonly Row[]): Row[] => [...new Map(rows.map((row) => [row.path, row])).values()]

export const memberTable = (rows: readonly Row[]): string =>
  table(
    ['member', 'value', 'meaning'],
    rows.map(({ path, words, description, isRequired }) => [
      code(path),
      words,
      [description, isRequired ? '' : '*Optional.*'].filter((part) => part !== '').join(' '),
    ]),
  )

export const answerTable = (rows: readonly Row[]): string =>
  table(
    ['member', 'value', 'meaning'],
    rows.map(({ path, words, description }) => [code(path), words, description]),
  )
