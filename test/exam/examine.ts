import type { Family } from '../../drivers/model/families.ts'
import { type ExamEnd, type ExamOptions, runExam } from '../../scenarios/exam/exam.ts'
import { type Jobs, USUAL_JOBS } from '../../scenarios/exam/job.ts'
import type { Till } from '../../scenarios/exam/till.ts'

export function examine(
  till: Till,
  device: { readonly family: Family; readonly profile?: string; readonly seed?: number },
  options: Partial<ExamOptions> = {},
): Promise<ExamEnd> {
  const { seed = 0, ...which } = device
  return runExam({
    till,
    jobs: USUAL_JOBS,
    depth: 'quick',
    only: [],
    workers: 1,
    bail: false,
    signal: new AbortController().signal,
    repeat: (id) => `--only ${id}`,
    testBench: { ...which, seed, hasPty: false, timeoutMs: 60_000 },
    ...options,
  })
}

export const TWO_PAYMENTS: Jobs = {
  ...USUAL_JOBS,
  first: {
    ...USUAL_JOBS.first,
    payments: [
      { mode: 1, amount: '3.00' },
      { mode: 0, amount: '2.80' },
    ],
  },
}

export const notPassed = ({ cases }: ExamEnd): string[] =>
  cases.filter(({ verdict }) => verdict !== 'passed').map(({ id, verdict, why }) => `${id}: ${verdict}: ${why}`)
