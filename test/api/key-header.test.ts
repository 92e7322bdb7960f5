import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../drivers/model/clock.ts'
import { type Listening, listen } from '../../server/listen.ts'
import { exchange } from '../fuzz/targets/http.ts'
import { createFakePrinter, type FakePrinter } from '../support/fake-printer.ts'
import { composeService } from '../support/rig.ts'

let printer: FakePrinter
let listening: Listening
beforeEach(async () => {
  printer = createFakePrinter()
  const { app } = composeService(printer, { clock: systemClock })
  listening = await listen(app, { host: '127.0.0.1', httpPort: 0, httpsPort: 0, hosts: [] }, undefined)
})
afterEach(() => listening.close(0))

const RECEIPT = '{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1}}]}'
const LINES = '["S,1,______,_,__;Bread;1.20;1.00;1;1;1;0;0;"]'

async function sent(path: string, body: string, keys: readonly string[]): Promise<string> {
  const head = [
    `POST /api${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    ...keys.map((key, at) => `${at % 2 === 0 ? 'Idempotency-Key' : 'idempotency-key'}: ${key}`),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  return exchange(Number(new URL(listening.httpUrl).port), Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1'))
}

it('a request with several Idempotency-Key headers is refused, with equal and with different keys, and nothing reaches the device', async () => {
  for (const keys of [
    ['d1', 'd1'],
    ['d1', 'd2'],
    ['d1', 'd1', 'd1'],
  ]) {
    const received = await sent('/print-fiscal-receipt', RECEIPT, keys)
    expect(received).toContain('HTTP/1.1 400')
    expect(received).toContain(`Idempotency-Key appears ${keys.length} times in this request; send it once.`)
  }
  expect(printer.calls).toEqual([])
})

it('a retry with one Idempotency-Key header prints nothing again', async () => {
  const answers = [
    await sent('/print-fiscal-receipt', RECEIPT, ['d1']),
    await sent('/print-fiscal-receipt', RECEIPT, ['d1']),
  ]
  const [first, second] = answers.map((received) => received.slice(received.indexOf('\r\n\r\n')))
  expect(first).toContain('"StatusCode":200')
  expect(second).toBe(first)
  expect(printer.calls.filter((call) => call === 'openFiscal')).toHaveLength(1)
})

it('a request of legacy lines with several Idempotency-Key headers is refused in the legacy form', async () => {
  const received = await sent('/Receipt', LINES, ['d1', 'd1'])
  expect(received).toContain('"ReceiptStatus":"false"')
  expect(received).toContain('Idempotency-Key appears 2 times in this request; send it once.')
  expect(printer.calls).toEqual([])
})
