/** State of the service while it prints (GET /api/status, GET /api/events), and its messages about paper. */
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEventStreams } from '../../drivers/host/event-streams.ts'
import { cannotPrint } from '../../drivers/model/errors.ts'
import { createFakePrinter, type FakePrinter } from '../support/fake-printer.ts'
import { type KillableService, startKillableService } from '../support/killable-service.ts'
import { composeService, type ServiceRig, START } from '../support/rig.ts'

const FISCAL = '/print-fiscal-receipt'
const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
const ISO_START = new Date(START).toISOString()

describe('GET /status', () => {
  let printer: FakePrinter
  let rig: ServiceRig
  beforeEach(() => {
    printer = createFakePrinter()
    rig = composeService(printer)
  })
  afterEach(() => rig.close())

  it('is answered while a receipt is printed and others wait, without a query to the device', async () => {
    const release = printer.hold()
    const first = supertest(rig.app).post(`/api${FISCAL}`).set('X-Request-Id', 'till-1').send(RECEIPT)
    const [one, two] = [first.then(({ body }) => body), rig.post(FISCAL, RECEIPT)]
    await expect.poll(() => rig.service.queue.waiting).toBe(1)
    const callsBefore = printer.calls.length
    expect((await rig.get('/status')).Data).toEqual({
      Device: null,
      Connected: true,
      Busy: { Request: 'till-1', Endpoint: FISCAL, Since: ISO_START, WaitsFor: null },
      Waiting: 1,
      Warnings: [],
      LastError: null,
    })
    expect(printer.calls.length).toBe(callsBefore)
    release()
    expect([(await one).StatusCode, (await two).StatusCode]).toEqual([200, 200])
    expect((await rig.get('/status')).Data).toMatchObject({ Busy: null, Waiting: 0 })
  })

  it('names the last request that failed on the device', async () => {
    printer.failOn('openFiscal', cannotPrint('noPaper'))
    const { Message } = await rig.post(FISCAL, RECEIPT)
    const { LastError } = (await rig.get('/status')).Data
    expect(LastError).toMatchObject({ Endpoint: FISCAL, At: ISO_START, StatusCode: 424, Message })
    expect(Message).toContain('out of paper')
  })

  it('contains the facts that the device reports about itself', async () => {
    printer.state = { ...printer.state, isConnected: false, conditions: new Set(['clockNotSet', 'paperNearlyOut']) }
    expect((await rig.get('/status')).Data).toMatchObject({
      Connected: false,
      Warnings: [
        { Name: 'PaperNearlyOut', Message: 'The paper is nearly out. Have a new roll ready.' },
        { Name: 'ClockNotSet', Message: 'The clock of the device is not set.' },
      ],
    })
  })

  it('requires the key and a Host of the service, and so do the events', async () => {
    const guarded = composeService(printer, { settings: { apiKey: 'secret' } })
    for (const path of ['/api/status', '/api/events']) {
      expect((await supertest(guarded.app).get(path)).status).toBe(401)
      expect((await supertest(guarded.app).get(path).set('Host', 'shop.example')).status).toBe(403)
    }
    const answer = await supertest(guarded.app).get('/api/status').set('Authorization', 'Bearer secret')
    expect(answer.status).toBe(200)
    await guarded.close()
  })
})

describe('a caller whose receipt waits until a person loads paper or closes the cover', () => {
  it('gets an answer at once, and the receipt continues: a retry with the key is answered with the receipt number', async () => {
    const printer = createFakePrinter()
    const rig = composeService(printer)
    const release = printer.hold()
    const first = rig.post(FISCAL, RECEIPT, 'k')
    await expect.poll(() => printer.calls.length).toBeGreaterThan(0)
    printer.waits(cannotPrint('paperOrCover'))
    const { StatusCode, Message } = await first
    expect(StatusCode).toBe(424)
    expect(Message).toMatch(/^Outcome unknown: The printer waits: it is out of paper or its cover is open\./)
    expect((await rig.get('/status')).Data).toMatchObject({
      Busy: { Endpoint: FISCAL, WaitsFor: expect.stringContaining('out of paper') },
      Warnings: [{ Name: 'PaperOrCover' }],
    })
    const again = rig.post(FISCAL, RECEIPT, 'k')
    release()
    expect(await again).toEqual({ StatusCode: 200, Data: '1' })
    expect(printer.closed).toEqual([1])
    await rig.close()
  })
})

describe('GET /events', () => {
  it('sends requests that begin, print and fail, and warnings, to every listener', async () => {
    const printer = createFakePrinter()
    const rig = composeService(printer)
    const server = rig.app.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    let text = ''
    const request = get({ port: (server.address() as AddressInfo).port, path: '/api/events' }, (response) => {
      expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
    })
    request.on('error', () => undefined)
    await expect.poll(() => text).toContain('event: status')
    printer.state = { ...printer.state, conditions: new Set(['paperNearlyOut']) }
    await supertest(rig.app).post(`/api${FISCAL}`).set('X-Request-Id', 'a').send(RECEIPT)
    printer.failOn('openFiscal', cannotPrint('coverOpen'))
    await supertest(rig.app).post(`/api${FISCAL}`).set('X-Request-Id', 'b').send(RECEIPT)
    await rig.get('/status')
    await expect.poll(() => text).toContain('event: failed')
    const events = [...text.matchAll(/event: (\w+)\ndata: (.*)/g)].map(([, name, data]) => [
      name,
      JSON.parse(String(data)),
    ])
    const at = { Endpoint: FISCAL, At: ISO_START }
    expect(events).toEqual([
      ['status', expect.objectContaining({ Busy: null })],
      ['begun', { Request: 'a', ...at }],
      ['printed', { Request: 'a', ...at, TookMs: 0, ReceiptNumber: '1' }],
      [
        'warning',
        { Name: 'PaperNearlyOut', Message: 'The paper is nearly out. Have a new roll ready.', At: ISO_START },
      ],
      ['begun', { Request: 'b', ...at }],
      [
        'failed',
        { Request: 'b', ...at, StatusCode: 424, Message: expect.stringContaining('The printer cover is open') },
      ],
    ])
    rig.endStreams()
    await new Promise((resolve) => server.close(resolve))
    await rig.close()
  })

  it('has a maximum number of listeners, and disconnects a listener that does not read', async () => {
    const rig = composeService(createFakePrinter())
    const server = rig.app.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const statuses: number[] = []
    const requests = Array.from({ length: 33 }, () =>
      get({ port, path: '/api/events' }, (response) => {
        statuses.push(response.statusCode ?? 0)
        response.resume()
      }).on('error', () => undefined),
    )
    await expect.poll(() => statuses.length).toBe(33)
    expect(statuses.filter((status) => status === 503)).toHaveLength(1)
    for (const request of requests) request.destroy()
    rig.endStreams()
    await new Promise((resolve) => server.close(resolve))
    await rig.close()

    let unread = 0
    let tell: (event: readonly [string, unknown]) => void = () => undefined
    const gone: string[] = []
    const listeners = new Map<string, () => void>()
    const response = {
      get writableLength() {
        return unread
      },
      writeHead: () => undefined,
      write: (piece: string) => {
        unread += piece.length
      },
      on: (name: string, call: () => void) => listeners.set(name, call),
      destroy: () => {
        gone.push('destroyed')
        listeners.get('close')?.()
      },
    }
    const streams = createEventStreams({ unreadMax: 1000, listenersMax: 1 })
    const serve = () =>
      streams.serve(response as never, (hear) => {
        tell = hear
        return () => gone.push('ended')
      })
    expect([serve(), serve()]).toEqual([true, false])
    for (let count = 0; gone.length === 0 && count < 100; count++) tell(['warning', { count }])
    expect(gone).toEqual(['destroyed', 'ended'])
    expect(unread).toBeLessThan(1200)
    expect(serve()).toBe(true)
    streams.close = () => undefined
    listeners.get('close')?.()
  })
})

describe.each(['A', 'B', 'C'] as const)('paper of family %s', (family) => {
  let rig: KillableService
  beforeEach(async () => {
    rig = startKillableService(family)
    await rig.post('/clear-display')
  })
  afterEach(() => rig.close())

  it('that is nearly out is a warning of the status, and of each receipt that is printed', async () => {
    const status = () => rig.service.activity.status
    await rig.post(FISCAL, RECEIPT)
    expect(status()).toMatchObject({ Connected: true, Device: { family }, Warnings: [] })
    rig.emulator.setPaper('low')
    await rig.post(FISCAL, RECEIPT)
    await rig.post(FISCAL, RECEIPT)
    expect(status().Warnings).toEqual([{ Name: 'PaperNearlyOut', Message: expect.stringContaining('nearly out') }])
    expect(rig.service.activity.paperWarning).toContain('nearly out')
    rig.emulator.setPaper('ok')
    await rig.post('/status-of-the-fiscal-transaction')
    expect(status().Warnings).toEqual([])
  })

  it.each([3, 5, 8, 11])('that ends inside a receipt, at line %i, is reported within 3 s', async (skip) => {
    rig.emulator.faults.add({ at: 'paper.line', skip, times: 1, do: 'paperOut' })
    const receipt = { ...RECEIPT, ReceiptItems: [...RECEIPT.ReceiptItems, ...RECEIPT.ReceiptItems] }
    const began = rig.clock.now()
    const { StatusCode, Message } = await rig.post(FISCAL, receipt, 'k')
    // The device may print the last lines of a receipt after it has closed that receipt.
    if (StatusCode === 200) return expect(family).toBe('A')
    expect(StatusCode).toBe(424)
    expect(Message).toContain('out of paper')
    expect(rig.clock.now() - began).toBeLessThan(3000)
    rig.emulator.setPaper('ok')
    expect((await rig.post(FISCAL, receipt, 'k')).StatusCode).toBe(200)
    expect(rig.emulator.device.documents().filter(({ kind }) => kind === 'fiscal')).toHaveLength(1)
  })
})
