/** What was printed for which order, however its print came to its end and however long ago (decisions 3). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { openStores } from '../../server/compose.ts'
import { mappingOf } from '../../server/orders/mapping.ts'
import { orderSchema } from '../../server/orders/order.ts'
import { createOrderPrinting, type OrderRequest } from '../../server/orders/printing.ts'
import { orderRoutes } from '../../server/orders/route.ts'
import { ServiceError } from '../../server/outcome.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import { printsOfVersion01 } from '../../server/recovery/prints.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'
import { START } from '../support/rig.ts'
import { CASES, mappingConfig, toldBy } from './cases.ts'

const DAY_MS = 24 * 3_600_000
const SIMPLE = CASES[0]
const A: OrderRequest = { shop: 'a.myshop.example', token: 'first', orderId: '1', again: false }
const LATER = { ...A, token: 'second' }

let rig: KillableService

/** StatusCode and what was said; the order is the same whatever its number. */
async function print(asked: OrderRequest): Promise<{ status: number; text: string }> {
  const log = {}
  const [, route] = orderRoutes({ platform: undefined, ...rig.stores, log })
  if (!route || !SIMPLE) throw new Error('there is no such route, or no order')
  const printing = createOrderPrinting({ platform: undefined, ...rig.stores, log }, rig.service, route.endpoint)
  const order = orderSchema.parse(toldBy(SIMPLE))
  const plu = [1, 2, 3, 4].map((taxCode) => ({ taxCode, plu: taxCode }))
  const mapping = mappingOf(mappingConfig(rig.printer.family === 'B' ? { plu } : {}))
  const patience = { until: rig.clock.now() + REQUEST_MAX_MS }
  const reply = printing
    .print(asked, () => Promise.resolve(order), mapping, patience)
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      return { status: error.outcome.status, body: JSON.stringify({ Message: error.message }) }
    })
  const { status, body } = await rig.run(reply)
  const { Data, Message } = JSON.parse(body)
  return { status, text: String(Message ?? Data) }
}

const receipts = () => rig.emulator.device.documents().filter(({ kind }) => kind === 'fiscal')

/** The answer to the close is lost, and so is all that the service asks about it. */
async function printUnheard(asked: OrderRequest): Promise<void> {
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

describe.each(FAMILIES)('family %s', (family) => {
  beforeEach(() => {
    rig = startKillableService(family)
  })
  afterEach(() => rig.close())

  it('settled by another request, and asked for again when its answer has aged: printed once', async () => {
    await printUnheard(A)
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

  it('not settled yet: another token waits for what becomes of it', async () => {
    await printUnheard(A)
    expect((await print(LATER)).text).toMatch(/already printed/)
    expect(receipts().length).toBe(1)
  })

  it('a key is used again for another order: refused, also when its answer has aged; the first stays printed', async () => {
    const first = await print({ ...A, key: 'k' })
    rig.clock.advance(2 * DAY_MS)
    await rig.post('/report-z')
    const other = await print({ ...A, orderId: '2', token: 'other', key: 'k' })
    expect(other).toMatchObject({ status: 400 })
    expect(other.text).toMatch(/^Idempotency-Key was used before with another request/)
    expect(await print({ ...A, key: 'k' })).toEqual(first)
    expect((await print(LATER)).text).toMatch(new RegExp(`receipt ${first.text} `))
    expect(receipts().length).toBe(1)
  })
})

it('orders printed by version 0.1 stay printed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-orders-'))
  const orders = join(folder, 'orders.sqlite')
  const journal = join(folder, 'answers.sqlite')
  const old = new DatabaseSync(orders)
  old.exec(`CREATE TABLE order_prints (
    key TEXT PRIMARY KEY, shop TEXT NOT NULL, order_id TEXT NOT NULL, token TEXT NOT NULL, at INTEGER NOT NULL,
    receipt TEXT) STRICT;
    INSERT INTO order_prints VALUES ('k', 's', '1', 't', 5, '77'), ('l', 's', '2', 't', 6, NULL)`)
  old.close()
  try {
    for (let start = 0; start < 2; start++) {
      const { prints, close } = openStores(new SimulatedClock(START), { journal, earlier: printsOfVersion01(orders) })
      const order = { shop: 's', id: '1', token: 't' }
      const end = { effect: 'asAsked', number: '77' }
      expect(prints.ofOrder('s', '1')).toEqual([{ key: 'k', part: 0, order, at: 5, counted: 0, end }])
      expect(prints.ofOrder('s', '2')).toHaveLength(start === 0 ? 1 : 0)
      prints.forget('l')
      close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
