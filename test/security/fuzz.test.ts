/** A minute of `npm run fuzz`, as a number of inputs from fixed seeds: the same everywhere, however busy the machine. */
import { expect, it } from 'vitest'
import { search } from '../fuzz/fuzz.ts'
import { TARGETS } from '../fuzz/targets.ts'

const RUNS: Readonly<Record<string, number>> = { requests: 3_000, lines: 6_000, tokens: 3_000 }
const OTHERS = 1_000

it.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s: nothing that nobody foresaw',
  async (name, target) => {
    const found = await search(target, { seed: 1, runs: RUNS[name] ?? OTHERS })
    expect(found && { input: found.input.toString('latin1'), error: found.error }).toBeUndefined()
  },
)

it('a search that finds nothing would find what is there', async () => {
  const target = {
    name: 'none',
    seeds: () => [Buffer.from('{"a": 1}')],
    run(input: Buffer) {
      if (input.includes('__proto__')) throw new TypeError('found')
      return String(input.length % 8)
    },
  }
  const found = await search(target, { seed: 1, runs: 5_000 })
  expect(found?.error).toBeInstanceOf(TypeError)
  expect(found?.input.toString('latin1')).toContain('__proto__')
})
