/**
 * Where the documentation says more about a message: the headings of the page for troubles are messages themselves, with
 * `...` for what is put into them. Read from the built page when the first message is looked for.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withoutEnd } from './without-end.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'server', 'docs', 'dist')
const TROUBLES = 'troubleshooting.html'
const PAGE = join(FOLDER, TROUBLES)
/** A heading of fewer letters would be found in any message. */
const LEAST_LETTERS = 12

interface Heading {
  readonly id: string
  readonly parts: readonly string[]
  readonly letters: number
}

let headings: readonly Heading[] | undefined

/** `troubleshooting.html#ID`; undefined: nothing is said about it, or the pages are not built. */
export function helpFor(message: string): string | undefined {
  headings ??= headingsOf(pageText())
  const fitting = headings.filter(({ parts }) => follows(message, parts))
  const best = fitting.toSorted((one, other) => other.letters - one.letters)[0]
  return best && `${TROUBLES}#${best.id}`
}

/** The same for who has no server at hand: `file:///.../troubleshooting.html#ID`. */
export function helpFile(message: string): string | undefined {
  const help = helpFor(message)
  return help === undefined ? undefined : `${pathToFileURL(FOLDER)}/${help}`
}

function pageText(): string {
  try {
    return readFileSync(PAGE, 'utf8')
  } catch {
    return ''
  }
}

export function headingsOf(html: string): readonly Heading[] {
  const [, ...behind] = html.split('<h3 id="')
  return behind
    .map((text) => {
      const heading = text.slice(text.indexOf('>') + 1, text.indexOf('<a class="anchor"'))
      return { id: text.slice(0, text.indexOf('"')), parts: partsOf(plain(heading)) }
    })
    .map(({ id, parts }) => ({ id, parts, letters: parts.join('').length }))
    .filter(({ letters }) => letters >= LEAST_LETTERS)
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const plain = (html: string): string =>
  html.replace(/<[^<>]*>/g, '').replace(/&(#?\w+);/g, (sign, name: string) => SIGNS[name] ?? sign)

const partsOf = (heading: string): string[] =>
  heading
    .split('...')
    .map((part) => withoutEnd(part.replace(/^[\s.:,]+/, ''), ' .:,'))
    .filter((part) => part !== '')

/** All parts, one behind the other. */
function follows(message: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = message.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}
