import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, it } from 'vitest'
import { recordTo } from '../../bin/record-requests.ts'
import { openPrinter } from '../../drivers/index.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { admitted } from '../../scenarios/runner/http-exchange.ts'
import { inject } from '../../scenarios/runner/inject.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { createRecorder } from '../../scenarios/runner/request-recorder.ts'
import { simulatedTime } from '../../scenarios/runner/time.ts'
import { compose, openStores } from '../../server/compose.ts'
import { settingsOf } from '../../server/config.ts'
import { createPanel } from '../support/panel.ts'
import { failures, play } from './play.ts'

it('a request that its client gave up is recorded at that time, with the duration of the wait', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'fiscal-rig-record-')), 'session.yaml')
  let now = 1000
  const plain = { family: 'A', profile: undefined, config: {}, device: undefined, schema: undefined } as const
  const recorder = createRecorder({ ...plain, file, now: () => now })
  const late = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const app = express()
  app.use(recorder.observed, express.raw({ type: () => true }), admitted)
  app.post('/api/report-x', async (_request, response) => {
    begun.resolve()
    await late.promise
    response.json({ StatusCode: 200, Data: '1' })
  })
  app.post('/api/report-z', (_request, response) => void response.json({ StatusCode: 200, Data: '1' }))
  const response = inject(app, {
    method: 'post',
    path: '/api/report-x',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  await begun.promise
  now = 4000
  response.hangUp()
  expect(await response.answer).toBeUndefined()
  await inject(app, { method: 'post', path: '/api/report-z' }).answer
  late.resolve()
  await inject(app, { method: 'post', path: '/api/report-z' }).answer
  const steps = readFileSync(file, 'utf8').split('# the recording begins\n')[1]?.split('\n') ?? []
  expect(steps.slice(0, 4)).toEqual([
    '  - post /report-x: {}',
    '    giveUpAfter: 3000ms',
    '    expect: no answer',
    '  - post /report-z:',
  ])
  expect(steps.filter((line) => line.includes('report-x'))).toHaveLength(1)
  expect(loadScenarios([file])[0]?.steps).toHaveLength(4)
})

it('refused requests are recorded as steps, or with the reason for which no step repeats them', async () => {
  const { file, app, close } = recorded({ on: 'status', ms: 0 })
  const status = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    (await inject(app, { method, path, headers, ...(body !== undefined && { body }) }).answer)?.status
  expect(await status('get', '/api/nothing')).toBe(404)
  expect(await status('get', '/api/report-x')).toBe(405)
  expect(await status('post', '/api/report-x', { 'content-type': 'text/plain' }, 'x')).toBe(415)
  expect(await status('post', '/report-x')).toBe(404)
  expect(await status('get', '/docs')).not.toBe(500)
  await close()
  const text = await playedAgain(file)
  expect(text.match(/StatusCode: \d+/g)).toEqual(['StatusCode: 404', 'StatusCode: 405', 'StatusCode: 415'])
  expect(text.match(/# omitted: .*/g)).toEqual(['# omitted: post /report-x; steps send requests below /api only'])
})

/** `late` is the delay of the responses to a command, in milliseconds. */
function recorded(late: { readonly on: string; readonly ms: number }) {
  const file = join(mkdtempSync(join(tmpdir(), 'fiscal-rig-record-')), 'session.yaml')
  const time = simulatedTime(Date.UTC(2026, 6, 15, 9))
  const { clock } = time
  const emulator = createEmulator({ family: 'A', clock })
  const settings = settingsOf({}, { family: 'A' })
  const printer = openPrinter({ family: 'A', device: emulator.path }, { clock, binding: emulator.binding })
  const recorder = recordTo(file, settings, emulator, { now: () => clock.now() })
  const { observed } = recorder
  const { app, service } = compose({ settings, printer, clock, stores: openStores(clock), observed, admitted })
  void service.start()
  const panel = createPanel(emulator, { carriedOut: (name, body) => recorder.noteCall(name, body) })
  const request = (to: express.Express, path: string, body: object) =>
    inject(to, {
      method: 'post',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    file,
    app,
    time,
    emulator,
    recorder,
    /** Calls the control API. */
    act: async (path: string, body: object = {}, method = 'post') => {
      const headers = { 'content-type': 'application/json' }
      const text = method === 'get' ? {} : { body: JSON.stringify(body) }
      const answer = await time.until(inject(panel.app, { method, path: `/emulator/${path}`, headers, ...text }).answer)
      expect([answer?.status, answer?.status === 200 ? '' : answer?.text]).toEqual([200, ''])
      return answer?.text ?? ''
    },
    ask: (path: string, body: object = {}) => request(app, `/api/${path}`, body),
    status: async (path: string, body: object = {}) =>
      (await time.until(request(app, `/api/${path}`, body).answer))?.status,
    makeLate: () =>
      time.until(
        request(panel.app, '/emulator/faults', {
          ...{ at: 'link.toHost', on: late.on, times: 1, do: { delayMs: late.ms } },
        }).answer,
      ),
    async close() {
      panel.close()
      await printer.disconnect()
      await emulator.close()
    },
  }
}

const SALE = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }

async function playedAgain(file: string): Promise<string> {
  const again = await play([file], { families: ['A'] })
  expect([failures(again), again.passed]).toEqual([[], 1])
  return readFileSync(file, 'utf8')
}

it('an answer that arrives long after its request arrives after the next request in the replay too', async () => {
  const { file, time, status, makeLate, close } = recorded({ on: 'duplicate', ms: 6000 })
  expect(await status('print-fiscal-receipt', SALE)).toBe(200)
  await makeLate()
  expect(await status('copy-of-last-fiscal-receipt')).toBe(424)
  await time.sleep(4000)
  expect(await status('print-fiscal-receipt', SALE)).toBe(200)
  await close()
  const text = await playedAgain(file)
  expect(text).toContain('  - wait: 4000ms # ')
  expect(text.match(/ - wait: /g)).toHaveLength(2)
})

it('a till that gives up and retries finds the service busy with the same request in the replay', async () => {
  const { file, time, ask, status, makeLate, close } = recorded({ on: 'closeFiscal', ms: 5000 })
  await makeLate()
  const first = ask('print-fiscal-receipt', SALE)
  await time.sleep(1000)
  first.hangUp()
  expect(await first.answer).toBeUndefined()
  await time.sleep(700)
  expect(await status('print-fiscal-receipt', SALE)).toBe(200)
  await close()
  const text = await playedAgain(file)
  expect(text).toContain('giveUpAfter: 1000ms')
  expect(text).toContain('  - wait: 700ms # ')
})

it('a recording goes on in another file when the device is reset, restored or changed, and every file passes', async () => {
  const { file, status, act, recorder, close } = recorded({ on: 'status', ms: 0 })
  const sells = (PluNumber: number) =>
    status('print-fiscal-receipt', { ReceiptItems: [{ Type: 1, PluSale: { PluNumber } }] })
  expect(await sells(1)).toBe(200)
  const state: object = JSON.parse(await act('snapshot', {}, 'get'))
  expect(await sells(2)).toBe(200)
  await act('cable', { connected: false })
  await act('reset')
  await act('cable', { connected: true })
  expect(await sells(2)).toBe(200)
  await act('reset', { keep: 'fiscalMemory' })
  expect(await sells(1)).toBe(200)
  await act('snapshot', state, 'put')
  expect(await sells(2)).toBe(200)
  await act('mechanism', { realistic: false })
  expect(await sells(1)).toBe(200)
  await act('clock', { lost: true })
  expect(await sells(1)).toBe(200)
  await act('fiscalised', { fiscalised: false })
  expect(await sells(1)).not.toBe(200)
  await close()
  const files = recorder.files().map(({ scenario }) => scenario)
  expect(files.map((one) => one.replace(/^.*session/, 'session'))).toEqual([
    'session.yaml',
    ...[2, 3, 4, 5, 6].map((number) => `session-${number}.yaml`),
  ])
  const again = await play(files, { families: ['A'] })
  expect([failures(again), again.passed]).toEqual([[], 6])
  expect(readFileSync(file, 'utf8')).toContain('the recording goes on in session-2.yaml')
})

it('a recording contains documents that were printed at the device, without a remark that they are omitted', async () => {
  const { file, status, act, close } = recorded({ on: 'status', ms: 0 })
  expect(await status('print-fiscal-receipt', SALE)).toBe(200)
  await act('sample')
  expect(await status('print-fiscal-receipt', SALE)).toBe(200)
  await close()
  const text = await playedAgain(file)
  expect(text).not.toContain('omitted')
  expect(text.match(/post \/print-fiscal-receipt:/g)).toHaveLength(3)
})

it('a wrong password of a recording is replaced by another wrong one, so that it is refused again', async () => {
  const { file, status, close } = recorded({ on: 'status', ms: 0 })
  const opens = (OperatorPassword: string) =>
    status('open-fiscal-receipt', { OperatorCode: 1, OperatorPassword, PointOfSaleNumber: 1, Invoice: false })
  for (const password of ['9998', 'ninety']) expect(await opens(password)).toBeGreaterThanOrEqual(400)
  await close()
  const text = await playedAgain(file)
  expect(text).not.toMatch(/9998|ninety/)
})
