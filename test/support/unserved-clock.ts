import type { Clock } from '../../drivers/model/clock.ts'

/**
 * Simulates the clock of a process that gets no CPU time. Alarms that fall due meanwhile are called at the end of that
 * time.
 */
export function unservedClock() {
  let now = 0
  const waiting = new Set<{ readonly at: number; readonly call: () => void }>()
  const clock: Clock = {
    now: () => now,
    wallTime: () => now,
    after(delayMs, call) {
      const alarm = { at: now + delayMs, call }
      waiting.add(alarm)
      return () => void waiting.delete(alarm)
    },
  }
  const stopFor = (ms: number) => {
    now += ms
    for (const alarm of [...waiting].filter(({ at }) => at <= now)) if (waiting.delete(alarm)) alarm.call()
  }
  return { clock, stopFor }
}
