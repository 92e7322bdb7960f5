/**
 * Device evidence on every edition distinguishes the caller's own documents from those of other programs. Each result
 * is compared with the device's own documents and totals.
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

    it('contains only facts about the queried device', async () => {
      const of = { ...device().profile }
      expect(await printer.evidence({ of })).toEqual(await printer.evidence({ of: null }))
      await expect(printer.evidence({ of: { ...of, serialNumber: 'another' } })).rejects.toMatchObject({
        problem: { kind: 'portLost', why: `${of.serialNumber} responds there now instead of another` },
      })
    })

    it('has the number that the opening returned, and the content of the receipt', async () => {
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

    it('names the last receipt whatever was printed after it', async () => {
      const number = await receipt()
      await printer.reportX()
      await open()
      await sell()
      await printer.cancelFiscal()
      const { lastReceipt, lastDocument } = await printer.evidence({ thorough: true })
      expect(lastReceipt).toBe(number)
      expect(lastDocument).toBe(number + 2)
    })

    it('has the kind of each document', async () => {
      const kinds: unknown[] = []
      const total = device().articles.get(1)?.price ?? 0
      const addKind = async () => kinds.push(await printer.documentOf?.(device().counters.lastDocument))
      await receipt()
      await addKind()
      await open()
      await sell()
      expect(await printer.documentOf?.(device().counters.lastDocument)).toBeUndefined()
      await printer.cancelFiscal()
      await addKind()
      await openNonFiscal()
      // Lines that resemble those of a fiscal receipt.
      await printer.printNonFiscalText({ text: 'TOTAL 9.99' })
      await printer.printNonFiscalText({ text: 'FISCAL RECEIPT' })
      await printer.closeNonFiscal()
      await addKind()
      await printer.reportX()
      await addKind()
      await printer.reportZ()
      await addKind()
      expect(kinds).toEqual([
        { kind: 'fiscal', total },
        { kind: 'cancelled', total: null },
        { kind: 'nonFiscal', total: null },
        { kind: 'x', total: null },
        { kind: 'z', total: null },
      ])
      expect(await printer.documentOf?.(device().counters.lastDocument + 1)).toBeUndefined()
    })

    it('contains the sums of the day (daySums): the adjustments, voids and payments that the wire protocol reports', async () => {
      await open()
      await printer.sellArticle({
        plu: 8,
        quantity: 2 * ONE,
        void: false,
        adjustment: { kind: 'discount', percent: 1000 },
      })
      await sell()
      await printer.sellArticle({ plu: 1, quantity: ONE, void: true })
      const { total } = await printer.transactionStatus()
      await printer.pay({ mode: 1, amount: 1000 })
      await printer.pay({ mode: CASH, amount: 5000 })
      await printer.closeFiscal()
      const { day } = device()
      const sums = await printer.daySums?.()
      expect(sums?.payments?.filter(({ amount }) => amount !== 0)).toEqual([
        { paymentMode: 0, amount: (total ?? 0) - 1000 },
        { paymentMode: 1, amount: 1000 },
      ])
      for (const name of ['discounts', 'surcharges', 'voids'] as const) {
        if (sums?.[name]) expect([name, sums[name]?.amount]).toEqual([name, day[name].amount])
      }
    })

    it('counts the receipts of the day', async () => {
      await receipt()
      await receipt()
      await printer.moveCash?.(500, operator)
      await printer.moveCash?.(-200, operator)
      const { day } = await printer.evidence({ thorough: true })
      expect(day.turnover).toBe(device().day.total)
      for (const [reported, kept] of [
        [day.receipts, 2],
        [day.cashIn, 500],
        [day.cashOut, 200],
      ]) {
        if (reported !== null) expect(reported).toBe(kept)
      }
      const sums = await printer.daySums?.()
      expect(sums?.turnovers?.slice(0, 4)).toEqual([day.turnover, 0, 0, 0])
      expect([sums?.total, sums?.payments?.find(({ paymentMode }) => paymentMode === CASH)?.amount]).toEqual([
        day.turnover,
        day.turnover,
      ])
      await printer.reportZ()
      expect((await printer.daySums?.())?.total).toBe(0)
      const { day: next, lastZ } = await printer.evidence({ thorough: true })
      expect(lastZ).toBe(1)
      expect(next.turnover).toBe(0)
    })
  })
}
