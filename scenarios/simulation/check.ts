/** Property-based runs of a family. fast-check shrinks a failing case. */

import fc from 'fast-check'
import { countText } from '../../drivers/model/count-text.ts'
import { messageOf } from '../../drivers/model/errors.ts'
import { escapeControl } from '../../drivers/model/escape-control.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { caseOf, omittedFaults } from './arbitraries.ts'
import { type CheckedFamilies, OWN_FAMILIES } from './checked-families.ts'
import { DEFAULT_CASE_STEPS } from './default-case-steps.ts'
import { type DeliberateErrors, RunFailed, type RunResult, runCase } from './run.ts'
import { type Case, describeStep } from './steps.ts'

export interface CheckOptions {
  readonly family: Family
  readonly families?: CheckedFamilies
  readonly profile?: string
  /** Number of runs; with `path` only one. */
  readonly runs: number
  readonly seed: number
  readonly path?: string
  readonly length?: number
  readonly broken?: DeliberateErrors
  readonly progress?: (sums: Sums) => void
  readonly withinMs?: number
}

export interface Sums {
  /** Number of runs up to and including a failing one. Attempts to shrink that one are not counted. */
  readonly runs: number
  readonly requests: number
  readonly hits: number
  readonly simulatedMs: number
}

export interface CheckResult extends Sums {
  readonly family: Family
  readonly seed: number
  readonly tookMs: number
  readonly notRun: readonly string[]
  readonly failure?: Failure
}

export interface Failure {
  readonly seed: number
  readonly path: string
  readonly case: Case
  readonly why: string
  readonly words: readonly string[]
  readonly trace: readonly string[]
  readonly shrinks: number
  /** Position of a failure of `check --every`. The path of the failure is the number of the position. */
  readonly place?: PointName | undefined
}

export interface PointName {
  readonly name: string
  readonly pairs: boolean
}

export const check = ({ broken, families = OWN_FAMILIES, ...options }: CheckOptions): Promise<CheckResult> =>
  search(options, {
    cases: caseOf(options.family, options.length ?? DEFAULT_CASE_STEPS, families, options.profile),
    run: (one) => runCase(one, { ...broken, families }),
    notRun: omittedFaults(options.family, families),
  })

interface Search {
  readonly cases: fc.Arbitrary<Case>
  run(one: Case): Promise<RunResult>
  readonly notRun: readonly string[]
  /** True if each run costs paper. The first failure is then reported without shrinking. */
  readonly isExpensive?: boolean
}

/** Beginning of the message, which is fast-check's, if a path belongs to another seed or family. */
export const WRONG_PATH = 'Unable to replay'

/** Rejects with an error that begins with WRONG_PATH if the path selects no run. */
export async function search(
  { family, runs, seed, path, progress, withinMs }: Omit<CheckOptions, 'families' | 'broken'>,
  { cases, run, notRun, isExpensive = false }: Search,
): Promise<CheckResult> {
  const began = performance.now()
  const sums = { runs: 0, requests: 0, hits: 0, simulatedMs: 0 }
  let isReducing = false
  const property = fc.asyncProperty(cases, async (one) => {
    if (!isReducing) sums.runs++
    const ran = await run(one).catch((problem: unknown) => {
      isReducing = true
      throw problem
    })
    if (isReducing) return
    sums.requests += ran.requests
    sums.hits += ran.hits
    sums.simulatedMs += ran.simulatedMs
    progress?.(sums)
  })
  const result = await fc.check(property, {
    numRuns: path === undefined ? runs : 1,
    seed,
    endOnFailure: isExpensive,
    ...omitUndefined({ path, interruptAfterTimeLimit: withinMs }),
  })
  // fast-check does not check the last number of a path.
  if (path !== undefined && sums.runs === 0) throw new Error(`${WRONG_PATH}, got wrong path=${path}`)
  const totals = { family, seed, ...sums, tookMs: performance.now() - began, notRun }
  const { failed, counterexample, errorInstance: problem } = result
  if (!failed || counterexample === null) return totals
  const [reduced] = counterexample
  const failure = {
    seed: result.seed,
    path: result.counterexamplePath ?? '',
    case: reduced,
    why: messageOf(problem),
    words: reduced.steps.map(describeStep),
    trace: problem instanceof RunFailed ? problem.trace : [],
    shrinks: result.numShrinks,
  }
  return { ...totals, failure }
}

export const TRACE_LINES = 60

/** Formats a failure for people. `command` reproduces the failure. */
export function failureText(failure: Failure, command: string): string {
  const { family, slow } = failure.case
  const { trace } = failure
  const [why = '', ...otherLines] = failure.why.split('\n')
  const lines = [
    `VIOLATION on family ${family}: ${why}`,
    ...otherLines.map((line) => `  ${line}`),
    `seed ${failure.seed}, path ${failure.path}, reduced in ${countText(failure.shrinks, 'step')} to:`,
    ...failure.words.map((words, index) => `  ${index + 1}. ${words}`),
    ...(slow ? ['  (the device takes the time of a real one)'] : []),
    `the wire before it (the last ${Math.min(TRACE_LINES, trace.length)} of ${trace.length} lines):`,
    ...trace.slice(-TRACE_LINES).map((line) => `  ${line}`),
    `reproduce with: ${command}`,
  ]
  // A failure may come from a file or a queue, so control characters must not break its lines.
  return lines.map(escapeControl).join('\n')
}
