/**
 * Links from messages to the documentation. The headings of the troubleshooting page are messages, with `...` in place
 * of their variable parts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { trimEndOf } from '../model/trim-end.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'server', 'docs', 'dist')
export const TROUBLES = 'troubleshooting'
export const TROUBLES_FILE = 'troubles.json'
/** Minimum number of letters of a heading. A shorter one would match any message. */
const LEAST_LETTERS = 12

export interface Trouble {
  readonly id: string
  readonly message: string
}

interface Heading {
  readonly id: string
  readonly parts: readonly string[]
  readonly letters: number
}

let headings: readonly Heading[] | undefined

/**
 * Returns `troubleshooting.html#ID` of the longest matching heading; `undefined` if no heading matches or the pages are
 * not built.
 */
export function helpFor(message: string): string | undefined {
  headings ??= headingsOf(troubles())
  const fitting = headings.filter(({ parts }) => follows(message, parts))
  const best = fitting.toSorted((one, other) => other.letters - one.letters)[0]
  return best && `${TROUBLES}.html#${best.id}`
}

export function helpFile(message: string): string | undefined {
  const help = helpFor(message)
  return help === undefined ? undefined : `${pathToFileURL(FOLDER)}/${help}`
}

function troubles(): readonly Trouble[] {
  try {
    return JSON.parse(readFileSync(join(FOLDER, TROUBLES_FILE), 'utf8')) as readonly Trouble[]
  } catch {
    return []
  }
}

export const headingsOf = (all: readonly Trouble[]): readonly Heading[] =>
  all
    .map(({ id, message }) => ({ id, parts: partsOf(message) }))
    .map(({ id, parts }) => ({ id, parts, letters: parts.join('').length }))
    .filter(({ letters }) => letters >= LEAST_LETTERS)

const partsOf = (heading: string): string[] =>
  heading
    .split('...')
    .map((part) => trimEndOf(part.replace(/^[\s.:,]+/, ''), ' .:,'))
    .filter((part) => part !== '')

function follows(message: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const place = message.indexOf(part, at)
    if (place < 0) return false
    at = place + part.length
  }
  return true
}
