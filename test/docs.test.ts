import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fidelityOfLedger } from '../bin/commands/docs.ts'

const golden = new URL('../fixtures/fidelity.md', import.meta.url)

it('the fidelity table is the one that `npm run docs` writes', async () => {
  expect(readFileSync(golden, 'utf8')).toBe(await fidelityOfLedger())
})

it('the README links to the fidelity table', () => {
  expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain('(fixtures/fidelity.md)')
})
