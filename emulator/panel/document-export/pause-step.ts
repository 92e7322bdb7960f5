/**
 * Pauses in an exported document. Most pauses between two steps are unintended, and are omitted. But if the device was
 * busy or an answer was in transit, the time of the next step matters.
 */

/** Returns the pause as a step; `undefined` if there was no pause, or the device was idle when the pause began. */
export function pauseStep(pauseMs: number, wasAtRest: boolean): string | undefined {
  const whole = Math.round(pauseMs)
  return wasAtRest || whole < 1 ? undefined : `- wait: ${whole}ms # the device was still busy`
}
