/** The site as deployed is built once per worker of the test runner, and served under a base path. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { buildSite } from '../../bin/site/build.ts'
import { closeAtOnce, listenLocally } from '../../drivers/host/local-server.ts'
import { type Browser, launchBrowser } from '../page/browser.ts'
import { BELOW, folderServer } from './folder-server.ts'

export interface BuiltSite {
  readonly folder: string
  /** The address of the first page ends with a slash. */
  readonly address: string
  /** Opens a browser profile. Errors on its pages fail the test. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>
  goOffline(): Promise<void>
}

let built: Promise<string> | undefined

function builtFolder(): Promise<string> {
  const build = async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'site-')), 'site')
    process.once('exit', () => rmSync(join(folder, '..'), { recursive: true, force: true }))
    await buildSite(folder)
    return folder
  }
  built ??= build()
  return built
}

export function builtSite(): BuiltSite {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  let server: Server
  let port: number
  let folder: string
  const serve = async (at: number) => {
    server = folderServer(folder)
    port = await listenLocally(server, at)
  }
  beforeAll(async () => {
    folder = await builtFolder()
    browser = await launchBrowser()
    await serve(0)
  })
  afterAll(async () => {
    await browser.close()
    await closeAtOnce(server)
  })
  return {
    get folder() {
      return folder
    },
    get address() {
      return `http://127.0.0.1:${port}${BELOW}`
    },
    async context(options = {}) {
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
      context.setDefaultTimeout(120_000)
      const troubles: string[] = []
      context.on('weberror', (problem) => troubles.push(`script: ${problem.error().message}`))
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          troubles.push(`console: ${message.text()} ${message.location().url}`)
      })
      context.on('request', (request) => {
        if (
          !/^http:\/\/(?:127\.0\.0\.1|shop\.evil\.example):/.test(request.url()) &&
          !/^(?:data|blob):/.test(request.url())
        )
          troubles.push(`outside: ${request.url()}`)
      })
      onTestFinished(async () => {
        await context.close()
        expect(troubles).toEqual([])
      })
      return context
    },
    async goOffline() {
      await closeAtOnce(server)
      onTestFinished(() => serve(port))
    },
  }
}

export interface PageAnswer {
  readonly status: number
  readonly text: string
}

export async function ask(page: Page, path: string, body?: object): Promise<PageAnswer> {
  // A page that has just loaded may still have the browser's own `fetch`.
  await page.waitForFunction(() => !String(fetch).includes('native code'))
  return page.evaluate(
    async ([at, json]) => {
      const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: json as string }
      const response = await fetch(at as string, json === undefined ? {} : post)
      return { status: response.status, text: await response.text() }
    },
    [path, body === undefined ? undefined : JSON.stringify(body)],
  )
}

export const RECEIPT = { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1, Quantity: 2 } }] }

export type { Browser }
