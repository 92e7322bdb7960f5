import type { Context } from './context.ts'

/** 4Fh `1`: when 24 hours are over the device makes the Z report by itself, without print (sheet 4.1 and 5.3). */

const DAY_MS = 24 * 60 * 60 * 1000

/** Device time at which it is due; undefined: never, or not before somebody has finished the receipt in hand. */
export function automaticZAt({ device, dialect }: Context): number | undefined {
  const { since } = device.day
  const asked = dialect.name === 'c6' && device.registers.parameter('automaticZ') === '1'
  return asked && since !== null && device.receipt === null && device.clockSet ? since + DAY_MS : undefined
}

/** A report that is refused (the fiscal memory is full) leaves the device blocked as without it. */
export function makeAutomaticZ(context: Context): void {
  const dueAt = automaticZAt(context)
  if (dueAt !== undefined && context.device.now() >= dueAt) context.device.reportZ({ printed: false })
}
