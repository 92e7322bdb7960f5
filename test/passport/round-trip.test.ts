import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emulatedFamilies } from '../../emulator/families.ts'
import { essence, PROFILES, passportOf } from './support.ts'

/** A passport, given to a new emulated device, yields the same passport again. */

const RUNS = 2
const LONG_MS = 120_000

/** What `edition` stands for is the same by its own name. */
const meant = (profile: string, value: string): string =>
  value === 'edition' ? (profile === 'ro' ? 'endOfData' : 'ejNoRecords') : value

describe.each(PROFILES)('the passport of %s %s', (family, profile) => {
  const choices = emulatedFamilies.get(family)?.switches ?? {}
  const anySwitches = fc.record(
    Object.fromEntries(Object.entries(choices).map(([name, values]) => [name, fc.constantFrom(...values)])),
  )

  it('has no difference for a device as it leaves the works', async () => {
    const { passport, conversation } = await passportOf({ family, profile, depth: 'day' })
    expect(passport.differences).toEqual([])
    expect(passport.overrides).toEqual([])
    expect(conversation.leftOut).toEqual([])
  })

  it(
    'is the same of the device that it makes, with any switches',
    async () => {
      await fc.assert(
        fc.asyncProperty(anySwitches, async (options) => {
          const first = (await passportOf({ family, profile, depth: 'day', options })).passport
          const second = (await passportOf({ family, profile, depth: 'day', passport: first })).passport
          expect(essence(second)).toEqual(essence(first))
          expect(first.overrides).toEqual([])
          for (const [name, value] of Object.entries(first.switches))
            expect([name, meant(profile, String(options[name]))]).toEqual([name, meant(profile, value)])
          expect([...Object.keys(first.switches), ...first.notSeen].sort()).toEqual(Object.keys(choices).sort())
        }),
        { numRuns: RUNS, seed: 18 },
      )
    },
    LONG_MS,
  )
})
