/**
 * Simulated runs with faults as tests (check.ts). Each family has its own file, so that the families run in parallel. A
 * failure prints the command that reproduces it.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Family } from '../../drivers/model/families.ts'
import { check, failureText } from '../../scenarios/simulation/check.ts'
import { isOnSqlite } from '../../scenarios/simulation/world-options.ts'
import { rotatingRuns, rotatingSeed } from '../support/slice.ts'
import { clients, runClients } from './clients.ts'

const RUNS = rotatingRuns(60, 4000)
const RUNS_OF_SEVERAL = rotatingRuns(8, 400)

export function checkSuite(family: Family, profile?: string, times = RUNS): void {
  const seed = rotatingSeed()
  describe(`family ${family}, ${profile === undefined ? 'default profile' : `profile ${profile}`}`, () => {
    it(`keeps every promise in ${times} runs with faults`, { timeout: 60_000 + times * 500 }, async () => {
      const { failure, runs, hits } = await check({
        family,
        runs: times,
        seed,
        ...(profile !== undefined && { profile }),
      })
      const command = `npx fiscal-rig check --family ${family}${profile ? ` --profile ${profile}` : ''} --seed ${seed} --path ${failure?.path}`
      expect(failure ? failureText(failure, command) : '').toBe('')
      expect(runs).toBe(times)
      // Without triggered faults the test would prove nothing.
      expect(hits).toBeGreaterThan(times / 4)
    })

    it('keeps every promise to several clients at once', { timeout: 600_000 }, async () => {
      let runs = 0
      const property = fc.asyncProperty(clients, fc.scheduler(), (all, scheduler) =>
        runClients(family, all, scheduler, { profile, onSqlite: isOnSqlite(++runs) }),
      )
      await fc.assert(property, { numRuns: RUNS_OF_SEVERAL, seed })
    })
  })
}
