import type { Questionnaire } from '../../drivers/wire/questionnaire.ts'
import type { Action } from '../../emulator/passport/change.ts'
import { type Observation, observer, sameBytes } from './compare.ts'
import type { Conversation } from './conversation.ts'
import type { ReferenceSetup, Replayed } from './reference-device.ts'

/** Which switches make an emulated device answer as this one does: found by trying them, one after the other. */

interface Tried {
  readonly switches: Readonly<Record<string, string>>
  readonly notSeen: readonly string[]
  readonly observations: readonly Observation[]
  /** Of probes whose difference a switch takes away: the switch. */
  readonly explained: ReadonlyMap<string, string>
  /** With all switches at their default. */
  readonly plain: readonly Observation[]
}

/** Rounds over all switches; one may only be seen once another is right. */
const ROUNDS = 4
/** With so many values only those are tried that the device itself has named. */
const MANY = 8

export function trySwitches(
  setup: Omit<ReferenceSetup, 'switches'>,
  choices: Readonly<Record<string, readonly string[]>>,
  q: Questionnaire,
  conversation: Conversation,
  replay: (setup: ReferenceSetup) => Replayed,
): Tried {
  const observe = observer(q, conversation)
  const known = new Map<string, readonly Observation[]>()
  const run = (switches: Readonly<Record<string, string>>): readonly Observation[] => {
    const key = JSON.stringify(switches)
    const before = known.get(key)
    if (before) return before
    const observations = observe(replay({ ...setup, switches }))
    known.set(key, observations)
    return observations
  }
  const defaults = Object.fromEntries(Object.entries(choices).map(([name, [first = '']]) => [name, first]))
  const plain = run(defaults)
  let best = { switches: defaults, observations: plain, wrong: wrongOf(plain) }
  const refusals = new Set(plain.map(({ action }) => String(action?.refusal?.code ?? '')))
  const isKnown = (value: string) => [...refusals].some((code) => code.split(' ').includes(value))
  /** The values worth trying in place of the present one. Of very many the first stands for those that nobody named. */
  const othersOf = (name: string): readonly string[] => {
    const values = choices[name] ?? []
    const worth = values.length <= MANY ? values : [...new Set([...values.slice(0, 2), ...values.filter(isKnown)])]
    return worth.filter((value) => value !== best.switches[name])
  }
  /** Whether one of these values was better. */
  function tryValues(name: string, values: readonly string[]): boolean {
    const before = best
    for (const value of values) {
      const switches = { ...best.switches, [name]: value }
      const observations = run(switches)
      const wrong = wrongOf(observations)
      if (wrong < best.wrong) best = { switches, observations, wrong }
    }
    return best !== before
  }
  const names = Object.keys(choices)
  for (let round = 0; round < ROUNDS && best.wrong > 0; round++) {
    const better = names.filter((name) => tryValues(name, othersOf(name)))
    // What no refusal names may still be told by a bit.
    const isBetter = better.length > 0 || names.some((name) => best.wrong > 0 && tryValues(name, choices[name] ?? []))
    if (!isBetter) break
  }
  /** The emulated device says something else when this one is turned. */
  const turns = (name: string): boolean =>
    othersOf(name).some((value) => tells(run({ ...best.switches, [name]: value }), best.observations))
  const isSeen = (name: string): boolean => best.switches[name] !== defaults[name] || turns(name)
  const seen = names.filter(isSeen)
  return {
    switches: Object.fromEntries(seen.map((name) => [name, best.switches[name] ?? ''])),
    notSeen: names.filter((name) => !seen.includes(name)),
    observations: best.observations,
    explained: explain(best, defaults, plain, run),
    plain,
  }
}

/** Probes that differ; among as many, in how much: two switches may have to be turned until the first of them agrees. */
const wrongOf = (observations: readonly Observation[]): number =>
  observations.reduce((sum, { action }) => sum + (action ? 1 + departures(action) * A_LITTLE : 0), 0)

/** So that all departures together count less than one probe. */
const A_LITTLE = 1e-6

const sizeOf = (all: object | undefined): number => (all === undefined ? 0 : Object.keys(all).length)

function departures({ refusal, answer }: Action): number {
  const { fields, widths, added, missing, status, data } = answer ?? {}
  const changed = [fields, widths, added, missing, status, refusal?.status].reduce((sum, all) => sum + sizeOf(all), 0)
  return changed + (data === undefined ? 0 : 1) + (refusal === undefined ? 0 : 1)
}

/** The emulated device said something else. */
const tells = (one: readonly Observation[], other: readonly Observation[]): boolean =>
  one.some(({ emulator, outcome, action }, at) => {
    const now = other[at]
    if (!now) return true
    return (
      outcome !== now.outcome ||
      (action === undefined) !== (now.action === undefined) ||
      !sameBytes(emulator.bytes, now.emulator.bytes)
    )
  })

/** A probe that differs again when a switch goes back to its default; where it takes several of them, all. */
function explain(
  best: { readonly switches: Readonly<Record<string, string>>; readonly observations: readonly Observation[] },
  defaults: Readonly<Record<string, string>>,
  plain: readonly Observation[],
  run: (switches: Readonly<Record<string, string>>) => readonly Observation[],
): ReadonlyMap<string, string> {
  const set = Object.entries(best.switches).filter(([name, value]) => value !== defaults[name])
  const without = set.map(([name, value]) => ({
    word: `${name}=${value}`,
    observations: run({ ...best.switches, [name]: defaults[name] ?? '' }),
  }))
  return new Map(
    plain.flatMap(({ probe, action }, at) => {
      if (!action || best.observations[at]?.action) return []
      const one = without.find(({ observations }) => observations[at]?.action)
      return [[probe.id, one?.word ?? set.map(([name, value]) => `${name}=${value}`).join(' ')] as const]
    }),
  )
}
