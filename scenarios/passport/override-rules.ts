/**
 * Derives override rules from differences. Each difference yields the most general rule that no observation
 * contradicts.
 */
import type { Action } from '../../emulator/passport/answer-change.ts'
import { closureWord } from '../../emulator/passport/overrides.ts'
import type { Override } from '../../emulator/passport/passport.ts'
import type { Observation } from './compare-answers.ts'

type Key = Pick<Override, 'command' | 'state' | 'request' | 'instead'>

/**
 * Members of a rule, the most general rule first. A refusal is known only for its state, while a different answer
 * usually applies in every state.
 */
const REFUSED_KEYS: readonly (keyof Key)[][] = [
  ['state'],
  ['state', 'instead'],
  ['state', 'request'],
  ['state', 'request', 'instead'],
]
const ANSWERED_KEYS: readonly (keyof Key)[][] = [
  [],
  ['state'],
  ['request'],
  ['state', 'request'],
  ['state', 'request', 'instead'],
]

export function overridesOf(observations: readonly Observation[]): readonly Override[] {
  const rules: Override[] = []
  for (const one of observations) {
    if (!one.action) continue
    const override = ruleOf(one, one.action, observations)
    if (override && !rules.some((rule) => same(rule, override))) rules.push(override)
  }
  return rules
}

function ruleOf(one: Observation, action: Action, all: readonly Observation[]): Override | undefined {
  if (one.probe.command !== 'link') return ruleFor(one, action, all)
  if (one.part > 0) return repeatRule(one, action, all)
  // A regular command has its own probe.
  return one.request ? undefined : linkRule(one, action)
}

/**
 * Returns the rule for a repeated number. Returns `undefined` if the command has this answer under any number, because
 * the rule of the command covers that.
 */
function repeatRule(one: Observation, action: Action, all: readonly Observation[]): Override | undefined {
  const isAlways = all.some(
    (other) =>
      other.probe.command !== 'link' &&
      other.command === one.command &&
      other.request?.data === one.request?.data &&
      same(other.action, action),
  )
  return isAlways ? undefined : { command: 'link', request: linkName(one), ...action }
}

const linkName = ({ probe }: Observation): string => probe.id.replace(/^link\./, '')

/** The probe identifies bytes that are not a command. */
function linkRule(one: Observation, action: Action): Override | undefined {
  if (action.bytes === undefined && !action.silent) return undefined
  return { command: 'link', request: linkName(one), ...action }
}

function ruleFor(one: Observation, action: Action, all: readonly Observation[]): Override {
  const commandObservations = all.filter(
    ({ command, probe, request }) => request && command === one.command && probe.command !== 'link',
  )
  const ways = action.answer ? ANSWERED_KEYS : REFUSED_KEYS
  for (const members of ways) {
    const key = keyOf(one, members)
    const matching = commandObservations.filter((other) => same(keyOf(other, members), key))
    if (matching.every((other) => same(other.action, action))) return { ...key, ...action }
  }
  return { ...keyOf(one, ['state', 'request', 'instead']), ...action }
}

function keyOf({ command, probe, state, request, outcome }: Observation, members: readonly (keyof Key)[]): Key {
  return {
    command,
    ...(members.includes('state') && { state }),
    ...(members.includes('request') && { request: probe.closure ? closureWord(probe.closure) : (request?.data ?? '') }),
    ...(members.includes('instead') && { instead: outcome }),
  }
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
