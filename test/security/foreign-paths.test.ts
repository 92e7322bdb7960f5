/**
 * Every command that accepts a file gets a path that leads to something else. The command ends with status 2 or 3 and a
 * sentence, without a stack trace.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ForeignFileError,
  ForeignFileTooLarge,
  readForeignBytes,
  readForeignJson,
  readForeignLines,
} from '../../drivers/host/foreign-file.ts'
import { readYaml } from '../../drivers/host/yaml-file.ts'
import { readRecording } from '../../scenarios/line/recording.ts'
import { readTable } from '../../scenarios/runner/csv-table.ts'
import { runToEnd } from '../support/in-process.ts'

const MIB = 1024 * 1024
let folder: string
let scenario: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-opening-'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  mkdirSync(join(folder, 'folder'))
  for (const name of ['sparse', 'sparse.json']) {
    writeFileSync(join(folder, name), '')
    truncateSync(join(folder, name), 3 * 1024 * MIB)
  }
  scenario = put('case.yaml', 'name: x\nfamilies: [A]\nsteps: [{ post /report-x: }]\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function put(name: string, text: string): string {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** These commands open the file before they do anything else. */
const COMMANDS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  'serve --config': (file) => ['serve', '--config', file],
  'mock-platform --config': (file) => ['mock-platform', '--config', file],
  'mock-platform --orders': (file) => ['mock-platform', '--orders', file],
  'trust --config': (file) => ['trust', '--config', file],
  'emulate --faults': (file) => ['emulate', '--family', 'A', '--faults', file],
  'emulate --fleet': (file) => ['emulate', '--fleet', file],
  'emulate --passport': (file) => ['emulate', '--passport', file],
  'passport compare': (file) => ['passport', 'compare', file, file],
  'exam --job': (file) => ['exam', '--family', 'A', '--till', 'true', '--job', file],
  'exam --passport': (file) => ['exam', '--family', 'A', '--till', 'true', '--passport', file],
  'run --history': (file) => ['run', scenario, '--history', file],
  'run --passport': (file) => ['run', scenario, '--passport', file],
  'run --ca': (file) => ['run', scenario, '--target', 'https://shop.example', '--family', 'A', '--ca', file],
  'check --replay': (file) => ['check', '--replay', file],
  show: (file) => ['show', file, '--output', join(folder, 'page.html')],
  decode: (file) => ['decode', file],
  replay: (file) => ['replay', file],
  'memory verify': (file) => ['memory', 'verify', file],
  'memory show': (file) => ['memory', 'show', file],
}

describe('a path that is not a regular file', () => {
  const PATHS = ['/dev/zero', 'pipe', 'folder', 'sparse', 'nowhere']
  /** `--history` and `memory` also accept a folder. */
  const cases = Object.keys(COMMANDS)
    .flatMap((name) => PATHS.map((what) => [name, what] as const))
    .filter(([name, what]) => what !== 'folder' || !/history|memory/.test(name))

  it.each(cases)('is refused by the command %s: %s', async (name, what) => {
    const before = process.memoryUsage().rss
    const file = what.startsWith('/') ? what : join(folder, what)
    const { status, out, err } = await runToEnd(COMMANDS[name]?.(file) ?? [])
    expect([1, 2, 3], out + err).toContain(status)
    expect(out + err).not.toMatch(/^\s+at .+:\d+:\d+/m)
    expect(err).toContain(what)
    expect(err.length).toBeLessThan(1000)
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB)
  })

  it('in a data folder makes `serve` exit with status 3', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    execFileSync('mkfifo', [join(data, 'device-A.sqlite'), join(data, 'lock.sqlite'), join(data, 'answers.sqlite')])
    const { status, err } = await runToEnd(['serve', '--data', data, '--no-https'])
    expect([status, err]).toEqual([3, expect.stringContaining('not a regular file')])
    expect((await runToEnd(['memory', 'verify', data])).status).toBe(1)
  })

  it('in a configuration is reported with its location', async () => {
    const config = put('config.yaml', `apiKey: { file: pipe }\ntls: { certificate: /dev/zero, key: sparse }\n`)
    const { status, err } = await runToEnd(['serve', '--config', config])
    expect(status).toBe(2)
    for (const place of ['apiKey.file', 'tls.certificate', 'tls.key'])
      expect(err).toContain(`${place}: expected a readable file`)
  })

  it('in a file of printers is reported with its location', async () => {
    const fleet = put('fleet.yaml', 'printers: [{ name: a, family: A, tcp: 0, faults: pipe, passport: sparse }]\n')
    const { status, err } = await runToEnd(['emulate', '--fleet', fleet])
    expect([status, err]).toEqual([
      2,
      expect.stringMatching(/printers\[0\]\.passport: (?:.|\n)*printers\[0\]\.faults: /),
    ])
  })
})

describe('the content of a file', () => {
  const SECRET = 'root:x:0:0:secret-of-another-file:\u001b[2J\n'.repeat(20)

  it.each(Object.keys(COMMANDS).filter((name) => !/--ca/.test(name)))(
    'is not shown by %s, except for the position at which its reader gave up',
    async (name) => {
      for (const file of [put('secret', SECRET), put('secret.json', SECRET)]) {
        const { status, out, err } = await runToEnd(COMMANDS[name]?.(file) ?? [])
        expect([1, 2, 3], out + err).toContain(status)
        expect(out + err).not.toContain('secret-of-another-file')
        expect(out + err).not.toMatch(/\u001b|^\s+at .+:\d+:\d+/m)
      }
    },
  )

  it.each([
    ['a member __proto__', '{"__proto__": {"x": 1}}'],
    ['500 nested lists', `${'['.repeat(500)}${']'.repeat(500)}`],
  ])('is refused as harmful JSON: %s', (_what, text) => {
    expect(() => readForeignJson(put('harm.json', text))).toThrow(ForeignFileError)
  })

  it.each([
    ['more tokens than a file has', `[${'x,'.repeat(500_000)}]`],
    ['nothing but brackets', '['.repeat(1_000_000)],
    ['nothing but mistakes', '}'.repeat(1_000_000)],
    ['nothing but documents', '---\n'.repeat(500_000)],
    ['__proto__', 'a: { __proto__: { x: 1 } }'],
    ['__proto__ by an alias', 'a: &a { x: 1 }\n__proto__: *a'],
    ['__proto__ by a merge', 'a: { <<: { __proto__: { x: 1 } } }'],
  ])('is refused as harmful YAML: %s', (_what, text) => {
    const before = process.memoryUsage().rss
    expect(readYaml('harm.yaml', text).mistakes).toHaveLength(1)
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB)
  })

  it.each([
    ['objects', `[${'{},'.repeat(1_000_000)}{}]`],
    ['numbers', `[${'1,'.repeat(2_000_000)}1]`],
    ['names', `{${Array.from({ length: 1_600_000 }, (_, at) => `"${at.toString(36)}":0`).join()}}`],
  ])('is refused as JSON with too many values: %s', (_what, text) => {
    expect(() => readForeignJson(put('many.json', text))).toThrow(/at most 1500000 values/)
  })

  it('may have brackets and quotes in its texts', () => {
    const value = { text: '[{,,,"\\'.repeat(400_000) }
    expect(readForeignJson(put('texts.json', JSON.stringify(value)))).toEqual(value)
  })

  it.each([
    ['orders', '{"cases": [{"order": {}}]}'],
    ['orders', '{"cases": 7}'],
    ['orders', '{"cases": [], "config": {"currency": 7}}'],
    ['orders', 'null'],
    ['snapshot', '[1]'],
  ])('makes only its own scenario fail: %s with the content %s', async (member, text) => {
    put('given.json', text)
    const given = member === 'orders' ? '{ platform: { orders: given.json } }' : '{ snapshot: given.json }'
    const file = put('given.yaml', `name: x\nfamilies: [A]\ngiven: ${given}\nsteps: [{ post /report-x: }]\n`)
    const { status, out, err } = await runToEnd(['run', file])
    expect([status, out + err]).toEqual([1, expect.stringContaining('0 passed, 1 failed')])
    expect(out + err).not.toMatch(/^\s+at .+:\d+:\d+/m)
  })

  it.each([
    ['rows', `a,b\n${'1,2\n'.repeat(500_000)}`],
    ['columns', `${'a,'.repeat(30_000)}b\n1`],
    ['signs in a row', `a,b\n${'1,'.repeat(1_000_000)}`],
    ['signs', `a,b\n${' '.repeat(5 * MIB)}`],
  ])('is refused as a table with too many %s', (_what, text) => {
    const { mistakes } = readTable('t.csv', text, { decimal: '.', group: '' })
    expect(mistakes.length).toBeGreaterThan(0)
    expect(mistakes.length).toBeLessThan(20)
  })

  it.each([
    ['chunks', '{"at":1,"direction":"toHost","hex":""}\n'.repeat(750_001), /more than 750000 chunks/],
    ['bytes in a line', `{"at":1,"direction":"toHost","hex":"${'41 '.repeat(2_000_000)}41"}`, /bytes in a line/],
    ['mistakes for a reader', 'x\n'.repeat(100_000), /and more$/],
    ['milliseconds', '{"at":1e308,"direction":"toHost","hex":"41"}\n', /expected "at"/],
  ])('is refused as a recording with too many %s', (_what, text, why) => {
    expect(() => readRecording(put('long.jsonl', text))).toThrow(why)
  })

  it('is read only to its limit, even if the reported size is 0', () => {
    const file = put('lines', `${'x'.repeat(300_000)}\n\u00e4\n\nrest`)
    expect([...readForeignLines(file)].map((line) => line.length)).toEqual([300_000, 1, 0, 4])
    expect(() => readForeignBytes(file, { maxBytes: 300_000 })).toThrow(ForeignFileTooLarge)
    expect(() => [...readForeignLines(file, { maxBytes: 300_000 })]).toThrow(ForeignFileTooLarge)
    expect(readForeignBytes('/proc/self/status').toString()).toContain('VmRSS')
  })

  it('is never cut within a character', () => {
    const file = put('letters', 'a\u20ac'.repeat(200_000))
    expect([...readForeignLines(file)].join('')).toBe('a\u20ac'.repeat(200_000))
  })
})
