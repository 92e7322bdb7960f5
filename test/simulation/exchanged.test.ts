/** Another device comes in the place of the first during a request, with each of its frames. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Reply } from '../../scenarios/simulation/client.ts'
import { Run, runCase } from '../../scenarios/simulation/run.ts'
import type { RequestStep } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'

/** As many as the longest of the requests takes. */
const FRAMES = Array.from({ length: 60 }, (_, index) => index + 1)

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

describe('the first device, when it comes back', () => {
  it.each(FAMILIES)('holds nothing that is not to be there, on family %s', { timeout: 300_000 }, async (family) => {
    for (const request of REQUESTS) {
      for (const write of FRAMES) {
        const steps = [{ do: 'exchange', write }, request, { do: 'exchange', back: true }] as const
        await runCase({ family, seed: 1, slow: false, steps })
      }
    }
  })
})

/** What a request behind a receipt was answered with, for each frame with which the device was exchanged. */
async function replies(family: Family, request: RequestStep): Promise<Reply[]> {
  const all: Reply[] = []
  for (const write of FRAMES.slice(0, 30)) {
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
