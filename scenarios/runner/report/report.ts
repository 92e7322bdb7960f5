import { countText } from '../../../drivers/model/count-text.ts'
import { escapeControl } from '../../../drivers/model/escape-control.ts'
import { isFaultLine } from '../injected-faults.ts'
import type { Play } from '../loaded-scenario.ts'
import { manualCheckTitle } from '../manual-checks.ts'
import type { Result } from '../play-scenario.ts'
import type { Summary } from '../run.ts'
import type { StepLogEntry } from '../step-results.ts'
import { withoutEqualLines } from './difference.ts'
import type { Counts } from './report-data.ts'

export interface RunFacts {
  readonly target: string
  readonly seed: number
  readonly plays: number
  readonly wire?: boolean
  readonly command: string
}

export interface Reporter {
  began?(play: Play): void
  ended(result: Result): void
  updated?(path: string): void
  finished(summary: Summary): void
}

export type Write = (text: string) => void

/** Returns a line such as `12 passed, 1 failed, 2 not run (1.2 s)`. */
export function countsLine({ passed, flaky, failed, notRun, leftOut, durationMs }: Counts): string {
  const parts = [
    `${passed} passed`,
    ...(flaky > 0 ? [`${flaky} of them only in a later attempt`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...(leftOut > 0 ? [`${leftOut} skipped after the first failure`] : []),
  ]
  return `${parts.join(', ')} (${(durationMs / 1000).toFixed(1)} s)`
}

export const manualCheckLines = ({ manualChecks }: Pick<Result, 'manualChecks'>): string[] =>
  manualChecks
    .flatMap((check) => [manualCheckTitle(check), ...check.lines.map((line) => `  ${line}`)])
    .map(escapeControl)

export const failedBeforeLines = ({ failedBefore = [] }: Pick<Result, 'failedBefore'>): string[] =>
  failedBefore.map((what, turn) => escapeControl(`failure ${turn + 1}: ${what.split('\n')[0]}`))

/** Title of the longest and least needed section, which is printed last. */
export const WIRE = 'on the wire'
/** Title of the section with differences: lines with `-` (expected), `+` (printed) or a blank. */
export const PAPER = 'paper'

interface FailureSection {
  readonly title: string
  readonly lines: readonly string[]
}

interface Length {
  readonly isShort?: boolean
}

/** Returns the sections of a failure, the cause first. */
export function failureSections(
  { failure, story, earlier }: Pick<Result, 'failure' | 'story' | 'earlier'>,
  { isShort = false }: Length = {},
): FailureSection[] {
  if (!failure) return []
  const { step, problems, asked, answered, printed = [], trace, state, repeat } = failure
  // A check concerns the result of the whole scenario, which the last request and the paper show.
  const isCheck = step === undefined
  const diff = problems.flatMap((problem) => problem.diff ?? [])
  return [
    { title: 'wrong', lines: problems.flatMap(({ what }) => what.split('\n')) },
    { title: 'before', lines: earlier ? [earlier.sentence] : [] },
    { title: PAPER, lines: isShort ? withoutEqualLines(diff) : diff },
    { title: 'steps', lines: stepLines(story, isShort ? STEPS_SHORT : story.length) },
    { title: 'step', lines: step?.split('\n') ?? [] },
    { title: isCheck ? 'asked last' : 'asked', lines: asked === undefined ? [] : [asked] },
    { title: 'answered', lines: answered === undefined ? [] : [answered] },
    { title: 'printed last', lines: isCheck && diff.length === 0 ? printed : [] },
    { title: 'device', lines: state },
    { title: 'again', lines: [repeat] },
    { title: WIRE, lines: trace },
  ]
    .map(({ title, lines }) => ({ title, lines: lines.map(escapeControl) }))
    .filter(({ lines }) => lines.length > 0)
}

const STEPS_SHORT = 4
const TITLE_SHORT = 72

function stepLines(story: readonly StepLogEntry[], most: number): string[] {
  const finishedSteps = story.filter(({ status }) => status === 'passed' || status === 'failed')
  const rest = story.filter(({ status }) => status === 'notReached').length
  // A line with the number of steps is as long as one more step.
  const lastSteps = finishedSteps.length <= most + 1 ? finishedSteps : finishedSteps.slice(-most)
  const lines = lastSteps.map(({ line, depth, title, status, answered }) => {
    const code = /^(?:\d{3}|no answer)\b/.exec(answered ?? '')?.[0]
    const short = title.length > TITLE_SHORT ? `${title.slice(0, TITLE_SHORT)}...` : title
    const word = status === 'failed' ? 'FAILED' : 'passed'
    return `${word} ${String(line).padStart(4)}  ${'  '.repeat(depth)}${short}${code === undefined ? '' : ` -> ${code}`}`
  })
  return [
    ...(finishedSteps.length > lastSteps.length
      ? [`passed       ${finishedSteps.length - lastSteps.length} more before`]
      : []),
    ...lines,
    ...(rest > 0 ? [`not reached: ${rest}`] : []),
  ]
}

/** Returns the number of frames among the lines, such as `12 frames and 1 fault`. */
export function wireCount(lines: readonly string[]): string {
  const faults = lines.filter(isFaultLine).length
  const frames = countText(lines.length - faults, 'frame')
  return faults === 0 ? frames : `${frames} and ${countText(faults, 'fault')}`
}

export const foldedWire = (lines: readonly string[]): string => `${WIRE}: ${wireCount(lines)}, which --wire shows`

export function failureLines(result: Result, isFolded = false): string[] {
  const { failure } = result
  if (!failure) return []
  const sections = failureSections(result, { isShort: isFolded }).flatMap(({ title, lines }) =>
    isFolded && title === WIRE ? [foldedWire(lines)] : [title, ...lines.map((one) => `  ${one}`)],
  )
  return [`at ${failure.file}:${failure.line}`, ...sections]
}

const EXPECTED_PREFIX = 'expected '
const FOUND = ', it is '

/** Splits `expected 2.50, it is 2.40` at both values. Returns `undefined` for any other text. */
export function splitExpectation(text: string) {
  const from = text.indexOf(EXPECTED_PREFIX) + EXPECTED_PREFIX.length
  const to = text.lastIndexOf(FOUND)
  const found = text.slice(to + FOUND.length)
  if (!text.includes(EXPECTED_PREFIX) || to <= from || found === '') return undefined
  return { before: text.slice(0, from), expected: text.slice(from, to), between: FOUND, found }
}
