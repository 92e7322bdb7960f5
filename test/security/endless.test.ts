/** Scenarios that would keep the runner busy without end, or take its memory. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBudget } from '../../scenarios/runner/budget.ts'
import { differences, lineTest } from '../../scenarios/runner/match.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-endless-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(text: string, ...options: readonly string[]) {
  const file = join(folder, 'case.yaml')
  writeFileSync(file, `name: endless\nfamilies: [A]\n${text}`)
  const before = process.memoryUsage().rss
  const { status, err, out } = await runToEnd(['run', file, ...options])
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024)
  return { status, text: err + out }
}

const LONG = `${'a'.repeat(60)}!`

describe('a pattern with super-linear time', () => {
  it.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '([a-z]+)*$', '(.*)*b\\1c'])('%s is ended', (source) => {
    expect(() => differences({ matches: source }, LONG, 'x')).toThrow(/takes more than/)
    expect(() => lineTest(`/${source}/`)(LONG)).toThrow(/takes more than/)
  })

  it('and one that is meant is not', () => {
    expect(differences({ matches: '^a{60}!$' }, LONG, 'x')).toEqual([])
    expect(lineTest('/A+!/i')(LONG)).toBe(true)
    expect(() => lineTest('/(/')('x')).toThrow(SyntaxError)
  })
})

describe('a scenario', () => {
  const nested = (times: unknown, step: string, depth = 3): string =>
    depth === 0 ? step : `{ repeat: { times: ${times}, steps: [${nested(times, step, depth - 1)}] } }`

  it.each([
    ['repeats', 10_000, '{ wait: 1ms }', ''],
    ['repeats by a variable', '$n', '{ wait: 1ms }', 'let: { n: 1000000000 }\n'],
    ['repeats what is of another family', 10_000, '{ wait: 1ms, families: [B] }', ''],
  ])('that %s without end is ended', async (_what, times, step, before) => {
    const { status, text } = await run(`${before}steps: [${nested(times, step)}]\n`, '--step-limit', '2000')
    expect([status, text]).toEqual([1, expect.stringContaining('has played 2000 steps: --step-limit allows more')])
  })

  it.each([
    'steps: [{ together: { times: $n, steps: [{ post /report-x: }] } }]\n',
    'given: { receipts: $n }\nsteps: [{ post /report-x: }]\n',
  ])('asks for no more at once than its schema allows, by a variable either', async (text) => {
    const { status } = await run(`let: { n: 1000000000 }\n${text}`)
    expect([1, 2]).toContain(status)
  })

  it('leaves a trace that only its owner reads', async () => {
    const trace = join(folder, 'trace.jsonl')
    expect((await run('steps: [{ post /report-x: }]\n', '--trace', trace)).status).toBe(0)
    expect(statSync(trace).mode & 0o777).toBe(0o600)
  })

  it('has a time', () => {
    let now = 0
    const budget = createBudget({ stepLimit: 10, timeLimitS: 60 }, () => now)
    expect(budget.spend()).toBeUndefined()
    now = 60_001
    expect(budget.spend()).toBe('the scenario has run for 60 s: --time-limit allows more')
  })
})
