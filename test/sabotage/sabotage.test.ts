/**
 * One table of fields serves both sides of a wire, so a wrong constant would cancel out in every round trip. Here each
 * constant is changed in a copy of the protocol, and a published frame must notice (fixtures/sabotage: bytes that
 * stand in a source, with what they mean). A mutation that no longer applies fails as well.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { families } from './families.ts'
import type { Trials } from './trials.ts'

describe.each(Object.entries(families))('a changed constant of family %s', (letter, { mutations }) => {
  // A process of its own: the copies of the modules would stay in the memory of this one.
  const program = fileURLToPath(new URL('./run.ts', import.meta.url))
  const output = execFileSync(process.execPath, [program, letter], { encoding: 'utf8', maxBuffer: 64 << 20 })
  const { untouched, verdicts } = JSON.parse(output) as Trials

  it('the published frames agree with the protocol as it is', () => {
    expect(untouched).toEqual([])
  })

  it.each(mutations.map(({ name }) => name))('%s: a published frame notices', (name) => {
    const verdict = verdicts.find(({ mutation }) => mutation === name)
    expect(verdict?.misapplied).toBeUndefined()
    expect(verdict?.caughtBy).not.toEqual([])
  })
})
