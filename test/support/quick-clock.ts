import { type Clock, systemClock } from '../../drivers/model/clock.ts'

/** Returns the system's clock with waits shortened by a factor. */
export const quickClock = (times: number): Clock => ({
  now: () => systemClock.now() * times,
  wallTime: () => systemClock.wallTime(),
  after: (delayMs, call) => systemClock.after(delayMs / times, call),
})
