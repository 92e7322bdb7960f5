import type { Clock } from '../../drivers/model/clock.ts'

/** The clock has fractions of a millisecond, for lines that transmit a byte in less than 1 ms. */
export function exactClock(): Clock & { advance(byMs: number): void } {
  let present = 0
  const alarms = new Set<{ readonly at: number; readonly call: () => void }>()
  return {
    now: () => present,
    wallTime: () => present,
    after(delayMs, call) {
      const alarm = { at: present + Math.max(0, delayMs), call }
      alarms.add(alarm)
      return () => void alarms.delete(alarm)
    },
    advance(byMs) {
      const until = present + byMs
      for (;;) {
        const [next] = [...alarms].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (!next) break
        alarms.delete(next)
        present = Math.max(present, next.at)
        next.call()
      }
      present = until
    },
  }
}
