/** Values of the service in the terms of family B's commands. */
import type { Adjustment } from '../model/receipt.ts'
import type { DeviceB } from './session.ts'

/** Cuts a text so that it fits into a frame; the device cuts it to its width itself. */
export const cut = (text: string, { facts }: DeviceB): string => text.slice(0, facts.commentWidth)

/** Returns the adjustment fields; a discount is negative. */
export function adjusting(adjustment: Adjustment | undefined): { percent?: number; netto?: number } {
  if (!adjustment) return {}
  const sign = adjustment.kind === 'discount' ? -1 : 1
  return 'percent' in adjustment ? { percent: sign * adjustment.percent } : { netto: sign * adjustment.amount }
}
