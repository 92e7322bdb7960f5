import { describe, expect, it, vi } from 'vitest'
import type { Plan } from '../../scenarios/campaign/campaign-plan.ts'
import { runOnCores } from '../../scenarios/campaign/run-on-cores.ts'
import type { CheckResult } from '../../scenarios/simulation/check.ts'
import { CheckThread } from '../../scenarios/simulation/check-thread.ts'
import type { Order } from '../../scenarios/simulation/check-worker.ts'

const plan: Plan = { families: ['A'], seed: 1, runs: 8, chunk: 1 }

async function reportedChunks(cores: number, order: readonly number[], broken: readonly number[], bail: boolean) {
  const running = new Map<number, (result: CheckResult) => void>()
  const left = [...order]
  const endNext = (): void => {
    const [seed = 0] = left
    const end = running.get(seed)
    if (!end) return
    left.shift()
    running.delete(seed)
    const failure = { seed, path: '0', why: 'twice', words: [], trace: [], shrinks: 0 }
    const sums = { family: 'A', seed, runs: 1, requests: 1, hits: 0, simulatedMs: 1, tookMs: 1, notRun: [] } as const
    const one = { family: 'A', seed, slow: false, steps: [] } as const
    end(broken.includes(seed) ? { ...sums, failure: { ...failure, case: one } } : sums)
    setImmediate(endNext)
  }
  const check = vi.spyOn(CheckThread.prototype, 'check').mockImplementation((order) => {
    const { seed } = order as Order
    setImmediate(endNext)
    return new Promise((resolve) => running.set(seed, resolve))
  })
  const ended: number[] = []
  const { signal } = new AbortController()
  await runOnCores(plan, { cores, signal, bail, ended: ({ index }) => void ended.push(index) })
  check.mockRestore()
  return ended
}

describe('with the option --bail', () => {
  it.each([
    ['on one core', 1, [1, 2, 3], [3, 4]],
    ['the later of two chunks with a violation ends first', 4, [4, 3, 2, 1], [3, 4]],
    ['the first of two chunks with a violation ends first', 4, [3, 1, 2], [3, 4]],
    ['on eight cores, where the chunks after the violation never end', 8, [5, 8, 3, 2, 1], [3, 5]],
  ])('the campaign runs the chunks up to the first chunk with a violation: %s', async (_what, cores, order, broken) => {
    expect(await reportedChunks(cores, order, broken, true)).toEqual([0, 1, 2])
  })

  it('the campaign runs all chunks if none is violated, and without the option in any case', async () => {
    const order = [2, 1, 3, 4, 6, 5, 8, 7]
    expect(await reportedChunks(2, order, [], true)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(await reportedChunks(2, order, [1, 6], false)).toEqual(order.map((seed) => seed - 1))
  })
})
