import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../drivers/model/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { PlanError } from '../../emulator/faults/fault-plan.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { runToEnd } from '../support/in-process.ts'
import { createPanel } from '../support/panel.ts'

let emulator: Emulator
afterEach(() => emulator?.close())
const start = (plan: readonly Rule[] = [], family: 'A' | 'B' | 'C' = 'A'): Emulator => {
  emulator = createEmulator({ family, clock: new SimulatedClock(0), plan })
  return emulator
}
const DROP: Rule = { at: 'link.toHost', on: 'sale', times: 1, do: 'drop' }

describe('a plan given at the start', () => {
  it('is active from the beginning', () => {
    expect(start([DROP]).faults.list()).toEqual([{ id: 1, ...DROP, hits: 0 }])
    expect(emulator.faults.unused()).toHaveLength(1)
  })

  it.each<[string, 'A' | 'B' | 'C']>([
    ['sale', 'A'], ['closeFiscal', 'A'], ['reportZ', 'A'], ['saleByPlu', 'B'], ['closeFiscal', 'B'], ['reportZ', 'B'],
    ['sale', 'C'], ['closeFiscal', 'C'], ['reportZ', 'C'], ['transactionStatus', 'A'], ['transactionStatus', 'C'],
  ])('may name %s on family %s', (on, family) => {
    expect(start([{ ...DROP, on }], family).faults.list()).toHaveLength(1)
  }) // biome-ignore format: a table

  it('that is invalid is refused as a whole', () => {
    expect(() => start([DROP, { ...DROP, on: 'nonsense' }])).toThrow(PlanError)
  })
})

describe('the control API for faults', () => {
  const panel = () => request(createPanel(start()).app)

  it('adds, lists and removes rules', async () => {
    const call = panel()
    expect((await call.get('/emulator/faults')).body).toEqual([])
    const added = await call.post('/emulator/faults').send(DROP).expect(200)
    expect(added.body).toEqual({ id: 1, ...DROP, hits: 0 })
    expect((await call.post('/emulator/faults').send([DROP, DROP])).body).toHaveLength(2)
    expect((await call.get('/emulator/faults/2')).body).toEqual({ id: 2, ...DROP, hits: 0 })
    expect((await call.delete('/emulator/faults/2')).body.map(({ id }: { id: number }) => id)).toEqual([1, 3])
    await call.delete('/emulator/faults/2').expect(404)
    expect((await call.delete('/emulator/faults')).body).toEqual([])
  })

  it.each<[string, object | undefined, RegExp]>([
    ['a missing body', undefined, /expected a rule/],
    ['an unknown command', { ...DROP, on: 'sold' }, /^on: "sold" is no command of this family/],
    ['an unknown place', { ...DROP, at: 'here' }, /^at: expected link.toDevice/],
    ['several mistakes', { at: 'here', do: 'x', times: 0 }, /at: .*; times: .*; do: /],
  ])('refuses %s, with a list of all mistakes', async (_name, rule, message) => {
    const call = panel()
    const { body } = await (rule ? call.post('/emulator/faults').send(rule) : call.post('/emulator/faults')).expect(400)
    expect(body.error).toMatch(message)
  })
})

describe('the command emulate --faults', () => {
  it.each([
    [
      'plan.json',
      JSON.stringify([
        { at: 'link.toHost', do: 'drop', on: 'sail' },
        { at: 'paper.line', do: 'refuse' },
      ]),
      '',
    ],
    ['plan.yaml', 'faults:\n  - {at: link.toHost, do: drop, on: sail}\n  - {at: paper.line, do: refuse}\n', 'faults'],
  ])('names every mistake of %s with its position and exits with 2', async (name, content, place) => {
    const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-plan-'))
    try {
      const file = join(folder, name)
      writeFileSync(file, content)
      const { status, err } = await runToEnd(['emulate', '--family', 'A', '--data', 'memory', '--faults', file])
      expect(status).toBe(2)
      expect(err.trim().split('\n')).toEqual([
        `${file}: ${place}[0].on: "sail" is no command of this family; see emulate --list-commands`,
        `${file}: ${place}[1].do: refuse cannot happen at paper.line; possible there: paperOut, coverOpen, powerCut`,
        expect.stringMatching(/^More: file:.*troubleshooting\.html#see-emulate/),
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
