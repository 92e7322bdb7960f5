import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Passport } from '../../emulator/passport/passport.ts'
import { passportHtml } from '../../scenarios/passport/report/html.ts'
import { passportPretty } from '../../scenarios/passport/report/pretty.ts'
import { axeFindings, type Browser, openBrowser, openPage } from '../page/browser.ts'
import { answerA, readA } from './firmware.ts'
import { passportOfInvented } from './record-passport.ts'

let browser: Browser
let passport: Passport
beforeAll(async () => {
  browser = await openBrowser()
  passport = await passportOfInvented('A', 'bg', 'fiscal', {
    answers(request, answer) {
      const { command } = readA(request)
      const { data } = readA(answer)
      if (command === 49 && data === '-111016\t') return answerA(answer, { data: '-111008\t' })
      return command === 90 ? answerA(answer, { data: data.replace('1.00BG', '<b>2.10') }) : undefined
    },
  })
}, 120_000)
afterAll(() => browser.close())

const provenance = () => 'derived'

describe('the page of a passport', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['dark', 360],
  ] as const)('has no finding of axe-core, %s at %i pixels', { timeout: 60_000 }, async (scheme, width) => {
    const { page, troubles } = await openPage(browser, { width, height: 800, scheme })
    await page.setContent(passportHtml(passport, new Date(0), provenance))
    expect(await page.locator('h1').textContent()).toContain('FPA-EMULATOR-100X, family A, profile bg')
    expect(await page.getByText('01 30 30', { exact: false }).first().isVisible()).toBe(false)
    expect(await page.locator('header').textContent()).toContain('fiscal receipts of the smallest amount')
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(
      await page
        .getByText('refused with -111008 (item group out of range), the emulator has -111016 (no receipt is open)')
        .first()
        .isVisible(),
    ).toBe(true)
    expect(await page.locator('.item').first().textContent()).toContain('sheet A ')
    expect(await page.locator('.item h3').allTextContents()).toContainEqual(
      expect.stringMatching(/^device info, with no receipt open/),
    )
    const marked = await page.locator('.item mark').allTextContents()
    expect(marked.join(' ')).toContain('3C 62 3E 32 2E 31 30')
    expect(await page.locator('.item').first().textContent()).toContain('derived until now')
    expect(await axeFindings(page)).toEqual([])
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect({ wider, troubles }).toEqual({ wider: 0, troubles: [] })
    await page.close()
  })

  it('copies a report for the protocol specifications', { timeout: 60_000 }, async () => {
    const { page } = await openPage(browser, { width: 1280, height: 800 })
    await page.setContent(passportHtml(passport, new Date(0), provenance))
    await page.getByRole('button', { name: 'Copy the report' }).click()
    await page.getByText(/^(Copied|Selected: copy it)/).waitFor()
    const report = await page.locator('#report').textContent()
    for (const { probe, request } of passport.differences) {
      expect(report).toContain(probe)
      expect(report).toContain(request)
    }
    await page.close()
  })

  it('is one file, in which the text of the device remains text', () => {
    const html = passportHtml(passport, new Date(0), provenance)
    expect(html).not.toMatch(/<(?:link|img|iframe)\b|\bsrc=|https?:\/\/| (?:style|on\w+)=/)
    expect(html).not.toContain('<b>2.10')
  })
})

it('the report in the terminal contains the same facts in a few lines', () => {
  const text = passportPretty(passport, false)
  expect(text).toContain(
    'refused with -111008 (item group out of range), the emulator has -111016 (no receipt is open)',
  )
  expect(text).toContain(`${passport.same} of ${passport.same + passport.differences.length} queries`)
  expect(text.split('\n').length).toBeLessThan(60)
})
