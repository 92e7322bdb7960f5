/**
 * The time of a case. A till that is a program of its own lives in real time, and so does its device, but for the times
 * in which nobody can see it: between two runs of the till the device may hurry. A till inside this process lives with
 * its device in simulated time.
 */
import { type Clock, SimulatedClock, simulate, systemClock } from '../../drivers/model/clock.ts'

export interface CaseTime {
  /** The device's, and of everything that is done to it. */
  readonly clock: Clock
  /** Waits for work on the device. */
  until<T>(work: Promise<T>): Promise<T>
  /** The device has had so much more time. */
  hurry(ms: number): Promise<void>
  close(): void
}

/** The device's wall clock at the start of every case: a Wednesday morning. */
const START = Date.UTC(2026, 6, 15, 9, 0, 0)

export function simulatedTime(): CaseTime {
  const clock = new SimulatedClock(START)
  return {
    clock,
    until: (work) => simulate(clock, work),
    hurry: (ms) => simulate(clock, new Promise((resolve) => void clock.after(ms, resolve))),
    close: () => undefined,
  }
}

/** Goes as the system's clock does, and may be put forward. */
export function runningTime(system: Clock = systemClock): CaseTime {
  const inner = new SimulatedClock(START)
  let since = system.now()
  let isClosed = false
  let isRinging = false
  let cancel: () => void = () => undefined

  /** What has passed since the inner clock was moved; while it moves, its own time counts. */
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
    async hurry(ms) {
      moveOn(ms)
      // What the device did meanwhile is on its way.
      await new Promise((resolve) => setImmediate(resolve))
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}
