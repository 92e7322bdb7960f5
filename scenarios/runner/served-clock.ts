/**
 * The time in which this process is served. Device, service and their line share one process, which may get no
 * processor time or may be computing. No byte is delivered meanwhile, and on the system clock a wait of half a second
 * would end too early. On this clock a turn of the event loop counts at most `TURN_MS`, however long it took. A wait
 * therefore ends only after many turns in which bytes could arrive.
 */
import { type Clock, systemClock } from '../../drivers/model/clock.ts'

/** Interval at which turns are counted during a wait, in ms. */
const BEAT_MS = 10
/** Maximum time that a turn counts for, in ms: twice the beat, because timers are always slightly late. */
const TURN_MS = 20

export function createServedClock(system: Clock = systemClock): Clock {
  let passed = 0
  let countedAt = system.now()
  let waiting = 0
  let stopBeat: (() => void) | undefined

  const now = (): number => {
    const since = system.now() - countedAt
    return passed + (stopBeat ? Math.min(since, TURN_MS) : since)
  }
  const count = (): void => {
    passed = now()
    countedAt = system.now()
  }
  /** Counts a turn after the timer and after the bytes that were read next, because a turn may contain many timers. */
  const beat = (): void => {
    const stop = system.after(BEAT_MS, () => {
      const turn = setImmediate(() => {
        count()
        beat()
      })
      stopBeat = () => clearImmediate(turn)
    })
    stopBeat = stop
  }
  const begin = (): void => {
    waiting++
    if (waiting > 1) return
    count()
    beat()
  }
  const end = (): void => {
    waiting--
    if (waiting > 0) return
    count()
    stopBeat?.()
    stopBeat = undefined
  }

  return {
    now,
    wallTime: () => system.wallTime(),
    after(delayMs, call) {
      begin()
      const due = now() + delayMs
      let cancel: (() => void) | undefined
      const checkDue = (): void => {
        const remainingMs = due - now()
        // The process was not served in between, so the wait is not over.
        if (remainingMs > 0) cancel = system.after(remainingMs, checkDue)
        else {
          cancel = undefined
          end()
          call()
        }
      }
      cancel = system.after(delayMs, checkDue)
      return () => {
        if (!cancel) return
        cancel()
        cancel = undefined
        end()
      }
    },
  }
}

/** All rigs share one clock, so that only one beat timer runs. */
export const servedClock = createServedClock()
