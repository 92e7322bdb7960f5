import type { Clock } from '../../drivers/model/clock.ts'

/** A clock of a process that is not served: time goes on, and what falls due meanwhile is called at its end. */
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
