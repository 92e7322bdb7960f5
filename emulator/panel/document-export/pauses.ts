/**
 * Most pauses between two steps of an exported document are nobody's intention, and are left out. But where the device was still at
 * work or an answer was still on its way, the next step met that, or came after it.
 */

/** As a step; undefined: nothing was held back when the pause began, or there was none. */
export function pauseStep(pauseMs: number, wasAtRest: boolean): string | undefined {
  const whole = Math.round(pauseMs)
  return wasAtRest || whole < 1 ? undefined : `- wait: ${whole}ms # something was still under way`
}
