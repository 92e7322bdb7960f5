/** Finds fields of a request's body that the service does not know and would therefore ignore. */

import type { z } from 'zod'
import { endpoints } from '../../server/endpoints/index.ts'
import { infoOf } from '../../server/fields.ts'
import { unknownWord } from './nearest.ts'
import { MODIFIERS } from './steps/modifiers.ts'

interface BodyMistake {
  readonly path: readonly PropertyKey[]
  readonly what: string
}

/** `verb` is method and path, such as `post /register-plu-sale`. */
export function bodyMistakes(verb: string, body: unknown): readonly BodyMistake[] {
  const declared = endpoints.find(({ method, path }) => `${method} ${path}` === verb)
  if (declared?.body) return inside(declared.body, body, [])
  const hasMembers = typeof body === 'object' && body !== null && Object.keys(body).length > 0
  if (!declared || declared.method === 'get' || !hasMembers) return []
  return [{ path: [], what: `${verb} has no body; ${Array.isArray(body) ? ANOTHER_STEP : BESIDE}` }]
}

const ANOTHER_STEP = 'another step begins in the same column as this one'
const BESIDE = 'write modifiers of a step, such as expect, in the column of its verb'

export function isFieldOf(verb: string, key: string): boolean {
  const declared = endpoints.find(({ method, path }) => `${method} ${path}` === verb)
  return declared?.body !== undefined && Object.keys(infoOf(declared.body).members ?? {}).includes(key)
}

function inside(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): BodyMistake[] {
  const { members, element, alternatives } = infoOf(schema)
  if (Array.isArray(value)) {
    return element === undefined ? [] : value.flatMap((one: unknown, index) => inside(element, one, [...path, index]))
  }
  if (typeof value !== 'object' || value === null) return []
  const knownFields: Readonly<Record<string, z.ZodType>> = alternatives
    ? Object.fromEntries(alternatives.map((one) => [one.member, one.schema]))
    : (members ?? {})
  const names = alternatives ? ['Type', ...Object.keys(knownFields)] : Object.keys(knownFields)
  if (names.length === 0) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const name = names.find((one) => one.toLowerCase() === key.toLowerCase())
    if (name === undefined) {
      const isModifier = path.length === 0 && key in MODIFIERS
      return [
        {
          path: [...path, key],
          what: isModifier ? `${key} is not a field; ${BESIDE}` : unknownWord('field', key, names),
        },
      ]
    }
    const next = knownFields[name]
    return next === undefined ? [] : inside(next, member, [...path, key])
  })
}
