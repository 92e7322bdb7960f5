import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { panelPage } from './panel-page.ts'

const rig = panelPage()

/** Stops the clock of the page, so that a busy machine does not turn a double click into two clicks. */
const setTime = (page: Page, ms: number) => page.evaluate(`performance.now = () => ${ms}`)

describe('a double click', () => {
  it('on the button of a composed receipt prints one receipt, and a later click another', async () => {
    const page = await rig.open('compose')
    await setTime(page, 1_000_000)
    const { device } = rig.emulator
    await page.getByRole('button', { name: 'Add it' }).click()
    const print = page.getByRole('button', { name: 'Print the receipt' })
    await print.dblclick({ delay: 20 })
    await page.getByText('On paper: Fiscal receipt 1.').waitFor()
    expect(device.document(2)).toBeUndefined()
    await setTime(page, 2_000_000)
    await expect
      .poll(async () => {
        await print.click()
        return device.document(2)?.kind
      })
      .toBe('fiscal')
  })

  it('of the Enter key in a field of a composed receipt prints one receipt', async () => {
    const page = await rig.open('compose')
    await setTime(page, 1_000_000)
    await page.getByRole('button', { name: 'Add it' }).click()
    const quantity = page.getByLabel('Quantity')
    await quantity.fill('2')
    await quantity.press('Enter')
    await quantity.press('Enter')
    await page.getByText('On paper: Fiscal receipt 1.').waitFor()
    expect(rig.emulator.device.document(2)).toBeUndefined()
  })

  it('on the button of the sample prints one receipt, and on that of a document one copy', async () => {
    const page = await rig.open('documents')
    await setTime(page, 1_000_000)
    const { device } = rig.emulator
    await page.getByRole('button', { name: 'Print a sample receipt' }).dblclick()
    await page.getByText('Receipt 1 is printed.').waitFor()
    expect(device.document(2)).toBeUndefined()
    await page.getByRole('button', { name: 'Print again' }).dblclick()
    await page.getByText(/^Printed again/).waitFor()
    expect(device.document(2)).toBeDefined()
    expect(device.document(3)).toBeUndefined()
  })

  it('on the button of a story adds one rule', async () => {
    const page = await rig.open('faults')
    await setTime(page, 1_000_000)
    await page
      .getByRole('button', { name: /^Add: / })
      .first()
      .dblclick()
    await page
      .getByText(/Rule 1 /)
      .first()
      .waitFor()
    expect(rig.emulator.faults.list()).toHaveLength(1)
  })
})
