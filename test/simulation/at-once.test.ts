/** Another client asks in the middle of a request, at each of its frames: two tills with one printer. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { runCase } from '../../scenarios/simulation/run.ts'
import type { RequestStep, Step } from '../../scenarios/simulation/steps.ts'
import { placesOf, upTo } from './places.ts'

/** `AT_ONCE_EVERY=1` takes all places. */
const EVERY = Number(process.env['AT_ONCE_EVERY'] ?? 7)

const AGAIN: RequestStep = { do: 'again' }
const order = (number: number, token: number): RequestStep => ({ do: 'order', order: number, token })
const RECEIPT: RequestStep = { do: 'receipt', rows: 2, paying: 'card and cash', key: true }
const SLIP: RequestStep = { do: 'slip', key: true }

/** A request, and what another client asks meanwhile. */
const PAIRS: readonly (readonly [RequestStep, readonly RequestStep[]])[] = [
  [order(1, 1), [order(1, 2), order(1, 1), order(2, 1), { do: 'order', order: 1, token: 1, key: 1 }, RECEIPT]],
  [order(2, 1), [order(2, 2), AGAIN, { do: 'order', order: 2, token: 3, again: true }]],
  [RECEIPT, [AGAIN, RECEIPT, { do: 'reuse' }, { do: 'open' }, { do: 'sale' }, { do: 'close' }, { do: 'cancel' }, { do: 'z' }, { do: 'copy' }, SLIP]],
  [SLIP, [AGAIN, { do: 'slipText' }, { do: 'closeSlip' }, RECEIPT, { do: 'openSlip' }]],
  [{ do: 'legacy receipt', inTwo: true, key: true }, [AGAIN, { do: 'lines', calls: ['x', 'cash'], key: false }]],
  [{ do: 'lines', calls: ['x', 'cash', 'z'], key: true }, [AGAIN, RECEIPT, { do: 'z', key: true }]],
  [{ do: 'z', key: true }, [AGAIN, { do: 'z' }, RECEIPT]],
] // biome-ignore format: a table

/** How many answers earlier, at most, something is the matter besides. */
const EARLIER = 2

/** What is the matter besides. */
const TROUBLES: readonly ((write: number) => readonly Step[])[] = [
  () => [],
  (write) => [{ do: 'fault', rule: { at: 'link.toHost', skip: write, times: 1, do: { delayMs: 4000 } } }],
  (write) => [{ do: 'fault', rule: { at: 'link.toHost', skip: write + 2, times: 200, do: 'drop' } }],
  (write) => [{ do: 'fault', rule: { at: 'link.toHost', skip: Math.max(0, write - EARLIER), times: 6, do: { busyMs: 20_000 } } }],
] // biome-ignore format: a table

describe.each(FAMILIES)('two clients of family %s', (family) => {
  it.each(PAIRS)('at once: %j', { timeout: 600_000 }, async (request, others) => {
    let place = 0
    let runs = 0
    // With the start-up before it.
    const { frames } = await placesOf(family, [], [request, AGAIN])
    for (const other of others) {
      for (const write of upTo(1, frames + EARLIER)) {
        for (const trouble of TROUBLES) {
          if (place++ % EVERY !== 0) continue
          runs++
          const steps: readonly Step[] = [
            ...trouble(write),
            { do: 'meanwhile', request: other, write },
            request,
            { do: 'hand', what: 'the trouble ends' },
            AGAIN,
          ]
          await runCase({ family, seed: 1, slow: false, steps })
        }
      }
    }
    expect(runs).toBeGreaterThan(20)
  })
})
