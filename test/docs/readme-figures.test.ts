import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withFigures } from '../bench/readme.ts'

const README = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8')

it('new measured figures replace the old figures, and the other text stays', () => {
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

it('families that are measured together share a row, which is split when one of them is measured again', () => {
  const ratios = (values: readonly number[]) =>
    values.map((value, at) => ({ name: `${'ABC'[at]}: a ratio`, value, unit: '', target: { atLeast: 1 } }))
  const speeds = ['A', 'B'].map((family) => ({
    name: `${family}: a speed`,
    value: 3249,
    unit: 'commands/s',
    target: { atLeast: 1 },
  }))
  const first = withFigures(README, [...ratios([0.85, 1, 0.5]), ...speeds], 'here')
  expect(first).toContain('\n| A, B, C: a ratio | 0.85, 1.00, 0.50 | >= 1, missed by A, C | here |\n')
  expect(first).toContain('\n| A, B: a speed | 3249, 3249 commands/s | >= 1 | here |\n')
  expect(withFigures(first, [], 'there')).toBe(first)
  const second = withFigures(first, ratios([2]), 'there')
  expect(second).toContain(
    '\n| A: a ratio | 2.00 | >= 1 | there |\n| B, C: a ratio | 1.00, 0.50 | >= 1, missed by C | here |\n',
  )
  expect(withFigures(second, ratios([0.85]), 'here')).toBe(first)
})

it('a README without a place for the figures is reported', () => {
  expect(() => withFigures('# nothing', [], '')).toThrow('the README has no place for figures')
})
