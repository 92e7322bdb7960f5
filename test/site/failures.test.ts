import { deflateRawSync } from 'node:zlib'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ask, builtSite, RECEIPT } from './built-site.ts'

const site = builtSite()

async function open(context: BrowserContext, path = ''): Promise<Page> {
  const page = await context.newPage()
  await page.goto(site.address + path)
  return page
}

const linkTo = (scenario: string): string => `#scenario=${deflateRawSync(scenario).toString('base64url')}`
const alert = (page: Page, words: string | RegExp) => page.getByRole('alert').filter({ hasText: words }).waitFor()
const documents = async (page: Page): Promise<unknown[]> =>
  JSON.parse((await ask(page, '/emulator/documents?content=none')).text)

const lookingFor = (pattern: string): string => `name: pattern
families: [A]
steps:
  - post /print-non-fiscal-receipt: { ReceiptItems: [{ Type: 0, Text: { Message: ${'a'.repeat(30)}! } }] }
check:
  paper: { has: ['${pattern}'] }
`

describe('a shared link', () => {
  it("with a pattern that takes for ever is stopped with a message, and the visitor's device continues", async () => {
    const context = await site.context()
    const own = await open(context)
    await ask(own, '/api/print-fiscal-receipt', RECEIPT)
    const page = await open(context, linkTo(lookingFor('/^(a+)+$/')))
    await alert(page, 'The shared scenario was stopped: it did not respond for 5 s.')
    expect((await ask(own, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"2"')
    await page.getByRole('link', { name: 'Open your own device' }).click()
    await expect.poll(async () => (await documents(page)).length).toBe(2)
  })

  it('with a legitimate pattern is played', async () => {
    const page = await open(await site.context(), linkTo(lookingFor('/^a+!/')))
    await page.getByText('Shared scenario "pattern" passed, on a separate device.').waitFor()
  })
})

describe('two tabs of the site', () => {
  it('that print at the same time print each receipt once, and the remaining tab continues when the other tab is closed', async () => {
    const context = await site.context()
    const first = await open(context)
    const second = await open(context)
    const all = await Promise.all(
      Array.from({ length: 10 }, (_nothing, at) => ask(at % 2 ? first : second, '/api/print-fiscal-receipt', RECEIPT)),
    )
    const numbers = all.map(({ text }) => Number(JSON.parse(text).Data)).sort((one, other) => one - other)
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await first.close()
    expect((await ask(second, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"11"')
    expect(await documents(second)).toHaveLength(11)
  })

  it('that choose a device at the same time show the same device', async () => {
    const context = await site.context()
    const pages = [await open(context), await open(context)]
    const choose = (page: Page | undefined, ...kinds: object[]) =>
      page?.evaluate((all) => {
        for (const kind of all) void fetch('/site/kind', { method: 'POST', body: JSON.stringify(kind) })
      }, kinds)
    await ask(pages[0] as Page, '/site')
    await Promise.all([
      choose(pages[0], { family: 'A', profile: 'bg' }, { family: 'C', profile: 'c4' }),
      choose(pages[1], { family: 'B', profile: 'b8' }, { family: 'C', profile: 'c4' }),
    ])
    const seen = async (page: Page) => [
      await page.locator('.site select option:checked').textContent(),
      JSON.parse((await ask(page, '/emulator')).text).family,
    ]
    // The pages reload after each choice.
    for (const page of pages)
      await expect.poll(() => seen(page).catch(() => undefined)).toEqual(['Family C, profile c4', 'C'])
  })
})

describe('a browser', () => {
  it('whose storage is full prints, and says that nothing is stored', async () => {
    const context = await site.context()
    // The globals of a worker are not accessible, so the test changes the worker's script. Its storage is full when the
    // test says so.
    await context.route(/assets\/worker-.*\.js$/, async (route) => {
      const script = await (await route.fetch()).text()
      const full = `let isFull = false
new BroadcastChannel('full').onmessage = ({ data }) => (isFull = data)
const { put } = IDBObjectStore.prototype
IDBObjectStore.prototype.put = function (...row) {
  if (isFull) throw new DOMException('', 'QuotaExceededError')
  return put.apply(this, row)
}
`
      await route.fulfill({ contentType: 'text/javascript', body: full + script })
    })
    await context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined }))
    const page = await open(context)
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    const setFull = (isFull: boolean) => page.evaluate((full) => new BroadcastChannel('full').postMessage(full), isFull)
    await setFull(true)
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"2"')
    await alert(page, 'The browser did not store the last changes (QuotaExceededError). Export the device to keep it.')
    await setFull(false)
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"3"')
    await page.reload()
    expect(await documents(page)).toHaveLength(3)
  })

  it('with a damaged stored device does not change the stored data, and continues with a new device', async () => {
    const context = await site.context()
    const page = await open(context)
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    // `page.evaluate` gets a text, because the project's types do not include those of a browser.
    const setState = (body: string) =>
      page.evaluate<string>(`new Promise((resolve, reject) => {
        const opening = indexedDB.open(${JSON.stringify(`fiscal-rig ${site.address}`)})
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('rows', 'readwrite')
          const rows = transaction.objectStore('rows')
          const place = ['A bg', 'state', 'device']
          const reading = rows.get(place)
          reading.onsuccess = () => rows.put({ ...reading.result, body: ${JSON.stringify(body)} }, place)
          transaction.oncomplete = () => {
            opening.result.close()
            resolve(reading.result.body)
          }
          transaction.onabort = () => reject(transaction.error)
        }
      })`)
    const whole = await setState('{')
    await page.reload()
    await alert(page, 'The stored device of family A, profile bg cannot be opened')
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"1"')
    await setState(whole)
    await page.reload()
    expect(await documents(page)).toHaveLength(1)
    expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"2"')
  })

  it('over plain HTTP has a device for each tab, says so, and prints each receipt once', async () => {
    const context = await site.context()
    const address = site.address.replace('127.0.0.1', 'shop.evil.example')
    const [first, second] = [await context.newPage(), await context.newPage()]
    for (const page of [first, second]) {
      await page.goto(address)
      await alert(page, 'This page was loaded over plain HTTP')
      expect((await ask(page, '/api/print-fiscal-receipt', RECEIPT)).text).toContain('"Data":"1"')
    }
    expect(await documents(first)).toHaveLength(1)
    await first.getByRole('button', { name: 'Copy a link to this session' }).click()
    const link = await first.getByRole('link', { name: 'the link to this session' }).getAttribute('href')
    await second.goto('about:blank')
    await second.goto(link ?? '')
    await second.getByText('Fiscal receipt 1').first().waitFor()
  })
})
