/** Options of `fiscal-rig check`, as its parts receive them. */
import type { Family } from '../../drivers/model/families.ts'

export interface CheckOptions {
  /** Target: emulator, pty, a path, or tcp://HOST:PORT. */
  readonly target: string
  readonly family?: readonly Family[]
  readonly profile?: string
  /** Number of runs for each family. */
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
  /** File for the shrunk case: a scenario if the name ends in .yaml, else for --replay. */
  readonly save?: string
  /** File of a saved case to run again. */
  readonly replay?: string
  readonly json?: boolean
  /** Tries every place instead of drawing cases. */
  readonly every?: boolean
  /** Pairs of events instead of single ones. */
  readonly pairs?: boolean
  /** Part of the places: I of N. */
  readonly shard?: readonly [part: number, parts: number]
  /** A year of a device in a shop instead of runs. */
  readonly shopYear?: boolean
  readonly receiptsPerDay?: number
  readonly data?: string
  /** Queue that distributes a campaign to workers instead of running it here. */
  readonly queue?: string
  readonly campaign?: string
}

/** Default number of runs; on a real device every run uses paper. */
export const RUNS = { simulated: 1000, pty: 25, device: 5 }
