import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { FAMILIES } from '../../drivers/families.ts'
import type { Step } from '../../emulator/advice.ts'
import { familyOf } from '../../emulator/profiles.ts'
import { adviceFor, rowFor } from '../../scenarios/exam/advice.ts'
import type { CaseResult, ExamEnd } from '../../scenarios/exam/exam.ts'
import { FAULTS } from '../../scenarios/exam/faults.ts'
import type { MapEntry } from '../../scenarios/exam/map.ts'
import { examHtml } from '../../scenarios/exam/report/html.ts'
import { examJunit } from '../../scenarios/exam/report/junit.ts'
import { examPretty } from '../../scenarios/exam/report/pretty.ts'
import { type ExamFacts, logLines, sentences } from '../../scenarios/exam/report/report.ts'
import { axeFindings, openBrowser, openPage } from '../page/browser.ts'
import { readCitations } from '../support/citations.ts'
import { examine, TWO_PAYMENTS } from './examine.ts'
import { plainTill } from './plain-till.ts'

let end: ExamEnd
const facts: ExamFacts = {
  till: 'node <till> & "more"',
  ...{ seed: 0, depth: 'full', command: "npx fiscal-rig exam --till 'x'" },
  advice: (result) => adviceFor('A', result),
}

beforeAll(async () => {
  const only = ['answerLost@closeFiscal', 'killed@closeFiscal', 'killed@payment', 'paperMiddle', 'openNonFiscalBefore']
  end = await examine(
    plainTill('prints again without asking'),
    { family: 'A' },
    { depth: 'full', jobs: TWO_PAYMENTS, only },
  )
})

describe('the output of an exam', () => {
  it('says first how often the same sale was printed twice', () => {
    const duplicated = end.cases.filter(({ verdict }) => verdict === 'duplicated').length
    expect(duplicated).toBe(3)
    expect(sentences(end)[0]).toBe(
      `In ${duplicated} of ${end.cases.length} cases this till printed the same sale twice.`,
    )
    const passed = end.cases.filter(({ verdict }) => verdict === 'passed')
    const good = { cases: passed, planned: passed.length }
    expect(sentences(good)).toEqual([
      `In all ${good.cases.length} cases the device printed each sale once, and this till reported it correctly.`,
    ])
    expect(sentences({ ...good, planned: 85 })).toEqual([
      `The exam was stopped after ${passed.length} of 85 cases.`,
      `In the ${passed.length} cases until then the device printed each sale once, and this till reported it correctly.`,
    ])
  })

  it('shows the line that names the cause if a program cannot start, wherever it is in its output', () => {
    const cannotStart = (name: string) => spawnSync(process.execPath, [name], { encoding: 'utf8' }).stderr
    const outputs = [cannotStart('no-such-till.mjs'), 'Traceback\n  line 1\n  line 2\n  line 3\nOSError: no port']
    const causes = outputs.map((text) =>
      logLines({ ...(end.cases[0] as CaseResult), log: [{ kind: 'output', ms: 0, text }] }).join('\n'),
    )
    expect(causes[0]).toContain("Error: Cannot find module '")
    expect(causes[0]?.split('\n')).toHaveLength(4)
    expect(causes[1]).toMatch(/line 1\n.*line 2\n.*line 3\n.*OSError: no port$/)
  })

  it('shows the cause, the frames around the fault, what to do and how to reproduce it', () => {
    const parts: string[] = []
    const pretty = examPretty((text) => parts.push(text), facts, false)
    const [baseline, ...others] = end.cases
    if (baseline) pretty.baselineEnded(baseline, end.map, others.length)
    for (const one of others) pretty.ended(one)
    pretty.finished(end)
    const text = parts.join('')
    expect(text).toContain('its commands for one sale: transactionStatus#1 ')
    const counted = [...text.matchAll(/(\d+) cases\b/g)].map(([, count]) => Number(count))
    expect(counted.length).toBeGreaterThan(1)
    expect(new Set(counted)).toEqual(new Set([end.cases.length]))
    expect(text).toContain(`${end.cases.length} cases, the baseline among them, depth full, seed 0\n`)
    // Only a till that uses the wire protocol gets the advice about that protocol.
    expect(
      text.match(/^A till that uses the REST service .* same Idempotency-Key, .* "Outcome unknown", /gm),
    ).toHaveLength(1)
    const [, story = ''] = text.split('DUPLICATED killed@closeFiscal#1\n')
    expect(
      story
        .split('\nDUPLICATED ')[0]
        ?.split('\n')
        .map((line) => line.replace(/\d+ ms/, 'N ms').trim()),
    ).toEqual(
      expect.arrayContaining([
        'The device printed first twice: receipts 1 and 2.',
        'N ms ! crashed, killed by the exam',
        expect.stringMatching(/^N ms > closeFiscal .*01 30 /),
        'N ms * the till is killed',
        expect.stringMatching(/^On the wire of this family: Write down the sale .*76/),
        'More: drivers/family-a/protocol.md, 6.7.',
        'again: --only killed@closeFiscal#1',
      ]),
    )
  })

  it('is valid JUnit for build servers: each case is a test', async () => {
    const xml = examJunit(end, facts)
    const result = await validateXML({
      xml: [{ fileName: 'exam.xml', contents: xml }],
      schema: [{ fileName: 'junit.xsd', contents: readFileSync('fixtures/junit.xsd', 'utf8') }],
    })
    expect(result.errors).toEqual([])
    expect(xml.match(/<testcase /g)).toHaveLength(end.cases.length)
    expect(xml).toContain('type="duplicated"')
    expect(xml).toContain('value="node &lt;till&gt; &amp; &quot;more&quot;"')
  })
})

describe('the page of an exam report', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  it('contains everything that it needs', () => {
    const html = examHtml(end, facts, new Date(0))
    expect(html).toContain('<p class="facts">A till that uses the REST service ')
    expect(html).not.toMatch(/<(?:link|img|iframe)\b|\bsrc=|https?:\/\/(?!127\.0\.0\.1)| (?:style|on\w+)=/)
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1] ?? ''
    for (const tag of ['style', 'script']) {
      const [, inside = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html) ?? []
      expect(policy).toContain(`'sha256-${createHash('sha256').update(inside).digest('base64')}'`)
    }
    expect(html).toContain('node &lt;till&gt; &amp; &quot;more&quot;')
    // No text of a till can close a script element.
    const [baseline] = end.cases
    const entry = { ms: 0, kind: 'said', text: 'printed, </script><img src=x onerror=alert(1)>' } as const
    const forged = { ...end, cases: baseline ? [{ ...baseline, story: [entry] }] : [] }
    expect(examHtml(forged, facts, new Date(0))).not.toContain('<img')
  })

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no finding of axe-core, %s at %i pixels; a cell opens its details', async (scheme, width) => {
    const { page, troubles } = await openPage(browser, { width, height: 800, scheme })
    await page.setContent(examHtml(end, facts, new Date(0)))
    expect(await page.locator('h1').textContent()).toBe(sentences(end)[0])
    const cell = page.getByRole('link', { name: 'duplicated: killed@closeFiscal#1' })
    expect(await cell.textContent()).toBe('D')
    await cell.click()
    const details = page.locator('#case-killed-at-closeFiscal-1')
    await details.locator('.line .said').first().waitFor({ state: 'visible' })
    expect(await details.locator('.line .hand').textContent()).toContain('the till is killed')
    expect(await details.locator('pre.paper').first().textContent()).toContain('Bread')
    await page.getByRole('link', { name: 'passed: paperMiddle' }).click()
    await page.locator('#case-paperMiddle .line').waitFor({ state: 'visible' })
    expect(await axeFindings(page)).toEqual([])
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect({ wider, troubles }).toEqual({ wider: 0, troubles: [] })
    await page.close()
  })
})

describe('the advice of the exam', () => {
  const STEPS: readonly Step[] = ['opening', 'sale', 'payment', 'closing', 'question', 'other']
  const target = (kind: Step): MapEntry => ({
    kind,
    command: 'x',
    n: 1,
    isInside: true,
    requestBytes: 0,
    answerBytes: 0,
  })
  const citations = readCitations(join(import.meta.dirname, '..', '..'))

  it.each(FAMILIES)(
    'exists for every fault at every step, with a section of the protocol specification: family %s',
    (family) => {
      const missing = FAULTS.flatMap(({ id, at }) => {
        const situations =
          at === 'command' ? STEPS.map((kind) => ({ fault: id, target: target(kind) })) : [{ fault: id }]
        return situations.filter((one) => !rowFor(family, one)).map(({ fault, ...more }) => ({ fault, ...more }))
      })
      const { advice = [] } = familyOf({ family })
      const unknown = advice.flatMap(({ faults }) => faults).filter((name) => !FAULTS.some(({ id }) => id === name))
      const nowhere = advice.filter(({ section }) => !citations.has(`sheet ${family}`, section))
      expect({ missing, unknown, nowhere }).toEqual({ missing: [], unknown: [], nowhere: [] })
    },
  )
})
