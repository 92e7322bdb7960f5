/** Compares the output on a page with the actual output. `...` is a wildcard for any text. */

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const wild = (text: string): RegExp => new RegExp(`^${text.split('...').map(escaped).join('.*')}$`, 's')

/**
 * Returns the first difference, or `undefined` if the output matches. A line that contains only `...` matches any
 * number of lines.
 */
export function textDiffers(expected: string, actual: string): string | undefined {
  const expectedLines = expected.split('\n').map((line) => line.trimEnd())
  const there = actual
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
  return fits(expectedLines, there) ? undefined : `expected:\n${expected}\ncame out:\n${actual}`
}

function fits(wanted: readonly string[], there: readonly string[]): boolean {
  const [first, ...rest] = wanted
  if (first === undefined) return there.length === 0
  if (first.trim() === '...') return there.some((_, index) => fits(rest, there.slice(index))) || fits(rest, [])
  return there[0] !== undefined && wild(first).test(there[0]) && fits(rest, there.slice(1))
}

/** Returns the differences. All members must be named, except in an object with a member `...`. */
export function jsonDiffers(expected: unknown, actual: unknown, at = 'it'): readonly string[] {
  if (typeof expected === 'string' && expected.includes('...')) {
    const isThere =
      expected === '...' ? actual !== undefined : typeof actual === 'string' && wild(expected).test(actual)
    return isThere ? [] : [`${at}: expected ${expected}, it is ${JSON.stringify(actual)}`]
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      return [`${at}: expected ${expected.length} elements, it is ${JSON.stringify(actual)}`]
    return expected.flatMap((one, index) => jsonDiffers(one, actual[index], `${at}[${index}]`))
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual))
      return [`${at}: expected an object, it is ${JSON.stringify(actual)}`]
    const expectedMembers = new Map(Object.entries(expected))
    const there = new Map(Object.entries(actual))
    const isPart = expectedMembers.delete('...')
    const more = isPart ? [] : [...there.keys()].filter((name) => !expectedMembers.has(name))
    return [
      ...[...expectedMembers].flatMap(([name, value]) => jsonDiffers(value, there.get(name), `${at}.${name}`)),
      ...more.map((name) => `${at}.${name} is there, and not expected`),
    ]
  }
  return Object.is(expected, actual)
    ? []
    : [`${at}: expected ${JSON.stringify(expected)}, it is ${JSON.stringify(actual)}`]
}
