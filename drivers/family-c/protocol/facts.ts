import { declaring, type Facts, setting } from '../../wire/command.ts'
import { empty } from './cells.ts'

export const command = declaring(empty)

export const REPORT_MS = 90_000

/** Facts that many commands of family C share (sheet 5.1 and 5.3). */

/** While the clock is lost only what reads goes on, and 48h that sets it. */
export const programming = { ...setting, needs: ['clock'] } as const satisfies Facts

/** Paper that is no fiscal receipt; reports of the fiscal memory are allowed even when it is full. */
export const printing = {
  changes: 'paper',
  prints: true,
  allowedIn: 'betweenReceipts',
  needs: ['clock'],
} as const satisfies Facts

export const report = {
  ...printing,
  needs: ['fiscalMemory', 'clock', 'journal'],
  fiscal: true,
  limitMs: REPORT_MS,
} as const

export const opening = {
  changes: 'day',
  prints: true,
  allowedIn: 'opening',
  needs: ['fiscalMemory', 'clock', 'day', 'journal'],
  operated: true,
  fiscal: true,
} as const

/** After 24 hours a receipt is not opened and nothing more is sold; what is in hand is finished. */
export const selling = {
  changes: 'day',
  prints: true,
  allowedIn: 'selling',
  needs: ['fiscalMemory', 'clock', 'day'],
  fiscal: true,
} as const
export const adjusting = { ...selling, needs: ['fiscalMemory', 'clock'] } as const
