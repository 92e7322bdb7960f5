import type { Clock } from '../../../drivers/model/clock.ts'
import type { LogTables } from './log-tables.ts'

/** The times at which a row was written. */
export interface Times {
  /** Time of the wall clock. */
  readonly at: number
  /** Milliseconds that services have run with this file: unlike the wall clock, they cannot be set. */
  readonly counted: number
}

/** Interval between writes of the counted time, in ms: less makes no difference to the age of a row. */
const KEPT_EVERY_MS = 1000
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** Ages of rows, which are forgotten after 24 hours, if both times agree. */
export interface Ages {
  now(): Times
  /** Returns the times at or before which a row is old. */
  old(): Times
  isOld(times: Times): boolean
  /** Writes the counted time. If a service dies before writing it, rows are stored longer. */
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
