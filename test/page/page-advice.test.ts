/** Messages of the service on the control panel advise nothing that only a client of the API can do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asPageAdvice } from '../../emulator/panel/page/src/parts/page-advice.ts'
import type { Effect } from '../../server/operations/outcome.ts'
import { sentenceOf, WORDS } from '../../server/operations/sentences.ts'
import { panelPage } from './panel-page.ts'

const rig = panelPage()

const refusals = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'refusals.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| .* \| (?<message>[A-Z].*\.) \|$/.exec(line)?.groups?.['message'] ?? [])

const outcomes = (Object.keys(WORDS) as Effect[]).flatMap((effect) =>
  (['key', 'order', undefined] as const).map((repeatedBy) =>
    sentenceOf({ status: 424, effect, receiptNumber: '17', ...(repeatedBy && { repeatedBy }), reasons: [] }),
  ),
)

/** Names of endpoints, headers and members of a request. */
const ONLY_FOR_CLIENTS = /\b[a-z]+(?:-[a-z]+)+-receipt\b|\bcall [a-z]+-|\bIdempotency-Key\b|\b[A-Z][a-z]+[A-Z]\w+\b/

it('no message advises an endpoint, a header or a member of a request', () => {
  expect(refusals.length).toBeGreaterThan(100)
  const shown = [...new Set([...refusals, ...outcomes].map(asPageAdvice))]
  expect(shown.filter((message) => ONLY_FOR_CLIENTS.test(message))).toEqual([])
})

it('a receipt that could not be closed says what its user can do, and the next one names both receipts', async () => {
  const page = await rig.open('compose')
  const print = page.getByRole('button', { name: 'Print the receipt' })
  await page.getByRole('button', { name: 'Add it' }).click()
  rig.emulator.faults.add({ at: 'command.before', on: 'closeFiscal', times: 1, do: 'paperOut' })
  await print.click()
  const alert = page.getByRole('alert').filter({ hasText: 'Completed as receipt 1' })
  await alert.getByText('Do not print it again: that would be a second receipt. Documents shows').waitFor()
  expect(await alert.textContent()).not.toContain('Idempotency-Key')
  rig.emulator.setPaper('ok')
  await print.click()
  await page.getByText('On paper: Fiscal receipt 2. Printed before it: Fiscal receipt 1.').waitFor()
})

it('a refused receipt names the document that the device has printed nevertheless', async () => {
  const page = await rig.open('compose')
  await page.getByRole('button', { name: 'Add it' }).click()
  rig.emulator.faults.add({ at: 'command.before', on: 'saleByPlu', times: 1, do: 'refuse' })
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.getByText('Printed meanwhile: Cancelled receipt 1.').waitFor()
})

it('on a phone, the reason why a receipt was refused is in sight', async () => {
  const page = await rig.open('compose', { width: 390, height: 844 })
  for (let count = 0; count < 3; count++) await page.getByRole('button', { name: 'Add it' }).click()
  rig.emulator.faults.add({ at: 'command.before', on: 'closeFiscal', times: 1, do: 'paperOut' })
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Completed as receipt 1' })
  await alert.waitFor()
  await expect
    .poll(async () => {
      const box = await alert.boundingBox()
      return box ? box.y + box.height : Number.POSITIVE_INFINITY
    })
    .toBeLessThanOrEqual(844)
})
