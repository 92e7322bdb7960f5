import type { Adjustment } from '../model/receipt.ts'
import type { DeviceB } from './session.ts'

/** Cuts a text to the comment width of the device. */
export const cut = (text: string, { facts }: DeviceB): string => text.slice(0, facts.commentWidth)

export function adjusting(adjustment: Adjustment | undefined): { percent?: number; netto?: number } {
  if (!adjustment) return {}
  const sign = adjustment.kind === 'discount' ? -1 : 1
  return 'percent' in adjustment ? { percent: sign * adjustment.percent } : { netto: sign * adjustment.amount }
}
