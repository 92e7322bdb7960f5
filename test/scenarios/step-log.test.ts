import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { differenceOf, withoutEqualLines } from '../../scenarios/runner/report/difference.ts'
import { earlierOf, readEarlierRun } from '../../scenarios/runner/report/earlier-runs.ts'
import { reportPage } from '../../scenarios/runner/report/html.ts'
import { jsonReporter } from '../../scenarios/runner/report/json.ts'
import { failureLines } from '../../scenarios/runner/report/report.ts'
import { reportDataOf } from '../../scenarios/runner/report/report-data.ts'
import { readTrace, traceReporter } from '../../scenarios/runner/report/trace.ts'
import type { Summary } from '../../scenarios/runner/run.ts'
import { axeFindings, openBrowser, openPage } from '../page/browser.ts'
import { listenPanel } from '../support/panel.ts'
import { play, scenarioFile } from './play.ts'

const STORY = `
name: a sale with a discount
purpose: The customer pays what stands on the paper.
tags: [till, money]
families: [A]
steps:
  - post /display-line-one: { Text: other }
    families: [B]
  - post /open-fiscal-receipt: $opening
  - repeat:
      times: 2
      as: n
      steps:
        - post /register-plu-sale: { PluNumber: $n }
  - wait: 90s
  - post /subtotal: { Print: true, Display: false }
    note: ten percent less
    expect: { Data: { contains: "9.99" } }
  - post /payment: { PaymentMode: 0, Amount: 10 }
  - post /close-fiscal-receipt:
---
name: a report with <b>another</b> paper
tags: [report]
families: [A]
steps: [{ post /report-x: }]
check: { paper: x.txt, counters: { lastZ: 7 } }
---
name: what passes
tags: [till]
families: [A]
steps: [{ post /report-x: }]
`

const FACTS = { target: 'emulator', seed: 0, plays: 3, command: 'npx fiscal-rig run x' }

let file: string
let summary: Summary
beforeAll(async () => {
  file = scenarioFile(STORY)
  await play([file], { update: true })
  summary = await play([file])
})

const failedOne = (name: string) => {
  const result = summary.results.find(({ play }) => play.loaded.scenario.name === name)
  if (!result) throw new Error(`there is no ${name}`)
  return result
}

describe('the step log of a scenario', () => {
  it('has each step with its location, time and result, nested steps, and steps that were not reached', async () => {
    const { story } = failedOne('a sale with a discount')
    expect(story.map(({ line, depth, title, status }) => [status, line, depth, title])).toEqual([
      ['otherFamily', 7, 0, 'post /display-line-one {"Text":"other"}'],
      ['passed', 9, 0, expect.stringMatching(/^post \/open-fiscal-receipt \{"OperatorCode":1,/)],
      ['passed', 10, 0, 'repeat {"times":2,"as":"n"}'],
      ['passed', 14, 1, 'post /register-plu-sale {"PluNumber":1}'],
      ['passed', 14, 1, 'post /register-plu-sale {"PluNumber":2}'],
      ['passed', 15, 0, 'wait 90s'],
      ['failed', 16, 0, 'post /subtotal {"Print":true,"Display":false}'],
      ['notReached', 19, 0, 'post /payment {"PaymentMode":0,"Amount":10}'],
      ['notReached', 20, 0, 'post /close-fiscal-receipt'],
    ])
    const [wait, subtotal] = story.slice(5)
    expect(wait?.tookMs).toBe(90_000)
    expect(subtotal?.atMs).toBe((wait?.atMs ?? 0) + 90_000)
    expect(subtotal).toMatchObject({ note: 'ten percent less', asked: expect.stringContaining('POST /api/subtotal') })
    expect(subtotal?.answered).toMatch(/^200 \{/)
    const waits = scenarioFile('name: x\nfamilies: [A]\nsteps: [{ wait: 5s }]\ncheck: { counters: { lastZ: 0 } }\n')
    expect((await play([waits])).results[0]?.story.at(-1)).toMatchObject({ title: 'check', atMs: 5000 })
  })

  it('has the frames of each step and the paper, also of a receipt that is still open', () => {
    const { story, detail, paper } = failedOne('a sale with a discount')
    const subtotal = story.find(({ status }) => status === 'failed')
    const [before = 0, after = 0] = subtotal?.heard ?? []
    const frames = detail?.wire.filter(({ id }) => id > before && id <= after) ?? []
    expect(frames.map(({ command }) => command)).toContain('subtotal')
    expect(frames.map(({ command }) => command)).not.toContain('openFiscal')
    expect(paper).toEqual([])
    expect(detail?.open).toMatch(/^<svg [^>]+>.*SUBTOTAL/s)
    const report = failedOne('a report with <b>another</b> paper')
    expect(report.story.at(-1)).toMatchObject({ title: 'check', status: 'failed' })
    expect(report.story[0]?.printed).toEqual([0, 1])
    expect(report.detail?.pictures[1]).toContain('<svg')
    expect(failedOne('what passes').detail).toBeUndefined()
  })

  it('ends at a step of "given" that fails', async () => {
    const wrong = scenarioFile(
      'name: x\nfamilies: [A]\ngiven: { receipts: [{}] }\nsteps: [{ post /report-x: }, { wait: 1s }]\n',
    )
    const [result] = (await play([wrong])).results
    expect(result?.story.map(({ title, status }) => [title, status])).toEqual([
      ['given', 'failed'],
      ['post /report-x', 'notReached'],
      ['wait 1s', 'notReached'],
    ])
  })

  it('is short when it is printed in the terminal', () => {
    const lines = failureLines(failedOne('a sale with a discount'), true)
    const from = lines.indexOf('steps')
    expect(lines.slice(from, from + 7)).toEqual([
      'steps',
      '  passed       2 more before',
      '  passed   14    post /register-plu-sale {"PluNumber":1} -> 200',
      '  passed   14    post /register-plu-sale {"PluNumber":2} -> 200',
      '  passed   15  wait 90s',
      '  FAILED   16  post /subtotal {"Print":true,"Display":false} -> 200',
      '  not reached: 2',
    ])
  })
})

describe('the displayed difference of two papers', () => {
  const lines = ['  HEAD', '  a', '  b', '- TOTAL   1.20 A', '+ TOTAL   1.50 A', '  c', '  d', '  e', '  f']

  it('shows which line became which', () => {
    const marked = differenceOf(lines).flatMap(({ kind, parts }) =>
      kind === 'same' ? [] : [parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')],
    )
    expect(marked).toEqual(['TOTAL   [1.20] A', 'TOTAL   [1.50] A'])
    const others = differenceOf(['- one', '- two', '+ 7', '  same', '+ more'])
    expect(others.map(({ kind }) => kind)).toEqual(['gone', 'gone', 'new', 'same', 'new'])
    expect(others.flatMap(({ parts }) => parts).some(({ isChanged }) => isChanged)).toBe(false)
  })

  it('is short for equal papers', () => {
    expect(withoutEqualLines(lines)).toEqual(['  ... 1 line alike', ...lines.slice(1, 7), '  ... 2 lines alike'])
  })
})

describe('the results of earlier runs', () => {
  const report = (at: string, status: string, more = '') =>
    readEarlierRun('r.json', [
      `{"event":"begin","at":"${at}T09:00:00.000Z"}`,
      `{"event":"scenario","file":"./a.yaml","name":"x [A]","status":"${status}"${more}}`,
      '',
    ])
  const earlier = (...statuses: readonly string[]) =>
    earlierOf(
      'a.yaml',
      'x [A]',
      statuses.map((status, day) => report(`2026-03-0${day + 1}`, status)),
    )?.sentence

  it.each([
    [['passed', 'passed'], 'new: it passed in all 2 earlier runs'],
    [['failed'], 'it failed in the one earlier run, too'],
    [['passed', 'failed', 'failed'], 'it has failed since 2026-03-02 09:00, and passed in the run before that'],
    [['failed', 'passed'], 'it passed last time, and failed in 1 of 2 earlier runs'],
    [['notRun'], 'it did not run in an earlier run'],
  ])('have a sentence: %j', (statuses, sentence) => expect(earlier(...statuses)).toBe(sentence))

  it('include scenarios that passed only in a retry, and missing scenarios', () => {
    const runs = [report('2026-03-01', 'passed', ',"failedBefore":["x"]')]
    expect(earlierOf('a.yaml', 'x [A]', runs)?.sentence).toMatch(/, 1 of them only in a later attempt$/)
    expect(earlierOf('a.yaml', 'y [A]', runs)?.runs).toEqual([{ title: '2026-03-01 09:00', status: null }])
  })

  it.each(['', 'no JSON', '{"event":"begin"}', '[1]', '{"event":"scenario","status":"green"}'])(
    'cannot be read from a file that is no report: %s',
    (text) =>
      expect(() => readEarlierRun('r.json', text.split('\n'))).toThrow(/^r\.json is not a report of earlier scenarios/),
  )

  it('are read from the output of the reporter for programs', () => {
    const parts: string[] = []
    const reporter = jsonReporter((part) => parts.push(part), FACTS, new Date('2026-03-01T09:00:00Z'))
    for (const result of summary.results) reporter.ended(result)
    const run = readEarlierRun('r.json', parts.join('').split('\n'))
    expect([run.at, [...run.statuses.values()]]).toEqual(['2026-03-01T09:00:00.000Z', ['failed', 'failed', 'passed']])
  })
})

const FAULTS = `
name: an answer that is lost
families: [A]
steps:
  - post /open-fiscal-receipt: $opening
  - post /register-plu-sale: { PluNumber: 1 }
  - fault: { at: link.toHost, on: payment, times: 1, do: drop }
  - post /payment: { PaymentMode: 0, Amount: 0.2 }
  - fault: { at: link.toDevice, on: payment, times: 1, do: drop }
  - fault: { at: command.after, on: payment, times: 1, do: { busyMs: 200 } }
  - post /payment: { PaymentMode: 0, Amount: 10 }
    expect: { StatusCode: 400 }
`

describe('injected faults', () => {
  it('are listed at their frames in the wire of a failure, and in its count', async () => {
    const { results } = await play([scenarioFile(FAULTS)])
    const [result] = results
    const trace = result?.failure?.trace ?? []
    const at = (text: string) => trace.findIndex((line) => line.startsWith(text))
    expect(trace[0]).toBe('! rule 1, payment: lost on the way to the host (earlier)')
    const unread = at('! rule 2, payment: lost on the way to the device')
    const busy = at('! rule 3, payment: busy for 200 ms after the command was executed')
    expect(trace[unread + 1]).toMatch(/^> payment/)
    expect(busy).toBeGreaterThan(unread)
    expect(trace[busy - 1]).toMatch(/^> payment/)
    expect(result && failureLines(result, true).at(-1)).toMatch(/^on the wire: \d+ frames and 3 faults, which --wire/)
  })

  it('are marked at their step, at their frame and on the timeline of a saved trace', async () => {
    const whole = await play([scenarioFile(FAULTS)], { everything: true })
    const parts: string[] = []
    traceReporter((part) => parts.push(part), FACTS, new Date(0)).finished(whole)
    const trace = readTrace('trace.json', parts.join(''))
    const { text } = reportPage({ ...trace, at: new Date(trace.at) })
    expect(text).toContain('<path class="lane-faults" d="M3.5 42v6M6.5 42v6">')
    expect(text).toContain('<b class="injected">! rule 1, payment: lost on the way to the host</b>')
    expect(text).toMatch(/<details class="wire"><summary>\d+ frames and 1 fault on the wire/)
    expect(text).toMatch(/&lt; payment[^\n]*\n<b class="injected">! rule 1, payment: lost on the way to the host/)
  })

  it('of a trace without them, written by an older version, are none', async () => {
    const whole = await play([scenarioFile(FAULTS)], { everything: true })
    const parts: string[] = []
    traceReporter((part) => parts.push(part), FACTS, new Date(0)).finished(whole)
    const stored = JSON.parse(parts.join(''))
    delete stored.accounts[0].detail.faults
    for (const step of stored.accounts[0].story) delete step.injected
    const trace = readTrace('trace.json', JSON.stringify(stored))
    expect(reportPage({ ...trace, at: new Date(trace.at) }).text).toContain('frames on the wire')
  })
})

describe('a trace', () => {
  it('stores everything of a run, and yields the same page again', async () => {
    const whole = await play([file], { everything: true })
    const parts: string[] = []
    traceReporter((part) => parts.push(part), FACTS, new Date(0)).finished(whole)
    const trace = readTrace('trace.json', parts.join(''))
    const { results, ...counts } = whole
    const accounts = results.map(reportDataOf)
    expect(reportPage({ ...trace, at: new Date(trace.at) })).toEqual(
      reportPage({ accounts, counts, facts: FACTS, at: new Date(0) }),
    )
    const passed = trace.accounts.find(({ status }) => status === 'passed')
    expect(passed?.detail?.wire.length).toBeGreaterThan(0)
    expect(passed?.detail?.pictures).toHaveProperty('1')
  })

  it.each(['', '{}', 'null', '{"form": "fiscal-rig trace", "version": 2}'])(
    'cannot be read from a file that is not a trace: %s',
    (text) => {
      expect(() => readTrace('x', text)).toThrow(/^x is (?:not a|a) trace/)
    },
  )
})

describe('the page of a run report', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  function html(): string {
    const { results, ...counts } = summary
    const run = readEarlierRun('r.json', [
      `{"event":"scenario","file":"${file}","name":"a sale with a discount [A]","status":"passed"}`,
    ])
    const accounts = results.map((result) => {
      const earlier = earlierOf(file, result.play.id, [run])
      return reportDataOf({ ...result, ...(earlier && { earlier }) })
    })
    return reportPage({ accounts, counts, facts: FACTS, at: new Date(0) }).text
  }

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)(
    'opens on the first failure, finds others, and axe-core finds nothing: %s at %i pixels',
    async (scheme, width) => {
      const { page, troubles } = await openPage(browser, { width, height: 800, scheme })
      await page.setContent(html())
      expect(await page.locator('h1').textContent()).toBe('2 of 3 scenarios failed')
      const open = page.locator('.entry[open]')
      expect(await open.count()).toBe(1)
      expect(await open.locator('.name').textContent()).toBe('a sale with a discount [A]')
      expect(await open.locator('.cause').textContent()).toContain('"9.99"')
      expect(await open.locator('.before').textContent()).toBe('new: it passed in the one earlier run')
      expect(await open.getByRole('img', { name: /^Earlier runs, the oldest first: passed$/ }).count()).toBe(1)
      const failed = open.locator('.steps > .failed')
      expect(await failed.locator('.step').first().getAttribute('open')).toBe('')
      expect(await failed.locator('.wire').getAttribute('open')).toBeNull()
      expect(await open.locator('.steps > li').count()).toBe(9)
      await open.getByRole('img', { name: 'the open receipt on paper' }).waitFor()
      const drawn =
        'document.querySelector(".entry[open] img").decode().then(() => document.images[0].naturalWidth > 100)'
      expect(await page.evaluate(drawn)).toBe(true)

      await page.getByRole('navigation', { name: 'What failed' }).getByRole('link').nth(1).click()
      const other = page.locator('#s2')
      await other.locator('.steps').waitFor({ state: 'visible' })
      expect(await other.locator('.name').textContent()).toBe('a report with <b>another</b> paper [A]')
      await other.getByText('as text').click()
      expect(await axeFindings(page)).toEqual([])

      const shown = () => page.locator('.entry:visible .name').allTextContents()
      await page.getByLabel('Tag').selectOption('till')
      expect(await shown()).toEqual(['a sale with a discount [A]', 'what passes [A]'])
      await page.getByLabel('passed 1').uncheck()
      expect(await shown()).toEqual(['a sale with a discount [A]'])
      expect(await page.locator('#count').textContent()).toBe('1 of 3')
      const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect({ wider, troubles }).toEqual({ wider: 0, troubles: [] })
      await page.close()
    },
  )

  it.each(['light', 'dark'] as const)('has the colours and the font of the control panel: %s', async (scheme) => {
    const emulator = createEmulator({ family: 'A' })
    const panel = await listenPanel(emulator, 0)
    const { page } = await openPage(browser, { width: 1280, height: 800, scheme })
    const look = () =>
      page.evaluate(`(() => {
        const { color, backgroundColor, fontFamily } = getComputedStyle(document.body)
        const names = ['--accent', '--danger', '--warn', '--card', '--edge', '--soft']
        const probe = document.body.appendChild(document.createElement('i'))
        const colours = names.map((name) => {
          probe.style.color = 'var(' + name + ')'
          return getComputedStyle(probe).color
        })
        return { color, backgroundColor, fontFamily, colours }
      })()`)
    await page.goto(panel.url)
    await page.getByText('live', { exact: true }).waitFor()
    const ofDevice = await look()
    await page.goto('about:blank')
    await page.setContent(html())
    expect(await look()).toEqual(ofDevice)
    await page.close()
    await panel.close()
    await emulator.close()
  })

  it('shows the difference of expected and printed paper in colours', async () => {
    const { page } = await openPage(browser, { width: 1280, height: 800 })
    const golden = scenarioFile('name: x\nfamilies: [A]\nsteps: [{ post /report-x: }]\ncheck: { paper: x.txt }\n')
    await play([golden], { update: true })
    const other = { ...(await play([golden])) }
    const [result] = other.results
    const problems = [{ what: 'paper: it differs', diff: ['  HEAD', '- TOTAL  1.20', '+ TOTAL  1.50'] }]
    const failure = { file: golden, line: 4, step: undefined, problems, trace: [], state: [], repeat: 'again' }
    if (!result) throw new Error('nothing was played')
    const { results: _results, ...counts } = other
    const accounts = [reportDataOf({ ...result, status: 'failed', failure })]
    await page.setContent(
      reportPage({ accounts, counts: { ...counts, failed: 1, passed: 0 }, facts: FACTS, at: new Date(0) }).text,
    )
    const colours = await page.evaluate(
      '[...document.querySelectorAll(".diff .gone, .diff .new")].map((one) => getComputedStyle(one).backgroundColor)',
    )
    expect(new Set(colours as string[]).size).toBe(2)
    expect(await page.locator('.diff b').allTextContents()).toEqual(['1.20', '1.50'])
    await page.close()
  })
})
