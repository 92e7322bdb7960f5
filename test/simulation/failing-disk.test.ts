/**
 * The disk under the service's journal fails for some writes beside another trouble, and then the device is exchanged, or
 * the service dies, or both: what stands open somewhere, and what was answered, is known all the same. All ways are too
 * many for each run of the suite; every 9,973rd has its turn, and `FAILING_DISK_EVERY=1` takes them all.
 */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import type { RequestStep, Step } from '../../scenarios/simulation/steps.ts'

const EVERY = Number(process.env['FAILING_DISK_EVERY'] ?? 9_973)

const AGAIN: Step = { do: 'again' }
const STATUS: RequestStep = { do: 'status' }
const SMALL: RequestStep = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }
/** The same order, by another till. */
const ORDER_AGAIN: Step = { do: 'order', order: 1, token: 2 }

const REQUESTS: readonly RequestStep[] = [
  { do: 'receipt', rows: 3, paying: 'two cards and cash', key: true },
  SMALL,
  { do: 'slip', key: true },
  { do: 'order', order: 1, token: 1 },
  { do: 'legacy receipt', key: true },
  { do: 'legacy receipt', key: true, inTwo: true },
  { do: 'z', key: true },
]

/** Behind so many frames of the request, or of the next one where it has fewer. */
const TROUBLES: readonly ((place: number) => Step)[] = [
  (skip) => ({ do: 'fault', rule: { at: 'link.toHost', skip, times: 200, do: 'drop' } }),
  (skip) => ({ do: 'fault', rule: { at: 'command.before', skip, times: 1, do: 'coverOpen' } }),
  (skip) => ({ do: 'fault', rule: { at: 'command.after', skip, times: 1, do: 'powerCut' } }),
  (write) => ({ do: 'exchange', write }),
]
const PLACES = Array.from({ length: 41 }, (_, index) => index + 4)

const DISKS: readonly Step[] = [1, 8].flatMap((times) =>
  [0, 1, 2, 3, 4, 5, 6].map((skip): Step => ({ do: 'journal', trouble: 'locked', skip, times })),
)

/** The device that comes in its place, and its return. */
const EXCHANGES: readonly (readonly [readonly Step[], readonly Step[]])[] = [
  [[], []],
  [[{ do: 'exchange' }], [{ do: 'exchange', back: true }]],
]
const MEANWHILE: readonly (readonly Step[])[] = [[], [STATUS], [SMALL], [AGAIN], [ORDER_AGAIN]]
const DEATHS: readonly (readonly Step[])[] = [[], [{ do: 'crash', during: STATUS, write: 1 }], [{ do: 'restart' }]]
const AFTERWARDS: readonly (readonly Step[])[] = [[], [AGAIN], [ORDER_AGAIN]]
const BOTH = [true, false]

const LISTS = [REQUESTS, PLACES, TROUBLES, DISKS, BOTH, EXCHANGES, MEANWHILE, DEATHS, BOTH, AFTERWARDS] as const
const WAYS = LISTS.reduce((product, { length }) => product * length, 1)

/** One of each list, the n-th way of all. */
function stepsOf(way: number): readonly Step[] {
  let left = way
  const take = <T>(list: readonly T[]): T => {
    const one = list[left % list.length] as T
    left = Math.floor(left / list.length)
    return one
  }
  const [request, place, trouble, disk] = [take(REQUESTS), take(PLACES), take(TROUBLES), take(DISKS)]
  const [isDiskFirst, [taken, back], meanwhile] = [take(BOTH), take(EXCHANGES), take(MEANWHILE)]
  const [death, diesFirst, afterwards] = [take(DEATHS), take(BOTH), take(AFTERWARDS)]
  return [
    ...(isDiskFirst ? [disk] : []),
    trouble(place),
    request,
    { do: 'hand', what: 'the trouble ends' },
    ...(isDiskFirst ? [] : [disk]),
    ...taken,
    ...meanwhile,
    ...(diesFirst ? [...death, ...back] : [...back, ...death]),
    ...afterwards,
  ]
}

describe('with a disk that fails beside another trouble', () => {
  it.each(FAMILIES)(
    'nothing is printed twice and nothing is lost, on family %s',
    { timeout: 600_000 },
    async (family) => {
      let runs = 0
      for (let way = FAMILIES.indexOf(family); way < WAYS; way += EVERY) {
        await runCase({ family, seed: 1, slow: false, powerBackMs: 300, steps: stepsOf(way) })
        runs++
      }
      expect(runs).toBeGreaterThan(50)
    },
  )
})
