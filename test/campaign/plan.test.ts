import { describe, expect, it } from 'vitest'
import {
  CHUNK,
  type Chunk,
  chunkAt,
  chunkCommand,
  chunksOf,
  describeChunk,
  type Plan,
  repeatCommand,
  runsOf,
  runsOmittedBy,
  SEED_MAX,
} from '../../scenarios/campaign/campaign-plan.ts'
import { CampaignSums, sumsName } from '../../scenarios/campaign/campaign-sums.ts'
import { duration, leftMs, progressLine } from '../../scenarios/campaign/progress.ts'
import type { Failure } from '../../scenarios/simulation/check.ts'
import type { PointsOrder } from '../../scenarios/simulation/every/try-points.ts'

const plan: Plan = { families: ['A', 'C'], seed: 7, runs: 25, chunk: 10 }
const all = (of: Plan) => Array.from({ length: chunksOf(of) ?? 0 }, (_nothing, index) => chunkAt(of, index)?.order)

describe('the chunks of a campaign', () => {
  it('use the families in turn, have their own seeds, and include the remaining runs in the last chunk', () => {
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

  it('have no seed that an option cannot accept', () => {
    const seeds = all({ families: ['B'], seed: SEED_MAX, runs: 3 * CHUNK, chunk: CHUNK }).map(
      (order) => order && 'seed' in order && order.seed,
    )
    expect(seeds).toEqual([999_999_999, 1, 2])
  })
})

describe('chunks of injection points', () => {
  const devices = [
    { family: 'A', profile: 'ro', places: 1003 },
    { family: 'B', places: 41 },
    { family: 'C', profile: 'cr', places: 2 },
  ] as const
  const planOf = (part: number, parts: number): Plan => ({
    ...{ families: ['A', 'B', 'C'], seed: 1, chunk: 10 },
    every: { devices, pairs: false, part, parts },
  })
  const triedBy = (of: Plan): Map<string, number[]> => {
    const tried = new Map<string, number[]>()
    for (let index = 0; ; index++) {
      const order = chunkAt(of, index)?.order
      if (!order || !('first' in order)) {
        expect(index).toBe(chunksOf(of))
        return tried
      }
      expect(order.runs).toBeLessThanOrEqual(10)
      const numbers = Array.from({ length: order.runs }, (_nothing, nth) => order.first + nth * order.step)
      const name = sumsName(order)
      tried.set(name, [...(tried.get(name) ?? []), ...numbers])
    }
  }

  it.each([1, 3, 7, 500])('try each injection point of each device once, in %i parts', (parts) => {
    const all = Array.from({ length: parts }, (_nothing, part) => planOf(part + 1, parts))
    const tried = all.map(triedBy)
    for (const { places, ...device } of devices) {
      const numbers = tried.flatMap((one) => one.get(sumsName(device)) ?? []).toSorted((a, b) => a - b)
      expect(numbers).toEqual(Array.from({ length: places }, (_nothing, number) => number))
    }
    expect(all.reduce((sum, one) => sum + (runsOf(one) ?? 0), 0)).toBe(1003 + 41 + 2)
  })

  it('are shards of the injection points, which a command reproduces', () => {
    const chunk = chunkAt(planOf(2, 3), 5) as Chunk
    expect(chunkCommand(chunk)).toMatch(/check --every --family A --profile ro --shard 17\/102$/)
    expect(describeChunk(chunk)).toBe('chunk 5 (family A ro, places 17/102)')
    const { first, step, runs } = chunk.order as PointsOrder
    expect([first, step, runs]).toEqual([16, 102, 10])
    const alone = { ...planOf(17, 102), chunk: 1000 }
    expect(triedBy(alone).get('A ro')).toEqual(Array.from({ length: 10 }, (_nothing, nth) => 16 + nth * 102))
  })

  it('are counted for each device, with every violation', () => {
    const sums = new CampaignSums(planOf(1, 1))
    const violation = (path: string) => ({
      ...{ seed: 1, path, why: 'twice', words: [], trace: [], shrinks: 0, place: { name: 'x', pairs: false } },
      case: { family: 'A', profile: 'ro', seed: 1, slow: false, steps: [] } as const,
    })
    const nothing = { requests: 0, hits: 0, simulatedMs: 0, tookMs: 0, notRun: [] }
    const result = { ...nothing, family: 'A', profile: 'ro', runs: 10 } as const
    sums.add({ index: 1 }, { ...result, failures: [violation('104'), violation('2')] })
    sums.add({ index: 0 }, { ...result, failures: [violation('3')] })
    expect(sums.families().map(({ runs, placesToTry, violations }) => [runs, placesToTry, violations.length])).toEqual([
      [20, 1003, 3],
      [0, 41, 0],
      [0, 2, 0],
    ])
    const [ofA] = sums.families()
    expect(ofA?.violations.map(({ path }) => path)).toEqual(['2', '3', '104'])
    expect(repeatCommand(ofA?.violations[0] as Failure)).toMatch(/check --every --family A --profile ro --path 2$/)
  })
})

describe('the sums of a campaign', () => {
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

  it('are equal in whatever order chunks end', () => {
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

  it('include the runs that were skipped because of the violations', () => {
    const reported = ended.flatMap(([chunk, one]) =>
      'failure' in one ? [runsOmittedBy(plan, { ...one.failure, chunk })] : [],
    )
    expect(reported).toEqual([0, 3])
  })
})

describe('the progress of a campaign', () => {
  const sums = { runs: 100, requests: 640, hits: 90, violations: 1 }

  it('shows the remaining time, computed from the completed part', () => {
    const progress = { ...sums, total: 400, tookMs: 20_000 }
    expect(leftMs(progress)).toBe(60_000)
    expect(progressLine(progress)).toBe(
      '100 of 400 runs, 640 requests, 90 faults injected, 1 violation, 20 s (5 runs/s), 1 min 0 s left',
    )
  })

  it('shows rate and remaining time by its own runs if a campaign was resumed', () => {
    const progress = { ...sums, total: 400, runsBefore: 60, tookMs: 20_000 }
    expect(leftMs(progress)).toBe(150_000)
    expect(progressLine(progress)).toMatch(/^100 of 400 runs, .* 20 s \(2 runs\/s\), 2 min 30 s left$/)
  })

  it('shows the remaining time of a campaign with a time limit, and no remaining time without one', () => {
    expect(leftMs({ ...sums, total: undefined, tookMs: 20_000, endsInMs: 5000 })).toBe(5000)
    expect(progressLine({ ...sums, total: undefined, tookMs: 20_000 })).toMatch(/^100 runs, .* \(5 runs\/s\)$/)
  })

  it.each([
    [400, '0 s'],
    [59_600, '1 min 0 s'],
    [7_322_000, '2 h 2 min'],
  ])('shows %d ms as %s', (ms, words) => {
    expect(duration(ms)).toBe(words)
  })
})
