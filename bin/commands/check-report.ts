import { countText } from '../../drivers/model/count-text.ts'
import { type Plan, repeatCommand, runsOmittedBy } from '../../scenarios/campaign/campaign-plan.ts'
import type { FamilySums, Violation } from '../../scenarios/campaign/campaign-sums.ts'
import { caseScenario } from '../../scenarios/simulation/case-scenario.ts'
import { failureText } from '../../scenarios/simulation/check.ts'
import { EXIT_FAILED, endWith, writeOutput } from '../exit.ts'
import { io } from '../io.ts'
import { say } from '../terminal-output.ts'

export interface ReportOptions {
  readonly json?: boolean
  readonly output?: string
  /**
   * File for the shrunk case of the first violation: a scenario if the name ends in .yaml, otherwise a case for
   * --replay.
   */
  readonly save?: string
  readonly length?: number
  /** Absent: the run used the embedded device. */
  readonly target?: string | undefined
}

/**
 * Writes the result to a file, or to standard output. If the file cannot be written, the result goes to standard output
 * too, so that it is not lost.
 */
export function deliver(text: string, file: string | undefined): void {
  if (file === undefined || !hasWritten(file, text)) say(text)
}

/** Returns false after an error, which is printed and sets the exit status unless one is set already. */
export function hasWritten(file: string, text: string): boolean {
  const { status } = io()
  try {
    writeOutput(file, text)
    return true
  } catch (error) {
    endWith(error)
    io().status = status || io().status
    return false
  }
}

/**
 * Prints the report and sets the exit status to 1 if there is a violation. `last` is the last line of the text report.
 */
export function report(families: readonly FamilySums[], options: ReportOptions, last?: string): void {
  const violations = families
    .flatMap((family) => family.violations)
    .toSorted((one, other) => one.chunk - other.chunk)
    .map((violation) => ({ ...violation, command: repeatCommand(violation, options.length, options.target) }))
  const text = options.json ? jsonReport(families, violations) : textReport(families, violations, last)
  const [first] = violations
  if (first) io().status = EXIT_FAILED
  deliver(text, options.output)
  if (first && options.save !== undefined) hasWritten(options.save, savedCase(options.save, first))
}

type RepeatableViolation = Violation & { readonly command: string }

const jsonReport = (families: readonly FamilySums[], violations: readonly RepeatableViolation[]): string =>
  families
    .map((sums) => ({ ...sums, violations: violations.filter((one) => one.case.family === sums.family) }))
    .map((sums) => `${JSON.stringify(sums)}\n`)
    .join('')

function textReport(
  families: readonly FamilySums[],
  violations: readonly RepeatableViolation[],
  last?: string,
): string {
  const lines = [
    ...families.flatMap((sums) => [...sums.notRun.map((what) => `not run: ${what}`), summary(sums)]),
    ...violations.map((one) => failureText(one, one.command)),
    ...(last === undefined ? [] : [last]),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function summary({ family, seed, runs, requests, hits, simulatedMs, tookMs, violations }: FamilySums): string {
  const rate = tookMs > 0 ? Math.round((runs / tookMs) * 1000) : 0
  const days = (simulatedMs / 86_400_000).toFixed(1)
  const verdict = violations.length === 0 ? 'no violation' : countText(violations.length, 'violation')
  return `family ${family}, seed ${seed}: ${countText(runs, 'run')}, ${countText(requests, 'request')}, ${countText(hits, 'fault')} injected, ${days} simulated days in ${(tookMs / 1000).toFixed(1)} s of CPU time (${rate} runs/s): ${verdict}`
}

export function skippedText(plan: Plan, violations: readonly Violation[]): string {
  const runs = violations.reduce((sum, one) => sum + runsOmittedBy(plan, one), 0)
  return runs === 0 ? '' : ` (a chunk ends at its violation: ${countText(runs, 'run')} after it skipped)`
}

export const savedCase = (file: string, violation: RepeatableViolation): string =>
  /\.ya?ml$/i.test(file) ? caseScenario(violation.case, violation.why) : `${JSON.stringify(violation, null, 2)}\n`
