/**
 * The time of a case. A till that is a separate program runs in real time, and so does the device while the till runs.
 * Between two runs the time of the device is advanced, which the till cannot observe. A till in this process runs in
 * simulated time.
 */
import { type Clock, SimulatedClock, simulate, systemClock } from '../../drivers/model/clock.ts'

export interface CaseTime {
  readonly clock: Clock
  until<T>(work: Promise<T>): Promise<T>
  advance(ms: number): Promise<void>
  close(): void
}

/** Wall clock at the start of every case: a Wednesday morning. */
const START = Date.UTC(2026, 6, 15, 9, 0, 0)

export function simulatedTime(): CaseTime {
  const clock = new SimulatedClock(START)
  return {
    clock,
    until: (work) => simulate(clock, work),
    advance: (ms) => simulate(clock, new Promise((resolve) => void clock.after(ms, resolve))),
    close: () => undefined,
  }
}

export function runningTime(system: Clock = systemClock): CaseTime {
  const inner = new SimulatedClock(START)
  let since = system.now()
  let isClosed = false
  let isRinging = false
  let cancel: () => void = () => undefined

  /** Time since the inner clock was last set, or 0 while it is being advanced. */
  const passed = () => (isRinging ? 0 : system.now() - since)
  const moveOn = (moreMs: number) => {
    const byMs = passed() + moreMs
    since = system.now()
    isRinging = true
    try {
      inner.advance(byMs)
    } finally {
      isRinging = false
    }
    wakeUp()
  }
  const wakeUp = () => {
    if (isRinging) return
    cancel()
    const next = inner.next()
    if (next === undefined || isClosed) return
    cancel = system.after(Math.max(0, next - inner.now() - passed()), () => moveOn(0))
  }
  return {
    clock: {
      now: () => inner.now() + passed(),
      wallTime: () => inner.wallTime() + passed(),
      after(delayMs, call) {
        const takeBack = inner.after(delayMs + passed(), call)
        wakeUp()
        return takeBack
      },
    },
    until: (work) => work,
    async advance(ms) {
      moveOn(ms)
      // Lets bytes arrive that the device has sent in the meantime.
      await new Promise((resolve) => setImmediate(resolve))
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}
