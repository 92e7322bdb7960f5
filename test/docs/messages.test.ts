/**
 * Every message that asks for an action has a heading on the troubleshooting page, or a page. The messages are found in
 * the sources by their verbs, so that new messages are included.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'
import { GUIDE, readPage, root } from './pages.ts'

const page = readPage(`${GUIDE}/troubleshooting.md`)

/** Verbs that ask for an action at the beginning of a sentence or clause. */
const VERBS =
  'add|agree|allow|ask|attach|brew|call|change|check|chmod|choose|close|compare|connect|correct|delete|end|give|install|' +
  'leave out|log in|look|make|move|name|open|plug|put|remove|rename|renew|repeat|restart|run|say|see|send|set|start|stop|' +
  'sudo|switch|take|try|turn|unplug|use|wait'
const ASKS = new RegExp(`(?:^|[.:;,(?] |^\\w+: )(?:${VERBS})\\b|\\bis needed\\b|apt-get`, 'i')

/** Sources whose texts are no messages, or appear on pages generated from their own tables. */
const ELSEWHERE: readonly (readonly [files: RegExp, why: string])[] = [
  [
    /^bin\/commands\/(?:index|declare-\w+)\.ts$|^bin\/options\.ts$/,
    'options, in --help and on the page of the command line',
  ],
  [/^bin\/(?:docs\/|commands\/(?:docs|show)\.ts)/, 'pages of the documentation'],
  [
    /^server\/endpoints\/|^server\/(?:openapi|field-words)|^emulator\/panel\/(?:contract|description)/,
    'descriptions of calls',
  ],
  [/^server\/operations\/sentences\.ts$|^drivers\/model\/errors\.ts$/, 'answers 424, on the page of outcomes'],
  [/^drivers\/model\/refusals\.ts$/, 'answers 400, on the page of refusals'],
  [/^drivers\/family-\w\/protocol\/|^emulator\/family-\w\/handlers\//, "the wires' own names of errors and fields"],
  [/^emulator\/family-\w\/advice\.ts$|^emulator\/advice\.ts$/, 'what a till has to do, in the report of the exam'],
  [/^scenarios\/runner\/manual-actions\.ts$|^bin\/step-by-step\.ts$/, 'questions to the person at the terminal'],
  [
    /^scenarios\/runner\/(?:steps|checks)\/|^server\/config-schema\.ts$|^emulator\/faults\/(?:effects|rule)\.ts$/,
    'descriptions of steps, checks, keys and rules',
  ],
  [/^scenarios\/(?:simulation|passport|exam)\/(?!line)|^scenarios\/runner\/(?:failure|report)/, 'reports'],
  [
    /^server\/operations\/log\/[\w-]*tables\.ts$|^emulator\/fiscal\/sqlite-store\.ts$|^scenarios\/campaign\/queue\/campaign-board\.ts$/,
    'no words',
  ],
]
const NO_MESSAGES =
  /End with Ctrl\+C|default-src|HTTP\/1\.1|Api-Version|\{env: NAME\}|as its own|expected \{plu, name|^trouble: |What trusting it means|^Open a|^Close the|put the|^name: longer|open receipt|^apt-get install -y|name and steps$/

interface Literal {
  readonly file: string
  readonly text: string
}

function literalsOf(file: string): Literal[] {
  const found: Literal[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: readonly Quasi[] }
    if (type === 'Literal' && typeof value === 'string') found.push({ file, text: value })
    if (type === 'TemplateLiteral' && quasis)
      found.push({ file, text: quasis.map(({ value: { cooked } }) => cooked).join('...') })
    for (const member of Object.values(node)) visit(member)
  }
  visit(parseAst(readFileSync(join(root, file), 'utf8'), { lang: 'ts' }))
  return found
}
interface Quasi {
  readonly value: { readonly cooked: string }
}

const literals = ['bin', 'drivers', 'emulator', 'scenarios', 'server'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(
      (name) => /\.(?:ts|mjs)$/.test(name) && !/panel\/(?:page|dist)\/|docs\/(?:page|dist)\/|\.d\.mts$/.test(name),
    )
    .flatMap(literalsOf),
)

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
/** Converts a heading to a pattern in which `...` matches inserted values. Ignores backquotes and the final point. */
const patternOf = (heading: string): RegExp =>
  new RegExp(
    heading
      .replace(/^(?:\.\.\.[: ,]*)+|[.: ]*\.\.\.$|[.]$/g, '')
      .split('...')
      .map((part) => escaped(part.trim()))
      .join('.*'),
    'is',
  )

const NOT_LITERAL = [
  'Troubleshooting',
  ...[
    'Nothing works, and there is no message',
    'Installing and starting',
    'Ports',
    'Serial ports and printers',
    'Data',
  ],
  ...['Certificates', 'Configuration and access', 'Requests that print', 'Scenarios', 'Recordings, exam and passport'],
  'A program gets no answer from the emulated printer',
  "The operator's password is refused",
  'A test never ends, or times out',
  'Cyrillic or other letters come out as question marks',
  'A request got no answer: may it be sent again',
  'A request ends with 415 or 400, and the body is right',
  'FILE: KEY: expected ...',
  'FILE:LINE:COLUMN: ... nearest: ...',
  'The till cannot be started, or the baseline case fails',
  'chmod go= "..."',
]

const headings = page.headings.filter((heading) => !NOT_LITERAL.includes(heading))
const patterns = headings.map(patternOf)

describe('messages that ask the reader to act', () => {
  const asking = literals.filter(
    ({ file, text }) =>
      text.split(' ').length >= 4 &&
      ASKS.test(text) &&
      !NO_MESSAGES.test(text) &&
      !ELSEWHERE.some(([files]) => files.test(file)),
  )

  it('are found in the sources', () => {
    expect(asking.length).toBeGreaterThan(60)
  })

  it('each have a heading on the troubleshooting page', () => {
    const without = asking.filter(({ text }) => !patterns.some((pattern) => pattern.test(text.replace(/\s+/g, ' '))))
    expect(without).toEqual([])
  })
})

it('every heading of the troubleshooting page is an existing message', () => {
  const gone = headings.filter((_, index) => !literals.some(({ text }) => patterns[index]?.test(text)))
  expect(gone).toEqual([])
})
