import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { goldenFolder } from '../../scenarios/runner/golden.ts'
import { createRecorder } from '../../scenarios/runner/request-recorder.ts'
import { runToEnd } from '../support/in-process.ts'

let base: string
let folder: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'fiscal-rig-foreign-'))
  folder = join(base, 'project', 'scenarios')
  mkdirSync(join(base, 'outside', 'a'), { recursive: true })
  mkdirSync(folder, { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(path: string, text: string): string {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
const scenario = (text: string): string => put('project/scenarios/case.yaml', `name: foreign\nfamilies: [A]\n${text}`)
const REPORT = 'steps: [{ post /report-x: }]\n'
const SECRET = 'root:x:0:0:secret-of-another-file'

describe('the command run --update writes no golden file', () => {
  it('through a link to a folder', async () => {
    mkdirSync(join(folder, 'paper'))
    symlinkSync(join(base, 'outside'), join(folder, 'paper', 'a'))
    const { status, err, out } = await runToEnd(['run', scenario(`${REPORT}check: { paper: x.txt }\n`), '--update'])
    expect(existsSync(join(base, 'outside', 'x.txt'))).toBe(false)
    expect(status).not.toBe(0)
    expect(err + out).toContain('is a link')
  })

  it('through a link instead of the whole folder of golden files', async () => {
    symlinkSync(join(base, 'outside'), join(folder, 'paper'))
    const { status } = await runToEnd(['run', scenario(`${REPORT}check: { paper: x.txt }\n`), '--update'])
    expect(existsSync(join(base, 'outside', 'a', 'x.txt'))).toBe(false)
    expect(status).not.toBe(0)
  })

  it('over a link to a file', async () => {
    const target = put('outside/kept', 'kept')
    mkdirSync(join(folder, 'paper', 'a'), { recursive: true })
    symlinkSync(target, join(folder, 'paper', 'a', 'x.txt'))
    const { status } = await runToEnd(['run', scenario(`${REPORT}check: { paper: x.txt }\n`), '--update'])
    expect(readFileSync(target, 'utf8')).toBe('kept')
    expect(status).not.toBe(0)
  })

  it.each(['.bashrc', 'a/.profile', '../x', '/tmp/x', 'a//b', './x', 'a\\b', 'x\u0007', 'x ', 'con:'])(
    'called %j',
    async (name) => {
      const file = scenario(`${REPORT}check: { paper: ${JSON.stringify(name)} }\n`)
      const { status, err, out } = await runToEnd(['run', file, '--update'])
      expect(existsSync(join(folder, 'paper'))).toBe(false)
      expect(status).toBe(2)
      expect(err + out).toContain('expected a plain name')
    },
  )

  it.each([
    ['let', `let: { place: ../../../x }\n${REPORT}check: { paper: $place }\n`],
    ['a row', `examples: [{ place: ../../../x }]\n${REPORT}check: { paper: $place }\n`],
    ['a part of the name', `let: { place: .. }\n${REPORT}check: { paper: "$place/$place/../x" }\n`],
    [
      'an argument of shared steps',
      'shared: { look: { takes: [place], steps: [{ check: { paper: { golden: $place } } }] } }\n' +
        'steps: [{ post /report-x: }, { use: look, with: { place: ../../../x } }]\n',
    ],
    [
      'what the device has answered',
      'steps: [{ post /report-x: , keep: { place: StatusCode } }, { check: { paper: ".$place" } }]\n',
    ],
  ])('whose name leads outside by %s', async (_what, text) => {
    const { status, err, out } = await runToEnd(['run', scenario(text), '--update'])
    expect(existsSync(join(base, 'x'))).toBe(false)
    expect(existsSync(join(folder, 'x'))).toBe(false)
    expect(existsSync(join(folder, 'paper'))).toBe(false)
    expect(status).toBe(1)
    expect(err + out).toContain('expected a plain name')
  })

  it('in place of the intended one, which it writes', async () => {
    const file = scenario(`let: { place: x }\n${REPORT}check: { paper: "deeper/$place (1).txt" }\n`)
    expect((await runToEnd(['run', file, '--update'])).status).toBe(0)
    expect(existsSync(join(folder, 'paper', 'a', 'deeper', 'x (1).txt'))).toBe(true)
    expect((await runToEnd(['run', file])).status).toBe(0)
  })
})

describe('the folder of golden files', () => {
  it('is searched no further than the project', () => {
    mkdirSync(join(base, 'fixtures', 'paper', 'scenarios'), { recursive: true })
    expect(goldenFolder(folder)).toBe(join(folder, 'paper'))
    put('project/package.json', '{}')
    expect(goldenFolder(folder)).toBe(join(folder, 'paper'))
    mkdirSync(join(base, 'project', 'fixtures', 'paper', 'scenarios'), { recursive: true })
    expect(goldenFolder(folder)).toBe(join(base, 'project', 'fixtures', 'paper', 'scenarios'))
  })

  it('must not be a folder of another user', () => {
    put('project/package.json', '{}')
    mkdirSync(join(base, 'project', 'fixtures', 'paper', 'scenarios'), { recursive: true })
    const ofAnother = (path: string) => (path.includes('fixtures') ? 4711 : 1000)
    expect(goldenFolder(folder, ofAnother)).toBe(join(folder, 'paper'))
  })

  it.each(['golden file', 'snapshot'] as const)('is not a folder in which a recording truncates a %s', (what) => {
    const planted =
      what === 'snapshot'
        ? put('project/scenarios/day.snapshot.json', 'kept')
        : put('project/scenarios/paper/a/day.txt', 'kept')
    const device = {
      snapshot: () => ({}),
      isNew: () => what !== 'snapshot',
      clock: () => '2026-07-15 09:00:00',
      atRest: () => true,
      stateSteps: () => [],
      rulesStep: () => '',
      onEntered: () => undefined,
      documents: () => [],
    }
    const options = { family: 'A', profile: undefined, config: {}, device, schema: undefined } as const
    expect(() => createRecorder({ ...options, file: join(folder, 'day.yaml') })).toThrow(/already exists/)
    expect(readFileSync(planted, 'utf8')).toBe('kept')
    expect(existsSync(join(folder, 'day.yaml'))).toBe(false)
  })
})

describe('the command run shows nothing of a file outside', () => {
  const runs = async (text: string, ...options: readonly string[]) => {
    const { status, err, out } = await runToEnd(['run', scenario(text), ...options])
    expect(err + out).not.toContain('root:x')
    expect(err + out).not.toMatch(/^\s+at .+:\d+:\d+/m)
    return { status, text: err + out }
  }

  it('by a link to a folder of golden files', async () => {
    put('outside/passwd', `${SECRET}\n`)
    mkdirSync(join(folder, 'paper'))
    symlinkSync(join(base, 'outside'), join(folder, 'paper', 'a'))
    expect((await runs(`${REPORT}check: { paper: passwd }\n`)).status).not.toBe(0)
  })

  const GIVEN = (name: string, member: 'snapshot' | 'orders') =>
    member === 'snapshot' ? `given: { snapshot: ${name} }\n` : `given: { platform: { orders: ${name} } }\n`

  it.each(['snapshot', 'orders'] as const)('by given: %s', async (member) => {
    put('outside/passwd', `${SECRET}\n`)
    const { status, text } = await runs(`${GIVEN('../../outside/passwd', member)}${REPORT}`)
    expect([status, text]).toEqual([2, expect.stringContaining('--allow-outside')])
  })

  it.each(['snapshot', 'orders'] as const)('by a link for %s', async (member) => {
    symlinkSync(put('outside/passwd', `${SECRET}\n`), join(folder, 'inside.json'))
    expect((await runs(`${GIVEN('inside.json', member)}${REPORT}`)).status).toBe(2)
  })

  it.each(['snapshot', 'orders'] as const)('by a variable for %s', async (member) => {
    put('outside/passwd', `${SECRET}\n`)
    const { status, text } = await runs(`let: { file: ../../outside/passwd }\n${GIVEN('$file', member)}${REPORT}`)
    expect([1, 2]).toContain(status)
    expect(text).toContain('--allow-outside')
  })

  it.each(['snapshot', 'orders'] as const)(
    'in the error about a file for the step %s that is not JSON',
    async (member) => {
      put('project/scenarios/broken.json', `${SECRET}\n`)
      const { status, text } = await runs(`${GIVEN('broken.json', member)}${REPORT}`)
      expect([1, 2]).toContain(status)
      expect(text).toContain('broken.json')
    },
  )

  it.each(['snapshot', 'orders'] as const)(
    'if the step %s names a device file, which is not opened',
    async (member) => {
      const { status } = await runs(`${GIVEN('/dev/zero', member)}${REPORT}`, '--allow-outside')
      expect([1, 2]).toContain(status)
    },
  )
})
