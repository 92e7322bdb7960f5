/** Every response has an id (X-Request-Id, decisions 9), and the log contains the id. */
import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakePrinter } from '../support/fake-printer.ts'
import { composeService, type ServiceRig } from '../support/rig.ts'

let printer: ReturnType<typeof createFakePrinter>
let rig: ServiceRig

beforeEach(() => {
  printer = createFakePrinter()
  rig = composeService(printer, { settings: { apiKey: 'secret' } })
})
afterEach(() => rig.close())

const ask = (method: 'get' | 'post', path: string, headers: Record<string, string> = {}) =>
  supertest(rig.app)
    [method](path)
    .set({ Authorization: 'Bearer secret', ...headers })

describe('the header X-Request-Id', () => {
  it.each([
    ['a valid request', 'post', '/api/report-x', {}, 200],
    ['an invalid body', 'post', '/api/payment', { 'Content-Type': 'text/plain' }, 400],
    ['a missing key', 'post', '/api/report-x', { Authorization: '' }, 401],
    ['a foreign host', 'get', '/api/openapi.json', { Host: 'evil.example' }, 403],
    ['a path that is not there', 'get', '/api/nothing', {}, 404],
    ['a method that is not there', 'get', '/api/report-x', {}, 405],
  ] as const)('is in the log and in the answer to %s', async (_what, method, path, headers, status) => {
    const answer = await ask(method, path, headers)
    expect(answer.status).toBe(status)
    const id = answer.headers['x-request-id']
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect(rig.requests).toEqual([expect.objectContaining({ id, path, status })])
  })

  it('has the value of the caller if a log may contain that value', async () => {
    const answer = await ask('post', '/api/report-x', { 'X-Request-Id': 'till-7:0042' })
    expect(answer.headers['x-request-id']).toBe('till-7:0042')
    expect(rig.requests.map(({ id }) => id)).toEqual(['till-7:0042'])
  })

  it.each(['a b', 'x'.repeat(65), '"', 'ä', ''])('has a new value instead of %j', async (own) => {
    const answer = await ask('post', '/api/report-x', { 'X-Request-Id': own })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/)
  })

  it('has another value for every request', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await ask('get', '/api/nothing')).headers['x-request-id']))
    expect(new Set(ids).size).toBe(3)
  })

  it('is logged with an unforeseen error', async () => {
    Object.assign(printer, { reportX: () => Promise.reject(new TypeError('nobody foresaw this')) })
    const answer = await ask('post', '/api/report-x', { 'X-Request-Id': 'till-7' })
    expect(answer.status).toBe(500)
    expect(rig.troubles).toEqual(['till-7'])
  })
})
