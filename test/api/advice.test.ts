import { afterEach, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'

const started: KillableService[] = []
afterEach(async () => {
  for (const rig of started.splice(0)) await rig.close()
})
function begin(family: Family): KillableService {
  const rig = startKillableService(family)
  started.push(rig)
  return rig
}

const PRINT = '/print-fiscal-receipt'
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }

it.each(FAMILIES)(
  'family %s: a non-fiscal receipt of another program is closed by the call that the refusal recommends',
  async (family) => {
    const rig = begin(family)
    rig.emulator.device.openNonFiscal({ operator: 1 })
    const refused = await rig.post(PRINT, RECEIPT)
    expect(refused.StatusCode).toBe(400)
    expect(refused.Message).toMatch(
      / Non-fiscal receipt \d+, opened by another program, is still open\. Close or cancel it in that program, or call cancel-non-fiscal-receipt\.$/,
    )
    expect(await rig.post('/cancel-non-fiscal-receipt')).toMatchObject({ StatusCode: 200 })
    expect(await rig.post(PRINT, RECEIPT)).toMatchObject({ StatusCode: 200 })
  },
)

it.each(FAMILIES)(
  'family %s: a fiscal receipt of another program is cancelled by the call that the refusal recommends',
  async (family) => {
    const rig = begin(family)
    rig.emulator.device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    const refused = await rig.post(PRINT, RECEIPT)
    expect(refused.StatusCode).toBe(400)
    expect(refused.Message).toMatch(
      / Receipt \d+, opened by another program, is still open\. Close or cancel it in that program, or call cancel-fiscal-receipt\.$/,
    )
    expect(await rig.post('/cancel-fiscal-receipt')).toMatchObject({ StatusCode: 200 })
    expect(await rig.post(PRINT, RECEIPT)).toMatchObject({ StatusCode: 200 })
  },
)
