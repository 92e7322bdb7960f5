/** The requests of `check` succeed on a device without faults. If one failed, later faults would never be triggered. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { Run } from '../../scenarios/simulation/run.ts'
import { EXTRAS, type Extra, type PaymentKind, type RequestStep } from '../../scenarios/simulation/steps.ts'
import { World } from '../../scenarios/simulation/world.ts'

const PAYINGS: readonly PaymentKind[] = ['nothing said', 'card', 'card and cash', 'two cards and cash']
const LACKING: Readonly<Record<string, readonly Extra[]>> = { B: ['free sale'], C: ['barcode'] }

async function statusOf(family: Family, request: RequestStep): Promise<number | undefined> {
  const world = new World({ family, seed: 1, slow: false })
  try {
    const run = new Run(world)
    const reply = await run.request(request)
    await run.liveness()
    return reply?.status
  } finally {
    await world.close()
  }
}

describe.each(FAMILIES)('family %s, without a fault,', (family) => {
  it.each(EXTRAS)('prints a receipt with %s, however it is paid', async (extra) => {
    const expected = LACKING[family]?.includes(extra) ? 400 : 200
    for (const paying of PAYINGS) {
      const request: RequestStep = { do: 'receipt', rows: 2, paying, with: [extra], key: true }
      expect(await statusOf(family, request), paying).toBe(expected)
    }
  })

  it('prints a receipt with all of these contents', async () => {
    const extras = EXTRAS.filter((extra) => !LACKING[family]?.includes(extra))
    expect(await statusOf(family, { do: 'receipt', rows: 3, paying: 'card and cash', with: extras, key: false })).toBe(
      200,
    )
  })

  it.each([1, 2])('prints order %s', async (order) => {
    expect(await statusOf(family, { do: 'order', order, token: 1 })).toBe(200)
  })
})
