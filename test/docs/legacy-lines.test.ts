/** The page of legacy lines lists every command and every error code, and its examples are parsed as it says. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readJson } from '../../drivers/model/json.ts'
import { parseJob } from '../../server/legacy/parse.ts'
import { CATALOGUE } from '../../server/legacy/problem.ts'

const page = readFileSync(new URL('../../server/docs/guide/legacy-lines.md', import.meta.url), 'utf8')
const section = (title: string) =>
  page
    .slice(page.indexOf(`\n## ${title}`))
    .slice(1)
    .split('\n## ')[0] ?? ''
const parse = (lines: readonly string[]) => parseJob(readJson(JSON.stringify(lines)))
const codeOf = (line: string) => {
  const parsed = parse([line])
  return parsed.ok ? undefined : parsed.problem.code
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const WORDS = [
  ...LETTERS,
  ...LETTERS.flatMap((one) => LETTERS.map((other) => one + other)),
  'COPIEBON',
  'POS',
  '48',
  '52',
]

describe.each([
  ['Format 1', (word: string) => `${word}^`],
  ['Format 2', (word: string) => `${word},1,______,_,__;`],
])('%s', (title, lineOf) => {
  it('is documented with every accepted command, and with the known commands that are refused', () => {
    const text = section(title)
    const known = WORDS.filter((word) => !['201', '202'].includes(codeOf(lineOf(word)) ?? ''))
    expect(known.length).toBeGreaterThan(15)
    expect(known.filter((word) => !text.includes(`\`${word}\``) && word !== '52')).toEqual([])
  })

  it('is documented with examples that are accepted', () => {
    const examples = [...section(title).matchAll(/```text\n([\s\S]*?)```/g)].map(([, lines = '']) =>
      lines.trim().split('\n'),
    )
    expect(examples.length).toBeGreaterThan(3)
    for (const lines of examples) expect([lines, parse(lines)]).toEqual([lines, expect.objectContaining({ ok: true })])
  })
})

it('the page of the legacy formats has every error code with its name', () => {
  const text = section('ErrorCode')
  const rows = [...text.matchAll(/^\| (\d{3}) \| (\w+) \|/gm)].map(([, code, name]) => [code, name])
  expect(rows).toEqual(Object.entries(CATALOGUE))
})
