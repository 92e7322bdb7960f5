import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openPage } from './browser.ts'

/** The page beside the running service: a REST call is on paper within a second, and a restart is survived. */

const root = join(import.meta.dirname, '..', '..')
let browser: Browser
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  for (const stop of stops) await stop()
})

interface Ready {
  readonly http: string
  readonly panel: string
}

async function serve(panelPort: string): Promise<Ready & { stop(): Promise<void> }> {
  const ports = ['--http-port', '0', '--https-port', '0', '--panel-port', panelPort]
  const child = spawn(process.execPath, ['bin/fiscal-rig.ts', 'serve', '--data', 'memory', '--json', ...ports], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  stops.push(stop)
  return { ...(JSON.parse(line.toString()) as Ready), stop }
}

const printArticle = (http: string) =>
  fetch(`${http}/print-fiscal-receipt`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"ReceiptItems": [{"Type": 1, "PluSale": {"PluNumber": 1}}]}',
  })

it('shows a REST call within a second, refuses without paper, and comes back after a restart', async () => {
  const first = await serve('0')
  const { page, troubles } = await openPage(browser, { width: 1440, height: 900 })
  await page.goto(first.panel)
  await page.getByText('live', { exact: true }).waitFor()

  // The best of three: other tests have the machine as well.
  const took: number[] = []
  for (const number of [1, 2, 3]) {
    const began = performance.now()
    expect((await printArticle(first.http)).status).toBe(200)
    await page.locator(`.paper:not(.open) svg:has(title:text-is("Document ${number}, fiscal"))`).waitFor()
    took.push(performance.now() - began)
  }
  expect(Math.min(...took)).toBeLessThan(1000)

  await page.getByText('Out', { exact: true }).click()
  await page.getByText('printing is refused now').waitFor()
  expect((await printArticle(first.http)).status).toBe(424)
  await page.getByText('Loaded').click()
  await page.getByText('Paper is loaded.').waitFor()
  expect((await printArticle(first.http)).status).toBe(200)
  expect(troubles).toEqual([])

  await first.stop()
  await page.getByText('no connection, trying again').waitFor()
  const second = await serve(new URL(first.panel).port)
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByText('Nothing has been printed yet').waitFor()
  expect((await printArticle(second.http)).status).toBe(200)
  await page.getByRole('link', { name: 'Fiscal receipt 1' }).waitFor()
  await page.close()
})
