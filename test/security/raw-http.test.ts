/**
 * Requests as raw bytes that no HTTP client sends: hidden in another request, truncated, or with endless heads. The
 * service has no key here, so only its HTTP parser protects the device from a hidden request.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../drivers/model/clock.ts'
import { type Listening, listen } from '../../server/listen.ts'
import { exchange } from '../fuzz/targets/http.ts'
import { createFakePrinter, type FakePrinter } from '../support/fake-printer.ts'
import { composeService } from '../support/rig.ts'

let printer: FakePrinter
let listening: Listening
let port: number
beforeEach(async () => {
  printer = createFakePrinter()
  const { app } = composeService(printer, { clock: systemClock })
  listening = await listen(app, { host: '127.0.0.1', httpPort: 0, httpsPort: 0, hosts: [] }, undefined)
  port = Number(new URL(listening.httpUrl).port)
})
afterEach(() => listening.close(0))

const statuses = (received: string): string[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status)
const HEAD = 'POST /api/clear-display HTTP/1.1\r\nHost: localhost\r\n'
const HIDDEN = 'POST /api/report-z HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n'

describe('a request with another request hidden in it', () => {
  it.each([
    ['by a length and pieces', `${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['by pieces without a valid end', `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['by a blank after the name', `${HEAD}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['by a tab before the value', `${HEAD}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    ['by two lengths', `${HEAD}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
    ['by two lengths in one', `${HEAD}Content-Length: 0, ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
    ['by a length with a sign', `${HEAD}Content-Length: +0\r\n\r\n${HIDDEN}`],
    ['by a length below zero', `${HEAD}Content-Length: -1\r\n\r\n${HIDDEN}`],
    ['by a folded line', `${HEAD}X: 1\r\n Content-Length: 0\r\n\r\n${HIDDEN}`],
    ['by a bare carriage return', `${HEAD}X: 1\rContent-Length: 0\r\n\r\n${HIDDEN}`],
    ['by a NUL', `${HEAD}X: 1\0Content-Length: 0\r\n\r\n${HIDDEN}`],
    ['by a piece of a length below zero', `${HEAD}Transfer-Encoding: chunked\r\n\r\n-1\r\n${HIDDEN}`],
    ['by a piece beyond every length', `${HEAD}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n${HIDDEN}`],
    ['by a piece that ends with a line feed', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\n{\n0\n\n${HIDDEN}`],
  ])('%s is refused, and the hidden request is not executed', async (_how, bytes) => {
    const received = await exchange(port, Buffer.from(bytes, 'latin1'))
    expect(statuses(received).at(-1)).toBe('400')
    expect(printer.calls).not.toContain('reportZ')
  })

  it('as the body of a query remains its body', async () => {
    const bytes = `GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`
    expect(statuses(await exchange(port, Buffer.from(bytes)))).toEqual(['200'])
    expect(printer.calls).toEqual([])
  })

  it('is executed if it is sent openly, so that this test would find it', async () => {
    await exchange(port, Buffer.from(`${HEAD}Content-Length: 0\r\n\r\n${HIDDEN}`))
    expect(printer.calls).toContain('reportZ')
  })
})

it.each([
  ['a head without an end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}`, '400'],
  ['a thousand fields', `GET / HTTP/1.1\r\nHost: localhost\r\n${'a: b\r\n'.repeat(20_000)}\r\n`, '400'],
  ['an address without an end', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, '400'],
  ['two hosts', 'POST /api/report-z HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n', '403'],
  [
    'a foreign address in the first line',
    'POST http://evil.example/api/report-z HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    '403',
  ],
  ['another protocol', '\x16\x03\x01\x02\0\x01\0', '400'],
])('a request with %s is refused', async (_what, bytes, status) => {
  const received = await exchange(port, Buffer.from(bytes, 'latin1'))
  // If the server refuses before it has read everything, the client may lose the response with the connection.
  expect(['', status]).toContain(statuses(received).join())
  expect(printer.calls).toEqual([])
})

it.each([
  'POST /api/report-z HT',
  `${HEAD}Content-Length: 10\r\n\r\n{`,
  `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nab`,
])('a request that ends in the middle has no effect: %j', async (bytes) => {
  await exchange(port, Buffer.from(bytes))
  expect(printer.calls).toEqual([])
})
