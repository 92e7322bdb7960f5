/** The table of worlds detects an unsound and an unsharp verdict. The truth depends on the sender of the frame. */
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../drivers/families.ts'
import { LOST_WITH_THE_LINE } from './events.ts'
import { STEPS } from './steps.ts'
import { verdictOf } from './verdict-under-test.ts'
import { keyFrameOf, plansOf, play } from './worlds.ts'
import { isFalse, isUnsharp, tableOf } from './worlds-table.ts'

const named = (name: string) => STEPS.find((step) => step.name === name) as (typeof STEPS)[number]
const X = named('prints an X report')

const some = { isTried: (place: number) => place < 8 }

const withoutHold: typeof verdictOf = (what, before, now, facts) =>
  verdictOf(what, before, before.hold === undefined ? now : { ...now, hold: before.hold }, facts)

describe.each(FAMILIES)('the table of worlds of family %s', (family) => {
  it('detects a verdict that ignores the hold of the line', async () => {
    const frame = await keyFrameOf({ family }, X)
    if (!frame) throw new Error('it has no X report')
    const plans = [...plansOf(() => true)].filter(
      ({ fate, acts: [first] }) => fate === LOST_WITH_THE_LINE && first?.deed.name.startsWith('another program prints'),
    )
    const found: string[] = []
    for (const plan of plans) {
      const world = await play({ family }, X, frame, plan, withoutHold)
      if (world && isFalse(world)) found.push(world.name)
    }
    expect(found).toContain('the frame is lost with the line; another program prints an X report')
  })

  it('detects a verdict that is never definite', async () => {
    const table = await tableOf({ family }, X, { ...some, verdict: () => 'undecided' })
    const unsharp = table?.groups.filter(isUnsharp) ?? []
    expect(unsharp.length).toBeGreaterThan(2)
    expect(table?.worlds.some(isFalse)).toBe(false)
  })

  it('counts executions that belong to this service, and not equal commands of another program', async () => {
    const frame = await keyFrameOf({ family }, X)
    const plan = [...plansOf(() => true)].find(
      ({ fate, acts }) => fate === LOST_WITH_THE_LINE && acts[0]?.deed.name === 'another program prints an X report',
    )
    const world = frame && plan && (await play({ family }, X, frame, plan))
    expect(world).toMatchObject({ truth: 'not', isHeld: false, verdict: 'undecided' })
  })
})
