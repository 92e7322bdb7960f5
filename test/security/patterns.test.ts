/**
 * Every regular expression takes linear time for any text, according to recheck. The exceptions in `BOUNDED` only
 * receive texts of bounded length.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { parseSync } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { slice } from '../support/slice.ts'

const root = join(import.meta.dirname, '..', '..')

const BOUNDED: Readonly<Record<string, string>> = {
  [String.raw`/^(\S.*?)\s+(\d+\.\d\d)\s*$/`]: 'a line of the emulated paper, of at most 64 characters',
  [String.raw`/^P,(\d+),([^,]*),([^\n]),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)(?:,(-?\d+\.\d{3}),(-?\d+\.\d{2}))?,([^\n]*)\n([^,]*),(\d*),([^,]*),(-?[\d.]+)$/`]:
    'the data of a frame of family B, of at most 218 bytes',
  [String.raw`/^(?:import|export)\s(?!type\s)(?:[^'";]*?\bfrom\s*)?['"]([^'"]+)['"]/gm`]:
    'a source of this program itself',
  [String.raw`/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g`]: 'an example of the documentation',
  [String.raw`/Another program [^.]*, or this service did and could not store it in its operation log\./`]:
    'an answer of the service',
  [String.raw`/url\("?([^")]+)"?\)/`]: 'a style sheet of this program itself',
  [String.raw`/\.(?:ts|mjs|md|yaml)$|[/\\](?:panel|docs)[/\\]page[/\\]|[/\\]panel[/\\]dist[/\\].*\.ttf$|[/\\]bin[/\\](?:container|site)[/\\]/`]:
    'a path of this program itself',
  [String.raw`/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm`]: 'a source of this program itself',
}

/** These folders contain built copies of sources, and the API reader, a third-party program. */
const BUILT = [join('emulator', 'panel', 'dist'), join('server', 'docs', 'dist')]

interface Pattern {
  readonly source: string
  readonly flags: string
}

const patterns = new Map<string, Pattern & { readonly files: Set<string> }>()

function collect(node: unknown, file: string): void {
  if (Array.isArray(node)) for (const one of node) collect(one, file)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  if ('regex' in node && node.regex) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string }
    const key = `/${pattern}/${flags}`
    const known = patterns.get(key) ?? { source: pattern, flags, files: new Set<string>() }
    patterns.set(key, known)
    known.files.add(file)
  }
  for (const value of Object.values(node)) collect(value, file)
}

async function slow({ source, flags }: Pattern): Promise<string | undefined> {
  // Neither flag changes the time: `y` restricts where a match may begin, and `d` adds positions to the result.
  const judged = await check(source, flags.replace(/[yd]/g, ''), { timeout: null })
  if (judged.status === 'safe') return undefined
  return judged.status === 'vulnerable' ? `vulnerable: ${judged.complexity.type}` : judged.status
}

beforeAll(() => {
  const files = globSync('{bin,drivers,emulator,scenarios,server}/**/*.{ts,mjs,js}', { cwd: root })
  for (const file of files.filter((one) => !BUILT.some((folder) => one.startsWith(folder)))) {
    collect(parseSync(file, readFileSync(join(root, file), 'utf8')).program, file)
  }
})

describe('the regular expressions of the sources', () => {
  it('need linear time, or get short texts only', async () => {
    expect(patterns.size).toBeGreaterThan(300)
    const found: string[] = []
    for (const [key, pattern] of slice([...patterns], { of: 6 })) {
      const why = key in BOUNDED ? undefined : await slow(pattern)
      if (why !== undefined) found.push(`${key} ${why}: ${[...pattern.files].join()}`)
    }
    expect(found).toEqual([])
  }, 600_000)

  it('are on the list of exceptions only if they exist', () => {
    expect(Object.keys(BOUNDED).filter((key) => !patterns.has(key))).toEqual([])
  })

  it('are detected if they need quadratic or exponential time', async () => {
    for (const source of [String.raw`[\r\n]+$`, '0+$', '^(a|a)*$', String.raw`^\s*\d+\s*%?\s*$`]) {
      expect([source, await slow({ source, flags: '' })]).toEqual([source, expect.stringContaining('vulnerable')])
    }
  })
})
