/** The results of steps and checks. The file has no imports, so that every file of the runner can import it. */

export interface Problem {
  readonly what: string
  readonly diff?: readonly string[]
}

export const problems = (lines: readonly string[]): Problem[] => lines.map((what) => ({ what }))

export interface ManualCheck {
  readonly at: 'paper' | 'display' | 'device' | 'journal' | 'sums'
  readonly of?: string
  readonly lines: readonly string[]
}

export type StepStatus = 'passed' | 'failed' | 'notReached' | 'otherFamily'

export interface StepLogEntry {
  readonly file: string
  readonly line: number
  readonly depth: number
  readonly title: string
  readonly note?: string
  readonly status: StepStatus
  /** Start and duration in ms since the start of the scenario. Both are 0 if the step was not run. */
  readonly atMs: number
  readonly tookMs: number
  readonly asked?: string
  readonly answered?: string
  readonly heard?: readonly [before: number, after: number]
  readonly injected?: readonly [before: number, after: number]
  readonly printed?: readonly [before: number, after: number]
  /** State of the device before and after the step, if it is known without a query. */
  readonly device?: readonly [before: DeviceState, after: DeviceState]
}

/** The state of a device as a person sees it. Amounts are decimal text. */
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
  readonly day: string
}
