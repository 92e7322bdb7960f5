import { z } from 'zod'
import { members, oneOf } from '../fields.ts'
import { addManualChecks } from '../manual-checks.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import type { Problem } from '../step-results.ts'
import { type CheckKind, checkKind } from './check.ts'
import { counters, device, display, frames, receipt } from './device.ts'
import { documents, journal, paper, receipts } from './paper.ts'
import { books, day, zReport } from './sums.ts'

export const CHECK_KINDS = {
  paper,
  journal,
  receipts,
  documents,
  counters,
  day,
  z: zReport,
  display,
  frames,
  receipt,
  device,
  books,
  faults: checkKind({
    schema: oneOf(['used', 'any']).describe(
      'At the end: every rule must have been triggered (used, the default), or not.',
    ),
    needs: undefined,
    // The rules are judged at the end of every scenario, even without this check.
    judge: async () => [],
    ask: async () => ({}),
  }),
} as const

type Kinds = typeof CHECK_KINDS
type CheckName = keyof Kinds

const shape = Object.fromEntries(
  Object.entries(CHECK_KINDS).map(([name, { schema }]) => [name, z.optional(schema)]),
) as { [Name in CheckName]: z.ZodOptional<Kinds[Name]['schema']> }

export const checkSchema = members('check', shape)
export type Check = z.output<typeof checkSchema>

export const checkNames = (check: Check): CheckName[] => Object.keys(check) as CheckName[]

export async function checkAll(check: Check, run: ScenarioRun): Promise<Problem[]> {
  const wrong: Problem[] = []
  for (const name of checkNames(check)) {
    const problems = await judgedBy(CHECK_KINDS[name] as CheckKind, check[name], run)
    wrong.push(...problems.map((problem) => ({ ...problem, what: `${name}: ${problem.what}` })))
  }
  return wrong
}

async function judgedBy(kind: CheckKind, expected: unknown, run: ScenarioRun): Promise<readonly Problem[]> {
  const { panel, reader } = run.rig
  if (panel) return kind.judge(expected, panel, run)
  if (!reader) return [{ what: 'this target cannot read the device, so this check cannot be made' }]
  const { problems = [], manualChecks = [] } = await kind.ask(expected, reader, run)
  addManualChecks(run, manualChecks)
  return problems
}
