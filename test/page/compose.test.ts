import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { problemsOf } from '../../emulator/panel/page/src/compose/problems.ts'
import { EMPTY, newRow, totalOf } from '../../emulator/panel/page/src/compose/receipt.ts'
import { printSample } from '../../emulator/panel/sample-receipt.ts'
import { pluSale } from '../../server/endpoints/bodies.ts'
import { infoOf } from '../../server/fields.ts'
import { otherPanel, panelPage } from './panel-page.ts'

const rig = panelPage()

describe('a receipt that is composed on the page', () => {
  it('is printed as any other, with articles, free rows, a void, discounts and payments', async () => {
    const page = await rig.open('compose')
    const row = (name: string) => page.getByRole('group', { name })
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByLabel('Article').selectOption({ label: 'Milk 1 l, 1.50 (PLU 2)' })
    for (let times = 0; times < 2; times++) await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByRole('button', { name: 'Add a free row' }).click()
    await row('Row 1, Bread').getByLabel('Quantity').fill('3')
    await row('Row 1, Bread').getByLabel('Discount').selectOption('Discount %')
    await row('Row 1, Bread').getByLabel('How much').fill('10')
    await row('Row 3, Milk 1 l').getByLabel('Void').check()
    await row('Row 4, free').getByLabel('Name').fill('Чай от лайка')
    await row('Row 4, free').getByLabel('Price').fill('2.35')
    await page.getByRole('button', { name: 'Add a payment' }).click()
    await row('Payment 1').getByLabel('Mode').selectOption('CARD')
    await row('Payment 1').getByLabel('Amount').fill('1')
    await page.getByRole('button', { name: 'Add a payment' }).click()
    await row('Payment 2').getByLabel('Amount').fill('10')
    await page.getByRole('button', { name: 'Print the receipt' }).click()
    await page.getByText('On paper: Fiscal receipt 1.').waitFor()
    const { device } = rig.emulator
    expect(device.document(1)?.text.map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^3 x 1\.20 +3\.60 A$/),
        expect.stringMatching(/^DISCOUNT -10\.00% +-0\.36 A$/),
        'VOID',
        'Чай от лайка',
        expect.stringMatching(/^TOTAL +5\.59$/),
        expect.stringMatching(/^CARD +1\.00$/),
        expect.stringMatching(/^CHANGE +5\.41$/),
      ]),
    )
    expect(device.display.lines.map((line) => line.trim())).toEqual(['CHANGE', '5.41'])
    await page.locator('.roll .paper.torn').waitFor()
  })

  it('is refused with a sentence at each wrong field, until the field is corrected', async () => {
    const page = await rig.open('compose', { width: 390 })
    await page.getByRole('button', { name: 'Add a free row' }).click()
    await page.getByLabel('Price').fill('1,50')
    await page.getByRole('button', { name: 'Print the receipt' }).click()
    await page.locator('[aria-invalid]').first().waitFor()
    const messages = await page.evaluate<
      readonly string[]
    >(`[...document.querySelectorAll('[aria-invalid]')].map((field) =>
      field.name + ' ' + document.getElementById(field.getAttribute('aria-describedby')).textContent)`)
    expect(messages).toEqual([
      'ReceiptItems[0].FreeSale.ProductName Enter a name.',
      'ReceiptItems[0].FreeSale.Price Write 1.50: the decimal separator is a point.',
    ])
    expect(await page.evaluate('document.activeElement.name')).toBe('ReceiptItems[0].FreeSale.ProductName')
    await page.getByLabel('Name').fill('Tea')
    await page.getByLabel('Price').fill('1.50')
    await page.getByRole('button', { name: 'Print the receipt' }).click()
    await page.getByText('On paper: Fiscal receipt 1.').waitFor()
    expect(await page.locator('[aria-invalid]').count()).toBe(0)
  })
})

it('a refusal replaces the message of the receipt that was printed before it', async () => {
  const page = await rig.open('compose')
  const message = page.getByText('On paper: Fiscal receipt 1.')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await message.waitFor()
  await page.getByLabel('Quantity').fill('1,5')
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.locator('[aria-invalid]').waitFor()
  // The message would disappear by itself after six seconds.
  await message.waitFor({ state: 'detached', timeout: 1000 })
})

it('an article that another program has changed is not printed at a price that was not shown', async () => {
  const page = await rig.open('compose')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByText('Total 1.20').waitFor()
  const bread = rig.emulator.device.articles.get(1)
  if (!bread) throw new Error('article 1 is missing')
  rig.emulator.device.articles.program({ ...bread, price: 1999 })
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByText('Another program has changed an article: check the new total, then print.').waitFor()
  expect(rig.emulator.device.document(1)).toBeUndefined()
  await page.getByText('Total 19.99').waitFor()
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByText('On paper: Fiscal receipt 1.').waitFor()
})

it('a card payment above the total promises no change', async () => {
  const page = await rig.open('compose')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByRole('button', { name: 'Add a payment' }).click()
  await page.getByLabel('Amount').fill('500')
  await page.getByText('Total 1.20, change 498.80').waitFor()
  await page.getByLabel('Mode').selectOption('CARD')
  await page.getByText('Total 1.20. The payments other than cash are 498.80 more than').waitFor()
})

it.each([
  ['a payment that is too small', 'CASH', '0.50', 'The payments are 0.70 less than the total of 1.20.'],
  [
    'a card payment that is too large',
    'CARD',
    '500',
    'The payments other than cash are 498.80 more than the total of 1.20: only cash gives change.',
  ],
] as const)('%s is refused before anything is printed', async (_what, mode, amount, message) => {
  const page = await rig.open('compose')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByRole('button', { name: 'Add a payment' }).click()
  await page.getByLabel('Mode').selectOption(mode)
  await page.getByLabel('Amount').fill(amount)
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByRole('alert').filter({ hasText: message }).waitFor()
  expect(rig.emulator.device.documents()).toEqual([])
})

it('a receipt of void rows only is refused before anything is printed', async () => {
  const page = await rig.open('compose')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByLabel('Void').check()
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByText('Every row is void: a receipt needs at least one sale.').waitFor()
  expect(rig.emulator.device.documents()).toEqual([])
})

it('the page offers articles only for a device of family B, and says why', async () => {
  const { url } = await otherPanel('B')
  const page = await rig.open('compose', { url })
  await page.getByText('sells programmed articles only').waitFor()
  expect(await page.getByRole('button', { name: 'Add a free row' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByText('On paper: Fiscal receipt 1.').waitFor()
})

it('a document is printed again, and reported as a new one', async () => {
  printSample(rig.emulator)
  const page = await rig.open('documents/1')
  await page.getByRole('button', { name: 'Print again' }).click()
  await page.getByText('Printed again: Fiscal receipt 2, a new document with the same content.').waitFor()
  rig.emulator.device.reportZ()
  await page.goto(`${rig.panel.url}/#documents/3`)
  await page.getByRole('heading', { name: 'Z report 1 (document 3)' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: 'Print again' }).count()).toBe(0)
  const why = await fetch(`${rig.panel.url}/emulator/documents/3/again`)
  expect(await why.json()).toEqual({
    refusal: 'it cannot be printed again: a second Z report would close the current day',
  })
})

it.each([
  ['2', '100'],
  ['4', '1.20'],
])(
  'a discount of the whole sum on the subtotal (%s) is refused with a payment before it is sent',
  async (kind, size) => {
    const { emulator, url } = await otherPanel('C')
    const page = await rig.open('compose', { url })
    await page.getByRole('button', { name: 'Add it' }).click()
    await page.getByLabel('On the subtotal').selectOption(kind)
    await page.getByLabel('How much').fill(size)
    await page.getByRole('button', { name: 'Add a payment' }).click()
    const payment = page.getByRole('group', { name: 'Payment 1' })
    for (const mode of ['1', '0']) {
      await payment.getByLabel('Mode').selectOption(mode)
      await payment.getByLabel('Amount').fill('1.20')
      await page.getByRole('button', { name: 'Print the receipt' }).click()
      await page.getByRole('alert').getByText('The total is 0.00 and nothing is left to pay').waitFor()
    }
    expect(emulator.device.counters.papers).toBe(0)
    await page.getByRole('button', { name: 'Remove payment 1' }).click()
    await page.getByRole('button', { name: 'Print the receipt' }).click()
    await page.getByText('On paper: Fiscal receipt 1.').waitFor()
  },
)

it('a total of 0.00 is refused before it is sent to a device that closes no such receipt', async () => {
  const page = await rig.open('compose')
  await page.getByRole('button', { name: 'Add it' }).click()
  await page.getByLabel('On the subtotal').selectOption('4')
  await page.getByLabel('How much').fill('1.20')
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByRole('alert').getByText('The total is 0.00, and this device closes no receipt of 0.00').waitFor()
  expect(rig.emulator.device.counters.papers).toBe(0)
})

it('payments that match no total to which the device may round are refused before they are sent', () => {
  const problemWith = (amount: string) => {
    const payments = [{ key: 1, mode: '1', amount }]
    const draft = { ...EMPTY, rows: [newRow(1, 'Bread')], discount: '2', value: '10', payments }
    const [problem] = problemsOf(
      draft,
      totalOf(draft, () => '1.20'),
      true,
    )
    return problem?.message
  }
  expect(problemWith('1.07')).toBeUndefined()
  expect(problemWith('0.50')).toBe('The payments are 0.58 less than the total of 1.08.')
  expect(problemWith('2')).toMatch(/^The payments other than cash are 0\.92 more than the total of 1\.08: only cash/)
})

it('a quantity has the limits of the service', () => {
  const rowOf = (quantity: string) => ({ ...newRow(1, 'Bread'), quantity })
  const problems = (quantity: string) => problemsOf({ ...EMPTY, rows: [rowOf(quantity)] }, undefined, true)
  const { min, max } = infoOf(infoOf(pluSale).members?.['Quantity'] as z.ZodType)
  expect([min, max]).toEqual([10, 999_999_999])
  for (const quantity of ['0.009', '0', '1000000'])
    expect(problems(quantity)).toMatchObject([{ message: 'Enter a quantity from 0.010 to 999999.999.' }])
  for (const quantity of ['0.01', '999999.999', '']) expect(problems(quantity)).toEqual([])
})
