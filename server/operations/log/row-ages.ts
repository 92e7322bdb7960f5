import type { Clock } from '../../../drivers/model/clock.ts'
import type { LogTables } from './log-tables.ts'

/** The times at which a row was written. */
export interface Times {
  /** Time of the wall clock. */
  readonly at: number
  /** Time that services have run with this log, in ms. Unlike the wall clock, it cannot be set. */
  readonly counted: number
}

/** Interval between writes of the counted time, in ms. */
const KEPT_EVERY_MS = 1000
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** Ages of rows. A row is old 24 hours after it was written, by both times. */
export interface Ages {
  now(): Times
  /** Returns the times at or before which a row is old. */
  old(): Times
  isOld(times: Times): boolean
  /** Writes the counted time. A service that dies before the next write loses it, so rows are stored longer. */
  keep(): void
}

export function openAges({ passed }: Pick<LogTables, 'passed'>, clock: Clock): Ages {
  const before = passed.get()
  let storedCount = before
  const began = clock.now()
  const now = (): Times => ({ at: clock.wallTime(), counted: before + Math.floor(clock.now() - began) })
  const old = (): Times => ({ at: now().at - KEPT_FOR_MS, counted: now().counted - KEPT_FOR_MS })
  return {
    now,
    old,
    isOld: ({ at, counted }) => at <= old().at && counted <= old().counted,
    keep() {
      const { counted } = now()
      if (counted - storedCount < KEPT_EVERY_MS) return
      storedCount = counted
      passed.set(counted)
    },
  }
}
