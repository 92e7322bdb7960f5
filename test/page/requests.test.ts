import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { axeFindings, type Browser, openBrowser, openPage, type PageOptions } from './browser.ts'

let browser: Browser
let service: Running
let address: { readonly http: string; readonly panel: string }

beforeAll(async () => {
  browser = await openBrowser()
  service = start(['serve', '--data', 'memory', '--json', ...FREE_PORTS])
  const { http, panel } = await service.ready()
  address = { http: String(http), panel: String(panel) }
})
afterAll(async () => {
  await browser.close()
  service.child.kill('SIGTERM')
  await service.ended
})

const SALE = '{"ReceiptItems": [{"Type": 1, "PluSale": {"PluNumber": 1}}]}'

const ask = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${address.http}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })

async function onPage(
  hash: string,
  act: (page: Page) => Promise<void>,
  size: Partial<PageOptions> = {},
): Promise<void> {
  const { page, troubles } = await openPage(browser, { width: 1440, height: 900, ...size })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  try {
    await page.goto(`${address.panel}/#${hash}`)
    await page.getByText('live', { exact: true }).waitFor()
    await act(page)
  } finally {
    await page.close()
  }
  expect(troubles).toEqual([])
}

const row = (page: Page, text: string) => page.locator('.request-row').filter({ hasText: text }).last()
const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

it('the list shows requests with their status and message, even those that never reached the device', async () => {
  await onPage('requests', async (page) => {
    await page.getByText('The service has not received a request since it was started.').waitFor()
    await ask('/print-fiscal-receipt', SALE)
    await row(page, 'POST /api/print-fiscal-receipt').getByText('200', { exact: true }).waitFor()
    await row(page, '1 document was printed.')
      .getByText(/^\d+ ms$/)
      .waitFor()
    await ask('/print-fiscal', '{}')
    await row(page, 'No endpoint /api/print-fiscal').getByText('404', { exact: true }).waitFor()
    await ask('/print-fiscal-receipt', '{broken')
    await row(page, 'The body is not valid JSON').getByText('400', { exact: true }).waitFor()
    await ask('/print-fiscal-receipt', SALE, { 'Content-Type': 'text/plain' })
    await row(page, 'Set the header Content-Type').getByText('415', { exact: true }).waitFor()

    await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx')
    await expect.poll(() => page.locator('.request-row').count()).toBe(3)
    await page.getByLabel('Path, message or status').fill('valid json')
    await expect.poll(() => page.locator('.request-row').count()).toBe(1)
    expect(await axeFindings(page)).toEqual([])
    await row(page, 'The body is not valid JSON').click()
    await page.locator('.detail-card').getByText('{broken', { exact: true }).waitFor()
  })
})

it('the dialog of a reset names the session and the keys; a request with a used key says that it printed nothing', async () => {
  await fetch(`${address.panel}/emulator/session`, { method: 'POST' })
  await ask('/print-fiscal-receipt', SALE, { 'Idempotency-Key': 'before the reset' })
  await onPage('setup', async (page) => {
    await page.getByRole('button', { name: 'Reset to a new device' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The recorded session (1 step) will end, and can no longer be saved then.').waitFor()
    await dialog.getByText('a request with an Idempotency-Key that was used before').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Save the session' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('session.yaml')
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
    await page.getByText('This is a new device now.').waitFor()
    await ask('/print-fiscal-receipt', SALE, { 'Idempotency-Key': 'before the reset' })
    await page.goto(`${address.panel}/#requests`)
    await row(page, 'the service repeated its answer to an earlier request').click()
    await page.locator('.printed-by').getByText('Nothing was printed').waitFor()
  })
})

it('a request from before a reset leads to no document of the device after it', async () => {
  await ask('/print-fiscal-receipt', SALE)
  await onPage('requests', async (page) => {
    const printed = page.locator('.request-row').filter({ hasText: '1 document was printed.' }).last()
    await printed.click()
    const details = page.locator('.detail-card')
    await details.getByRole('link', { name: /^Fiscal receipt \d+$/ }).waitFor()
    await fetch(`${address.panel}/emulator/reset`, { method: 'POST' })
    await ask('/print-fiscal-receipt', SALE)
    const sentence = 'Its documents are no longer stored: the device was reset or restored since.'
    await details.getByText(sentence).waitFor()
    expect(await details.getByRole('link', { name: /^Fiscal receipt/ }).count()).toBe(0)
    await page.locator('.request-row').filter({ hasText: sentence }).first().waitFor()
    await page.locator('.request-row').filter({ hasText: '1 document was printed.' }).last().click()
    await details.getByRole('link', { name: 'Fiscal receipt 1', exact: true }).waitFor()
  })
})

it('the list does not call rows new when another filter shows them', async () => {
  for (let count = 0; count < 40; count++) await ask(count % 2 === 0 ? '/clear-display' : '/nothing', '{}')
  await onPage('requests', async (page) => {
    await row(page, '/clear-display').waitFor()
    const status = page.getByRole('combobox', { name: 'Status' })
    for (const choice of ['4xx', '200', 'All']) {
      await status.selectOption(choice)
      await page.locator('.request-row').first().waitFor()
      expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0)
    }
  })
})

it('a click on a request opens body, answer, frames and document, and the address leads there again', async () => {
  await ask('/print-fiscal-receipt', SALE, { 'Idempotency-Key': 'a key of its own' })
  await onPage('requests', async (page) => {
    await row(page, '1 document was printed.').click()
    const details = page.locator('.detail-card')
    await details.getByRole('heading', { name: 'POST /api/print-fiscal-receipt' }).waitFor()
    await details.getByText('a key of its own').waitFor()
    await details.getByText(/^200 done, after \d+ ms$/).waitFor()
    await details.getByText('"PluNumber": 1').waitFor()
    await details.getByText('"StatusCode": 200').waitFor()
    await details.locator('.exchange-row').filter({ hasText: 'close fiscal' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.reload()
    await details.getByText('a key of its own').waitFor()
    await page.locator('.request-row[aria-pressed="true"]').waitFor()
    await details.getByRole('link', { name: /^Fiscal receipt \d+$/ }).click()
    await page.locator('.document-row[aria-pressed="true"]').waitFor()
  })
})

it('a request can be sent again with its key, and copied as curl and as a step of a scenario that plays', async () => {
  await ask('/print-fiscal-receipt', SALE, { 'Idempotency-Key': 'once' })
  await onPage('requests', async (page) => {
    await row(page, '1 document was printed.').click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied as curl.').waitFor()
    const curl = await clipboard(page)
    expect(curl).toContain(`-X POST ${address.http}/print-fiscal-receipt`)
    expect(curl).toContain("-H 'Idempotency-Key: once'")
    await page.getByRole('button', { name: 'Copy as scenario step' }).click()
    await page.getByText('Copied as a scenario step.').waitFor()
    expect(await clipboard(page)).toMatch(/^ {2}- post \/print-fiscal-receipt: .*\n {4}key: "once"\n {4}expect: /)
    const papers = async () => (await (await fetch(`${address.panel}/emulator/documents?content=none`)).json()) as []
    const before = (await papers()).length
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Sent again: 200, done.').waitFor()
    // The idempotency key already has a response, so nothing is printed again.
    expect((await papers()).length).toBe(before)
    await page.locator('.detail-card').getByText('None: the service answered without a query to the device.').waitFor()
  })
})

it('a request without a key says before Try again that it prints a second time', async () => {
  await ask('/print-fiscal-receipt', SALE, { 'Idempotency-Key': 'no second receipt' })
  await ask('/print-fiscal-receipt', SALE)
  await onPage('requests', async (page) => {
    const printed = page.locator('.request-row').filter({ hasText: '1 document was printed.' })
    await printed.last().click()
    const warning = page.getByText('Try again prints a second time, because this request has no Idempotency-Key.')
    await warning.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await printed.nth(-2).click()
    await page.getByText('no second receipt').waitFor()
    expect(await warning.count()).toBe(0)
  })
})

it('a request that is sent again does not remove the filters of the list', async () => {
  await ask('/report-x', '{}')
  await onPage('requests?text=report&status=ok', async (page) => {
    await row(page, '/report-x').click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Sent again: 200, done.').waitFor()
    expect(await page.getByLabel('Path, message or status').inputValue()).toBe('report')
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('ok')
  })
})

it('a double click on Try again sends the request once, even if its answer arrives between the clicks', async () => {
  await ask('/report-x', '{}')
  await onPage('requests', async (page) => {
    const setTime = (ms: number) => page.evaluate(`performance.now = () => ${ms}`)
    const rows = page.locator('.request-row').filter({ hasText: '/report-x' })
    const isLast = page.locator('.request-row').last().and(page.locator('[aria-pressed="true"]'))
    const again = page.getByRole('button', { name: 'Try again' })
    const before = await rows.count()
    await rows.last().click()
    await again.dblclick()
    await expect.poll(() => rows.count()).toBe(before + 1)
    await setTime(1_000_000)
    await again.click()
    await expect.poll(() => rows.count()).toBe(before + 2)
    await isLast.waitFor()
    await setTime(1_000_300)
    await again.click()
    await setTime(1_001_000)
    await again.click()
    await expect.poll(() => rows.count()).toBe(before + 3)
    await isLast.waitFor()
    const requests = (await (await fetch(`${address.panel}/emulator/requests`)).json()) as readonly { path: string }[]
    expect(requests.filter(({ path }) => path === '/api/report-x')).toHaveLength(before + 3)
  })
})

it.each([
  ['requests/9999', 'There is no request 9999'],
  ['requests/abc', 'There is no request abc.'],
] as const)('a link to %s that leads nowhere says what does not exist', async (at, words) => {
  await ask('/clear-display', '{}')
  await onPage(at, async (page) => {
    await page.locator('.detail-card').getByText(words).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('.detail-card').getByText(words).waitFor()
    await page.getByRole('button', { name: 'All requests', exact: true }).click()
    await page.locator('.request-row').first().waitFor()
  })
})

it('the timeline has a lane of requests, and an entry leads to its request', async () => {
  await ask('/print-fiscal-receipt', SALE)
  await onPage('timeline', async (page) => {
    for (const lane of ['Wire', 'Paper', 'Display', 'Device'])
      await page.getByRole('checkbox', { name: lane }).uncheck()
    const moment = page.locator('.time-row').filter({ hasText: 'POST /api/print-fiscal-receipt' }).last()
    await moment.click()
    await page.getByRole('link', { name: 'Body, answer and frames' }).click()
    await page.locator('.request-row[aria-pressed="true"]').waitFor()
  })
})

it.each(['light', 'dark'] as const)('on a phone, %s, a request replaces the list, and leads back', async (scheme) => {
  await ask('/print-fiscal-receipt', SALE)
  await onPage(
    'requests',
    async (page) => {
      await row(page, '1 document was printed.').click()
      await page.getByText('"StatusCode": 200').waitFor()
      expect(await axeFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      await page.getByRole('button', { name: 'All requests' }).click()
      await row(page, '1 document was printed.').waitFor()
    },
    { width: 390, height: 844, scheme },
  )
})

it('many new requests neither move the list nor close the open request', async () => {
  for (let count = 0; count < 20; count++) await ask('/report-x', '{}')
  await onPage('requests', async (page) => {
    const first = page.locator('.request-row').first()
    await first.waitFor()
    await page.locator('.list-card .scroll').hover()
    await page.mouse.wheel(0, -300)
    const place = () =>
      page.evaluate(`(() => {
        const list = document.querySelector('.list-card .scroll').getBoundingClientRect()
        const rows = [...document.querySelectorAll('.request-row')]
        const row = rows.find((one) => one.getBoundingClientRect().top >= list.top)
        return [row.closest('li').getAttribute('aria-posinset'), row.getBoundingClientRect().top]
      })()`)
    // The scrolling has ended when the position no longer changes.
    let before: unknown
    await expect
      .poll(async () => {
        const earlier = before
        before = await place()
        return JSON.stringify(before) === JSON.stringify(earlier)
      })
      .toBe(true)
    await ask('/report-x', '{}')
    await ask('/report-x', '{}')
    await page.getByRole('button', { name: /^\d+ new$/ }).waitFor()
    expect(await place()).toEqual(before)
    await page.getByRole('button', { name: /^\d+ new$/ }).click()
    await expect.poll(place).not.toEqual(before)
  })
})

it('an open request keeps its frames when the device has no more room for them', async () => {
  await ask('/print-fiscal-receipt', SALE)
  await onPage('requests', async (page) => {
    await row(page, '1 document was printed.').click()
    const frames = () => page.locator('.detail-card .exchange-row').allInnerTexts()
    await page.locator('.exchange-row').filter({ hasText: 'close fiscal' }).waitFor()
    const before = await frames()
    const firstFrame = () =>
      page.evaluate<number>(`fetch('/emulator/frames').then((answer) => answer.json()).then((frames) => frames[0].id)`)
    const end = await page.evaluate<number>(
      `fetch('/emulator/frames').then((answer) => answer.json()).then((frames) => frames.at(-1).id)`,
    )
    while ((await firstFrame()) <= end) for (let count = 0; count < 20; count++) await ask('/report-x', '{}')
    // The frames of a request arrive before the request appears in the list.
    await expect.poll(() => page.locator('.detail-card .exchange-row').count()).toBe(before.length)
    expect(await frames()).toEqual(before)
    await ask('/clear-display', '{}')
    await page.getByRole('button', { name: /^\d+ new$/ }).waitFor()
    expect(await frames()).toEqual(before)
  })
}, 120_000)

it('an open request remains while the service is stopped, and its address leads to no request of the next run', async () => {
  await ask('/print-fiscal-receipt', SALE, { 'Idempotency-Key': 'of the first run' })
  const { page } = await openPage(browser, { width: 1440, height: 900 })
  onTestFinished(() => page.close())
  await page.goto(`${address.panel}/#requests`)
  await row(page, '1 document was printed.').click()
  const details = page.locator('.detail-card')
  await details.locator('.exchange-row').filter({ hasText: 'close fiscal' }).waitFor()
  const content = async () => [
    await page.locator('#request-title').textContent(),
    await details.locator('.request-body').innerText(),
  ]
  const before = await content()
  const id = Number(/requests\/(\d+)/.exec(page.url())?.[1])
  service.child.kill('SIGTERM')
  await service.ended
  await page.getByText(/^no connection since /).waitFor()
  expect(await content()).toEqual(before)
  expect(await page.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true)
  const [http, panel] = [address.http, address.panel].map((url) => new URL(url).port)
  service = start([
    'serve',
    '--data',
    'memory',
    '--json',
    '--http-port',
    `${http}`,
    '--https-port',
    '0',
    '--panel-port',
    `${panel}`,
  ])
  await service.ready()
  await page
    .locator('.not-stored')
    .getByText(/^This request is of the run before the emulator was restarted/)
    .waitFor()
  expect(await axeFindings(page)).toEqual([])
  for (let count = 0; count <= id; count++) await ask('/clear-display', '{}')
  await page.locator('.request-row').filter({ hasText: '/clear-display' }).first().waitFor()
  expect(await content()).toEqual(before)
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await page.locator('.request-row[aria-pressed="true"]').count()).toBe(0)
  await page.reload()
  await details.getByText(`Request ${id} is of an earlier run of the emulator, and is no longer stored.`).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await row(page, '/clear-display').click()
  await details.getByText(/^200 done, after \d+ ms$/).waitFor()
  expect(await page.locator('.not-stored').count()).toBe(0)
}, 120_000)
