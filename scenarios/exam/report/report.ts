import { countText } from '../../../drivers/model/count-text.ts'
import { type CaseLogEntry, caseLogLine } from '../case-log.ts'
import { BASELINE, type CaseResult, countsOf, type ExamEnd } from '../exam.ts'
import { isPassing, VERDICTS, type Verdict } from '../judge.ts'
import type { MapEntry } from '../map.ts'

export interface ExamFacts {
  readonly till: string
  readonly seed: number
  readonly depth: string
  readonly command: string
  readonly advice: (result: CaseResult) => readonly string[] | undefined
}

export interface Progress {
  baselineEnded(baseline: CaseResult, map: readonly MapEntry[], planned: number): void
  ended(result: CaseResult): void
  finished(end: ExamEnd): void
}

const VERDICT_TEXTS: Readonly<Record<Exclude<Verdict, 'passed' | 'not triggered'>, string>> = {
  duplicated: 'printed the same sale twice',
  lost: 'reported a sale as printed for which the device has no receipt',
  wrong: 'closed a receipt that does not match the request',
  stuck: 'could no longer print, or left a receipt open',
  hung: 'did not end in time',
  misreported: 'did not report a receipt that was printed',
}

/**
 * Returns one sentence for each verdict that did not pass, worst first, or one sentence that all passed. If cases did
 * not run, a sentence about that comes first.
 */
export function sentences({ cases, planned }: Pick<ExamEnd, 'cases' | 'planned'>): string[] {
  const counts = countsOf(cases)
  const counted = cases.length - counts['not triggered']
  const bad = VERDICTS.flatMap((verdict) => {
    if (verdict === 'passed' || verdict === 'not triggered' || counts[verdict] === 0) return []
    return [`In ${counts[verdict]} of ${countText(counted, 'case')} this till ${VERDICT_TEXTS[verdict]}.`]
  })
  const isWhole = cases.length >= planned
  const allOf = isWhole
    ? counted === 1
      ? 'its only case'
      : `all ${counted} cases`
    : `the ${countText(counted, 'case')} until then`
  const good = `In ${allOf} the device printed each sale once, and this till reported it correctly.`
  const stopped = isWhole ? [] : [`The exam was stopped after ${cases.length} of ${planned} cases.`]
  return [...stopped, ...(bad.length > 0 ? bad : [good])]
}

export function countsLine({ cases, tookMs, planned, isInterrupted }: ExamEnd): string {
  const counts = countsOf(cases)
  const order: readonly Verdict[] = ['passed', ...VERDICTS.filter((one) => one !== 'passed')]
  const parts = order.filter((one) => one === 'passed' || counts[one] > 0).map((one) => `${counts[one]} ${one}`)
  const remaining = planned - cases.length
  const rest = remaining === 0 ? [] : [`${remaining} not run${isInterrupted ? ', interrupted' : ''}`]
  return `${[...parts, ...rest].join(', ')} (${(tookMs / 1000).toFixed(1)} s)`
}

export const casesNotPassed = (cases: readonly CaseResult[]): CaseResult[] =>
  cases
    .filter(({ verdict }) => !isPassing(verdict))
    .sort((one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict))

/**
 * Advice for a till that uses the REST service. The advice of a single case is for a till that uses the wire protocol.
 */
const OVER_THE_SERVICE =
  'A till that uses the REST service sends the same request again with the same Idempotency-Key, until the answer is neither missing nor "Outcome unknown", and does not sell again before that ("Never twice" in the documentation).'

export const adviceForAll = ({ cases }: Pick<ExamEnd, 'cases'>, { advice }: Pick<ExamFacts, 'advice'>): string[] =>
  cases.some((one) => advice(one) !== undefined) ? [OVER_THE_SERVICE] : []

const ENTRIES_BEFORE = 4
const ENTRIES_AFTER = 8

export function aroundFault({ log, id }: CaseResult): string[] {
  const entries = log.filter(({ kind }) => kind !== 'output')
  const place = entries.findIndex(({ kind }) => kind === 'fault' || kind === 'hand')
  if (id === BASELINE || place < 0) return entries.slice(-ENTRIES_BEFORE - ENTRIES_AFTER).map(caseLogLine)
  return entries.slice(Math.max(0, place - ENTRIES_BEFORE), place + ENTRIES_AFTER).map(caseLogLine)
}

const OUTPUT_LINES = 4
/** Matches the line of a stack trace that names the cause. Node prints that line first, Python last. */
const CAUSE = /^[\w.]*(?:Error|Exception)\b/

/** Returns the last lines of an output. If the cause is further up, it replaces the first of them. */
function lastLines(lines: readonly string[]): readonly string[] {
  const last = lines.slice(-OUTPUT_LINES)
  const cause = lines.slice(0, -OUTPUT_LINES).find((line) => CAUSE.test(line))
  return cause === undefined ? last : [cause, ...last.slice(1)]
}

/**
 * Returns one line for each request and each claim. After a run that did not claim to have printed, the last lines of
 * its output follow.
 */
export const logLines = ({ log }: CaseResult): string[] =>
  log.flatMap((entry: CaseLogEntry, at): string[] => {
    if (entry.kind === 'asked' || entry.kind === 'said') return [caseLogLine(entry)]
    if (entry.kind !== 'output' || log[at - 1]?.text.startsWith('printed')) return []
    const lines = entry.text.split('\n').filter((line) => !line.startsWith('{'))
    return lastLines(lines).map((text) => `           | ${text}`)
  })
