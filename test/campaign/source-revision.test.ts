/**
 * Commands load the packages of the queue only with `--queue`. The tests also list the sources that a revision covers.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { revision, sourcesOf } from '../../scenarios/campaign/source-revision.ts'

const root = join(import.meta.dirname, '..', '..')
const commands = readdirSync(join(root, 'bin', 'commands')).map((name) => join(root, 'bin', 'commands', name))
const OF_THE_QUEUE = ['bullmq', 'ioredis']
const ON_A_QUEUE = ['campaigns.ts', 'check-queue.ts', 'queue-connection.ts', 'worker.ts']

const needsQueue = (file: string): boolean =>
  sourcesOf(file, { onlyStatic: true }).packages.some((name) => OF_THE_QUEUE.includes(name))

describe('the packages of the queue', () => {
  it('are loaded only by the commands that use a queue', () => {
    expect(
      commands
        .filter(needsQueue)
        .map((file) => basename(file))
        .toSorted(),
    ).toEqual(ON_A_QUEUE)
    const entryPoints = [
      'bin/fiscal-rig.ts',
      'bin/library.ts',
      'bin/matchers.ts',
      'scenarios/simulation/check-worker.ts',
    ]
    expect(entryPoints.filter((file) => needsQueue(join(root, file)))).toEqual([])
  })

  it('are among the modules that check loads on demand, as its imports show', () => {
    const check = join(root, 'bin', 'commands', 'check.ts')
    expect(sourcesOf(check).packages).toEqual(expect.arrayContaining(OF_THE_QUEUE))
  })
})

describe('the revision of the sources', () => {
  const entry = join('scenarios', 'simulation', 'check-worker.ts')

  it('covers everything that a run uses: service, driver, link, wire, device, judge', () => {
    const { files, packages } = sourcesOf(join(root, entry))
    const named = files.map((file) => relative(root, file).replaceAll('\\', '/'))
    const parts = [
      'server/service.ts',
      'drivers/family-a/index.ts',
      'drivers/link/exchange.ts',
      'emulator/family-c/wire.ts',
    ]
    expect(named).toEqual(expect.arrayContaining([...parts, 'emulator/fiscal/day.ts', 'scenarios/simulation/judge.ts']))
    expect(named.filter((file) => file.startsWith('test/') || file.startsWith('bin/commands'))).toEqual([])
    expect(packages).toEqual(expect.arrayContaining(['fast-check', 'zod']))
  })

  it('changes with each changed letter of these sources, but not of others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-revision-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    const from = (name: string): string => `from '${`./${name}`}.ts'`
    write('entry.ts', `import { a } ${from('a')}\nimport type { B } ${from('b')}\nexport const c: B = a\n`)
    write('a.ts', 'export const a = 1\n')
    write('b.ts', 'export type B = number\n')
    const first = revision(join(folder, 'entry.ts'))
    write('b.ts', 'export type B = 1 | 2\n')
    expect(revision(join(folder, 'entry.ts'))).toBe(first)
    write('a.ts', 'export const a = 2\n')
    expect(revision(join(folder, 'entry.ts'))).not.toBe(first)
  })
})
