/**
 * Undeclared fields are ignored (decisions 1) and reported in the log and in the header `X-Unknown-Fields` (decisions
 * 3). A request that prints is refused if an undeclared name is a misspelling of a missing field: with a misspelled
 * `Payments`, a sale by card would be booked as cash.
 */
import type { z } from 'zod'
import { distance } from '../drivers/host/edit-distance.ts'
import { type Json, JsonObject } from '../drivers/model/json.ts'
import { isFieldName } from './field-objects.ts'
import { infoOf } from './fields.ts'

export interface UnknownField {
  readonly path: string
  /** The declared name that may be meant; `undefined` if none is similar. */
  readonly near: string | undefined
  /** True if the field named by `near` is missing and this name is a misspelling of it. */
  readonly isSlip: boolean
}

const NAMED_MAX = 10
const COMPARED_MAX = 500
const NAME_MAX = 40

export function unknownFields(schema: z.ZodType, body: Json): readonly UnknownField[] {
  const fields: UnknownField[] = []
  const remaining = { slip: NAMED_MAX, other: NAMED_MAX }
  const compared = new Set<string>()

  function look(kind: z.ZodType, value: Json | undefined, path: string): void {
    const { members, element, alternatives } = infoOf(kind)
    if (element && Array.isArray(value)) for (const [at, one] of value.entries()) look(element, one, `${path}[${at}]`)
    if (!(value instanceof JsonObject)) return
    const memberSchemas = new Map<string, z.ZodType | undefined>(Object.entries(members ?? {}))
    if (alternatives) memberSchemas.set('Type', undefined)
    for (const { member, schema: companion } of alternatives ?? []) memberSchemas.set(member, companion)
    // An item without the companion of its `Type` is refused with the name of the companion anyway.
    if (memberSchemas.size > 0) lookInto(value, memberSchemas, path, alternatives === undefined)
  }

  function lookInto(
    value: JsonObject,
    memberSchemas: ReadonlyMap<string, z.ZodType | undefined>,
    path: string,
    mayBeSlip: boolean,
  ): void {
    const byLower = new Map([...memberSchemas.keys()].map((name) => [name.toLowerCase(), name]))
    const sentNames = new Set(value.entries.map(([spelling]) => byLower.get(spelling.toLowerCase())))
    for (const [spelling, member] of value.entries) {
      const at = path === '' ? spelling : `${path}.${spelling}`
      const name = byLower.get(spelling.toLowerCase())
      const inner = name === undefined ? undefined : memberSchemas.get(name)
      if (inner) look(inner, member, at)
      if (name === undefined) note(spelling, at, [...memberSchemas.keys()], mayBeSlip ? sentNames : undefined)
    }
  }

  /** `sentNames`: the declared names that the object contains; `undefined` if the field cannot be a misspelling. */
  function note(
    spelling: string,
    path: string,
    names: readonly string[],
    sentNames: ReadonlySet<string | undefined> | undefined,
  ): void {
    if (spelling.length <= NAME_MAX && compared.size < COMPARED_MAX) compared.add(spelling)
    const isCompared = compared.has(spelling)
    const missing =
      sentNames && isCompared && !isFieldName(spelling) ? names.filter((name) => !sentNames.has(name)) : []
    const slip = missing.find((name) => isSlipFor(spelling, name))
    const kind = slip === undefined ? 'other' : 'slip'
    if (remaining[kind]-- <= 0) return
    const near = slip ?? (isCompared ? nearName(spelling, names) : undefined)
    fields.push({ path, near, isSlip: slip !== undefined })
  }

  look(schema, body, '')
  return fields
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const ABBREVIATIONS: Readonly<Record<string, string>> = { qty: 'Quantity' }
/** Minimum length of an abbreviated name. Shorter ones are other words, for example `Pos` or `Pay`. */
const BEGINNING_MIN = 4
/** Names of at least this length may differ in two letters, shorter ones in one. */
const LONG_NAME = 10

/**
 * Returns whether the spelling is another notation of the name (`payment_mode`), a known abbreviation, its beginning
 * (`Discount`), or differs in one or two letters after the first. `Weight` is no misspelling of `Height`, because their
 * first letters differ.
 */
function isSlipFor(spelling: string, name: string): boolean {
  const [own, plainName] = [plain(spelling), plain(name)]
  if (own === plainName || ABBREVIATIONS[own] === name) return true
  if (own[0] !== plainName[0]) return false
  if (own.length >= BEGINNING_MIN && plainName.startsWith(own)) return true
  const most = plainName.length >= LONG_NAME ? 2 : 1
  return Math.abs(own.length - plainName.length) <= most && distance(own, plainName) <= most
}

function nearName(name: string, names: readonly string[]): string | undefined {
  const own = plain(name)
  if (own.length < 2) return undefined
  return names.find((one) => isNear(own, plain(one)))
}

/**
 * Returns whether the names are similar: one is the beginning of the other, one or two letters differ, or the name
 * abbreviates the word (`amt`).
 */
function isNear(own: string, plainName: string): boolean {
  const shorter = Math.min(own.length, plainName.length)
  if (shorter >= 3 && (plainName.startsWith(own) || own.startsWith(plainName))) return true
  if (own.length >= 3 && own[0] === plainName[0] && own.at(-1) === plainName.at(-1) && isWithin(own, plainName))
    return true
  return distance(own, plainName) <= (shorter <= 4 ? 1 : 2)
}

function isWithin(letters: string, word: string): boolean {
  let at = 0
  for (const letter of word) if (letter === letters[at]) at++
  return at === letters.length
}

export const unknownFieldsHeader = (fields: readonly UnknownField[]): string =>
  fields
    .map(({ path, near }) => {
      const name = path.slice(0, HEADER_PATH_MAX).replace(/[^\x20-\x7e]|,/g, '?')
      return near === undefined ? name : `${name} (${near}?)`
    })
    .join(', ')

const HEADER_PATH_MAX = 100
