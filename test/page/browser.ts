/** Debian's Chromium with a new profile and without background requests to other hosts. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type BrowserContext, chromium, type Browser as Launched, type LaunchOptions, type Page } from 'playwright-core'

const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A foreign host name resolves to this machine, as after DNS rebinding (test/security/cross-origin.test.ts).
  '--host-resolver-rules=MAP *.evil.example 127.0.0.1',
]

const BROWSER = {
  executablePath: PROGRAMS.find((path) => existsSync(path)) ?? PROGRAMS[1],
  args: ARGS,
} as const satisfies LaunchOptions
export const launchBrowser = (): Promise<Launched> => chromium.launch(BROWSER)

/** The browser of a test file. `close` closes only the pages of that file. */
export interface Browser extends Pick<Launched, 'newContext' | 'newPage'> {
  close(): Promise<void>
}

let ofWorker: Promise<Launched> | undefined

/** The first file of a worker starts a Chromium that all files of the worker share. It ends with the worker. */
export async function openBrowser(): Promise<Browser> {
  ofWorker ??= launchBrowser()
  const launched = await ofWorker
  const contexts: BrowserContext[] = []
  const newContext: Browser['newContext'] = async (options) => {
    const context = await launched.newContext(options)
    contexts.push(context)
    return context
  }
  return {
    newContext,
    async newPage(options) {
      const context = await newContext(options)
      const page = await context.newPage()
      page.once('close', () => void context.close())
      return page
    },
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
    },
  }
}

export interface Watched {
  readonly page: Page
  readonly troubles: readonly string[]
}

export interface PageOptions {
  readonly width: number
  readonly height: number
  readonly scheme?: 'light' | 'dark'
}

export async function openPage(browser: Browser, options: PageOptions): Promise<Watched> {
  const { width, height, scheme = 'light' } = options
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, acceptDownloads: true })
  page.setDefaultTimeout(20_000)
  const troubles: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (problem) => troubles.push(`script: ${problem.message}`))
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) troubles.push(`outside: ${request.url()}`)
  })
  return { page, troubles }
}

type AxeViolations = readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]

/** Returns rule and element of each finding of axe-core (WCAG 2.2 AA and best practices). */
export async function axeFindings(page: Page): Promise<string[]> {
  // During a transition, a colour has neither its old nor its new contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // The script may remain in the document from an earlier check.
  if (!(await page.evaluate<boolean>("typeof window.axe?.run === 'function'"))) await page.evaluate(axe.source)
  // The setting makes axe-core collect only one element per rule that passes.
  const violations = (await page.evaluate(
    `axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
  )) as AxeViolations
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
