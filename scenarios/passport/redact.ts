/** Removes secrets: passwords and, on request, the numbers that identify a device and its owner. */
import { hexOf } from '../../drivers/wire/charset.ts'
import type { Questionnaire, Request } from '../../drivers/wire/questionnaire.ts'
import type { Layout } from '../../drivers/wire/row.ts'
import type { Passport } from '../../emulator/passport/passport.ts'

const REDACTED_MARK = '**'
const SECRET = ['password', 'old', 'next', 'changed'] as const

const other = (text: string): string => text.replace(/[0-9A-Za-z]/g, (sign) => (sign === '9' ? '8' : '9'))

/**
 * Finds the positions of passwords in data: encodes the request with other passwords, and compares the two encodings.
 */
function secretPlaces(layout: Layout<never>, data: string, q: Questionnaire): readonly number[] {
  try {
    const values = layout.read(data, q.page) as Readonly<Record<string, unknown>>
    const secret = SECRET.filter((name) => typeof values[name] === 'string' && values[name] !== '')
    if (secret.length === 0) return []
    const changed = Object.fromEntries(secret.map((name) => [name, other(String(values[name]))]))
    const written = layout.write({ ...values, ...changed } as never, q.page)
    const plain = layout.write(values as never, q.page)
    // The project encodes these values differently than the sender, so the passwords are searched for.
    if (plain !== data) return secret.flatMap((name) => placesOf(data, String(values[name])))
    return [...data].flatMap((sign, at) => (sign === written[at] ? [] : [at]))
  } catch {
    return []
  }
}

function placesOf(text: string, word: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); word !== '' && at >= 0; at = text.indexOf(word, at + 1))
    places.push(...Array.from(word, (_, index) => at + index))
  return places
}

function secretPieces(q: Questionnaire, request: Request, password: string): readonly number[] {
  const command = q.catalogue.find(request.code, request.data)
  if (!command || !SECRET.some((name) => name in command.request.fields)) return []
  let at = 0
  return request.data.split(q.separator).flatMap((piece) => {
    const start = at
    at += piece.length + 1
    return piece.trim() === password ? Array.from(piece, (_, index) => start + index) : []
  })
}

const unique = (places: readonly number[]): readonly number[] => [...new Set(places)].sort((one, two) => one - two)

export function requestSecrets(q: Questionnaire, request: Request, password: string): readonly number[] {
  const command = q.catalogue.find(request.code, request.data)
  const read = command ? secretPlaces(command.request as Layout<never>, request.data, q) : []
  return unique(read.length > 0 ? read : secretPieces(q, request, password))
}

export function answerSecrets(q: Questionnaire, request: Request, data: string): readonly number[] {
  const command = q.catalogue.find(request.code, request.data)
  return command ? unique(secretPlaces(command.response as Layout<never>, data, q)) : []
}

export function maskedText(text: string, places: readonly number[]): string {
  const set = new Set(places)
  return [...text].map((sign, at) => (set.has(at) ? (set.has(at - 1) ? '' : REDACTED_MARK) : sign)).join('')
}

/** `places` are secret positions in the data, whose bytes are masked. */
export function maskedBytes(bytes: Uint8Array, data: string, places: readonly number[]): string {
  const start = places.length === 0 ? -1 : Buffer.from(bytes).indexOf(Buffer.from(data, 'latin1'))
  const pieces = hexOf(bytes).split(' ')
  if (start < 0) return hexOf(bytes)
  return pieces.map((piece, at) => (places.includes(at - start) ? REDACTED_MARK : piece)).join(' ')
}

/** Minimum length of a hidden word: shorter words would match unrelated text. */
const SHORTEST = 4

export function anonymous(passport: Passport, words: readonly string[]): Passport {
  const secrets = words.filter((word) => word.length >= SHORTEST)
  const hidden = (text: string): string =>
    secrets.reduce((rest, word) => {
      const hex = hexOf(Buffer.from(word, 'latin1'))
      const stars = Array.from(word, () => REDACTED_MARK).join(' ')
      return rest.replaceAll(word, REDACTED_MARK).replaceAll(hex, stars)
    }, text)
  const { serialNumber: _serial, fiscalMemoryNumber: _memory, ...device } = passport.device
  return deep({ ...passport, device }, hidden) as Passport
}

function deep(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => deep(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deep(member, change)]))
}
