/**
 * A device that loses its power behind a command, and has trouble once more before its caller is told: every kind of
 * request, at places in every command that it takes. All places are too many for each run of the suite; every 131st has
 * its turn, and `TWO_TROUBLES_EVERY=1` takes them all.
 */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { onceFor } from '../../drivers/model/once.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import type { RequestStep, Step } from '../../scenarios/simulation/steps.ts'
import { placesOf, upTo } from './places.ts'

const EVERY = Number(process.env['TWO_TROUBLES_EVERY'] ?? 131)

const OPEN: Step = { do: 'open' }
const SALE: Step = { do: 'sale' }
const SLIP: Step = { do: 'openSlip' }
const RECEIPT: Step = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }
const PAID: readonly Step[] = [OPEN, SALE, { do: 'payRest' }]

/** What was done before, and the request that has the trouble. */
const REQUESTS: readonly (readonly [readonly Step[], RequestStep])[] = [
  [[RECEIPT], { do: 'z', key: true }],
  [[RECEIPT], { do: 'x', key: true }],
  [[RECEIPT], { do: 'x' }],
  [[RECEIPT], { do: 'copy', key: true }],
  [[RECEIPT], { do: 'lines', calls: ['cash', 'x'], key: true }],
  [[RECEIPT], { do: 'lines', calls: ['copy', 'z'], key: true }],
  [[RECEIPT], { do: 'lines', calls: ['cash'], key: false }],
  [[], { do: 'receipt', rows: 2, paying: 'two cards and cash', key: true }],
  [[], { do: 'receipt', rows: 2, paying: 'card', key: true }],
  [[], { do: 'receipt', rows: 1, paying: 'nothing said', key: false }],
  [
    [],
    {
      do: 'receipt',
      rows: 2,
      paying: 'nothing said',
      with: ['discount', 'separating line', 'same text again'],
      key: true,
    },
  ],
  [[], { do: 'receipt', rows: 1, paying: 'card and cash', with: ['subtotal'], key: true }],
  [[], { do: 'order', order: 1, token: 1 }],
  [[], { do: 'slip', key: true }],
  [[], { do: 'legacy receipt', key: true }],
  [[], { do: 'legacy receipt', key: true, cancelled: true }],
  [[], { do: 'legacy receipt', key: true, inTwo: true }],
  [[], { do: 'slip', with: ['separating line', 'same text again'], key: true }],
  [[], { do: 'open', key: true }],
  [[OPEN], { do: 'sale', key: true }],
  [[OPEN, SALE], { do: 'text' }],
  [[OPEN, SALE], { do: 'discount', key: true }],
  [[OPEN, SALE], { do: 'payCard', key: true }],
  [[OPEN, SALE], { do: 'payRest', key: true }],
  [PAID, { do: 'close', key: true }],
  [PAID, { do: 'close' }],
  [[OPEN, SALE], { do: 'cancel', key: true }],
  [[], { do: 'openSlip', key: true }],
  [[SLIP], { do: 'slipText' }],
  [[SLIP], { do: 'closeSlip', key: true }],
  [[SLIP], { do: 'cancelSlip', key: true }],
]

const BEHIND = 12

const fault = (rule: Extract<Step, { do: 'fault' }>['rule'], during: RequestStep): readonly Step[] => [
  { do: 'fault', rule },
  during,
]

/** What comes at the n-th command or answer of the request besides. */
const TROUBLES: readonly (readonly [string, (skip: number, during: RequestStep) => readonly Step[]])[] = [
  ['is not heard', (skip, during) => fault({ at: 'link.toHost', skip, times: 200, do: 'drop' }, during)],
  ['does not hear', (skip, during) => fault({ at: 'link.toDevice', skip, times: 200, do: 'drop' }, during)],
  ['is cut off again', (skip, during) => fault({ at: 'command.after', skip, times: 6, do: 'powerCut' }, during)],
  ['refuses', (skip, during) => fault({ at: 'command.before', skip, times: 3, do: 'refuse' }, during)],
  ['has no paper', (skip, during) => fault({ at: 'command.before', skip, times: 3, do: 'paperOut' }, during)],
  ['has lost the service', (write, during) => [{ do: 'crash', during, write }]],
]

/** Commands of each of them. */
const commandsOf = onceFor((family: Family) =>
  Promise.all(REQUESTS.map(async ([before, request]) => (await placesOf(family, before, [request])).commands)),
)

function* casesOf(
  commands: readonly number[],
  trouble: (skip: number, during: RequestStep) => readonly Step[],
): Generator<readonly Step[]> {
  for (const [index, [before, request]] of REQUESTS.entries()) {
    const ending: Step = 'key' in request && request.key === true ? { do: 'again' } : { do: 'status' }
    for (const skip of upTo(0, (commands[index] as number) - 1)) {
      for (const times of [1, 2, 3]) {
        const cut: Step = { do: 'fault', rule: { at: 'command.after', skip, times, do: 'powerCut' } }
        for (let behind = 1; behind <= BEHIND; behind++) {
          yield [
            ...[...before, cut, ...trouble(skip + behind, request)],
            ...[{ do: 'hand', what: 'the trouble ends' } as const, ending, { do: 'status' } as const],
          ]
        }
      }
    }
  }
}

describe.each(FAMILIES)('family %s, cut off behind a command,', (family) => {
  it.each(TROUBLES)('and that %s then', { timeout: 1_200_000 }, async (_, trouble) => {
    let place = family.charCodeAt(0)
    let runs = 0
    for (const steps of casesOf(await commandsOf(family), trouble)) {
      if (place++ % EVERY !== 0) continue
      runs++
      await runCase({ family, seed: 1, slow: false, powerBackMs: 300, steps })
    }
    expect(runs).toBeGreaterThan(100)
  })
})
