/**
 * Names in a scenario. `$total` or `${total}` is replaced with a value that a step has kept, an entry of `let`, a
 * column of the examples, or a fact of the family. `$status.Total` is a member of a value. A name alone keeps the type
 * of its value, while a name within a text becomes text. `$$` is a dollar sign.
 */

export type Scope = ReadonlyMap<string, unknown>

const NAME = /\$\$|\$\{([A-Za-z_][\w.]*)\}|\$([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)/g
const SINGLE_VALUE = /^(?:\$\{([A-Za-z_][\w.]*)\}|\$([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*))$/

export class UnknownName extends Error {
  readonly unknown: string
  constructor(unknown: string) {
    super(`there is no value named ${unknown}`)
    this.name = 'UnknownName'
    this.unknown = unknown
  }
}

/** Throws UnknownName. */
export function fill(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return fillText(value, scope)
  if (Array.isArray(value)) return value.map((element: unknown) => fill(element, scope))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [String(fillText(key, scope)), fill(member, scope)]),
  )
}

/** Returns the value unchanged if one of its names has no value yet. */
export function fillIfKnown(value: unknown, scope: Scope): unknown {
  try {
    return fill(value, scope)
  } catch (error) {
    if (error instanceof UnknownName) return value
    throw error
  }
}

function fillText(text: string, scope: Scope): unknown {
  if (!text.includes('$')) return text
  const alone = SINGLE_VALUE.exec(text)
  if (alone) return lookUp(alone[1] ?? alone[2] ?? '', scope)
  return text.replace(NAME, (whole, braced: string | undefined, plain: string | undefined) => {
    if (whole === '$$') return '$'
    const value = lookUp(braced ?? plain ?? '', scope)
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
}

function lookUp(path: string, scope: Scope): unknown {
  const [first = '', ...rest] = path.split('.')
  if (!scope.has(first)) throw new UnknownName(path)
  return rest.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !(step in value)) throw new UnknownName(path)
    return (value as Readonly<Record<string, unknown>>)[step]
  }, scope.get(first))
}

/** Returns a part of an answer by its path, such as `Data.Taxes[0].Turnover`, or `undefined`. */
export function partOf(value: unknown, path: string): unknown {
  return path
    .split(/[.[\]]/)
    .filter((step) => step !== '')
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined,
      value,
    )
}

export function namesIn(
  value: unknown,
  path: readonly PropertyKey[] = [],
): { name: string; path: readonly PropertyKey[] }[] {
  if (typeof value === 'string') {
    return [...value.matchAll(NAME)].flatMap(([whole, braced, plain]) =>
      whole === '$$' ? [] : [{ name: (braced ?? plain ?? '').split('.')[0] ?? '', path }],
    )
  }
  if (Array.isArray(value)) return value.flatMap((element: unknown, index) => namesIn(element, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [...namesIn(key, path), ...namesIn(member, [...path, key])])
}
