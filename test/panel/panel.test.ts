import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import request from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { auditMemory, testerNotes } from '../../emulator/fiscal/audit.ts'
import type { ListeningPanel, Panel } from '../../emulator/panel/panel.ts'
import { fileOf } from '../fiscal/busy-device.ts'
import { createPanel, listenPanel } from '../support/panel.ts'

const START = Date.parse('2026-07-14T09:00:00Z')

let emulator: Emulator
let panel: Panel
const call = () => request(panel.app)

beforeEach(() => {
  emulator = createEmulator({ family: 'A', clock: new SimulatedClock(START) })
  panel = createPanel(emulator)
})
afterEach(async () => {
  panel.close()
  await emulator.close()
})

function printReceipt({ device }: Emulator): void {
  device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  device.sell({ name: 'Bread', taxCode: 1, price: 250, quantity: 2000, void: false })
  device.sell({ name: 'Milk', taxCode: 2, price: 330, quantity: 1000, void: false })
  device.pay({ mode: 0, amount: 1000 })
  device.closeFiscal()
}

describe('the call GET /emulator', () => {
  it('shows a new device', async () => {
    const { body } = await call().get('/emulator').expect(200)
    expect(body).toMatchObject({
      family: 'A',
      profile: 'bg',
      power: true,
      paper: 'ok',
      cover: false,
      clock: '2026-07-14T09:00:00',
      receipt: null,
      counters: { fiscalReceipts: 0, nonFiscal: 0, lastReceiptNumber: 0, lastZ: 0 },
      day: { total: '0.00', payments: {}, discounts: { count: 0, amount: '0.00' }, drawerCash: '0.00' },
    })
    expect(body.display).toHaveLength(2)
    expect(body.fiscalMemory.capacity).toBeGreaterThan(body.fiscalMemory.used)
  })

  it('shows an open receipt and the day, with amounts as decimal text', async () => {
    printReceipt(emulator)
    emulator.device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    emulator.device.sell({ name: 'Bread', taxCode: 1, price: 250, quantity: 1000, void: false })
    const { body } = await call().get('/emulator').expect(200)
    expect(body.receipt).toMatchObject({ kind: 'fiscal', items: 1, total: '2.50', paid: '0.00' })
    expect(body.day).toMatchObject({ total: '8.30', payments: { 0: '8.30' }, drawerCash: '8.30' })
    expect(body.day.taxes).toMatchObject({ A: '5.00', B: '3.30', C: '0.00' })
    expect(body.counters.fiscalReceipts).toBe(1)
  })
})

describe('the control API', () => {
  it('returns the printed documents, oldest first, and those after a number', async () => {
    printReceipt(emulator)
    emulator.device.reportZ()
    const { body } = await call().get('/emulator/documents').expect(200)
    expect(body.map(({ kind }: { kind: string }) => kind)).toEqual(['fiscal', 'z'])
    expect(body[1].zNumber).toBe(1)
    expect(body[0].text.join('\n')).toContain('Bread')
    const rest = await call().get(`/emulator/documents?after=${body[0].id}`).expect(200)
    expect(rest.body).toEqual([body[1]])
    const text = await call()
      .get(`/emulator/documents/${body[0].id}.txt`)
      .expect(200)
      .expect('Content-Type', /text\/plain/)
    expect(text.text).toBe(`${body[0].text.join('\n')}\n`)
  })

  it('returns the archive of Z reports', async () => {
    printReceipt(emulator)
    emulator.device.reportZ()
    const { body } = await call().get('/emulator/z-reports/1').expect(200)
    expect(body).toMatchObject({
      number: 1,
      receiptsCount: 1,
      total: '8.30',
      payments: [{ paymentMode: 0, amount: '8.30' }],
      voids: { count: 0, amount: '0.00' },
      cashIn: '0.00',
    })
    expect(body.taxes[0]).toEqual({ taxCode: 1, letter: 'A', rate: '20.00', turnover: '5.00', tax: '0.83' })
    expect((await call().get('/emulator/z-reports').expect(200)).body).toEqual([body])
  })

  it('returns the electronic journal with its chain: complete, a part, and page by page', async () => {
    printReceipt(emulator)
    const { body } = await call().get('/emulator/journal').expect(200)
    expect(Object.keys(body[0]).sort()).toEqual(['at', 'chain', 'document', 'id', 'line'])
    expect((await call().get('/emulator/journal?from=2&to=3').expect(200)).body).toEqual(body.slice(1, 3))
    const pages = []
    for (let from = 1; ; from = pages.flat().length + 1) {
      const { body: page } = await call().get(`/emulator/journal?from=${from}&limit=5`).expect(200)
      pages.push(page)
      if (page.length < 5) break
    }
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat()).toEqual(body)
  })

  it('returns the decoded frames of both directions', async () => {
    const port = await emulator.binding.open({ path: emulator.path, baudRate: 115_200 })
    await port.write(Buffer.from('303032', 'hex'))
    await port.write(Buffer.from('013030323A203030343A0530313B3F03', 'hex'))
    const { body } = await call().get('/emulator/frames').expect(200)
    expect(body.map(({ direction, command }: Record<string, string>) => [direction, command])).toEqual([
      ['toDevice', 'status'],
      ['toHost', 'status'],
    ])
    expect(body[0].hex).toBe('01 30 30 32 3A 20 30 30 34 3A 05 30 31 3B 3F 03')
    expect((await call().get(`/emulator/frames?after=${body[0].id}`).expect(200)).body).toEqual([body[1]])
    await port.close()
  })
})

describe('the route of a manual action', () => {
  it.each([
    ['/emulator/power', { on: true }, { on: false }],
    ['/emulator/paper', { state: 'ok' }, { state: 'out' }],
    ['/emulator/cover', { open: false }, { open: true }],
    ['/emulator/cable', { connected: true }, { connected: false }],
    ['/emulator/mechanism', { realistic: false }, { realistic: true }],
  ])('%s changes %j to %j, and returns the new state in the same form', async (path, before, after) => {
    expect((await call().get(path).expect(200)).body).toEqual(before)
    expect((await call().post(path).send(after).expect(200)).body).toEqual(after)
    expect((await call().get(path).expect(200)).body).toEqual(after)
    expect((await call().post(path).send(before).expect(200)).body).toEqual(before)
  })

  it.each([
    ['/emulator/power', '{"on": 1}', 'on: expected true or false'],
    ['/emulator/power', '', 'the body'],
    ['/emulator/power', '{"on": true', 'the body is not JSON'],
    ['/emulator/power', '{"on": true, "on": false}', 'the body is not JSON: "on" occurs twice in one object'],
    ['/emulator/power', '{"on": true, "off": 1}', 'expected {"on": true}'],
    ['/emulator/paper', '{"state": "empty"}', 'state: expected "ok", "low" or "out"'],
    ['/emulator/cover', '[]', 'expected {"open": true}'],
    ['/emulator/mechanism', '{"realistic": 1}', 'realistic: expected true or false'],
    ['/emulator/clock', '{"advance": "24h"}', 'the body'],
    ['/emulator/clock', '{"set": "2026-02-30T00:00:00"}', 'the body'],
    ['/emulator/clock', '{"set": "2020-01-01T00:00:00"}', 'no time before its last record, 20'],
    ['/emulator/articles', '{}', 'expected a list of articles'],
    ['/emulator/articles', '[{"plu": 0, "name": "x", "taxCode": 1, "price": 1}]', '[0].plu: expected a whole number'],
    [
      '/emulator/articles',
      '[{"plu": "20", "name": "x", "taxCode": 1, "price": 1}]',
      '[0].plu: expected a whole number',
    ],
    ['/emulator/articles', '[{"plu": 20, "name": "", "taxCode": 1, "price": 1}]', '[0].name: expected text'],
    [
      '/emulator/articles',
      '[{"plu": 20, "name": "x", "taxCode": 9, "price": 1}]',
      '[0].taxCode: expected a whole number from 1 to 8',
    ],
    ['/emulator/articles', '[{"plu": 20, "name": "x", "taxCode": 1, "price": 1.005}]', '[0].price: too many decimals'],
    ['/emulator/articles', '[{"plu": 20, "name": "x", "taxCode": 1, "price": "a"}]', '[0].price: not a decimal number'],
    ['/emulator/articles', '[{"plu": 20, "name": "x", "taxCode": 1, "price": -1}]', '[0].price: outside'],
    [
      '/emulator/articles',
      '[{"plu":20,"name":"x","taxCode":1,"price":1},{"plu":20,"name":"y","taxCode":1,"price":1}]',
      '[1].plu: PLU 20 occurs twice in the list',
    ],
    ['/emulator/reset', '{"keep": "all"}', 'keep: expected "fiscalMemory"'],
  ])('%s refuses %s, and names the wrong member', async (path, body, expected) => {
    const before = (await call().get('/emulator')).body
    const reply = await call().post(path).set('Content-Type', 'application/json').send(body).expect(400)
    expect(Object.keys(reply.body)).toEqual(['error'])
    expect(reply.body.error).toContain(expected)
    expect((await call().get('/emulator')).body).toEqual(before)
  })
})

describe('the control API of clock, articles and state', () => {
  it.each([
    [{ set: '2026-08-01T10:00:00' }, '2026-08-01T10:00:00'],
    [{ set: '2026-08-01T10:00Z' }, '2026-08-01T10:00:00'],
    [{ advance: 'PT24H' }, '2026-07-15T09:00:00'],
    [{ advance: 'P1DT1M' }, '2026-07-15T09:01:00'],
  ])('sets the clock with %j', async (form, expected) => {
    expect((await call().post('/emulator/clock').send(form).expect(200)).body).toEqual({ clock: expected })
    expect((await call().get('/emulator')).body.clock).toBe(expected)
  })

  it('programs articles exactly, with the price as text or as a number', async () => {
    const articles =
      '[{"plu":20,"name":"Tea","taxCode":2,"price":"1.50","department":1},{"plu":21,"name":"Salt","taxCode":1,"price":8.10}]'
    const { body } = await call().post('/emulator/articles').type('json').send(articles).expect(200)
    expect(body).toEqual([
      { plu: 20, name: 'Tea', taxCode: 2, price: '1.50', department: 1 },
      { plu: 21, name: 'Salt', taxCode: 1, price: '8.10', department: 0 },
    ])
    expect(emulator.device.articles.get(21)?.price).toBe(810)
  })

  // Sheet B 11: "PLU number with free price: above 100".
  it('gives an article of B above 100 a free price, however the article was programmed', async () => {
    await emulator.close()
    emulator = createEmulator({ family: 'B', clock: new SimulatedClock(START) })
    panel = createPanel(emulator)
    const articles = [100, 101].map((plu) => ({ plu, name: `Article ${plu}`, taxCode: 1, price: '1.00' }))
    await call().post('/emulator/articles').send(articles).expect(200)
    await call().post('/emulator/articles').send(articles).expect(200)
    const { device } = emulator
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    const sale = { quantity: 1000, price: 250, void: false }
    expect(device.sellArticle({ plu: 100, ...sale })).toEqual({ ok: false, refusal: 'articlePriceFixed' })
    expect(device.sellArticle({ plu: 101, ...sale })).toMatchObject({ ok: true, value: { amount: 250 } })
  })

  it('resets to a new device, with or without its fiscal memory', async () => {
    printReceipt(emulator)
    emulator.device.reportZ()
    const afterReset = await call().post('/emulator/reset').send({ keep: 'fiscalMemory' }).expect(200)
    expect(afterReset.body.counters.lastZ).toBe(1)
    const fresh = await call().post('/emulator/reset').expect(200)
    expect(fresh.body.counters).toEqual({ fiscalReceipts: 0, nonFiscal: 0, lastReceiptNumber: 0, lastZ: 0 })
  })

  it('returns and restores the whole state as one document', async () => {
    printReceipt(emulator)
    const { body } = await call().get('/emulator/snapshot').expect(200)
    emulator.device.reportZ()
    const { fiscalMemory } = (await call().get('/emulator').expect(200)).body
    await call().put('/emulator/snapshot').send(body).expect(200)
    expect(fiscalMemory.used).toBe(1)
    expect((await call().get('/emulator/z-reports')).body).toEqual([])
    expect((await call().get('/emulator')).body.day.total).toBe('8.30')
    for (const wrong of ['{}', '', 'x']) {
      const reply = await call().put('/emulator/snapshot').type('json').send(wrong).expect(400)
      expect(Object.keys(reply.body)).toEqual(['error'])
    }
  })

  it('records the loading of an older state in the fiscal memory, but not that of the same state', async () => {
    printReceipt(emulator)
    const { body } = await call().get('/emulator/snapshot').expect(200)
    await call().put('/emulator/snapshot').send(body).expect(200)
    expect(testerNotes(fileOf(emulator.device))).toEqual([])
    emulator.device.reportZ()
    printReceipt(emulator)
    await call().put('/emulator/snapshot').send(body).expect(200)
    const file = fileOf(emulator.device)
    expect(auditMemory(file, emulator.profile)).toEqual([])
    expect(testerNotes(file)).toEqual([
      'restored by a tester at 2026-07-14T09:00:00 (fiscal memory record 3): it replaced a memory of 3 records, ending with Z 1 and document 3',
    ])
    expect(emulator.device.memory.events().map(({ kind }) => kind)).toEqual(['fiscalised', 'taxRates'])
    const { tables, ...snapshot } = body
    const [record, ...rest] = tables['fiscal_memory']
    const forged = { ...snapshot, tables: { ...tables, fiscal_memory: [{ ...record, document: 7 }, ...rest] } }
    const reply = await call().put('/emulator/snapshot').send(forged).expect(400)
    expect(reply.body).toEqual({ error: 'the fiscal memory is broken at record 1' })
  })
})

describe('the control API on a wrong call:', () => {
  it.each([
    '/nothing',
    '/emulator/nothing',
    '/emulator/documents/9',
    '/emulator/documents/9.txt',
    '/emulator/documents/1.svg',
    '/emulator/z-reports/7',
    '/emulator/z-reports/x',
    '/emulator/faults/7',
    '/api/status',
  ])('GET %s is answered with 404 and an error', async (path) => {
    // biome-ignore format: a list
    const { body } = await call().get(path).expect(404)
    expect(Object.keys(body)).toEqual(['error'])
  })

  it.each(['/nothing', '/emulator/nothing', '/api/status', '/nothing%'])(
    'a browser that opens %s gets a page that leads to the control panel',
    async (path) => {
      const page = await call().get(path).set('Accept', 'text/html,*/*').expect(404)
      expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept' })
      expect(page.text).toContain('<h1>No such page</h1>')
      expect(page.text).toContain('<a href="/">control panel</a>')
      await call()
        .post(path)
        .set('Accept', 'text/html,*/*')
        .expect(404)
        .expect('Content-Type', /^application\/json/)
    },
  )

  it.each([
    ['delete', '/emulator', 'GET, HEAD'],
    ['post', '/emulator/documents', 'GET, HEAD'],
    ['put', '/emulator/power', 'GET, HEAD, POST'],
    ['get', '/emulator/reset', 'POST'],
    ['post', '/emulator/snapshot', 'GET, HEAD, PUT'],
    ['post', '/events', 'GET, HEAD'],
    ['post', '/', 'GET, HEAD'],
  ] as const)('%s %s is answered with 405, and Allow lists %s', async (method, path, allowed) => {
    const { body } = await call()[method](path).expect(405).expect('Allow', allowed)
    expect(Object.keys(body)).toEqual(['error'])
  })

  it.each(['after=x', 'after=-1', 'after=1.5', 'after=1&after=2'])(
    'GET /emulator/frames?%s is answered with 400',
    async (query) => {
      expect((await call().get(`/emulator/frames?${query}`).expect(400)).body.error).toContain('after')
    },
  )

  it.each([
    ['Host', 'printer.example:65402'],
    ['Host', '127.0.0.1.example'],
    ['Origin', 'https://shop.example'],
    ['Origin', 'http://localhost:3000'],
    ['Origin', 'null'],
  ])('a foreign %s (%s) is refused', async (name, value) => {
    for (const path of ['/emulator', '/', '/events']) await call().get(path).set(name, value).expect(403)
    await call().post('/emulator/power').set(name, value).send({ on: false }).expect(403)
    expect(emulator.power).toBe(true)
  })

  it.each(['localhost:65402', '127.0.0.1:65402', '[::1]:65402'])(
    '%s is accepted as a name of the panel',
    async (host) => {
      await call().get('/emulator').set('Host', host).set('Origin', `http://${host}`).expect(200)
    },
  )
})

describe('a client that prefers no error status', () => {
  const prefer = ['Prefer', 'respond-async, refusal=ok'] as const

  it.each([
    ['/emulator/clock', { set: '2020-01-01T00:00:00' }],
    ['/emulator/paper', { state: 'none' }],
    ['/emulator/sample', {}],
  ])('gets the refusal of POST %s %j as status 200, with the same text and marked as a refusal', async (path, form) => {
    emulator.device.reportZ()
    emulator.setPower(false)
    const usual = await call().post(path).send(form).expect(400)
    expect(usual.headers['preference-applied']).toBeUndefined()
    const { body } = await call()
      .post(path)
      .set(...prefer)
      .send(form)
      .expect(200)
      .expect('Preference-Applied', 'refusal=ok')
    expect(body).toEqual(usual.body)
  })

  it('gets a successful answer unchanged', async () => {
    const reply = await call()
      .post('/emulator/paper')
      .set(...prefer)
      .send({ state: 'out' })
      .expect(200)
    expect(reply.headers['preference-applied']).toBeUndefined()
    expect(reply.body).toEqual({ state: 'out' })
  })
})

describe('the page of the control panel', () => {
  it.each([
    ['/', 'text/html'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/favicon.svg', 'image/svg+xml'],
  ])('%s is served as %s under a strict policy', async (path, type) => {
    const reply = await call().get(path).expect(200)
    expect(reply.headers['content-type']).toContain(type)
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    expect(reply.headers['content-security-policy']).not.toContain('unsafe')
  })

  it('consists of its own files, with nothing inline and nothing from another host', async () => {
    const { text } = await call().get('/').expect(200)
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    expect(files.filter((file) => file.endsWith('.js'))).toHaveLength(1)
    for (const file of files) {
      const reply = await call().get(file).expect(200)
      expect(String(reply.text ?? reply.body)).not.toMatch(/(?:src|href|url|fetch|EventSource)\W{1,3}https?:/)
    }
  })
})

describe('the stream GET /events', () => {
  let listening: ListeningPanel
  afterEach(() => listening.close())

  async function listen() {
    listening = await listenPanel(emulator, 0)
    const socket = connect(listening.port, '127.0.0.1')
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1:${listening.port}\r\n\r\n`)
    await once(socket, 'data')
    const events = () =>
      [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(
        ([, name, data]) => [name as string, JSON.parse(data as string)] as const,
      )
    const until = (isTold: () => boolean) => expect.poll(isTold).toBe(true)
    return { socket, events, until }
  }

  it('sends lines, documents, display, frames and the resulting state', async () => {
    const { socket, events, until } = await listen()
    const port = await emulator.binding.open({ path: emulator.path, baudRate: 115_200 })
    await port.write(Buffer.from('013030323A203030343A0530313B3F03', 'hex'))
    printReceipt(emulator)
    emulator.device.display.show(1, 'HELLO')
    await until(() => events().some(([name, data]) => name === 'state' && data.day.total === '8.30'))
    const names = new Set(events().map(([name]) => name))
    expect([...names].sort()).toEqual(['display', 'document', 'frame', 'line', 'state'])
    expect(events().find(([name]) => name === 'document')?.[1]).toMatchObject({ kind: 'fiscal', number: 1 })
    expect(events().find(([name]) => name === 'frame')?.[1]).toMatchObject({ direction: 'toDevice', command: 'status' })
    expect(events().filter(([name]) => name === 'line').length).toBeGreaterThan(5)
    socket.destroy()
    await port.close()
  })

  it('sends manual actions, and ends when the panel is closed', async () => {
    const { socket, events, until } = await listen()
    emulator.setPaper('out')
    emulator.setRealistic(true)
    emulator.device.openDrawer()
    await until(() => events().some(([name, data]) => name === 'state' && data.paper === 'out' && data.lineMs === 70))
    expect(events().filter(([name]) => name === 'drawer')).toEqual([['drawer', {}]])
    const ended = once(socket, 'close')
    await listening.close()
    await ended
  })
})

describe('a request body', () => {
  it('that is compressed is not inflated, and a body of more than 32 MiB is not read', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))
    for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br']) {
      const answer = await call().post('/emulator/paper').set('Content-Encoding', encoding).send(bomb)
      expect([encoding, answer.status]).toEqual([encoding, 400])
      expect(answer.body.error).toContain('must not be compressed')
    }
    const large = await call()
      .put('/emulator/snapshot')
      .send(Buffer.alloc(32 * 1024 * 1024 + 1, 0x20))
    expect([large.status, large.body.error]).toEqual([413, 'the body is larger than 32 MiB'])
  })
})
