import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { openPrinter } from '../../drivers/index.ts'
import { systemClock } from '../../drivers/model/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Identity } from '../../emulator/identity.ts'
import { compose, openStores, printerConfig } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { endpoints } from '../../server/endpoints/index.ts'
import { VALID_BODIES, VALID_PATHS } from '../support/valid-requests.ts'
import { ask, builtSite } from './built-site.ts'

const site = builtSite()

interface RequestCase {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}

const JSON_BODY = { 'Content-Type': 'application/json', 'X-Request-Id': 'both-ways' }

/**
 * The list contains every endpoint with a valid body, without a body, and with fields of a wrong type. The list also
 * contains requests that no endpoint accepts.
 */
const REQUESTS: readonly RequestCase[] = [
  ...endpoints.flatMap(({ method, path, example }) => {
    const at = { method: method.toUpperCase(), path: `/api${VALID_PATHS[path] ?? path}`, headers: JSON_BODY }
    if (method === 'get') return [at, { ...at, method: 'HEAD' }, { ...at, method: 'OPTIONS' }]
    const good = [VALID_BODIES[path], example].flatMap((body) => (body ? [{ ...at, body: JSON.stringify(body) }] : []))
    return [
      ...good,
      at,
      { ...at, body: '{"ReceiptItems": 1, "Message": 2, "Text": [], "Nothing": 0}' },
      { ...at, method: 'GET' },
    ]
  }),
  ...[
    { body: '{"a": ' },
    { body: '[]' },
    { body: '{"Text": "é"}' },
    { body: 'Text=1', headers: { ...JSON_BODY, 'Content-Type': 'text/plain' } },
    { body: '{}', headers: { ...JSON_BODY, 'Content-Encoding': 'gzip' } },
    { body: '{"Text": "a"}', headers: { ...JSON_BODY, 'Content-Type': 'application/json; charset=latin1' } },
    { body: ' '.repeat(1024 * 1024 + 1) },
  ].map((more) => ({ method: 'POST', path: '/api/display-line-one', headers: JSON_BODY, ...more })),
  ...[
    '/api/nothing',
    '/API/Display-Line-One/',
    '/api/print-separating-line/%E0%A4%A',
    '/api/print-separating-line/9',
  ].map((path) => ({ method: 'POST', path, headers: JSON_BODY, body: '{"Text": "a"}' })),
  { method: 'POST', path: '/api/Receipt', headers: JSON_BODY, body: '["^1^"]' },
  { method: 'POST', path: '/api/Receipt', headers: JSON_BODY, body: 'no lines' },
  { method: 'POST', path: '/api/report-x', headers: { ...JSON_BODY, 'Idempotency-Key': 'x-1' }, body: '{}' },
  { method: 'POST', path: '/api/report-x', headers: { ...JSON_BODY, 'Idempotency-Key': 'x-1' }, body: '{}' },
  { method: 'POST', path: '/api/report-x', headers: { ...JSON_BODY, 'Idempotency-Key': ' ' }, body: '{}' },
]

/** A worker has no headers of the connection. */
const OF_CONNECTION = ['date', 'connection', 'keep-alive', 'transfer-encoding']

const comparable = ({ status, headers, text }: Answered): Answered => ({
  status,
  headers: headers
    .filter(([name]) => !OF_CONNECTION.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  // The time of the last error in /api/status varies.
  text: text.replace(/"At":"[^"]*"/g, '"At":""'),
})

async function overHttp(identity: Identity): Promise<string> {
  const settings = settingsOf({}, { family: 'A' })
  const emulator = createEmulator({ family: 'A', identity })
  const printer = openPrinter(printerConfig(settings, emulator.path), { binding: emulator.binding })
  const { app } = compose({ settings, printer, clock: systemClock, stores: openStores(systemClock) })
  const server = createServer(app)
  const port = await listenLocally(server, 0)
  onTestFinished(async () => {
    await closeAtOnce(server)
    await printer.disconnect()
    await emulator.close()
  })
  return `http://127.0.0.1:${port}`
}

it('the REST service in the browser answers all requests as the service in Node does, byte for byte', async () => {
  const page = await (await site.context()).newPage()
  await page.goto(site.address)
  const { serialNumber, fiscalMemoryNumber } = JSON.parse((await ask(page, '/emulator')).text) as Identity
  const service = await overHttp({ serialNumber, fiscalMemoryNumber })
  const differences: string[] = []
  for (const { path, ...request } of REQUESTS) {
    const response = await fetch(service + path, request)
    const expected = { status: response.status, headers: [...response.headers], text: await response.text() }
    const answered = await page.evaluate<Answered, [string, object]>(
      async ([at, init]) => {
        const { status, headers, ...rest } = await fetch(at, init).then(async (one) => ({
          status: one.status,
          headers: [...one.headers],
          text: await one.text(),
        }))
        return { status, headers, ...rest }
      },
      [path, request],
    )
    const [own, other] = [comparable(answered), comparable(expected)]
    const [worker, http] = [own, other].map((one) => JSON.stringify(one))
    if (worker !== http) differences.push(`${request.method} ${path} ${request.body?.slice(0, 80)}\n${worker}\n${http}`)
  }
  expect(differences).toEqual([])
  expect(REQUESTS.length).toBeGreaterThan(80)
})
