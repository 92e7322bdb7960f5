/**
 * JSON for the service and the control API (decisions 1). `JSON.parse` would lose the text of numbers (amounts with too
 * many decimals are refused, not rounded), duplicate members, and the position of a mistake.
 */

import { trimEndOf } from './trim-end.ts'

export class JsonNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

export class JsonObject {
  readonly entries: readonly (readonly [string, Json])[]
  constructor(entries: readonly (readonly [string, Json])[]) {
    this.entries = entries
  }
}

export type Json = null | boolean | string | JsonNumber | JsonObject | readonly Json[]

export class JsonSyntaxError extends Error {
  constructor(what: string, text: string, at: number) {
    const before = text.slice(0, at).split('\n')
    super(`${what} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`)
    this.name = 'JsonSyntaxError'
  }
}

/** Maximum length of a number's text. No meaningful number is longer; the limit bounds the time of its conversion. */
const NUMBER_MAX = 100
const NAME_SHOWN = 40

/** Maximum depth. No body of the API needs more, and the stack has room for it. */
const DEPTH_MAX = 64

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y
const SPACE = /[ \t\n\r]*/y
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t',
} // biome-ignore format: a table
const WORDS = [['true', true], ['false', false], ['null', null]] as const // biome-ignore format: a table

/** Parses a text that consists of one JSON value (RFC 8259). Throws JsonSyntaxError. */
export function readJson(text: string): Json {
  let at = 0
  const fail = (what: string): never => {
    throw new JsonSyntaxError(at >= text.length ? `${what}, the text ends` : what, text, at)
  }
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const token = pattern.exec(text)?.[0] ?? ''
    at += token.length
    return token
  }
  const eat = (character: string): boolean => {
    if (text[at] !== character) return false
    at++
    return true
  }

  function readEscape(): string {
    const letter = text[at] ?? ''
    if (letter === 'u') {
      const digits = text.slice(at + 1, at + 5)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail('expected four hexadecimal digits after \\u')
      at += 5
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const character = ESCAPES[letter]
    if (character === undefined) return fail('unknown escape in a text')
    at++
    return character
  }

  function readText(): string {
    at++
    let value = ''
    for (;;) {
      value += take(PLAIN_TEXT)
      if (eat('"')) return value
      if (eat('\\')) value += readEscape()
      else fail(at < text.length ? 'a control character inside a text' : 'expected the closing quote of a text')
    }
  }

  /** Reads members or elements up to the closing bracket. Commas are allowed only between them. */
  function readList(close: string, readOne: () => void): void {
    at++
    take(SPACE)
    if (eat(close)) return
    for (;;) {
      readOne()
      take(SPACE)
      if (eat(close)) return
      if (!eat(',')) fail(`expected , or ${close}`)
      take(SPACE)
    }
  }

  function readObject(depth: number): JsonObject {
    const entries: (readonly [string, Json])[] = []
    readList('}', () => {
      if (text[at] !== '"') fail('expected the name of a field in double quotes')
      const name = readText()
      take(SPACE)
      if (!eat(':')) fail(`expected : after "${name.slice(0, NAME_SHOWN)}"`)
      entries.push([name, readValue(depth)])
    })
    return new JsonObject(entries)
  }

  function readArray(depth: number): readonly Json[] {
    const elements: Json[] = []
    readList(']', () => elements.push(readValue(depth)))
    return elements
  }

  function readValue(depth: number): Json {
    if (depth > DEPTH_MAX) fail(`nested deeper than ${DEPTH_MAX}`)
    take(SPACE)
    const first = text[at]
    if (first === '{') return readObject(depth + 1)
    if (first === '[') return readArray(depth + 1)
    if (first === '"') return readText()
    for (const [word, value] of WORDS) {
      if (text.startsWith(word, at)) {
        at += word.length
        return value
      }
    }
    const number = take(NUMBER)
    if (number === '') return fail('expected a value')
    return number.length > NUMBER_MAX ? fail(`a number of more than ${NUMBER_MAX} characters`) : new JsonNumber(number)
  }

  const value = readValue(0)
  take(SPACE)
  if (at < text.length) fail('expected nothing after the value')
  return value
}

export function plainJson(value: Json): unknown {
  if (Array.isArray(value)) return value.map((element: Json) => plainJson(element))
  if (!(value instanceof JsonObject)) return value
  const members = new Map<string, unknown>()
  for (const [name, member] of value.entries) {
    if (members.has(name)) throw new Error(`"${name}" occurs twice in one object`)
    members.set(name, plainJson(member))
  }
  return Object.fromEntries(members)
}

/**
 * Returns the same text for equal values. The order and the case of field names do not matter, and members that are
 * null count as missing. The check of `Idempotency-Key` compares these texts.
 */
export function canonical(value: Json | undefined): string {
  if (value === undefined) return ''
  if (value instanceof JsonNumber) return canonicalNumber(value.source)
  if (value instanceof JsonObject) {
    const members = value.entries
      .filter(([, member]) => member !== null)
      .map(([name, member]) => `${JSON.stringify(name.toLowerCase())}:${canonical(member)}`)
    return `{${members.sort().join(',')}}`
  }
  if (Array.isArray(value)) return `[${value.map((element: Json) => canonical(element)).join(',')}]`
  return JSON.stringify(value)
}

/** Returns the same text for equal numbers, for example `2.0`, `2` and `0.2e1`, without losing a digit. */
function canonicalNumber(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = trimEndOf(digits, '0')
  if (significant === '') return '0'
  /** Number of decimal places; negative if zeros precede the point. */
  const places = BigInt(fraction.length) - BigInt(exponent) - BigInt(digits.length - significant.length)
  if (places === 0n) return `${sign}${significant}`
  // Outside this range, an exponent is shorter than the zeros.
  if (places < -30n || places > 30n) return `${sign}${significant}e${-places}`
  if (places < 0n) return `${sign}${significant}${'0'.repeat(Number(-places))}`
  const padded = significant.padStart(Number(places) + 1, '0')
  return `${sign}${padded.slice(0, -Number(places))}.${padded.slice(-Number(places))}`
}

/**
 * A number that JSON.stringify writes with exactly this text (`JSON.rawJSON`, which the type library does not declare
 * yet).
 */
export type ExactNumber = { readonly rawJSON: string }
const { rawJSON } = JSON as unknown as { rawJSON(text: string): ExactNumber }
export const exactNumber = (text: string): ExactNumber => rawJSON(text)

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
