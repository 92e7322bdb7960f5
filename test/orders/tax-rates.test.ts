import supertest from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { startMockPlatform } from '../../scenarios/mock-platform/mock-platform.ts'
import { readOrders } from '../../scenarios/mock-platform/orders.ts'
import { type PrintingService, startService } from '../support/rig.ts'
import { FILE, ORDER_RATES, platformConfig } from './cases.ts'

let rig: PrintingService
afterEach(() => rig.close())

const WRONG = {
  ...FILE.config,
  taxCodes: [
    { rate: '21.00', code: 1 },
    { rate: '11.00', code: 4 },
  ],
}
const DIFFERENCE =
  'tax code 4 is programmed with 0.00% in the device, but platform.mapping.taxCodes says 11.00%; program the device or change platform.mapping.taxCodes'

describe.each(FAMILIES)('family %s', (family) => {
  it('GET /tax-rates shows the programmed rates', async () => {
    rig = await startService({ family, settings: ORDER_RATES })
    const { StatusCode, Data } = await rig.get('/tax-rates')
    expect(StatusCode).toBe(200)
    expect(Data.slice(0, 4)).toEqual([
      { TaxCode: 1, Letter: 'A', Rate: 21 },
      { TaxCode: 2, Letter: 'B', Rate: 11 },
      { TaxCode: 3, Letter: 'C', Rate: 9 },
      { TaxCode: 4, Letter: 'D', Rate: 0 },
    ])
    expect(Data.length).toBe(8)
  })

  it('the start compares the configuration with the device, and opens no receipt', async () => {
    const settings = { platform: platformConfig(WRONG) }
    rig = await startService({ family, settings: ORDER_RATES }, { settings })
    await rig.checkTaxCodes()
    expect(rig.warnings).toEqual([DIFFERENCE])
    expect(rig.papers()).toEqual([])
  })
})

describe('callers that send the tax code themselves', () => {
  const sale = (TaxCode: number) => ({ ProductName: 'Tea', TaxCode, Price: 1, Department: 0, Unit: 'pcs', Quantity: 1 })
  const warningOf = async (path: string, body: object) =>
    (await supertest(rig.app).post(`/api${path}`).send(body)).headers['x-warnings']

  it('are warned of a code whose rate differs, on the REST endpoint and in both legacy formats', async () => {
    rig = await startService({ family: 'A', settings: ORDER_RATES }, { settings: { platform: platformConfig(WRONG) } })
    await rig.checkTaxCodes()
    await rig.post('/open-fiscal-receipt', {
      OperatorCode: 1,
      OperatorPassword: '0001',
      PointOfSaleNumber: 1,
      Invoice: false,
    })
    expect(await warningOf('/register-free-sale', sale(1))).toBeUndefined()
    expect(await warningOf('/register-free-sale', sale(4))).toBe(DIFFERENCE)
    await rig.post('/cancel-fiscal-receipt')
    expect(await warningOf('/Receipt', ['S^Paine^350^1000^buc^1^1', 'P^1^350'])).toBeUndefined()
    expect(await warningOf('/Receipt', ['S^Paine^350^1000^buc^4^1', 'P^1^350'])).toBe(DIFFERENCE)
    expect(await warningOf('/Receipt', ['S,1,______,_,__;Ceai;6.50;1.000;1;1;4;0;0;buc', 'T,1,______,_,__;'])).toBe(
      DIFFERENCE,
    )
  })

  it('are warned of a disabled code', async () => {
    const taxRates = { ...ORDER_RATES.taxRates, 3: null }
    rig = await startService({ family: 'C', settings: { taxRates } }, { settings: { platform: platformConfig(WRONG) } })
    await rig.checkTaxCodes()
    expect(await warningOf('/register-free-sale', sale(3))).toBe('tax code 3 is switched off in the device')
  })
})

describe('family B, which prints the tax group of its article', () => {
  it('refuses an order whose article is in another group, before anything is opened', async () => {
    const platform = await startMockPlatform(0, { orders: readOrders(FILE) })
    const plu = [{ taxCode: 2, plu: 1 }]
    const config = platformConfig({ ...FILE.config, plu }, { baseUrl: `${platform.url}/{shop}` })
    rig = await startService({ family: 'B', settings: ORDER_RATES }, { settings: { platform: config } })
    const printed = await supertest(rig.app)
      .post('/api/print-platform-order/5600000007007')
      .set('Authorization', `Bearer ${platform.mint()}`)
    await platform.close()
    expect(printed.body).toEqual({
      StatusCode: 400,
      Message:
        'article 1 has tax code 1 in the device, line 1 needs tax code 2; program the device or change platform.mapping.plu',
    })
    expect(rig.papers()).toEqual([])
  })
})
