/**
 * The page for a real printer works over a replaced serial port, with the same drivers and the same passport as on any
 * line.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import type { Family } from '../../drivers/model/families.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { Rule } from '../../emulator/faults/rule.ts'
import { builtSite } from './built-site.ts'
import { wirePort } from './serial-port.ts'

const site = builtSite()

async function openWith(family: Family, plan: readonly Rule[] = []): Promise<{ page: Page; emulator: Emulator }> {
  const emulator = createEmulator({ family })
  onTestFinished(() => emulator.close())
  const context = await site.context()
  await wirePort(context, emulator)
  const page = await context.newPage()
  await page.goto(`${site.address}printer.html`)
  await page.getByRole('button', { name: 'Choose a port' }).click()
  await page.getByRole('button', { name: 'Read the status' }).waitFor()
  emulator.faults.addAll(plan)
  return { page, emulator }
}

const statusShows = (page: Page, words: string | RegExp) =>
  page.getByRole('status').filter({ hasText: words }).waitFor()

describe.each(['A', 'B', 'C'] as const)('a printer of family %s', (family) => {
  it('is found, and prints a test slip only after consent, and only once, whatever the line loses', async () => {
    const { page, emulator } = await openWith(family, [
      { at: 'link.toHost', skip: 1, times: 1, do: 'drop' },
      { at: 'link.toDevice', skip: 3, times: 1, do: 'drop' },
      { at: 'link.toHost', skip: 5, times: 1, do: { flip: 9 } },
      { at: 'link.toDevice', skip: 6, times: 1, do: { flip: 9 } },
      { at: 'link.toHost', skip: 8, times: 1, do: 'duplicate' },
      { at: 'link.toHost', skip: 9, times: 1, do: { split: 2 } },
    ])
    await statusShows(page, `A device of family ${family} answers`)
    await statusShows(page, emulator.profile.serialNumber)
    await page.getByRole('button', { name: 'Read the status' }).click()
    await statusShows(page, 'No receipt is open.')
    const print = page.getByRole('button', { name: 'Print a test slip' })
    expect(await print.isDisabled()).toBe(true)
    expect(emulator.device.documents()).toEqual([])
    await page.getByLabel('The printer may print a test slip').check()
    await print.click()
    await statusShows(page, 'The test slip is printed.')
    expect(emulator.device.documents().map(({ kind }) => kind)).toEqual(['nonFiscal'])
    await page.getByRole('button', { name: 'Choose a port' }).click()
    await statusShows(page, `A device of family ${family} answers`)
  })

  it('has a passport that is shown and saved, and prints nothing for it', async () => {
    const { page, emulator } = await openWith(family)
    await page.getByRole('button', { name: 'Take a passport' }).click()
    await statusShows(page, 'The passport is complete.')
    await page.getByText('How much agrees').waitFor()
    const save = page.getByRole('button', { name: 'Save the passport' })
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
    expect(parse(readFileSync(await download.path(), 'utf8'))).toMatchObject({
      passport: 1,
      complete: true,
      depth: 'read',
      device: { family, serialNumber: emulator.profile.serialNumber },
    })
    expect(emulator.device.documents()).toEqual([])
  })
})

it('the site distinguishes a port without an answering device from a port that cannot be opened', async () => {
  const emulator = createEmulator({ family: 'A' })
  onTestFinished(() => emulator.close())
  emulator.setPower(false)
  const context = await site.context()
  await wirePort(context, emulator)
  const page = await context.newPage()
  await page.goto(`${site.address}printer.html`)
  await page.getByRole('button', { name: 'Choose a port' }).click()
  await statusShows(page, 'No device answers on this port.')
})
