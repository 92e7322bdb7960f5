import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { axeFindings } from '../page/browser.ts'
import { ask, builtSite, RECEIPT } from './built-site.ts'
import { wirePort } from './serial-port.ts'

const site = builtSite()

const WIDTHS = [1440, 390] as const
const SCHEMES = ['light', 'dark'] as const
const LOOKS = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => [width, scheme] as const))

const optionsOf = (width: number, colorScheme: 'light' | 'dark'): BrowserContextOptions => ({
  viewport: { width, height: width > 1000 ? 900 : 844 },
  colorScheme,
})

async function expectFit(page: Page, width: number, name: string): Promise<void> {
  const folder = process.env['RIG_PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  expect(await axeFindings(page)).toEqual([])
}

describe.each(LOOKS)('at %i pixels, %s, axe-core finds nothing, and nothing is too wide, on', (width, scheme) => {
  const labelOf = (name: string) => `${name}-${width}-${scheme}`

  it('the site with a device and a shared scenario', async () => {
    const context = await site.context(optionsOf(width, scheme))
    const page = await context.newPage()
    await page.goto(site.address)
    await ask(page, '/api/print-fiscal-receipt', RECEIPT)
    await page.getByText('Fiscal receipt 1').first().waitFor()
    await expectFit(page, width, labelOf('page'))
    await page.getByRole('button', { name: 'Copy a link to this session' }).click()
    await page.getByText('The link is copied.').waitFor()
    const shared = await context.newPage()
    await shared.goto(await page.evaluate<string>('navigator.clipboard.readText()'))
    await shared.getByText(/^Shared scenario ".*" passed/).waitFor()
    await expectFit(shared, width, labelOf('shared'))
    await shared.goto(`${site.address}#scenario=AAAA`)
    await shared.getByText('The link is damaged').waitFor()
    // The page is dimmed until its new device is connected.
    await shared.locator('.frame:not(.stale)').waitFor()
    await expectFit(shared, width, labelOf('damaged'))
  })

  it('the page of a printer, before and after its passport is read', async () => {
    const emulator = createEmulator({ family: 'B' })
    onTestFinished(() => emulator.close())
    const context = await site.context(optionsOf(width, scheme))
    await wirePort(context, emulator)
    const page = await context.newPage()
    await page.goto(`${site.address}printer.html`)
    await page.getByRole('heading', { name: 'Connect a printer' }).waitFor()
    await expectFit(page, width, labelOf('printer'))
    await page.getByRole('button', { name: 'Choose a port' }).click()
    await page.getByRole('button', { name: 'Take a passport' }).click()
    await page.getByText('The passport is complete.').waitFor()
    await expectFit(page, width, labelOf('passport'))
  })
})
