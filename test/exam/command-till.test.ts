/** A command as a till: its input, the claim that its exit status makes, and the processes that it leaves. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { commandTill } from '../../scenarios/exam/command-till.ts'
import { tillJob, USUAL_JOBS } from '../../scenarios/exam/job.ts'
import type { Run, TillEnvironment } from '../../scenarios/exam/till.ts'
import { simulatedTime } from '../../scenarios/exam/time.ts'

let folder: string
let emulator: Emulator
let place: TillEnvironment

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'till-'))
  const time = simulatedTime()
  emulator = createEmulator({ family: 'B', profile: 'b5', clock: time.clock })
  place = {
    ...{ caseId: 'answerLost@closeFiscal#1', emulator, time, timeoutMs: 60_000, baud: 9600, password: '1' },
    ...{ folder, state: folder },
    ...{ link: join(folder, 'printer'), host: '127.0.0.1', port: 4999 },
  }
})
afterEach(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true, force: true })
})

const job = tillJob(USUAL_JOBS.first, false)
const run = (command: string, changes: Partial<TillEnvironment> = {}): Promise<Run> =>
  commandTill(command)
    .open({ ...place, ...changes })
    .run(job)

/** Returns the processes that have this case's folder in their environment. */
const left = (): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`RIG_STATE=${folder}`)
    } catch {
      return false
    }
  })

describe('a till that is a command', () => {
  it('finds the job on its standard input and in a file', async () => {
    const { output } = await run('cat; cat "$RIG_JOB"; cat {job}')
    const lines = (output as string).split('\n').map((line) => JSON.parse(line) as unknown)
    expect(lines).toEqual([job, job, job])
    expect(job).toEqual({ ...USUAL_JOBS.first, again: false })
  })

  it('finds the line and the other facts of the case in its environment', async () => {
    const names = 'LINK TCP_HOST TCP_PORT FAMILY PROFILE BAUD PASSWORD STATE'.split(' ')
    const { output } = await run(`echo ${names.map((name) => `"$RIG_${name}"`).join(' ')}`)
    expect(output).toBe(`${place.link} 127.0.0.1 4999 B b5 9600 1 ${folder}`)
    expect((await run('echo {link} {host} {port} {state}')).output).toBe(`${place.link} 127.0.0.1 4999 ${folder}`)
  })

  it.each([
    ['exit 0', { claim: 'printed', exit: 0 }],
    ['exit 1', { claim: 'failed', exit: 1 }],
    ['exit 2', { claim: 'unknown', exit: 2 }],
    ['exit 3', { claim: 'crashed', exit: 3, message: 'exit status 3' }],
    ['no-such-till', { claim: 'crashed', exit: 127 }],
    ['kill -9 $$', { claim: 'crashed', message: 'ended by SIGKILL' }],
    [`echo '{"outcome": "printed", "receipt": "17"}'; exit 1`, { claim: 'printed', receipt: '17', exit: 1 }],
    [`echo '{"outcome": "failed", "message": "no paper"}'`, { claim: 'failed', message: 'no paper', exit: 0 }],
    [`echo '{"outcome": "unknown"}'; echo`, { claim: 'unknown', exit: 0 }],
    [`echo '{"outcome": "failed"}'; echo done`, { claim: 'printed', exit: 0 }],
    [`echo '{"outcome": "sold"}'; exit 2`, { claim: 'unknown', exit: 2 }],
    [`echo '{"outcome": "printed"}'; kill -9 $$`, { claim: 'printed' }],
  ])('makes its claim by exit status and output: %s', async (command, end) => {
    expect(await run(command)).toMatchObject(end)
  })

  it('is reported as hung if it has not ended in time, and is killed with its children', async () => {
    expect(await run('sleep 600 & sleep 600', { timeoutMs: 300 })).toMatchObject({ claim: 'hung' })
    await expect.poll(left).toEqual([])
  })

  it('is killed with every child that holds its output or has left its group', async () => {
    const since = performance.now()
    expect(await run('sleep 600 & setsid sleep 601 & exit 0')).toMatchObject({ claim: 'printed' })
    expect(performance.now() - since).toBeLessThan(20_000)
    await expect.poll(left).toEqual([])
  })

  it('reports nothing if it is killed in the middle', async () => {
    const till = commandTill('touch {state}/begun; sleep 600; echo sold').open(place)
    const running = till.run(job)
    await expect.poll(() => existsSync(join(folder, 'begun'))).toBe(true)
    till.kill?.()
    expect(await running).toMatchObject({ claim: 'crashed', message: 'killed by the exam' })
    await expect.poll(left).toEqual([])
  })

  it('may leave a long job unread, and only the last 4 KiB of its output are stored', async () => {
    const items = Array.from({ length: 3000 }, () => ({ ...job.items[0], name: 'x'.repeat(36) }))
    const { claim, output } = await commandTill('exec <&-; seq 1 20000')
      .open(place)
      .run({ ...job, items } as typeof job)
    expect({ claim, last: output?.slice(-5), length: output?.length }).toMatchObject({
      claim: 'printed',
      last: '20000',
    })
    expect(output?.length).toBeGreaterThan(4000)
    expect(output?.length).toBeLessThanOrEqual(4096)
  })

  it('may report a complete receipt in its last line', async () => {
    const script = `seq 1 400000; printf '{"outcome": "printed", "receipt": "%09000d"}\\n' 7; exit 1`
    const { claim, receipt, output } = await commandTill(script).open(place).run(job)
    expect({ claim, length: receipt?.length, kept: output?.length }).toEqual({
      claim: 'printed',
      length: 9000,
      kept: 4095,
    })
  })
})
