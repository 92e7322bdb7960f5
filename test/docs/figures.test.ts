/** The figures of the README are written by the bench. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withFigures } from '../bench/readme.ts'

const README = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')

it('what was measured takes the place of what stood there, and the rest stays', () => {
  const first = withFigures(
    README,
    [
      { name: 'a start', value: 900.4, unit: 'ms', target: { atMost: 1000 } },
      { name: 'a ratio', value: 0.4, unit: '', target: { atLeast: 0.5 } },
      { name: 'told to nobody', value: 1, unit: '' },
    ],
    'here',
  )
  const second = withFigures(first, [{ name: 'a ratio', value: 0.6, unit: '', target: { atLeast: 0.5 } }], 'there')
  expect(first).toContain('\n| a start | 900 ms | <= 1000 | here |\n| a ratio | 0.40 | >= 0.5, missed | here |\n')
  expect(second).toContain('\n| a start | 900 ms | <= 1000 | here |\n| a ratio | 0.60 | >= 0.5 | there |\n')
  expect(second).not.toContain('told to nobody')
  expect(second.split('<!-- end')[1]).toBe(README.split('<!-- end')[1])
})

it('a README without the place is told', () => {
  expect(() => withFigures('# nothing', [], '')).toThrow('the README has no place for figures')
})
