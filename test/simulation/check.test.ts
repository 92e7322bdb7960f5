/**
 * Model-based runs with faults (check.ts): none finds a violation, and a kept mistake is found and reduced. A failure
 * prints the command that repeats it. RIG_CHECK_RUNS runs more.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { believesItself, executesAgain } from './broken.ts'
import { check, failureText } from './check.ts'
import { clients, runClients } from './clients.ts'
import { runCase } from './run.ts'
import type { Step } from './steps.ts'
import type { Family } from './world.ts'

const RUNS = Number(process.env['RIG_CHECK_RUNS'] ?? 2000)
const FAMILIES: readonly Family[] = ['A', 'B', 'C']
const isRequest = ({ do: what }: Step): boolean => what !== 'fault' && what !== 'hand' && what !== 'wait'

describe.each(FAMILIES)('family %s', (family) => {
  it(`keeps every promise in ${RUNS} runs with faults`, { timeout: 60_000 + RUNS * 100 }, async () => {
    const { failure, runs, hits } = await check({ family, runs: RUNS, seed: 1 })
    const command = `npx fiscal-rig check --family ${family} --seed 1 --path ${failure?.path}`
    expect(failure ? failureText(failure, command) : '').toBe('')
    expect(runs).toBe(RUNS)
    // The faults do strike: otherwise all this would promise nothing.
    expect(hits).toBeGreaterThan(RUNS / 4)
  })

  it('keeps every promise to several clients at once', { timeout: 120_000 }, async () => {
    const property = fc.asyncProperty(clients, fc.scheduler(), (all, scheduler) => runClients(family, all, scheduler))
    await fc.assert(property, { numRuns: 100, seed: 1 })
  })
})

describe('a broken retry rule is found and reduced to at most five requests within a minute:', () => {
  it.each([
    ['the device executes again on a repeated number', { breakDevice: executesAgain }],
    ['the driver takes a lost answer for a good one', { breakPrinter: believesItself }],
  ] as const)('%s', { timeout: 90_000 }, async (_name, broken) => {
    const { failure, tookMs } = await check({ family: 'A', runs: 20_000, seed: 1, broken })
    expect(failure).toBeDefined()
    expect(failure?.case.steps.filter(isRequest).length).toBeLessThanOrEqual(5)
    expect(failure?.words.length).toBeLessThanOrEqual(8)
    expect(tookMs).toBeLessThan(60_000)
  })
})

describe('simulated time', () => {
  const day: Step[] = [
    { do: 'receipt', rows: 1, paying: 'card', key: false },
    { do: 'z' },
    { do: 'wait', ms: 86_400_000 },
    { do: 'z' },
  ]

  it.each(FAMILIES)('a day with reports of 40 s passes at once on family %s', async (family) => {
    const began = performance.now()
    const { simulatedMs } = await runCase({ family, seed: 1, slow: true, steps: day })
    expect(simulatedMs).toBeGreaterThan(86_400_000 + 2 * 40_000)
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  it('the same case runs the same way every time', async () => {
    const steps: Step[] = [
      { do: 'fault', rule: { at: 'link.toHost', probability: 0.3, do: 'drop' } },
      { do: 'receipt', rows: 3, paying: 'card and cash', key: true },
      { do: 'receipt', rows: 1, paying: 'nothing said', key: false },
    ]
    const first = await runCase({ family: 'A', seed: 7, slow: false, steps })
    expect(await runCase({ family: 'A', seed: 7, slow: false, steps })).toEqual(first)
    expect(first.hits).toBeGreaterThan(0)
  })
})
