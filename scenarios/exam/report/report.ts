/** Facts that every report of an exam contains. */

import { type CaseLogEntry, storyLine } from '../case-log.ts'
import { BASELINE, type CaseResult, countsOf, type ExamEnd } from '../exam.ts'
import { isPassing, VERDICTS, type Verdict } from '../judge.ts'
import type { MapEntry } from '../map.ts'

export interface ExamFacts {
  readonly till: string
  readonly seed: number
  readonly depth: string
  /** The command line. */
  readonly command: string
  /** Returns sentences with a reference to the protocol specification, or undefined if there is no advice. */
  readonly advice: (result: CaseResult) => readonly string[] | undefined
}

export interface Progress {
  baselineEnded(baseline: CaseResult, map: readonly MapEntry[], planned: number): void
  ended(result: CaseResult): void
  finished(end: ExamEnd): void
}

/** The end of a sentence that begins with "In 9 of 214 cases this till". */
const VERDICT_TEXTS: Readonly<Record<Exclude<Verdict, 'passed' | 'not triggered'>, string>> = {
  duplicated: 'printed the same sale twice',
  lost: 'claimed that a sale was printed, and the device does not hold it',
  wrong: 'closed a receipt that does not match the request',
  stuck: 'could no longer print, or left a receipt open',
  hung: 'did not end in time',
  misreported: 'did not know of a receipt that was printed',
}

/** Returns one sentence for each verdict that did not pass, worst first; before them, whether cases were not run. */
export function sentences({ cases, planned }: Pick<ExamEnd, 'cases' | 'planned'>): string[] {
  const counts = countsOf(cases)
  const counted = cases.length - counts['not triggered']
  const bad = VERDICTS.flatMap((verdict) => {
    if (verdict === 'passed' || verdict === 'not triggered' || counts[verdict] === 0) return []
    return [
      `In ${counts[verdict]} of ${counted} ${counted === 1 ? 'case' : 'cases'} this till ${VERDICT_TEXTS[verdict]}.`,
    ]
  })
  const isWhole = cases.length >= planned
  const allOf = isWhole ? (counted === 1 ? 'its only case' : `all ${counted} cases`) : `the ${counted} cases until then`
  const good = `In ${allOf} the device holds every sale once, and this till said so.`
  const stopped = isWhole ? [] : [`The exam was stopped after ${cases.length} of ${planned} cases.`]
  return [...stopped, ...(bad.length > 0 ? bad : [good])]
}

/** `210 passed, 3 duplicated, 1 stuck, 2 not triggered (41.2 s)` */
export function countsLine({ cases, tookMs, planned, isInterrupted }: ExamEnd): string {
  const counts = countsOf(cases)
  const order: readonly Verdict[] = ['passed', ...VERDICTS.filter((one) => one !== 'passed')]
  const parts = order.filter((one) => one === 'passed' || counts[one] > 0).map((one) => `${counts[one]} ${one}`)
  const remaining = planned - cases.length
  const rest = remaining === 0 ? [] : [`${remaining} not run${isInterrupted ? ', interrupted' : ''}`]
  return `${[...parts, ...rest].join(', ')} (${(tookMs / 1000).toFixed(1)} s)`
}

/** Returns the cases that did not pass, worst first. */
export const casesNotPassed = (cases: readonly CaseResult[]): CaseResult[] =>
  cases
    .filter(({ verdict }) => !isPassing(verdict))
    .sort((one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict))

/**
 * The advice of a case is for a till that uses the wire protocol; this is the advice for a till that uses the REST
 * service, the same for every case.
 */
const OVER_THE_SERVICE =
  'A till that uses the REST service sends the same request again with the same Idempotency-Key, until the answer is neither missing nor "Outcome unknown", and does not sell again before that ("Never twice" in the documentation).'

/** Returns advice that is printed once per report, or nothing if no case has advice. */
export const adviceForAll = ({ cases }: Pick<ExamEnd, 'cases'>, { advice }: Pick<ExamFacts, 'advice'>): string[] =>
  cases.some((one) => advice(one) !== undefined) ? [OVER_THE_SERVICE] : []

const ENTRIES_BEFORE = 4
const ENTRIES_AFTER = 8

/** Returns log lines around the fault, or the end of the log for the baseline case. */
export function aroundFault({ story, id }: CaseResult): string[] {
  const entries = story.filter(({ kind }) => kind !== 'output')
  const place = entries.findIndex(({ kind }) => kind === 'fault' || kind === 'hand')
  if (id === BASELINE || place < 0) return entries.slice(-ENTRIES_BEFORE - ENTRIES_AFTER).map(storyLine)
  return entries.slice(Math.max(0, place - ENTRIES_BEFORE), place + ENTRIES_AFTER).map(storyLine)
}

const OUTPUT_LINES = 4
/** The line of a stack trace that names the cause; Node writes it first, and Python last. */
const CAUSE = /^[\w.]*(?:Error|Exception)\b/

/** Returns the last lines of an output. An earlier line that names the cause replaces the first of them. */
function lastLines(lines: readonly string[]): readonly string[] {
  const last = lines.slice(-OUTPUT_LINES)
  const cause = lines.slice(0, -OUTPUT_LINES).find((line) => CAUSE.test(line))
  return cause === undefined ? last : [cause, ...last.slice(1)]
}

/**
 * Returns requests and claims, one line each, with the last lines of output after a run that did not claim to have
 * printed.
 */
export const logLines = ({ story }: CaseResult): string[] =>
  story.flatMap((entry: CaseLogEntry, at): string[] => {
    if (entry.kind === 'asked' || entry.kind === 'said') return [storyLine(entry)]
    if (entry.kind !== 'output' || story[at - 1]?.text.startsWith('printed')) return []
    const lines = entry.text.split('\n').filter((line) => !line.startsWith('{'))
    return lastLines(lines).map((text) => `           | ${text}`)
  })
