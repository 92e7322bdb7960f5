/**
 * The service is killed during its receipt number 1, and the memory of the device is exchanged or begun again under the
 * same serial number. In the new memory, number 1 belongs to another program: the service must neither cancel that
 * receipt nor report it as its own.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import { asOtherProgram, type KillableService, startKillableService } from '../support/killable-service.ts'

const PATH = '/print-fiscal-receipt'
const BODY = { ReceiptItems: [1, 2].map((PluNumber) => ({ Type: 1, PluSale: { PluNumber } })) }
const FRAMES_MAX = 120

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/**
 * Calls `judge` after a kill at each frame at which a receipt is open on the device. Resolves to the number of tried
 * frames.
 */
async function afterEachFrame(
  family: Family,
  act: (printer: FiscalPrinter) => Promise<unknown>,
  judge: (rig: KillableService, frame: number) => Promise<void>,
): Promise<number> {
  let tried = 0
  for (let frames = 1; frames < FRAMES_MAX; frames++) {
    const rig = startKillableService(family)
    ends.push(() => rig.close())
    const ended = await rig.postAndKill({ frames, sent: true }, PATH, BODY, 'key')
    if (ended !== 'killed') return tried
    if (rig.emulator.device.receipt === null) continue
    tried++
    rig.emulator.reset()
    await asOtherProgram(rig, act)
    rig.restart()
    await judge(rig, frames)
  }
  throw new Error('the receipt has no end')
}

const sell = async (printer: FiscalPrinter) => {
  const operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
  await printer.openFiscal({ operator, pointOfSale: 1, invoice: false })
  await printer.sellArticle({ plu: 1, quantity: 7000, void: false })
}

describe.each(FAMILIES)('the service on family %s', (family) => {
  it('does not change a receipt that is open in another fiscal memory', async () => {
    const tried = await afterEachFrame(family, sell, async (rig, frame) => {
      const before = rig.emulator.device.receipt
      const answer = await rig.post(PATH, BODY, 'key')
      expect([frame, answer.StatusCode]).toEqual([frame, expect.toSatisfy((status: number) => status !== 200)])
      expect([frame, rig.emulator.device.receipt]).toEqual([frame, before])
    })
    expect(tried).toBeGreaterThan(3)
  })

  it('does not report a receipt that is closed in another fiscal memory as its own', async () => {
    const tried = await afterEachFrame(
      family,
      async (printer) => {
        await sell(printer)
        await printer.pay({ mode: 0 })
        await printer.closeFiscal()
      },
      async (rig, frame) => {
        const { StatusCode, Data } = await rig.post(PATH, BODY, 'key')
        expect([frame, StatusCode, Data]).not.toEqual([frame, 200, '1'])
      },
    )
    expect(tried).toBeGreaterThan(3)
  })
})
