/** Every invalid scenario, configuration or fault plan is rejected with a readable message. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPlanFile } from '../../bin/fault-plan-file.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import { ScenarioMistakes } from '../../scenarios/runner/mistake.ts'
import { ConfigError, loadSettings, settingsOf } from '../../server/config.ts'
import { runToEnd } from '../support/in-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-files-'))
  mkdirSync(join(folder, 'inside', 'deeper'), { recursive: true })
  for (const place of ['.', 'inside', 'inside/deeper']) {
    writeFileSync(join(folder, place, 'steps.yaml'), 'steps: [{ post /report-x: }]\n')
  }
  symlinkSync(join(folder, 'steps.yaml'), join(folder, 'inside', 'link.yaml'))
  symlinkSync(folder, join(folder, 'inside', 'up'))
  writeFileSync(join(folder, 'inside', 'climbs.yaml'), 'steps: [{ include: ../steps.yaml }]\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
function file(text: string, ending = 'yaml'): string {
  const path = join(folder, 'inside', `case-${++count}.${ending}`)
  writeFileSync(path, text)
  return path
}

const levels = (depth: number, join: (index: number) => string) =>
  Array.from({ length: depth }, (_, index) => join(index)).join('\n')
const BOMB = `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${levels(9, (at) => `a${at + 1}: &a${at + 1} [${Array.from({ length: 9 }, () => `*a${at}`).join(',')}]`)}\n`

const HOSTILE: Readonly<Record<string, string>> = {
  'an alias bomb': `name: bomb\n${BOMB}steps: *a9\n`,
  'a bomb of merged keys': `m0: &m0 {k0: 1}\n${levels(12, (at) => `m${at + 1}: &m${at + 1} {<<: [${Array.from({ length: 9 }, () => `*m${at}`).join(',')}], k${at + 1}: 1}`)}\nname: x\nsteps: [{<<: *m12}]\n`,
  'a list that holds itself': 'name: round\nsteps: &a [*a]\n',
  'an object that holds itself': 'name: round\nlet: &a {x: *a}\nsteps: [{post /report-x: }]\n',
  'a hundred thousand open brackets': `name: deep\nsteps: ${'['.repeat(100_000)}\n`,
  'fifty thousand open braces': `name: deep\nlet: ${'{a: '.repeat(50_000)}\n`,
  'three thousand nested lists': `name: deep\nsteps:\n${Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}-`).join('\n')}\n`,
  'a hundred thousand empty documents': '---\n'.repeat(100_000),
  'a hundred thousand mistakes': `name: x\nsteps: [${'1,'.repeat(100_000)}]\n`,
  'a text of 17 MiB': `name: x\nlet: {a: "${'x'.repeat(17 * 1024 * 1024)}"}\nsteps: [{post /report-x: }]\n`,
  'control characters': 'name: "\\e[2Jx"\nsteps: [\u0007]\n',
  'an unknown tag': 'name: !!js/function "x"\nsteps: !!binary aGVsbG8=\n',
}

function expectSentences(error: unknown): void {
  const { message } = error as Error
  expect(message.length).toBeLessThan(20_000)
  expect(message).not.toMatch(/^\s+at /m)
}

describe('a scenario file with', () => {
  it.each(Object.entries(HOSTILE))('%s is reported as an error in the file', (_name, text) => {
    const named = file(text)
    try {
      loadScenarios([named])
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ScenarioMistakes)
      expectSentences(error)
    }
  })

  it('ends the run with status 2', async () => {
    const bomb = file(HOSTILE['an alias bomb'] ?? '')
    const { status, err, out } = await runToEnd(['run', bomb])
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/case-\d+\.yaml:1:1: expected fewer aliases/)
  })
})

describe('a configuration or a plan of faults with', () => {
  it.each(Object.entries(HOSTILE))('%s is rejected with a readable message', async (_name, text) => {
    const named = file(text)
    const error = await loadSettings(named).then(
      () => undefined,
      (problem: unknown) => problem,
    )
    expect(error).toBeInstanceOf(ConfigError)
    expectSentences(error)
    try {
      readPlanFile(named)
    } catch (problem) {
      expect((problem as { status?: number }).status).toBe(2)
      expectSentences(problem)
    }
  })
})

it('a warning of the YAML library about a configuration reaches no terminal', async () => {
  const named = file('&\u009bx: {a: 1}\n%x\u0007 1\n!\u009bm x\n')
  const { status, err } = await runToEnd(['doctor', '--config', named, '--no-probe'])
  expect(status).toBe(2)
  expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|Warning/)
})

describe('the include of a scenario file', () => {
  const including = (named: string) => file(`name: includes ${count}\nsteps:\n  - include: ${JSON.stringify(named)}\n`)

  it.each(['steps.yaml', './steps.yaml', 'deeper/steps.yaml', 'deeper/../steps.yaml'])('finds %s', (named) => {
    expect(loadScenarios([including(named)])).toHaveLength(1)
  })

  it.each([
    '../steps.yaml',
    'deeper/../../steps.yaml',
    'link.yaml',
    'up/steps.yaml',
    'climbs.yaml',
    '/etc/passwd',
    '/dev/zero',
    '../no-such.yaml',
  ])('leaves the folder of the file for %s only if that is allowed', (named) => {
    expect(() => loadScenarios([including(named)])).toThrow(/must stay inside .+; --allow-outside allows other folders/)
    if (!/passwd|zero|no-such/.test(named)) {
      expect(loadScenarios([including(named)], { allowOutside: true })).toHaveLength(1)
    }
  })

  it.each(['/dev/zero', '/dev/stdin', '.'])('reads no %s, which is not a regular file', (named) => {
    expect(() => loadScenarios([including(named)], { allowOutside: true })).toThrow(/expected a readable file/)
  })

  it('outside of the folder is reported, and allowed, by the command', async () => {
    const outside = including('../steps.yaml')
    const { status, err } = await runToEnd(['run', outside])
    expect([status, err]).toEqual([2, expect.stringContaining('--allow-outside')])
    expect((await runToEnd(['run', outside, '--allow-outside', '--family', 'A'])).status).toBe(0)
  })

  it('is limited if it doubles with each file', () => {
    for (let at = 0; at < 30; at++) {
      const next = at === 29 ? 'steps.yaml' : `twice-${at + 1}.yaml`
      writeFileSync(join(folder, 'inside', `twice-${at}.yaml`), `steps: [{ include: ${next} }, { include: ${next} }]\n`)
    }
    expect(() => loadScenarios([including('twice-0.yaml')])).toThrow(/includes more than 1000 files and shared steps/)
  })

  it('is, like golden files, the only file name in a scenario: a golden file is written inside its folder', () => {
    for (const paper of ['../../x.txt', '/tmp/x.txt', 'a/../../x.txt']) {
      const named = file(`name: golden ${count}\nsteps: [{ post /report-x: }]\ncheck: { paper: ${paper} }\n`)
      expect(() => loadScenarios([named], { update: true })).toThrow(/inside the folder of golden files/)
    }
  })
})

describe("the platform's baseUrl", () => {
  const problems = (baseUrl: string): string => {
    try {
      settingsOf({ platform: { baseUrl } })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each([
    'https://{shop}',
    'https://relay.example/{shop}',
    'http://127.0.0.1:4010/{shop}',
    'http://localhost:4010/{shop}',
    'http://[::1]:4010/{shop}',
  ])('may be %s', (baseUrl) => {
    expect(problems(baseUrl)).toBe('')
  })

  it.each([
    'http://{shop}',
    'http://relay.example/{shop}',
    'http://127.0.0.1@relay.example/',
    'http://127.0.0.1.relay.example/',
    'http://127.0.0.1{shop}/',
    'http://localhost.{shop}/',
    'http://relay.example#127.0.0.1',
    'http://relay.example\\@127.0.0.1/',
    'http://192.168.1.5/',
    'http://0.0.0.0/',
    'https://user:{shop}@relay.example:x/',
    'ftp://relay.example/',
  ])('must not be %s: tokens and orders would be sent unencrypted', (baseUrl) => {
    expect(problems(baseUrl)).toContain('https://, or http:// of this machine')
  })
})
