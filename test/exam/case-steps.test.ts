import { describe, expect, it } from 'vitest'
import { serviceTill } from '../../bin/exam/service-till.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { runCase } from '../../scenarios/exam/case.ts'
import type { Claim } from '../../scenarios/exam/case-history.ts'
import { plansFor } from '../../scenarios/exam/exam.ts'
import { FAULTS } from '../../scenarios/exam/faults.ts'
import { type TillJob, USUAL_JOBS } from '../../scenarios/exam/job.ts'
import { mapOf, targets } from '../../scenarios/exam/map.ts'
import type { Till } from '../../scenarios/exam/till.ts'
import { runningTime } from '../../scenarios/exam/time.ts'
import { examine } from './examine.ts'
import { plainTill } from './plain-till.ts'

const setting = (till: Till) => ({
  till,
  jobs: USUAL_JOBS,
  testBench: { family: 'A', seed: 0, hasPty: false, timeoutMs: 60_000 },
  signal: new AbortController().signal,
})

function liar(...claims: readonly Claim[]): Till & { readonly asked: TillJob[] } {
  const receivedJobs: TillJob[] = []
  const remaining = [...claims]
  const run = async (job: TillJob) => {
    receivedJobs.push(job)
    return { claim: remaining.shift() ?? 'printed' }
  }
  return { name: 'a liar', way: 'inside', asked: receivedJobs, open: () => ({ run, close: async () => undefined }) }
}

describe('the steps of a case', () => {
  it.each<[readonly Claim[], readonly string[]]>([
    [
      ['printed', 'printed'],
      ['first', 'second'],
    ],
    [
      ['failed', 'printed', 'printed'],
      ['first', 'first again', 'second'],
    ],
    [
      ['crashed', 'unknown', 'failed', 'hung', 'failed'],
      ['first', 'first again', 'first again', 'second', 'second again'],
    ],
  ])('press the print key as an operator would, after the claims %j', async (claims, presses) => {
    const till = liar(...claims)
    const { runs } = await runCase({ id: 'baseline', paperLines: 0 }, setting(till))
    expect(till.asked.map(({ id, again }) => `${id}${again ? ' again' : ''}`)).toEqual(presses)
    expect(runs.map(({ claim }) => claim)).toEqual(claims)
  })

  it('program the articles of the sales, whatever the factory settings are', async () => {
    const [bread, coffee] = [USUAL_JOBS.first.items[0], USUAL_JOBS.second.items[0]]
    if (!bread || !coffee) throw new Error('the usual sales have items')
    const jobs = { first: { ...USUAL_JOBS.first, items: [{ ...bread, plu: 7 }] }, second: USUAL_JOBS.second }
    let seen: unknown
    const till: Till = {
      name: 'looks',
      way: 'inside',
      open: ({ emulator }) => ({
        run: async () => {
          seen = [7, coffee.plu].map((plu) => emulator.device.articles.get(plu))
          return { claim: 'printed' }
        },
        close: async () => undefined,
      }),
    }
    await runCase({ id: 'baseline', paperLines: 0 }, { ...setting(till), jobs })
    expect(seen).toMatchObject([
      { name: 'Bread', price: 120, taxCode: 1 },
      { name: 'Coffee', price: 315, taxCode: 1 },
    ])
  })

  it('clean up an interrupted case', async () => {
    const controller = new AbortController()
    const never: Till = {
      name: 'never ends',
      way: 'inside',
      open: () => ({
        run: () => {
          controller.abort()
          return new Promise(() => undefined)
        },
        close: async () => undefined,
      }),
    }
    const running = runCase({ id: 'baseline', paperLines: 0 }, { ...setting(never), signal: controller.signal })
    await expect(running).rejects.toThrow('interrupted')
  })

  it('press no key for an interrupted case', async () => {
    const controller = new AbortController()
    const till = liar('failed', 'failed', 'failed', 'failed')
    let ended: (() => void) | undefined
    const slow: Till = {
      ...till,
      way: 'lines',
      open: (place) => {
        const inner = till.open(place)
        return {
          run: async (job) => {
            const end = await inner.run(job)
            if (ended) return end
            controller.abort()
            await new Promise<void>((resolve) => (ended = resolve))
            return end
          },
          close: inner.close,
        }
      },
    }
    const running = runCase({ id: 'baseline', paperLines: 0 }, { ...setting(slow), signal: controller.signal })
    await expect(running).rejects.toThrow('interrupted')
    ended?.()
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(till.asked.map(({ id }) => id)).toEqual(['first'])
  })
})

/** Expected log entries, in this order, of a fault at the closing command, or of a fault that is triggered once. */
const EXPECTED_LOGS: Readonly<Record<string, readonly RegExp[]>> = {
  answerLost: [/toDevice closeFiscal/, /fault closeFiscal: lost, on the way to the host/],
  answerLostLong: [/fault closeFiscal: lost/, /hand no answer arrives any more/, /hand answers arrive again/],
  requestLost: [/fault closeFiscal: lost, on the way to the device/, /toDevice closeFiscal/],
  requestLostLong: [
    /fault closeFiscal: lost/,
    /hand nothing reaches the device any more/,
    /hand the device receives again/,
  ],
  answerDamaged: [/toDevice closeFiscal/, /fault closeFiscal: bit \d+ flipped, on the way to the host/],
  requestDamaged: [/fault closeFiscal: bit \d+ flipped, on the way to the device/, /toHost /],
  answerLate: [/fault closeFiscal: 5000 ms late, on the way to the host/],
  answerSlow: [/fault closeFiscal: byte by byte, 100 ms apart/],
  busy: [/fault closeFiscal: busy for 10000 ms/, /toHost busy/, /toHost closeFiscal/],
  unplugged: [
    /fault closeFiscal: lost, after the command/,
    /hand the cable is unplugged/,
    /hand the cable is plugged in/,
  ],
  powerBefore: [/fault closeFiscal: power cut, before/, /hand the power is off/, /hand the power is on/, /toDevice /],
  powerAfter: [
    /paper document 1/,
    /fault closeFiscal: power cut, after/,
    /hand the power is off/,
    /hand the power is on/,
  ],
  refused: [/fault closeFiscal: refused, before/, /toHost closeFiscal +code -/],
  killed: [/hand the till is killed/, /toDevice closeFiscal/, /said crashed, killed by the exam/],
  paperFirst: [/fault .*paper runs out/, /hand the paper is out/, /hand a new roll is put in/],
  paperMiddle: [/fault .*paper runs out/, /hand the paper is out/, /hand a new roll is put in/],
  paperLast: [/fault .*paper runs out/, /hand a new roll is put in/],
  coverMiddle: [/fault .*cover opens/, /hand the cover is open/, /hand the cover is closed/],
  paperOutBefore: [
    /hand the paper is out/,
    /asked first/,
    /said failed/,
    /hand a new roll is put in/,
    /asked first again/,
  ],
  offBefore: [/hand the power is off/, /asked first/, /said unknown/, /hand the power is on/, /asked first again/],
  unpluggedBefore: [/hand the cable is unplugged/, /asked first/, /said unknown/, /hand the cable is plugged in/],
  openFiscalBefore: [/asked first/, /toHost transactionStatus .*open 1/, /toDevice cancelFiscal/],
  paidFiscalBefore: [/asked first/, /toHost transactionStatus .*open 1.*paid "7.77"/, /toDevice closeFiscal/],
  openNonFiscalBefore: [/asked first/, /toHost transactionStatus .*open 5/, /toDevice closeNonFiscal/],
  dayOver: [
    /asked first/,
    /said failed, -111024/,
    /hand the initial fault has ended/,
    /asked first again/,
    /said printed/,
  ],
  memoryFull: [/asked first/, /fault .*memory full/, /said failed/, /asked first again/, /said printed/],
  noiseBefore: [/fault .*noise .*on the way to the device/, /fault .*noise .*on the way to the host/],
  portTaken: [/hand another client holds the port/, /asked first/, /hand the port is free/, /said printed/],
}

describe('a fault', async () => {
  const end = await examine(plainTill(), { family: 'A' }, { only: ['@closeFiscal#1', ...FAULTS.map(({ id }) => id)] })

  it.each(FAULTS.map(({ id }) => id))('%s has the effect of its name, and the till still ends', (fault) => {
    const one = end.cases.find((each) => each.id === fault || each.id === `${fault}@closeFiscal#1`)
    const lines = one?.log.map(({ kind, text }) => `${kind} ${text}`) ?? []
    let from = 0
    for (const expectedEntry of EXPECTED_LOGS[fault] ?? [/./]) {
      const place = lines.findIndex((line, index) => index >= from && expectedEntry.test(line))
      expect(place, `${expectedEntry} after line ${from} of\n${lines.join('\n')}`).toBeGreaterThanOrEqual(0)
      from = place
    }
    expect(lines.filter((line) => line.includes(': 0 ms late'))).toEqual([])
    expect(one?.verdict).toBe('passed')
  })
})

describe('the map of a till', () => {
  it('is drawn from its baseline case, by occurrence; the depth quick uses the first command of each kind', async () => {
    const { first, commands } = await runCase({ id: 'baseline', paperLines: 0 }, setting(plainTill()))
    const map = mapOf(first.frames, commands)
    const named = (entries: typeof map) => entries.map(({ command, n }) => `${command}#${n}`).join(' ')
    expect(named(map)).toBe(
      'transactionStatus#1 transactionStatus#2 transactionStatus#3 openFiscal#1 sale#1 sale#2 payment#1 closeFiscal#1 transactionStatus#4',
    )
    expect(named([...targets(map, 'quick')])).toBe('openFiscal#1 sale#1 payment#1 closeFiscal#1 transactionStatus#4')
    expect(map.every(({ requestBytes, answerBytes }) => requestBytes > 15 && answerBytes > 25)).toBe(true)
    const perCommand = FAULTS.filter(({ at }) => at === 'command').length
    expect(plansFor(map, 'full', 10)).toHaveLength(perCommand * 9 + FAULTS.length - perCommand)
  })

  it('reproduces a case from its id and its seed', async () => {
    const only = ['answerDamaged@saleByPlu#2']
    const [one, again, other] = [
      await examine(serviceTill, { family: 'C', seed: 5 }, { only, depth: 'full' }),
      await examine(serviceTill, { family: 'C', seed: 5 }, { only: [...only, 'busy@payment#1'], depth: 'quick' }),
      await examine(serviceTill, { family: 'C', seed: 6 }, { only, depth: 'full' }),
    ].map(({ cases }) => cases.find(({ id }) => id === only[0])?.log.map(({ text }) => text))
    expect(one?.some((text) => /bit \d+ flipped/.test(text))).toBe(true)
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
  })

  it('contains a case beyond its depth only if the complete id of the case is requested', async () => {
    const { cases } = await examine(plainTill(), { family: 'A' }, { only: ['busy@sale'] })
    expect(cases.map(({ id }) => id)).toEqual(['baseline', 'busy@sale#1'])
  })
})

describe('the simulated running time', () => {
  it('advances like the system clock, and triggers skipped timers in their order', async () => {
    const system = new SimulatedClock(0)
    const time = runningTime(system)
    const rung: string[] = []
    const ring = (name: string) => () => void rung.push(`${name} ${time.clock.now()}`)
    time.clock.after(1000, ring('b'))
    time.clock.after(500, () => {
      ring('a')()
      time.clock.after(100, ring('inside'))
    })
    time.clock.after(5000, ring('late'))
    time.clock.after(200, ring('taken back'))()
    system.advance(499)
    expect({ rung, now: time.clock.now() }).toEqual({ rung: [], now: 499 })
    system.advance(1)
    expect(rung).toEqual(['a 500'])
    await time.advance(600)
    expect({ rung, now: time.clock.now() }).toEqual({ rung: ['a 500', 'inside 600', 'b 1000'], now: 1100 })
    system.advance(3900)
    expect({ rung: rung.at(-1), now: time.clock.now() }).toEqual({ rung: 'late 5000', now: 5000 })
    time.close()
  })
})
