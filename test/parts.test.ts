/**
 * The table of rotating tests (bin/commands/test-parts.ts) is complete, true, and identical to the contributing page.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PARTS, partOf, partsTable } from '../bin/commands/test-parts.ts'
import { PROGRAMS_OF_PARTS } from '../bin/debian-programs.mjs'
import { PARTS as MUTANT_PARTS } from './mutants/parts.ts'

const root = join(import.meta.dirname, '..')
const tests = globSync('test/**/*.{test,deep,suite}.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
const runs = tests.filter((file) => !file.endsWith('.suite.ts'))
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

const TAKES_A_PART = /^test\/(?:support\/(?:slice|connections)|model\/seed)\.ts$/
const known = new Map<string, boolean>()

/** A file rotates if it, or a file of `test/` that it imports, runs only a part of its cases. */
function rotates(file: string): boolean {
  const before = known.get(file)
  if (before !== undefined) return before
  known.set(file, false)
  const imported = [...textOf(file).matchAll(/ from '(\.[^']+\.ts)'/g)]
    .map(([, name = '']) => join(file, '..', name).replaceAll('\\', '/'))
    .filter((name) => name.startsWith('test/'))
  const does = imported.some((name) => TAKES_A_PART.test(name) || rotates(name))
  known.set(file, does)
  return does
}

function alternatives(pattern: string): readonly string[] {
  const [, before = '', choices, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? []
  if (choices === undefined) return [pattern]
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`))
}

describe('the parts of npm run mutants', () => {
  it.each(MUTANT_PARTS.map((one) => [one.name, one] as const))(
    'name existing sources and tests: %s',
    (_name, { mutate, tests, slow = [] }) => {
      const patterns = [...mutate, ...tests, ...slow]
        .filter((pattern) => !pattern.startsWith('!'))
        .flatMap(alternatives)
      expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
    },
  )
})

describe('the parts of npm run test:deep', () => {
  it('contain every file that skips cases in npm test', () => {
    const forgotten = runs.filter((file) => rotates(file) && !partOf(file))
    expect(forgotten).toEqual([])
  })

  it('contain every file that runs in no other suite', () => {
    expect(runs.filter((file) => file.endsWith('.deep.ts') && !partOf(file))).toEqual([])
  })

  it.each(PARTS.flatMap(({ name, files }) => files.map((file) => [name, file])))(
    'include the part "%s", which has the file %s',
    (_name, file) => {
      expect(runs.filter((one) => one.startsWith(file))).not.toEqual([])
    },
  )

  it('have unique names, under which the Debian packages are listed', () => {
    const names = PARTS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(Object.keys(PROGRAMS_OF_PARTS)))
  })

  it('are on the contributing page', () => {
    expect(textOf('server/docs/guide/contributing.md')).toContain(partsTable())
  })
})
