import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { World } from '../../scenarios/simulation/world.ts'

const BREAD = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 1 } }] }

describe.each(FAMILIES)('a receipt that another program cancels on family %s', (family) => {
  it("is reported with both numbers if the service then pays and closes the other program's receipt", async () => {
    const world = new World({ family })
    try {
      const { device, faults } = world.emulator
      faults.add({ at: 'command.after', on: 'saleByPlu', times: 1, do: { busyMs: 50 } })
      world.onEvent = ({ type }) => {
        if (type !== 'fault') return
        world.clock.after(20, () => {
          device.cancelFiscal()
          device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
          device.sellArticle({ plu: 2, quantity: 7000, void: false })
        })
      }
      const { status, message } = await world.request('/print-fiscal-receipt', BREAD, 'k')
      expect([status, message]).toEqual([
        424,
        'Outcome unknown: this request opened document 1, but the device closed 2: another program closed 1 and ' +
          'opened 2 in between. Compare both papers.',
      ])
      expect((await world.request('/print-fiscal-receipt', BREAD, 'k')).message).toBe(message)
    } finally {
      await world.close()
    }
  })
})
