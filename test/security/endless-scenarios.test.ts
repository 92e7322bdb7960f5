import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  it.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '([a-z]+)*$', '(.*)*b\\1c'])('is stopped: %s', (source) => {
    expect(() => differences({ matches: source }, LONG, 'x')).toThrow(/takes more than/)
    expect(() => lineTest(`/${source}/`)(LONG)).toThrow(/takes more than/)
  })

  it('differs from a legitimate pattern, which is not stopped', () => {
    expect(differences({ matches: '^a{60}!$' }, LONG, 'x')).toEqual([])
    expect(lineTest('/A+!/i')(LONG)).toBe(true)
    expect(() => lineTest('/(/')('x')).toThrow(SyntaxError)
  })
})

/** The service responds as on a new device, but sends an endless response to an X report, one byte every 20 ms. */
async function runOnSlowTarget(text: string) {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/status-of-the-fiscal-transaction': { IsOpen: false, Kind: 'None', Remaining: 0 },
  }
  const server = createServer((request, response) => {
    if (request.url !== '/api/report-x') {
      const Data = answers[request.url ?? '']
      return response.end(JSON.stringify({ StatusCode: Data === undefined ? 404 : 200, Data: Data ?? null }))
    }
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
    return response
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await run(text, '--target', `http://127.0.0.1:${port}`, '--family', 'A', '--time-limit', '1')
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('a scenario', () => {
  const nested = (times: unknown, step: string, depth = 3): string =>
    depth === 0 ? step : `{ repeat: { times: ${times}, steps: [${nested(times, step, depth - 1)}] } }`

  it.each([
    ['repeats', 10_000, '{ wait: 1ms }', ''],
    ['repeats by a variable', '$n', '{ wait: 1ms }', 'let: { n: 1000000000 }\n'],
    ['repeats the contents of another family', 10_000, '{ wait: 1ms, families: [B] }', ''],
  ])('that %s without end is stopped', async (_what, times, step, before) => {
    const { status, text } = await run(`${before}steps: [${nested(times, step)}]\n`, '--step-limit', '2000')
    expect([status, text]).toEqual([1, expect.stringContaining('has run 2000 steps; raise --step-limit to allow more')])
  })

  it.each([
    'steps: [{ together: { times: $n, steps: [{ post /report-x: }] } }]\n',
    'given: { receipts: $n }\nsteps: [{ post /report-x: }]\n',
  ])('sends no more requests at once than its schema allows, not even by a variable: %s', async (text) => {
    const { status } = await run(`let: { n: 1000000000 }\n${text}`)
    expect([1, 2]).toContain(status)
  })

  it('writes a trace that only its owner may read', async () => {
    const trace = join(folder, 'trace.jsonl')
    expect((await run('steps: [{ post /report-x: }]\n', '--trace', trace)).status).toBe(0)
    expect(statSync(trace).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['wait: 100h', /cannot wait 100h: .*raise --time-limit/],
    ['wait: { until: { receipt: { items: 3 } }, atMost: 100h }', /has run for 1 s; raise --time-limit to allow more/],
    [
      'post /report-x: ',
      /has not sent a complete answer: the scenario has run for 1 s; raise --time-limit to allow more/,
    ],
  ])('on a target that answers slowly without end is stopped by its time limit: %s', async (step, why) => {
    const { status, text } = await runOnSlowTarget(`steps: [{ ${step} }]\n`)
    expect([status, text]).toEqual([1, expect.stringMatching(why)])
    // The command that repeats the run has the same limit.
    expect(text).toMatch(/fiscal-rig run .* --time-limit 1\b/)
  })

  it('has a time limit', () => {
    let now = 0
    const budget = createBudget({ stepLimit: 10, timeLimitS: 60 }, () => now)
    expect([budget.spend(), budget.overdue(), budget.allows(60_000)]).toEqual([undefined, undefined, true])
    expect(budget.request()).toMatchObject({ ms: 60_000, isGrace: false })
    now = 60_001
    const over = 'the scenario has run for 60 s; raise --time-limit to allow more'
    expect([budget.spend(), budget.overdue(), budget.allows(0)]).toEqual([over, over, false])
  })
})
