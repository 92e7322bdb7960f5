import type { FiscalDevice } from './api.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
/** Values of the switch `automaticZ`: off, a full hour, or the last minute of the day. */
export const AUTOMATIC_Z: readonly string[] = ['off', ...HOURS, '23:59']

interface IdleAction {
  readonly afterMs: number
  readonly act: () => void
}
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Returns the device time of the first `time` after the day was opened. Returns `undefined` if no Z report is due, or
 * while a receipt is open.
 */
function dueAt(device: FiscalDevice, time: string): number | undefined {
  const { since } = device.day
  if (time === 'off' || since === null || device.receipt !== null || !device.clockSet) return undefined
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  // A fiscal device has no time zones: its day begins at a multiple of 24 hours.
  const sameDay = Math.floor(since / DAY_MS) * DAY_MS + (hours * 60 + minutes) * MINUTE_MS
  return sameDay > since ? sameDay : sameDay + DAY_MS
}

/** Makes the Z report if its time has come. If the device refuses the report, the day remains open. */
export function makeDueZ(device: FiscalDevice, time: string): void {
  const at = dueAt(device, time)
  if (at !== undefined && device.now() >= at) device.reportZ()
}

export function untilAutomaticZ(device: FiscalDevice, time: string): IdleAction | undefined {
  const at = dueAt(device, time)
  return at === undefined ? undefined : { afterMs: Math.max(0, at - device.now()), act: () => makeDueZ(device, time) }
}
