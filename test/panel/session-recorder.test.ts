/** A saved session is a scenario that repeats commands on the line, calls of the service, manual actions and faults. */
import request from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Panel } from '../../emulator/panel/panel.ts'
import { type ClientRequest, createSession } from '../../emulator/panel/session-recorder.ts'
import { serviceCalls } from '../../server/service-calls.ts'
import { failures, play, scenarioFile } from '../scenarios/play.ts'
import { type Running, start } from '../support/command.ts'
import { createPanel } from '../support/panel.ts'
import { type PrinterRig, startPrinter } from '../support/rig.ts'

let rig: PrinterRig | undefined
let panel: Panel | undefined
let service: Running | undefined
afterEach(async () => {
  panel?.close()
  await rig?.close()
  service?.child.kill('SIGTERM')
  await service?.ended
  panel = rig = service = undefined
})

const post = async (path: string, body?: object) => {
  const answer = await request((panel as Panel).app)
    .post(path)
    .send(body ?? {})
  expect([path, answer.status]).toEqual([path, 200])
}
const saved = async (): Promise<string> =>
  (
    await request((panel as Panel).app)
      .get('/emulator/session.yaml')
      .expect(200)
  ).text

async function playsAgain(text: string, family: Family): Promise<readonly unknown[]> {
  const { results } = await play([scenarioFile(text)], { families: [family] })
  expect([failures({ results }), results.map(({ status }) => status)]).toEqual([[], ['passed']])
  return results[0]?.paper.map(({ kind }) => kind) ?? []
}

async function aDay({ emulator, driver }: PrinterRig): Promise<void> {
  const printer = driver()
  const operator = { code: 1, password: emulator.profile.factoryPassword(1) }
  const open = () => printer.openFiscal({ operator, pointOfSale: 1, invoice: false })
  await open()
  await printer.sellArticle({ plu: 1, quantity: 2000, void: false })
  await post('/emulator/paper', { state: 'low' })
  await printer.printFiscalText({ text: "It's $5" })
  await printer.pay({ mode: 0, amount: 1000 })
  await printer.closeFiscal()
  await post('/emulator/clock', { advance: 'PT1H' })
  await post('/emulator/faults', { at: 'command.before', on: 'saleByPlu', times: 1, do: 'refuse' })
  await post('/emulator/faults', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' })
  await request((panel as Panel).app)
    .delete('/emulator/faults/2')
    .expect(200)
  await open()
  await printer.sellArticle({ plu: 2, quantity: 1000, void: false }).catch(() => undefined)
  await printer.sellArticle({ plu: 2, quantity: 1000, void: false })
  await post('/emulator/cover', { open: true })
  await post('/emulator/cover', { open: false })
  await printer.cancelFiscal()
  await post('/emulator/sample')
  await printer.reportX()
  await post('/emulator/cable', { connected: false })
  await post('/emulator/sample')
}

describe.each(['A', 'B', 'C'] as const)('family %s', (family) => {
  it('a session of a new device passes when it is played', async () => {
    rig = startPrinter({ family })
    panel = createPanel(rig.emulator, { keepsSession: true })
    await aDay(rig)
    const text = await saved()
    expect(text).toContain('wire: { send: ')
    expect(text).toContain('- clock: { advance: "3600s" }')
    expect(text).not.toContain('snapshot')
    expect(await playsAgain(text, family)).toEqual(['fiscal', 'cancelled', 'fiscal', 'x', 'fiscal'])
  })

  it('a session of a used device passes if it starts from the state of the device', async () => {
    rig = startPrinter({ family })
    panel = createPanel(rig.emulator)
    await request(panel.app).get('/emulator/session.yaml').expect(404)
    await post('/emulator/sample')
    rig.emulator.device.articles.program({
      ...{ plu: 77, name: 'Rye $2', price: 220, taxCode: 1, department: 0, group: 1 },
      ...{ priceType: 'fixed', stock: null, barcodes: [], unit: 0 },
    })
    rig.emulator.faults.add({ at: 'command.before', on: 'reportX', skip: 1, times: 1, do: 'refuse' })
    await post('/emulator/session')
    await aDay(rig)
    const { body } = await request(panel.app).get('/emulator/session').expect(200)
    expect(body).toMatchObject({ isWhole: true, steps: expect.any(Number) })
    const text = await saved()
    expect(text).toContain('  snapshot: { format: "fiscal-rig device"')
    expect(await playsAgain(text, family)).toEqual(['fiscal', 'cancelled', 'fiscal', 'x', 'fiscal'])
  })
})

it('a session may contain paper that runs out in the middle of a command, and can be loaded', async () => {
  rig = startPrinter({ family: 'A' })
  panel = createPanel(rig.emulator, { keepsSession: true })
  await post('/emulator/faults', { at: 'paper.line', skip: 4, times: 1, do: 'paperOut' })
  const printer = rig.driver()
  const opened = printer.openFiscal({ operator: { code: 1, password: '0000' }, pointOfSale: 1, invoice: false })
  await expect.poll(() => rig?.emulator.device.mechanism.paper).toBe('out')
  await post('/emulator/paper', { state: 'ok' })
  await opened
  await printer.cancelFiscal()
  expect(await playsAgain(await saved(), 'A')).toEqual(['cancelled'])
})

it('a reset starts a new session, which lacks the earlier actions', async () => {
  rig = startPrinter({ family: 'A' })
  panel = createPanel(rig.emulator, { keepsSession: true })
  await post('/emulator/sample')
  await post('/emulator/reset')
  await post('/emulator/paper', { state: 'low' })
  const text = await saved()
  expect(text).not.toContain('post /')
  expect(await playsAgain(text, 'A')).toEqual([])
})

it('a session contains the pause after a request that its client gave up, and no other short pause', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 6, 15, 9))
  const emulator = createEmulator({ family: 'A', clock })
  let observer: (request: ClientRequest) => void = () => undefined
  const session = createSession(emulator, serviceCalls, {
    listen: (listener) => {
      observer = listener
    },
    config: () => ({}),
  })
  const ask = (afterMs: number, asked: { readonly tookMs: number; readonly isGivenUp: boolean }) => {
    clock.advance(afterMs + asked.tookMs)
    observer({ ...asked, ...NO_KEY, letters: 0, step: async () => `  - post /report-x: # after ${afterMs} ms` })
  }
  const NO_KEY = { key: undefined, needsEarlier: false, whyOmitted: undefined, title: '' }
  session.begin()
  ask(800, { tookMs: 3000, isGivenUp: true })
  ask(700, { tookMs: 200, isGivenUp: false })
  ask(900, { tookMs: 90_000, isGivenUp: false })
  const steps = (await session.scenario()).split('steps:\n')[1]?.split('\ncheck:')[0]
  expect(steps?.replace(/ # the device was busy, or an answer was in transit/, '').split('\n')).toEqual([
    '  - post /report-x: # after 800 ms',
    '  - wait: 700ms',
    '  - post /report-x: # after 700 ms',
    '  - post /report-x: # after 900 ms',
  ])
  await emulator.close()
})

it('a session next to a service contains the requests of the clients, with their answers', async () => {
  const ports = ['--http-port', '0', '--https-port', '0', '--panel-port', '0']
  service = start(['serve', '--data', 'memory', '--json', '--family', 'C', ...ports])
  const { http, panel: url } = await service.ready()
  const send = (address: string, body: unknown) =>
    fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  const item = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
  expect((await send(`${http}/print-fiscal-receipt`, item)).status).toBe(200)
  await send(`${url}/emulator/paper`, { state: 'out' })
  expect((await send(`${http}/print-fiscal-receipt`, item)).status).toBe(424)
  await send(`${url}/emulator/paper`, { state: 'ok' })
  expect((await send(`${http}/print-fiscal-receipt`, item)).status).toBe(200)
  const text = await (await fetch(`${url}/emulator/session.yaml`)).text()
  expect(text).toContain('post /print-fiscal-receipt:')
  expect(text).not.toContain('wire:')
  expect(await playsAgain(text, 'C')).toEqual(['fiscal', 'fiscal'])
})

it('a session omits requests whose key was used before it, because a replay would print', async () => {
  const ports = ['--http-port', '0', '--https-port', '0', '--panel-port', '0']
  service = start(['serve', '--data', 'memory', '--json', '--family', 'A', ...ports])
  const { http, panel: url } = await service.ready()
  const send = (address: string, body: unknown, key?: string) =>
    fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
      body: JSON.stringify(body),
    })
  const receipt = (PluNumber: number) => ({ ReceiptItems: [{ Type: 1, PluSale: { PluNumber } }] })
  const first = await send(`${http}/print-fiscal-receipt`, receipt(1), 'old')
  expect(first.headers.get('Idempotent-Replayed')).toBe(null)
  await send(`${url}/emulator/reset`, {})
  const again = await send(`${http}/print-fiscal-receipt`, receipt(1), 'old')
  expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true'])
  expect((await send(`${http}/print-fiscal-receipt`, receipt(2), 'old')).status).toBe(400)
  for (const _time of [1, 2]) await send(`${http}/print-fiscal-receipt`, receipt(1), 'new')
  const requests = (await (await fetch(`${url}/emulator/requests`)).json()) as { isReplay: boolean }[]
  expect(requests.map(({ isReplay }) => isReplay)).toEqual([false, true, false, false, true])
  const text = await (await fetch(`${url}/emulator/session.yaml`)).text()
  expect(text.match(/# omitted: .*/g)).toEqual(
    Array(2).fill('# omitted: post /print-fiscal-receipt; its Idempotency-Key was used before the recording began'),
  )
  expect(await playsAgain(text, 'A')).toEqual(['fiscal'])
})

it('a session contains refused requests as steps, or says which request is omitted and why', async () => {
  const ports = ['--http-port', '0', '--https-port', '0', '--panel-port', '0']
  service = start(['serve', '--data', 'memory', '--json', '--family', 'A', ...ports])
  const { http, panel: url } = await service.ready()
  const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    (
      await fetch(`${String(http).replace(/\/api$/, '')}${path}`, {
        method,
        headers,
        ...(body !== undefined && { body }),
      })
    ).status
  const json = { 'Content-Type': 'application/json' }
  expect([
    await send('GET', '/api/nothing?a=1'),
    await send('POST', '/api/no-such-report', '{}', json),
    await send('GET', '/api/report-x'),
    await send('PUT', '/api/report-x', '{}', json),
    await send('POST', '/api/report-x', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    await send('POST', '/api/report-x', '{}', { 'Content-Type': 'text/plain' }),
    await send('POST', '/api/report-x', '{}', { ...json, 'Content-Encoding': 'gzip' }),
    await send('POST', '/api/report-x', '{}', { ...json, Origin: 'http://evil.example' }),
    await send('POST', '/report-x', '{}', json),
    await send('HEAD', '/api/report-x'),
  ]).toEqual([404, 404, 405, 405, 415, 415, 415, 403, 404, 405])
  expect(await (await fetch(`${url}/emulator/session`)).json()).toMatchObject({ steps: 6, omitted: 4 })
  const text = await (await fetch(`${url}/emulator/session.yaml`)).text()
  expect(text.match(/# omitted: .*/g)).toEqual([
    '# omitted: post /report-x; it was answered 415 before it was read',
    '# omitted: post /report-x; it was answered 403 before it was read',
    '# omitted: post /report-x; steps send requests below /api only',
    '# omitted: head /report-x; no step sends HEAD',
  ])
  expect(text.match(/StatusCode: \d+/g)).toEqual([404, 404, 405, 405, 415, 415].map((code) => `StatusCode: ${code}`))
  expect(await playsAgain(text, 'A')).toEqual([])
})

it('a session without a step can be run, and names only the first omitted requests', async () => {
  const emulator = createEmulator({ family: 'A' })
  let observer: (request: ClientRequest) => void = () => undefined
  const session = createSession(emulator, serviceCalls, {
    listen: (listener) => {
      observer = listener
    },
    config: () => ({}),
  })
  session.begin()
  const times = { tookMs: 0, isGivenUp: false, letters: 0 }
  for (let count = 0; count < 6000; count++)
    observer({
      ...{ ...times, key: undefined, needsEarlier: false, title: `post /${count}\u0085`, whyOmitted: 'it was refused' },
      step: async () => '',
    })
  expect(session.view).toMatchObject({ steps: 0, omitted: 6000, isWhole: true })
  const text = await session.scenario()
  expect(text.match(/# omitted: .*/g)?.slice(98)).toEqual([
    '# omitted: post /98\\u0085; it was refused',
    '# omitted: post /99\\u0085; it was refused',
    '# omitted: more requests, of which only the first 100 are named',
  ])
  expect(await playsAgain(text, 'A')).toEqual([])
  await emulator.close()
})
