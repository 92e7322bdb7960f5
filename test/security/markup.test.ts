/** Foreign text in pages and reports remains text. Only the template creates markup. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attributes, html, joinMarkup, type Value, verbatim, xml } from '../../drivers/host/markup.ts'
import { type Browser, openBrowser } from '../page/browser.ts'
import { start } from '../support/command.ts'
import { runToEnd } from '../support/in-process.ts'
import { tsSources } from '../support/source-files.ts'

describe('a template of markup', () => {
  const HOSTILE = `"><img src=x onerror=alert(1)>&amp;'`

  it('escapes a text between tags and in an attribute, but not the output of a template', () => {
    const inner = html`<b>${HOSTILE}</b>`
    const escaped = "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;amp;'"
    expect(String(html`<p title="${HOSTILE}">${inner}${[HOSTILE, 7]}</p>`)).toBe(
      `<p title="${escaped}"><b>${escaped}</b>${escaped}7</p>`,
    )
    expect(String(html`<p${attributes({ hidden: true, title: HOSTILE, id: undefined, open: false })}>`)).toBe(
      `<p hidden title="${escaped}">`,
    )
    expect(String(joinMarkup([html`<i>1</i>`, '<', html`<i>2</i>`]))).toBe('<i>1</i>\n&lt;\n<i>2</i>')
    expect(String(xml`<a b="${'1\n2\u0007'}">${'1\n2\u0007\ud800'}</a>`)).toBe(
      '<a b="1\\u000a2\\u0007">1\n2\\u0007?</a>',
    )
  })

  const text: Value = 'x'
  it.each([
    ['an attribute without quotes', () => html`<p title=${text}>`],
    ['single quotes', () => html`<p title='${text}'>`],
    ['the name of an attribute', () => html`<p ${text}="1">`],
    ['the name of an element', () => html`<${text}>`],
    ['a script', () => html`<script>${text}</script>`],
    ['a style', () => html`<style>${text}</style>`],
    ['markup in an attribute', () => html`<p title="${html`<b>`}">`],
    ['attributes between tags', () => html`<p>${attributes({ title: 'x' })}</p>`],
    ['a handler', () => attributes({ onclick: 'x' })],
    ['an address without a check', () => attributes({ href: 'x' })],
    ['a forged name', () => attributes({ 'x onload': 'x' })],
    ['the end of a script within it', () => verbatim('script', '1</SCRIPT >')],
    ['the end of a style within it', () => verbatim('style', '</style')],
  ])('must not contain %s', (_what, make) => {
    expect(make).toThrow()
  })

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
  ])('accepts no address %j', (address) => {
    expect(() => html`<a href="${address}">x</a>`).toThrow(RangeError)
  })

  it.each(['#s1', './a.html#b', 'https://example.com/a?b=c:d', 'mailto:a@b', 'data:image/svg+xml,%3Csvg'])(
    'accepts the address %s',
    (address) => {
      expect(String(html`<a href="${address}">x</a>`)).toContain(address)
    },
  )
})

describe('the sources', () => {
  /** Placeholders in the project's texts are in capitals, such as `<FILE>`, and do not match. */
  const TAG = /<\/?[a-z][\w-]*(?:[\s/>]|$)|<[!?][a-z]/
  /** Texts without inserted values: responses of a broken gateway, an argument in the help of a command, Markdown. */
  const ALONE =
    /^(?:<svg …\/>|An answer:\n\n```xml\n<svg [^$]*>…<\/svg>\n```|<html><body>[\w ]+<\/body><\/html>|<what>|Open a request, change its body if you like, [^$]*)$/

  interface Node {
    readonly type?: string
    readonly value?: unknown
    readonly tag?: { readonly name?: string }
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
  }

  const handMade = (file: string, source: string): string[] => {
    const found: string[] = []
    const visit = (node: unknown, isTagged: boolean): void => {
      if (typeof node !== 'object' || node === null) return
      const { type, value, quasis, tag } = node as Node
      if (type?.startsWith('JSX') || type === 'ImportExpression') return
      if (type === 'TemplateLiteral' && !isTagged) {
        const texts = (quasis ?? []).map((part) => part.value.raw)
        found.push(...texts.filter((one) => TAG.test(one) && !ALONE.test(one)).map((one) => `${file}: ${one.trim()}`))
      }
      if (type === 'Literal' && typeof value === 'string' && TAG.test(value) && !ALONE.test(value))
        found.push(`${file}: ${value}`)
      const isOurs = type === 'TaggedTemplateExpression' && /^(?:html|xml|markup)$/.test(tag?.name ?? '')
      for (const child of Object.values(node)) {
        if (Array.isArray(child)) for (const one of child) visit(one, isOurs)
        else visit(child, isOurs)
      }
    }
    visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), false)
    return found
  }

  /** The documentation contains PHP examples, whose beginning resembles a tag. */
  const OTHER_LANGUAGES = 'server/docs/page/languages.ts'

  it('compose markup only by the template', () => {
    const found = tsSources()
      .filter(({ file, text }) => file !== 'drivers/host/markup.ts' && file !== OTHER_LANGUAGES && text.includes('<'))
      .flatMap(({ file, text }) => handMade(file, text))
    expect(found).toEqual([])
  })

  it.each(['const a = `<b>$' + '{x}</b>`', "const a = '<b>' + x", "const a = ['<b class=\"', x]"])(
    'are checked for markup outside of the template: %s',
    (source) => {
      expect(handMade('a.ts', source)).not.toEqual([])
    },
  )

  it('contain one function that escapes for markup', () => {
    const others = tsSources().filter(
      ({ file, text }) => /&(?:lt|#60|#x3c);/i.test(text) && file !== 'drivers/host/markup.ts',
    )
    expect(others.map(({ file }) => file)).toEqual([])
    const outside = tsSources().filter(({ text }) => /\brenderedByLibrary\b/.test(text))
    expect(outside.map(({ file }) => file)).toEqual([
      'bin/docs/layout.ts',
      'bin/docs/markdown.ts',
      'drivers/host/markup.ts',
    ])
    const raw = tsSources().filter(({ text }) => /innerHTML|outerHTML|insertAdjacentHTML|document\.write\b/i.test(text))
    // The template has created this drawing of paper.
    expect(raw.map(({ file }) => file)).toEqual(['emulator/panel/page/src/parts/paper.tsx'])
  })
})

const ATTACK = [
  '"><meta http-equiv="refresh" content="0;url=http://attacker.evil.example/refresh">',
  '</title></style></script><script>window.fallen=1;location="http://attacker.evil.example/script"</script>',
  '<img src=x onerror="window.fallen=1"><svg onload="window.fallen=1">',
  '<iframe src="http://attacker.evil.example/frame"></iframe><base href="http://attacker.evil.example/">',
  '<link rel=stylesheet href="http://attacker.evil.example/css"><form action="http://attacker.evil.example/"><input autofocus onfocus="window.fallen=1">',
  "' onmouseover='window.fallen=1' x=' javascript:window.fallen=1 \u2028\u202e",
].join('')
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.fallen=1"><script>parent.fallen=1</script><image href="http://attacker.evil.example/svg"/><text>paper</text></svg>\ud800`

const step = {
  ...{ file: ATTACK, line: 1, depth: 0, title: ATTACK, note: ATTACK, status: 'failed', atMs: 0, tookMs: 1 },
  ...{ asked: ATTACK, answered: ATTACK, heard: [0, 2], printed: [0, 1] },
}
const frame = {
  id: 1,
  at: ATTACK,
  direction: 'toHost',
  hex: ATTACK,
  command: ATTACK,
  fields: { [ATTACK]: ATTACK },
  status: [ATTACK],
}
const problems = [
  { what: ATTACK, diff: [`- ${ATTACK}`, `+ ${ATTACK}x`] },
  { what: `expected ${ATTACK}, it is ${ATTACK}` },
]
const account = {
  ...{ name: ATTACK, id: ATTACK, scenario: ATTACK, file: ATTACK, line: 1, family: ATTACK, seed: 1, tags: [ATTACK] },
  ...{ purpose: ATTACK, status: 'failed', durationMs: 1, failedBefore: [ATTACK], left: ATTACK },
  failure: {
    file: ATTACK,
    line: 1,
    step: ATTACK,
    problems,
    asked: ATTACK,
    trace: [ATTACK],
    state: [ATTACK],
    repeat: ATTACK,
  },
  paper: [{ id: 1, kind: 'fiscal', number: 1, at: ATTACK, text: [ATTACK] }],
  manualChecks: [{ at: 'paper', of: ATTACK, lines: [ATTACK] }],
  story: [step],
  detail: { wire: [frame], pictures: { 1: SVG }, open: SVG },
  earlier: { sentence: ATTACK, runs: [{ title: ATTACK, status: 'failed' }] },
}
const TRACE = {
  ...{ form: 'fiscal-rig trace', version: 1, at: '2026-01-01T00:00:00.000Z' },
  facts: { target: ATTACK, seed: 1, plays: 1, command: ATTACK },
  counts: { passed: 0, flaky: 0, failed: 2, notRun: 0, leftOut: 0, durationMs: 1 },
  accounts: [account, { ...account, status: 'notRun', reason: ATTACK }, account],
}

describe('the command show with a hostile trace', () => {
  let folder: string
  let browser: Browser
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-trace-'))
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  const written = (trace: unknown, name = 'trace.json'): string => {
    const file = join(folder, name)
    writeFileSync(file, typeof trace === 'string' ? trace : JSON.stringify(trace))
    return file
  }

  async function openHostile(url: string) {
    const page = await browser.newPage()
    const requests: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) requests.push(request.url())
    })
    const answer = await page.goto(url)
    const policy = answer?.headers()['content-security-policy']
    for (const one of await page.locator('details').all()) await one.evaluate('(one) => one.open = true')
    await page.mouse.move(200, 200)
    // The wait gives time to a refresh, and to pictures that load when they scroll into view.
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await page.waitForLoadState('networkidle')
    const facts = await page.evaluate<{ fallen: unknown; found: string[]; at: string }>(
      `({
        fallen: window.fallen,
        at: location.href,
        found: [...document.querySelectorAll('iframe, base, link, svg, form[action], [onerror], [onload], [onfocus], meta[http-equiv=refresh]')].map((one) => one.outerHTML),
      })`,
    )
    const pageText = await page.locator('body').textContent()
    await page.close()
    return { policy, asked: requests, shown: pageText, ...facts }
  }

  it('runs no script, leads nowhere and sends no request from the served page, whose policy is a header', async () => {
    const running = start(['show', written(TRACE), '--json'], {})
    try {
      const { url } = (await running.ready()) as { url: string }
      const { policy, asked, shown, ...facts } = await openHostile(`${url}/`)
      expect(facts).toEqual({ fallen: undefined, found: [], at: `${url}/` })
      expect(asked.filter((one) => one !== `${url}/`)).toEqual([])
      expect(policy).toMatch(
        /^default-src 'none'; img-src data:; style-src 'sha256-.*script-src 'sha256-.*frame-ancestors 'none'$/,
      )
      expect(policy).not.toContain('unsafe')
      expect(shown).toContain('<meta http-equiv="refresh"')
    } finally {
      running.child.kill('SIGKILL')
      await running.ended
    }
  })

  it('runs no script, leads nowhere and sends no request from a file, which only its owner may read', async () => {
    const output = join(folder, 'page.html')
    expect((await runToEnd(['show', written(TRACE), '--output', output])).status).toBe(0)
    expect(statSync(output).mode & 0o077).toBe(0)
    const { asked, shown, ...facts } = await openHostile(`file://${output}`)
    expect(facts).toMatchObject({ fallen: undefined, found: [], at: `file://${output}` })
    expect(asked).toEqual([`file://${output}`])
    expect(shown).toContain('<iframe')
  })

  it.each([
    [
      'no JSON',
      '{"form": "fiscal-rig trace", "version": 1',
      /is not a trace: expected a file that run --trace has written$/,
    ],
    [
      'a version of markup',
      { ...TRACE, version: '<b>\n' },
      /is a trace of version "<b>\\n"; this program reads version 1\. Record it again with run --trace$/,
    ],
    [
      'facts that are not texts',
      { ...TRACE, facts: { ...TRACE.facts, seed: ATTACK } },
      /is not a valid trace: facts\.seed: /,
    ],
    ['an invalid account', { ...TRACE, accounts: [null] }, /is not a valid trace: accounts\.0: /],
    ['an invalid time', { ...TRACE, at: 'now' }, /is not a valid trace: at: /],
    ['a status for a class', { ...TRACE, accounts: [{ ...account, status: 'x" onload="' }] }, /accounts\.0\.status: /],
    [
      'a picture by another name',
      { ...TRACE, accounts: [{ ...account, detail: { wire: [], pictures: { __proto__x: '' } } }] },
      /pictures/,
    ],
    [
      'a depth without end',
      { ...TRACE, accounts: [{ ...account, story: [{ ...step, depth: 1e9 }] }] },
      /story\.0\.depth: /,
    ],
  ])('refuses %s in one message', async (_what, trace, problem) => {
    const { status, err } = await runToEnd(['show', written(trace, 'wrong.json'), '--output', join(folder, 'no.html')])
    const [line = '', ...more] = err.trimEnd().split('\n')
    expect([status, line]).toEqual([2, expect.stringMatching(problem)])
    expect(more.filter((one) => !one.startsWith('More: '))).toEqual([])
  })

  it.each(['/dev/zero', '/proc/self/mem', tmpdir()])('does not read %s', async (file) => {
    const { status, err } = await runToEnd(['show', file, '--output', join(folder, 'no.html')])
    expect([status, err]).toEqual([2, expect.stringMatching(/cannot be read: (?:it is a|the system reports )/)])
  })
})
