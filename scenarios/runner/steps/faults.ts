import { z } from 'zod'
import { EFFECT_NAMES } from '../../../emulator/faults/effects.ts'
import { POINT_NAMES } from '../../../emulator/faults/points.ts'
import { type Rule, ruleForm } from '../../../emulator/faults/rule.ts'
import type { RuleView } from '../../../emulator/panel/contract.ts'
import { FAULTS } from '../../mock-platform/faults.ts'
import { LINE_EFFECTS } from '../../simulation/line-faults.ts'
import { expected, members, oneOf, orVariable, wholeNumber } from '../fields.ts'
import { formatValue } from '../match.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { Problem } from '../step-results.ts'
import { callControl } from './device-actions.ts'
import { stepKind } from './step.ts'

const { at, on, skip, times, do: effect, ...otherMembers } = ruleForm(z).shape
/** The schema of a rule (emulator/faults/rule.ts), with names as values. */
const rule = members('a fault rule', {
  at: orVariable(at, `${POINT_NAMES.slice(0, -1).join(', ')} or ${POINT_NAMES.at(-1)}`, POINT_NAMES),
  on: on.describe('Name of a command, the same in every family.'),
  skip: orVariable(skip.unwrap(), 'a number of occasions').optional(),
  times: orVariable(times.unwrap(), 'a number of times').optional(),
  ...otherMembers,
  do: orVariable(effect, 'drop, duplicate, refuse, {flip: BIT}, {delayMs: N}, powerCut ...', EFFECT_NAMES),
})

export const fault = stepKind({
  schema: z
    .union([rule, z.array(rule)], expected('a rule such as {at: link.toHost, on: sale, times: 1, do: drop}'))
    .describe('Adds a fault rule, or several.'),
  needs: 'faults',
  needsOf: (value) => ([value].flat().every(isOnLine) ? 'linkFaults' : 'faults'),
  play: async (value, run) => {
    const rules = [value].flat() as readonly Rule[]
    const { panel, tap } = run.rig
    run.log.hasFaults = true
    if (rules.some((one) => one.do === 'powerCut')) run.log.hasTrafficGap = true
    for (const one of rules) {
      if (tap && !panel) {
        tap.add(one)
        // Outside the device it is unknown which answer belongs to which copy.
        if (one.do === 'duplicate' && one.at === 'link.toDevice') run.log.hasTrafficGap = true
      } else await callControl(run, 'POST /emulator/faults', one)
    }
    return []
  },
})

const isOnLine = (rule: unknown): boolean => {
  const { at, do: effect } = rule as Readonly<Record<string, unknown>>
  const name = typeof effect === 'object' ? Object.keys(effect ?? {})[0] : effect
  return String(at).startsWith('link.') && LINE_EFFECTS.includes(String(name))
}

export const clearFaults = stepKind({
  schema: z.literal(true, expected('true')).describe('Removes all fault rules; each must have been triggered.'),
  needs: 'linkFaults',
  play: async (_true, run) => {
    const wrong = await unusedFaults(run)
    await run.rig.panel?.('DELETE /emulator/faults')
    run.rig.tap?.clear()
    return wrong
  },
})

export async function unusedFaults({ rig, isLenient, log: { hasFaults } }: ScenarioRun): Promise<Problem[]> {
  if (isLenient || !hasFaults) return []
  const rules: readonly RuleView[] = rig.panel ? await rig.panel('GET /emulator/faults') : (rig.tap?.unused() ?? [])
  return rules
    .filter(({ hits }) => hits === 0)
    .map(({ id: _id, hits: _hits, ...unused }) => ({ what: `the fault was never triggered: ${formatValue(unused)}` }))
}

export const platformFault = stepKind({
  schema: members('a fault of the platform', {
    do: oneOf(FAULTS),
    on: oneOf(['exchange', 'graphql', 'relay']).optional(),
    times: wholeNumber(1, 1000).optional(),
    skip: wholeNumber(0, 1000).optional(),
    ms: wholeNumber(0, 600_000).optional(),
    retryAfterS: wholeNumber(0, 600).optional(),
    hundredths: wholeNumber(-1_000_000, 1_000_000).optional(),
  }).describe('A fault of the mock platform.'),
  needs: 'platform',
  play: async (value, { rig }) => {
    await rig.platform?.fault(value)
    return []
  },
})
