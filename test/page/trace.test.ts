import { afterAll, beforeAll, expect, it } from 'vitest'
import { reportPage } from '../../scenarios/runner/report/html.ts'
import { reportDataOf } from '../../scenarios/runner/report/report-data.ts'
import { play, scenarioFile } from '../scenarios/play.ts'
import { axeFindings, type Browser, openBrowser, openPage } from './browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const SCENARIO = `name: paper runs out
families: [A]
steps:
  - paper: out
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
    expect: { StatusCode: 424 }
  - paper: ok
  - post /print-fiscal-receipt: { ReceiptItems: [{ Type: 1, PluSale: { PluNumber: 1 } }] }
  - wait: 2s
`

it('the page of a trace shows the device before and after each step, and only the paper of that moment', async () => {
  const { results } = await play([scenarioFile(SCENARIO)], { families: ['A'], everything: true })
  const accounts = results.map(reportDataOf)
  const counts = { passed: 1, flaky: 0, failed: 0, notRun: 0, leftOut: 0, durationMs: 1 }
  const facts = { target: 'emulator', seed: 0, plays: 1, command: 'npx fiscal-rig run' }
  const { text } = reportPage({ accounts, counts, facts, at: new Date(0) })
  const { page, troubles } = await openPage(browser, { width: 1440, height: 900 })
  await page.setContent(text)
  await page.locator('.entry > summary').click()
  const line = page.getByRole('group', { name: 'Timeline' })
  const slider = line.getByRole('slider', { name: 'Step' })
  await slider.focus()
  await page.keyboard.press('Home')
  await line.getByRole('heading', { name: /^Step 1 of / }).waitFor()
  const row = (name: string) => line.getByRole('row', { name: new RegExp(`^${name}`) })
  expect(await row('Paper').innerText()).toMatch(/loaded\s+out/)
  expect(await row('Cover').innerText()).toMatch(/^Cover\s+closed$/)
  expect(await page.locator('[data-document]:visible').count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await row('Paper').innerText()).toMatch(/out\s+loaded/)
  await page.keyboard.press('ArrowRight')
  await page.locator('[data-document]').first().waitFor()
  expect(await row('Day').innerText()).toMatch(/0\.00\s+1\.20/)
  expect(await page.locator('.steps .took').allInnerTexts()).toEqual(['2,000 ms'])
  await page.locator('.steps').getByText('424', { exact: true }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(troubles).toEqual([])
  await page.close()
})
