import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')
export const GUIDE = 'server/docs/guide'

export interface Fence {
  /** Number of the line after the opening backquotes, counted from 1. */
  readonly line: number
  readonly language: string
  /** Further words of the opening line, such as `exit=1`. */
  readonly marks: Readonly<Record<string, string>>
  readonly content: string
  /** True if the fence directly follows the previous fence. */
  readonly follows: boolean
}

export interface Page {
  /** Path relative to the root of the repository. */
  readonly path: string
  readonly text: string
  readonly matter: Readonly<Record<string, string>>
  readonly headings: readonly string[]
  readonly links: readonly { readonly line: number; readonly to: string }[]
  readonly fences: readonly Fence[]
  readonly inline: readonly string[]
}

export function readPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8')
  const headings: string[] = []
  const links: { line: number; to: string }[] = []
  const fences: Fence[] = []
  const inline: string[] = []
  let open: { line: number; info: string; content: string[]; follows: boolean } | undefined
  let isBehind = false
  for (const [index, line] of text.split('\n').entries()) {
    if (open) {
      if (line === '```') {
        fences.push(fenceOf(open))
        open = undefined
        isBehind = true
      } else open.content.push(line)
      continue
    }
    if (line.startsWith('```')) open = { line: index + 1, info: line.slice(3), content: [], follows: isBehind }
    if (line !== '') isBehind = false
    const heading = /^#{1,6} (.+)$/.exec(line)?.[1]
    if (heading !== undefined) headings.push(heading)
    links.push(...[...line.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => ({ line: index + 1, to })))
    inline.push(...[...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
  }
  if (open) throw new Error(`${path}:${open.line}: this fence is not closed`)
  return { path, text, matter: matterOf(text), headings, links, fences, inline }
}

interface Open {
  readonly line: number
  readonly info: string
  readonly content: readonly string[]
  readonly follows: boolean
}

function fenceOf({ line, info, content, follows }: Open): Fence {
  const [language = '', ...words] = info.trim().split(/ +/)
  const marks = Object.fromEntries(
    words.map((word) => [word.split('=')[0] ?? '', word.includes('=') ? word.slice(word.indexOf('=') + 1) : '']),
  )
  return { line, language, marks, content: content.join('\n'), follows }
}

function matterOf(text: string): Readonly<Record<string, string>> {
  const block = /^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? ''
  return Object.fromEntries(
    block
      .split('\n')
      .map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()])
      .filter(([name]) => name !== ''),
  )
}

export const readPages = (): readonly Page[] => [
  readPage('README.md'),
  ...readdirSync(join(root, GUIDE))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readPage(`${GUIDE}/${name}`)),
]

/** Browsers and code hosts derive the same anchor from a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
