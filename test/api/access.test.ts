import { hostname } from 'node:os'
import supertest from 'supertest'
import { describe, expect, it } from 'vitest'
import type { AccessRules } from '../../server/access.ts'
import { createFakePrinter } from '../support/fake-printer.ts'
import { composeService } from '../support/rig.ts'

const PATH = '/api/get-local-api-address'

function rig({ apiKey, ...listen }: Partial<AccessRules> = {}) {
  const printer = createFakePrinter()
  const settings = { listen, ...(apiKey !== undefined && { apiKey }) }
  return { printer, agent: supertest(composeService(printer, { settings }).app) }
}

describe('the Host header', () => {
  it.each([
    'localhost',
    'localhost:65400',
    'LOCALHOST.',
    '127.0.0.1:65400',
    '127.1.2.3',
    '[::1]:65400',
    hostname(),
    'till.shop.example:1',
  ])('with %s is accepted', async (host) => {
    const { status } = await rig({ hosts: ['Till.Shop.example'] })
      .agent.get(PATH)
      .set('Host', host)
    expect(status).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:65400',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '203.0.113.9',
    'a b',
    '127.0.0.1@evil.example',
  ])('with %s is refused in the envelope, for every request', async (host) => {
    const { agent, printer } = rig()
    const { status, body } = await agent.post('/api/report-z').set('Host', host)
    expect([status, body.StatusCode]).toEqual([403, 403])
    expect(printer.calls).toEqual([])
  })
})

describe('an origin', () => {
  const origins = ['https://pos.example']

  it('of the service itself, or none, passes without CORS headers', async () => {
    const { agent } = rig()
    const own = await agent.get(PATH).set('Host', 'localhost:65400').set('Origin', 'http://localhost:65400')
    expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, undefined])
    expect((await agent.get(PATH)).status).toBe(200)
  })

  it.each(['https://evil.example', 'null', 'http://pos.example', 'https://localhost:65400'])(
    '%s is refused, also for a simple POST',
    async (origin) => {
      const { agent, printer } = rig({ origins })
      const answer = await agent.post('/api/report-z').set('Host', 'localhost:65400').set('Origin', origin)
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined])
      expect(printer.calls).toEqual([])
    },
  )

  it('that is configured gets the CORS headers, on errors too', async () => {
    const { agent } = rig({ origins })
    for (const path of [PATH, '/api/no-such-thing']) {
      const { headers } = await agent.get(path).set('Origin', 'https://pos.example')
      expect(headers['access-control-allow-origin']).toBe('https://pos.example')
      expect(headers['vary']).toContain('Origin')
    }
  })

  it.each(['Private', 'Local'])(
    'that is configured gets an answer to a preflight before the key is checked, also before access to a %s network',
    async (kind) => {
      const { agent } = rig({ origins, apiKey: 'secret' })
      const { status, headers } = await agent
        .options('/api/print-fiscal-receipt')
        .set('Origin', 'https://pos.example')
        .set('Access-Control-Request-Method', 'POST')
        .set(`Access-Control-Request-${kind}-Network`, 'true')
      expect(status).toBe(204)
      expect(headers['access-control-allow-methods']).toContain('POST')
      expect(headers['access-control-allow-headers']).toBe('Authorization, Content-Type, Idempotency-Key, X-Request-Id')
      expect(headers[`access-control-allow-${kind.toLowerCase()}-network`]).toBe('true')
    },
  )
})

describe('the API key', () => {
  it('is required for every path, the API description too', async () => {
    const { agent, printer } = rig({ apiKey: 'secret' })
    for (const path of [PATH, '/api/openapi.json']) {
      for (const header of [undefined, 'Bearer wrong', 'Basic secret', 'secret']) {
        const request = agent.get(path)
        if (header !== undefined) request.set('Authorization', header)
        const { status, body, headers } = await request
        expect([status, body.StatusCode, headers['www-authenticate']]).toEqual([401, 401, 'Bearer'])
      }
      expect((await agent.get(path).set('Authorization', 'Bearer secret')).status).toBe(200)
    }
    expect(printer.calls).toEqual([])
  })
})

it('the service answers OPTIONS without an origin with Allow', async () => {
  const { status, headers } = await rig().agent.options(PATH)
  expect([status, headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
})
