/** The results of a scenario's steps and checks. Imports nothing, so that every file of the runner may import it. */

export interface Problem {
  readonly what: string
  /** Lines with `-` (expected), `+` (actual) or a space. */
  readonly diff?: readonly string[]
}

export const problems = (lines: readonly string[]): Problem[] => lines.map((what) => ({ what }))

export interface ManualCheck {
  readonly at: 'paper' | 'display' | 'device' | 'journal' | 'sums'
  /** `receipt 12`; undefined if it has no number. */
  readonly of?: string
  /** Expected lines. */
  readonly lines: readonly string[]
}

export type StepStatus = 'passed' | 'failed' | 'notReached' | 'otherFamily'

export interface StepLogEntry {
  readonly file: string
  readonly line: number
  /** Number of enclosing steps such as repeat and include; 0 for a step of the scenario itself. */
  readonly depth: number
  /** Its action in one line, with names filled in. */
  readonly title: string
  readonly note?: string
  readonly status: StepStatus
  /**
   * Beginning and duration on the scenario's clock, in ms since the scenario began; 0 for steps that were not played.
   */
  readonly atMs: number
  readonly tookMs: number
  /** The last request and answer within the step, as text. */
  readonly asked?: string
  readonly answered?: string
  /** Number of frames on the line before and after the step; undefined if they are not counted. */
  readonly heard?: readonly [before: number, after: number]
  /** Ids of the last printed documents before and after the step; undefined if they are not counted. */
  readonly printed?: readonly [before: number, after: number]
  /** State of the device before and after the step, if it is known without a query. */
  readonly device?: readonly [before: DeviceState, after: DeviceState]
}

/** The state of a device at one moment, as a person sees it. Amounts are decimal text. */
export interface DeviceState {
  readonly power: boolean
  readonly paper: string
  readonly cover: boolean
  readonly cable: boolean
  readonly display: readonly string[]
  readonly receipt: {
    readonly number: number
    readonly items: number
    readonly total: string
    readonly paid: string
  } | null
  /** Turnover of the day. */
  readonly day: string
}
