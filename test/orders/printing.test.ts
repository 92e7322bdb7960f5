import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { ServiceError } from '../../server/operations/outcome.ts'
import { sentenceOf } from '../../server/operations/sentences.ts'
import type { OrderRequest } from '../../server/orders/earlier-prints.ts'
import { mappingOf } from '../../server/orders/mapping.ts'
import { orderSchema } from '../../server/orders/order.ts'
import { createOrderPrinting } from '../../server/orders/printing.ts'
import { noPlatform } from '../../server/orders/refusal.ts'
import { orderRoutes } from '../../server/orders/route.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'
import { ARTICLES, CASES, FILE, mappingConfig, ORDER_RATES, type OrderCase, platformOrder } from './cases.ts'

const DAY_MS = 24 * 3_600_000
const SIMPLE = CASES[0]
const A: OrderRequest = { shop: 'a.myshop.example', token: 'first', orderId: '1', again: false }
const LATER = { ...A, token: 'second' }

let rig: KillableService

interface Platform {
  readonly content?: OrderCase | undefined
  /** Error of the platform, which then sends no order. */
  readonly fails?: Error
  readonly mapping?: object
  readonly leftMs?: number
}

type PrintAnswer = { status: number; text: string }

/** The platform has the same order under every id. */
const print = (asked: OrderRequest, platform: Platform = {}): Promise<PrintAnswer> => rig.run(printing(asked, platform))

async function printing(
  asked: OrderRequest,
  { content = SIMPLE, fails, mapping: override, leftMs = REQUEST_MAX_MS }: Platform = {},
): Promise<PrintAnswer> {
  const log = {}
  const [, route] = orderRoutes({ platform: undefined, ...rig.stores, log })
  if (!route || !content) throw new Error('there is no such route, or no order')
  const printing = createOrderPrinting({ platform: undefined, ...rig.stores, log }, rig.service, route.endpoint)
  const order = orderSchema.parse(platformOrder(content))
  const mapping = mappingOf(mappingConfig({ ...(rig.printer.family === 'B' && { plu: ARTICLES }), ...override }))
  const deadline = { until: rig.clock.now() + leftMs }
  const read = () => (fails ? Promise.reject(fails) : Promise.resolve(order))
  const { status, body } = await printing.print(asked, read, mapping, deadline).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error
    return { status: error.outcome.status, body: JSON.stringify({ Message: sentenceOf(error.outcome) }) }
  })
  const { Data, Message } = JSON.parse(body)
  return { status, text: String(Message ?? Data) }
}

const receipts = () => rig.emulator.device.documents().filter(({ kind }) => kind === 'fiscal')

/** Prints the order. The responses to the close and to all later queries are lost. */
async function printWithLostClose(asked: OrderRequest): Promise<void> {
  const isPaid = () => {
    const { receipt } = rig.emulator.device
    return receipt?.kind === 'fiscal' && receipt.fiscal.rest === 0 && receipt.fiscal.paid > 0
  }
  const stop = rig.emulator.subscribe((event) => {
    if (event.type === 'frame' && isPaid()) {
      stop()
      rig.emulator.faults.add({ at: 'link.toHost', do: 'drop', skip: 1 })
    }
  })
  expect((await print(asked)).text).toMatch(/^Outcome unknown:/)
  rig.emulator.faults.clear()
}

describe.each(FAMILIES)('an order on family %s', (family) => {
  beforeEach(() => {
    rig = startKillableService(family, { settings: ORDER_RATES })
  })
  afterEach(() => rig.close())

  it('that was reconciled by another request, and is requested again after its answer expired, is printed once', async () => {
    await printWithLostClose(A)
    expect((await rig.post('/status-of-the-fiscal-transaction')).StatusCode).toBe(200)
    const [receipt] = receipts()
    rig.clock.advance(2 * DAY_MS)
    expect(await print(A)).toEqual({ status: 200, text: String(receipt?.number) })
    const later = await print(LATER)
    expect(later).toMatchObject({ status: 400 })
    expect(later.text).toMatch(new RegExp(`already printed: receipt ${receipt?.number} at 2026-07-15T`))
    expect(receipts().length).toBe(1)
    await rig.post('/report-z')
    expect((await print({ ...LATER, again: true })).status).toBe(200)
    expect(receipts().length).toBe(2)
  })

  it('that is not reconciled yet blocks a request with another token until its outcome is known', async () => {
    await printWithLostClose(A)
    expect((await print(LATER)).text).toMatch(/already printed/)
    expect(receipts().length).toBe(1)
  })

  it('stays printed when its key is used for another order, which is refused even if the answer has expired', async () => {
    const first = await print({ ...A, key: 'k' })
    rig.clock.advance(2 * DAY_MS)
    await rig.post('/report-z')
    const other = await print({ ...A, orderId: '2', token: 'other', key: 'k' })
    expect(other).toMatchObject({ status: 400 })
    expect(other.text).toMatch(/^This Idempotency-Key was already used with a different request/)
    expect(await print({ ...A, key: 'k' })).toEqual(first)
    expect((await print(LATER)).text).toMatch(new RegExp(`receipt ${first.text} `))
    expect(receipts().length).toBe(1)
  })
})

describe('a receipt that differs from its order', () => {
  const TWO = CASES.find(({ expected }) => expected.status === 200 && expected.payments.length > 1)
  // The device has no voucher payment, so the service pays the remaining amount in cash.
  const gateways = { ...(FILE.config['gateways'] as object), cash: 'voucher' }
  const platform = { content: TWO, mapping: { gateways, modes: { cash: 0, card: 1, voucher: 4 } } }
  beforeEach(() => {
    rig = startKillableService('A', { settings: ORDER_RATES })
    rig.emulator.faults.add({ at: 'command.before', on: 'payment', skip: 1, times: 2, do: 'refuse' })
  })
  afterEach(() => rig.close())

  it.each([['without a key', undefined] as const, ['with a key', 'k'] as const])(
    'is never reported as correct, %s',
    async (_, key) => {
      const request = { ...A, ...(key && { key }) }
      const first = await print(request, platform)
      expect(first.text).toMatch(/^Completed as receipt 1: .* The remaining amount was registered as a cash payment\.$/)
      for (const again of [request, A, { ...A, again: true }, { ...A, key: 'other' }, { ...LATER, key: 'other' }])
        expect(await print(again, platform)).toEqual(first)
      expect((await print(LATER, platform)).text).toMatch(/already printed: receipt 1 /)
      rig.clock.advance(2 * DAY_MS)
      const aged = {
        status: 424,
        text: 'Completed as receipt 1: The remaining amount was registered as a cash payment.',
      }
      for (const again of [request, A, { ...A, key: 'third' }]) expect(await print(again, platform)).toEqual(aged)
      expect(receipts().length).toBe(1)
    },
  )

  it('is reported truthfully to a waiting request, too', async () => {
    const both = Promise.all([printing(A, platform), printing({ ...A, key: 'k' }, platform)])
    const [first, other] = await rig.run(both)
    expect(first.text).toMatch(/^Completed as receipt 1:/)
    expect(other).toEqual(first)
    expect(receipts().length).toBe(1)
  })
})

describe('a print that is not reconciled, and an order that cannot be printed now', () => {
  const DOWN = noPlatform()
  beforeEach(() => {
    rig = startKillableService('A', { settings: ORDER_RATES })
  })
  afterEach(() => rig.close())

  it.each<[string, Platform]>([
    ['a platform that fails', { fails: DOWN }],
    ['an order that was cancelled in the meantime', { content: CASES.find(({ expected }) => expected.status === 400) }],
  ])('does not hide the receipt: %s', async (_, platform) => {
    const key = 'k'
    const repeats: readonly (readonly [first: OrderRequest, repeat: OrderRequest, text: RegExp])[] = [
      [A, A, /^1$/],
      [{ ...A, token: 'x', orderId: '2', key }, { ...LATER, orderId: '2', key }, /^2$/],
      [{ ...A, token: 'y', orderId: '3' }, { ...LATER, orderId: '3' }, /already printed: receipt 3 /],
    ]
    for (const [first, repeat, text] of repeats) {
      await printWithLostClose(first)
      expect((await print(repeat, platform)).text).toMatch(text)
    }
    expect(receipts().length).toBe(3)
  })

  it('makes the retry of a running print wait for that print', async () => {
    const first = { ...A, key: 'k' }
    const both = Promise.all([printing(first), printing({ ...LATER, key: 'k' }, { fails: DOWN })])
    const printed = { status: 200, text: '1' }
    expect(await rig.run(both)).toEqual([printed, printed])
  })

  it('does not hide the reason of the refusal if nothing was printed', async () => {
    expect(await print(A, { fails: DOWN })).toEqual({ status: 500, text: DOWN.message })
    rig.stores.prints.begin({ key: 'never begun', part: 0, order: { shop: A.shop, id: A.orderId, token: 'other' } })
    expect(await print(A, { fails: DOWN })).toEqual({ status: 500, text: DOWN.message })
    expect(receipts()).toEqual([])
  })

  it('does not begin a print when the platform has used up the time of the request', async () => {
    const slow = {
      status: 500,
      text: expect.stringMatching(/^the platform did not answer: not within the 120 seconds/),
    }
    expect(await print(A, { leftMs: 0 })).toEqual(slow)
    expect(receipts()).toEqual([])
    expect(await print(A)).toEqual({ status: 200, text: '1' })
  })
})

describe('the same order number in two shops', () => {
  const OTHER = { ...A, shop: 'b.myshop.example', token: 'of b' }
  const refused = {
    status: 400,
    text: expect.stringMatching(/^This Idempotency-Key was already used with a different request/),
  }
  beforeEach(() => {
    rig = startKillableService('A', { settings: ORDER_RATES })
  })
  afterEach(() => rig.close())

  it('a key that was answered with an earlier print belongs to that order', async () => {
    const first = await print(A)
    expect(await print({ ...A, key: 'k' })).toEqual(first)
    expect(await print({ ...OTHER, key: 'k' })).toEqual(refused)
    rig.clock.advance(2 * DAY_MS)
    expect(await print({ ...OTHER, key: 'k' })).toEqual(refused)
    expect(await print({ ...LATER, key: 'k' })).toEqual(first)
    expect(receipts().length).toBe(1)
    await rig.post('/report-z')
    expect(await print(OTHER)).toEqual({ status: 200, text: expect.not.stringMatching(first.text) })
  })

  it('is printed once for each shop, requested at once, with one key', async () => {
    const both = Promise.all([printing({ ...A, key: 'k' }), printing({ ...OTHER, key: 'k' })])
    expect(await rig.run(both)).toEqual([{ status: 200, text: '1' }, refused])
    expect(receipts().length).toBe(1)
  })
})

describe('an order whose print is unconfirmed', () => {
  const KEYED = { ...A, key: 'k' }
  const PERHAPS = { status: 400, text: expect.stringMatching(/^order 1 may have been printed at 2026-07-15T/) }
  beforeEach(() => {
    rig = startKillableService('A', { settings: ORDER_RATES })
  })
  afterEach(() => rig.close())

  async function printWithoutAnswer(): Promise<PrintAnswer> {
    await printWithLostClose(KEYED)
    rig.emulator.reset()
    const first = await print(KEYED)
    expect(first).toMatchObject({ status: 424, text: expect.stringMatching(/^Outcome unknown: /) })
    return first
  }

  it('is not printed by its own key after its answer has expired', async () => {
    const first = await printWithoutAnswer()
    for (const again of [KEYED, A, { ...LATER, key: 'k', again: true }]) expect(await print(again)).toEqual(first)
    expect(await print(LATER)).toEqual(PERHAPS)
    rig.clock.advance(2 * DAY_MS)
    for (const again of [KEYED, A, LATER, { ...LATER, key: 'other' }]) expect(await print(again)).toEqual(PERHAPS)
    expect(receipts()).toEqual([])
  })

  it('may be printed again under its own key, and both prints stay recorded', async () => {
    await printWithoutAnswer()
    rig.clock.advance(2 * DAY_MS)
    rig.emulator.setPaper('out')
    expect((await print({ ...KEYED, again: true })).status).toBe(424)
    rig.emulator.setPaper('ok')
    // The retry has printed nothing, but the first request may have.
    expect(await print(KEYED)).toEqual(PERHAPS)
    const second = await print({ ...KEYED, again: true })
    expect(second.status).toBe(200)
    rig.clock.advance(2 * DAY_MS)
    expect(await print(KEYED)).toEqual(second)
    expect((await print(LATER)).text).toMatch(new RegExp(`already printed: receipt ${second.text} `))
    expect(rig.stores.prints.printsOfOrder(A.shop, '1')).toHaveLength(2)
    expect(receipts().length).toBe(1)
  })
})
