/** Cases that `check --save` has written. Users may have edited them, so they are checked before they run. */
import { FAMILIES } from '../../drivers/families.ts'
import { parseForeignJson } from '../../drivers/host/foreign-file.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import type { Failure } from '../simulation/check.ts'
import { MANUAL_ACTIONS } from '../simulation/manual-actions.ts'
import { ACTION_NAMES } from '../simulation/other-program.ts'
import { type Case, describeStep, OTHER_MEMORIES, type Step } from '../simulation/steps.ts'

/** Maximum number of steps of a case: more than any generated case has. */
const STEPS_MAX = 10_000

/** Throws RangeError with the problem, or SyntaxError if the text is not JSON. */
export function readSavedCase(text: string): Failure {
  const parsed = parseForeignJson(text) as Failure | null
  checkedCase(parsed?.case)
  return parsed as Failure
}

/** Throws RangeError with the problem if the value is not a case. */
export function checkedCase(value: unknown): Case {
  const one = value as Partial<Case> | null | undefined
  if (!Array.isArray(one?.steps)) throw new RangeError('it does not contain a case')
  if (one.steps.length > STEPS_MAX) throw new RangeError(`steps: expected at most ${STEPS_MAX}`)
  const { family, seed, profile } = one
  if (family === undefined || !FAMILIES.includes(family))
    throw new RangeError(`family: expected ${FAMILIES.join(', ')}`)
  if (!Number.isSafeInteger(seed)) throw new RangeError('seed: expected a number')
  const profileNames = profilesOf(family)
  if (profile !== undefined && !profileNames.includes(profile))
    throw new RangeError(`profile: expected ${profileNames.join(', ')}`)
  const wrong = one.steps.findIndex((step) => !isStep(step))
  if (wrong >= 0) throw new RangeError(`steps[${wrong}] is not a step of a run`)
  return one as Case
}

/** Returns true for a valid step. `describeStep` does not check the names in a step, nor an inner step. */
function isStep(step: Step): boolean {
  try {
    if (typeof describeStep(step) !== 'string') return false
  } catch {
    return false
  }
  if (step.do === 'hand') return Object.hasOwn(MANUAL_ACTIONS, step.what)
  if (step.do === 'otherProgram') return Object.hasOwn(ACTION_NAMES, step.deed)
  if (step.do === 'replaceDevice') return step.memory === undefined || OTHER_MEMORIES.includes(step.memory)
  if (step.do === 'crash') return isStep(step.during)
  return step.do === 'meanwhile' ? isStep(step.request) : true
}
