/**
 * An exam: the baseline case, whose frames are the map of the till's commands, then each fault at each command, in
 * parallel.
 */
import type { Family } from '../../drivers/model/families.ts'
import { omitUndefined } from '../../drivers/model/omit-undefined.ts'
import { type CaseEnd, type CasePlan, type CaseSetting, ExamInterrupted, type ReportedRun, runCase } from './case.ts'
import { type CaseLogEntry, caseLogLine } from './case-log.ts'
import { FAULTS, type Fault } from './faults.ts'
import { money } from './job.ts'
import { isPassing, type Judgement, jobOf, judge, VERDICTS, type Verdict } from './judge.ts'
import { type Depth, type MapEntry, mapOf, STANDARD_MAP, targets } from './map.ts'

export interface ExamOptions extends CaseSetting {
  readonly depth: Depth
  /** Ids or parts of ids of the cases to run; every case if empty. */
  readonly only: readonly string[]
  readonly workers: number
  readonly bail: boolean
  readonly repeat: (id: string) => string
  readonly baselineEnded?: (baseline: CaseResult, map: readonly MapEntry[], planned: number) => void
  readonly began?: (id: string) => void
  readonly ended?: (result: CaseResult) => void
}

export interface CaseResult {
  readonly id: string
  readonly group: string
  readonly fault: string
  readonly command?: string
  readonly verdict: Verdict
  readonly why: string
  readonly claims: readonly Pick<ReportedRun, 'job' | 'again' | 'claim' | 'message' | 'exit' | 'tookMs'>[]
  readonly receipts: readonly { readonly number: number; readonly total: string; readonly job: string | null }[]
  readonly open: { readonly number: number; readonly kind: string } | null
  readonly wire: readonly string[]
  readonly paper: readonly (readonly string[])[]
  readonly repeat: string
  readonly tookMs: number
  readonly log: readonly CaseLogEntry[]
  readonly target?: MapEntry
}

export interface ExamEnd {
  readonly family: Family
  readonly profile: string
  readonly device: string
  readonly tookMs: number
  readonly map: readonly MapEntry[]
  readonly cases: readonly CaseResult[]
  /** Number of planned cases, including the baseline case. */
  readonly planned: number
  readonly isInterrupted: boolean
}

export class NothingMatches extends Error {}

export const BASELINE = 'baseline'

export function plansFor(map: readonly MapEntry[], depth: Depth, paperLines: number): CasePlan[] {
  const targetCommands = targets(map, depth)
  const plan = (fault: Fault, target?: MapEntry): CasePlan => ({
    id: target ? `${fault.id}@${target.command}#${target.n}` : fault.id,
    fault,
    paperLines,
    ...(target && { target }),
  })
  return FAULTS.flatMap((fault) =>
    fault.at === 'command' ? targetCommands.map((target) => plan(fault, target)) : [plan(fault)],
  )
}

export const standardIds = (only: readonly string[]): string[] => [
  ...(only.length === 0 || isBaseline(only) ? [BASELINE] : []),
  ...chosen(STANDARD_MAP, 'full', 0, only).map(({ id }) => id),
]

const isBaseline = (only: readonly string[]): boolean => only.some((part) => BASELINE.includes(part))

/**
 * Returns the planned cases that `only` selects. A complete id selects its case at any depth. A part of an id selects
 * only among the cases of `depth`.
 */
function chosen(map: readonly MapEntry[], depth: Depth, paperLines: number, only: readonly string[]): CasePlan[] {
  if (only.length === 0) return plansFor(map, depth, paperLines)
  const plans = plansFor(map, 'full', paperLines)
  const whole = new Set(plans.map(({ id }) => id))
  const within = new Set(plansFor(map, depth, paperLines).map(({ id }) => id))
  return plans.filter(({ id }) =>
    only.some((part) => (whole.has(part) ? id === part : within.has(id) && id.includes(part))),
  )
}

/** Rejects with NothingMatches, or with the reason why the test bench cannot be opened. */
export async function runExam(options: ExamOptions): Promise<ExamEnd> {
  const since = performance.now()
  const { signal, depth, only, baselineEnded } = options
  const baselineEnd = await runCase({ id: BASELINE, paperLines: 0 }, options)
  const map = mapOf(baselineEnd.first.frames, baselineEnd.commands)
  const baseline = resultOf({ id: BASELINE, paperLines: 0 }, baselineEnd, options)
  const plans = isPassing(baseline.verdict) ? chosen(map, depth, baselineEnd.first.paperLines, only) : []
  if (isPassing(baseline.verdict) && plans.length === 0 && !isBaseline(only)) {
    throw new NothingMatches(`--only ${only.join(' ')}: there is no such case; the till sends ${commandsOf(map)}`)
  }
  baselineEnded?.(baseline, map, plans.length)
  const results = await runAll(plans, options)
  return {
    family: options.testBench.family,
    profile: baselineEnd.profile,
    device: baselineEnd.device,
    tookMs: Math.round(performance.now() - since),
    map,
    cases: [baseline, ...results],
    planned: plans.length + 1,
    isInterrupted: signal.aborted,
  }
}

const commandsOf = (map: readonly MapEntry[]): string => map.map(({ command, n }) => `${command}#${n}`).join(', ')

async function runAll(plans: readonly CasePlan[], options: ExamOptions): Promise<CaseResult[]> {
  const results: (CaseResult | undefined)[] = plans.map(() => undefined)
  let next = 0
  let isOver = false
  const worker = async () => {
    while (!isOver && !options.signal.aborted && next < plans.length) {
      const place = next++
      const plan = plans[place] as CasePlan
      options.began?.(plan.id)
      const result = await resultFor(plan, options)
      if (!result) return
      results[place] = result
      options.ended?.(result)
      if (options.bail && !isPassing(result.verdict)) isOver = true
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.workers, plans.length) }, worker))
  return results.filter((one) => one !== undefined)
}

async function resultFor(plan: CasePlan, options: ExamOptions): Promise<CaseResult | undefined> {
  try {
    return resultOf(plan, await runCase(plan, options), options)
  } catch (problem) {
    if (problem instanceof ExamInterrupted) return undefined
    throw problem
  }
}

function resultOf(plan: CasePlan, end: CaseEnd, { repeat }: ExamOptions): CaseResult {
  const { id, fault, target } = plan
  const { history, runs, log, paper } = end
  const { verdict, why }: Judgement = judge(history)
  return {
    id,
    group: fault?.group ?? BASELINE,
    fault: fault?.id ?? BASELINE,
    ...(target && { command: target.command, target }),
    verdict,
    why,
    claims: runs.map(({ job, again, claim, message, exit, tookMs }) => ({
      ...{ job, again, claim },
      ...omitUndefined({ message, exit }),
      tookMs,
    })),
    receipts: history.receipts.map((receipt) => ({
      number: receipt.number,
      total: money(receipt.total),
      job: jobOf(receipt, history),
    })),
    open: history.open && { number: history.open.number, kind: history.open.kind },
    wire: log.filter(({ kind }) => kind === 'toDevice' || kind === 'toHost').map(caseLogLine),
    paper,
    repeat: repeat(id),
    tookMs: runs.reduce((sum, run) => sum + run.tookMs, 0),
    log,
  }
}

type Counts = Readonly<Record<Verdict, number>>

export const countsOf = (cases: readonly Pick<CaseResult, 'verdict'>[]): Counts =>
  Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, cases.filter((one) => one.verdict === verdict).length]),
  ) as Counts
