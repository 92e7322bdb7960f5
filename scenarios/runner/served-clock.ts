/**
 * The system's time, as far as this process was served. Device, service and the line between them share one process:
 * while it has no core, or one of them computes, no byte can be sent, carried or read, and bytes already sent remain
 * unread. On the system's clock a wait of half a second would then end although the line had no chance to deliver. Here
 * each turn of the event loop counts for little, however long it took: a wait ends only after many turns in which bytes
 * could arrive.
 */
import { type Clock, systemClock } from '../../drivers/model/clock.ts'

/** Interval at which turns are counted while any wait is pending, in ms. */
const BEAT_MS = 10
/** Maximum time that a turn counts for, in ms: twice the beat, because timers are slightly late on any machine. */
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
  /** The turn ends after the beat's timer and the bytes that were then read; one turn may contain many timers. */
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
      const look = (): void => {
        const remainingMs = due - now()
        // The process was not served in between: waits for the remaining time.
        if (remainingMs > 0) cancel = system.after(remainingMs, look)
        else {
          cancel = undefined
          end()
          call()
        }
      }
      cancel = system.after(delayMs, look)
      return () => {
        if (!cancel) return
        cancel()
        cancel = undefined
        end()
      }
    },
  }
}

/** The only clock of its kind in this process, so that only one beat timer runs. */
export const servedClock = createServedClock()
