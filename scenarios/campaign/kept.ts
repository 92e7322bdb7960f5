/** A case that `check --save` has kept in a file, as somebody hands it in: looked at before anything of it is run. */
import { FAMILIES } from '../../drivers/families.ts'
import { profilesOf } from '../../emulator/emulator.ts'
import type { Failure } from '../simulation/check.ts'
import { HANDS } from '../simulation/hands.ts'
import { type Case, inWords, type Step } from '../simulation/steps.ts'

export interface KeptCase extends Failure {
  /** Repeats the run that has found it. */
  readonly command?: string
}

/** Throws RangeError with what is wrong in words, SyntaxError for what is no JSON. */
export function keptCase(text: string): KeptCase {
  const kept = JSON.parse(text) as KeptCase | null
  const one: Partial<Case> | undefined = kept?.case
  if (!kept || !Array.isArray(one?.steps)) throw new RangeError('it holds no case')
  const { family, seed, profile } = one
  if (family === undefined || !FAMILIES.includes(family))
    throw new RangeError(`family: expected ${FAMILIES.join(', ')}`)
  if (!Number.isSafeInteger(seed)) throw new RangeError('seed: expected a number')
  const known = profilesOf(family)
  if (profile !== undefined && !known.includes(profile)) throw new RangeError(`profile: expected ${known.join(', ')}`)
  const wrong = one.steps.findIndex((step) => !isStep(step))
  if (wrong >= 0) throw new RangeError(`steps[${wrong}] is no step of a run`)
  return kept
}

/** What has no words is none; the words of one within another say nothing of that one. */
function isStep(step: Step): boolean {
  try {
    if (typeof inWords(step) !== 'string') return false
  } catch {
    return false
  }
  if (step.do === 'hand') return Object.hasOwn(HANDS, step.what)
  if (step.do === 'crash') return isStep(step.during)
  return step.do === 'meanwhile' ? isStep(step.request) : true
}
