import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commands } from '../../bin/docs/command-line.ts'
import { rigCommand } from '../../drivers/host/shell-command.ts'
import { tsSources } from '../support/source-files.ts'

const HOSTILE = [
  'plain-file_1.yaml',
  'a b',
  '',
  "it's",
  '$(id)`id`$HOME',
  'a; rm -rf ~ && b | c > d < e & f',
  'x\n: rm -rf ~',
  "\u001b[2J'\\n\t'",
  '\\',
  'a"b\\"c',
  '!history *?[a-z] {a,b} ~ #x',
  '\u202e\u2028ă',
]

describe('a printed command', () => {
  it.each(HOSTILE)('contains %j as one word, on one line, and runs nothing else', (word) => {
    const command = rigCommand(['run', word, 'last']).replace(/^npx fiscal-rig /, "printf '%s\\0' ")
    expect(command).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
    const { stdout } = spawnSync('bash', ['-c', command], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } })
    expect(stdout.split('\0')).toEqual(['run', word, 'last', ''])
  })

  it('is composed by one function, and no text of a source contains a command with a value', () => {
    const names = new Set(commands().map((command) => command.name()))
    const command = new RegExp(String.raw`fiscal-rig (?:${[...names].join('|')})\b[^\n]*\$\{`)
    const found = tsSources().flatMap(({ file, text }) =>
      [...text.matchAll(/`(?:[^`\\]|\\.)*`/gs)].flatMap(([literal]) =>
        command.test(literal) ? [`${file}: ${literal}`] : [],
      ),
    )
    // The text is an XML element, not a command.
    expect(found.filter((one) => !one.includes('<testsuites name="fiscal-rig exam"'))).toEqual([])
  })

  it('is quoted by that function only', () => {
    const quotes = tsSources().filter(({ text }) => /'\\\\''|'"'"'/.test(text))
    expect(quotes.map(({ file }) => file)).toEqual([
      'drivers/host/shell-command.ts',
      // The page of examples quotes words, and this file reads them.
      'server/docs/page/languages.ts',
    ])
  })
})
