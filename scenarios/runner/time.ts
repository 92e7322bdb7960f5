/** The time of a scenario: the system clock, the time in which this process is served, or simulated time. */
import { type Clock, SimulatedClock, settled, systemClock } from '../../drivers/model/clock.ts'
import { servedClock } from './served-clock.ts'

export interface Timeline {
  readonly clock: Clock
  readonly isReal: boolean
  /** Waits for work, and advances simulated time meanwhile. */
  until<T>(work: Promise<T>): Promise<T>
  sleep(ms: number): Promise<void>
}

export const timelineOn = (clock: Clock): Timeline => ({
  clock,
  isReal: true,
  until: (work) => work,
  sleep: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
})

export const realTime: Timeline = timelineOn(systemClock)

export const servedTime: Timeline = timelineOn(servedClock)

/** Number of idle turns of the event loop before simulated time advances: streams need a few. */
const IDLE_TURNS = 8
/**
 * Time without any timer after which the scenario fails, in ms. The reason is a mistake in the program, not a slow
 * device.
 */
const STUCK_AFTER_MS = 10_000

export function simulatedTime(start: number): Timeline {
  const clock = new SimulatedClock(start)
  const until = async <T>(work: Promise<T>): Promise<T> => {
    let hasEnded = false
    const end = () => {
      hasEnded = true
    }
    work.then(end, end)
    let stuckSince: number | undefined
    for (;;) {
      for (let idle = 0; idle < IDLE_TURNS && !hasEnded; idle++) await settled()
      if (hasEnded) return work
      if (clock.jump()) stuckSince = undefined
      else {
        stuckSince ??= performance.now()
        if (performance.now() - stuckSince > STUCK_AFTER_MS)
          throw new Error(
            'the scenario can never continue: it waits for an event that nothing will trigger; check the step before',
          )
        await realTime.sleep(1)
      }
    }
  }
  return { clock, isReal: false, until, sleep: (ms) => until(new Promise((resolve) => void clock.after(ms, resolve))) }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Converts `500ms`, `24h` or `PT24H`. The schema has checked the form. */
export function milliseconds(text: string): number {
  const plain = /^(\d+)(ms|s|m|h|d)$/.exec(text)
  if (plain) return Number(plain[1]) * (UNITS[plain[2] ?? ''] ?? 0)
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text)
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = (iso ?? []).slice(1).map((part) => Number(part ?? 0))
  return ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000
}
