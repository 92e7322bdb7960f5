/**
 * Unknown fields are ignored (decisions 1). One whose name is near a known one is a slip: the log and the header
 * `X-Unknown-Fields` tell it (decisions 3).
 */
import type { z } from 'zod'
import { distance } from '../drivers/host/distance.ts'
import { type Json, JsonObject } from '../drivers/model/json.ts'
import { infoOf } from './fields.ts'

export interface UnknownField {
  /** `ReceiptItems[0].PluSale.Qty` */
  readonly path: string
  /** The known name that it may have been meant for. */
  readonly near: string
}

/** So many are told, and so many names looked at: a body may hold very many. */
const TOLD_MAX = 10
const LOOKED_AT_MAX = 500
const NAME_MAX = 40

/** In the order of the body. */
export function unknownFields(schema: z.ZodType, body: Json): readonly UnknownField[] {
  const fields: UnknownField[] = []
  let left = LOOKED_AT_MAX

  function look(kind: z.ZodType, value: Json | undefined, path: string): void {
    const { members, element, alternatives } = infoOf(kind)
    if (element && Array.isArray(value)) {
      for (const [index, one] of value.entries()) {
        if (left <= 0) return
        look(element, one, `${path}[${index}]`)
      }
    }
    if (!(value instanceof JsonObject)) return
    const known = new Map<string, z.ZodType | undefined>()
    for (const [name, member] of Object.entries(members ?? {})) known.set(name, member)
    if (alternatives) known.set('Type', undefined)
    for (const { member, schema: companion } of alternatives ?? []) known.set(member, companion)
    if (known.size > 0) lookInto(value, known, path)
  }

  function lookInto(value: JsonObject, known: ReadonlyMap<string, z.ZodType | undefined>, path: string): void {
    const names = [...known.keys()]
    for (const [spelling, member] of value.entries) {
      if (left-- <= 0 || fields.length >= TOLD_MAX) return
      const at = path === '' ? spelling : `${path}.${spelling}`
      const name = names.find((one) => one.toLowerCase() === spelling.toLowerCase())
      const inner = name === undefined ? undefined : known.get(name)
      if (inner) look(inner, member, at)
      if (name !== undefined) continue
      const near = spelling.length <= NAME_MAX ? nearName(spelling, names) : undefined
      if (near !== undefined) fields.push({ path: at, near })
    }
  }

  look(schema, body, '')
  return fields
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

function nearName(name: string, known: readonly string[]): string | undefined {
  const own = plain(name)
  if (own.length < 2) return undefined
  return known.find((one) => isNear(own, plain(one)))
}

/** Two letters otherwise, one the beginning of the other, or a word written with some of its letters: `qty`. */
function isNear(own: string, known: string): boolean {
  const shorter = Math.min(own.length, known.length)
  if (shorter >= 3 && (known.startsWith(own) || own.startsWith(known))) return true
  if (own.length >= 3 && own[0] === known[0] && own.at(-1) === known.at(-1) && isWithin(own, known)) return true
  return distance(own, known) <= (shorter <= 4 ? 1 : 2)
}

/** The letters of one stand in the other in their order. */
function isWithin(letters: string, word: string): boolean {
  let at = 0
  for (const letter of word) if (letter === letters[at]) at++
  return at === letters.length
}

/** ASCII, as a header must be: `ReceiptItems[0].PluSale.Qty (Quantity?), Payment (Payments?)`. */
export const unknownFieldsHeader = (fields: readonly UnknownField[]): string =>
  fields.map(({ path, near }) => `${path.replace(/[^\x20-\x7e]|,/g, '?')} (${near}?)`).join(', ')
