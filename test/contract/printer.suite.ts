/**
 * The contract of every `FiscalPrinter` (drivers/model/printer.ts), for every family and connection. Features that a
 * family lacks are listed with the reason. Amounts are read from the device's own totals, not from the driver.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { Family } from '../../drivers/model/families.ts'
import { ONE } from '../../drivers/model/money.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { FiscalOpening, Operator } from '../../drivers/model/receipt.ts'
import { type CheckedFamilies, OWN_FAMILIES } from '../../scenarios/simulation/checked-families.ts'
import { type PrintingService, startService, type Way } from '../support/rig.ts'

const CASH = 0
const CARD = 1
const bread = (quantity = ONE) => ({ plu: 1, quantity, void: false })

export function describePrinter(
  family: Family,
  way: Way,
  { drivers, devices }: CheckedFamilies = OWN_FAMILIES,
  profile?: string,
): void {
  describe(`a printer of family ${family}${profile ? `, profile ${profile}` : ''}, ${way}`, () => {
    let subject: PrintingService
    let printer: FiscalPrinter
    let operator: Operator
    let opening: FiscalOpening

    beforeAll(async () => {
      subject = await startService({
        family,
        families: devices,
        drivers,
        way,
        ...(profile !== undefined && { profile }),
      })
      printer = subject.printer
      if (profile !== undefined) await printer.connect()
      operator = { code: 1, password: printer.capabilities.defaultPassword(1) }
      opening = { operator, pointOfSale: 1, invoice: false }
    })
    beforeEach(() => subject.emulator.reset())
    afterAll(() => subject.close())

    const books = () => subject.emulator.device
    const openNonFiscal = () =>
      printer.openNonFiscal(printer.capabilities.nonFiscalNeedsOperator ? operator : undefined)
    const kindOf = async (act: Promise<unknown>): Promise<string> => {
      try {
        await act
      } catch (problem) {
        if (problem instanceof DeviceError) return problem.problem.kind
        throw problem
      }
      return 'done'
    }
    async function sellOne(): Promise<string> {
      await printer.openFiscal(opening)
      await printer.sellArticle(bread())
      await printer.pay({ mode: CASH })
      return (await printer.closeFiscal()).receiptNumber
    }

    it('reports the same identity at each query', async () => {
      const first = await printer.connect()
      expect(first).toMatchObject({ family, serialNumber: books().profile.serialNumber, model: books().profile.model })
      expect(await printer.connect()).toEqual(first)
    })

    it('reads an article of which more was sold than was in stock', async () => {
      const { turnover: _turnover, sold: _sold, ...article } = books().articles.get(1) ?? expect.fail('no article 1')
      expect(books().articles.program({ ...article, stock: -1000 })).toMatchObject({ ok: true })
      expect(await printer.article?.(1)).toMatchObject({ plu: 1, name: 'Bread', price: 120 })
    })

    it('reads an article of which more was voided than sold', async () => {
      const device = books()
      const reversal = { kind: 'reversal', reason: 'refund', invoice: false, operator: 1, pointOfSale: 1 } as const
      expect(device.cashInOut({ direction: 'in', amount: 1000 })).toMatchObject({ ok: true })
      expect(device.openFiscal(reversal)).toMatchObject({ ok: true })
      expect(device.sell({ plu: 1, name: 'Bread', taxCode: 1, price: 120, quantity: 3000, void: false })).toMatchObject(
        { ok: true },
      )
      expect(device.pay({ mode: CASH })).toMatchObject({ ok: true })
      expect(device.closeFiscal()).toMatchObject({ ok: true })
      expect(device.articles.get(1)).toMatchObject({ turnover: -360, sold: -3000 })
      expect(await printer.article?.(1)).toMatchObject({ plu: 1, name: 'Bread', price: 120 })
    })

    it('reconnects by itself after it was disconnected', async () => {
      await printer.disconnect()
      expect((await printer.transactionStatus()).isOpen).toBe(false)
    })

    it('closes a receipt under the running number of its document', async () => {
      const number = await sellOne()
      expect(Number(number)).toBe(books().counters.lastReceipt)
      expect(await printer.lastDocument()).toBe(books().counters.lastDocument)
      expect(await sellOne()).toBe(String(Number(number) + 1))
    })

    it('reports the state of a receipt in the amounts of the device', async () => {
      await printer.openFiscal(opening)
      await printer.sellArticle(bread(2 * ONE))
      const price = books().articles.get(1)?.price ?? 0
      expect(await printer.transactionStatus()).toMatchObject({ isOpen: true, kind: 'Fiscal', total: 2 * price })
      await printer.pay({ mode: CARD, amount: price })
      expect(await printer.transactionStatus()).toMatchObject({ isOpen: true, paid: price, remaining: price })
      await printer.pay({ mode: CASH, amount: price })
      await printer.closeFiscal()
      expect(books().day).toMatchObject({ total: 2 * price, payments: { [CASH]: price, [CARD]: price } })
    })

    it('gives change for cash, and no change for a card', async () => {
      await printer.openFiscal(opening)
      await printer.sellArticle(bread())
      expect(await kindOf(printer.pay({ mode: CARD, amount: 99_999 }))).toMatch(/refused|badValue/)
      await printer.pay({ mode: CASH, amount: 99_999 })
      await printer.closeFiscal()
      expect(books().day.drawerCash).toBe(books().articles.get(1)?.price)
    })

    it('adjusts a row and a subtotal by percent', async () => {
      await printer.openFiscal(opening)
      await printer.sellArticle({
        plu: 1,
        quantity: 10 * ONE,
        void: false,
        adjustment: { kind: 'discount', percent: 1_000 },
      })
      await printer.subtotal({ print: true, display: false, adjustment: { kind: 'surcharge', percent: 500 } })
      const row = ((books().articles.get(1)?.price ?? 0) * 10 * 9) / 10
      await printer.pay({ mode: CASH })
      await printer.closeFiscal()
      expect(books().day.total).toBe(row + Math.round(row / 20))
      expect(books().day).toMatchObject({ discounts: { count: 1 }, surcharges: { count: 1 } })
    })

    it('voids a sale', async () => {
      await printer.openFiscal(opening)
      await printer.sellArticle(bread())
      await printer.sellArticle({ plu: 2, quantity: ONE, void: false })
      await printer.sellArticle({ plu: 2, quantity: ONE, void: true })
      await printer.pay({ mode: CASH })
      await printer.closeFiscal()
      expect(books().day).toMatchObject({ total: books().articles.get(1)?.price, voids: { count: 1 } })
    })

    it('sells items that are not programmed', async (context) => {
      const { freeSale } = printer.capabilities
      const sale = {
        name: 'Café',
        taxCode: 2,
        price: 250,
        quantity: ONE,
        department: 0,
        unit: 'cup',
        void: false,
      } as const
      await printer.openFiscal(opening)
      if (freeSale !== true) {
        const framesBefore = subject.emulator.frames().length
        expect(await kindOf(printer.sell(sale))).toBe('unsupported')
        expect(subject.emulator.frames()).toHaveLength(framesBefore)
        return context.skip(freeSale.refusedBecause)
      }
      await printer.sell(sale)
      await printer.pay({ mode: CASH })
      await printer.closeFiscal()
      expect(books().day.taxes[1]).toBe(250)
    })

    it('cancels before a payment, without turnover and with a separate document', async () => {
      await printer.openFiscal(opening)
      await printer.sellArticle(bread())
      await printer.cancelFiscal()
      expect(books().day).toMatchObject({ total: 0, cancelled: { count: 1 } })
      expect(
        books()
          .documents()
          .map(({ kind }) => kind),
      ).toEqual(['cancelled'])
    })

    it('prints a non-fiscal receipt, and voids another', async () => {
      await openNonFiscal()
      await printer.printNonFiscalText({ text: 'opening hours' })
      await printer.printSeparatingLine(3)
      await printer.closeNonFiscal()
      await openNonFiscal()
      await printer.cancelNonFiscal()
      const [printed, voided] = books().documents()
      expect(printed?.text.join('\n')).toMatch(/opening hours[\s\S]*\*{10}/)
      expect(voided).toMatchObject({ kind: 'nonFiscal' })
    })

    it.each([
      ['close with nothing open', (p: FiscalPrinter) => p.closeFiscal()],
      ['sell with nothing open', (p: FiscalPrinter) => p.sellArticle(bread())],
      ['cancel with nothing open', (p: FiscalPrinter) => p.cancelFiscal()],
      ['copy before any receipt', (p: FiscalPrinter) => p.copyLastReceipt()],
    ])('refuses to %s, and nothing changes', async (_, act) => {
      const before = books().snapshot()
      expect(await kindOf(act(printer))).toBe('refused')
      expect(books().snapshot()).toEqual(before)
    })

    it('prints reports, closes the day, and reads the Z report back', async () => {
      await sellOne()
      const total = books().day.total
      await printer.reportX()
      expect(books().day.total).toBe(total)
      await printer.reportZ()
      expect(books().day.total).toBe(0)
      expect(await printer.archivedZ(1)).toMatchObject({ number: 1, total, receiptsCount: 1, cashIn: 0, cashOut: 0 })
      expect(await printer.archivedZ(2)).toBeUndefined()
    })

    it('copies the last receipt', async () => {
      const number = await sellOne()
      expect(await printer.copyLastReceipt()).toMatchObject({ receiptNumber: number })
      expect(
        books()
          .documents()
          .map(({ kind }) => kind),
      ).toEqual(['fiscal', 'copy'])
    })

    it('names the receipt that it copied, also after cancelled receipts and other documents', async () => {
      await sellOne()
      for (let cancelled = 0; cancelled < 2; cancelled++) {
        await printer.openFiscal(opening)
        await printer.sellArticle({ plu: 1, quantity: 1000, void: false })
        await printer.cancelFiscal()
      }
      for (let copies = 0; copies < 2; copies++) {
        const { receiptNumber } = await printer.copyLastReceipt().catch(() => ({ receiptNumber: undefined }))
        // Family C prints only one copy of each receipt.
        if (receiptNumber === undefined) return
        const copy = books().documents().at(-1)?.text.join('\n') ?? ''
        const word = books().profile.paper.words.more?.document ?? 'No'
        expect(copy).toMatch(new RegExp(`${word} 0*${receiptNumber}\\b`))
        await printer.reportX()
      }
    })

    it('shows two lines to the customer', async () => {
      await printer.displayLine(1, 'Total')
      await printer.displayLine(2, 'a text that is longer than the display')
      expect(books().display.lines).toEqual(['Total'.padEnd(20), 'a text that is longe'])
      await printer.clearDisplay()
      expect(books().display.lines).toEqual([' '.repeat(20), ' '.repeat(20)])
    })

    it('prints each type of barcode that its capabilities list, and refuses the others', async () => {
      const { barcodes } = printer.capabilities
      const data: Readonly<Record<number, string>> = {
        1: '1234567',
        2: '590123412345',
        9: '03600029145',
        10: '01234565',
      }
      await openNonFiscal()
      for (const { type } of barcodes) {
        expect([type, await kindOf(printer.printBarcode({ type, data: data[type] ?? '123456' }))]).toEqual([
          type,
          'done',
        ])
      }
      expect(
        await kindOf(printer.printBarcode({ type: barcodes.some(({ type }) => type === 5) ? 4 : 5, data: '123456' })),
      ).toBe('unsupported')
    })

    it.each([
      ['the paper is out', 'out'],
      ['the cover is open', 'cover'],
    ] as const)('reports that it cannot print while %s', async (_, what) => {
      if (what === 'out') subject.emulator.device.mechanism.setPaper('out')
      else subject.emulator.device.mechanism.setCover(true)
      expect(await kindOf(printer.openFiscal(opening))).toBe('cannotPrint')
      subject.emulator.device.mechanism.setPaper('ok')
      subject.emulator.device.mechanism.setCover(false)
      await sellOne()
    })
  })
}
