import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFindings } from '../page/browser.ts'
import { ask, builtSite, RECEIPT } from './built-site.ts'

const site = builtSite()

async function open(path = '', context = site.context()): Promise<Page> {
  const page = await (await context).newPage()
  await page.goto(site.address + path)
  return page
}
const files = () =>
  readdirSync(site.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(site.folder, name)).isFile(),
  )

describe('the site', () => {
  it('prints a receipt on a device in the browser, on desktop and phone width', async () => {
    const page = await open()
    expect(await ask(page, '/api/print-fiscal-receipt', RECEIPT)).toEqual({
      status: 200,
      text: '{"StatusCode":200,"Data":"1"}',
    })
    await page.getByText('Fiscal receipt 1').first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await axeFindings(page)).toEqual([])
  })

  it('stores the device and its numbers for the next visit; a second tab shows the same device', async () => {
    const context = await site.context()
    const page = await open('', Promise.resolve(context))
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    const before = JSON.parse((await ask(page, '/emulator')).text)
    const other = await open('', Promise.resolve(context))
    expect((await ask(other, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"2"')
    await other.close()
    await page.reload()
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"3"')
    expect(JSON.parse((await ask(page, '/emulator')).text).serialNumber).toBe(before.serialNumber)
  })

  it('repeats the answer for a key after the tab was closed', async () => {
    const context = await site.context()
    const send = (page: Page) =>
      page.evaluate(async (body) => {
        const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'sale-1' }
        return (await fetch('/api/print-fiscal-receipt', { method: 'POST', headers, body })).text()
      }, JSON.stringify(RECEIPT))
    const page = await open('', Promise.resolve(context))
    const first = await send(page)
    await page.close()
    const again = await open('', Promise.resolve(context))
    expect(await send(again)).toBe(first)
    expect(JSON.parse((await ask(again, '/emulator/documents?content=none')).text)).toHaveLength(1)
  })

  it('offers a device of each family and profile, each with its own receipts', async () => {
    const page = await open()
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    const choice = page.locator('.site select')
    await choice.selectOption({ label: 'Family C, profile c4' })
    await expect.poll(async () => JSON.parse((await ask(page, '/emulator')).text).family).toBe('C')
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"1"')
    await choice.selectOption({ label: 'Family A, profile bg' })
    await expect.poll(async () => JSON.parse((await ask(page, '/emulator')).text).family).toBe('A')
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"2"')
  })

  it('exports a device and imports it, and any other file changes nothing', async () => {
    const page = await open('#/setup')
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('a[download="device.json"]').click(),
    ])
    const exported = readFileSync(await download.path())
    await ask(page, '/emulator/reset', {})
    const file = page.locator('input[type="file"]')
    await file.setInputFiles({ name: 'none.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
    await page.getByRole('alert').filter({ hasText: 'none.json cannot be restored.' }).waitFor()
    expect(JSON.parse((await ask(page, '/emulator/documents?content=none')).text)).toHaveLength(0)
    await file.setInputFiles({ name: 'device.json', mimeType: 'application/json', buffer: exported })
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(async () => JSON.parse((await ask(page, '/emulator/documents?content=none')).text).length).toBe(1)
  })

  it('draws the picture of a document', async () => {
    const page = await open('#/documents')
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    const link = page.locator('a[download$=".png"]')
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const png = readFileSync(await download.path())
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBeGreaterThan(600)
  })
})

describe('a shared link', () => {
  it('contains a session: its receipt is shown on a separate device', async () => {
    const context = await site.context()
    const page = await open('', Promise.resolve(context))
    await ask(page, '/emulator/faults', { at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' })
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    await page.getByRole('button', { name: 'Copy a link to this session' }).click()
    await page.getByText('The link is copied.').waitFor()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    const other = await context.newPage()
    await other.goto(link)
    await other.getByText(/^Shared scenario ".*" passed, on a separate device\.$/).waitFor()
    await other.getByText('Fiscal receipt 1').first().waitFor()
    expect(JSON.parse((await ask(page, '/emulator/documents?content=none')).text)).toHaveLength(1)
  })

  it('restarts its session if a reload has ended the session', async () => {
    const page = await open()
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    await page.reload()
    const copy = page.getByRole('button', { name: 'Copy a link to this session' })
    await copy.click()
    await page.getByRole('alert').filter({ hasText: 'Recording has started now' }).waitFor()
    await ask(page, '/api/report-x', {})
    await copy.click()
    await page.getByText('The link is copied.').waitFor()
  })

  it.each([
    ['damaged', '#scenario=AAAA%%%', 'The link is damaged'],
    ['cut off', '#scenario=lVJLb5tAEL7zK0ZIvRkK', 'The link is damaged'],
    // The link encodes the text `name: 1`.
    ['no scenario', '#scenario=y0vMTbVSMAQA', 'cannot be played'],
  ])("that is %s is reported, and the visitor's device is unchanged", async (_what, hash, words) => {
    const context = await site.context()
    const page = await open('', Promise.resolve(context))
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    const other = await open(hash, Promise.resolve(context))
    await other.getByRole('alert').filter({ hasText: words }).waitFor()
    await other.getByRole('link', { name: 'Open your own device' }).click()
    await expect
      .poll(async () => JSON.parse((await ask(other, '/emulator/documents?content=none')).text).length)
      .toBe(1)
  })
})

describe('a browser', () => {
  it('without IndexedDB prints anyway, and says that nothing is stored', async () => {
    const context = await site.context()
    await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined }))
    // The globals of a worker are not accessible, so the test changes the worker's script, which then deletes
    // `indexedDB`.
    await context.route(/assets\/worker-.*\.js$/, async (route) => {
      const script = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'text/javascript',
        body: `Object.defineProperty(self, 'indexedDB', { value: undefined });${script}`,
      })
    })
    const page = await open('', Promise.resolve(context))
    await page.getByRole('alert').filter({ hasText: 'This browser stores nothing for this page' }).waitFor()
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).status).toBe(200)
  })

  it('without Web Serial names the browsers that have it', async () => {
    const context = await site.context()
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serial'))
    const page = await open('printer.html', Promise.resolve(context))
    await page.getByText('This browser has no Web Serial').waitFor()
    expect(await page.getByRole('button', { name: 'Choose a port' }).isDisabled()).toBe(true)
  })
})

describe('the folder of the site', () => {
  it('is usable without a network after the first visit, and so is the documentation', async () => {
    const context = await site.context()
    const page = await open('', Promise.resolve(context))
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.reload()
    await site.goOffline()
    await page.reload()
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"2"')
    await page.goto(`${site.address}docs/try-it.html`)
    await page.getByRole('heading', { name: 'Try it' }).waitFor()
  })

  it('contains documentation whose Try it sends requests to the device of the page', async () => {
    const page = await open('docs/try-it.html')
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"1"')
    await page.getByText('Requests go to').waitFor()
  })

  it('contains no module of Node and no native code', () => {
    const scripts = files().filter((name) => name.endsWith('.js') && !name.startsWith('docs'))
    const found = scripts.filter((name) =>
      /(?:from|import|require)\s*\(?\s*["'`](?:node:|@serialport|@resvg|express)|getBuiltinModule|createRequire\(/.test(
        readFileSync(join(site.folder, name), 'utf8'),
      ),
    )
    expect(scripts.length).toBeGreaterThan(5)
    expect(found).toEqual([])
  })

  it('has a strict content security policy in each page and for hosts that read headers', () => {
    const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'"
    const pages = files().filter((name) => name.endsWith('.html'))
    expect(pages.filter((name) => !readFileSync(join(site.folder, name), 'utf8').includes(policy))).toEqual([])
    expect(readFileSync(join(site.folder, '_headers'), 'utf8')).toContain(`Content-Security-Policy: ${policy}`)
  })

  it('contains at most 1.5 MB, compressed, without the documentation', () => {
    const own = files().filter((name) => !name.startsWith('docs'))
    const bytes = own.reduce((sum, name) => sum + gzipSync(readFileSync(join(site.folder, name))).length, 0)
    expect(bytes).toBeLessThanOrEqual(1_500_000)
  })
})
