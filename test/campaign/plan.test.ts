/** A campaign is dealt out in chunks that depend on nothing but the plan, and its sums on nothing but the chunks. */
import { describe, expect, it } from 'vitest'
import {
  CHUNK,
  chunkAt,
  chunksOf,
  leftOutBehind,
  type Plan,
  runsOf,
  SEED_MAX,
} from '../../scenarios/campaign/campaign-plan.ts'
import { CampaignSums } from '../../scenarios/campaign/campaign-sums.ts'
import { duration, leftMs, progressLine } from '../../scenarios/campaign/progress.ts'

const plan: Plan = { families: ['A', 'C'], seed: 7, runs: 25, chunk: 10 }
const all = (of: Plan) => Array.from({ length: chunksOf(of) ?? 0 }, (_nothing, index) => chunkAt(of, index)?.order)

describe('chunks', () => {
  it('have the families in turn, a seed of their own, and what is left in the last', () => {
    expect(all(plan)).toEqual([
      { family: 'A', runs: 10, seed: 7 },
      { family: 'C', runs: 10, seed: 7 },
      { family: 'A', runs: 10, seed: 8 },
      { family: 'C', runs: 10, seed: 8 },
      { family: 'A', runs: 5, seed: 9 },
      { family: 'C', runs: 5, seed: 9 },
    ])
    expect(chunkAt(plan, 6)).toBeUndefined()
    expect(runsOf(plan)).toBe(50)
  })

  it('never end without a number of runs', () => {
    const { runs: _runs, ...endless } = plan
    expect(chunkAt(endless, 1_000_001)).toEqual({ index: 1_000_001, order: { family: 'C', runs: 10, seed: 500_007 } })
    expect([chunksOf(endless), runsOf(endless)]).toEqual([undefined, undefined])
  })

  it('have no seed that an option cannot take', () => {
    const seeds = all({ families: ['B'], seed: SEED_MAX, runs: 3 * CHUNK, chunk: CHUNK }).map((order) => order?.seed)
    expect(seeds).toEqual([999_999_999, 1, 2])
  })
})

describe('sums', () => {
  const failure = (path: string) => ({
    ...{ seed: 7, path, why: 'twice', words: [], trace: [], shrinks: 0 },
    case: { family: 'A', seed: 1, slow: false, steps: [] } as const,
  })
  const result = { runs: 10, requests: 50, hits: 3, simulatedMs: 1000, tookMs: 20, notRun: [] }
  const ended = [
    [0, { ...result, family: 'A', failure: failure('9:1') }],
    [1, { ...result, family: 'C' }],
    [2, { ...result, family: 'A' }],
    [4, { ...result, family: 'A', runs: 2, failure: failure('1:0:2') }],
  ] as const

  it('are the same in whatever order chunks end', () => {
    const sumsOf = (order: readonly (typeof ended)[number][]) => {
      const sums = new CampaignSums(plan)
      for (const [index, one] of order) sums.add({ index }, one)
      return sums
    }
    const inOrder = sumsOf(ended)
    expect(sumsOf(ended.toReversed()).families()).toEqual(inOrder.families())
    expect(inOrder.families()).toMatchObject([
      { family: 'A', seed: 7, runs: 22, requests: 150, hits: 9, simulatedMs: 3000, tookMs: 60 },
      { family: 'C', runs: 10, violations: [] },
    ])
    expect(inOrder.violations().map(({ chunk, path }) => [chunk, path])).toEqual([
      [0, '9:1'],
      [4, '1:0:2'],
    ])
  })

  it('tell what the violations have left out', () => {
    const behind = ended.flatMap(([chunk, one]) =>
      'failure' in one ? [leftOutBehind(plan, { ...one.failure, chunk })] : [],
    )
    expect(behind).toEqual([0, 3])
  })
})

describe('progress', () => {
  const sums = { runs: 100, requests: 640, hits: 90, violations: 1 }

  it('tells the time left from what is done by then', () => {
    const progress = { ...sums, of: 400, tookMs: 20_000 }
    expect(leftMs(progress)).toBe(60_000)
    expect(progressLine(progress)).toBe(
      '100 of 400 runs, 640 requests, 90 faults struck, 1 violations, 20 s (5 runs/s), 1 min 0 s left',
    )
  })

  it('tells rate and time left by the runs of its own time, where a campaign was taken up', () => {
    const progress = { ...sums, of: 400, runsBefore: 60, tookMs: 20_000 }
    expect(leftMs(progress)).toBe(150_000)
    expect(progressLine(progress)).toMatch(/^100 of 400 runs, .* 20 s \(2 runs\/s\), 2 min 30 s left$/)
  })

  it('tells the time left to its end, or nothing where it has none', () => {
    expect(leftMs({ ...sums, of: undefined, tookMs: 20_000, endsInMs: 5000 })).toBe(5000)
    expect(progressLine({ ...sums, of: undefined, tookMs: 20_000 })).toMatch(/^100 runs, .* \(5 runs\/s\)$/)
  })

  it.each([
    [400, '0 s'],
    [59_600, '1 min 0 s'],
    [7_322_000, '2 h 2 min'],
  ])('%d ms are %s', (ms, words) => {
    expect(duration(ms)).toBe(words)
  })
})
