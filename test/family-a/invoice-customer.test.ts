/**
 * The customer of an invoice on profile bg: the driver refuses data that 57 cannot carry before the invoice is paid
 * (sheet 6.4).
 */
import { describe, expect, it } from 'vitest'
import { hostShape } from '../../drivers/family-a/protocol/frame.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import type { Customer } from '../../drivers/model/receipt.ts'
import { settingsOf } from '../../server/config.ts'
import { problemOf } from '../support/problems.ts'
import { composeService, startPrinter } from '../support/rig.ts'

const OPENING = { operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: true }
const of = (taxNumber: string): Customer => ({ taxNumber, name: 'Corner Cafe', address: '1 Market Street' })

function rig() {
  const device = startPrinter({ family: 'A', profile: 'bg' })
  const sent: number[] = []
  const driver = (customer?: Customer) =>
    device.driver(customer ? { customer } : {}, {
      trace({ direction, bytes }) {
        const frame = direction === 'toDevice' ? hostShape.parse(bytes) : undefined
        if (frame) sent.push(frame.code)
      },
    })
  const paper = () => device.emulator.device.documents().at(-1)?.text.join('\n') ?? ''
  return { ...device, driver, sent, paper }
}

async function paidInvoice(printer: ReturnType<ReturnType<typeof rig>['driver']>): Promise<void> {
  await printer.openFiscal(OPENING)
  await printer.sellArticle({ plu: 1, quantity: 1000, void: false })
  await printer.pay({ mode: 0 })
}

describe('a tax number of a customer', () => {
  it.each([
    ['BG 123456789', 'BG123456789'],
    ['12-345', '000012345'],
    ['131 129 282', '131129282'],
    [' bg131.129.282 ', 'bg131129282'],
    ['EL/123456789', 'EL123456789'],
    ['1234567890123', '1234567890123'],
  ])('%j is sent without its grouping characters', async (taxNumber, printed) => {
    const { driver, paper } = rig()
    const printer = driver(of(taxNumber))
    await paidInvoice(printer)
    expect(await printer.closeFiscal()).toMatchObject({ receiptNumber: '1' })
    expect(paper()).toContain(printed)
    expect(paper()).toContain('Corner Cafe')
  })

  it.each([
    ['12345678901234', '14 characters; expected 8 to 13'],
    ['12345678A', '"12345678A" must have digits only, after an optional country code of two letters'],
    ['ЕИК 131129282', '"ЕИК 131129282" must have digits only, after an optional country code of two letters'],
  ])('%j is refused before the invoice is opened', async (taxNumber, why) => {
    const { driver, sent, emulator } = rig()
    const badValue = { kind: 'badValue', field: 'taxNumber', why }
    const configured = driver(of(taxNumber))
    expect(await problemOf(configured.openFiscal(OPENING))).toMatchObject(badValue)
    expect(sent).not.toContain(48)
    expect(emulator.device.receipt).toBeNull()
    // Other receipts, and invoices to another customer, are not affected.
    await configured.openFiscal({ ...OPENING, invoice: false })
    await configured.cancelFiscal()
    await configured.openFiscal({ ...OPENING, customer: of('131129282') })
    await configured.cancelFiscal()
    await configured.disconnect()
    sent.length = 0
    const named = { ...OPENING, customer: of(taxNumber) }
    expect(await problemOf(driver().openFiscal(named))).toMatchObject(badValue)
    expect(sent).not.toContain(48)
  })

  it('that the wire protocol cannot carry is answered with 400 for a complete receipt, and the device continues to print', async () => {
    const { driver, emulator } = rig()
    const service = composeService(driver(of('12345678901234')), { clock: systemClock })
    const items = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 1 } }] }
    const operator = { OperatorCode: 1, OperatorPassword: '0000', PointOfSaleNumber: 1 }
    const invoice = { OpenFiscalReceipt: { ...operator, Invoice: true }, ...items }
    const { StatusCode, Message } = await service.post('/print-fiscal-receipt', invoice)
    expect([StatusCode, Message]).toEqual([400, 'OpenFiscalReceipt: taxNumber: 14 characters; expected 8 to 13.'])
    expect(emulator.device.documents()).toEqual([])
    expect(await service.post('/print-fiscal-receipt', items)).toMatchObject({ StatusCode: 200 })
    await service.close()
  })

  it.each([
    ['that cannot be carried', '12345678901234'],
    ['that the device refuses', '12345678A'],
  ])('%s is left out when an invoice that is already paid is closed', async (_, taxNumber) => {
    const { driver, paper } = rig()
    const before = driver()
    await paidInvoice(before)
    await before.disconnect()
    // The second driver is that of a restarted service with another configuration.
    expect(await driver(of(taxNumber)).closeFiscal()).toMatchObject({ receiptNumber: '1' })
    expect(paper()).toContain('999999999')
    expect(paper()).not.toContain('Corner Cafe')
  })
})

describe('the configured customer', () => {
  const read = (taxNumber: string) => settingsOf({ defaults: { customer: { taxNumber } } }).defaults.customer?.taxNumber

  it.each(['BG 123456789', '12-345', '12345678901234', '-', 'NL123456789B01', 'RO 12 34 56 78 90 12 3'])(
    'has a tax number that some device can carry: %s',
    (taxNumber) => {
      expect(read(taxNumber)).toBe(taxNumber)
    },
  )

  it('is reported at the start if no device can carry its tax number', () => {
    expect(() => read('BG12345678901234')).toThrow(/expected a tax number of at most 15 letters and digits/)
  })
})
