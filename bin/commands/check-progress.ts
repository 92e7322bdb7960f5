/** The progress of a long check on stderr: one updated line on a terminal, otherwise a line at intervals. */
import { type Plan, runsOf } from '../../scenarios/campaign/campaign-plan.ts'
import { CampaignSums } from '../../scenarios/campaign/campaign-sums.ts'
import { type Progress, progressLine } from '../../scenarios/campaign/progress.ts'
import { runOnCores } from '../../scenarios/campaign/run-on-cores.ts'
import type { CheckResult, Sums } from '../../scenarios/simulation/check.ts'
import { CLEAR_LINE } from '../../scenarios/terminal.ts'
import { endOnSignal } from '../exit.ts'
import { writeLine } from '../terminal-output.ts'

const ON_A_TERMINAL_MS = 1000
const ELSEWHERE_MS = 10_000
/** Time until the first line, in ms, so that the user soon sees that the check runs. */
const FIRST_MS = 1000

interface ProgressReporter {
  line(text: string): void
  end(): void
}

export function reportProgress(progress: () => Progress): ProgressReporter {
  const { stderr } = process
  const clear = (): void => void (stderr.isTTY && stderr.write(CLEAR_LINE))
  const show = (): void => {
    clear()
    if (stderr.isTTY) stderr.write(progressLine(progress()))
    else writeLine(progressLine(progress()))
  }
  const first = setTimeout(show, FIRST_MS).unref()
  const timer = setInterval(show, stderr.isTTY ? ON_A_TERMINAL_MS : ELSEWHERE_MS).unref()
  return {
    line(text) {
      clear()
      writeLine(text)
    },
    end() {
      clearTimeout(first)
      clearInterval(timer)
      clear()
    },
  }
}

export function totalsOf(all: readonly Pick<Progress, 'runs' | 'requests' | 'hits'>[]) {
  const sum = (member: 'runs' | 'requests' | 'hits'): number => all.reduce((before, one) => before + one[member], 0)
  return { runs: sum('runs'), requests: sum('requests'), hits: sum('hits') }
}

interface LocalRun {
  readonly cores: number
  readonly minutes?: number | undefined
  readonly bail?: boolean | undefined
  readonly onResult?: (result: CheckResult, reporter: ProgressReporter) => void
}

export async function runWithProgress(plan: Plan, { cores, minutes, bail, onResult }: LocalRun) {
  const began = performance.now()
  const endsAt = minutes === undefined ? undefined : began + minutes * 60_000
  const sums = new CampaignSums(plan)
  const underway = new Map<number, Sums>()
  const stop = new AbortController()
  void endOnSignal().then(() => stop.abort())
  const reporter = reportProgress(() => {
    const now = performance.now()
    return {
      ...totalsOf([...sums.families(), ...underway.values()]),
      violations: sums.violations().length,
      total: runsOf(plan),
      tookMs: now - began,
      ...(endsAt !== undefined && { endsInMs: endsAt - now }),
    }
  })
  try {
    await runOnCores(plan, {
      ...{ cores, endsAt, bail, signal: stop.signal },
      progress: ({ index }, before) => void underway.set(index, before),
      ended: (chunk, result) => {
        underway.delete(chunk.index)
        sums.add(chunk, result)
        onResult?.(result, reporter)
      },
    })
  } finally {
    reporter.end()
  }
  return { sums, tookMs: performance.now() - began, isStopped: stop.signal.aborted }
}
