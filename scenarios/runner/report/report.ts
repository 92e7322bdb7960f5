/** What a reporter is told, and what it leaves. */
import type { Play, Result } from '../play.ts'
import type { Summary } from '../run.ts'

export interface RunFacts {
  readonly target: string
  readonly seed: number
  readonly plays: number
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

/** Everything that a developer needs to act on a failure, as lines. */
export function failureLines({ failure }: Result): string[] {
  if (!failure) return []
  const { file, line, step, problems, asked, answered, trace, state, repeat } = failure
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((one) => `  ${one}`)]
  return [
    `at ${file}:${line}`,
    ...section('step', step?.split('\n') ?? []),
    ...section(
      'wrong',
      problems.flatMap(({ what, diff }) => [...what.split('\n'), ...(diff ?? [])]),
    ),
    ...section('asked', asked === undefined ? [] : [asked]),
    ...section('answered', answered === undefined ? [] : [answered]),
    ...section('on the wire', trace),
    ...section('device', state),
    ...section('again', [repeat]),
  ]
}
