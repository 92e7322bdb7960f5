/** Messages to callers: every family gives the same message for the same state, and the message says what to do. */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { capabilitiesOf, FAMILIES } from '../../drivers/index.ts'
import { SimulatedClock, systemClock } from '../../drivers/model/clock.ts'
import { CertificateStore } from '../../server/certificates.ts'
import { openStores } from '../../server/compose.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { legacyRoute } from '../../server/legacy/route.ts'
import { listen } from '../../server/listen.ts'
import { describeApi } from '../../server/openapi.ts'
import { orderRoutes } from '../../server/orders/route.ts'
import { createFakePrinter } from '../support/fake-printer.ts'
import { startKillableService } from '../support/killable-service.ts'
import { composeService, type PrintingService, START, startService } from '../support/rig.ts'

const NOTHING = { ReceiptNumber: null, ItemsCount: 0, Total: 0, Paid: 0, Remaining: 0 }

describe.each(['A', 'B', 'C'] as const)('family %s', (family) => {
  let subject: PrintingService
  beforeAll(async () => {
    subject = await startService({ family })
  })
  beforeEach(() => subject.emulator.reset())
  afterAll(() => subject.close())

  const operator = () => ({
    OperatorCode: 1,
    OperatorPassword: subject.printer.capabilities.defaultPassword(1),
  })
  const open = (more: object = {}) =>
    subject.post('/open-fiscal-receipt', { ...operator(), PointOfSaleNumber: 1, Invoice: false, ...more })
  const status = async () => (await subject.post('/status-of-the-fiscal-transaction')).Data
  const documents = () => subject.emulator.device.documents().map(({ kind }) => kind)

  it('the status without an open receipt has no number and zeros, whatever was printed before', async () => {
    expect(await status()).toMatchObject({ IsOpen: false, Kind: 'None', ...NOTHING })
    await subject.post('/print-fiscal-receipt', { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] })
    expect(await status()).toMatchObject({ IsOpen: false, Kind: 'None', ...NOTHING })
    await subject.post('/report-z')
    expect(await status()).toMatchObject({ IsOpen: false, Kind: 'None', ...NOTHING })
  })

  it('the status with an open non-fiscal receipt has its number and zeros', async () => {
    await subject.post('/print-fiscal-receipt', { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] })
    await subject.post('/open-non-fiscal-receipt', operator())
    expect(await status()).toMatchObject({ IsOpen: true, Kind: 'NonFiscal', ...NOTHING, ReceiptNumber: '2' })
  })

  it('Paid is the paid part of Total, without the change', async () => {
    await open()
    await subject.post('/register-plu-sale', { PluNumber: 1 })
    await subject.post('/payment', { PaymentMode: 0, Amount: 100 })
    const { Total, Paid, Remaining } = await status()
    expect([Paid, Remaining]).toEqual([Total, 0])
  })

  it('a receipt without a sale is refused before it is opened', async () => {
    const { StatusCode, Message } = await subject.post('/print-fiscal-receipt', {
      ReceiptItems: [{ Type: 2, Text: { Message: 'x' } }],
    })
    expect([StatusCode, Message]).toEqual([
      400,
      'ReceiptItems must hold at least one sale (Type 0 or 1); a fiscal receipt without any is not printed.',
    ])
    expect(documents()).toEqual([])
  })

  it('an endpoint without a body accepts an object or no body, and each field only once', async () => {
    const twice = await subject.post('/clear-display', { A: 1, a: 2 })
    expect([twice.StatusCode, twice.Message]).toEqual([400, 'a appears twice in one object; send it once.'])
    for (const body of ['"x"', '5', 'true', '[]']) {
      const answer = await subject.raw('/report-x', body)
      expect(answer.Message).toMatch(/^The body must be an object; it is /)
    }
    expect(documents()).toEqual([])
    expect((await subject.raw('/clear-display', '{"Other": 1}')).StatusCode).toBe(200)
    expect((await subject.raw('/clear-display', 'null')).StatusCode).toBe(200)
  })

  it('a password that is not valid is reported without showing it', async (context) => {
    const { digits, max } = subject.printer.capabilities.passwordLength
    if (!digits) context.skip('padded or cut')
    const message = `OperatorPassword must have 1 to ${max} digits on this device.`
    for (const OperatorPassword of ['ж', '1'.repeat(max + 1), ' ']) {
      expect((await open({ OperatorPassword })).Message).toBe(message)
    }
  })

  it('a missing Z report is named with the number of the request', async () => {
    const { StatusCode, Message } = await subject.get('/ask-for-z-report-structured-information/99999999999999999999')
    expect([StatusCode, Message]).toEqual([
      404,
      'There is no Z report number 99999999999999999999 in the fiscal memory.',
    ])
  })

  it('an open cover is reported as an open cover', async () => {
    subject.emulator.setCover(true)
    const { Message } = await subject.post('/report-x')
    subject.emulator.setCover(false)
    expect(Message).toMatch(/^The printer cover is open/)
    expect(Message).toContain('lose')
  })
})

it('family C refuses an amount on a subtotal of two tax groups: the message recommends a percentage, and says that the receipt was cancelled', async () => {
  const subject = await startService({ family: 'C' })
  try {
    const { StatusCode, Message } = await subject.post('/print-fiscal-receipt', {
      ReceiptItems: [1, 4].map((PluNumber) => ({ Type: 1, PluSale: { PluNumber } })),
      Subtotal: { DiscountType: 4, DiscountValue: 0.5 },
    })
    expect([StatusCode, Message]).toEqual([
      400,
      'Subtotal: This device accepts an amount on the subtotal only if all items are of one tax group; use a percentage. The receipt was cancelled.',
    ])
  } finally {
    await subject.close()
  }
})

it.each(['A', 'B', 'C'] as const)(
  'family %s: the outcome of a close that was not reported is reported to a retry',
  async (family) => {
    let unknown = 0
    // The device stops responding at each command in turn, before and after the close.
    for (let skip = 0, first = ''; first !== '200'; skip++) {
      const rig = startKillableService(family)
      const OperatorPassword = rig.printer.capabilities.defaultPassword(1)
      await rig.post('/open-fiscal-receipt', {
        OperatorCode: 1,
        OperatorPassword,
        PointOfSaleNumber: 1,
        Invoice: false,
      })
      await rig.post('/register-plu-sale', { PluNumber: 1 })
      await rig.post('/payment', { PaymentMode: 0, Amount: 100 })
      rig.emulator.faults.add({ at: 'link.toHost', skip, do: 'drop' })
      const { StatusCode, Message } = await rig.post('/close-fiscal-receipt')
      first = String(StatusCode)
      if (Message?.startsWith('Outcome unknown:')) unknown++
      rig.emulator.faults.clear()
      await rig.post('/clear-display')
      if (first !== '200') expect(await rig.post('/close-fiscal-receipt')).toEqual({ StatusCode: 200, Data: '1' })
      expect(rig.emulator.device.documents().map(({ kind }) => kind)).toEqual(['fiscal'])
      await rig.post('/report-x')
      expect((await rig.post('/close-fiscal-receipt')).StatusCode).toBe(400)
      await rig.close()
    }
    expect(unknown).toBeGreaterThan(0)
  },
)

it('a request without a Host is refused in the envelope', async () => {
  const { app } = composeService(createFakePrinter())
  const tls = await new CertificateStore(undefined, systemClock).material(['localhost'])
  const listening = await listen(app, { host: '127.0.0.1', httpPort: 0, httpsPort: 0, hosts: [] }, tls)
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      let received = ''
      connect(Number(new URL(listening.httpUrl).port), '127.0.0.1')
        .setEncoding('latin1')
        .on('data', (text: string) => {
          received += text
          if (received.includes('}')) resolve(received)
        })
        .on('error', reject)
        .on('end', () => resolve(received))
        .write('GET /api/get-local-api-address HTTP/1.1\r\n\r\n')
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('{"StatusCode":400,"Message":"The request has no Host header."}')
  } finally {
    await listening.close(100)
  }
})

describe('the API description', () => {
  const families = new Map(FAMILIES.map((family) => [family, capabilitiesOf({ family, device: '' })]))
  const stores = openStores(new SimulatedClock(START))
  const orders = orderRoutes({
    platform: undefined,
    ...stores,
    log: {},
  })
  // biome-ignore lint/suspicious/noExplicitAny: read as a client would, by the names of the OpenAPI standard.
  const paths = describeApi(endpoints, families, [...orders, legacyRoute({ plu: [] }, stores.prints)])['paths'] as any
  const statuses = (path: string, method = 'post') => Object.keys(paths[path][method].responses)

  it('names every status that an endpoint returns', () => {
    expect(statuses('/report-x')).toEqual(['200', '400', '401', '403', '413', '415', '424', '500', '503'])
    expect(statuses('/get-platform-order/{orderId}', 'get')).toEqual(['200', '400', '401', '403', '404', '500'])
    expect(statuses('/Receipt')).toEqual(['200', '401', '403'])
  })

  it('describes ?again=true', () => {
    const { parameters } = paths['/print-platform-order/{orderId}'].post
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'again', in: 'query', required: false }))
  })

  it('has a table with the sizes of barcodes', () => {
    const { description } = paths['/print-bar-code'].post
    expect(description).toContain(
      '| 1 EAN8 | 7 digits, or 8 with the check digit; Height 7 to 70 mm | 7 digits, or 8 with the check digit; Height 0 to 200 mm; Scale 0 to 9 | - |',
    )
  })
})
