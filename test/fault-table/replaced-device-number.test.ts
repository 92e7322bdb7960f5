import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Reply } from '../../scenarios/simulation/client.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import type { RequestStep } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'
import { framesOf, upTo } from './played-cases.ts'

const RECEIPT: RequestStep = { do: 'receipt', rows: 1, paying: 'nothing said', key: false }

async function replies(family: Family, request: RequestStep): Promise<Reply[]> {
  const all: Reply[] = []
  for (const write of upTo(1, await framesOf(family, [RECEIPT], request))) {
    const world = new World({ family, seed: 1, slow: false })
    try {
      const run = new Run(world)
      await run.request(RECEIPT)
      await run.perform({ do: 'replaceDevice', write })
      const reply = await run.request(request)
      if (reply) all.push(reply)
    } finally {
      await world.close()
    }
  }
  return all
}

describe('a printed document', () => {
  // The second device has printed nothing, so its last document is 0.
  it.each(FAMILIES)('has the number from the device that printed it, on family %s', async (family) => {
    const copies = await replies(family, { do: 'copy' })
    const printed = copies.filter(({ status }) => status === 200).map(({ data }) => data)
    expect(new Set(printed.map((data) => (data as { ReceiptNumber: string }).ReceiptNumber))).toEqual(new Set(['1']))
    expect(
      copies.filter(({ message }) => /^Outcome unknown: .* (?:answers there|is connected) now/.test(message)).length,
    ).toBeGreaterThan(0)
    const reports = await replies(family, { do: 'z' })
    const numbers = reports.filter(({ status }) => status === 200).map(({ data }) => Number.parseInt(String(data), 10))
    expect(new Set(numbers)).toEqual(new Set([1]))
  })
})
