/** Changes of one value in JSON, of one record, and of the order of records. */

export interface Change<T> {
  readonly path: string
  readonly value: T
}

type Json = unknown

export function* changesOf<T>(value: T, path = ''): Generator<Change<T>> {
  if (typeof value !== 'object' || value === null) {
    yield { path, value: otherThan(value) as T }
    return
  }
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  for (const [name, inner] of Object.entries(value)) {
    for (const change of changesOf(inner as Json, at(name)))
      yield { path: change.path, value: withMember(value, name, change.value) }
    if (!Array.isArray(value)) yield { path: at(name), value: without(value, name) }
  }
  if (!Array.isArray(value)) yield { path: at('one_more'), value: withMember(value, 'one_more', 1) }
}

const withMember = <T extends object>(value: T, name: string, inner: Json): T =>
  (Array.isArray(value) ? value.with(Number(name), inner) : { ...value, [name]: inner }) as T

const without = <T extends object>(value: T, name: string): T =>
  Object.fromEntries(Object.entries(value).filter(([one]) => one !== name)) as T

function otherThan(leaf: Json): Json {
  if (typeof leaf === 'number') return leaf + 1
  if (typeof leaf === 'boolean') return !leaf
  if (typeof leaf !== 'string') return 1
  return /^\d{4}-/.test(leaf) ? leaf.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) : `${leaf}x`
}
