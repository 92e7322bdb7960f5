import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fidelityOfLedger } from '../bin/commands/docs.ts'
import { outcomesText } from '../bin/docs/outcomes-page.ts'

const golden = new URL('../fixtures/fidelity.md', import.meta.url)
const outcomes = new URL('../fixtures/outcomes.md', import.meta.url)

it('the sentences of 424 equal those that `npm run docs` writes', () => {
  expect(readFileSync(outcomes, 'utf8')).toBe(outcomesText())
})

it('the fidelity table equals the table that `npm run docs` writes', async () => {
  expect(readFileSync(golden, 'utf8')).toBe(await fidelityOfLedger())
})

it.each(['fixtures/fidelity.md', 'fixtures/outcomes.md'])('the README links to %s', (file) => {
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(`(${file})`)
})
