/**
 * A passport of an emulated device with any switches, loaded into a new device, yields the same passport.
 * `npm run test:deep` plays more sets of switches on every profile. RIG_SEED selects other sets.
 */
import { describe, expect, it } from 'vitest'
import { emulatedFamilies } from '../../emulator/families.ts'
import { seededRandom } from '../../emulator/faults/seeded-random.ts'
import { suiteRuns } from '../model/seed.ts'
import { isDeep, slice } from '../support/slice.ts'
import { essence, PROFILES, passportOf } from './record-passport.ts'

const RUNS = suiteRuns(1, 20)
/** The seed 34 sets each observable switch at least once without another switch that hides it. */
const SEED = Number(process.env['RIG_SEED'] ?? 34)
const LONG_MS = 60_000

/**
 * Switches that no query of any depth reveals: empty stock and the code page of texts on paper, busy bytes, access to
 * the memory, and the behaviour at midnight, with an open cover, before fiscalisation, and with a reversal. A passport
 * neither waits for the end of the day, nor opens covers, nor changes the state of the memory, nor reverses sales.
 */
const NEVER_SEEN = [
  ...['emptyStock', 'codePage', 'synMs', 'memoryPassword', 'busyPing'],
  ...['automaticZ', 'coverOpen', 'beforeFiscalised', 'stornoOnHand'],
]

const meant = (profile: string, value: string): string =>
  value === 'edition' ? (profile === 'ro' ? 'endOfData' : 'ejNoRecords') : value

const choicesOf = (family: string): Readonly<Record<string, readonly string[]>> =>
  emulatedFamilies.get(family)?.switches ?? {}

/** These switches hide most others, so only one set in four has them. */
const HIDING = ['pcMode', 'trouble']

/** The values are in random order, each about equally often. */
function dealt(name: string, values: readonly string[], count: number, throws: () => number): readonly string[] {
  const first = Math.floor(throws() * values.length)
  const all = Array.from({ length: count }, (_, at) => {
    const isQuiet = HIDING.includes(name) && at % 4 > 0
    return values[isQuiet ? 0 : (first + at) % values.length] ?? ''
  })
  return all
    .map((value) => ({ value, place: throws() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

/**
 * Returns sets of switches for all profiles of a family. If the sets suffice, they contain every value of every switch.
 */
function setsOf(family: string): readonly Readonly<Record<string, string>>[] {
  const throws = seededRandom(SEED)
  const count = RUNS * (emulatedFamilies.get(family)?.profiles.length ?? 0)
  const deals = Object.entries(choicesOf(family)).map(
    ([name, values]) => [name, dealt(name, values, count, throws)] as const,
  )
  return Array.from({ length: count }, (_, set) =>
    Object.fromEntries(deals.map(([name, values]) => [name, values[set] ?? ''])),
  )
}

describe.each(slice(PROFILES, { keep: 1, of: 12 }))('the passport of family %s, profile %s,', (family, profile) => {
  it('has no difference for a device with factory settings', async () => {
    const { passport, conversation } = await passportOf({ family, profile, depth: 'fiscal' })
    expect(passport.differences).toEqual([])
    expect(passport.overrides).toEqual([])
    expect(conversation.unsentProbes).toEqual([])
  })
})

describe.each(slice([...emulatedFamilies.keys()], { of: 3 }))('the passports of family %s', (family) => {
  const choices = choicesOf(family)
  const profiles = emulatedFamilies.get(family)?.profiles ?? []
  const sets = setsOf(family).map((options, at) => ({ profile: profiles[at % profiles.length] ?? '', options }))
  const found = new Set<string>()

  it.each(slice(sets, { of: 60 }))(
    'are equal for a device created from them: $profile, $options',
    { timeout: LONG_MS },
    async (set) => {
      const { profile, options } = set
      const first = (await passportOf({ family, profile, depth: 'fiscal', options })).passport
      const second = (await passportOf({ family, profile, depth: 'fiscal', passport: first })).passport
      expect(essence(second)).toEqual(essence(first))
      expect(first.overrides).toEqual([])
      for (const [name, value] of Object.entries(first.switches)) {
        // Values of `trouble` that set the same bit are indistinguishable if the device refuses nothing because of
        // them.
        const isObservable = name !== 'trouble' || options['pcMode'] === 'on'
        if (isObservable) expect([name, meant(profile, options[name] ?? '')]).toEqual([name, meant(profile, value)])
        if (value !== choices[name]?.[0]) found.add(name)
      }
      expect([...Object.keys(first.switches), ...first.notSeen].sort()).toEqual(Object.keys(choices).sort())
    },
  )

  if (isDeep && process.env['RIG_SEED'] === undefined)
    it('show every observable switch if it is set', () => {
      const seen = Object.keys(choices).filter((name) => !NEVER_SEEN.includes(name))
      expect([...found].sort()).toEqual(seen.sort())
    })
})
