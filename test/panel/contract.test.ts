import request from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { CALLS, type Call, type CallName } from '../../emulator/panel/contract.ts'
import { requestOf } from '../../emulator/panel/http-calls.ts'
import type { Panel } from '../../emulator/panel/panel.ts'
import type { ServiceRequests } from '../../emulator/panel/request-log.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { createPanel } from '../support/panel.ts'

let emulator: Emulator
let panel: Panel

const oneRequest: Pick<ServiceRequests, 'observe'> = {
  observe({ place, ended }) {
    ended({
      ...{ at: 0, method: 'POST', path: '/api/report-x', status: 200, tookMs: 12, name: 'a name' },
      ...{ type: 'application/json', key: 'a key', body: '{}', answer: '{"StatusCode":200,"Data":""}' },
      turn: { from: place(), to: { ...place(), frame: 2, document: 1 } },
      isReplay: false,
      again: async () => undefined,
      step: async () => '  - post /report-x:',
    })
  },
}

beforeAll(async () => {
  emulator = createEmulator({ family: 'A', clock: new SimulatedClock(Date.parse('2026-07-14T09:00:00Z')) })
  panel = createPanel(emulator, {
    keepsSession: true,
    requests: { ...oneRequest, listen: () => undefined, config: () => ({}), needsKey: true },
    service: () => 'http://127.0.0.1:65400/api',
  })
  const port = await emulator.binding.open({ path: emulator.path, baudRate: 115_200 })
  await port.write(Buffer.from('013030323A203030343A0530313B3F03', 'hex'))
  await port.close()
  printSample(emulator)
  emulator.device.reportZ()
  emulator.device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
  emulator.faults.add({ at: 'link.toHost', on: 'closeFiscal', times: 1, do: { flip: 3 } })
})
afterAll(async () => {
  panel.close()
  await emulator.close()
})

const names = Object.keys(CALLS) as CallName[]

it.each(names.filter((name) => name.startsWith('GET ')))(
  '%s returns the members that its declared view describes, and no others',
  async (name) => {
    const { answer }: Call = CALLS[name]
    const { path } = requestOf(name, { params: { id: 1 } })
    const reply = await request(panel.app).get(path).expect(200)
    if (typeof answer === 'string') {
      expect(reply.type).toBe(answer)
      return
    }
    expect(reply.type).toBe('application/json')
    expect(reply.body).not.toEqual([])
    expect(answer.parse(reply.body)).toEqual(reply.body)
  },
)

describe.each(names)('the call %s', (name) => {
  it('can be described: each part as JSON Schema, with its parameters in its address', () => {
    const { params, query, body, answer }: Call = CALLS[name]
    for (const part of [params, query, body, answer]) {
      if (part === undefined || typeof part === 'string') continue
      const { $schema: _dialect, ...schema } = z.toJSONSchema(part, { io: 'input' })
      expect(schema).not.toEqual({})
    }
    expect([...name.matchAll(/\{(\w+)\}/g)].map(([, key]) => key)).toEqual(Object.keys(params?.shape ?? {}))
  })
})
