/** What a reporter is told, and what it leaves. */
import { visible } from '../../../drivers/model/visible.ts'
import { lookTitle } from '../look.ts'
import type { Play, Result } from '../play.ts'
import type { Summary } from '../run.ts'

export interface RunFacts {
  readonly target: string
  readonly seed: number
  readonly plays: number
  /** Failures are shown with the frames around them. */
  readonly wire?: boolean
  /** The command line, for people. */
  readonly command: string
}

export interface Reporter {
  began?(play: Play): void
  ended(result: Result): void
  /** What was written to golden files. */
  updated?(path: string): void
  finished(summary: Summary): void
}

export type Write = (text: string) => void

/** `12 passed, 1 failed, 2 not run, in 1.2 s` */
export function countsLine({ passed, failed, notRun, leftOut, durationMs }: Summary): string {
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out after the first failure`] : []),
  ]
  return `${parts.join(', ')} (${(durationMs / 1000).toFixed(1)} s)`
}

/** What a person has to look at, under the scenario that printed it. */
export const lookLines = ({ looks }: Result): string[] =>
  looks.flatMap((look) => [lookTitle(look), ...look.lines.map((line) => `  ${line}`)]).map(visible)

/** The longest part, and the last that anybody needs. */
export const WIRE = 'on the wire'

export interface FailureSection {
  readonly title: string
  readonly lines: readonly string[]
}

/**
 * Everything that a developer needs to act on a failure, the cause first; `wrong` without the difference of papers. What
 * is `folded` is looked at last.
 */
export function failureSections({ failure }: Result): FailureSection[] {
  if (!failure) return []
  const { step, problems, asked, answered, trace, state, repeat } = failure
  return [
    { title: 'wrong', lines: problems.flatMap(({ what }) => what.split('\n')) },
    { title: 'paper', lines: problems.flatMap(({ diff }) => diff ?? []) },
    { title: 'step', lines: step?.split('\n') ?? [] },
    { title: 'asked', lines: asked === undefined ? [] : [asked] },
    { title: 'answered', lines: answered === undefined ? [] : [answered] },
    { title: 'device', lines: state },
    { title: 'again', lines: [repeat] },
    { title: WIRE, lines: trace },
  ]
    .map(({ title, lines }) => ({ title, lines: lines.map(visible) }))
    .filter(({ lines }) => lines.length > 0)
}

/** The same as lines of text. `isFolded`: of the wire only how much there is. */
export function failureLines(result: Result, isFolded = false): string[] {
  const { failure } = result
  if (!failure) return []
  const sections = failureSections(result).flatMap(({ title, lines }) =>
    isFolded && title === WIRE
      ? [`${WIRE}: ${lines.length} frames, which --wire shows`]
      : [title, ...lines.map((one) => `  ${one}`)],
  )
  return [`at ${failure.file}:${failure.line}`, ...sections]
}
