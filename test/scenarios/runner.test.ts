import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { comparable, lineDiff } from '../../scenarios/runner/golden.ts'
import { differences } from '../../scenarios/runner/match.ts'
import { htmlReporter } from '../../scenarios/runner/report/html.ts'
import { jsonReporter } from '../../scenarios/runner/report/json.ts'
import { junitReporter } from '../../scenarios/runner/report/junit.ts'
import { prettyReporter } from '../../scenarios/runner/report/pretty.ts'
import type { Reporter, RunFacts, Write } from '../../scenarios/runner/report/report.ts'
import type { Summary } from '../../scenarios/runner/run.ts'
import { fill } from '../../scenarios/runner/scenario-names.ts'
import { persistentTarget } from '../../scenarios/runner/target/persistent.ts'
import { milliseconds } from '../../scenarios/runner/time.ts'
import { FREE_PORTS, start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { withWords } from '../support/verdict-rows.ts'
import { failures, play, scenarioFile } from './play.ts'

const BY_HAND = 'use --by-hand to be prompted at the terminal'

const TWO = `
name: first
tags: [quick]
examples: [{ n: 1 }, { n: 2, families: [A] }]
steps: [{ post /display-line-one: { Text: "line $n" } }]
---
name: second <& "quoted"
families: [B]
steps: [{ post /close-fiscal-receipt: }]
`

describe('the selection of scenarios', () => {
  const names = (summary: Summary) => summary.results.map(({ play }) => play.name)

  it('includes every scenario for every family and row', async () => {
    expect(names(await play([scenarioFile(TWO)]))).toEqual([
      'first [A, 1]',
      'first [B, 1]',
      'first [C, 1]',
      'first [A, 2]',
      'second <& "quoted" [B]',
    ])
  })

  it('can be chosen by family, name, tag and part', async () => {
    const file = scenarioFile(TWO)
    expect(names(await play([file], { families: ['C'] }))).toEqual(['first [C, 1]'])
    expect(names(await play([file], { only: 'SECOND' }))).toEqual(['second <& "quoted" [B]'])
    expect(names(await play([file], { tags: ['quick'], families: ['A'] }))).toEqual(['first [A, 1]', 'first [A, 2]'])
    const parts = await Promise.all([1, 2].map((index) => play([file], { shard: { index, of: 2 } })))
    expect(parts.map(names)).toEqual([
      ['first [A, 1]', 'first [C, 1]', 'second <& "quoted" [B]'],
      ['first [B, 1]', 'first [A, 2]'],
    ])
  })

  it('stops at the first failure on request', async () => {
    const summary = await play([scenarioFile(`${TWO.replace('second', 'a')}`), scenarioFile(TWO)], { bail: true })
    expect([summary.failed, summary.passed, summary.leftOut]).toEqual([1, 4, 5])
  })

  it('has the same result when several scenarios run at a time', async () => {
    const summary = await play(
      ['scenarios/adjustments', 'scenarios/trouble'].flatMap((folder) => [`${folder}/${folder.split('/')[1]}.yaml`]),
      { parallel: 8, families: ['C'] },
    )
    expect(failures(summary)).toEqual([])
  })

  it.each(['fleet:till-3', 'http://127.0.0.1:1'])(
    'ends with exit status 3 for a control panel that does not run: --target %s',
    async (target) => {
      const file = scenarioFile('name: a report\nsteps: [{ post /report-x: }]\n')
      const { status, err } = await runToEnd(['run', file, '--target', target, '--panel', 'http://127.0.0.1:9'])
      expect(err).toBe(
        'The control panel http://127.0.0.1:9 cannot be reached: no program listens there (ECONNREFUSED). Start it, or name another with --panel URL.\n',
      )
      expect(status).toBe(3)
    },
  )

  it.each(['/dev/no-such-port', 'http://127.0.0.1:1'])(
    'ends with exit status 3 for a missing target, %s, before a scenario is played',
    async (target) => {
      const file = scenarioFile('name: midnight\nsteps: [{ clock: { advance: 24h } }]\n')
      const { status, err } = await runToEnd(['run', file, '--target', target, '--family', 'A'])
      expect(err).toContain(`${target} cannot be reached`)
      expect(status).toBe(3)
    },
  )

  it('is reported as not run if the target lacks a control', async () => {
    const target = persistentTarget({ name: '/dev/no-such-port', families: ['A'] })
    const file = scenarioFile('name: midnight\nsteps: [{ clock: { advance: 24h } }]\n')
    const { results } = await play([file], { target, families: ['A'] })
    expect(results.map(({ status, reason }) => [status, reason])).toEqual([
      ['notRun', `clock (this step needs a person to set the device's clock 24 h ahead; ${BY_HAND})`],
    ])
  })

  it.each([
    ['steps: [{ paper: out }]', 'hands (this step needs a person to take the paper out'],
    [
      'steps: [{ repeat: { times: 2, steps: [{ cover: open }] } }]',
      'hands (this step needs a person to open the cover',
    ],
    ['steps: [{ power: "off" }]', 'hands (this step needs a person to switch the device off'],
    ['steps: [{ display: out }]', "displayCable (this step needs a person to pull the display's plug"],
    [
      'steps: [{ clock: { advance: PT1H30M5S } }]',
      "clock (this step needs a person to set the device's clock 1 h 30 min 5 s ahead",
    ],
    [
      'steps: [{ clock: { set: $at } }]\nexamples: [{ at: "2026-07-14T12:30:00" }]',
      "clock (this step needs a person to set the device's clock to 2026-07-14T12:30:00",
    ],
    [
      'given: { paper: low }\nsteps: [{ post /report-x: }]',
      'hands (this step needs a person to put in a roll that is near its end',
    ],
    [
      'given: { articles: [{ plu: 12, name: Tea, taxCode: 2, price: 1.50 }] }\nsteps: [{ post /report-x: }]',
      'articles (this step needs a person to program article 12 "Tea", tax group 2, price 1.50',
    ],
  ])('names the manual action that a device without a control API needs: %s', async (lines, reason) => {
    const target = persistentTarget({ name: '/dev/no-such-port', families: ['A'] })
    const { results } = await play([scenarioFile(`name: a hand\n${lines}\n`)], { target, families: ['A'] })
    expect(results.map((result) => result.reason)).toEqual([`${reason}; ${BY_HAND})`])
  })
})

it('the check saleLines counts the lines of sales in the journal, without voids, discounts and sums', async () => {
  const file = scenarioFile(`
name: what was sold
needs: [linkFaults]
steps:
  - post /print-fiscal-receipt:
      ReceiptItems:
        - { Type: 1, PluSale: { PluNumber: 1, DiscountType: 2, DiscountValue: 10 } }
        - { Type: 1, PluSale: { PluNumber: 2, DiscountType: 1, DiscountValue: 10 } }
        - { Type: 1, PluSale: { PluNumber: 2, Void: true } }
check: { journal: { saleLines: 2 } }
`)
  const summary = await play([file])
  expect(failures(summary)).toEqual([])
  expect(summary.passed).toBe(3)
})

describe('the values of a scenario', () => {
  const scope = new Map<string, unknown>([['n', 7], ['status', { Total: 1.5 }]]) // biome-ignore format: a list

  it.each([
    ['$n', 7],
    ['number $n of 9', 'number 7 of 9'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: `${n}` is the syntax of scenarios.
    ['${n}th', '7th'],
    ['$status.Total', 1.5],
    ['$$n costs', '$n costs'],
    [{ a: ['$n'] }, { a: [7] }],
  ])('are filled into %j, which becomes %j', (value, wanted) => expect(fill(value, scope)).toEqual(wanted))

  it('are named if they are missing', () => {
    expect(() => fill('$status.Paid', scope)).toThrow('there is no value named status.Paid')
  })

  it.each([
    ['500ms', 500],
    ['24h', 86_400_000],
    ['PT1H30M', 5_400_000],
    ['P1DT1S', 86_401_000],
  ])('may be a duration: %s is %i ms', (text, ms) => expect(milliseconds(text)).toBe(ms))
})

describe('an expectation', () => {
  it.each(
    withWords(
      ([, , found]) => (found.length === 0 ? 'is met' : 'is not met'),
      [
        [{ a: 1 }, { a: 1, b: 2 }, []],
        [{ a: 1 }, { a: '1' }, ['a: expected 1, it is "1"']],
        [{ a: { matches: '^\\d+$' } }, { a: '12' }, []],
        [{ a: { contains: 'x' } }, { a: 'y' }, ['a: expected a text that contains "x", it is "y"']],
        [{ a: { oneOf: [1, 2] } }, { a: 2 }, []],
        [{ a: { not: 2 } }, { a: 2 }, ['a: expected anything but 2']],
        [{ a: { present: false } }, {}, []],
        [{ a: { length: 2 } }, { a: [1] }, ['a: expected the length 2, it is 1']],
        [{ a: [1, 2] }, { a: [1, 3] }, ['a[1]: expected 2, it is 3']],
      ],
    ),
  )('%s: %j for the value %j', (_result, expected, actual, wanted) =>
    expect(differences(expected, actual, '')).toEqual(wanted),
  )

  it('of an amount is exact: 1.1 equals 1.10 but not 1.11', () => {
    expect(differences(1.1, '1.10', 'total', { amounts: true })).toEqual([])
    expect(differences(1.1, '1.11', 'total', { amounts: true })).toEqual(['total: expected 1.10, it is 1.11'])
  })
})

describe('golden paper', () => {
  it('ignores dates and times, also inside a QR code that spans two lines', () => {
    expect(comparable(['2026-07-15 09:00:00  ', '|| 36000001*2026-07-1 ||', '|| 5*09:00:00*1.20   ||'])).toEqual([
      '____-__-__ __:__:__',
      '|| 36000001*____-__-_ ||',
      '|| _*__:__:__*1.20   ||',
    ])
  })

  it('is compared line by line', () => {
    expect(lineDiff(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toEqual(['  a', '- b', '+ x', '  c', '+ d'])
  })

  it('is written by --update, and then compared', async () => {
    const file = scenarioFile('name: x\nfamilies: [A]\nsteps: [{ post /report-x: }]\ncheck: { paper: x.txt }\n')
    expect(failures(await play([file], { update: true }))).toEqual([])
    const golden = join(dirname(file), 'paper', 'a', 'x.txt')
    expect(readFileSync(golden, 'utf8')).toContain('REPORT X')
    expect(failures(await play([file]))).toEqual([])
    writeFileSync(golden, readFileSync(golden, 'utf8').replace('REPORT X', 'REPORT Y'))
    expect(failures(await play([file]))).toHaveLength(1)
  })
})

describe('the report of a run', async () => {
  const files = [scenarioFile(TWO), 'test/scenarios/failing/failing.yaml']
  const target = persistentTarget({ name: '/dev/no-such-port', families: ['A'] })
  const summary = await play(files)
  const skipped = await play([scenarioFile('name: midnight\nsteps: [{ clock: { advance: 24h } }]\n')], {
    target,
    families: ['A'],
  })
  const whole: Summary = { ...summary, notRun: 1, results: [...summary.results, ...skipped.results] }
  const facts: RunFacts = { target: 'emulator', seed: 0, plays: whole.results.length, command: 'npx fiscal-rig run x' }

  const text = (make: (write: Write) => Reporter): string => {
    const parts: string[] = []
    const reporter = make((part) => parts.push(part))
    for (const result of whole.results) reporter.ended(result)
    reporter.finished(whole)
    return parts.join('')
  }

  it('for build servers conforms to the schema of JUnit', async () => {
    const xml = text((write) => junitReporter(write, facts))
    const schema = readFileSync('fixtures/junit.xsd', 'utf8')
    const judge = (contents: string) =>
      validateXML({ xml: { fileName: 'report.xml', contents }, schema: { fileName: 'junit.xsd', contents: schema } })
    const { valid, errors } = await judge(xml)
    expect([valid, errors.map(({ message }) => message)]).toEqual([true, []])
    expect(xml).toContain(
      `<skipped message="clock (this step needs a person to set the device's clock 24 h ahead; ${BY_HAND})"/>`,
    )
    expect(xml).toContain(
      `<testsuites name="fiscal-rig" tests="${whole.results.length}" failures="${whole.failed}" errors="0" skipped="1"`,
    )
    // The validator must reject what the schema does not define.
    expect((await judge(xml.replace(' failures="0"', '').replaceAll('classname=', 'class='))).valid).toBe(false)
  })

  it('for programs is one JSON object per line', () => {
    const lines = text((write) => jsonReporter(write, facts, new Date(0)))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ event }) => event)).toEqual(['begin', ...whole.results.map(() => 'scenario'), 'end'])
    expect(lines.at(-1)).toMatchObject({ passed: whole.passed, failed: whole.failed, notRun: 1 })
  })

  it('as a page contains everything that it needs, escapes its texts, and shows receipts', () => {
    const html = text((write) => htmlReporter(write, facts, new Date(0)))
    expect(html).not.toMatch(/<(?:link|iframe)\b|\bsrc="(?!data:image\/svg\+xml,)|https?:\/\/(?!127\.0\.0\.1)/)
    expect(html).toContain('second &lt;&amp; &quot;quoted&quot; [B]')
    expect(html).toMatch(/<pre[^>]*>\s+CORNER SHOP/)
    expect(html).toContain('color-scheme: light dark')
    // The policy allows only the scripts and styles of the page.
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1] ?? ''
    const hash = (tag: string) => {
      const [, inside = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html) ?? []
      return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`
    }
    expect(policy).toBe(
      `default-src 'none'; img-src data:; style-src ${hash('style')}; script-src ${hash('script')}; base-uri 'none'; form-action 'none'`,
    )
    expect(html).not.toMatch(/ (?:style|on\w+)=/)
  })

  it('for people has plain lines in a pipe, with the total in the last line', () => {
    const lines = text((write) => prettyReporter(write, facts, false))
      .trimEnd()
      .split('\n')
    expect(lines.join('')).not.toContain('\u001b')
    expect(lines).toContain('FAILED second <& "quoted" [B]')
    const failed = lines.lastIndexOf('failed second <& "quoted" [B]')
    expect(failed).toBeGreaterThan(lines.lastIndexOf('FAILED second <& "quoted" [B]'))
    expect(lines[failed + 1]).toMatch(/^ {7}\S+\.yaml:\d+: StatusCode: expected 200, it is 400$/)
    expect(lines.at(-1)).toMatch(/^4 passed, 30 failed, 1 not run \(\d+\.\d s\)$/)
  })
})

describe('fiscal-rig run', () => {
  const run = (...args: string[]) => runToEnd(['run', ...args])

  it('exits with 0 if all passed, 1 if a scenario failed, 2 for a wrong file or option, 3 without a target', async () => {
    const good = scenarioFile('name: good\nsteps: [{ post /report-x: }]\n')
    const ends = await Promise.all([
      run(good),
      run('test/scenarios/failing/failing.yaml'),
      run('test/scenarios/wrong/many.yaml'),
      run(good, '--target', 'emulater'),
      run(good, '--only', 'nothing'),
      run('no-such-file.yaml'),
      run(good, '--target', 'http://127.0.0.1:9', '--family', 'A'),
    ])
    expect(ends.map(({ status }) => status)).toEqual([0, 1, 2, 2, 2, 2, 3])
    expect(ends[0]?.out).toMatch(/^3 passed \(\d+\.\d s\)$/m)
    expect(ends[2]?.err).toContain('many.yaml:4:12: expected open, closed')
    expect(ends[3]?.err).toContain('nearest: emulator')
    expect(ends[6]?.err).toContain('http://127.0.0.1:9 cannot be reached')
  })

  it('shows in the terminal the request and the paper of a failed check, as the first hour of QA promises', async () => {
    const sale = '{ ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }'
    const broken = scenarioFile(`name: broken
families: [A]
steps: [{ post /print-fiscal-receipt: ${sale}}]
check: { receipts: 2 }
`)
    const { status, out } = await run(broken)
    const lines = out.split('\n').map((line) => line.trim())
    const linesBelow = (title: string): readonly string[] => lines.slice(lines.indexOf(title) + 1)
    expect([status, linesBelow('wrong')[0]]).toEqual([1, 'receipts: fiscal receipts printed: expected 2, it is 1'])
    expect(linesBelow('asked last')[0]).toBe(
      'POST /api/print-fiscal-receipt {"ReceiptItems":[{"Type":1,"PluSale":{"PluNumber":1}}]}',
    )
    expect(linesBelow('answered')[0]).toBe('200 {"StatusCode":200,"Data":"1"}')
    const paper = linesBelow('printed last').slice(0, linesBelow('printed last').indexOf('device'))
    expect(paper).toEqual(expect.arrayContaining([expect.stringMatching(/^\| Bread .*1\.20/)]))
  })

  it('writes a report to a file and shows the progress during the run', async () => {
    const output = join(dirname(scenarioFile('')), 'deep', 'report.html')
    const { status, err } = await run('scenarios/display', '--reporter', 'html', '--output', output)
    expect([status, existsSync(output)]).toEqual([0, true])
    expect(err).toMatch(/\d+ passed/)
  })
})

describe('the command serve --record', () => {
  it('writes a scenario of a session that passes in a replay, paper included', async () => {
    const folder = dirname(scenarioFile(''))
    const file = join(folder, 'session.yaml')
    mkdirSync(join(folder, 'data'))
    const record = (name: string) =>
      start(['serve', '--json', '--family', 'C', '--data', join(folder, 'data'), ...FREE_PORTS, '--record', name])
    const service = record(file)
    const { http } = (await service.ready()) as { http: string }
    const send = (
      path: string,
      body?: string,
      headers: Record<string, string> = { 'Content-Type': 'application/json' },
    ) =>
      fetch(`${http}${path}`, body === undefined ? {} : { method: 'POST', headers, body }).then((answer) =>
        answer.text(),
      )
    await send('/print-fiscal-receipt', '{"ReceiptItems": [{"Type": 1, "PluSale": {"PluNumber": 1}}]}')
    await send('/print-fiscal-receipt', '{"ReceiptItems": [{"Type": 1, "PluSale": {"PluNumber": 8}}]}', {
      'Content-Type': 'application/json',
      'Idempotency-Key': 'costs $5',
    })
    await send('/payment', '{"PaymentMode": 0, "Amount": 1.005}')
    await send('/payment', 'not json')
    await send('/payment', 'PaymentMode=0', { 'Content-Type': 'text/plain' })
    await send('/report-z', '{}')
    await send('/ask-for-z-report-structured-information/1')
    await send('/get-local-api-address')
    await send('/no-such-endpoint')
    await send('/Receipt', '["X^"]')
    service.child.kill('SIGTERM')
    expect((await service.ended).status).toBe(0)
    const first = await play([file], { families: ['C'] })
    expect([failures(first), first.passed]).toEqual([[], 1])
    expect(readFileSync(join(folder, 'paper', 'c', 'session.txt'), 'utf8')).toContain('Z REPORT 0001')

    // A second recording continues on the same device, whose state is stored next to the file.
    const again = join(folder, 'again.yaml')
    const second = record(again)
    const ready = (await second.ready()) as { http: string }
    await fetch(`${ready.http}/report-z`, { method: 'POST' }).then((answer) => answer.text())
    second.child.kill('SIGTERM')
    await second.ended
    expect(existsSync(join(folder, 'again.snapshot.json'))).toBe(true)
    const replayed = await play([again], { families: ['C'] })
    expect([failures(replayed), replayed.passed]).toEqual([[], 1])
    expect((await record(file).ended).status).toBe(2)
  })

  it('writes manual actions, clock and faults in their order, and a valid scenario before the first request', async () => {
    const file = join(dirname(scenarioFile('')), 'hands.yaml')
    const service = start(['serve', '--json', '--family', 'A', '--data', 'memory', ...FREE_PORTS, '--record', file])
    const ready = (await service.ready()) as { http: string; panel: string }
    const empty = await play([file], { families: ['A'] })
    expect([failures(empty), empty.passed]).toEqual([[], 1])
    const send = (address: string, body: object) =>
      fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.text())
    const sale = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
    const hand = (name: string, body: object) => send(`${ready.panel}/emulator/${name}`, body)
    await hand('paper', { state: 'out' })
    expect(await send(`${ready.http}/print-fiscal-receipt`, sale)).toContain('424')
    await hand('paper', { state: 'ok' })
    await hand('faults', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' })
    expect(await send(`${ready.http}/print-fiscal-receipt`, sale)).toContain('200')
    await hand('articles', [{ plu: 77, name: 'Tea', taxCode: 2, price: '2.00', department: 0 }])
    await hand('clock', { advance: 'PT26H' })
    expect(await send(`${ready.http}/print-fiscal-receipt`, sale)).toContain('400')
    await send(`${ready.http}/report-z`, {})
    await hand('cover', { open: true })
    await hand('cover', { open: false })
    service.child.kill('SIGTERM')
    await service.ended
    const steps = [...readFileSync(file, 'utf8').matchAll(/^ {2}(?:- ([\w ]+)|#).*$/gm)].map(([, verb = '#']) => verb)
    expect(steps).toEqual([
      'wait',
      'paper',
      'post ',
      'paper',
      'fault',
      'post ',
      'articles',
      'clock',
      'post ',
      'post ',
      'cover',
      'cover',
    ])
    const replayed = await play([file], { families: ['A'] })
    expect([failures(replayed), replayed.passed]).toEqual([[], 1])
  })

  it('names the files that it writes, at the beginning and at the end', async () => {
    const folder = dirname(scenarioFile(''))
    const [file, paper] = ['told.yaml', join('paper', 'a', 'told.txt')]
    const args = ['serve', '--family', 'A', '--data', 'memory', ...FREE_PORTS, '--record', file]
    const service = start(args, { cwd: folder })
    await expect.poll(() => service.said()).toContain('End with Ctrl+C.')
    expect(service.said()).toContain(`\n  Record  ${file}, the paper in ${paper}\n`)
    service.child.kill('SIGTERM')
    const { status, out } = await service.ended
    expect([status, out.split('End with Ctrl+C.\n')[1]]).toEqual([
      0,
      `Recorded: ${file}, the paper in ${paper}.\nPlay it: npx fiscal-rig run ${file}\n`,
    ])
    expect([existsSync(join(folder, file)), existsSync(join(folder, paper))]).toEqual([true, true])
  })
})
