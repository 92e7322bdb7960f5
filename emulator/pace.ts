import { measuredTimes, type RealisticTimes, realisticDuration } from './line/durations.ts'
import type { Passport } from './passport/form.ts'
import type { Answer } from './wire.ts'

interface PaceOptions {
  readonly times?: RealisticTimes | undefined
  readonly durationMs?: ((command: string, answer: Answer) => number) | undefined
  readonly passport?: Passport | undefined
}

/** How fast the mechanism is, which a hand may change. */
export function paceOf({ times: own, durationMs, passport }: PaceOptions) {
  let times = own
  return {
    get times() {
      return times
    },
    /** Whether it is another one now. */
    set(isRealistic: boolean): boolean {
      const before = times
      times = isRealistic ? (own ?? measuredTimes(passport?.line)) : undefined
      return (before === undefined) !== (times === undefined)
    },
    durationMs: (command: string, answer: Answer) =>
      (durationMs?.(command, answer) ?? 0) + (times ? realisticDuration(times)(command, answer) : 0),
  }
}
