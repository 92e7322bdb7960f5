/**
 * Driver and device use the same tables, so no round trip detects a wrong constant. These tests change each constant in
 * a copy of the protocol, and a published frame must detect the change (fixtures/sabotage; for `ro` and `c6` the frames
 * of the protocol specifications). A mutation that no longer applies fails, too.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { slice } from '../support/slice.ts'
import { families, OF } from './families.ts'
import type { Trials } from './trials.ts'

describe.each(Object.entries(families))('a changed constant of family %s', (name, { mutations }) => {
  let trials: Trials
  // The tests run in a separate process, because copies of modules would remain in the memory of this process.
  beforeAll(async () => {
    const program = fileURLToPath(new URL('./run.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program, name], { maxBuffer: 64 << 20 })
    trials = JSON.parse(stdout) as Trials
  })

  it('the published frames agree with the unchanged protocol', () => {
    expect(trials.untouched).toEqual([])
  })

  it.each(slice(mutations, { of: OF }).map(({ name }) => name))('%s: a published frame detects it', (mutated) => {
    const verdict = trials.verdicts.find(({ mutation }) => mutation === mutated)
    expect(verdict?.misapplied).toBeUndefined()
    expect(verdict?.caughtBy).not.toEqual([])
  })
})
