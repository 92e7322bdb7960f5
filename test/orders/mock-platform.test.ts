/** The mock platform must refuse requests for the same reasons as the platform. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { type MockPlatform, startMockPlatform } from '../../scenarios/mock-platform/mock-platform.ts'
import { readOrders } from '../../scenarios/mock-platform/orders.ts'
import { GRANT_EXCHANGE, ID_TOKEN } from '../../scenarios/mock-platform/profile.ts'
import { FILE } from './cases.ts'

const SHOP = 'demo.myshop.example'
const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 6, 1)
const OLD = {
  ...FILE.fixtures[0],
  order: { ...FILE.fixtures[0]?.order, legacyResourceId: '1' },
  internal: { taxesIncluded: true, createdAt: '2026-01-01T00:00:00Z' },
}
const ELSEWHERE = {
  ...OLD,
  order: { ...OLD.order, legacyResourceId: '2' },
  internal: { taxesIncluded: true, shop: 'other.myshop.example' },
}

let clock: SimulatedClock
let platform: MockPlatform
beforeEach(async () => {
  clock = new SimulatedClock(START)
  platform = await startMockPlatform(0, { orders: readOrders([FILE, OLD, ELSEWHERE]), clock })
})
afterEach(() => platform.close())

const base = (shop = SHOP) => `${platform.url}/${shop}`
const form = (more: object = {}) => ({
  client_id: 'fiscal-rig-demo',
  client_secret: 'a-secret-for-demonstrations-only',
  grant_type: GRANT_EXCHANGE,
  subject_token: platform.mint(),
  subject_token_type: ID_TOKEN,
  requested_token_type: 'urn:platform:params:oauth:token-type:online-access-token',
  ...more,
})

async function exchange(body: object, encoding: 'json' | 'form' = 'json', shop = SHOP) {
  const isForm = encoding === 'form'
  const response = await fetch(`${base(shop)}/admin/oauth/access_token`, {
    method: 'POST',
    headers: { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function query(text: string, variables: object = {}, version = '2026-07') {
  const token = String((await exchange(form())).body['access_token'])
  const response = await fetch(`${base()}/admin/api/${version}/graphql.json`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Platform-Access-Token': token },
    body: JSON.stringify({ query: text, variables }),
  })
  return {
    version: response.headers.get('X-Platform-API-Version'),
    body: (await response.json()) as {
      data?: { order: unknown }
      errors?: readonly { message: string }[]
      extensions?: object
    },
  }
}

const GID = (id: string) => `gid://platform/Order/${id}`

describe('the token exchange of the mock platform', () => {
  it.each(['json', 'form'] as const)(
    'accepts a body of the type %s and returns an online token with its user',
    async (encoding) => {
      const { status, body } = await exchange(form(), encoding)
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ access_token: expect.any(String), scope: 'read_orders', expires_in: 86_399 }),
      ])
    },
  )

  it.each<[string, object, number, string]>([
    ['another client', { client_id: 'x' }, 401, 'invalid_client'],
    ['another secret', { client_secret: 'x' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['another kind of subject', { subject_token_type: 'x' }, 400, 'invalid_request'],
    ['another kind of token', { requested_token_type: 'x' }, 400, 'invalid_request'],
    ['no session token', { subject_token: 'x' }, 400, 'invalid_subject_token'],
  ])('refuses %s', async (_, more, status, error) => {
    const answer = await exchange(form(more))
    expect([answer.status, answer.body['error']]).toEqual([status, error])
  })

  it('refuses a token of another shop, and an expired token', async () => {
    expect((await exchange(form(), 'json', 'other.myshop.example')).body['error']).toBe('invalid_subject_token')
    const old = form()
    clock.advance(120_000)
    expect((await exchange(old)).body['error']).toBe('invalid_subject_token')
  })

  it('refreshes an expiring token once with each refresh token', async () => {
    const offline = { requested_token_type: 'urn:platform:params:oauth:token-type:offline-access-token', expiring: '1' }
    const { body } = await exchange(form(offline))
    expect(body['expires_in']).toBe(3600)
    const refresh = form({ grant_type: 'refresh_token', refresh_token: body['refresh_token'] })
    const second = await exchange(refresh)
    expect(second.body['refresh_token']).not.toBe(body['refresh_token'])
    expect((await exchange(refresh)).body['error']).toBe('invalid_grant')
  })
})

describe('the mock platform over GraphQL', () => {
  it('returns only the selected fields', async () => {
    const { body } = await query(`{ order(id: "${GID('5600000007007')}") { name transactions(first: 1) { gateway } } }`)
    expect(body.data).toEqual({ order: { name: '#1001', transactions: [{ gateway: 'cash' }] } })
  })

  it('does not charge missing objects: the cost of an answer is that of its objects', async () => {
    const text = `{ order(id: "${GID('5600000007007')}") {
      name totalPriceSet { shopMoney { amount } }
      transactions(first: 10) { amountSet { shopMoney { amount } } }
      lines: lineItems(first: 50) { pageInfo { hasNextPage } edges { node { taxLines { priceSet { shopMoney { amount } } } } } }
    } }`
    // Cost: 1 for the order, 2 for the total, 3 for each transaction (ten requested, one present), 4 for each line
    // (fifty requested, one present).
    const { body } = await query(text)
    expect(body.extensions).toEqual({
      cost: {
        requestedQueryCost: 233,
        actualQueryCost: 10,
        throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1990, restoreRate: 100 },
      },
    })
    const nothing = await query(text.replace('5600000007007', '999'))
    expect(nothing.body.extensions).toMatchObject({
      cost: { requestedQueryCost: 233, actualQueryCost: 0, throttleStatus: { currentlyAvailable: 1990 } },
    })
  })

  it.each<[string, string, RegExp]>([
    ['an unknown field', '{ order(id: "x") { colour } }', /colour/],
    ['no selection', '{ order(id: "x") { totalPriceSet } }', /selection/],
    [
      'a connection without a size',
      `{ order(id: "${GID('5600000007007')}") { lineItems { edges { node { id } } } } }`,
      /first or last/,
    ],
    ['a malformed id', '{ order(id: "17") { id } }', /Invalid global id/],
    ['an id of another type', '{ order(id: "gid://platform/Product/5600000007007") { id } }', /Invalid global id/],
    [
      'a field that newer versions lack',
      `{ order(id: "${GID('5600000007007')}") { transactions { amount } } }`,
      /amount/,
    ],
    ['no query at all', '{', /Syntax Error/],
  ])('reports an error for %s', async (_, text, message) => {
    expect((await query(text)).body.errors?.[0]?.message).toMatch(message)
  })

  it('returns a field that only this version still has', async () => {
    const text = `{ order(id: "${GID('5600000007007')}") { transactions { amount } } }`
    expect((await query(text, {}, '2024-10')).body.data).toEqual({ order: { transactions: [{ amount: '32.50' }] } })
  })

  it.each(['999', '1', '2'])('returns null for order %s, which is unknown, too old or of another shop', async (id) => {
    expect((await query(`{ order(id: "${GID(id)}") { id } }`)).body.data).toEqual({ order: null })
  })

  it('returns pages by an opaque cursor', async () => {
    const text = `query ($after: String) { order(id: "${GID('5600000007077')}") {
      lineItems(first: 60, after: $after) { pageInfo { hasNextPage endCursor } edges { node { title } } } } }`
    type Page = {
      order: { lineItems: { pageInfo: { endCursor: string; hasNextPage: boolean }; edges: readonly unknown[] } }
    }
    const first = (await query(text)).body.data as Page
    const second = (await query(text, { after: first.order.lineItems.pageInfo.endCursor })).body.data as Page
    expect(
      [first, second].map(({ order }) => [order.lineItems.edges.length, order.lineItems.pageInfo.hasNextPage]),
    ).toEqual([
      [60, true],
      [40, false],
    ])
  })

  it('serves a retired version as the oldest version, which it names', async () => {
    expect((await query(`{ order(id: "${GID('1')}") { id } }`, {}, '2020-01')).version).toBe('2024-01')
  })

  it('lets an access token expire', async () => {
    const { body } = await exchange(form())
    clock.advance(DAY_MS)
    const response = await fetch(`${base()}/admin/api/2026-07/graphql.json`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Platform-Access-Token': String(body['access_token']) },
      body: '{"query":"{ order(id: 1) { id } }"}',
    })
    expect([response.status, typeof ((await response.json()) as { errors: unknown }).errors]).toEqual([401, 'string'])
  })
})

describe('the mock platform loads orders:', () => {
  it('an order that does not add up is refused unless it is marked', () => {
    const wrong = {
      ...FILE.fixtures[0],
      order: { ...FILE.fixtures[0]?.order, totalPriceSet: { shopMoney: { amount: '1.0', currencyCode: 'RON' } } },
    }
    expect(() => readOrders([wrong])).toThrow(
      /^order simple: lines, shipping and refunds come to [1-9]\d*\.\d\d, but totalPriceSet is 1\.00\. Correct one of them, or set "broken": true in the case\.$/,
    )
    expect(readOrders([{ ...wrong, broken: true }]).length).toBe(1)
  })

  it('plain orders and lists of them are accepted', () => {
    expect(readOrders(FILE.fixtures[0]?.order).length).toBe(1)
    expect(readOrders({ orders: FILE.fixtures.map(({ order }) => order) }).length).toBe(12)
  })
})
