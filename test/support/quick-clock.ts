import { type Clock, systemClock } from '../../drivers/model/clock.ts'

/** The system's clock with waits shortened by a factor, for time-outs that a test only waits for. */
export const quickClock = (times: number): Clock => ({
  now: () => systemClock.now() * times,
  wallTime: () => systemClock.wallTime(),
  after: (delayMs, call) => systemClock.after(delayMs / times, call),
})
