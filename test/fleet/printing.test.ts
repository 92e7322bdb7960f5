/**
 * Receipts that the control panel prints on printers of a fleet: each runs in the thread of its printer, over the
 * printer's own wire.
 */
import supertest from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFleetPanel, type Panel } from '../../emulator/panel/panel.ts'
import { openFleet, planOf, type SmallFleet, tillAt } from './small-fleet.ts'

let small: SmallFleet
let panel: Panel
const post = async (path: string, body: object = {}) =>
  (await supertest(panel.app).post(`/emulator/fleet/${path}`).send(body)).body
const get = async (path: string) => (await supertest(panel.app).get(`/emulator/fleet/${path}`)).body

const RECEIPT = {
  ReceiptItems: [
    { Type: 1, PluSale: { PluNumber: 1, Quantity: 2, DiscountType: 2, DiscountValue: 10 } },
    { Type: 1, PluSale: { PluNumber: 2 } },
    { Type: 1, PluSale: { PluNumber: 2, Void: true } },
  ],
  Payments: [{ PaymentMode: 0, Amount: 20 }],
}

beforeAll(async () => {
  small = await openFleet([
    planOf('shop-a'),
    planOf('shop-b', { family: 'B' }),
    planOf('shop-c', { family: 'C' }),
    planOf('busy'),
  ])
  panel = createFleetPanel(small.fleet)
})
afterAll(async () => {
  panel?.close()
  await small?.fleet.close()
})

describe.each(['a', 'b', 'c'])('a printer of family %s', (family) => {
  const name = `shop-${family}`

  it('prints a composed receipt, and prints it again, while its line is open', async () => {
    expect((await get(`${name}/registers`)).composes).toBe(true)
    expect(await post(`${name}/receipts`, RECEIPT)).toEqual({ document: 1, documents: [1], message: null, errors: [] })
    expect(await post(`${name}/documents/1/again`)).toEqual({ document: 2, documents: [2], message: null, errors: [] })
    const [first, second] = await get(`${name}/documents`)
    expect(first.total).not.toBe('0.00')
    expect([second.kind, second.total, second.paymentModes]).toEqual([first.kind, first.total, first.paymentModes])
    const frames: { command: string }[] = await get(`${name}/frames?document=2`)
    expect(frames.map(({ command }) => command)).toContain('openFiscal')
    const others: { name: string }[] = await get('documents?content=none')
    expect(others.filter((one) => one.name === name)).toHaveLength(2)
  })

  it('names the wrong member of a receipt', async () => {
    const wrong = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 'two' } }] }
    const { document, errors } = await post(`${name}/receipts`, wrong)
    expect([document, errors[0].path]).toEqual([null, 'ReceiptItems[0].PluSale.Quantity'])
  })
})

it('a printer with a receipt of a till on its line reports that receipt, and does not change it', async () => {
  const port = small.fleet.printers.find(({ plan }) => plan.name === 'busy')?.tcp
  const till = await tillAt(port ?? 0)
  await till.receipt()
  await till.ask(48, '1\t0000\t1\t\t')
  await till.ask(49, 'tea\t1\t1.50\t\t\t\t0\t')
  for (const [path, body] of [
    ['busy/receipts', RECEIPT],
    ['busy/documents/1/again', {}],
  ] as const) {
    const { document, message } = await post(path, body)
    expect(document).toBeNull()
    expect(message).toMatch(/Receipt 2, opened by another program, is still open/)
    expect((await get('busy')).receipt).toMatchObject({ number: 2, items: 1, total: '1.50' })
  }
  await till.ask(53, '0\t5.00\t\t')
  await till.ask(56)
  expect((await post('busy/receipts', RECEIPT)).document).toBe(3)
  till.close()
})

it('a printer prints again after its thread has died and was restarted', async () => {
  const last = (await get('busy/documents')).length
  // An invalid message causes an uncaught error in the thread.
  small.threads[1]?.postMessage(null)
  await expect.poll(() => small.log.some((line) => line.startsWith('thread 2 was restarted'))).toBe(true)
  expect(await post('busy/receipts', RECEIPT)).toEqual({
    document: last + 1,
    documents: [last + 1],
    message: null,
    errors: [],
  })
})
