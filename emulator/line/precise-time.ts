/**
 * Time on a line in fractions of a millisecond. A byte at 115200 baud takes 0.087 ms, but timers have whole
 * milliseconds.
 */
import { type Clock, systemClock } from '../../drivers/model/clock.ts'

export interface PreciseTime {
  /** Milliseconds with fractions, from an arbitrary origin. */
  now(): number
  at(time: number, call: () => void): () => void
}

/**
 * Maximum delay of a timer in ms. Timers are set earlier by this time; the remaining time passes in turns of the event
 * loop.
 */
const TIMER_LATE_MS = 1.5

const systemTime: PreciseTime = {
  now: () => performance.now(),
  at(time, call) {
    let cancel: () => void = () => undefined
    const soon = () => {
      const turn = setImmediate(look)
      cancel = () => clearImmediate(turn)
    }
    const look = () => {
      const remainingMs = time - performance.now()
      if (remainingMs <= 0) call()
      else if (remainingMs > TIMER_LATE_MS + 1) {
        const timer = setTimeout(look, Math.floor(remainingMs - TIMER_LATE_MS))
        cancel = () => clearTimeout(timer)
      } else soon()
    }
    const remainingMs = time - performance.now()
    if (remainingMs > TIMER_LATE_MS + 1) look()
    else soon()
    return () => cancel()
  },
}

/** A simulated clock is exact, so that it needs no correction. */
export const preciseTimeOf = (clock: Clock): PreciseTime =>
  clock === systemClock
    ? systemTime
    : { now: () => clock.now(), at: (time, call) => clock.after(Math.max(0, time - clock.now()), call) }
