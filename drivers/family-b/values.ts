import type { Adjustment } from '../model/receipt.ts'
import type { DeviceB } from './session.ts'

/** Values of the service in the words of family B's commands. */

/** The device cuts by itself; this keeps the data within what a frame carries. */
export const cut = (text: string, { facts }: DeviceB): string => text.slice(0, facts.commentWidth)

/** A discount is negative. */
export function adjusting(adjustment: Adjustment | undefined): { percent?: number; netto?: number } {
  if (!adjustment) return {}
  const sign = adjustment.kind === 'discount' ? -1 : 1
  return 'percent' in adjustment ? { percent: sign * adjustment.percent } : { netto: sign * adjustment.amount }
}
