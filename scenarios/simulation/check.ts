/** Property runs over a family; what fails is reduced and told in words. */

import fc from 'fast-check'
import { messageOf } from '../../drivers/model/errors.ts'
import { escapeControl } from '../../drivers/model/escape-control.ts'
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { caseOf, leftOut } from './arbitraries.ts'
import { type CheckedFamilies, OURS } from './families.ts'
import { type Broken, type Ran, RunFailed, runCase } from './run.ts'
import { type Case, describeStep } from './steps.ts'

export interface CheckOptions {
  readonly family: Family
  readonly families?: CheckedFamilies
  /** Of the device; the family's first without. */
  readonly profile?: string
  readonly runs: number
  readonly seed: number
  /** Of an earlier failure: goes straight to it. */
  readonly path?: string
  /** Longest list of steps. */
  readonly length?: number
  readonly broken?: Broken
  /** Called after each run with the sums by then. */
  readonly progress?: (sums: Sums) => void
  /** Simulated runs end after this long at the latest, in real ms. */
  readonly withinMs?: number
}

export interface Sums {
  /** One that fails is the last that is counted: what is tried to reduce it is not. */
  readonly runs: number
  readonly requests: number
  /** Faults that struck. */
  readonly hits: number
  readonly simulatedMs: number
}

export interface CheckResult extends Sums {
  readonly family: Family
  readonly seed: number
  readonly tookMs: number
  /** What is left out, and why. */
  readonly notRun: readonly string[]
  readonly failure?: Failure
}

export interface Failure {
  readonly seed: number
  readonly path: string
  readonly case: Case
  readonly why: string
  /** Steps of the reduced case, in words. */
  readonly words: readonly string[]
  readonly trace: readonly string[]
  readonly shrinks: number
  /** Of `check --every`: the path is the number of the place. */
  readonly place?: PlaceWords | undefined
}

export interface PlaceWords {
  readonly name: string
  /** Of pairs of events, instead of single ones. */
  readonly pairs: boolean
}

/** Steps that a list of steps has at most, unless said otherwise. */
export const LENGTH = 10

/** On the embedded device and simulated time. */
export const check = ({ broken, families = OURS, ...options }: CheckOptions): Promise<CheckResult> =>
  search(options, {
    cases: caseOf(options.family, options.length ?? LENGTH, families, options.profile),
    run: (one) => runCase(one, { ...broken, families }),
    notRun: leftOut(options.family, families),
  })

interface Search {
  readonly cases: fc.Arbitrary<Case>
  /** Throws RunFailed. */
  run(one: Case): Promise<Ran>
  readonly notRun: readonly string[]
  /** A try costs something: the first failure is told as it is. */
  readonly isDear?: boolean
}

/** Runs cases until one fails, and reduces that one. */
export async function search(
  { family, runs, seed, path, progress, withinMs }: Omit<CheckOptions, 'families' | 'broken'>,
  { cases, run, notRun, isDear = false }: Search,
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
    numRuns: runs,
    seed,
    endOnFailure: isDear,
    ...omitUndefined({ path, interruptAfterTimeLimit: withinMs }),
  })
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

/** What a person reads. `command`: repeats the failure. */
export function failureText(failure: Failure, command: string): string {
  const { family, slow } = failure.case
  const { trace } = failure
  const [why = '', ...more] = failure.why.split('\n')
  const lines = [
    `VIOLATION on family ${family}: ${why}`,
    ...more.map((line) => `  ${line}`),
    `seed ${failure.seed}, path ${failure.path}, reduced in ${failure.shrinks} steps to:`,
    ...failure.words.map((words, index) => `  ${index + 1}. ${words}`),
    ...(slow ? ['  (the device takes the time of a real one)'] : []),
    `the wire before it (the last ${Math.min(TRACE_LINES, trace.length)} of ${trace.length} lines):`,
    ...trace.slice(-TRACE_LINES).map((line) => `  ${line}`),
    `repeat with: ${command}`,
  ]
  // It may come from a file or a queue: each of them stays one line.
  return lines.map(escapeControl).join('\n')
}
