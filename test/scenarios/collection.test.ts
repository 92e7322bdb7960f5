/**
 * All scenarios are played embedded for all families, and a tagged part over a real pty and against a service over
 * HTTP.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { scenarioFiles } from '../../scenarios/runner/find-scenarios.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { scenarioSchemaText } from '../../scenarios/runner/schema.ts'
import { emulatedTarget } from '../../scenarios/runner/target/emulated.ts'
import { persistentTarget } from '../../scenarios/runner/target/persistent.ts'
import { FREE_PORTS, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { failures, play, scenarioFile } from './play.ts'

const FILES = scenarioFiles(['scenarios'])

describe('the collection of scenarios', () => {
  it('has at least 60 scenarios, each with a name, tags, and the schema in the first line of its file', () => {
    const loaded = loadScenarios(FILES)
    const named = FILES.flatMap((file) => readFileSync(file, 'utf8').match(/^name: /gm) ?? [])
    expect(loaded.length).toBe(named.length)
    expect(loaded.length).toBeGreaterThanOrEqual(60)
    expect(
      loaded.filter(({ scenario }) => (scenario.tags ?? []).length === 0).map(({ scenario }) => scenario.name),
    ).toEqual([])
    const [first] = [...new Set(FILES.map((file) => readFileSync(file, 'utf8').split('\n')[0]))]
    expect(first).toBe('# yaml-language-server: $schema=../scenario.schema.json')
    expect(new Set(FILES.map((file) => readFileSync(file, 'utf8').split('\n')[0])).size).toBe(1)
  })

  it('passes completely on the embedded emulator, for all families', { timeout: 600_000 }, async () => {
    const summary = await play(FILES)
    expect(failures(summary)).toEqual([])
    expect(summary.notRun).toBe(0)
    expect(new Set(summary.results.map(({ play }) => play.family))).toEqual(new Set(FAMILIES))
  })

  it('passes completely on the edition ro of family A, with its own golden papers', { timeout: 600_000 }, async () => {
    const summary = await play(FILES, { profile: 'ro' })
    expect(failures(summary)).toEqual([])
    expect(summary.notRun).toBe(0)
    expect(summary.passed).toBeGreaterThan(180)
    expect(new Set(summary.results.map(({ play }) => play.family))).toEqual(new Set(['A']))
  })

  it('passes over a real pty if it has the tag pty', async () => {
    const summary = await play(FILES, { target: emulatedTarget('pty', FAMILIES), tags: ['pty'], parallel: 8 })
    expect(failures(summary)).toEqual([])
    expect(summary.passed).toBeGreaterThan(30)
  })

  it('has the published schema, which is generated from the declaration', () => {
    expect(readFileSync('scenarios/scenario.schema.json', 'utf8')).toBe(scenarioSchemaText())
  })
})

describe('a service that is already running', () => {
  const families = ['A'] as const
  const json = { 'Content-Type': 'application/json' }

  it('can be used with its control panel and without; its device is reset only on request', async () => {
    const service = start(['serve', '--json', '--data', 'memory', ...FREE_PORTS])
    try {
      const ready = await service.ready()
      const [name, panel] = [String(ready['http']), String(ready['panel'])]
      const documents = async () => ((await (await fetch(`${panel}/emulator/documents`)).json()) as unknown[]).length
      const body = '{"ReceiptItems": [{"Type": 1, "PluSale": {"PluNumber": 8, "Quantity": 3}}]}'
      await fetch(`${name}/print-fiscal-receipt`, { method: 'POST', headers: json, body }).then((one) => one.text())

      // The service reports its panel's address to callers on this machine.
      const address = await fetch(new URL('/emulator/address', name)).then((answer) => answer.json())
      expect(address).toEqual({ panel, serialNumber: expect.stringMatching(/\w/) })

      const used = await play(FILES, { target: persistentTarget({ name, families, panel }), families, tags: ['http'] })
      expect(failures(used)).toEqual([])
      expect(used.passed).toBeGreaterThan(30)
      expect(await documents()).toBeGreaterThan(15)
      const documentsBefore = await documents()
      const without = await play(FILES, { target: persistentTarget({ name, families }), families, tags: ['http'] })
      expect(failures(without)).toEqual([])
      expect(without.passed).toBeGreaterThan(30)
      expect(without.results.flatMap(({ manualChecks }) => manualChecks.map(({ at }) => at))).toContain('sums')
      expect(await documents()).toBeGreaterThan(documentsBefore)

      const notReset = await play(FILES, {
        target: persistentTarget({ name, families, panel }),
        families,
        tags: ['clock'],
      })
      expect(new Set(notReset.results.map(({ reason }) => reason))).toEqual(
        new Set(['clock (the device is in use, and its day, documents and articles would be lost; --reset allows it)']),
      )
      const target = persistentTarget({ name, families, panel, reset: true })
      const reset = await play(FILES, { target, families, tags: ['clock', 'restart', 'invoice'] })
      expect(failures(reset)).toEqual([])
      expect(reset.results.find(({ status }) => status === 'notRun')?.reason).toMatch(/^(config|restart) \(/)
      expect(await documents()).toBeLessThan(10)

      // The service remembers the keys of the first run.
      for (const _run of [1, 2]) {
        const keyed = await play(FILES, { target, families, tags: ['idempotency'] })
        expect(failures(keyed)).toEqual([])
        expect(keyed.passed).toBeGreaterThan(0)
      }
    } finally {
      service.child.kill('SIGTERM')
      await service.ended
    }
  })

  it('keeps its documents under the command run, which announces a reset and exits with 1 if nothing ran', async () => {
    const service = start(['serve', '--json', '--data', 'memory', ...FREE_PORTS])
    try {
      const ready = await service.ready()
      const [name, panel] = [String(ready['http']), String(ready['panel'])]
      const file = scenarioFile('name: a day later\nsteps: [{ post /report-x: }, { clock: { advance: 24h } }]\n')
      const run = (...args: string[]) => runToEnd(['run', file, '--target', name, ...args])
      await fetch(`${name}/report-x`, { method: 'POST' }).then((answer) => answer.text())
      const numbers = async () =>
        ((await (await fetch(`${panel}/emulator/documents`)).json()) as { number: number }[]).map(
          ({ number }) => number,
        )
      const nothing = await run()
      expect([nothing.status, nothing.err]).toEqual([1, expect.stringContaining('0 of 1 scenario ran')])
      expect((await run('--allow-none')).status).toBe(0)
      expect(await numbers()).toEqual([1])
      const reset = await run('--reset')
      expect(reset.status).toBe(0)
      expect(reset.err).toContain(
        'will be reset before each scenario: everything it has printed and sold will be deleted',
      )
    } finally {
      service.child.kill('SIGTERM')
      await service.ended
    }
  })
})
