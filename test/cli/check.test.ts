/** `fiscal-rig check` as a program, also over a pty: its output, saved cases, replays and refusals. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the command fiscal-rig check', () => {
  it('reports for each family what was run and that nothing was violated', async () => {
    const { status, out } = await runToEnd(['check', '--runs', '6', '--seed', '3'])
    expect(out.match(/^family [ABC], .*: no violation$/gm)).toHaveLength(3)
    expect(out).toMatch(/^family A, seed 3: 6 runs, \d+ requests, \d+ faults injected, .*: no violation$/m)
    expect(status).toBe(0)
  })

  it('has the same result on one core and on two, and prints or writes one line of JSON per family', async () => {
    const file = join(folder, 'sums.json')
    const args = ['check', '--family', 'B,C', '--runs', '14', '--chunk', '4', '--seed', '3', '--json']
    const [one, two] = [
      await runToEnd([...args, '--cores', '1']),
      await runToEnd([...args, '--cores', '2', '--output', file]),
    ]
    const sums = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => ({ ...JSON.parse(line), tookMs: 0 }))
    expect(sums(one.out)).toMatchObject([
      { family: 'B', seed: 3, runs: 14, violations: [] },
      { family: 'C', seed: 3, runs: 14, violations: [] },
    ])
    expect(two.out).toBe('')
    expect(sums(readFileSync(file, 'utf8'))).toEqual(sums(one.out))
  })

  it('runs for some minutes if so requested, and then ends', async () => {
    const { status, out } = await runToEnd(['check', '--family', 'A', '--minutes', '0.02', '--chunk', '10'])
    expect(out).toMatch(
      /^family A, seed \d+: \d+ runs, .*: no violation\n\d+ runs, 0 violations, in \d+ s on \d+ cores/m,
    )
    expect(status).toBe(0)
  })

  it('runs until it is stopped, and then reports what it has run', async () => {
    const running = start(['check', '--family', 'A', '--until-stopped', '--chunk', '1', '--cores', '1', '--seed', '3'])
    await expect.poll(() => running.log(), { timeout: 60_000 }).toMatch(/^[1-9]\d* runs, \d+ requests, .* runs\/s\)$/m)
    running.child.kill('SIGINT')
    const { status, out } = await running.ended
    expect(out).toMatch(/^family A, seed 3: [1-9]\d* runs, .*: no violation\n[1-9]\d* runs, 0 violations, /m)
    expect(status).toBe(0)
  })

  it('reports what is skipped on a family, and why', async () => {
    const { status, out } = await runToEnd(['check', '--family', 'C', '--runs', '5', '--seed', '3'])
    expect(out).toMatch(/^not run: a whole command duplicated on its way to the device: .*\nfamily C, seed 3: 5 runs/)
    expect(status).toBe(0)
  })

  it('repeats the run of a path, and no other', async () => {
    const { out, status } = await runToEnd(['check', '--family', 'A', '--seed', '1', '--path', '2'])
    expect(out).toMatch(/^family A, seed 1: 1 run, .*: no violation\n1 run, 0 violations, /m)
    expect(status).toBe(0)
  })

  it('tries every injection point, a part of the injection points, or a single one', async () => {
    const one = await runToEnd(['check', '--every', '--family', 'A', '--path', '0', '--cores', '1'])
    expect(one.out).toMatch(/^family A: \d+ places, 1 tried, \d+ requests, .*: 0 violations\nplace \d+ was tried, /)
    expect(one.status).toBe(0)
    const part = await runToEnd(['check', '--every', '--family', 'A', '--shard', '1/90000', '--cores', '1', '--json'])
    const { places, tried } = JSON.parse(part.out)
    expect(tried).toBe(Math.ceil(places / 90_000))
  })

  it('tries the injection points of several profiles at once, and counts each separately', async () => {
    const args = ['check', '--every', '--profile', 'ro,b5', '--shard', '9/90000', '--cores', '1']
    const { out, status } = await runToEnd(args)
    expect(out).toMatch(
      /^family A ro: \d+ places, \d tried, .*\nfamily B b5: \d+ places, \d tried, .*\nall \d+ places of shard 9\/90000 were tried, /,
    )
    expect(status).toBe(0)
  })

  it('runs a saved case again', async () => {
    const file = join(folder, 'kept.json')
    const steps = [{ do: 'receipt', rows: 1, paying: 'card', key: true }]
    writeFileSync(file, JSON.stringify({ case: { family: 'A', seed: 1, slow: false, steps } }))
    const { status, out } = await runToEnd(['check', '--replay', file])
    expect(out).toBe(`${file}: the case passes now\n`)
    expect(status).toBe(0)
    const report = join(folder, 'passes.json')
    const asJson = await runToEnd(['check', '--replay', file, '--json', '--output', report])
    expect([asJson.status, asJson.out, readFileSync(report, 'utf8')]).toEqual([0, '', '{"failure":null}\n'])
  })

  it('exits with 1, a description of the case and the preceding frames when a promise is broken', async () => {
    const file = join(folder, 'broken.json')
    // An invalid rule ends a run as a violation does.
    const steps = [{ do: 'fault', rule: { at: 'nowhere', do: 'drop' } }]
    writeFileSync(file, JSON.stringify({ case: { family: 'A', seed: 1, slow: false, steps }, command: 'repeat me' }))
    const { status, out } = await runToEnd(['check', '--replay', file])
    expect(out).toContain('VIOLATION on family A: at: expected link.toDevice')
    expect(out).toContain('1. fault: {"at":"nowhere","do":"drop"}')
    expect(out).toContain(`reproduce with: npx fiscal-rig check --replay ${file}`)
    expect(status).toBe(1)
    const lost = await runToEnd(['check', '--replay', file, '--output', '/dev/full'])
    expect(lost.err).toContain('/dev/full cannot be written: the disk is full')
    expect([lost.out, lost.status]).toEqual([out, 1])
  })

  it.each([
    ['an unknown family', { family: 'D', seed: 1, steps: [] }, 'family: expected A, B, C'],
    ['no seed', { family: 'A', steps: [] }, 'seed: expected a number'],
    [
      'an unknown action',
      { family: 'A', seed: 1, steps: [{ do: 'otherProgram', deed: 'sings' }] },
      'steps[0] is not a step of a run',
    ],
    [
      'an invalid memory',
      { family: 'A', seed: 1, steps: [{ do: 'replaceDevice', memory: 'full' }] },
      'steps[0] is not a step of a run',
    ],
    ['an unknown profile', { family: 'A', seed: 1, profile: 'x', steps: [] }, 'profile: expected '],
    ['an unknown step', { family: 'A', seed: 1, steps: [{ do: 'x' }, { do: 'y' }] }, 'steps[1] is not a step of a run'],
    ['an empty step', { steps: [{}] }, 'family: expected'],
    [
      'an unknown manual action',
      { family: 'A', seed: 1, steps: [{ do: 'hand', what: 'x' }] },
      'steps[0] is not a step of a run',
    ],
    [
      'an empty step within another',
      { family: 'A', seed: 1, steps: [{ do: 'crash', during: {}, write: 1 }] },
      'steps[0] is no',
    ],
  ])('refuses a saved case with %s as wrong usage', async (_what, one, message) => {
    const file = join(folder, 'wrong.json')
    writeFileSync(file, JSON.stringify({ case: one }))
    const { status, out, err } = await runToEnd(['check', '--replay', file])
    expect(err).toContain(`${file}: expected a case that --save has written: ${message}`)
    expect([out, status]).toEqual(['', 2])
  })

  it('prints the report on standard output and exits with 3 if the file of --output cannot be written at the end', async () => {
    const args = ['check', '--family', 'C', '--runs', '2', '--seed', '3', '--json', '--output', '/dev/full']
    const { status, out, err } = await runToEnd(args)
    expect(err).toContain('/dev/full cannot be written: the disk is full')
    expect(JSON.parse(out)).toMatchObject({ family: 'C' })
    expect(status).toBe(3)
  })

  it.each([
    ['--output', '/proc/nope/x'],
    ['--output', join(import.meta.filename, 'x')],
    ['--save', '/proc/nope/x'],
    ['--shop-year --output', '/proc/nope/x'],
  ])('refuses %s %s before anything is run', async (options, file) => {
    const { status, out, err } = await runToEnd(['check', '--family', 'A', ...options.split(' '), file])
    expect(err).toContain(`${file} cannot be written: `)
    expect(err).not.toMatch(/ runs|violation/)
    expect([out, status]).toEqual(['', 3])
  })

  it('continues, and reports what it has found, when its standard error is closed', async () => {
    const { child, ended } = start(['check', '--family', 'A', '--minutes', '0.05', '--chunk', '1', '--seed', '3'])
    child.stderr?.destroy()
    const { status, out } = await ended
    expect(out).toMatch(/^family A, seed 3: \d+ runs, /m)
    expect(out.includes('no violation') ? 0 : 1).toBe(status)
  })

  it('exits with 3 without a temporary folder', async () => {
    const { status, err } = await runToEnd(['check', '--shop-year', '--family', 'A'], {
      env: { TMPDIR: '/nonexistent' },
    })
    expect(err).toContain('The temporary folder /nonexistent cannot be used: ENOENT')
    expect(err).not.toContain('    at ')
    expect(status).toBe(3)
  })

  it('does not touch a folder that an empty variable of a shell names', async () => {
    const here = mkdtempSync(join(folder, 'here-'))
    chmodSync(here, 0o755)
    for (const option of ['--data', '--output', '--save', '--replay']) {
      const { status, err } = await runToEnd(['check', '--shop-year', '--family', 'A', option, ''], { cwd: here })
      expect(err).toContain(`argument '' is invalid. Must not be empty.`)
      expect(status).toBe(2)
    }
    expect([readdirSync(here), statSync(here).mode & 0o777]).toEqual([[], 0o755])
  })

  it.each([
    ['a part of random runs', ['check', '--shard', '1/2'], '--shard requires --every'],
    ['an invalid part', ['check', '--every', '--shard', '3/2'], 'Must be a shard such as 2/8'],
    [
      'injection points of a seed',
      ['check', '--every', '--seed', '1'],
      '--every allows --pairs, --family, --profile, --shard',
    ],
    [
      'injection points of an unknown profile',
      ['check', '--every', '--profile', 'ro,b9'],
      '--profile b9: expected all, or profiles',
    ],
    [
      'injection points of a profile that no family has',
      ['check', '--every', '--family', 'B', '--profile', 'ro'],
      '--profile ro: expected all, or profiles of the families, such as b8,b5',
    ],
    [
      'injection points of a family without a profile',
      ['check', '--every', '--family', 'A,B', '--profile', 'ro'],
      '--profile ro: expected a profile of family B as well, b8 or b5',
    ],
    [
      'one injection point of two profiles',
      ['check', '--every', '--family', 'A', '--profile', 'all', '--path', '1'],
      '--every --path requires one profile',
    ],
    ['an injection point without a family', ['check', '--every', '--path', '1'], '--every --path requires --family'],
    ['a path without its seed', ['check', '--path', '1:2'], '--path requires --seed and --family'],
    [
      'a device on a pty without a family',
      ['check', '--target', 'pty'],
      '--target pty is one device and requires --family',
    ],
    ['an unknown target', ['check', '--target', 'nope'], '--target: unknown target "nope"'],
    ['a service as a target', ['check', '--target', 'http://127.0.0.1:1', '--family', 'A'], 'is a service'],
    [
      'a device on a pty with two families',
      ['check', '--target', 'pty', '--family', 'A,B'],
      '--target pty is one device and requires --family',
    ],
    ['runs and minutes', ['check', '--runs', '1', '--minutes', '1'], 'choose one of --runs, --minutes and'],
    [
      'cores for a device on a pty',
      ['check', '--target', 'pty', '--family', 'A', '--cores', '1'],
      '--cores is for the embedded device only',
    ],
    ['an invalid path', ['check', '--path', 'abc'], 'Must be the path printed with a violation'],
    [
      'a path that leads nowhere',
      ['check', '--family', 'A', '--seed', '1', '--path', '0:999:99'],
      '--path 0:999:99 selects no run of this seed',
    ],
    [
      'a path whose last step leads nowhere',
      ['check', '--family', 'A', '--seed', '1', '--path', '99:99'],
      '--path 99:99 selects no run of this seed and family; use --seed, --family and --path as printed',
    ],
    [
      'an injection point that does not exist',
      ['check', '--every', '--pairs', '--family', 'A', '--path', '999999999999'],
      '--path 999999999999: expected the number of a place, 0 to ',
    ],
    [
      'a path of random cases for an injection point',
      ['check', '--every', '--family', 'A', '--path', '0:1'],
      '--path 0:1: expected the number of a place, 0 to ',
    ],
    ['more cores than there are', ['check', '--cores', '1025'], 'Must be a whole number between 1 and 1024'],
    [
      'a saved case with other options',
      ['check', '--replay', 'x.json', '--seed', '1'],
      '--replay runs one case as it is',
    ],
    [
      'a scenario as a saved case',
      ['check', '--replay', 'x.yaml'],
      '--replay requires the JSON that --save writes, and x.yaml is YAML; to run a scenario: npx fiscal-rig run x.yaml',
    ],
    ['zero runs', ['check', '--runs', '0'], 'Must be a whole number between 1 and'],
    [
      'an invalid saved case',
      ['check', '--replay', join(import.meta.dirname, 'check.test.ts')],
      'expected a case that --save has written',
    ],
  ])('refuses %s as wrong usage', async (_what, args, message) => {
    const { status, err } = await runToEnd(args)
    expect(err).toContain(message)
    expect(status).toBe(2)
  })

  it('accepts several families', async () => {
    const { out, status } = await runToEnd(['check', '--family', 'A,C', '--runs', '2', '--seed', '1'])
    expect(out.match(/^family [ABC], seed 1: 2 runs/gm)).toEqual([
      'family A, seed 1: 2 runs',
      'family C, seed 1: 2 runs',
    ])
    expect(status).toBe(0)
  })

  it.each(['/dev/no-such-port', 'tcp://127.0.0.1:1'])('does not report a missing %s as a violation', async (target) => {
    const { out, err, status } = await runToEnd(['check', '--target', target, '--family', 'A'])
    expect([out, status]).toEqual(['', 3])
    expect(err).toContain(`${target} cannot be reached`)
  })

  it('over TCP reconnects for each run', async () => {
    const emulator = createEmulator({ family: 'C' })
    const { port } = await emulator.listenTcp(0)
    const target = `tcp://127.0.0.1:${port}`
    const { status, out } = await runToEnd(['check', '--target', target, '--family', 'C', '--runs', '5', '--seed', '4'])
    await emulator.close()
    expect(out).toMatch(/^family C, seed 4: 5 runs, .*: no violation$/m)
    expect(status).toBe(0)
  })

  it('over a pty runs the faults of a line, and lists the other faults with the reason why they are not run', async () => {
    const { status, out } = await runToEnd(['check', '--target', 'pty', '--family', 'A', '--runs', '3', '--seed', '5'])
    expect(out).toContain('not run: powerCut, paperOut, coverOpen, memoryFull, busyMs: nothing on a wire')
    expect(out).toMatch(/^family A, seed 5: 3 runs, .*: no violation$/m)
    expect(status).toBe(0)
  })
})
