/** The data of a scenario in the HTML report and in a trace. */
import { omitUndefined } from '../../../drivers/model/omit-undefined.ts'
import type { Result } from '../play-scenario.ts'
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

/** `result` must not contain secrets, as reporters receive it. */
export function reportDataOf({ play, ...result }: Result): ReportData {
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
    ...result,
  }
}
