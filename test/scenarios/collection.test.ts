/** The collection: for all families embedded, a tagged part over a real pty and against a service over HTTP. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { scenarioFiles } from '../../scenarios/runner/files.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { scenarioSchemaText } from '../../scenarios/runner/schema.ts'
import { emulatedTarget } from '../../scenarios/runner/target/emulated.ts'
import { lastingTarget } from '../../scenarios/runner/target/lasting.ts'
import { FREE_PORTS, start } from '../support/command.ts'
import { failures, play } from './play.ts'

const FILES = scenarioFiles(['scenarios'])

describe('the collection', () => {
  it('has at least 60 scenarios, each with a name, tags, and the schema in the first line of its file', () => {
    const loaded = loadScenarios(FILES)
    expect(loaded.length).toBeGreaterThanOrEqual(60)
    expect(
      loaded.filter(({ scenario }) => (scenario.tags ?? []).length === 0).map(({ scenario }) => scenario.name),
    ).toEqual([])
    const [first] = [...new Set(FILES.map((file) => readFileSync(file, 'utf8').split('\n')[0]))]
    expect(first).toBe('# yaml-language-server: $schema=../scenario.schema.json')
    expect(new Set(FILES.map((file) => readFileSync(file, 'utf8').split('\n')[0])).size).toBe(1)
  })

  it('passes on the embedded emulator, all of it, for all families', { timeout: 600_000 }, async () => {
    const summary = await play(FILES)
    expect(failures(summary)).toEqual([])
    expect(summary.notRun).toBe(0)
    expect(new Set(summary.results.map(({ play }) => play.family))).toEqual(new Set(FAMILIES))
  })

  it('passes on the edition ro of family A, all of it, with papers of its own', { timeout: 600_000 }, async () => {
    const summary = await play(FILES, { profile: 'ro' })
    expect(failures(summary)).toEqual([])
    expect(summary.notRun).toBe(0)
    expect(summary.passed).toBeGreaterThan(180)
    expect(new Set(summary.results.map(({ play }) => play.family))).toEqual(new Set(['A']))
  })

  it('passes over a real pty where it is tagged so', async () => {
    const summary = await play(FILES, { target: emulatedTarget('pty', FAMILIES), tags: ['pty'], parallel: 8 })
    expect(failures(summary)).toEqual([])
    expect(summary.passed).toBeGreaterThan(30)
  })

  it('has the published schema that the declaration makes', () => {
    expect(readFileSync('scenarios/scenario.schema.json', 'utf8')).toBe(scenarioSchemaText())
  })
})

describe('a service that somebody else started', () => {
  it('plays with its panel; without it what cannot be seen is not run, and nothing passes silently', async () => {
    const service = start(['serve', '--json', '--data', 'memory', ...FREE_PORTS])
    try {
      const ready = await service.ready()
      const [name, panel] = [String(ready['http']), String(ready['panel'])]
      const families = ['A'] as const
      const withPanel = await play(FILES, {
        target: lastingTarget({ name, families, panel }),
        families,
        tags: ['http'],
      })
      expect(failures(withPanel)).toEqual([])
      expect(withPanel.passed).toBeGreaterThan(30)
      const without = await play(FILES, { target: lastingTarget({ name, families }), families, tags: ['http'] })
      expect(failures(without)).toEqual([])
      expect(without.passed).toBeGreaterThan(0)
      expect(new Set(without.results.flatMap(({ reason }) => reason ?? []))).toContain(
        'paper (without --panel nobody can see or touch the device)',
      )
      const everything = await play(FILES, {
        target: lastingTarget({ name, families, panel }),
        families,
        tags: ['clock', 'restart', 'invoice'],
      })
      expect(failures(everything)).toEqual([])
      expect(everything.results.find(({ status }) => status === 'notRun')?.reason).toMatch(/^(config|restart) \(/)
    } finally {
      service.child.kill('SIGTERM')
      await service.ended
    }
  })
})
