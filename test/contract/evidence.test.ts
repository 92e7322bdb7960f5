/**
 * What a device says of itself, on every edition: by it a caller tells its own work from anybody else's. Each answer is
 * compared with the device's own books.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ONE } from '../../drivers/model/money.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Operator } from '../../drivers/model/receipt.ts'
import { emulatedFamilies } from '../../emulator/families.ts'
import { type PrinterRig, startPrinter } from '../support/rig.ts'

const CASH = 0

for (const [family, { profiles }] of emulatedFamilies) {
  describe.each(profiles)(`the evidence of a device of family ${family}, edition %s`, (profile) => {
    let rig: PrinterRig
    let printer: FiscalPrinter
    let operator: Operator

    beforeAll(() => {
      rig = startPrinter({ family, profile })
      printer = rig.driver({ options: { profile } })
      operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
    })
    beforeEach(() => rig.emulator.reset())
    afterAll(() => rig.close())

    const device = () => rig.emulator.device
    const openDocument = () => {
      const { receipt } = device()
      return receipt?.kind === 'fiscal' ? receipt.fiscal.document : receipt?.document
    }
    const open = () => printer.openFiscal({ operator, pointOfSale: 1, invoice: false })
    const sell = (pieces = 1) => printer.sellArticle({ plu: 1, quantity: pieces * ONE, void: false })
    async function receipt(): Promise<number> {
      await open()
      await sell()
      await printer.pay({ mode: CASH })
      return Number((await printer.closeFiscal()).receiptNumber)
    }
    const openNonFiscal = () =>
      printer.openNonFiscal(printer.capabilities.nonFiscalNeedsOperator ? operator : undefined)

    it('is empty on a new device', async () => {
      const { serialNumber, fiscalMemoryNumber } = device().profile
      expect(await printer.evidence()).toMatchObject({
        serialNumber,
        fiscalMemoryNumber,
        open: null,
        lastDocument: 0,
        lastZ: 0,
      })
    })

    it('has the number that the opening was given, and what stands in the receipt', async () => {
      await receipt()
      const { document } = await open()
      expect(document).toBe(openDocument())
      await sell(2)
      const { open: standing, lastDocument } = await printer.evidence()
      const total = 2 * (device().articles.get(1)?.price ?? 0)
      expect(standing).toEqual({ kind: 'Fiscal', number: document, items: 1, total, paid: 0, remaining: total })
      expect(lastDocument).toBe(document)
    })

    it('names a non-fiscal receipt that is open', async () => {
      const { document } = await openNonFiscal()
      expect(document).toBe(openDocument())
      expect((await printer.evidence()).open).toMatchObject({ kind: 'NonFiscal', number: document })
    })

    it('counts the day', async () => {
      await receipt()
      await receipt()
      await printer.moveCash?.(500, operator)
      await printer.moveCash?.(-200, operator)
      const { day } = await printer.evidence({ thorough: true })
      expect(day.turnover).toBe(device().day.total)
      for (const [told, kept] of [
        [day.receipts, 2],
        [day.cashIn, 500],
        [day.cashOut, 200],
      ]) {
        if (told !== null) expect(told).toBe(kept)
      }
      await printer.reportZ()
      const { day: next, lastZ } = await printer.evidence({ thorough: true })
      expect(lastZ).toBe(1)
      expect(next.turnover).toBe(0)
    })
  })
}
