import { type CaseResult, countsOf, type ExamEnd } from '../exam.ts'
import type { ExamFacts } from './report.ts'

export function examJson({ family, profile, device, tookMs, map, cases }: ExamEnd, facts: ExamFacts): string {
  const { till, seed, depth } = facts
  const report = {
    ...{ family, profile, till, seed, depth, device, tookMs },
    map: map.map(({ command, n }) => ({ command, n })),
    counts: countsOf(cases),
    cases: cases.map(caseJson),
  }
  return `${JSON.stringify(report, null, 1)}\n`
}

const caseJson = ({ tookMs: _, log: _story, target: _target, ...rest }: CaseResult) => rest
