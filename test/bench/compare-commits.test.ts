import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startNode } from '../support/command.ts'
import { median } from './measure.ts'
import { comparisonTable, measurePairs, summaryOf } from './measure-pairs.ts'

const PROGRAM = join(import.meta.dirname, 'compare-commits.ts')

describe('the figures of two commits', () => {
  it('use the median: the value in the middle, or the mean of the two in the middle', () => {
    expect([median([3, 1, 2]), median([4, 10, 1, 2]), median([7]), median([])]).toEqual([2, 3, 7, Number.NaN])
  })

  it('use the median of the ratios of the pairs, which a slow moment of the machine does not change', () => {
    const pairs = [
      { before: 4, after: 8 },
      { before: 40, after: 80 },
      { before: 5, after: 15 },
    ]
    expect(summaryOf(pairs)).toEqual({ before: 5, after: 15, ratio: 2, lowest: 2, highest: 3 })
  })

  it('are a table with a row for each figure, and without a ratio to zero', () => {
    const pairs = [
      { before: 4, after: 8 },
      { before: 5, after: 5 },
    ]
    const table = comparisonTable(
      [
        { name: 'A: receipt', unit: 'ms', better: 'lower', pairs },
        { name: 'A: writes', unit: '', better: 'lower', pairs: [{ before: 0, after: 3 }] },
      ],
      'old',
      'new',
    )
    expect(table.split('\n')).toEqual([
      '| figure | old | new | ratio | ratios of the pairs | pairs | better |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| A: receipt | 4.50 ms | 6.50 ms | 1.50 | 1.00 to 2.00 | 2 | lower |',
      '| A: writes | 0 | 3 | - | - | 1 | lower |',
    ])
  })

  it('are measured in turns: each commit is measured first in half of the pairs', async () => {
    const order: string[] = []
    const results = await measurePairs(3, ['old', 'new'], (side, pair) => {
      order.push(side)
      return Promise.resolve(`${side} ${pair}`)
    })
    expect(order).toEqual(['old', 'new', 'new', 'old', 'old', 'new'])
    expect(results[1]).toEqual({ before: 'old 2', after: 'new 2' })
  })
})

describe('the command line of the comparison', () => {
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('fiscal-rig-bench-'))

  it.each([
    ['a commit that does not exist', ['--against', 'no-such-commit'], /^--against: .* no commit "no-such-commit": .*$/],
    ['an option instead of a commit', ['--against', '--all'], /^--against: .* no commit "--all": .*$/],
    [
      'zero pairs',
      ['--against', 'HEAD', '--pairs', '0'],
      /^error: .*'0' is invalid\. Must be a whole number between 1 and 1000\.$/,
    ],
    ['an unknown measurement', ['--against', 'HEAD', '--only', 'speed'], /^error: .*Allowed choices are embedded, .*$/],
  ])('refuses %s in one line, with exit status 2', async (_what, args, line) => {
    const before = copies()
    const { status, out, err } = await startNode([PROGRAM, ...args]).ended
    expect(err.trimEnd()).toMatch(line)
    expect({ status, out, copies: copies() }).toEqual({ status: 2, out: '', copies: before })
  })

  it('can be ended by a signal, and its temporary folder is removed', async () => {
    const running = startNode([PROGRAM, '--against', 'HEAD', '--only', 'tcp'])
    await expect.poll(() => running.log()).toMatch(/^copying /)
    const [, folder = ''] = /^copying \S+ to (.*)$/m.exec(running.log()) ?? []
    running.child.kill('SIGINT')
    const { status, out } = await running.ended
    expect({ status, out, isLeft: existsSync(folder) }).toEqual({ status: 130, out: '', isLeft: false })
  })
})
