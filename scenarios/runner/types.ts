/** The results of a scenario's steps and checks. Imports nothing, so that every file of the runner may import it. */

export interface Problem {
  readonly what: string
  /** Lines with `-` (expected), `+` (there) or a space. */
  readonly diff?: readonly string[]
}

export const problems = (lines: readonly string[]): Problem[] => lines.map((what) => ({ what }))

export interface ManualCheck {
  readonly at: 'paper' | 'display' | 'device' | 'journal' | 'sums'
  /** `receipt 12`; absent: nothing is numbered. */
  readonly of?: string
  /** Line by line. */
  readonly lines: readonly string[]
}

export type StepStatus = 'passed' | 'failed' | 'notReached' | 'otherFamily'

export interface StepLogEntry {
  readonly file: string
  readonly line: number
  /** How deep it stands inside of repeat, include and the like; 0: a step of the scenario itself. */
  readonly depth: number
  /** What it does in one line, its names filled in. */
  readonly title: string
  readonly note?: string
  readonly status: StepStatus
  /** When it began on the scenario's clock, from its beginning, and how long it took there; of what was not done 0. */
  readonly atMs: number
  readonly tookMs: number
  /** What was asked and answered last in it, in words. */
  readonly asked?: string
  readonly answered?: string
  /** Frames that had passed on the line before it and after it; absent: nobody counts them here. */
  readonly heard?: readonly [before: number, after: number]
  /** Ids of the documents that had been printed last before it and after it, in the same way. */
  readonly printed?: readonly [before: number, after: number]
  /** The device before it and after it, where that is known without asking. */
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
