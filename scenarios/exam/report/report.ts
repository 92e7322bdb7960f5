/** What every report of an exam tells. */

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
  /** What a till has to do there on this family: sentences, and where the sheet says it; undefined: it did. */
  readonly advice: (result: CaseResult) => readonly string[] | undefined
}

export interface Progress {
  baselineEnded(baseline: CaseResult, map: readonly MapEntry[], planned: number): void
  ended(result: CaseResult): void
  finished(end: ExamEnd): void
}

/** What a till did, in the middle of a sentence that begins "In 9 of 214 cases this till". */
const DEEDS: Readonly<Record<Exclude<Verdict, 'passed' | 'not triggered'>, string>> = {
  duplicated: 'printed the same sale twice',
  lost: 'claimed that a sale was printed, and the device does not hold it',
  wrong: 'closed a receipt that is not as it was asked for',
  stuck: 'could not print any more, or left a receipt open',
  hung: 'did not end in time',
  misreported: 'did not know of a receipt that was printed',
}

/** The sentences that matter, the worst first. */
export function sentences({ cases }: Pick<ExamEnd, 'cases'>): string[] {
  const counts = countsOf(cases)
  const counted = cases.length - counts['not triggered']
  const bad = VERDICTS.flatMap((verdict) => {
    if (verdict === 'passed' || verdict === 'not triggered' || counts[verdict] === 0) return []
    return [`In ${counts[verdict]} of ${counted} ${counted === 1 ? 'case' : 'cases'} this till ${DEEDS[verdict]}.`]
  })
  return bad.length > 0
    ? bad
    : [
        `In ${counted === 1 ? 'its only case' : `all ${counted} cases`} the device holds every sale once, and this till said so.`,
      ]
}

/** `210 passed, 3 duplicated, 1 stuck, 2 not triggered (41.2 s)` */
export function countsLine({ cases, tookMs, planned, isInterrupted }: ExamEnd): string {
  const counts = countsOf(cases)
  const order: readonly Verdict[] = ['passed', ...VERDICTS.filter((one) => one !== 'passed')]
  const parts = order.filter((one) => one === 'passed' || counts[one] > 0).map((one) => `${counts[one]} ${one}`)
  const left = planned - cases.length
  const rest = left === 0 ? [] : [`${left} not run${isInterrupted ? ', interrupted' : ''}`]
  return `${[...parts, ...rest].join(', ')} (${(tookMs / 1000).toFixed(1)} s)`
}

/** Those that did not pass, the worst first. */
export const badOnes = (cases: readonly CaseResult[]): CaseResult[] =>
  cases
    .filter(({ verdict }) => !isPassing(verdict))
    .sort((one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict))

/** The advice of a case is for a till that speaks the wire; what one over the REST service does is the same everywhere. */
const OVER_THE_SERVICE =
  'A till that uses the REST service sends the same request again with the same Idempotency-Key, until the answer is neither missing nor "Outcome unknown", and does not sell anew before that ("Never twice" in the documentation).'

/** What is told once, above or below the cases; nothing where none of them has advice. */
export const adviceForAll = ({ cases }: Pick<ExamEnd, 'cases'>, { advice }: Pick<ExamFacts, 'advice'>): string[] =>
  cases.some((one) => advice(one) !== undefined) ? [OVER_THE_SERVICE] : []

const BEFORE = 4
const AFTER = 8

/** The lines of the story around the place where the fault struck; of the baseline case its end. */
export function aroundFault({ story, id }: CaseResult): string[] {
  const shown = story.filter(({ kind }) => kind !== 'output')
  const place = shown.findIndex(({ kind }) => kind === 'fault' || kind === 'hand')
  if (id === BASELINE || place < 0) return shown.slice(-BEFORE - AFTER).map(storyLine)
  return shown.slice(Math.max(0, place - BEFORE), place + AFTER).map(storyLine)
}

const OUTPUT_LINES = 4
/** The line of a stack trace that names the cause; Node writes it first, and Python last. */
const CAUSE = /^[\w.]*(?:Error|Exception)\b/

/** Returns the last lines of an output. The line that names the cause comes first where it is an earlier one. */
function lastLines(lines: readonly string[]): readonly string[] {
  const last = lines.slice(-OUTPUT_LINES)
  const cause = lines.slice(0, -OUTPUT_LINES).find((line) => CAUSE.test(line))
  return cause === undefined ? last : [cause, ...last.slice(1)]
}

/** What was asked and said, one line each; behind a run that has not printed the last lines of its output. */
export const saidLines = ({ story }: CaseResult): string[] =>
  story.flatMap((entry: CaseLogEntry, at): string[] => {
    if (entry.kind === 'asked' || entry.kind === 'said') return [storyLine(entry)]
    if (entry.kind !== 'output' || story[at - 1]?.text.startsWith('printed')) return []
    const lines = entry.text.split('\n').filter((line) => !line.startsWith('{'))
    return lastLines(lines).map((text) => `           | ${text}`)
  })
