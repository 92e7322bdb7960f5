/** An address of an object that does not exist says so in a sentence, with a way on, in every view. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FREE_PORTS, type Running, start } from '../support/command.ts'
import { type Browser, openBrowser, openPage } from './browser.ts'

let browser: Browser
let service: Running
let url: string
let page: Page
let troubles: readonly string[]

beforeAll(async () => {
  browser = await openBrowser()
  service = start(['serve', '--data', 'memory', '--json', ...FREE_PORTS])
  const { http, panel } = await service.ready()
  url = String(panel)
  for (const path of ['report-x', 'report-z']) {
    const { status } = await fetch(`${http}/${path}`, { method: 'POST' })
    expect([path, status]).toEqual([path, 200])
  }
  const opened = await openPage(browser, { width: 1280, height: 900 })
  page = opened.page
  troubles = opened.troubles
  await page.goto(url)
  await page.getByText('live', { exact: true }).waitFor()
})
afterAll(async () => {
  await browser.close()
  service.child.kill('SIGTERM')
  await service.ended
})

const IMPOSSIBLE = ['-1', '0', 'abc', '1e3', '1.5', '+1', '0x1', '%E0%A4%A', '99999999999999999999']

/** Address before the id, address after it, the sentence before and after the id as it was typed. */
const OBJECTS = [
  ['documents/', 'There is no document ', '. Choose one from the list.'],
  ['day/', 'There is no Z report ', ' in the fiscal memory. Choose one from the list.'],
  ['requests/', 'There is no request ', '. Choose one from the list.'],
  ['timeline/', 'There is no timeline entry ', '. Choose one from the list.'],
  ['wire?frame=', 'There is no frame ', '. Choose one from the list.'],
  ['faults?story=', 'There is no triggered fault ', '. This list contains the stored ones.'],
  ['documents/1?with=', 'There is no document ', ' to compare. Choose one in Side by side with.'],
] as const

async function expectSentence(at: string, sentence: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${at}`)}`)
  await page.locator('main').getByText(sentence).filter({ visible: true }).first().waitFor()
}

it.each(OBJECTS)('#/%s with an id that cannot exist says so', async (at, before, after) => {
  for (const id of IMPOSSIBLE) {
    // A query decodes an incomplete sequence to a replacement character.
    const typed = at.endsWith('=') ? (new URLSearchParams(`id=${id}`).get('id') ?? '') : id
    await expectSentence(at + id, `${before}${typed}${after}`)
  }
  expect(troubles).toEqual([])
})

it.each<readonly [string, string, string]>([
  ...OBJECTS.filter(([at]) => !/^(?:requests|faults)/.test(at)),
  [
    'requests/',
    'There is no request ',
    ', or it is no longer stored (only the last 1000 are). Choose one from the list.',
  ],
  [
    'faults?story=',
    'Fault ',
    ' is not stored: it was never triggered, the device was reset, or too much has happened since.',
  ],
])('#/%s with an id that is too large says so', async (at, before, after) => {
  await expectSentence(`${at}77777`, `${before}77777${after}`)
  expect(troubles).toEqual([])
})

it.each([
  ['documents/', 'X report'],
  ['day/', 'Z 1'],
  ['requests/', 'Choose a request.'],
  ['timeline/', 'The device now'],
  ['wire?frame=', 'Filter by command'],
  ['faults?story=', 'No fault has been triggered'],
])('#/%s without an id shows the view', async (at, words) => {
  await expectSentence(at, words)
  expect(await page.locator('.not-stored').count()).toBe(0)
})

it.each(['paper', 'compose', 'wire', 'faults', 'setup', 'exam'])('#/%s has no objects, and says so', async (view) => {
  await expectSentence(`${view}/77777`, `The control panel has no view named ${view}/77777.`)
  await page.locator('main').getByRole('link', { name: 'Paper' }).waitFor()
})

it('on a phone, the sentence about an object is in sight', async () => {
  const phone = await openPage(browser, { width: 390, height: 844 })
  const outOfSight: string[] = []
  for (const [at] of OBJECTS.filter(([one]) => !one.startsWith('faults'))) {
    await phone.page.goto(`${url}/#/${at}77777`)
    await phone.page.reload()
    const sentence = phone.page.locator('main').getByText('There is no ').filter({ visible: true }).first()
    await sentence.waitFor()
    const box = await sentence.boundingBox()
    if (!box || box.y < 0 || box.y + box.height > 844) outOfSight.push(at)
  }
  await phone.page.close()
  expect(outOfSight).toEqual([])
})

it('on a phone, the text of a fault rule has room next to its number', async () => {
  await fetch(`${url}/emulator/faults`, {
    method: 'POST',
    body: JSON.stringify({ at: 'link.toHost', on: 'closeFiscal', times: 1, do: 'drop' }),
  })
  const phone = await openPage(browser, { width: 390, height: 844 })
  await phone.page.goto(`${url}/#/faults`)
  const text = phone.page.locator('.rule-list li > div').first()
  await text.waitFor()
  expect((await text.boundingBox())?.width).toBeGreaterThan(250)
  await phone.page.close()
})

it('a form, a kind or a state that does not exist is as none', async () => {
  await expectSentence('documents/1?form=abc', 'X report')
  await expectSentence('documents?kind=abc', 'X report')
  await expectSentence('requests?status=abc', '/api/report-x')
  await expectSentence('wire?side=abc', 'report x')
})
