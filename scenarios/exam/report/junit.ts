import { type JunitCase, junitText } from '../../report/junit.ts'
import type { CaseResult, ExamEnd } from '../exam.ts'
import { isPassing } from '../judge.ts'
import { aroundFault, type ExamFacts, logLines } from './report.ts'

export function examJunit({ family, profile, cases, tookMs }: ExamEnd, facts: ExamFacts): string {
  const { till, depth, seed } = facts
  const suites = [...Map.groupBy(cases, ({ group }) => group)].map(([name, some]) => ({
    name,
    properties: { family, profile, till, depth, seed },
    cases: some.map((one) => caseOf(one, facts)),
  }))
  return junitText('fiscal-rig exam', tookMs, suites)
}

function caseOf(result: CaseResult, { advice }: ExamFacts): JunitCase {
  const { id, group, verdict, why, repeat, log, tookMs } = result
  const isBad = !isPassing(verdict)
  return {
    name: id,
    classname: `exam.${group}`,
    tookMs,
    skipped: verdict === 'not triggered' ? why : undefined,
    failure: isBad
      ? {
          message: why,
          type: verdict,
          lines: [why, ...logLines(result), ...aroundFault(result), ...(advice(result) ?? []), repeat],
        }
      : undefined,
    output: isBad ? [] : log.filter(({ kind }) => kind === 'output').map(({ text }) => text),
  }
}
