import { countText } from '../../drivers/model/count-text.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import { type DeviceNumbers, type Evidence, isSame } from '../../drivers/model/printer.ts'

/**
 * Returns whether the serial numbers and the fiscal memories are equal. Also returns true if no device was recorded
 * before.
 */
export const isSameDevice = (before: DeviceNumbers | null, now: DeviceNumbers): boolean =>
  before === null || isSame(before, now)

/**
 * Returns whether this program held the line without interruption between the two, so that only its commands changed
 * the device.
 */
export const isHeld = (before: Evidence | null, now: Evidence): boolean =>
  before?.hold !== undefined && before.hold === now.hold

export function numberOpen({ open, lastDocument }: Evidence, isNonFiscal: boolean): number | undefined {
  if (!open || (open.kind === 'NonFiscal') !== isNonFiscal) return undefined
  return open.number ?? lastDocument ?? undefined
}

export function describeEvidence({ open, lastDocument }: Evidence): string {
  if (!open) return `nothing open, last document ${lastDocument ?? 'unknown'}`
  const { kind, number, items, total, paid } = open
  const parts = [
    `${kind === 'NonFiscal' ? 'non-fiscal receipt' : 'receipt'} ${number ?? lastDocument ?? ''}`.trim(),
    items === null || kind === 'NonFiscal' ? undefined : countText(items, 'item'),
    total === null || kind === 'NonFiscal' ? undefined : `total ${formatMoney(total)}`,
    paid === null || kind === 'NonFiscal' ? undefined : `paid ${formatMoney(paid)}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}

export const describeStates = (before: Evidence | null, now: Evidence): string =>
  `state before: ${before ? describeEvidence(before) : 'unknown'}; state now: ${describeEvidence(now)}. Compare with the paper before you continue.`
