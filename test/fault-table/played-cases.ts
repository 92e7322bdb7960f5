/** Rows of the fault table whose cases are sequences of several faults or clients, in the steps of `check`. */
import type { Family } from '../../drivers/model/families.ts'
import { memoize } from '../../drivers/model/memoize.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import type { RequestStep, Step } from '../../scenarios/simulation/steps.ts'
import { type Places, play } from './play.ts'

type Steps = readonly Step[]

const AGAIN: RequestStep = { do: 'again' }
const STATUS: RequestStep = { do: 'status' }
const ENDS: Step = { do: 'hand', what: 'the trouble ends' }
const SMALL: RequestStep = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }
const TWO_ROWS: RequestStep = { do: 'receipt', rows: 2, paying: 'card and cash', key: true }
const SLIP: RequestStep = { do: 'slip', key: true }
const order = (number: number, token: number): RequestStep => ({ do: 'order', order: number, token })
const fault = (rule: Rule): Steps => [{ do: 'fault', rule }]

/** Returns the numbers from `first` to `last`, and one more, at which no fault occurs. */
export const upTo = (first: number, last: number): readonly number[] =>
  Array.from({ length: last + 2 - first }, (_nothing, index) => first + index)

async function placesOf(device: Family, before: Steps, during: Steps): Promise<Places> {
  const steps = [...before, ...during]
  return (await play({ device, powerBackMs: BLINK_MS }, steps, { countFrom: before.length })).places
}

export const framesOf = async (family: Family, before: Steps, request: RequestStep): Promise<number> =>
  (await placesOf(family, before, [request])).frame

/** Duration of a short power failure, in ms: shorter than a driver waits before it retransmits. */
const BLINK_MS = 300

const PAIRS: readonly (readonly [RequestStep, readonly RequestStep[]])[] = [
  [order(1, 1), [order(1, 2), order(1, 1), order(2, 1), { do: 'order', order: 1, token: 1, key: 1 }, TWO_ROWS]],
  [order(2, 1), [order(2, 2), AGAIN, { do: 'order', order: 2, token: 3, again: true }]],
  [TWO_ROWS, [AGAIN, TWO_ROWS, { do: 'reuse' }, { do: 'open' }, { do: 'sale' }, { do: 'close' }, { do: 'cancel' }, { do: 'z' }, { do: 'copy' }, SLIP]],
  [SLIP, [AGAIN, { do: 'slipText' }, { do: 'closeSlip' }, TWO_ROWS, { do: 'openSlip' }]],
  [{ do: 'legacy receipt', inTwo: true, key: true }, [AGAIN, { do: 'lines', calls: ['x', 'cash'], key: false }]],
  [{ do: 'lines', calls: ['x', 'cash', 'z'], key: true }, [AGAIN, TWO_ROWS, { do: 'z', key: true }]],
  [{ do: 'z', key: true }, [AGAIN, { do: 'z' }, TWO_ROWS]],
] // biome-ignore format: a table

/** Maximum number of responses by which the second fault precedes the other client's request. */
const EARLIER_AT_ONCE = 2

const BESIDES: readonly ((write: number) => Steps)[] = [
  () => [],
  (write) => fault({ at: 'link.toHost', skip: write, times: 1, do: { delayMs: 4000 } }),
  (write) => fault({ at: 'link.toHost', skip: write + 2, times: 200, do: 'drop' }),
  (write) => fault({ at: 'link.toHost', skip: Math.max(0, write - EARLIER_AT_ONCE), times: 6, do: { busyMs: 20_000 } }),
]

export const atOnce = memoize(async (family: Family): Promise<readonly Steps[]> => {
  const all: Steps[] = []
  for (const [request, others] of PAIRS) {
    const { frame } = await placesOf(family, [], [request])
    for (const other of others)
      for (const write of upTo(1, frame + EARLIER_AT_ONCE))
        for (const besides of BESIDES)
          all.push([...besides(write), { do: 'meanwhile', request: other, write }, request, ENDS, AGAIN])
  }
  return all
})

const BEGUN_ALIKE: readonly (readonly [before: Steps, requests: readonly RequestStep[]])[] = [
  [
    [{ do: 'open' }, { do: 'sale' }],
    [
      { do: 'receipt', rows: 1, paying: 'nothing said', key: true },
      { do: 'receipt', rows: 1, paying: 'nothing said', with: ['discount'], key: true },
      { do: 'receipt', rows: 1, paying: 'nothing said', with: ['discount', 'same text again'], key: false },
      { do: 'receipt', rows: 1, paying: 'two cards and cash', with: ['subtotal', 'separating line'], key: true },
      { do: 'order', order: 1, token: 1, key: 1 },
      { do: 'legacy receipt', inTwo: true, key: true },
    ],
  ],
  [
    [{ do: 'open' }, { do: 'sale' }, { do: 'payCard' }],
    [
      { do: 'receipt', rows: 1, paying: 'two cards and cash', key: true },
      { do: 'receipt', rows: 1, paying: 'nothing said', with: ['discount'], key: true },
    ],
  ],
  [[{ do: 'openSlip' }, { do: 'slipText' }], [{ do: 'slip', with: ['same text again'], key: true }]],
]

/** Maximum number of commands or responses by which the second fault precedes the replacement. */
const EARLIER = 6

const BEFORE_IT_GOES: readonly ((write: number, command: number) => Steps)[] = [
  () => [],
  ...Array.from({ length: EARLIER }, (_nothing, index) => index + 1).flatMap(
    (earlier): readonly ((write: number, command: number) => Steps)[] => [
      (_, command) => fault({ at: 'command.after', skip: Math.max(0, command - earlier), times: 1, do: 'powerCut' }),
      (write) => fault({ at: 'link.toHost', skip: Math.max(0, write - earlier), times: 1, do: 'drop' }),
    ],
  ),
]

/**
 * Cases in which the first device is reconnected during a request, with a receipt like the one on the second device.
 */
export const comesBack = memoize(async (family: Family): Promise<readonly Steps[]> => {
  const all: Steps[] = []
  for (const [before, requests] of BEGUN_ALIKE) {
    for (const request of requests) {
      const again: Steps = request.do === 'order' || ('key' in request && request.key === true) ? [AGAIN] : []
      const away: Steps = [...before, { do: 'replaceDevice' }, STATUS]
      const { frame, command } = await placesOf(family, away, [request, ...again])
      // Family C acknowledges the response to each command.
      const framesEach = Math.round(frame / command)
      for (const write of upTo(1, frame + EARLIER)) {
        for (const trouble of BEFORE_IT_GOES) {
          const back: Step = { do: 'replaceDevice', back: true, write }
          all.push([...away, ...trouble(write, Math.ceil(write / framesEach)), back, request, ENDS, ...again])
        }
      }
    }
  }
  return all
})

const ORDER_AGAIN = order(1, 2)

const REQUESTS: readonly RequestStep[] = [
  { do: 'receipt', rows: 3, paying: 'two cards and cash', key: true },
  SMALL,
  SLIP,
  order(1, 1),
  { do: 'legacy receipt', key: true },
  { do: 'legacy receipt', key: true, inTwo: true },
  { do: 'z', key: true },
]

/** The trouble occurs after `place` frames of the request, or in the next request if the request has fewer frames. */
const TROUBLES: readonly ((place: number) => Step)[] = [
  (skip) => ({ do: 'fault', rule: { at: 'link.toHost', skip, times: 200, do: 'drop' } }),
  (skip) => ({ do: 'fault', rule: { at: 'command.before', skip, times: 1, do: 'coverOpen' } }),
  (skip) => ({ do: 'fault', rule: { at: 'command.after', skip, times: 1, do: 'powerCut' } }),
  (write) => ({ do: 'replaceDevice', write }),
]
const PLACES = Array.from({ length: 41 }, (_nothing, index) => index + 4)

const DISKS: Steps = [1, 8].flatMap((times) =>
  [0, 1, 2, 3, 4, 5, 6].map((skip): Step => ({ do: 'journal', trouble: 'locked', skip, times })),
)

const EXCHANGES: readonly (readonly [Steps, Steps])[] = [
  [[], []],
  [[{ do: 'replaceDevice' }], [{ do: 'replaceDevice', back: true }]],
]
const MEANWHILE: readonly Steps[] = [[], [STATUS], [SMALL], [AGAIN], [ORDER_AGAIN]]
const DEATHS: readonly Steps[] = [[], [{ do: 'crash', during: STATUS, write: 1 }], [{ do: 'restart' }]]
const AFTERWARDS: readonly Steps[] = [[], [AGAIN], [ORDER_AGAIN]]
const BOTH = [true, false]

const LISTS = [REQUESTS, PLACES, TROUBLES, DISKS, BOTH, EXCHANGES, MEANWHILE, DEATHS, BOTH, AFTERWARDS] as const

/**
 * Number of cases in which the disk fails in addition to another fault, and then the device is replaced or the service
 * is killed.
 */
export const FAILING_DISKS = LISTS.reduce((product, { length }) => product * length, 1)

/** Returns the case with this number: one item of each list. */
export function failingDisk(way: number): Steps {
  let left = way
  const take = <T>(list: readonly T[]): T => {
    const item = list[left % list.length] as T
    left = Math.floor(left / list.length)
    return item
  }
  const [request, place, trouble, disk] = [take(REQUESTS), take(PLACES), take(TROUBLES), take(DISKS)]
  const [isDiskFirst, [taken, back], meanwhile] = [take(BOTH), take(EXCHANGES), take(MEANWHILE)]
  const [death, diesFirst, afterwards] = [take(DEATHS), take(BOTH), take(AFTERWARDS)]
  return [
    ...(isDiskFirst ? [disk] : []),
    ...[trouble(place), request, ENDS],
    ...(isDiskFirst ? [] : [disk]),
    ...taken,
    ...meanwhile,
    ...(diesFirst ? [...death, ...back] : [...back, ...death]),
    ...afterwards,
  ]
}
