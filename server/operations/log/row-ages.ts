import type { Clock } from '../../../drivers/model/clock.ts'
import type { LogTables } from './log-tables.ts'

/** When a row was written. */
export interface Times {
  /** By the wall clock. */
  readonly at: number
  /** Milliseconds that services have run over this file: nobody can set them, as the wall clock can be. */
  readonly counted: number
}

/** Less than that makes no difference to how long a row is kept. */
const KEPT_EVERY_MS = 1000
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** What ages is forgotten after 24 hours, when both times say so. */
export interface Ages {
  now(): Times
  /** What was written then, or before, is old. */
  old(): Times
  isOld(times: Times): boolean
  /** Writes down how far the counted time has come. What a service that dies has not written, keeps a row longer. */
  keep(): void
}

export function openAges({ passed }: Pick<LogTables, 'passed'>, clock: Clock): Ages {
  const before = passed.get()
  let kept = before
  const began = clock.now()
  const now = (): Times => ({ at: clock.wallTime(), counted: before + Math.floor(clock.now() - began) })
  const old = (): Times => ({ at: now().at - KEPT_FOR_MS, counted: now().counted - KEPT_FOR_MS })
  return {
    now,
    old,
    isOld: ({ at, counted }) => at <= old().at && counted <= old().counted,
    keep() {
      const { counted } = now()
      if (counted - kept < KEPT_EVERY_MS) return
      kept = counted
      passed.set(counted)
    },
  }
}
