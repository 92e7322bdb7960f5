/**
 * `npm test` runs a fixed number of fuzzing inputs from a seed, so that the result does not depend on the load of the
 * machine.
 */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { comparisons, instrumented } from '../fuzz/instrument.ts'
import { byBranches, type FuzzTarget, search } from '../fuzz/search.ts'
import { startNode } from '../support/command.ts'
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'

const RUN = join(import.meta.dirname, '..', 'fuzz', 'run.ts')

const INPUTS = rotatingRuns(30, 2000)
const SEED = rotatingSeed()

it('the fuzzing targets have no unexpected failure', { timeout: 600_000 }, async () => {
  const { status, out, err } = await startNode([
    RUN,
    '--seed',
    String(SEED),
    '--runs',
    String(INPUTS),
    '--corpus',
    'none',
  ]).ended
  expect([status, out, err]).toEqual([
    0,
    expect.stringMatching(/\b2[0-9] targets, [1-9]\d{4} branches\n/),
    expect.any(String),
  ])
  expect(out.match(new RegExp(`: seed ${SEED}, ${INPUTS} inputs, [1-9]\\d* kept, nothing found$`, 'gm'))).toHaveLength(
    23,
  )
})

it('the fuzzer prints a finding with the command that reproduces it, and lists its targets', async () => {
  const input = join(import.meta.dirname, '..', '..', 'fixtures', 'fuzz', 'scenarios')
  const { status, err } = await startNode([RUN, 'scenario', '--input', input]).ended
  expect([status, err]).toEqual([2, expect.stringMatching(/^targets: requests, lines, scenarios,/m)])
})

const PROGRAM = `export function read(text) {
  if (!text.startsWith('{')) return 'no'
  const words = text.slice(1).split(' ')
  for (const word of words) if (word.length > 20) return 'long'
  if (words[0] === 'open' && words[1] === 'till') {
    switch (words[2]) {
      case 'sell': return words[3] === 'void' ? (() => { throw new TypeError('found') })() : 'sold'
      default: return words[2] ?? 'open'
    }
  }
  return 'closed'
}`

const loaded = async (code: string): Promise<(text: string) => string> =>
  (await import(`data:text/javascript,${encodeURIComponent(code)}`)).read

describe('the fuzzer', () => {
  const texts = ['', 'a', '{', '{a b', '{open', '{open till', '{open till sell', '{open till x', `{${'x'.repeat(30)}`]

  it('runs instrumented programs that behave like the original, line for line', async () => {
    const counted = instrumented(PROGRAM, 'program.js')
    expect(counted.split('\n')).toHaveLength(PROGRAM.split('\n').length)
    const [plain, changed] = [await loaded(PROGRAM), await loaded(counted)]
    for (const text of texts) expect(changed(text)).toBe(plain(text))
    expect(() => changed('{open till sell void')).toThrow('found')
  })

  it('records compared values', async () => {
    const read = await loaded(instrumented(PROGRAM, 'program.js'))
    comparisons.clear()
    read('{shut abc')
    expect([...comparisons.values()]).toContainEqual(['shut', 'open'])
  })

  const target = (read: (text: string) => string): FuzzTarget => ({
    name: 'none',
    seeds: () => [Buffer.from('{a b c d')],
    run: (input) => read(input.toString('latin1')),
  })
  const RUNS = 20_000

  it.each([1, 2, 3])('finds an error with branch coverage that it does not find without: seed %d', async (seed) => {
    const guided = await search(target(await loaded(instrumented(PROGRAM, 'program.js'))), {
      seed,
      goOn: (at) => at <= RUNS,
      novelty: byBranches(),
    })
    expect(guided.found?.error).toBeInstanceOf(TypeError)
    expect(guided.found?.input.toString('latin1')).toMatch(/^\{open till sell void/)
    const blind = await search(target(await loaded(PROGRAM)), {
      ...{ seed, goOn: (at) => at <= RUNS, novelty: () => false },
    })
    expect([blind.found, blind.runs]).toEqual([undefined, RUNS])
  })
})
