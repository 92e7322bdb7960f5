/** A scenario that was played, as plain data: what the page shows, and what a trace keeps. */
import { present } from '../../../drivers/model/present.ts'
import type { Result } from '../play.ts'
import type { Summary } from '../run.ts'
import { referencesIn, withoutSecrets } from './secrets.ts'

export interface Account
  extends Pick<
    Result,
    | 'status'
    | 'reason'
    | 'durationMs'
    | 'failedBefore'
    | 'failure'
    | 'paper'
    | 'looks'
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

/** Without the secrets of the run. */
export function accountOf({ play, ...result }: Result): Account {
  const { loaded, name, id, family, seed } = play
  const { file, line, scenario } = loaded
  const { tags = [], purpose } = scenario
  const { detail, paper, ...told } = result
  const account = {
    name,
    id,
    scenario: scenario.name,
    file,
    line,
    family,
    seed,
    tags,
    ...present({ purpose }),
    ...told,
  }
  // No password is printed: the paper and its pictures stay as they are.
  const clean = withoutSecrets({ account, wire: detail?.wire ?? [] }, referencesIn(scenario, process.env))
  return { ...clean.account, paper, ...(detail && { detail: { ...detail, wire: clean.wire } }) }
}
