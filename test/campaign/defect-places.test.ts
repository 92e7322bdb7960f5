/**
 * Every seeded defect replaces a text that exists in the sources exactly once. The defects themselves rotate
 * (defects.test.ts).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DEFECTS } from './defects.ts'

it.each(DEFECTS)('the sources have exactly one place for $what', ({ file, from }) => {
  expect(readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8').split(from)).toHaveLength(2)
})
