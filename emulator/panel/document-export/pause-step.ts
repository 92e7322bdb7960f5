/**
 * Pauses in an exported document. Most pauses between two steps are unintended and omitted. If the device was busy or
 * an answer was in transit, however, the time of the next step matters.
 */

/** Returns `undefined` for a pause of less than 0.5 ms, and if the device was idle when the pause began. */
export function pauseStep(pauseMs: number, wasAtRest: boolean): string | undefined {
  const whole = Math.round(pauseMs)
  return wasAtRest || whole < 1 ? undefined : `- wait: ${whole}ms # the device was busy, or an answer was in transit`
}
