import type { PlanError } from '../emulator/faults/fault-plan.ts'
import { readDataInput } from './data-input.ts'

export interface FaultPlanFile {
  readonly file: string
  readonly place: '' | 'faults'
  /** The rules are not checked yet, because only the device knows its commands. */
  readonly rules: unknown
}

export function readPlanFile(file: string): FaultPlanFile {
  const content = readDataInput(file, 'a readable list of fault rules')
  if (typeof content === 'object' && content !== null && 'faults' in content) {
    return { file, place: 'faults', rules: content.faults }
  }
  return { file, place: '', rules: content }
}

/** Returns one line per mistake, for example `plan.yaml: [2].do: expected ...`. */
export const planProblems = ({ file, place }: FaultPlanFile, problems: PlanError['problems']): string =>
  problems
    .map(({ path, message }) => [file, `${place}${path}`, message].filter((part) => part !== '').join(': '))
    .join('\n')
