/** Simulated runs with faults find a deliberate error and shrink its case. The same case always runs the same way. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { check } from '../../scenarios/simulation/check.ts'
import { CheckThread } from '../../scenarios/simulation/check-thread.ts'
import { Run, runCase } from '../../scenarios/simulation/run.ts'
import {
  describeStep,
  type RequestStep,
  type SingleStep,
  type Step,
  WORDINGS,
} from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { believesItself, executesAgain, sumsWrong } from './deliberate-errors.ts'

/** The CPU time of this process does not depend on other programs. */
const computedMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const isRequest = ({ do: what }: Step): boolean => what !== 'fault' && what !== 'hand' && what !== 'wait'

describe('a broken retry rule is found and shrunk to at most five requests within a minute:', () => {
  it.each([
    ['the device executes a repeated number again', { breakDevice: executesAgain }],
    ['the driver mistakes a lost answer for a good one', { breakPrinter: believesItself }],
  ] as const)('%s', { timeout: 900_000 }, async (_name, broken) => {
    const before = process.cpuUsage()
    const { failure } = await check({ family: 'A', runs: 20_000, seed: 2, broken })
    expect(failure).toBeDefined()
    expect(failure?.case.steps.filter(isRequest).length).toBeLessThanOrEqual(5)
    expect(failure?.words.length).toBeLessThanOrEqual(8)
    expect(computedMs(before)).toBeLessThan(60_000)
  })
})

const EDITIONS = [
  ...FAMILIES.map((family) => [family, 'default profile', undefined] as const),
  ['A', 'profile ro', 'ro'],
  ['B', 'profile b5', 'b5'],
  ['C', 'profile c6', 'c6'],
  ['C', 'profile cr', 'cr'],
] as const

describe.each(EDITIONS)('on a sound device of family %s, %s', (family, _, profile) => {
  const single = (...all: SingleStep['do'][]): RequestStep[] => all.map((one) => ({ do: one }))
  const requests: RequestStep[] = [
    { do: 'receipt', rows: 3, paying: 'two cards and cash', key: true },
    { do: 'again' },
    ...WORDINGS.map((wording): RequestStep => ({ do: 'slip', wording, key: false })),
    ...[-99, -60, 60].map(
      (percent): RequestStep => ({
        ...{ do: 'receipt', rows: 2, paying: 'two cards and cash', with: ['separating line'], key: false },
        ...{ by: { percent }, wording: 'number signs', style: 4 },
      }),
    ),
    { do: 'slip', with: ['separating line'], style: 3, key: true },
    { do: 'order', order: 1, token: 1 },
    { do: 'order', order: 1, token: 2, again: true },
    { do: 'legacy receipt', key: true },
    { do: 'legacy receipt', key: false, cancelled: true },
    { do: 'cancelled slip', key: true },
    { do: 'lines', calls: ['cash', 'x', 'copy'], key: true },
    ...single('open', 'sale'),
    { do: 'discount', by: { percent: -60 } },
    ...WORDINGS.map((wording): RequestStep => ({ do: 'text', wording })),
    ...single('payRest', 'close'),
    ...single('open', 'text', 'sale', 'discount', 'payCard', 'payRest', 'close', 'open', 'cancel'),
    ...single('openSlip', 'slipText', 'closeSlip', 'openSlip', 'cancelSlip', 'open'),
    { do: 'lines', calls: ['cancel'], key: false },
    { do: 'copy' },
    { do: 'lines', calls: ['z'], key: false },
    { do: 'z', key: true },
  ]

  it('every request that a run can send succeeds: otherwise its judgement would prove nothing', async () => {
    const world = new World({ family, profile })
    const run = new Run(world)
    const answers = []
    for (const step of requests) answers.push(`${describeStep(step)}: ${(await run.request(step))?.status}`)
    await run.liveness()
    await world.close()
    expect(answers.filter((answer) => !answer.endsWith(': 200'))).toEqual([])
  })
})

/** Only these families accept a receipt of 0.00. */
describe.each([
  ['B', 'default profile', undefined],
  ['C', 'default profile', undefined],
  ['C', 'profile c6', 'c6'],
  ['C', 'profile cr', 'cr'],
] as const)('on a sound device of family %s, %s, a receipt of 0.00', (family, _, profile) => {
  it.each(['all taken off', 'all taken back'] as const)('succeeds if its sum is reduced to 0.00: %s', async (free) => {
    const world = new World({ family, profile })
    const run = new Run(world)
    const reply = await run.request({
      do: 'receipt',
      rows: 2,
      paying: 'nothing said',
      with: ['subtotal'],
      free,
      key: true,
    })
    await run.liveness()
    await world.close()
    expect(reply?.status).toBe(200)
  })
})

describe('a device whose sums of the day are wrong until the Z', () => {
  it.each(FAMILIES)('is found by a run, also after more requests: family %s', async (family) => {
    const sold: RequestStep = { do: 'receipt', rows: 1, paying: 'card', key: false }
    const wrong = /^the open day holds (\d+)\.\d\d, its receipts \1\.\d\d$/
    const run = (...steps: Step[]) => runCase({ family, seed: 1, slow: false, steps }, { breakDevice: sumsWrong })
    await expect(run(sold)).rejects.toThrow(wrong)
    await expect(run(sold, sold, { do: 'z' }, sold)).rejects.toThrow(wrong)
  })
})

describe('the simulated time of a run', () => {
  const day: Step[] = [
    { do: 'receipt', rows: 1, paying: 'card', key: false },
    { do: 'z' },
    { do: 'wait', ms: 86_400_000 },
    { do: 'z' },
  ]

  it.each(FAMILIES)('makes a day with reports of 40 s pass immediately on family %s', async (family) => {
    const before = process.cpuUsage()
    const { simulatedMs } = await runCase({ family, seed: 1, slow: true, steps: day })
    expect(simulatedMs).toBeGreaterThan(86_400_000 + 2 * 40_000)
    expect(computedMs(before)).toBeLessThan(5_000)
  })

  it('includes no day of waiting for a device that was removed while it was out of paper', async () => {
    const steps: Step[] = [
      { do: 'fault', rule: { at: 'paper.line', skip: 3, times: 1, do: 'paperOut' } },
      { do: 'replaceDevice', write: 12 },
      { do: 'open' },
      { do: 'sale', key: true },
      { do: 'wait', ms: 86_400_000 },
    ]
    const { simulatedMs, hits } = await runCase({ family: 'B', seed: 659_232, slow: true, steps })
    expect(hits).toBe(1)
    expect(simulatedMs).toBeLessThan(3_600_000)
  })

  it('makes the same case run in the same way every time', async () => {
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

describe('a worker on a separate core', () => {
  it('executes one order after the other', async () => {
    const core = new CheckThread()
    try {
      const first = await core.check({ family: 'A', runs: 2, seed: 1 })
      expect(await core.check({ family: 'A', runs: 2, seed: 1 })).toMatchObject({ ...first, tookMs: expect.anything() })
    } finally {
      await core.end()
    }
  })
})
