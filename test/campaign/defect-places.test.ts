/**
 * Every seeded defect replaces a text that exists in the sources exactly once. Every `npm test` checks this for all
 * defects, but runs the campaigns that find them (defects.test.ts) for a changing selection only.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DEFECTS } from './defects.ts'

it.each(DEFECTS.map((one) => [one.what, one] as const))(
  'the sources have exactly one place for %s',
  (_what, { file, from }) => {
    expect(readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8').split(from)).toHaveLength(2)
  },
)
