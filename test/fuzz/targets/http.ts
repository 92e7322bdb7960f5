/**
 * Bytes sent to the HTTP servers of this machine, whole or in pieces: requests that are invalid, incomplete, or hide
 * another request. No response has status 500, no connection stays open, the next caller is served, and without the key
 * nothing is printed.
 */
import { connect } from 'node:net'
import { systemClock } from '../../../drivers/model/clock.ts'
import { createEmulator } from '../../../emulator/emulator.ts'
import { startMockPlatform } from '../../../scenarios/mock-platform/mock-platform.ts'
import { readOrders } from '../../../scenarios/mock-platform/orders.ts'
import { listen } from '../../../server/listen.ts'
import { FILE } from '../../orders/cases.ts'
import { createFakePrinter } from '../../support/fake-printer.ts'
import { listenPanel } from '../../support/panel.ts'
import { composeService } from '../../support/rig.ts'
import { Find, type FuzzTarget } from '../search.ts'

interface Served {
  readonly port: number
  /** Returns the forbidden effect of an input, if any. */
  wrong(input: Buffer): string | undefined
}

/** Time without bytes after which the client closes its side, in ms. */
const QUIET_MS = 4
/** Time within which a server must close a connection after its client, in ms: long enough for a busy machine. */
const CLOSED_MS = 30_000
const ANSWERS_MAX = 4 * 1024 * 1024

/** The bytes are sent in two pieces. */
export function exchange(port: number, bytes: Buffer, cut = bytes.length >> 1): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Find('the connection stays open'))
    }, CLOSED_MS)
    let quiet: NodeJS.Timeout
    const endIfAnswered = () => {
      clearTimeout(quiet)
      quiet = setTimeout(() => socket.end(), QUIET_MS)
    }
    socket.setEncoding('latin1')
    socket.on('error', () => socket.destroy())
    socket.on('connect', () => {
      socket.write(bytes.subarray(0, cut))
      setImmediate(() => {
        if (!socket.destroyed) socket.write(bytes.subarray(cut))
        endIfAnswered()
      })
    })
    socket.on('data', (text: string) => {
      received += text
      // The client ends a stream of events, because the server does not.
      if (received.length > ANSWERS_MAX || received.includes('text/event-stream')) socket.destroy()
      else endIfAnswered()
    })
    socket.on('close', () => {
      clearTimeout(late)
      clearTimeout(quiet)
      resolve(received)
    })
  })
}

const GOOD = Buffer.from('GET /nothing/here HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
const PRINT = '{"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1}}]}'
const HIDDEN = post('/api/report-z', '')

export const SHAPES: readonly string[] = [
  GOOD.toString(),
  post('/api/print-fiscal-receipt', PRINT),
  post('/api/print-fiscal-receipt', PRINT, 'Authorization: Bearer wrong\r\nIdempotency-Key: 1\r\n'),
  'POST /api/report-z HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n',
  `POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  `POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
  `POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  `POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  `POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nContent-Length: +0\r\n\r\n${HIDDEN}`,
  `GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n',
  'POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n{}\r\n',
  'POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2;a="\n\r\n{}\n0\n\n',
  'POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{',
  'POST /api/report-x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  'GET /api/openapi.json HTTP/1.1\r\nHost: loc',
  'GET http://evil.example/api/report-z HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET //evil.example/%2e%2e/%00 HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n',
  'GET / HTTP/1.1\nHost: localhost\n\n',
  'GET / HTTP/1.1\r\nHost: localhost\r\n Folded: a\r\n\r\n',
  'GET / HTTP/1.1\rHost: localhost\r\r',
  'GET / HTTP/0.9\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /emulator/events HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(3000)}\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\0\0\0\0',
]

/** Requests that only the control panel and the mock platform serve. */
const PANEL = [
  ...['paper', 'faults', 'reset', 'power', 'display', 'switches'].map((path) =>
    post(`/emulator/${path}`, '{"state":"out"}'),
  ),
  post('/emulator/faults', '{"at":"link.toHost","on":"closeFiscal","times":1,"do":"drop"}'),
  ...['state', 'documents/1.svg', 'documents/1.png', 'frames?since=1', 'journal'].map(
    (path) => `GET /emulator/${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ),
]
const MOCK_PLATFORM = [
  'GET /mock-platform/token?shop=demo&user=1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  post('/mock-platform/faults', '{"status":500,"times":1}'),
  post('/admin/oauth/access_token', '{"client_id":"x"}'),
  post('/admin/api/2026-01/graphql.json', '{"query":"{ shop { name } }","variables":{}}'),
]

const server = (name: string, own: readonly string[], start: () => Promise<Served>): FuzzTarget => {
  let starting: Promise<Served> | undefined
  let since = 0
  return {
    name,
    seeds: () => [...SHAPES, ...own].map((shape) => Buffer.from(shape, 'latin1')),
    async run(input) {
      starting ??= start()
      const served = await starting
      const answers = await exchange(served.port, input)
      const statuses = [...answers.matchAll(/(?:^|\n)HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
      if (statuses.includes('500')) throw new Find(answers.slice(0, 1000))
      if (answers.length > ANSWERS_MAX) throw new Find(`${input.length} bytes are answered by ${answers.length}`)
      const wrong = served.wrong(input)
      if (wrong !== undefined) throw new Find(wrong)
      if (++since % 64 === 0) {
        const next = await exchange(served.port, GOOD)
        if (!/^HTTP\/1\.1 404/.test(next)) throw new Find(`the next caller is not served: ${next.slice(0, 200)}`)
      }
      return statuses.slice(0, 8).join()
    },
    longest: 32 * 1024,
  }
}

const KEY = 'fuzz-7f3a9c'

const service = server('http-service', [], async () => {
  const printer = createFakePrinter()
  const { app } = composeService(printer, { settings: { apiKey: KEY }, clock: systemClock })
  const rules = { host: '127.0.0.1', httpPort: 0, httpsPort: 0, hosts: [] }
  const { httpUrl } = await listen(app, rules, undefined)
  return {
    port: Number(new URL(httpUrl).port),
    wrong: (input) => (input.includes(KEY) || printer.calls.length === 0 ? undefined : `asked: ${printer.calls}`),
  }
})

const panel = server('http-panel', PANEL, async () => {
  const emulator = createEmulator({ family: 'A' })
  const { port } = await listenPanel(emulator, 0)
  return { port, wrong: () => undefined }
})

const mockPlatform = server('http-mock-platform', MOCK_PLATFORM, async () => {
  const { port } = await startMockPlatform(0, { orders: readOrders(FILE) })
  return { port, wrong: () => undefined }
})

export const servers: readonly FuzzTarget[] = [service, panel, mockPlatform]
