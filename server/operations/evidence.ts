/**
 * Device evidence (drivers/model/printer.ts): what a device reports about itself at one moment, compared and formatted.
 */
import { formatMoney } from '../../drivers/model/money.ts'
import { type DeviceNumbers, type Evidence, isSame } from '../../drivers/model/printer.ts'

/**
 * Returns whether the evidence is from the same device. If the earlier device was not recorded, it counts as the same.
 */
export const isSameDevice = (before: DeviceNumbers | null, now: DeviceNumbers): boolean =>
  before === null || isSame(before, now)

/** Returns whether no other program could use the line in between: this program has made every change on the device. */
export const isHeld = (before: Evidence | null, now: Evidence): boolean =>
  before?.hold !== undefined && before.hold === now.hold

/** Returns the number of the open receipt if it is of this kind. */
export function numberOpen({ open, lastDocument }: Evidence, isNonFiscal: boolean): number | undefined {
  if (!open || (open.kind === 'NonFiscal') !== isNonFiscal) return undefined
  return open.number ?? lastDocument ?? undefined
}

/** Describes a state of the device, for a person who compares it with the paper. */
export function describeEvidence({ open, lastDocument }: Evidence): string {
  if (!open) return `nothing open, last document ${lastDocument ?? 'unknown'}`
  const { kind, number, items, total, paid } = open
  const parts = [
    `${kind === 'NonFiscal' ? 'non-fiscal receipt' : 'receipt'} ${number ?? lastDocument ?? ''}`.trim(),
    items === null || kind === 'NonFiscal' ? undefined : `${items} ${items === 1 ? 'row' : 'rows'}`,
    total === null || kind === 'NonFiscal' ? undefined : `total ${formatMoney(total)}`,
    paid === null || kind === 'NonFiscal' ? undefined : `paid ${formatMoney(paid)}`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** Describes both states of a step, for a person who compares them with the paper. */
export const describeStates = (before: Evidence | null, now: Evidence): string =>
  `state before: ${before ? describeEvidence(before) : 'unknown'}; state now: ${describeEvidence(now)}. Compare with the paper before you continue.`
