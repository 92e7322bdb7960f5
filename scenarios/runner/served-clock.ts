/**
 * The system's time as far as this process was served. Device, service and the reading of the line between them share
 * one process here: while that has no core, or one of them computes, nobody could send, carry or hear a byte, and what
 * was sent before lies unread. On the system's clock a wait of half a second is over then and its line has said nothing.
 * So each turn of the event loop counts for little here, however long it took: a wait that runs out is one in which
 * there were many turns to hear in.
 */
import { type Clock, systemClock } from '../../drivers/model/clock.ts'

/** While anybody waits, the turns are looked at so often. */
const BEAT_MS = 10
/** No turn counts for more: twice the beat, for a timer rings a little late on any machine. */
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
  /** Behind the beat's own timer comes what was heard, and only then is the turn over: many timers may ring in one. */
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
        const left = due - now()
        // Not served in between: the rest of it is still to be waited.
        if (left > 0) cancel = system.after(left, look)
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

/** One for all: so they have one beat. */
export const servedClock = createServedClock()
