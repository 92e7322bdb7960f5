/**
 * The service as its callers see it, on an emulated device: every row of specification 3 and 4 and of decisions 2 and 3
 * that affects a caller. The parameters are the family and the connection to the device.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Capabilities } from '../../drivers/model/capabilities.ts'
import type { Family } from '../../drivers/model/families.ts'
import { type CheckedFamilies, OWN_FAMILIES } from '../../scenarios/simulation/checked-families.ts'
import { type Answer, type PrintingService, startService, type Way } from '../support/rig.ts'

const FREE_SALE = { ProductName: 'Bread', TaxCode: 2, Price: 1.5, Department: 0, Unit: 'pcs' }
const PLU = { PluNumber: 1 }
const OK = { StatusCode: 200, Data: expect.any(String) }
const REFUSED = { StatusCode: 400, Message: expect.stringMatching(/./) }

export function describeService(family: Family, way: Way, { drivers, devices }: CheckedFamilies = OWN_FAMILIES): void {
  describe(`the service on family ${family}, ${way}`, () => {
    let subject: PrintingService
    let can: Capabilities
    let operator: { OperatorCode: number; OperatorPassword: string }

    beforeAll(async () => {
      subject = await startService({ family, families: devices, drivers, way })
      can = subject.printer.capabilities
      operator = { OperatorCode: 1, OperatorPassword: can.defaultPassword(1) }
    })
    beforeEach(() => subject.emulator.reset())
    afterAll(() => subject.close())

    const post = (path: string, body?: object, key?: string) => subject.post(path, body, key)
    const open = (invoice = false) =>
      post('/open-fiscal-receipt', { ...operator, PointOfSaleNumber: 1, Invoice: invoice })
    const openNonFiscal = () => post('/open-non-fiscal-receipt', can.nonFiscalNeedsOperator ? operator : undefined)
    const status = async () => (await post('/status-of-the-fiscal-transaction')).Data
    const paper = () => subject.emulator.device.documents().map(({ kind }) => kind)
    const cash = (Amount: number) => post('/payment', { PaymentMode: 0, Amount })

    describe('a fiscal receipt', () => {
      it('is opened and closed, and the answer contains its number', async () => {
        expect(await open()).toEqual(OK)
        expect(await status()).toMatchObject({ IsOpen: true, Kind: 'Fiscal' })
        expect(await post('/register-plu-sale', PLU)).toEqual(OK)
        expect(await post('/print-fiscal-text', { Message: 'thank you' })).toEqual(OK)
        expect(await post('/subtotal')).toEqual(OK)
        expect(await cash(100)).toEqual(OK)
        const closed = await post('/close-fiscal-receipt')
        expect(closed).toEqual({ StatusCode: 200, Data: expect.stringMatching(/^\d+$/) })
        expect(await status()).toMatchObject({ IsOpen: false, Kind: 'None' })
        expect(paper()).toEqual(['fiscal'])
      })

      it('reports its sum, the paid and the remaining amount', async () => {
        await open()
        await post('/register-plu-sale', { PluNumber: 1, Quantity: 2 })
        const { Total } = await status()
        await cash(1)
        expect(await status()).toMatchObject({ Total, Paid: 1, Remaining: Math.round((Total - 1) * 100) / 100 })
      })

      it('is refused while another receipt is open, and the open receipt is unchanged', async () => {
        await open()
        await post('/register-plu-sale', PLU)
        const before = await status()
        for (const answer of [await open(), await openNonFiscal(), await post('/report-z')])
          expect(answer).toEqual(REFUSED)
        expect(await status()).toEqual(before)
      })

      it('can be cancelled before a payment, and not after a payment', async () => {
        await open()
        await post('/register-plu-sale', PLU)
        expect(await post('/cancel-fiscal-receipt')).toEqual(OK)
        expect(paper()).toEqual(['cancelled'])
        await open()
        await post('/register-plu-sale', { PluNumber: 1, Quantity: 10 })
        await cash(1)
        expect(await post('/cancel-fiscal-receipt')).toEqual(REFUSED)
        expect(await status()).toMatchObject({ IsOpen: true, Paid: 1 })
      })

      it('accepts several payments; only cash may exceed the remaining amount; only cash gives change', async () => {
        await open()
        await post('/register-plu-sale', { PluNumber: 1, Quantity: 10 })
        expect(await post('/payment', { PaymentMode: 1, Amount: 9999 })).toEqual(REFUSED)
        expect(await post('/payment', { PaymentMode: 1, Amount: 2 })).toEqual(OK)
        expect(await cash(9999)).toEqual(OK)
        expect((await post('/close-fiscal-receipt')).StatusCode).toBe(200)
      })

      it('is not closed unpaid', async () => {
        await open()
        await post('/register-plu-sale', PLU)
        expect(await post('/close-fiscal-receipt')).toEqual(REFUSED)
        expect(await status()).toMatchObject({ IsOpen: true })
      })

      it('can contain the void of a sale', async () => {
        await open()
        await post('/register-plu-sale', PLU)
        await post('/register-plu-sale', PLU)
        const { Total } = await status()
        expect(await post('/register-plu-sale', { ...PLU, Void: true })).toEqual(OK)
        expect((await status()).Total).toBe(Total / 2)
      })

      it('cannot be opened with a wrong password, nor contain an article that the device lacks', async () => {
        const wrong = { ...operator, OperatorPassword: '9876', PointOfSaleNumber: 1, Invoice: false }
        expect(await post('/open-fiscal-receipt', wrong)).toEqual(REFUSED)
        await open()
        expect(await post('/register-plu-sale', { PluNumber: 2999 })).toEqual(REFUSED)
      })

      it('as an invoice opens and closes without further data', async (context) => {
        if (!can.invoice) context.skip('this family ignores the invoice flag')
        expect(await open(true)).toEqual(OK)
        expect((await status()).Kind).toBe('Invoice')
        await post('/register-plu-sale', PLU)
        await cash(100)
        expect((await post('/close-fiscal-receipt')).StatusCode).toBe(200)
        expect(paper()).toEqual(['invoice'])
      })

      it('accepts a free sale, or the refusal names register-plu-sale', async () => {
        await open()
        const answer = await post('/register-free-sale', FREE_SALE)
        if (can.freeSale === true) expect(answer).toEqual(OK)
        else expect(answer).toMatchObject({ StatusCode: 400, Message: expect.stringContaining('register-plu-sale') })
      })

      it("refuses a price of 0.00 with the device's own words", async (context) => {
        if (can.freeSale !== true) context.skip('this family has no free sales')
        await open()
        expect(await post('/register-free-sale', { ...FREE_SALE, Price: 0 })).toEqual(REFUSED)
      })
    })

    it.each(['register-plu-sale', 'print-fiscal-text', 'subtotal', 'payment', 'close-fiscal-receipt', 'cancel-fiscal-receipt',
      'print-non-fiscal-text', 'close-non-fiscal-receipt', 'cancel-non-fiscal-receipt', 'print-separating-line/1'])(
      '%s without a receipt is refused, and nothing is printed',
      async (path) => {
        const bodies: Record<string, object> = { 'register-plu-sale': PLU, payment: { PaymentMode: 0, Amount: 1 } }
        expect(await post(`/${path}`, bodies[path] ?? (path.endsWith('text') ? { Message: 'x' } : {}))).toEqual(REFUSED)
        expect([await status(), paper()]).toMatchObject([{ IsOpen: false, Kind: 'None' }, []])
      },
    ) // biome-ignore format: a table

    describe('a non-fiscal receipt', () => {
      it('is opened and closed', async () => {
        expect(await openNonFiscal()).toEqual(OK)
        expect(await status()).toMatchObject({ IsOpen: true, Kind: 'NonFiscal' })
        expect(await post('/print-non-fiscal-text', { Message: 'Здравей' })).toEqual(OK)
        for (const style of [1, 2, 3, 4]) expect(await post(`/print-separating-line/${style}`)).toEqual(OK)
        expect(await post('/close-non-fiscal-receipt')).toEqual(OK)
        expect(paper()).toEqual(['nonFiscal'])
      })

      it('is cancelled by a line that marks it as void', async () => {
        await openNonFiscal()
        expect(await post('/cancel-non-fiscal-receipt')).toEqual(OK)
        expect(await status()).toMatchObject({ IsOpen: false })
      })

      it('refuses a fiscal text, and a fiscal receipt refuses another text', async () => {
        await openNonFiscal()
        expect(await post('/print-fiscal-text', { Message: 'x' })).toEqual(REFUSED)
        await post('/close-non-fiscal-receipt')
        await open()
        expect(await post('/print-non-fiscal-text', { Message: 'x' })).toEqual(REFUSED)
        expect(await post('/cancel-non-fiscal-receipt')).toEqual(REFUSED)
      })

      it('accepts a barcode, or the service returns NotSupportedException', async () => {
        await openNonFiscal()
        const answer = await post('/print-bar-code', { Type: 1, Data: '1234567' })
        if (can.barcodes.length > 0) expect(answer).toEqual(OK)
        else expect(answer.Message).toMatch(/^NotSupportedException:/)
      })
    })

    describe('a complete receipt', () => {
      const items = {
        ReceiptItems: [
          { Type: 1, PluSale: PLU },
          { Type: 2, Text: { Message: 'x' } },
          { Type: 4, SeparatingLineType: 3 },
        ],
      }

      it('is printed, paid in cash and closed, and the next number is one higher', async () => {
        const first = await post('/print-fiscal-receipt', items)
        const second = await post('/print-fiscal-receipt', {
          ...items,
          Subtotal: { Print: true },
          Payments: [{ PaymentMode: 0, Amount: 500 }],
        })
        expect(first).toEqual({ StatusCode: 200, Data: expect.stringMatching(/^\d+$/) })
        expect(Number(second.Data)).toBe(Number(first.Data) + 1)
        expect(paper()).toEqual(['fiscal', 'fiscal'])
      })

      it('is cancelled when an item is refused', async () => {
        const answer = await post('/print-fiscal-receipt', {
          ReceiptItems: [
            { Type: 1, PluSale: PLU },
            { Type: 1, PluSale: { PluNumber: 2999 } },
          ],
        })
        expect(answer).toMatchObject({
          StatusCode: 400,
          Message: expect.stringMatching(/The receipt was cancelled\.$/),
        })
        expect([await status(), paper()]).toMatchObject([{ IsOpen: false }, ['cancelled']])
      })

      it('is cancelled before anything is paid if its payments do not equal the sum', async () => {
        for (const Amount of [0.2, 9999]) {
          const Payments = [
            { PaymentMode: 0, Amount: 0.1 },
            { PaymentMode: 1, Amount },
          ]
          const answer = await post('/print-fiscal-receipt', { ...items, Payments })
          const Message = expect.stringMatching(/^Payments.* (?:total|exceeds) .* The receipt was cancelled\.$/)
          expect(answer).toMatchObject({ StatusCode: 400, Message })
        }
        expect([await status(), paper()]).toMatchObject([{ IsOpen: false }, ['cancelled', 'cancelled']])
      })

      it('with the same Idempotency-Key is printed once', async () => {
        const first = await post('/print-fiscal-receipt', items, 'key-1')
        expect(await post('/print-fiscal-receipt', items, 'key-1')).toEqual(first)
        expect(paper()).toEqual(['fiscal'])
      })

      it('may be non-fiscal', async () => {
        const ReceiptItems = [
          { Type: 0, Text: { Message: 'x' } },
          { Type: 2, SeparatingLineType: 1 },
        ]
        expect(await post('/print-non-fiscal-receipt', { ReceiptItems })).toEqual(OK)
        expect(paper()).toEqual(['nonFiscal'])
      })
    })

    describe('a device that cannot print', () => {
      const receipt = { ReceiptItems: [{ Type: 1, PluSale: PLU }] }

      it('is answered with 424 without paper, with what to do, and prints again with a new roll', async () => {
        subject.emulator.setPaper('out')
        const answer: Answer = await post('/print-fiscal-receipt', receipt)
        expect(answer).toMatchObject({ StatusCode: 424, Message: expect.stringMatching(/paper/) })
        subject.emulator.setPaper('ok')
        expect((await post('/print-fiscal-receipt', receipt)).StatusCode).toBe(200)
        expect(paper().filter((kind) => kind === 'fiscal')).toHaveLength(1)
      })

      it('is answered with 424 without its cable, and needs no restart when the cable is back', async () => {
        await subject.emulator.setCable(false)
        expect((await post('/report-x')).StatusCode).toBe(424)
        await subject.emulator.setCable(true)
        expect((await post('/report-x')).StatusCode).toBe(200)
      })
    })

    describe('the documents of the day', () => {
      it('include X and Z reports with text, and the Z report is found in the archive with its figures', async () => {
        await post('/print-fiscal-receipt', { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }] })
        expect(await post('/report-x')).toEqual(OK)
        expect(await post('/report-z')).toEqual(OK)
        const { StatusCode, Data } = await subject.get('/ask-for-z-report-structured-information/1')
        expect(StatusCode).toBe(200)
        expect(Data).toMatchObject({ Number: 1, DateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) })
        expect(Data.Total).toBe((subject.emulator.device.memory.z(1)?.total ?? 0) / 100)
        expect((await subject.get('/ask-for-z-report-structured-information/2')).StatusCode).toBe(404)
      })

      it('include a copy: the service refuses it before any receipt, and names its receipt afterwards', async () => {
        expect(await post('/copy-of-last-fiscal-receipt')).toEqual(REFUSED)
        const { Data } = await post('/print-fiscal-receipt', { ReceiptItems: [{ Type: 1, PluSale: PLU }] })
        expect(await post('/copy-of-last-fiscal-receipt')).toEqual({
          StatusCode: 200,
          Data: { ReceiptNumber: Data, Raw: expect.any(String) },
        })
      })
    })

    it('the display shows two lines and can be cleared', async () => {
      expect(await post('/display-line-one', { Text: 'Welcome' })).toEqual(OK)
      expect(await post('/display-line-two', { Text: 'A text that is longer than twenty' })).toEqual(OK)
      expect(subject.emulator.device.display.lines[0]?.trimEnd()).toBe('Welcome')
      expect(subject.emulator.device.display.lines[1]).toBe('A text that is longe')
      expect(await post('/clear-display')).toEqual(OK)
      expect(subject.emulator.device.display.lines.join('').trim()).toBe('')
    })
  })
}
