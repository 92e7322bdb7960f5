/** What a device says of itself at one moment (drivers/model/printer.ts), read and put into words. */
import { formatMoney } from '../../drivers/model/money.ts'
import { type DeviceNumbers, type Evidence, isSame } from '../../drivers/model/printer.ts'

/** Where nobody has written down which device it was, it was this one. */
export const isSameDevice = (before: DeviceNumbers | null, now: DeviceNumbers): boolean =>
  before === null || isSame(before, now)

/** Nobody else could speak on the line in between: what has changed on the device, this program has changed. */
export const isHeld = (before: Evidence | null, now: Evidence): boolean =>
  before?.hold !== undefined && before.hold === now.hold

/** The number of the receipt that is open, if it is one of this kind. */
export function numberOpen({ open, lastDocument }: Evidence, isNonFiscal: boolean): number | undefined {
  if (!open || (open.kind === 'NonFiscal') !== isNonFiscal) return undefined
  return open.number ?? lastDocument ?? undefined
}

/** A state of the device, for a person who compares it with the paper. */
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

/** Both states of a step, for a person who compares them with the paper. */
export const describeStates = (before: Evidence | null, now: Evidence): string =>
  `before it: ${before ? describeEvidence(before) : 'not told'}; now: ${describeEvidence(now)}. Compare the paper before you go on.`
