/**
 * Compares expected with actual values. Of objects only the expected members count, and of lists all elements in order.
 * Numbers and amounts must be equal, without tolerance. A matcher such as `{contains: TEXT}` may replace a value.
 */
import { countText } from '../../drivers/model/count-text.ts'
import { formatMoney, parseDecimal } from '../../drivers/model/money.ts'
import { matchesPattern } from './pattern.ts'

export const MATCHERS = {
  matches: 'a text that this regular expression matches',
  contains: 'a text that contains this one',
  oneOf: 'one of these values',
  not: 'anything but this',
  present: '`true`: it is there; `false`: it is not',
  length: 'a text or a list of this length',
  number: '`true`: a whole number, such as that of a receipt; as text or as number',
} as const
type Matcher = keyof typeof MATCHERS
const MATCHER_NAMES = Object.keys(MATCHERS) as readonly Matcher[]

export interface MatchRules {
  /** Compares decimal text and numbers as amounts: "12.50" equals 12.5. */
  readonly amounts?: boolean
}

/** Returns one line for each difference, such as `Data.Total: expected 5, it is 4`. */
export function differences(expected: unknown, actual: unknown, path: string, rules: MatchRules = {}): string[] {
  const matcher = matcherOf(expected)
  if (matcher) return judge(matcher, actual, path, rules)
  if (Array.isArray(expected)) return listDifferences(expected, actual, path, rules)
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return [differs(path, expected, actual)]
    const there = actual as Readonly<Record<string, unknown>>
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, there[key], path === '' ? key : `${path}.${key}`, rules),
    )
  }
  return isEqual(expected, actual, rules) ? [] : [differs(path, expected, actual, rules)]
}

function listDifferences(expected: readonly unknown[], actual: unknown, path: string, rules: MatchRules): string[] {
  if (!Array.isArray(actual)) return [differs(path, expected, actual)]
  const lengths =
    expected.length === actual.length
      ? []
      : [`${path}: expected ${countText(expected.length, 'element')}, found ${actual.length}`]
  return [...lengths, ...expected.flatMap((one, index) => differences(one, actual[index], `${path}[${index}]`, rules))]
}

function isEqual(expected: unknown, actual: unknown, { amounts = false }: MatchRules): boolean {
  if (expected === actual) return true
  if (!amounts) return false
  const [want, have] = [hundredths(expected), hundredths(actual)]
  return want !== undefined && want === have
}

/** Converts exactly: "1.5", 1.5 and "1.50" are 150. Returns `undefined` if the value is not an amount. */
export function hundredths(value: unknown): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const text = String(value)
  const read = parseDecimal(text.replace(/^-/, ''), 2)
  return typeof read === 'number' ? (text.startsWith('-') ? -read : read) : undefined
}

function matcherOf(value: unknown): { readonly [name in Matcher]?: unknown } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => Object.hasOwn(MATCHERS, key)) ? value : undefined
}

function judge(
  matcher: { readonly [name in Matcher]?: unknown },
  actual: unknown,
  path: string,
  rules: MatchRules,
): string[] {
  return MATCHER_NAMES.filter((name) => name in matcher).flatMap((name) =>
    judgeOne(name, matcher[name], actual, path, rules),
  )
}

function judgeOne(name: Matcher, expected: unknown, actual: unknown, path: string, rules: MatchRules): string[] {
  switch (name) {
    case 'matches':
      return matchesPattern(String(expected), 'u', textOf(actual))
        ? []
        : [`${path}: expected a text that matches /${expected}/, it is ${formatValue(actual)}`]
    case 'contains':
      return textOf(actual).includes(String(expected))
        ? []
        : [`${path}: expected a text that contains ${formatValue(expected)}, it is ${formatValue(actual)}`]
    case 'oneOf':
      return (expected as readonly unknown[]).some((one) => differences(one, actual, path, rules).length === 0)
        ? []
        : [`${path}: expected one of ${formatValue(expected)}, it is ${formatValue(actual)}`]
    case 'not':
      return differences(expected, actual, path, rules).length > 0
        ? []
        : [`${path}: expected anything but ${formatValue(expected)}`]
    case 'present': {
      const isPresent = actual !== undefined && actual !== null
      return isPresent === expected
        ? []
        : [`${path}: expected it to be ${expected ? 'there' : 'absent'}, it is ${formatValue(actual)}`]
    }
    case 'number': {
      const isNumber = /^\d+$/.test(textOf(actual))
      return isNumber === expected
        ? []
        : [
            `${path}: expected ${expected ? 'a whole number' : 'anything but a whole number'}, it is ${formatValue(actual)}`,
          ]
    }
    case 'length': {
      const length = typeof actual === 'string' ? [...actual].length : Array.isArray(actual) ? actual.length : undefined
      return length === expected
        ? []
        : [`${path}: expected the length ${formatValue(expected)}, it is ${length ?? 'not a text or a list'}`]
    }
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
function differs(path: string, expected: unknown, actual: unknown, { amounts = false }: MatchRules = {}): string {
  const [one, other] = [hundredths(expected), hundredths(actual)]
  const areNumbers = typeof expected === 'number' && typeof actual === 'number'
  const haveDecimals = areNumbers && !(Number.isInteger(expected) && Number.isInteger(actual))
  const isText = typeof expected === 'string' || typeof actual === 'string'
  if (one === undefined || other === undefined || !(haveDecimals || (amounts && isText)))
    return `${path}: expected ${formatValue(expected)}, it is ${formatValue(actual)}`
  return `${path}: expected ${formatMoney(one)}, it is ${formatMoney(other)}`
}

const SHOWN_MAX = 400

/** Returns an expected count, which may be a matcher, with its noun. */
export const formatCount = (value: unknown, noun: string): string =>
  typeof value === 'number' ? countText(value, noun) : `${formatValue(value)} ${noun}s`

export function formatValue(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text
}

/** A text in slashes is a regular expression. Any other text must be part of the line. */
export function lineTest(expected: string): (line: string) => boolean {
  const pattern = /^\/(.+)\/(i?)$/s.exec(expected)
  if (!pattern) return (line) => line.includes(expected)
  return (line) => matchesPattern(pattern[1] ?? '', `u${pattern[2]}`, line)
}
