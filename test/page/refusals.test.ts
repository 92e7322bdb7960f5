/** Messages about wrong inputs: a sentence at the field, without internal names. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { printSample } from '../../emulator/panel/sample.ts'
import { panelPage } from './panel-page.ts'

const rig = panelPage()

/** Wrong inputs. */
const WRONG = ['abc', '-5', '1.2345', 'ден', '99999999999999999999'] as const

/**
 * A sentence begins with a capital or a quotation, ends with a full stop, and contains no path, JSON, or name of a
 * member.
 */
const SENTENCE = /^(?:[A-Z]|"[^"]*" )[^{}[\]]*\.$/

/**
 * Returns the messages after a click on the button: those of the form, or the browser's message at an invalid field.
 */
async function refusalsOf(view: Page, name: string, button: string): Promise<readonly string[]> {
  const form = view.locator('form.form').filter({ has: view.locator(`[name="${name}"]`) })
  await form.getByRole('button', { name: button, exact: true }).click()
  const byBrowser = await form
    .locator('input')
    .evaluateAll((all) => all.map((one) => (one as unknown as { validationMessage: string }).validationMessage))
  if (byBrowser.some((message) => message !== '')) return []
  await form.locator('[role=alert]').first().waitFor()
  return form.locator('[role=alert]').allTextContents()
}

async function expectSentences(view: Page, name: string, button: string): Promise<void> {
  const field = view.locator(`[name="${name}"]`)
  const valid = await field.inputValue()
  const isNumber = (await field.getAttribute('type')) === 'number'
  for (const text of WRONG) {
    // The browser accepts no letters in a number field.
    if (isNumber && Number.isNaN(Number(text))) continue
    await field.fill(text)
    const shown = await refusalsOf(view, name, button)
    for (const one of shown) expect([name, text, one]).toEqual([name, text, expect.stringMatching(SENTENCE)])
    expect(new Set(shown).size).toBe(shown.length)
  }
  await field.fill(valid)
}

it('a refused article has a sentence at each wrong field', async () => {
  const view = await rig.open('setup')
  await view.getByLabel('PLU', { exact: true }).fill('77')
  await view.getByLabel('Name', { exact: true }).fill('Tea')
  await view.getByLabel('Price', { exact: true }).fill('1.50')
  for (const name of ['plu', 'price', 'department']) await expectSentences(view, name, 'Program')
  expect(rig.emulator.device.articles.get(77)).toBeUndefined()
})

it('a refused rule has a sentence at each wrong field, and each sentence is said once', async () => {
  const view = await rig.open('faults')
  for (const name of ['on', 'skip', 'times', 'probability']) await expectSentences(view, name, 'Add rule')
  const field = (name: string) => view.locator(`[name="${name}"]`)
  await field('effect').selectOption('split')
  await expectSentences(view, 'value', 'Add rule')
  await field('effect').selectOption('drop')
  await field('on').fill('')
  await field('times').fill('99999999999999999999')
  expect(await refusalsOf(view, 'times', 'Add rule')).toEqual(['Expected a whole number from 1 to 1000000000.'])
  await field('times').fill('1')
  await field('probability').fill('0')
  expect(await refusalsOf(view, 'probability', 'Add rule')).toEqual([
    'With 0, this rule would never be triggered. Enter a number above 0, at most 1.',
  ])
})

it('a refused command name is answered with similar names, and impossible effects of a place are not offered', async () => {
  const view = await rig.open('faults')
  await view.locator('[name="on"]').fill('openFiscall')
  const [message] = await refusalsOf(view, 'on', 'Add rule')
  expect(message).toMatch(/^"openFiscall" is not a command of this device\. Did you mean openFiscal/)
  await view.locator('[name="at"]').selectOption('memory.write')
  const offered = await view.locator('[name="effect"] option').evaluateAll((all) => all.map((one) => one.textContent))
  expect(offered).toHaveLength(4)
})

it.each([
  ['documents/9999', 'There is no document 9999. Choose one from the list.'],
  ['documents/1?kind=zReport', 'The filter hides document 1.'],
  ['requests/9999', 'There is no request 9999'],
  ['requests/abc', 'There is no request abc.'],
] as const)('a link to %s that leads nowhere says what does not exist', async (at, words) => {
  printSample(rig.emulator)
  const view = await rig.open(at)
  await view.locator('.detail-card').getByText(words).waitFor()
})

it('a refused receipt has a sentence at each wrong field', async () => {
  const view = await rig.open('compose')
  await view.getByRole('button', { name: 'Add a free row' }).click()
  await view.getByRole('button', { name: 'Add a payment' }).click()
  for (const [label, text] of [
    ['Name', 'Tea'],
    ['Price', '1.50'],
    ['Amount', '1.50'],
  ] as const)
    await view.getByLabel(label, { exact: true }).fill(text)
  const row = 'ReceiptItems[0].FreeSale'
  for (const name of [`${row}.Price`, `${row}.Quantity`, 'Payments[0].Amount'])
    await expectSentences(view, name, 'Print the receipt')
})
