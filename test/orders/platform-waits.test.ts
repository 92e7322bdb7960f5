import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createOrderSource } from '../../server/orders/client.ts'
import { profileOf } from '../../server/orders/profile.ts'
import { REQUEST_MAX_MS } from '../../server/printer-queue.ts'
import { START } from '../support/rig.ts'
import { CASES, FILE, platformConfig, platformOrder } from './cases.ts'

const [SIMPLE] = CASES
const ID = String(SIMPLE?.order.legacyResourceId)
const SESSION = { shop: 'demo.myshop.example', user: '42', id: 'token', token: 'a.b.c' }
const TOO_SLOW = 'the platform did not answer: not within the 120 seconds that a request may take'

let clock: SimulatedClock
let server: Server
let received: { readonly url: string; readonly response: ServerResponse }[]
let notify: () => void
beforeEach(async () => {
  clock = new SimulatedClock(START)
  received = []
  notify = () => undefined
  server = createServer((request: IncomingMessage, response) => {
    received.push({ url: request.url ?? '', response })
    notify()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function question(n: number): Promise<ServerResponse> {
  return new Promise((resolve) => {
    notify = () => {
      const one = received[n - 1]
      if (one) resolve(one.response)
    }
    notify()
  })
}

function sourceOf(rest: object) {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{shop}`
  const profile = profileOf(platformConfig(FILE.config, { baseUrl, ...rest }))
  if (!profile) throw new Error('the platform is not configured')
  return createOrderSource(profile, clock, () => undefined)
}

const saying = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'read',
    (error: Error) => error.message,
  )

const graph = (order: unknown) => JSON.stringify({ data: { order } })
const paged = (order: unknown) => {
  const { lineItems } = order as { lineItems: object }
  return { ...(order as object), lineItems: { ...lineItems, pageInfo: { hasNextPage: false, endCursor: null } } }
}

describe('the time of the request', () => {
  it('is not exceeded by a platform that is slow at each query', async () => {
    const source = sourceOf({ timeoutS: 100 })
    const read = saying(source.read(SESSION, ID, { until: REQUEST_MAX_MS }))
    const exchange = await question(1)
    clock.advance(90_000)
    exchange.end('{"access_token":"at","expires_in":86399}')
    await question(2)
    clock.advance(29_999)
    expect(clock.next()).toBe(REQUEST_MAX_MS)
    clock.advance(1)
    expect(await read).toBe(TOO_SLOW)
  })

  it('is checked before the platform is queried', async () => {
    const source = sourceOf({})
    clock.advance(REQUEST_MAX_MS)
    expect(await saying(source.read(SESSION, ID, { until: REQUEST_MAX_MS }))).toBe(TOO_SLOW)
    expect(received).toEqual([])
  })

  it('is not spent waiting when the platform limits requests', async () => {
    const source = sourceOf({ arrangement: 'relay' })
    clock.advance(REQUEST_MAX_MS - 2_000)
    const read = saying(source.read(SESSION, ID, { until: REQUEST_MAX_MS }))
    ;(await question(1)).writeHead(429, { 'Retry-After': '2' }).end()
    expect(await read).toBe('the platform is limiting requests')
  })

  it('ends when the caller disconnects', async () => {
    const source = sourceOf({})
    const gone = new AbortController()
    const read = saying(source.read(SESSION, ID, { until: REQUEST_MAX_MS, gone: gone.signal }))
    await question(1)
    gone.abort()
    const HUNG_UP = 'Nothing was printed: the client disconnected while the service was waiting for the platform.'
    expect(await read).toBe(HUNG_UP)
    expect(await saying(source.read(SESSION, ID, { until: REQUEST_MAX_MS, gone: gone.signal }))).toBe(HUNG_UP)
    expect(received).toHaveLength(1)
  })
})

describe.each(['direct', 'relay'])('the returned order, %s', (arrangement) => {
  const read = async (change: object): Promise<string> => {
    const source = sourceOf({ arrangement })
    const order = { ...(platformOrder(SIMPLE as NonNullable<typeof SIMPLE>) as object), ...change }
    const outcome = saying(source.read(SESSION, ID, { until: REQUEST_MAX_MS }))
    if (arrangement === 'direct') (await question(1)).end('{"access_token":"at","expires_in":86399}')
    const last = await question(arrangement === 'direct' ? 2 : 1)
    last.end(arrangement === 'direct' ? graph(paged(order)) : JSON.stringify({ order }))
    return outcome
  }

  it.each([
    [{}, 'read'],
    [{ id: ID }, 'read'],
    [{ id: `gid://other/Order/${ID}?shop=1` }, 'read'],
    [{ legacyResourceId: '1' }, 'the platform did not answer: it sent another order'],
    [{ id: 'gid://platform/Order/1' }, 'the platform did not answer: it sent another order'],
    [{ id: `gid://platform/Order/${ID}1` }, 'the platform did not answer: it sent another order'],
  ])('with the change %j gives the result "%s"', async (change, text) => expect(await read(change)).toBe(text))
})
