/** What a till has to do where a case did not pass, as the family's sheet has it. */
import { packageFile } from '../../drivers/host/package-file.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Advice } from '../../emulator/advice.ts'
import { familyOf } from '../../emulator/profiles.ts'
import type { CaseResult } from './exam.ts'
import { isPassing } from './judge.ts'

/** Two or three sentences, and where more is said; undefined: the case passed, or nothing is known. */
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
