import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { callsOf, caseOf } from '../../scenarios/simulation/arbitraries.ts'
import { failureText, search } from '../../scenarios/simulation/check.ts'
import { DEFAULT_CASE_STEPS } from '../../scenarios/simulation/default-case-steps.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import { suiteRuns, suiteSeed } from '../model/seed.ts'
import { sumsWrong } from './deliberate-errors.ts'

const RUNS = suiteRuns(12, 600)

describe.each(FAMILIES)('sequences of calls on family %s', (family) => {
  const searched = (runs: number, broken = {}) => {
    const options = { family, runs, seed: suiteSeed() }
    return search(options, { cases: callsOf(family), run: (one) => runCase(one, broken), notRun: [] })
  }

  it(`agree with the model, ${RUNS} of them`, { timeout: 60_000 + RUNS * 5_000 }, async () => {
    const { failure, requests } = await searched(RUNS)
    expect(failure ? failureText(failure, `RIG_SEED=${failure.seed} npx vitest run test/simulation/calls`) : '').toBe(
      '',
    )
    expect(requests).toBeGreaterThan(RUNS * 10)
  })

  it('do not agree with a device whose sums of the day are wrong', async () => {
    const { failure } = await searched(200, { breakDevice: sumsWrong })
    expect(failure?.why).toMatch(/^turnover of the day: it is "\d+\.\d\d", the model says "\d+\.\d\d"$/)
    expect(failure?.words).toEqual([expect.stringMatching(/^calls: /)])
  })
})

it('a few cases of direct calls are among the cases of a check', () => {
  const cases = fc.sample(caseOf('A', DEFAULT_CASE_STEPS), { numRuns: 2000, seed: suiteSeed() })
  const calls = cases.filter(({ steps }) => steps.some(({ do: what }) => what === 'calls'))
  expect(calls.length).toBeGreaterThan(20)
  expect(calls.length).toBeLessThan(120)
  expect(calls.every(({ steps }) => steps.length === 1)).toBe(true)
})
