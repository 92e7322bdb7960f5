/**
 * Redacts secrets in all records of a run. Passwords, tokens and keys become `***`, and a secret from an environment
 * variable becomes the name of the variable. Secrets are found by the name of their member, in texts and frames, and
 * then everywhere by their value.
 */
import { isRecord } from '../../../drivers/model/json.ts'
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import { escapedText } from '../escaped-text.ts'
import type { Result } from '../play-scenario.ts'

export const REDACTED_MARK = '***'
const MASKED_BYTE = '**'
/** Minimum length of a secret that is searched by its value: shorter values would match unrelated text. */
const SHORTEST = 4
const SECRET_NAME = String.raw`(?<!\w)\w*(?:password|passwd|secret|api_?key)`
const QUOTED_TEXT = String.raw`"(?:[^"\\]|\\.)*"?|'[^']*'?`
const MEMBERS = new RegExp(String.raw`((?:\\?["'])?${SECRET_NAME}(?:\\?["'])?\s*[:=]\s*)(\\"(?:[^"\\])*\\"|${QUOTED_TEXT}|[^\s,;&}\])"']+)`, 'gi') // biome-ignore format: one pattern
const IS_SECRET = new RegExp(`^${SECRET_NAME}$`, 'i')
const IS_SECRET_FIELD = new RegExp(`^(?:${SECRET_NAME}|old|next|changed)$`, 'i')
const BEARER = /\b(Bearer\s+)[\w.~+/=-]+/g
const USER_INFO = /(:\/\/)[^\s/@]+@/g
/** Matches the legacy line that opens a receipt: `48,1,______,_,__;1;PASSWORD;1`. */
const LEGACY_OPENING = /(?<![^"\n])(48,[\d,_]*;\d+;)([^;"\n]*)/g

/** `references` maps values of environment variables to the names of the variables. */
export function withoutSecrets<T>(value: T, references: ReadonlyMap<string, string> = new Map()): T {
  const secrets = new Map(references)
  collect(value, (secret) => {
    if (!secrets.has(secret)) secrets.set(secret, REDACTED_MARK)
  })
  // A text of one repeated character, such as the factory password 0000, is part of many numbers and is not searched
  // for.
  const values = [...secrets].filter(([secret]) => secret.length >= SHORTEST && new Set(secret).size > 1)
  const mask = masker(values.toSorted(([a], [b]) => b.length - a.length))
  return masked(value, mask) as T
}

/**
 * Returns the result without the secrets of its scenario. The `id` remains, because later runs find the scenario by it.
 * The paper remains, because no password is printed.
 */
export function resultWithoutSecrets(result: Result): Result {
  const { play, detail, paper, ...otherMembers } = result
  const { loaded, name } = play
  const { scenario } = loaded
  const shownParts = { name, others: otherMembers, wire: detail?.wire ?? [], faults: detail?.faults ?? [], scenario: scenario.name, ...omitUndefined({ purpose: scenario.purpose, tags: scenario.tags }) } // biome-ignore format: one line
  const { clean } = withoutSecrets({ clean: shownParts, given: scenario.given }, referencesIn(scenario, process.env))
  const own = { ...scenario, name: clean.scenario, ...omitUndefined({ purpose: clean.purpose, tags: clean.tags }) }
  return {
    ...clean.others,
    play: { ...play, name: clean.name, loaded: { ...loaded, scenario: own } },
    paper,
    ...(detail && { detail: { ...detail, wire: clean.wire, faults: clean.faults } }),
  }
}

interface Masker {
  text(value: string): string
  hex(value: string, secrets: readonly string[]): string
}

function masker(knownSecrets: readonly (readonly [secret: string, shown: string])[]): Masker {
  const patterns = knownSecrets.map(
    ([secret, replacement]) =>
      [new RegExp(`(?<![\\p{L}\\p{N}])${escapedText(secret)}(?![\\p{L}\\p{N}])`, 'gu'), replacement] as const,
  )
  return {
    text(value) {
      let text = value
      for (const [pattern, replacement] of patterns) text = text.replace(pattern, () => replacement)
      text = text
        .replace(
          MEMBERS,
          (_whole, name: string, secret: string) => `${name}${isReference(secret) ? secret : requoted(secret)}`,
        )
        .replace(BEARER, `$1${REDACTED_MARK}`)
        .replace(USER_INFO, `$1${REDACTED_MARK}@`)
        .replace(LEGACY_OPENING, (whole, before: string, secret: string) =>
          isReference(secret) ? whole : `${before}${REDACTED_MARK}`,
        )
      return text
    },
    hex(value, secrets) {
      let text = value
      for (const secret of [...secrets, ...knownSecrets.map(([one]) => one)]) {
        const bytes = Buffer.from(secret, 'latin1')
          .toString('hex')
          .replace(/..(?=.)/g, '$& ')
        if (bytes !== '') text = text.replaceAll(new RegExp(`(?<!\\S)${bytes}(?!\\S)`, 'gi'), (found) => found.replace(/\S\S/g, MASKED_BYTE)) // biome-ignore format: one step
      }
      return text
    },
  }
}

const isReference = (secret: string): boolean => /^\\?["']?\$\{?[A-Za-z_]\w*\}?\\?["']?$/.test(secret)

/** Replaces a secret with the mark in the same quotes, so that JSON remains valid. */
function requoted(secret: string): string {
  const [open = ''] = /^\\?["']?/.exec(secret) ?? []
  return `${open}${REDACTED_MARK}${open === '' || !secret.endsWith(open) || secret.length < 2 * open.length ? '' : open}`
}

function masked(value: unknown, mask: Masker, isFrame = false): unknown {
  if (typeof value === 'string') return mask.text(value)
  if (Array.isArray(value)) return value.map((one: unknown) => masked(one, mask))
  if (!isRecord(value)) return value
  const { hex, fields } = value
  const own = isRecord(fields) ? secretFields(fields) : []
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'hex' && member === hex && typeof hex === 'string') return [name, mask.hex(hex, own)]
      const isSecret = (isFrame ? IS_SECRET_FIELD : IS_SECRET).test(name)
      if (isSecret && typeof member === 'string' && member !== '')
        return [name, isReference(mask.text(member)) ? mask.text(member) : REDACTED_MARK]
      return [name, masked(member, mask, name === 'fields' && hex !== undefined)]
    }),
  )
}

/** Without `old`, `next` is the number of the next document. */
const isSecretField = (name: string, fields: Readonly<Record<string, unknown>>): boolean =>
  IS_SECRET_FIELD.test(name) && (name !== 'next' || 'old' in fields)

const secretFields = (fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    isSecretField(name, fields) && typeof value === 'string' && value.length > 0 ? [value] : [],
  )

function collect(value: unknown, add: (secret: string) => void): void {
  if (typeof value === 'string') {
    for (const [, , secret = ''] of value.matchAll(MEMBERS)) {
      const plain = secret.replace(/^\\?["']|\\?["']$/g, '')
      if (plain !== '' && plain !== REDACTED_MARK && !plain.startsWith('$')) add(plain)
    }
    for (const [, , secret = ''] of value.matchAll(LEGACY_OPENING)) if (secret !== '') add(secret)
    return
  }
  if (Array.isArray(value)) for (const one of value) collect(one, add)
  else if (isRecord(value)) {
    for (const secret of secretFields(value)) add(secret)
    for (const member of Object.values(value)) collect(member, add)
  }
}

function referencesIn(value: unknown, env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const found = new Map<string, string>()
  const search = (one: unknown): void => {
    if (Array.isArray(one)) for (const member of one) search(member)
    else if (isRecord(one)) {
      const { env: name } = one
      const secret = typeof name === 'string' ? env[name] : undefined
      if (typeof name === 'string' && secret) found.set(secret, `$${name}`)
      for (const member of Object.values(one)) search(member)
    }
  }
  search(value)
  return found
}
