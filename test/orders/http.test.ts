/** Orders from the mock platform, through the real endpoints, to the emulated paper. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import type { Clock } from '../../drivers/model/clock.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { STANDARD_PLAN } from '../../scenarios/mock-platform/cost-bucket.ts'
import {
  type MockPlatform,
  type MockPlatformOptions,
  startMockPlatform,
} from '../../scenarios/mock-platform/mock-platform.ts'
import { readOrders } from '../../scenarios/mock-platform/orders.ts'
import { REFUSED_TOKENS } from '../../scenarios/mock-platform/session-token.ts'
import { openStores, type Stores } from '../../server/compose.ts'
import type { Settings } from '../../server/config.ts'
import { success } from '../../server/envelope.ts'
import { NOT_BEGUN } from '../../server/operations/operation.ts'
import { type PrintingService, startService } from '../support/rig.ts'
import { ARTICLES, CASES, FILE, platformConfig, ratesOf } from './cases.ts'

const SHOP = 'demo.myshop.example'
const SIMPLE = '5600000007007'
const HUNDRED = '5600000007077'
/** Limits of the mock platform for which no test has to wait. */
const WIDE = { maximum: 100_000, restorePerSecond: 100_000 }

let rig: PrintingService
let platform: MockPlatform
afterEach(async () => {
  await rig.close()
  await platform.close()
})

interface Setup {
  readonly family?: Family
  readonly mapping?: object
  readonly config?: object
  readonly mockPlatform?: Partial<MockPlatformOptions>
  readonly clock?: Clock
  readonly stores?: Partial<Stores>
}

async function setUp({
  family = 'A',
  mapping = {},
  config = {},
  mockPlatform = {},
  ...service
}: Setup = {}): Promise<void> {
  platform = await startMockPlatform(0, { orders: readOrders(FILE), bucket: WIDE, ...mockPlatform })
  const settings = platformConfig({ ...FILE.config, ...mapping }, { baseUrl: `${platform.url}/{shop}`, ...config })
  rig = await onPlatform(settings, { family, ...service })
}

const onPlatform = (
  platform: Settings['platform'],
  { family = 'A', ...service }: Pick<Setup, 'family' | 'clock' | 'stores'> = {},
) => startService({ family, settings: ratesOf(platform?.mapping ?? {}) }, { settings: { platform }, ...service })

async function ask(
  method: 'get' | 'post',
  path: string,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const request = supertest(rig.app)[method](`/api/${path}`).set(headers)
  if (token !== undefined) request.set('Authorization', `Bearer ${token}`)
  const response = await request
  return response.body as { StatusCode: number; Data?: unknown; Message?: string }
}
const get = (id: string, token: string | undefined = platform.mint()) => ask('get', `get-platform-order/${id}`, token)
const print = (id: string, token: string | undefined = platform.mint(), query = '') =>
  ask('post', `print-platform-order/${id}${query}`, token)

const PRINTED = { StatusCode: 200, Data: expect.stringMatching(/^\d+$/) }

describe('the service gives the published answer to an example order over HTTP:', () => {
  const byId = new Map(CASES.map((one) => [one.case, one]))

  it.each(CASES.map((one) => one.case))('%s', async (name) => {
    const one = byId.get(name)
    if (!one) return
    await setUp(one.configOverride && { mapping: one.configOverride })
    const id = one.order.legacyResourceId
    expect(await get(id)).toEqual({ StatusCode: 200, Data: one.order })
    const mark = rig.mark()
    const answer = await print(id)
    if (one.expected.status === 400) {
      expect(answer).toEqual({ StatusCode: 400, Message: one.expected.message })
      expect([rig.framesSince(mark), rig.papers()]).toEqual([0, []])
      return
    }
    expect(answer).toEqual(PRINTED)
    const { total, payments } = one.expected
    expect(rig.emulator.device.day.total / 100).toBe(Number(total))
    const booked = Object.entries(rig.emulator.device.day.payments).filter(([, amount]) => amount > 0)
    expect(new Map(booked.map(([mode, amount]) => [Number(mode), amount / 100]))).toEqual(
      new Map(payments.map(({ PaymentMode, Amount }) => [PaymentMode, Number(Amount)])),
    )
    expect(rig.papers().map(({ kind }) => kind)).toEqual(['fiscal'])
  })
})

it('the request log shows which orders were printed', async () => {
  await setUp()
  await get(SIMPLE)
  await print(SIMPLE, 'no token')
  await print(SIMPLE)
  expect(rig.requests.map(({ method, status, printed }) => [method, status, printed])).toEqual([
    ['GET', 200, false],
    ['POST', 401, false],
    ['POST', 200, true],
  ])
})

describe.each(FAMILIES)('family %s', (family) => {
  const plu = ARTICLES

  it.each(['5600000007021', '5600000007028', '5600000007063', HUNDRED])('prints order %s to its total', async (id) => {
    await setUp({ family, mapping: { modes: { cash: 0, card: 1, transfer: 2, voucher: 4 }, plu } })
    expect(await print(id)).toEqual(PRINTED)
    const expected = CASES.find(({ order }) => order.legacyResourceId === id)?.expected
    expect(rig.emulator.device.day.total / 100).toBe(Number(expected?.status === 200 && expected.total))
  })
})

describe.each(FAMILIES)('the operator of printed orders on family %s', (family) => {
  // Specification 4.3: Invoice opens an invoice on families A and C, and family B ignores it.
  it.each([
    [true, family === 'B' ? 'fiscal' : 'invoice'],
    [false, 'fiscal'],
  ])('is the configured operator with Invoice %s', async (Invoice, kind) => {
    const plu = ARTICLES
    await setUp({ family, mapping: { plu, operator: { OperatorCode: 2, PointOfSaleNumber: 3, Invoice } } })
    expect(await print(SIMPLE)).toEqual(PRINTED)
    expect(rig.papers().map((paper) => paper.kind)).toEqual([kind])
  })
})

describe('the service on family B', () => {
  // Sheet B 10.5: "Amount up to 8 digits".
  it('refuses an order whose payment the wire protocol cannot carry', async () => {
    const [one] = FILE.fixtures
    if (!one) return
    const amount = { shopMoney: { amount: '9999999.99', currencyCode: 'RON' } }
    const [edge] = (one.order['lineItems'] as { edges: readonly { node: object }[] }).edges
    const node = { ...edge?.node, quantity: 1, originalUnitPriceSet: amount, discountedUnitPriceSet: amount }
    const dear = {
      ...one,
      order: {
        ...one.order,
        totalPriceSet: amount,
        lineItems: { edges: [{ node }] },
        transactions: [{ gateway: 'cash', amount: '9999999.99', kind: 'SALE' }],
      },
    }
    await setUp({ family: 'B', mapping: { plu: ARTICLES }, mockPlatform: { orders: readOrders([dear]) } })
    const mark = rig.mark()
    expect(await print(SIMPLE)).toEqual({
      StatusCode: 400,
      Message: 'a payment must have at most 8 digits on this device; 9999999.99 has 9',
    })
    expect([rig.framesSince(mark), rig.papers()]).toEqual([0, []])
  })

  it('refuses an order with a line that is missing in the article table', async () => {
    await setUp({ family: 'B' })
    const mark = rig.mark()
    expect(await print(SIMPLE)).toEqual({
      StatusCode: 400,
      Message: 'line 1 has no programmed PLU; free sales are not supported on this device',
    })
    expect(rig.framesSince(mark)).toBe(0)
  })

  it('cancels a receipt on which a configured price differs from the programmed price', async () => {
    await setUp({ family: 'B', mapping: { plu: [{ taxCode: 2, plu: 4, price: '0.01' }] } })
    const answer = await print(SIMPLE)
    expect(answer.StatusCode).toBe(400)
    expect(answer.Message).toMatch(
      /^device total \d+\.\d\d differs from order total 32\.50; the receipt was cancelled$/,
    )
    expect(rig.emulator.device.day.total).toBe(0)
    expect(rig.emulator.device.receipt).toBe(null)
  })
})

describe('the session token', () => {
  beforeEach(() => setUp())
  const rejected = (why: string) => ({ StatusCode: 401, Message: `platform session token was rejected: ${why}` })
  const NOT_YET = 'not yet valid (check the clock of this computer)'

  it.each<[string, string]>([
    ['expired', 'expired'],
    ['future', NOT_YET],
    ['secret', 'signature'],
    ['none', 'malformed'],
    ['algorithm', 'signature'],
    ['audience', 'audience'],
    ['issuer', 'shop'],
    ['host', 'shop'],
    ['claims', 'malformed'],
  ])('is refused with 401, and neither platform nor device is contacted: %s', async (wrong, why) => {
    const mark = rig.mark()
    for (const answer of [
      await print(SIMPLE, platform.mint(REFUSED_TOKENS[wrong])),
      await get(SIMPLE, platform.mint(REFUSED_TOKENS[wrong])),
    ])
      expect(answer).toEqual(rejected(why))
    expect([platform.log, rig.framesSince(mark)]).toEqual([[], 0])
  })

  it('is refused if it has alg none and a signature part', async () => {
    const [head, body] = platform.mint({ alg: 'none' }).split('.')
    expect(await get(SIMPLE, `${head}.${body}.AAAA`)).toEqual(rejected('signature'))
  })

  it('is refused with 401 if it is missing, of another scheme, or empty', async () => {
    const missing = {
      StatusCode: 401,
      Message: "The platform's session token is missing: send it in the header Authorization, as Bearer and the token.",
    }
    expect(await ask('get', `get-platform-order/${SIMPLE}`)).toEqual(missing)
    expect(await ask('get', `get-platform-order/${SIMPLE}`, undefined, { Authorization: 'Basic abc' })).toEqual(missing)
    expect(await ask('post', `print-platform-order/${SIMPLE}`, undefined, { Authorization: 'Bearer ' })).toEqual(
      missing,
    )
  })

  it('is accepted with the scheme in upper and lower case', async () => {
    const headers = { Authorization: `bEARER ${platform.mint()}` }
    expect((await ask('get', `get-platform-order/${SIMPLE}`, undefined, headers)).StatusCode).toBe(200)
  })

  it.each(['x', 'a.b', 'a.b.c', `${'a'.repeat(5000)}.b.c`, 'e30.e30.e30'])(
    'is refused as malformed: %j',
    async (token) => {
      expect(await get(SIMPLE, token)).toEqual(rejected('malformed'))
    },
  )

  it.each([
    'https://demo.myshop.example.evil.example',
    'https://evil.example/demo.myshop.example',
    'https://demo.myshop.example@evil.example',
    'https://evil.example#.myshop.example',
    'https://evil.example\\.myshop.example',
    'https://a.b.myshop.example',
    'https://.myshop.example',
    'https://-.myshop.example',
    'http://demo.myshop.example',
    'https://demo.myshop.example:8443',
    'https://127.0.0.1',
    'https://localhost',
    'https://[::1]',
    'file:///etc/passwd',
    'https://demo.myshop.example/../admin',
    'https://xn--demo.myshop.exampl\u0435',
    '//demo.myshop.example',
    '',
  ])('never causes a request to the dest %j', async (dest) => {
    const token = platform.mint({ claims: { dest, iss: `${dest}/admin` } })
    expect(await get(SIMPLE, token)).toEqual(rejected('shop'))
    expect(platform.log).toEqual([])
  })

  it('of a shop that is not configured is refused with 401', async () => {
    await rig.close()
    const settings = platformConfig(FILE.config, { baseUrl: `${platform.url}/{shop}`, allowedShops: [SHOP] })
    rig = await onPlatform(settings)
    expect((await get(SIMPLE)).StatusCode).toBe(200)
    expect(await get(SIMPLE, platform.mint({ shop: 'other.myshop.example' }))).toEqual(rejected('shop'))
  })

  it('may be signed with the secret before the current one', async () => {
    await rig.close()
    const config = {
      clientSecret: 'the-new-secret-the-new-secret-the',
      previousClientSecret: 'a-secret-for-demonstrations-only',
    }
    rig = await onPlatform(platformConfig(FILE.config, { baseUrl: `${platform.url}/{shop}`, ...config }))
    // The mock platform has only the old secret, so its refusal shows that the service has accepted the token.
    expect((await get(SIMPLE)).Message).toMatch(/^platform is not configured/)
  })

  it('that was used for an order prints no other order', async () => {
    const token = platform.mint()
    expect(await print(SIMPLE, token)).toEqual(PRINTED)
    expect(await print('5600000007014', token)).toEqual(rejected('already used for another order'))
  })
})

describe('the order number', () => {
  beforeEach(() => setUp())
  const WRONG_FORM = { StatusCode: 400, Message: 'orderId must be digits only, without a gid:// prefix' }

  it.each(['abc', '-1', '1.5', '%20', 'gid%3A%2F%2Fplatform%2FOrder%2F1'])('%s is refused with 400', async (id) => {
    expect([await get(id), await print(id), platform.log]).toEqual([WRONG_FORM, WRONG_FORM, []])
  })

  it('is refused with 400 if it has more than 19 digits', async () => {
    const tooLong = { StatusCode: 400, Message: 'orderId must have at most 19 digits' }
    const id = '99999999999999999999'
    expect([await get(id), await print(id), platform.log]).toEqual([tooLong, tooLong, []])
  })

  it('is answered with 404 if there is no such order', async () => {
    const mark = rig.mark()
    expect(await print('1')).toEqual({ StatusCode: 404, Message: 'platform order 1 was not found' })
    expect(rig.framesSince(mark)).toBe(0)
  })

  it('is refused with 401 first if the token is missing', async () => {
    expect((await ask('get', 'get-platform-order/abc')).StatusCode).toBe(401)
  })
})

describe('a service without a configured platform', () => {
  it('answers 401 without a token, and 400 with a token', async () => {
    await setUp()
    await rig.close()
    rig = await onPlatform(undefined)
    expect((await ask('post', `print-platform-order/${SIMPLE}`)).StatusCode).toBe(401)
    expect(await print(SIMPLE)).toEqual({ StatusCode: 400, Message: 'platform is not configured' })
  })
})

describe('the service reads orders from the platform:', () => {
  it('the session token is exchanged once, and again when the access token is refused', async () => {
    await setUp()
    await get(SIMPLE)
    await get(SIMPLE)
    expect(platform.log.map(({ place }) => place)).toEqual(['exchange', 'graphql', 'graphql'])
    platform.revokeAccessTokens()
    expect((await get(SIMPLE)).StatusCode).toBe(200)
    expect(platform.log.slice(3).map(({ place, status }) => [place, status])).toEqual([
      ['graphql', 401],
      ['exchange', 200],
      ['graphql', 200],
    ])
  })

  it('each user has a separate access token', async () => {
    await setUp()
    await get(SIMPLE, platform.mint({ user: '1' }))
    await get(SIMPLE, platform.mint({ user: '2' }))
    expect(platform.log.filter(({ place }) => place === 'exchange').length).toBe(2)
  })

  it('a hundred lines are read page by page', async () => {
    await setUp()
    const { Data } = (await get(HUNDRED)) as { Data: { lineItems: { edges: readonly unknown[] } } }
    expect(Data.lineItems.edges.length).toBe(100)
    expect(platform.log.filter(({ place }) => place === 'graphql').length).toBe(3)
  })

  it('the bucket of the standard plan suffices in ordinary use', async () => {
    await setUp({ mockPlatform: { bucket: STANDARD_PLAN } })
    for (const { order } of FILE.fixtures) {
      const answer = await get(order.legacyResourceId)
      expect(answer.StatusCode).toBe(200)
    }
    expect((await Promise.all([1, 2, 3, 4].map(() => get(SIMPLE)))).map(({ StatusCode }) => StatusCode)).toEqual([
      200, 200, 200, 200,
    ])
  })

  it('reading starts over when the total changes between two pages', async () => {
    await setUp()
    platform.faults.add({ do: 'changedTotal', on: 'graphql', skip: 1 })
    expect(await print(HUNDRED)).toEqual(PRINTED)
    expect(platform.log.filter(({ place }) => place === 'graphql').length).toBe(5)
  })

  it('reading is given up for an order that keeps changing', async () => {
    await setUp()
    platform.faults.add({ do: 'changedTotal', on: 'graphql', times: 100 })
    expect((await print(HUNDRED)).StatusCode).toBe(500)
  })

  const shop = (rules: object): Setup => ({ mockPlatform: { shops: { [SHOP]: rules } } })
  it.each<[string, Setup, number, string]>([
    ['not installed', shop({ installed: false }), 401, 'the platform refused the request: application not installed'],
    ['no permission', shop({ withoutPermission: ['42'] }), 401, 'the platform refused the request: no permission to read orders'],
    ['no scope', shop({ scopes: [] }), 401, 'the platform refused the request: no permission to read orders'],
    ['a locked shop', shop({ locked: true }), 401, 'the platform refused the request: shop locked'],
    ['an unknown version', { config: { apiVersion: '2099-01' } }, 400, 'platform is not configured: the platform knows no such shop or version'],
    ['a wrong secret', { mockPlatform: { profile: { clientSecret: 'another' } } }, 401, 'platform session token was rejected: signature'],
  ])('a refusal of the platform is explained: %s', async (_, setup, status, message) => {
    await setUp(setup)
    const mark = rig.mark()
    expect(await print(SIMPLE)).toEqual({ StatusCode: status, Message: message })
    expect(rig.framesSince(mark)).toBe(0)
  }) // biome-ignore format: a table

  it('a retired version that the platform answers with a newer version causes a warning', async () => {
    await setUp({ config: { apiVersion: '2023-01' } })
    expect((await get(SIMPLE)).StatusCode).toBe(200)
    expect(rig.warnings).toEqual(['the platform answered with version 2024-01 of its interface instead of 2023-01'])
  })

  it('shipping is read with the same result before and after the platform changed its meaning', async () => {
    for (const apiVersion of ['2024-04', '2024-07']) {
      await setUp({ config: { apiVersion } })
      expect(await print('5600000007042')).toEqual(PRINTED)
      if (apiVersion === '2024-04') {
        await rig.close()
        await platform.close()
      }
    }
  })

  it('a relay keeps the secret: the service exchanges no token, and passes it on', async () => {
    await setUp({ config: { arrangement: 'relay', clientId: undefined, clientSecret: undefined } })
    expect((await get(HUNDRED)).StatusCode).toBe(200)
    expect(await print(SIMPLE)).toEqual(PRINTED)
    expect((await get('1')).StatusCode).toBe(404)
    expect((await get(SIMPLE, platform.mint({ secret: 'forged-forged-forged-forged-forged' }))).StatusCode).toBe(401)
    expect(platform.log.map(({ place }) => place)).toEqual(['relay', 'relay', 'relay', 'relay'])
  })

  it('a relay is queried before the answer mentions a printed order or its token', async () => {
    await setUp({ config: { arrangement: 'relay', clientId: undefined, clientSecret: undefined } })
    const jti = 'a-known-token-id'
    const number = (await print(SIMPLE, platform.mint({ jti }))).Data
    expect(number).toEqual(expect.stringMatching(/^\d+$/))
    const secret = 'forged-forged-forged-forged-forged'
    const refused = { StatusCode: 401, Message: 'the platform refused the request: application not installed' }
    const forged = [
      platform.mint({ jti, secret }),
      platform.mint({ jti: 'another', secret }),
      platform.mint({ jti, secret, user: '7' }),
    ]
    for (const token of forged) {
      for (const query of ['', '?again=true']) expect(await print(SIMPLE, token, query)).toEqual(refused)
      expect(await print(HUNDRED, token)).toEqual(refused)
      const keyed = await ask('post', `print-platform-order/${SIMPLE}`, token, { 'Idempotency-Key': 'k' })
      expect(keyed).toEqual(refused)
    }
    expect(rig.papers()).toHaveLength(1)
    expect(await print(SIMPLE, platform.mint({ jti }))).toEqual({ StatusCode: 200, Data: number })
    expect(rig.papers()).toHaveLength(1)
  })

  it('a relay that fails hides no receipt from a token that it has admitted, and reveals none to another token', async () => {
    await setUp({ config: { arrangement: 'relay', clientId: undefined, clientSecret: undefined } })
    const token = platform.mint()
    const first = await print(SIMPLE, token)
    expect(first).toEqual(PRINTED)
    platform.faults.add({ do: 'error500', on: 'relay', times: 3 })
    expect(await print(SIMPLE, token)).toEqual(first)
    const unconfirmedAnswer = {
      StatusCode: 500,
      Message: expect.stringMatching(
        /^the platform did not answer\. Nothing was printed by this request\. The platform must/,
      ),
    }
    // The response is the same with and without a receipt.
    for (const id of [SIMPLE, HUNDRED]) expect(await print(id, platform.mint())).toEqual(unconfirmedAnswer)
    expect(rig.papers()).toHaveLength(1)
  })

  it('a relay gets no token that was issued for another platform', async () => {
    await setUp({ config: { arrangement: 'relay' } })
    expect((await get(SIMPLE, platform.mint(REFUSED_TOKENS['host']))).StatusCode).toBe(401)
    expect(platform.log).toEqual([])
  })
})

function hastyClock(waits: number[]): Clock {
  return {
    ...systemClock,
    after(delayMs, call) {
      if (delayMs > 10_000) return systemClock.after(delayMs, call)
      waits.push(delayMs)
      return systemClock.after(delayMs === 10_000 ? 300 : 0, call)
    },
  }
}

describe('a failure of the platform is handled:', () => {
  const waits: number[] = []
  beforeEach(async () => {
    waits.length = 0
    await setUp({ clock: hastyClock(waits) })
  })
  const waited = () => waits.filter((ms) => ms < 10_000)

  it.each(['error500', 'error502', 'html', 'truncated', 'reset'] as const)(
    'the fault %s is answered with 500, and the device gets no command',
    async (fault) => {
      const mark = rig.mark()
      platform.faults.add({ do: fault, on: 'graphql' })
      expect(await print(SIMPLE)).toEqual({ StatusCode: 500, Message: 'the platform did not answer' })
      platform.faults.add({ do: fault, on: 'exchange', times: 1 })
      expect(rig.framesSince(mark)).toBe(0)
    },
  )

  it('a platform that hangs is answered with 500 after the timeout', async () => {
    platform.faults.add({ do: 'hang', on: 'graphql' })
    expect(await print(SIMPLE)).toEqual({
      StatusCode: 500,
      Message: 'the platform did not answer: not within 10 seconds',
    })
  })

  it('a slow answer of the platform is waited for', async () => {
    platform.faults.add({ do: 'delay', ms: 50 })
    expect(await print(SIMPLE)).toEqual(PRINTED)
  })

  it('a missing listener at the address is answered with 500', async () => {
    await platform.close()
    expect(await print(SIMPLE)).toMatchObject({ StatusCode: 500 })
  })

  it('a limit of the platform (429) is waited for as long as required', async () => {
    platform.faults.add({ do: 'tooMany', on: 'graphql', retryAfterS: 2, times: 2 })
    expect(await print(SIMPLE)).toEqual(PRINTED)
    expect(waited()).toEqual([2000, 2000])
  })

  it('a limit of the platform (429) without an end is answered with 500', async () => {
    platform.faults.add({ do: 'tooMany', on: 'graphql', times: 9 })
    expect(await print(SIMPLE)).toEqual({ StatusCode: 500, Message: 'the platform is limiting requests' })
    expect(waited()).toEqual([1000, 1000, 1000])
  })

  it('an access token that is refused twice is answered with 401', async () => {
    platform.faults.add({ do: 'unauthorized', on: 'graphql', times: 2 })
    expect((await print(SIMPLE)).Message).toBe('the platform refused the request: application not installed')
  })

  // Errors of the platform (platform orders): 404 if `data.order` is null, and 500 for a malformed response.
  it.each([
    ['{"data":null}', 500],
    ['{"data":{}}', 500],
    ['{}', 500],
    ['{"data":{"order":null}}', 404],
  ])('an answer %s of the platform is answered with %i', async (body, status) => {
    const other = createServer((request, response) => {
      const isExchange = request.url?.endsWith('/access_token')
      response.end(isExchange ? '{"access_token":"at","expires_in":86399}' : body)
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    await rig.close()
    const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/{shop}`
    rig = await onPlatform(platformConfig(FILE.config, { baseUrl }))
    expect((await get(SIMPLE)).StatusCode).toBe(status)
    other.closeAllConnections()
    await new Promise((resolve) => other.close(resolve))
  })

  it('a redirect of the platform is not followed', async () => {
    const other = createServer((_, response) => response.writeHead(302, { Location: `${platform.url}/${SHOP}` }).end())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    await rig.close()
    const baseUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/{shop}`
    rig = await onPlatform(platformConfig(FILE.config, { baseUrl }))
    expect((await get(SIMPLE)).StatusCode).toBe(500)
    expect(platform.log).toEqual([])
    await new Promise((resolve) => other.close(resolve))
  })
})

// Decisions 3: "No HTTP request waits longer than 120 s in all".
it('the time of the platform counts in the time of the request, which is answered with 500, and the device gets no command', async () => {
  let sleptMs = 0
  const sleepy: Clock = {
    ...systemClock,
    now: () => systemClock.now() + sleptMs,
    after(delayMs, call) {
      if (delayMs !== 3_000) return systemClock.after(delayMs, call)
      sleptMs += 121_000
      return systemClock.after(0, call)
    },
  }
  await setUp({ clock: sleepy })
  const mark = rig.mark()
  platform.faults.add({ do: 'tooMany', on: 'graphql', retryAfterS: 3 })
  const tooSlow = {
    StatusCode: 500,
    Message: 'the platform did not answer: not within the 120 seconds that a request may take',
  }
  expect(await print(SIMPLE)).toEqual(tooSlow)
  platform.faults.add({ do: 'tooMany', on: 'graphql', retryAfterS: 3 })
  expect(await get(SIMPLE)).toEqual(tooSlow)
  expect(rig.framesSince(mark)).toBe(0)
})

describe('the cost limit of the platform is respected:', () => {
  it('an empty bucket is waited for until it is filled', async () => {
    const waits: number[] = []
    await setUp({ clock: hastyClock(waits), mockPlatform: { bucket: { maximum: 2000, restorePerSecond: 200 } } })
    await get(SIMPLE)
    platform.emptyBucket(SHOP)
    await get(SIMPLE)
    expect(waits.filter((ms) => ms < 10_000)[0]).toBeGreaterThan(3000)
  })

  it('a page that costs too much is halved', async () => {
    await setUp({ mockPlatform: { queryCostMax: 700 } })
    expect(await print(HUNDRED)).toEqual(PRINTED)
    const sizes = platform.log.flatMap(({ variables }) => (variables ? [(variables as { n: number }).n] : []))
    expect([sizes[0], sizes.at(-1)]).toEqual([40, 20])
  })
})

describe('an order that is requested again', () => {
  it('with the same token gets the first answer, without a second receipt or a query', async () => {
    await setUp()
    const token = platform.mint()
    const first = await print(SIMPLE, token)
    const requests = platform.log.length
    expect(await print(SIMPLE, token)).toEqual(first)
    expect(await print(SIMPLE, token, '?again=true')).toEqual(first)
    expect([rig.papers().length, platform.log.length]).toEqual([1, requests])
  })

  it('twice at the same time with one token is printed once', async () => {
    await setUp()
    const token = platform.mint()
    const [one, other] = await Promise.all([print(SIMPLE, token), print(SIMPLE, token)])
    expect(one).toEqual(other)
    expect(rig.papers().length).toBe(1)
  })

  it('twice at the same time with two tokens is printed once', async () => {
    await setUp()
    const answers = await Promise.all([print(SIMPLE), print(SIMPLE)])
    expect(answers.map(({ StatusCode }) => StatusCode).sort()).toEqual([200, 400])
    expect(rig.papers().length).toBe(1)
  })

  it('with another token later is refused with 400, with number and time, unless again=true', async () => {
    await setUp()
    const { Data } = await print(SIMPLE)
    const refused = await print(SIMPLE)
    expect(refused.StatusCode).toBe(400)
    expect(refused.Message).toMatch(new RegExp(`receipt ${Data} at \\d{4}-\\d\\d-\\d\\dT.*again=true`))
    expect(await print(SIMPLE, platform.mint(), '?again=true')).toEqual(PRINTED)
    expect(rig.papers().length).toBe(2)
  })

  it('is recognized after a restart of the service', async () => {
    const stores = openStores(systemClock)
    await setUp({ stores })
    await print(SIMPLE)
    await rig.close()
    rig = await onPlatform(platformConfig(FILE.config, { baseUrl: `${platform.url}/{shop}` }), { stores })
    expect((await print(SIMPLE)).StatusCode).toBe(400)
    stores.close()
  })

  it('after a crash that hid the end of its print is found in the stored answers, or was never printed', async () => {
    const stores = openStores(systemClock)
    const { answers, prints } = stores
    await setUp({ stores })
    const begun = { part: 0, order: { shop: SHOP, id: SIMPLE, token: 'before the crash' } }
    prints.begin({ ...begun, key: 'printed' })
    const printed = answers.begin({ name: '/print', key: 'printed', fingerprint: 'fingerprint' }, NOT_BEGUN)
    answers.answer(printed, success('77', '77'))
    expect((await print(SIMPLE)).Message).toMatch(/receipt 77 at \d{4}-\d\d-\d\dT.*again=true/)
    prints.begin({ ...begun, order: { ...begun.order, id: '5600000007014' }, key: 'not printed' })
    expect(await print('5600000007014')).toEqual(PRINTED)
    stores.close()
  })

  it('after a print that failed may be tried again with the same token', async () => {
    await setUp()
    const token = platform.mint()
    rig.emulator.setPaper('out')
    expect((await print(SIMPLE, token)).StatusCode).toBe(424)
    rig.emulator.setPaper('ok')
    expect(await print(SIMPLE, token)).toEqual(PRINTED)
    expect(rig.emulator.device.day.total).toBe(3250)
  })

  it('after 424 for a missing device is printed when the device is back', async () => {
    await setUp()
    await rig.emulator.setCable(false)
    expect((await print(SIMPLE)).StatusCode).toBe(424)
    await rig.emulator.setCable(true)
    expect(await print(SIMPLE)).toEqual(PRINTED)
  })

  it('with another method is refused with 405', async () => {
    await setUp()
    expect((await supertest(rig.app).put(`/api/print-platform-order/${SIMPLE}`)).status).toBe(405)
  })
})
