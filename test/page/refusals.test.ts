import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { panelPage } from './panel-page.ts'

const rig = panelPage()

const WRONG = ['abc', '-5', '1.2345', 'ден', '99999999999999999999'] as const

/** A message begins with a capital or a quotation, ends with a full stop, and contains neither braces nor brackets. */
const SENTENCE = /^(?:[A-Z]|"[^"]*" )[^{}[\]]*\.$/

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
    // A browser accepts no letters in a number field.
    if (isNumber && Number.isNaN(Number(text))) continue
    await field.fill(text)
    const messages = await refusalsOf(view, name, button)
    for (const one of messages) expect([name, text, one]).toEqual([name, text, expect.stringMatching(SENTENCE)])
    expect(new Set(messages).size).toBe(messages.length)
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
  ['documents/1?kind=z', 'The filter hides document 1.'],
] as const)('a link to %s that leads nowhere says what does not exist', async (at, words) => {
  printSample(rig.emulator)
  const view = await rig.open(at)
  await view.locator('.detail-card').getByText(words).waitFor()
  await view.setViewportSize({ width: 390, height: 844 })
  await view.locator('.detail-card').getByText(words).waitFor()
  await view.getByRole('button', { name: /^All (documents|requests)$/ }).click()
  await view.getByRole('status').first().waitFor()
  expect(await view.locator('.list-card').isVisible()).toBe(true)
})

it('the address of a comparison, or of another form, names the document that is shown', async () => {
  printSample(rig.emulator)
  printSample(rig.emulator)
  const view = await rig.open('documents')
  await view.getByLabel('Side by side with').selectOption('1')
  await expect.poll(() => view.url()).toMatch(/#\/documents\/2\?.*with=1/)
  printSample(rig.emulator)
  await view.reload()
  await view.getByRole('heading', { name: /2$/, level: 2 }).first().waitFor()
  await view.getByRole('button', { name: 'Frames', exact: true }).click()
  await expect.poll(() => view.url()).toMatch(/#\/documents\/2\?.*form=frames/)
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

it('letters in a number field are refused with a sentence, and stay to be read', async () => {
  const view = await rig.open('setup')
  const field = (name: string) => view.locator(`[name="${name}"]`)
  await field('plu').pressSequentially('7x')
  expect(await field('plu').inputValue()).toBe('7x')
  await field('name').fill('Tea')
  await field('price').fill('1.50')
  expect(await refusalsOf(view, 'plu', 'Program')).toEqual([
    '"7x" is not a whole number. Enter a whole number of at least 1.',
  ])
  await view.goto(`${rig.panel.url}/#/faults`)
  await field('skip').pressSequentially('two')
  await field('probability').pressSequentially('half')
  expect(await refusalsOf(view, 'skip', 'Add rule')).toEqual([
    '"two" is not a whole number. Enter a whole number of at least 0.',
    '"half" is not a number. Enter a number above 0, at most 1.',
  ])
  expect(rig.emulator.faults.list()).toEqual([])
})

it.each(['🍞', '茶'])(
  'a name with %s is refused with a sentence before it is printed as a question mark',
  async (sign) => {
    const view = await rig.open('setup')
    const name = view.locator('[name="name"]')
    await view.locator('[name="plu"]').fill('77')
    await name.fill(`Tea ${sign}`)
    await view.locator('[name="price"]').fill('1.50')
    const sentence = `The device cannot print ${sign}: it would print a question mark. Leave it out.`
    expect(await refusalsOf(view, 'name', 'Program')).toEqual([sentence])
    await name.fill('Чай Tea ÄÖ №1 ლ €')
    await view.getByRole('button', { name: 'Program' }).click()
    await view.getByText('Article 77 is programmed.').waitFor()
    await view.goto(`${rig.panel.url}/#/compose`)
    await view.getByRole('button', { name: 'Add a free row' }).click()
    await view.getByLabel('Name', { exact: true }).fill(sign)
    await view.getByLabel('Price', { exact: true }).fill('1')
    expect(await refusalsOf(view, 'ReceiptItems[0].FreeSale.ProductName', 'Print the receipt')).toEqual([sentence])
  },
)

describe('an old refusal disappears', () => {
  const alerts = (view: Page) => view.locator('form.form [role=alert]')

  it('from a field that is changed, and stays at the others', async () => {
    const view = await rig.open('setup')
    await view.locator('[name="plu"]').fill('77')
    await view.locator('[name="price"]').fill('abc')
    expect(await refusalsOf(view, 'plu', 'Program')).toHaveLength(2)
    await view.locator('[name="price"]').fill('1.50')
    await expect.poll(() => alerts(view).allTextContents()).toEqual(['Enter a name.'])
    await view.locator('[name="name"]').fill('Tea')
    await expect.poll(() => alerts(view).count()).toBe(0)
    await view.locator('[name="price"]').fill('abc')
    expect(await refusalsOf(view, 'plu', 'Program')).toHaveLength(1)
    await view.getByRole('button', { name: 'Change article 1', exact: true }).click()
    await expect.poll(() => alerts(view).count()).toBe(0)
  })

  it('from a rule when another effect is chosen', async () => {
    const view = await rig.open('faults')
    await view.locator('[name="effect"]').selectOption('split')
    await view.locator('[name="value"]').fill('x')
    expect(await refusalsOf(view, 'value', 'Add rule')).toHaveLength(1)
    await view.locator('[name="effect"]').selectOption('flip')
    await expect.poll(() => alerts(view).count()).toBe(0)
  })

  it('from a receipt, when the receipt that was open is cancelled', async () => {
    const view = await rig.open('compose')
    const { device } = rig.emulator
    device.openFiscal({ kind: 'sale', invoice: false, operator: 1, pointOfSale: 1 })
    await view.getByRole('button', { name: 'Add a free row' }).click()
    await view.getByLabel('Name', { exact: true }).fill('Tea')
    await view.getByLabel('Price', { exact: true }).fill('1.50')
    await view.getByRole('button', { name: 'Print the receipt' }).click()
    const refusal = view.locator('.wrong.whole').getByText(/is still open/)
    await refusal.waitFor()
    await view.getByRole('button', { name: 'Cancel it' }).click()
    await refusal.waitFor({ state: 'detached' })
  })

  it('from a receipt whose rows are changed, and when the paper is loaded', async () => {
    const view = await rig.open('compose')
    await view.getByRole('button', { name: 'Add it' }).click()
    await view.getByLabel('Void').check()
    const print = () => view.getByRole('button', { name: 'Print the receipt' }).click()
    await print()
    await alerts(view).getByText('Every row is void').waitFor()
    await view.getByLabel('Void').uncheck()
    await expect.poll(() => alerts(view).count()).toBe(0)
    rig.emulator.setPaper('out')
    await view.getByRole('button', { name: 'Clear' }).waitFor()
    await print()
    await alerts(view).first().waitFor()
    rig.emulator.setPaper('ok')
    await expect.poll(() => alerts(view).count()).toBe(0)
  })
})

it('an unknown view is named, and leads to the others', async () => {
  const view = await rig.open('foo')
  await view.getByText('The control panel has no view named foo.').waitFor()
  expect(await view.title()).toContain('No such view')
  expect(await view.locator('nav [aria-current]').count()).toBe(0)
  await view.locator('main').getByRole('link', { name: 'Paper' }).click()
  await view.locator('nav').getByRole('link', { name: 'Paper' }).and(view.locator('[aria-current="page"]')).waitFor()
})

it.each(['docs/nothing.html', 'docs/a/b'])(
  'a browser that opens /%s gets a page with a link, and a program gets JSON',
  async (path) => {
    const read = async (accept: string) => {
      const answer = await fetch(`${rig.panel.url}/${path}`, { headers: { Accept: accept } })
      return [answer.status, answer.headers.get('Content-Type')?.split(';')[0], await answer.text()] as const
    }
    const [status, type, text] = await read('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([status, type]).toEqual([404, 'text/html'])
    expect(text).toContain('href="/docs/"')
    expect((await read('*/*')).slice(0, 2)).toEqual([404, 'application/json'])
  },
)
