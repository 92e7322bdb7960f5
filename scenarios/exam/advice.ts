import { packageFile } from '../../drivers/host/package-file.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Advice } from '../../emulator/advice.ts'
import { familyOf } from '../../emulator/profiles.ts'
import type { CaseResult } from './exam.ts'
import { isPassing } from './judge.ts'

/**
 * Returns the advice of the family's protocol specification with a reference, or `undefined` if the case passed or the
 * specification has none.
 */
export function adviceFor(family: Family, result: CaseResult): readonly string[] | undefined {
  const advice = isPassing(result.verdict) ? undefined : rowFor(family, result)
  if (!advice) return undefined
  const sheet = packageFile(`drivers/family-${family.toLowerCase()}/protocol.md`)
  return [`On the wire of this family: ${advice.does}`, `More: ${sheet}, ${advice.section}.`]
}

export const rowFor = (family: Family, { fault, target }: Pick<CaseResult, 'fault' | 'target'>): Advice | undefined =>
  familyOf({ family }).advice?.find(
    ({ faults, steps }) => faults.includes(fault) && (!steps || (target && steps.includes(target.kind))),
  )
