/** Another device comes in the place of the first during a request, with each of its frames. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { onceFor } from '../../drivers/model/once.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import type { Reply } from '../../scenarios/simulation/client.ts'
import { Run, runCase } from '../../scenarios/simulation/run.ts'
import type { RequestStep, Step } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { placesOf, upTo } from './places.ts'

/** `EXCHANGED_EVERY=1` takes all places of the longest of these tests. */
const EVERY = Number(process.env['EXCHANGED_EVERY'] ?? 7)

const RECEIPT: RequestStep = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }

const REQUESTS: readonly RequestStep[] = [
  { do: 'receipt', rows: 3, paying: 'two cards and cash', key: true },
  RECEIPT,
  { do: 'slip', key: true },
  { do: 'open' },
  { do: 'openSlip' },
  { do: 'order', order: 1, token: 1, key: 1 },
  { do: 'copy' },
  { do: 'z' },
]

/** Each with each frame of its own. */
const struck = onceFor((family: Family) =>
  Promise.all(
    REQUESTS.map(async (request) => {
      const { frames } = await placesOf(family, [], [request])
      return upTo(1, frames).map((write) => ({ request, write }))
    }),
  ).then((all) => all.flat()),
)

describe('the second device', () => {
  it.each(FAMILIES)('holds nothing that nobody knows of, on family %s', { timeout: 300_000 }, async (family) => {
    for (const { request, write } of await struck(family))
      await runCase({ family, seed: 1, slow: false, steps: [{ do: 'exchange', write }, request] })
  })
})

const COMES_BACK: readonly Step[] = [
  { do: 'exchange', back: true },
  { do: 'exchange', back: true, behindAdapter: true },
]

describe('the first device, when it comes back', () => {
  it.each(FAMILIES)('holds nothing that is not to be there, on family %s', { timeout: 300_000 }, async (family) => {
    for (const { request, write } of await struck(family)) {
      for (const comesBack of COMES_BACK) {
        const steps = [{ do: 'exchange', write }, request, comesBack] as const
        await runCase({ family, seed: 1, slow: false, steps })
      }
    }
  })
})

/** What stands open on the first device, and the request that comes to it from the second. */
const BEGUN_ALIKE: readonly (readonly [what: string, before: readonly Step[], requests: readonly RequestStep[]])[] = [
  [
    'a receipt of one row',
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
    'a receipt of one row that is paid in part',
    [{ do: 'open' }, { do: 'sale' }, { do: 'payCard' }],
    [
      { do: 'receipt', rows: 1, paying: 'two cards and cash', key: true },
      { do: 'receipt', rows: 1, paying: 'nothing said', with: ['discount'], key: true },
    ],
  ],
  ['a slip', [{ do: 'openSlip' }, { do: 'slipText' }], [{ do: 'slip', with: ['same text again'], key: true }]],
]

/** How many commands or answers earlier, at most, there is trouble besides. */
const EARLIER = 6

/** Of the second device, a few commands before it is taken away: the request has to ask what became of them. */
const TROUBLES: readonly ((write: number, command: number) => readonly Step[])[] = [
  () => [],
  ...Array.from({ length: EARLIER }, (_, index) => index + 1).flatMap(
    (earlier): readonly ((write: number, command: number) => readonly Step[])[] => [
      (_, command) => fault({ at: 'command.after', skip: Math.max(0, command - earlier), times: 1, do: 'powerCut' }),
      (write) => fault({ at: 'link.toHost', skip: Math.max(0, write - earlier), times: 1, do: 'drop' }),
    ],
  ),
]

const fault = (rule: Rule): readonly Step[] => [{ do: 'fault', rule }]

describe('a device that comes back with a receipt like the one that was begun elsewhere', () => {
  it.each(FAMILIES)('is not taken for the other, on family %s', { timeout: 600_000 }, async (family) => {
    let place = 0
    for (const [, before, requests] of BEGUN_ALIKE) {
      for (const request of requests) {
        const isRepeated = request.do === 'order' || ('key' in request && request.key === true)
        const again: readonly Step[] = isRepeated ? [{ do: 'again' }] : []
        const away: readonly Step[] = [...before, { do: 'exchange' }, { do: 'status' }]
        const { frames, commands } = await placesOf(family, away, [request, ...again])
        // On family C each command is followed by an acknowledgement of its answer.
        const framesEach = Math.round(frames / commands)
        for (const write of upTo(1, frames + EARLIER)) {
          for (const troubled of TROUBLES) {
            if (place++ % EVERY !== 0) continue
            const steps: readonly Step[] = [
              ...away,
              ...troubled(write, Math.ceil(write / framesEach)),
              { do: 'exchange', back: true, write },
              request,
              { do: 'hand', what: 'the trouble ends' },
              ...again,
            ]
            await runCase({ family, seed: 1, slow: false, powerBackMs: 300, steps })
          }
        }
      }
    }
  })
})

/** What a request behind a receipt was answered with, for each frame with which the device was exchanged. */
async function replies(family: Family, request: RequestStep): Promise<Reply[]> {
  const all: Reply[] = []
  const { frames } = await placesOf(family, [RECEIPT], [request])
  for (const write of upTo(1, frames)) {
    const world = new World({ family, seed: 1, slow: false })
    try {
      const run = new Run(world)
      await run.request(RECEIPT)
      await run.perform({ do: 'exchange', write })
      const reply = await run.request(request)
      if (reply) all.push(reply)
    } finally {
      await world.close()
    }
  }
  return all
}

describe('what was printed', () => {
  // The second device has printed nothing: it tells of a document 0.
  it.each(FAMILIES)('has the number that the device gave it which printed it, on family %s', async (family) => {
    const copies = await replies(family, { do: 'copy' })
    const printed = copies.filter(({ status }) => status === 200).map(({ data }) => data)
    expect(new Set(printed.map((data) => (data as { ReceiptNumber: string }).ReceiptNumber))).toEqual(new Set(['1']))
    expect(
      copies.filter(({ message }) => /^Outcome unknown: .* answers there now/.test(message)).length,
    ).toBeGreaterThan(0)
    const reports = await replies(family, { do: 'z' })
    const numbers = reports.filter(({ status }) => status === 200).map(({ data }) => Number.parseInt(String(data), 10))
    expect(new Set(numbers)).toEqual(new Set([1]))
  })
})
