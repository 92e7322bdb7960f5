/** Several points meet one device: what goes wrong at one of them is still found, and named. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { bytesIn, countPassings, sweepBytes, sweepPower } from '../../scenarios/simulation/sweep.ts'
import { executesAgain, sumsWrong } from './broken.ts'

describe('a sweep of a device that executes again on a repeated number', () => {
  it('names each point where it does, one in each violation, and tries all others', async () => {
    const { points, answers, violations } = await sweepBytes('A', 'drop', undefined, { breakDevice: executesAgain })
    const found = violations.map((text) =>
      /^\{"at":"link.toHost","skip":(\d+),"times":1,"do":"drop","byte":(\d+)\}: /.exec(text),
    )
    expect(violations.filter((_text, index) => found[index] === null)).toEqual([])
    // The answer to the line of text, each of its bytes.
    const skips = new Set(found.map((match) => match?.[1]))
    expect(skips.size).toBe(1)
    expect(found.map((match) => Number(match?.[2]))).toEqual(violations.map((_text, byte) => byte))
    const passings = await countPassings('A')
    const toHost = passings.find(({ at }) => at === 'link.toHost')
    expect(violations).toHaveLength(toHost?.lengths[Number([...skips][0])] ?? 0)
    expect(violations.every((text) => text.includes('stands on it 2 times instead of 1'))).toBe(true)
    expect(points).toBe(bytesIn(passings))
    expect(answers['violation']).toBe(violations.length)
  })
})

describe('a sweep of a device whose sums of the day are wrong until the Z', () => {
  it.each(FAMILIES)('finds it behind the point itself, family %s', async (family) => {
    const { answers, violations } = await sweepPower(family, 'paper.line', undefined, { breakDevice: sumsWrong })
    // Behind all that have printed a receipt; the last rule strikes no more, and ends the sweep.
    expect(Object.keys(answers)).not.toContain('200')
    expect(violations).toHaveLength((answers['violation'] ?? 0) + 1)
    expect(violations.length).toBeGreaterThan(1)
    expect(violations.filter((text) => !/: the open day holds \d+\.\d\d, its receipts \d+\.\d\d$/.test(text))).toEqual(
      [],
    )
  })
})
