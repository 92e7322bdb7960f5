import type { Family } from '../../drivers/model/families.ts'

export interface CheckOptions {
  readonly target: string
  readonly family?: readonly Family[]
  readonly profile?: string
  readonly runs?: number
  readonly minutes?: number
  readonly untilStopped?: boolean
  readonly chunk?: number
  readonly cores?: number
  readonly bail?: boolean
  readonly seed?: number
  readonly path?: string
  readonly length?: number
  readonly output?: string
  /** File for the shrunk case: a scenario if the name ends in .yaml, otherwise a case for --replay. */
  readonly save?: string
  readonly replay?: string
  readonly json?: boolean
  readonly every?: boolean
  readonly pairs?: boolean
  readonly shard?: readonly [part: number, parts: number]
  readonly shopYear?: boolean
  readonly receiptsPerDay?: number
  readonly data?: string
  readonly queue?: string
  readonly campaign?: string
}

/** Default number of runs. On a real device, every run uses paper. */
export const RUNS = { simulated: 1000, pty: 25, device: 5 }
