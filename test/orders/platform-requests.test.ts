import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { printerOver } from '../../bin/library/printer.ts'
import { type MockPlatform, startMockPlatform } from '../../scenarios/mock-platform/mock-platform.ts'
import { readOrders } from '../../scenarios/mock-platform/orders.ts'
import { type PrintingService, startService } from '../support/rig.ts'
import { FILE, ORDER_RATES, platformConfig } from './cases.ts'

const WIDE = { maximum: 100_000, restorePerSecond: 100_000 }
let rig: PrintingService
let platform: MockPlatform
beforeEach(async () => {
  platform = await startMockPlatform(0, { orders: [], bucket: WIDE })
  const mapping = { ...FILE.config, refundPolicy: 'net', roundingToleranceMinor: 0 }
  const settings = { platform: platformConfig(mapping, { baseUrl: `${platform.url}/{shop}` }) }
  rig = await startService({ family: 'A', settings: ORDER_RATES }, { settings })
})
afterEach(async () => {
  await rig.close()
  await platform.close()
})

const print = async (id: string): Promise<{ StatusCode: number; Message?: string }> =>
  (await supertest(rig.app).post(`/api/print-platform-order/${id}`).set('Authorization', `Bearer ${platform.mint()}`))
    .body

const questions = () => platform.log.filter(({ place }) => place === 'graphql')
const totals = () =>
  printerOver(rig.emulator)
    .receipts()
    .map(({ total }) => total)

const LINE = { title: 'Tea', price: '10.00', rate: '21.00' }

describe('the transactions of an order', () => {
  it.each([
    [29, 1],
    [30, 2],
    [45, 2],
  ])('are read in a few queries (transactions: %i, queries: %i)', async (count, asked) => {
    platform.live(undefined, { id: '1', lines: [{ ...LINE, units: count }] })
    for (let payment = 0; payment < count; payment++) platform.live('1', { pay: { gateway: 'cash', amount: '10.00' } })
    expect((await print('1')).StatusCode).toBe(200)
    expect(totals()).toEqual([`${count}0.00`])
    expect(questions().length).toBe(asked)
  })
})

describe('the lines of refunds', () => {
  it('are not queried if no discount has to be shared with them', async () => {
    platform.live(undefined, { id: '1', lines: [{ ...LINE, units: 3 }] })
    platform.live('1', { edit: { line: 1, units: 2 }, pay: { gateway: 'cash', amount: '20.00' } })
    expect((await print('1')).StatusCode).toBe(200)
    expect(questions().length).toBe(1)
  })

  it('reconcile the hundredths that a share by number would miss', async () => {
    platform.live(undefined, { id: '1', lines: [{ ...LINE, units: 3, discount: '0.04' }] })
    platform.live('1', { edit: { line: 1, units: 1 }, pay: { gateway: 'cash', amount: '9.98' } })
    expect((await print('1')).StatusCode).toBe(200)
    expect(totals()).toEqual(['9.98'])
    expect(questions().length).toBe(2)
  })

  it('are read page by page', async () => {
    const lines = Array.from({ length: 45 }, () => ({ ...LINE, units: 2, discount: '0.01' }))
    platform.live(undefined, { id: '1', lines })
    platform.live('1', { pay: { gateway: 'cash', amount: '899.55' } })
    const gone = lines.map((_, index) => ({ line: index + 1, units: 1 }))
    platform.live('1', { refund: { payment: 1, amount: '450.00', lines: gone } })
    expect((await print('1')).StatusCode).toBe(200)
    expect(totals()).toEqual(['449.55'])
    expect(questions().length).toBe(4)
  })

  it('of more than 50 refunds are not read, and the units share by their number', async () => {
    platform.live(undefined, { id: '1', lines: [{ ...LINE, units: 60, discount: '6.00' }] })
    for (let units = 59; units >= 9; units--) platform.live('1', { edit: { line: 1, units } })
    platform.live('1', { pay: { gateway: 'cash', amount: '89.10' } })
    expect((await print('1')).StatusCode).toBe(200)
    expect(totals()).toEqual(['89.10'])
    expect(questions().length).toBe(1)
  })

  it('are read with a new access token when the first is refused', async () => {
    platform.live(undefined, { id: '1', lines: [{ ...LINE, units: 3, discount: '0.04' }] })
    platform.live('1', { edit: { line: 1, units: 1 }, pay: { gateway: 'cash', amount: '9.98' } })
    platform.faults.add({ do: 'unauthorized', on: 'graphql', skip: 1 })
    expect((await print('1')).StatusCode).toBe(200)
  })
})

it('a refusal because the order has changed gives the reason', () => {
  platform.live(undefined, { id: '1', lines: [{ ...LINE, units: 1 }] })
  expect(() => platform.live('1', { edit: { line: 2, units: 1 } })).toThrow('the order has no line 2')
  expect(() => platform.live('1', {})).toThrow('the change is empty: expected at least one of add, edit, pay')
  expect(() => platform.live('2', { cancel: true })).toThrow('order 2 was not created by')
  expect(() => platform.live(undefined, { id: '3', lines: [], discont: 1 })).toThrow(/discont.*nearest.*discount/s)
  expect(() => platform.live(undefined, { id: '3', lines: [{ ...LINE, name: 'Bread' }] })).toThrow('nearest: title')
  expect(() => platform.live(undefined, { id: '3' })).toThrow('expected a list with at least one line')
  expect(() => platform.live('1', { pay: { gateway: 'cash' } })).toThrow('expected an amount such as')
})

it.each<[string, unknown]>([
  [
    'order 7 has no totalPriceSet.shopMoney.amount',
    { id: 'gid://platform/Order/7', legacyResourceId: '7', lineItems: {} },
  ],
  ['an order has no id', { lineItems: { edges: [] } }],
  [
    'order 7 has no lineItems.edges[0].node.title',
    {
      ...{ id: 'gid://platform/Order/7', legacyResourceId: '7', transactions: [] },
      ...{ totalPriceSet: { shopMoney: { amount: '1.0' } }, totalDiscountsSet: { shopMoney: { amount: '0.0' } } },
      ...{ lineItems: { edges: [{ node: {} }] }, shippingLines: { edges: [] } },
    },
  ],
])('a file of orders is refused, and the missing part of an order is named: %s', (why, order) => {
  expect(() => readOrders([order])).toThrow(why)
})
