/**
 * Pauses in an exported document. Most pauses between two steps are unintended, and are omitted. But if the device was
 * still working or an answer was still in transit, the timing of the next step matters.
 */

/** Returns the pause as a step; undefined if the device was idle when the pause began, or there was no pause. */
export function pauseStep(pauseMs: number, wasAtRest: boolean): string | undefined {
  const whole = Math.round(pauseMs)
  return wasAtRest || whole < 1 ? undefined : `- wait: ${whole}ms # something was still under way`
}
