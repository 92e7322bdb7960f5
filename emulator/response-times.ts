import { measuredTimes, type RealisticTimes, realisticDuration } from './line/durations.ts'
import type { Passport } from './passport/passport.ts'
import type { Answer } from './wire.ts'

interface PaceOptions {
  readonly times?: RealisticTimes | undefined
  readonly durationMs?: ((command: string, answer: Answer) => number) | undefined
  readonly passport?: Passport | undefined
}

/** The printing speed of a device can be changed while the device runs. */
export function paceOf({ times: own, durationMs, passport }: PaceOptions) {
  let times = own
  return {
    get times() {
      return times
    },
    /** Returns true if the setting has changed. */
    set(isRealistic: boolean): boolean {
      const before = times
      times = isRealistic ? (own ?? measuredTimes(passport?.line)) : undefined
      return (before === undefined) !== (times === undefined)
    },
    durationMs: (command: string, answer: Answer) =>
      (durationMs?.(command, answer) ?? 0) + (times ? realisticDuration(times)(command, answer) : 0),
  }
}
