import type { Clock } from '../../../drivers/model/clock.ts'
import type { LogTables, Times } from './log-tables.ts'

const SAVE_INTERVAL_MS = 1000
const RETENTION_MS = 24 * 60 * 60 * 1000

/** Ages of rows. A row is old when 24 hours have passed since it was written, by both times. */
export interface Ages {
  now(): Times
  old(): Times
  isOld(times: Times): boolean
  /**
   * Writes the counted time. A service that dies before the next write loses the difference, so rows are stored longer.
   */
  keep(): void
}

export function openAges({ passed }: Pick<LogTables, 'passed'>, clock: Clock): Ages {
  const before = passed.get()
  let storedCount = before
  const began = clock.now()
  const now = (): Times => ({ at: clock.wallTime(), counted: before + Math.floor(clock.now() - began) })
  const old = (): Times => ({ at: now().at - RETENTION_MS, counted: now().counted - RETENTION_MS })
  return {
    now,
    old,
    isOld: ({ at, counted }) => at <= old().at && counted <= old().counted,
    keep() {
      const { counted } = now()
      if (counted - storedCount < SAVE_INTERVAL_MS) return
      storedCount = counted
      passed.set(counted)
    },
  }
}
