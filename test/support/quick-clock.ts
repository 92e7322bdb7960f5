import { type Clock, systemClock } from '../../drivers/model/clock.ts'

/** The system's clock, with waits so many times shorter: for time-outs that are only waited for. */
export const quickClock = (times: number): Clock => ({
  now: () => systemClock.now() * times,
  wallTime: () => systemClock.wallTime(),
  after: (delayMs, call) => systemClock.after(delayMs / times, call),
})
