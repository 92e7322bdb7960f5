/** A scenario that was played, as plain data: what the page shows, and what a trace keeps. */
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import type { Result } from '../play.ts'
import type { Summary } from '../run.ts'

export interface ReportData
  extends Pick<
    Result,
    | 'status'
    | 'reason'
    | 'durationMs'
    | 'failedBefore'
    | 'failure'
    | 'paper'
    | 'manualChecks'
    | 'left'
    | 'story'
    | 'detail'
    | 'earlier'
  > {
  readonly name: string
  /** Without its turn, where it was played several times. */
  readonly id: string
  readonly scenario: string
  readonly file: string
  readonly line: number
  readonly family: string
  readonly seed: number
  readonly tags: readonly string[]
  readonly purpose?: string
}

export type Counts = Omit<Summary, 'results'>

/** Of a result without secrets, as each reporter receives it. */
export function reportDataOf({ play, ...told }: Result): ReportData {
  const { loaded, name, id, family, seed } = play
  const { file, line, scenario } = loaded
  const { tags = [], purpose } = scenario
  return {
    name,
    id,
    scenario: scenario.name,
    file,
    line,
    family,
    seed,
    tags,
    ...omitUndefined({ purpose }),
    ...told,
  }
}
