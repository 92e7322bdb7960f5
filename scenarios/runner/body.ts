/** Fields of a request's body that the service does not know: it would ignore them without a word. */

import type { z } from 'zod'
import { endpoints } from '../../server/endpoints/index.ts'
import { infoOf } from '../../server/fields.ts'
import { unknownWord } from './nearest.ts'

export interface BodyMistake {
  readonly path: readonly PropertyKey[]
  readonly what: string
}

/** `verb`: `post /register-plu-sale`. Deliberately strange bodies are sent by `raw`. */
export function bodyMistakes(verb: string, body: unknown): readonly BodyMistake[] {
  const declared = endpoints.find(({ method, path }) => `${method} ${path}` === verb)
  return declared?.body ? inside(declared.body, body, []) : []
}

function inside(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): BodyMistake[] {
  const { members, element, alternatives } = infoOf(schema)
  if (Array.isArray(value)) {
    return element === undefined ? [] : value.flatMap((one: unknown, index) => inside(element, one, [...path, index]))
  }
  if (typeof value !== 'object' || value === null) return []
  const known: Readonly<Record<string, z.ZodType>> = alternatives
    ? Object.fromEntries(alternatives.map((one) => [one.member, one.schema]))
    : (members ?? {})
  const names = alternatives ? ['Type', ...Object.keys(known)] : Object.keys(known)
  if (names.length === 0) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const name = names.find((one) => one.toLowerCase() === key.toLowerCase())
    if (name === undefined) return [{ path: [...path, key], what: unknownWord('field', key, names) }]
    const next = known[name]
    return next === undefined ? [] : inside(next, member, [...path, key])
  })
}
