import type { Questionnaire } from '../../drivers/wire/questionnaire.ts'
import type { Action } from '../../emulator/passport/answer-change.ts'
import { type Observation, observer, sameBytes } from './compare-answers.ts'
import type { Conversation } from './conversation.ts'
import type { ReferenceSetup, ReplayResult } from './reference-device.ts'

interface TriedSwitch {
  readonly switches: Readonly<Record<string, string>>
  readonly notSeen: readonly string[]
  readonly observations: readonly Observation[]
  /** The switch that removes the difference of a probe, by probe. */
  readonly explained: ReadonlyMap<string, string>
  readonly plain: readonly Observation[]
}

/**
 * Maximum number of rounds over all switches. Some switches have an effect only with the right value of another one.
 */
const ROUNDS = 4
/**
 * Number of values of a switch up to which all are tried. Of a longer list, only the first two and those that the
 * device has named are tried.
 */
const CANDIDATES_MAX = 8

export function trySwitches(
  setup: Omit<ReferenceSetup, 'switches'>,
  choices: Readonly<Record<string, readonly string[]>>,
  q: Questionnaire,
  conversation: Conversation,
  replay: (setup: ReferenceSetup) => ReplayResult,
): TriedSwitch {
  const observe = observer(q, conversation)
  const knownObservations = new Map<string, readonly Observation[]>()
  const run = (switches: Readonly<Record<string, string>>): readonly Observation[] => {
    const key = JSON.stringify(switches)
    const before = knownObservations.get(key)
    if (before) return before
    const observations = observe(replay({ ...setup, switches }))
    knownObservations.set(key, observations)
    return observations
  }
  const defaults = Object.fromEntries(Object.entries(choices).map(([name, [first = '']]) => [name, first]))
  const plain = run(defaults)
  let best = { switches: defaults, observations: plain, wrong: wrongOf(plain) }
  const refusals = new Set(plain.map(({ action }) => String(action?.refusal?.code ?? '')))
  const isKnown = (value: string) => [...refusals].some((code) => code.split(' ').includes(value))
  const othersOf = (name: string): readonly string[] => {
    const values = choices[name] ?? []
    const worth =
      values.length <= CANDIDATES_MAX ? values : [...new Set([...values.slice(0, 2), ...values.filter(isKnown)])]
    return worth.filter((value) => value !== best.switches[name])
  }
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
    // A value that no refusal names can still influence a status bit.
    const isBetter = better.length > 0 || names.some((name) => best.wrong > 0 && tryValues(name, choices[name] ?? []))
    if (!isBetter) break
  }
  const turns = (name: string): boolean =>
    othersOf(name).some((value) => answersDiffer(run({ ...best.switches, [name]: value }), best.observations))
  const isSeen = (name: string): boolean => best.switches[name] !== defaults[name] || turns(name)
  const seenNames = names.filter(isSeen)
  return {
    switches: Object.fromEntries(seenNames.map((name) => [name, best.switches[name] ?? ''])),
    notSeen: names.filter((name) => !seenNames.includes(name)),
    observations: best.observations,
    explained: explain(best, defaults, plain, run),
    plain,
  }
}

/**
 * Counts the probes that differ. The size of the differences decides between equal counts, because two switches may
 * have to change until the first probe agrees.
 */
const wrongOf = (observations: readonly Observation[]): number =>
  observations.reduce((sum, { action }) => sum + (action ? 1 + departures(action) * A_LITTLE : 0), 0)

/** Weight of the size of a difference: all sizes together count less than one probe. */
const A_LITTLE = 1e-6

const sizeOf = (all: object | undefined): number => (all === undefined ? 0 : Object.keys(all).length)

function departures({ refusal, answer }: Action): number {
  const { fields, widths, added, missing, status, data } = answer ?? {}
  const changed = [fields, widths, added, missing, status, refusal?.status].reduce((sum, all) => sum + sizeOf(all), 0)
  return changed + (data === undefined ? 0 : 1) + (refusal === undefined ? 0 : 1)
}

const answersDiffer = (one: readonly Observation[], other: readonly Observation[]): boolean =>
  one.some(({ emulator, outcome, action }, at) => {
    const now = other[at]
    if (!now) return true
    return (
      outcome !== now.outcome ||
      (action === undefined) !== (now.action === undefined) ||
      !sameBytes(emulator.bytes, now.emulator.bytes)
    )
  })

/**
 * Returns, for each probe whose difference the switches removed, the switch whose default restores the difference; or
 * all changed switches if no single one does.
 */
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
