/** Property runs over a family, on the embedded device and simulated time; what fails is shrunk and told in words. */
import fc from 'fast-check'
import { caseOf, LEFT_OUT } from './arbitraries.ts'
import { type Broken, RunFailed, runCase } from './run.ts'
import { type Case, inWords } from './steps.ts'
import type { Family } from './world.ts'

export interface CheckOptions {
  readonly family: Family
  readonly runs: number
  readonly seed: number
  /** Of an earlier failure: goes straight to it. */
  readonly path?: string
  /** Longest list of steps. */
  readonly length?: number
  readonly broken?: Broken
  readonly progress?: (runs: number) => void
  /** Simulated runs end after this long at the latest, in real ms. */
  readonly withinMs?: number
}

export interface CheckResult {
  readonly family: Family
  readonly seed: number
  readonly runs: number
  readonly requests: number
  readonly hits: number
  readonly simulatedMs: number
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
}

/** Steps that a list of steps has at most, unless said otherwise. */
export const LENGTH = 10

export async function check(options: CheckOptions): Promise<CheckResult> {
  const { family, runs, seed, path, broken, progress, withinMs } = options
  const began = performance.now()
  let [done, requests, hits, simulatedMs] = [0, 0, 0, 0]
  const property = fc.asyncProperty(caseOf(family, options.length ?? LENGTH), async (one) => {
    const ran = await runCase(one, broken)
    done++
    requests += ran.requests
    hits += ran.hits
    simulatedMs += ran.simulatedMs
    progress?.(done)
  })
  const result = await fc.check(property, {
    numRuns: runs,
    seed,
    ...(path !== undefined && { path }),
    ...(withinMs !== undefined && { interruptAfterTimeLimit: withinMs }),
  })
  const sums = {
    family,
    seed,
    runs: done,
    requests,
    hits,
    simulatedMs,
    tookMs: performance.now() - began,
    notRun: LEFT_OUT[family],
  }
  if (!result.failed || result.counterexample === null) return sums
  const [reduced] = result.counterexample
  return {
    ...sums,
    failure: await failureOf(reduced, result.seed, result.counterexamplePath ?? '', result.numShrinks, broken),
  }
}

/** Runs the reduced case once more for its trace. */
async function failureOf(one: Case, seed: number, path: string, shrinks: number, broken?: Broken): Promise<Failure> {
  const told = { seed, path, case: one, words: one.steps.map(inWords), shrinks }
  try {
    await runCase(one, broken)
    return { ...told, why: 'the reduced case passes when it is run again', trace: [] }
  } catch (problem) {
    if (!(problem instanceof RunFailed)) throw problem
    return { ...told, why: problem.message, trace: problem.trace }
  }
}

export const TRACE_LINES = 60

/** What a person reads. `command`: repeats the failure. */
export function failureText(failure: Failure, command: string): string {
  const { family, slow } = failure.case
  const { trace } = failure
  return [
    `VIOLATION on family ${family}: ${failure.why}`,
    `seed ${failure.seed}, path ${failure.path}, reduced in ${failure.shrinks} steps to:`,
    ...failure.words.map((words, index) => `  ${index + 1}. ${words}`),
    ...(slow ? ['  (the device takes the time of a real one)'] : []),
    `the wire before it (the last ${Math.min(TRACE_LINES, trace.length)} of ${trace.length} lines):`,
    ...trace.slice(-TRACE_LINES).map((line) => `  ${line}`),
    `repeat with: ${command}`,
  ].join('\n')
}
