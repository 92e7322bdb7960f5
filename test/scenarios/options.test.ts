import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { type RunCommandOptions, run } from '../../bin/commands/run.ts'
import { show } from '../../bin/commands/show.ts'
import { Exit } from '../../bin/exit.ts'
import { lastFailedFile } from '../../bin/last-failed.ts'
import { loadScenarios } from '../../scenarios/runner/load.ts'
import type { Result } from '../../scenarios/runner/play-scenario.ts'
import { githubReporter, gitlabReporter } from '../../scenarios/runner/report/annotations.ts'
import { choosePlays, runPlays } from '../../scenarios/runner/run.ts'
import { emulatedTarget } from '../../scenarios/runner/target/emulated.ts'
import { start } from '../support/command.ts'
import { play, scenarioFile } from './play.ts'

const THREE = `
name: bread is sold
tags: [sales]
families: [A]
steps: [{ post /report-x: }]
---
name: milk is "sold", 100%
tags: [sales, "two words"]
families: [A]
steps:
  - post /report-x:
  - post /report-x:
    expect: { StatusCode: 400 }
---
name: a report
families: [A, B]
steps: [{ post /report-x: }]
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-run-'))
})

interface Ended {
  readonly status: number
  readonly out: string
  readonly err: string
}

/** `typed` contains lines that a person types before the input ends. */
async function ran(
  file: string,
  options: Partial<RunCommandOptions> = {},
  typed: readonly string[] = [],
): Promise<Ended> {
  let [out, err] = ['', '']
  const input = new PassThrough()
  input.end(typed.map((line) => `${line}\n`).join(''))
  const place = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
    now: new Date('2026-03-01T09:00:00Z'),
    input,
    lastFailed: join(folder, 'cache', 'last.json'),
  }
  try {
    await run([file], { target: 'emulator', seed: 0, tag: [], parallel: 1, ...options }, place)
    return { status: 0, out, err }
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    return { status: error.status, out, err: `${err}${error.message}` }
  }
}

const namesIn = (out: string): string[] =>
  out.split('\n').flatMap((line) => /^(?:passed|FAILED) (.+? \[.*?\].*?)(?: \(\d+ ms\))?$/.exec(line)?.[1] ?? [])

describe('the selection of scenarios', () => {
  it('can be listed with file, line and tags, and nothing is played', async () => {
    const file = scenarioFile(THREE)
    const { status, out } = await ran(file, { list: true })
    expect([status, out.split('\n')]).toEqual([
      0,
      [
        `${file}:2  bread is sold [A]  (sales)`,
        `${file}:7  milk is "sold", 100% [A]  (sales, two words)`,
        `${file}:15  a report [A]`,
        `${file}:15  a report [B]`,
        '',
      ],
    ])
    expect(await ran(file, { list: true, only: 'nothing' })).toMatchObject({ status: 2, out: '' })
  })

  it('can be a regular expression for names', async () => {
    expect(namesIn((await ran(scenarioFile(THREE), { grep: /^a .*\[b\]$/iu })).out)).toEqual(['a report [B]'])
  })

  it('can be the failures of the last run, as long as they fail', async () => {
    const file = scenarioFile(THREE)
    const nothing = await ran(file, { lastFailed: true })
    expect([nothing.status, nothing.err]).toEqual([
      1,
      expect.stringContaining('None of the selected scenarios is in the list of failed ones'),
    ])
    expect((await ran(file, { lastFailed: true, allowNone: true })).status).toBe(0)
    expect(namesIn((await ran(file)).out)).toHaveLength(4)
    const again = await ran(file, { lastFailed: true })
    expect([again.status, namesIn(again.out)]).toEqual([1, ['milk is "sold", 100% [A]']])
    expect((await ran(file, { only: 'bread' })).status).toBe(0)
    writeFileSync(file, THREE.replace('StatusCode: 400', 'StatusCode: 200'))
    expect(namesIn((await ran(file, { lastFailed: true })).out)).toEqual(['milk is "sold", 100% [A]'])
    expect((await ran(file, { lastFailed: true })).err).toContain(
      'None of the selected scenarios is in the list of failed ones',
    )
  })

  it('is stored for each working folder, in the cache folder', () => {
    const one = lastFailedFile('/home/me/one', { HOME: '/home/me' }, 'linux')
    expect(one).toMatch(/^\/home\/me\/\.cache\/fiscal-rig\/last-failed\/[0-9a-f]{16}\.json$/)
    expect(lastFailedFile('/home/me/two', { HOME: '/home/me' }, 'linux')).not.toBe(one)
    expect(lastFailedFile('/x', { XDG_CACHE_HOME: '/cache', HOME: '' }, 'linux')).toMatch(/^\/cache\/fiscal-rig\//)
    expect(lastFailedFile('/x', { LOCALAPPDATA: '/local' }, 'win32')).toContain('/local')
  })
})

const OPENING = {
  headers: { 'Content-Type': 'application/json' },
  body: '{"OperatorCode":1,"OperatorPassword":"0000","PointOfSaleNumber":1,"Invoice":false}',
}

describe('a repeated scenario', () => {
  it('runs with consecutive seeds (--repeat-each), and the report says how to repeat each run', async () => {
    const summary = await play([scenarioFile(THREE)], { only: 'milk', repeatEach: 3, seed: 5 })
    expect(summary.results.map(({ play: { name, id, seed } }) => [name, id, seed])).toEqual(
      [5, 6, 7].map((seed, turn) => [`milk is "sold", 100% [A] ${turn + 1} of 3`, 'milk is "sold", 100% [A]', seed]),
    )
  })

  it('may pass in a retry (--retries), which is reported; a scenario that fails every time has failed', async () => {
    const file = scenarioFile('name: unsteady\nfamilies: [A]\nsteps: [{ post /report-x: }]\n')
    const loaded = loadScenarios([file])
    const target = emulatedTarget('emulator', ['A'])
    let opened = 0
    // The device has an open receipt in the first two attempts.
    const unsteady = {
      ...target,
      open: async (setup: Parameters<typeof target.open>[0]) => {
        const rig = await target.open(setup)
        if (opened++ < 2)
          await rig.time.until(rig.call({ method: 'post', path: '/api/open-fiscal-receipt', ...OPENING }).answer)
        return rig
      },
    }
    const once = { families: ['A'], only: undefined, tags: [], shard: undefined, seed: 0 } as const
    const play = (retries: number) =>
      runPlays(choosePlays(loaded, once), {
        ...{ target: unsteady, retries, parallel: 1, bail: false, update: false },
        ...{ repeatOptions: () => [], ended: () => undefined, updated: () => undefined },
      })
    const unlucky = await play(1)
    expect([unlucky.failed, unlucky.flaky, unlucky.results[0]?.failedBefore]).toEqual([
      1,
      0,
      ['StatusCode: expected 200, it is 400'],
    ])
    opened = 0
    const lucky = await play(2)
    expect([lucky.passed, lucky.flaky, lucky.failed, opened]).toEqual([1, 1, 0, 3])
    expect(lucky.results[0]?.failedBefore).toHaveLength(2)
    const outputs: string[] = []
    githubReporter((text) => outputs.push(text)).finished(lucky)
    gitlabReporter((text) => outputs.push(text)).finished(lucky)
    expect(outputs[0]).toMatch(/^::warning file=.*%0Afailure 2: StatusCode: expected 200, it is 400\n$/)
    expect(JSON.parse(outputs[1] ?? '')).toMatchObject([{ severity: 'minor' }])
  })

  it('is in the output for people and for programs if it was retried', async () => {
    const file = scenarioFile(THREE)
    const report = join(folder, 'r.jsonl')
    const reporter = [{ name: 'pretty' }, { name: 'json', file: report }] as const
    const { status, out } = await ran(file, { only: 'milk', retries: 1, reporter })
    expect([status, out]).toEqual([1, expect.stringMatching(/failure 1: StatusCode: expected 400, it is 200/)])
    const [, result] = readFileSync(report, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Partial<Result>)
    expect(result).toMatchObject({ status: 'failed', failedBefore: ['StatusCode: expected 400, it is 200'] })
  })
})

describe('the reports of a run', () => {
  it('can be several, each in its file, with the progress on standard output', async () => {
    const file = scenarioFile(THREE)
    const reporter = (['junit', 'json', 'html', 'gitlab'] as const).map((name) => ({
      name,
      file: join(folder, 'deep', name),
    }))
    const { status, out, err } = await ran(file, { reporter: [{ name: 'pretty' }, ...reporter, { name: 'github' }] })
    expect([status, err, readdirSync(join(folder, 'deep')).sort()]).toEqual([
      1,
      '',
      ['gitlab', 'html', 'json', 'junit'],
    ])
    expect(out).toContain('3 passed, 1 failed')
    expect(out).toMatch(/^::error /m)
    expect(JSON.parse(readFileSync(join(folder, 'deep', 'json'), 'utf8').split('\n')[0] ?? '')).toMatchObject({
      event: 'begin',
      at: '2026-03-01T09:00:00.000Z',
    })
    const mixed = await ran(file, { reporter: [{ name: 'junit' }, { name: 'json' }], output: join(folder, 'last') })
    expect(mixed).toMatchObject({ status: 1, out: expect.stringMatching(/^<\?xml/) })
    const two = await ran(file, {
      reporter: [{ name: 'junit' }, { name: 'json' }, { name: 'json' }],
      output: join(folder, 'x'),
    })
    expect([two.status, two.out, two.err]).toEqual([
      2,
      '',
      expect.stringContaining('junit and json cannot share standard output'),
    ])
  })

  it('contain workflow commands with location and title, with escaped characters, for GitHub', async () => {
    const { out } = await ran(scenarioFile(THREE), { only: 'milk', reporter: [{ name: 'github' }] })
    const [, title, message] = /^::error file=[^,:]+\.yaml,line=12,title=(.*?)::(.*)\n$/.exec(out) ?? []
    expect(title).toBe('milk is "sold"%2C 100%25 [A]')
    expect(message?.split('%0A')).toEqual([
      'StatusCode: expected 400, it is 200',
      'HTTP status: expected 400, it is 200',
      expect.stringMatching(/^npx fiscal-rig run .* --only 'milk is "sold", 100%25 \[A\]'/),
    ])
  })

  it('contain a code quality report for GitLab', async () => {
    const { out } = await ran(scenarioFile(THREE), { reporter: [{ name: 'gitlab' }] })
    expect(JSON.parse(out)).toEqual([
      {
        description: 'milk is "sold", 100% [A]: StatusCode: expected 400, it is 200',
        check_name: 'fiscal-rig run',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: 'major',
        location: { path: expect.stringMatching(/scenario\.yaml$/), lines: { begin: 12 } },
      },
    ])
  })

  it('are compared with earlier reports', async () => {
    const file = scenarioFile(THREE)
    const earlier = join(folder, 'earlier.jsonl')
    await ran(file, { reporter: [{ name: 'json', file: earlier }] })
    const { out } = await ran(file, { history: [folder] })
    expect(out).toContain('         it failed in the one earlier run, too\n')
    const wrong = await ran(file, { history: [file] })
    expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining(`--history: ${file} is not a report`)])
    expect(await ran(file, { history: [join(folder, 'no')] })).toMatchObject({ status: 2, out: '' })
  })

  it('are stored in one file with --trace, which the command show opens', async () => {
    const trace = join(folder, 'trace.json')
    const report = join(folder, 'report.html')
    await ran(scenarioFile(THREE), { trace, reporter: [{ name: 'html', file: report }] })
    expect(readFileSync(report, 'utf8').match(/<ol class="steps"/g)).toHaveLength(1)
    const { accounts } = JSON.parse(readFileSync(trace, 'utf8')) as { accounts: { detail?: object }[] }
    expect(accounts.map(({ detail }) => detail !== undefined)).toEqual([true, true, true, true])
    const tracePage = join(folder, 'trace.html')
    await show(trace, { output: tracePage })
    const page = readFileSync(tracePage, 'utf8')
    expect(page.match(/<ol class="steps"/g)).toHaveLength(4)
    await expect(show(tracePage, { output: trace })).rejects.toThrow(`${tracePage} is not a trace`)
    await expect(show(join(folder, 'no'), {})).rejects.toThrow('cannot be read')
  })

  it('are shown by the command show to this machine only', async () => {
    const trace = join(folder, 'trace.json')
    await ran(scenarioFile(THREE), { trace })
    const command = start(['show', trace, '--json'])
    const { url } = (await command.ready()) as { url: string }
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('1 of 4 scenarios failed')])
    expect((await fetch(`${url}/other`)).status).toBe(404)
    expect((await fetch(url, { headers: { Origin: 'http://elsewhere.example' } })).status).toBe(403)
    command.child.kill('SIGTERM')
    expect((await command.ended).status).toBe(0)
  })
})

describe('the option --debug', () => {
  const TWO_STEPS = `
name: two
families: [A]
steps:
  - post /display-line-one: { Text: hello }
    note: a greeting
  - repeat: { times: 2, steps: [{ post /report-x: }] }
---
name: three
families: [A]
steps: [{ post /report-x: }]
`

  it('stops before each step, prints the address of the device, and continues with Enter', async () => {
    const file = scenarioFile(TWO_STEPS)
    const { status, err } = await ran(file, { debug: true }, ['', '', '', 'c', ''])
    expect(status).toBe(0)
    const stops = err.split('\n').flatMap((line) => /^\S+:(\d+ {2}.*?) > /.exec(line)?.[1] ?? [])
    expect(stops).toEqual([
      '5  post /display-line-one {"Text":"hello"} (a greeting)',
      '7  repeat {"times":2}',
      '7  post /report-x',
      '7  post /report-x',
      '11  post /report-x',
    ])
    const addresses = [...err.matchAll(/^the device: (http:\/\/127\.0\.0\.1:\d+)$/gm)].map(([, address]) => address)
    expect([addresses.length, new Set(addresses).size]).toEqual([2, 1])
    expect(err).toContain('    200 {"StatusCode":200')
  })

  it('continues to the end of the scenario, stops the run, and does not wait without a terminal', async () => {
    const file = scenarioFile(TWO_STEPS)
    const on = await ran(file, { debug: true }, ['c', ''])
    expect([on.status, on.err.match(/ > /g)?.length]).toEqual([0, 2])
    expect(await ran(file, { debug: true }, ['', '', 'q'])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/stopped by q at the prompt of --debug$/),
    })
    expect((await ran(file, { debug: true })).err).toContain('no answer at the terminal')
  })

  it('keeps the control panel open on the device while the run waits', async () => {
    const file = scenarioFile(TWO_STEPS)
    const input = new PassThrough()
    let printed = ''
    const printedAddress = Promise.withResolvers<string>()
    const place = {
      out: { write: () => true },
      err: {
        write: (text: string) => {
          printed += text
          const address = /^the device: (\S+)$/m.exec(printed)?.[1]
          if (address !== undefined && printed.includes('7  repeat')) printedAddress.resolve(address)
        },
      },
      now: new Date(0),
      input,
      lastFailed: join(folder, 'cache', 'last.json'),
    }
    const running = run([file], { target: 'emulator', seed: 0, tag: [], parallel: 1, debug: true, only: 'two' }, place)
    input.write('\n')
    const address = await printedAddress.promise
    const device = (await fetch(`${address}/emulator`).then((answer) => answer.json())) as { display: string[] }
    expect(device.display[0]?.trim()).toBe('hello')
    expect((await fetch(address)).headers.get('content-type')).toContain('text/html')
    input.end('c\n')
    await running
  })
})
