import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import supertest from 'supertest'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { ListeningPanel } from '../../emulator/panel/panel.ts'
import { type MockPlatform, startMockPlatform } from '../../scenarios/mock-platform/mock-platform.ts'
import { readOrders } from '../../scenarios/mock-platform/orders.ts'
import { FILE } from '../orders/cases.ts'
import { type Browser, openBrowser } from '../page/browser.ts'
import { createFakePrinter } from '../support/fake-printer.ts'
import { listenPanel } from '../support/panel.ts'
import { composeService } from '../support/rig.ts'

const ELSEWHERE = ['cross-site', 'same-site', 'Cross-Site', 'cross-site, none', 'something-new'] as const
const OWN = ['same-origin', 'none'] as const

describe('a page of another site', () => {
  const PATHS = [
    ['get', '/api/ask-for-z-report-structured-information/1'],
    ['get', '/api/status-of-the-fiscal-transaction'],
    ['get', '/api/openapi.json'],
    ['get', '/nothing/here'],
    ['post', '/api/report-z'],
    ['post', '/api/Receipt'],
    ['options', '/api/report-z'],
  ] as const

  it.each(PATHS)('does not reach the device: %s %s', async (method, path) => {
    const printer = createFakePrinter()
    const { app } = composeService(printer, { settings: { listen: { origins: ['https://pos.example'] } } })
    for (const site of ELSEWHERE) {
      const answer = await supertest(app)[method](path).set('Sec-Fetch-Site', site)
      expect([site, answer.status, answer.body.StatusCode]).toEqual([site, 403, 403])
    }
    expect(printer.calls).toEqual([])
  })

  it("whose origin is configured is accepted, and so are the service's own pages and programs other than browsers", async () => {
    const { app } = composeService(createFakePrinter(), { settings: { listen: { origins: ['https://pos.example'] } } })
    const ask = () => supertest(app).get('/api/get-local-api-address').set('Host', 'localhost:65400')
    for (const site of OWN) expect((await ask().set('Sec-Fetch-Site', site)).status).toBe(200)
    expect((await ask()).status).toBe(200)
    const named = await ask().set('Sec-Fetch-Site', 'cross-site').set('Origin', 'https://pos.example')
    expect([named.status, named.headers['access-control-allow-origin']]).toEqual([200, 'https://pos.example'])
    const other = await ask().set('Sec-Fetch-Site', 'cross-site').set('Origin', 'https://evil.example')
    expect(other.status).toBe(403)
    // Sec-Fetch-Site names a foreign site although the origin is that of the server.
    const both = await ask().set('Sec-Fetch-Site', 'cross-site').set('Origin', 'http://localhost:65400')
    expect(both.status).toBe(403)
  })

  it('gets no answer that it could put into a frame, a script or an image', async () => {
    const { app } = composeService(createFakePrinter())
    for (const path of ['/api/get-local-api-address', '/api/openapi.json', '/nothing', '/api/report-z']) {
      const { headers } = await supertest(app).get(path)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      })
    }
    const refused = await supertest(app).get('/').set('Host', 'evil.example')
    expect([refused.status, refused.headers['x-content-type-options']]).toEqual([403, 'nosniff'])
  })
})

describe('the control panel', () => {
  let emulator: Emulator
  let panel: ListeningPanel
  beforeEach(async () => {
    emulator = createEmulator({ family: 'A' })
    panel = await listenPanel(emulator, 0)
  })
  afterEach(async () => {
    await panel.close()
    await emulator.close()
  })

  it.each(['/', '/emulator', '/emulator/documents/1.svg', '/events', '/emulator/snapshot'])(
    'does not answer %s to a page of another site',
    async (path) => {
      for (const site of ELSEWHERE) {
        const answer = await supertest(panel.url).get(path).set('Sec-Fetch-Site', site)
        expect([site, answer.status]).toEqual([site, 403])
        expect(answer.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        })
        expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      }
      for (const site of OWN) {
        if (path === '/events') continue
        expect((await supertest(panel.url).get(path).set('Sec-Fetch-Site', site)).status).not.toBe(403)
      }
    },
  )
})

describe('the mock platform', () => {
  let platform: MockPlatform
  beforeEach(async () => {
    platform = await startMockPlatform(0, { orders: readOrders(FILE) })
  })
  afterEach(() => platform.close())

  const CONTROL = ['/mock-platform/token', '/mock-platform/log', '/mock-platform/orders']

  it.each([
    ['the name of another host', { Host: 'evil.example' }],
    ['a name that only begins like this machine', { Host: '127.0.0.1.evil.example' }],
    ['another name with the right port', { Host: 'evil.example:4010' }],
    ['a shop as Host', { Host: 'demo.myshop.example' }],
    ['a foreign origin', { Host: '127.0.0.1:4010', Origin: 'https://evil.example' }],
    ['no origin at all, as of a sandbox', { Host: '127.0.0.1:4010', Origin: 'null' }],
    ['another port of this machine', { Host: '127.0.0.1:4010', Origin: 'http://127.0.0.1:8080' }],
    ['the page of another site', { Host: '127.0.0.1:4010', 'Sec-Fetch-Site': 'cross-site' }],
    ['the page of another port', { Host: 'localhost:4010', 'Sec-Fetch-Site': 'same-site' }],
  ])('gives no token and no log to %s', async (_who, headers) => {
    for (const path of [...CONTROL, '/%6dock-platform/token', '/x/../mock-platform/token', '//mock-platform/token']) {
      const answer = await supertest(platform.url).get(path).set(headers)
      expect([path, answer.status >= 400]).toEqual([path, true])
      expect(answer.text).not.toMatch(/ey[\w-]+\.ey/)
    }
    const rule = await supertest(platform.url).post('/mock-platform/faults').set(headers).send({ do: 'error500' })
    expect(rule.status).toBe(403)
  })

  it('answers only programs of this machine and its own pages', async () => {
    for (const Host of ['127.0.0.1:4010', 'localhost:4010', '[::1]:4010']) {
      const { status } = await supertest(platform.url)
        .get('/mock-platform/token')
        .set({ Host, Origin: `http://${Host}` })
      expect(status).toBe(200)
    }
    const { text } = await supertest(platform.url).get('/mock-platform/token')
    expect(text).toMatch(/^ey[\w-]+\.ey[\w-]+\.[\w-]+$/)
  })
})

describe('in Chromium,', () => {
  let browser: Browser
  let site: Server
  let port: number
  beforeAll(async () => {
    site = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>A page'))
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
    port = (site.address() as AddressInfo).port
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    site.close()
  })

  it('a page that has rebound its host name reads no token', async () => {
    // The page comes from the attacker's server. For the next request of the page, the name resolves to the mock
    // platform.
    const attacker = createServer((_request, response) => response.setHeader('Connection', 'close').end('A page'))
    await new Promise<void>((done) => attacker.listen(0, '127.0.0.1', done))
    const { port: rebound } = attacker.address() as AddressInfo
    const page = await browser.newPage()
    await page.goto(`http://rebound.evil.example:${rebound}/`)
    await new Promise((done) => {
      attacker.close(done)
      attacker.closeAllConnections()
    })
    const platform = await startMockPlatform(rebound, { orders: readOrders(FILE) })
    const [status, text] = (await page.evaluate(
      `fetch('/mock-platform/token').then(async (answer) => [answer.status, await answer.text()])`,
    )) as [number, string]
    expect(status).toBe(403)
    expect(text).not.toMatch(/ey[\w-]+\.ey/)
    await page.close()
    await platform.close()
  })

  it.each(['localhost', 'www.evil.example'])(
    'a page of the host %s reaches neither the device nor the control panel',
    async (host) => {
      const printer = createFakePrinter()
      const service = createServer(composeService(printer).app)
      await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
      const api = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api`
      const emulator = createEmulator({ family: 'A' })
      const panel = await listenPanel(emulator, 0)
      const page = await browser.newPage()
      const statuses: number[] = []
      page.on('response', (answer) => {
        if (!answer.url().includes(`:${port}/`)) statuses.push(answer.status())
      })
      await page.goto(`http://${host}:${port}/`)
      await page.evaluate(
        `(async (urls) => {
        for (const url of urls) {
          await fetch(url, { mode: 'no-cors' }).catch(() => undefined)
          await new Promise((done) => {
            const image = new Image()
            image.onload = image.onerror = done
            image.src = url
          })
          await new Promise((done) => {
            const frame = document.createElement('iframe')
            frame.onload = done
            frame.src = url
            document.body.append(frame)
          })
        }
      })(${JSON.stringify([`${api}/ask-for-z-report-structured-information/1`, `${panel.url}/emulator/snapshot`])})`,
      )
      expect(printer.calls).toEqual([])
      expect(statuses.filter((status) => status !== 403)).toEqual([])
      expect(statuses.length).toBeGreaterThan(0)
      await page.close()
      await panel.close()
      await emulator.close()
      service.close()
      service.closeAllConnections()
    },
  )
})
