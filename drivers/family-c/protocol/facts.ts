/** Facts that many commands of family C share (sheet 5.1 and 5.3). */
import { declareCommand, type Facts, setting } from '../../wire/command.ts'
import { noData } from './cells.ts'

export const command = declareCommand(noData)

export const REPORT_MS = 90_000

/**
 * Facts of programming commands. While the clock is not set, only queries and 48h, which sets the clock, are possible.
 */
export const programming = { ...setting, needs: ['clock'] } as const satisfies Facts

/**
 * Facts of commands that print without a fiscal receipt. Reports of the fiscal memory are allowed even if the memory is
 * full.
 */
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

/** Facts of sales. After 24 hours no receipt can be opened and no item sold, but an open receipt can be completed. */
export const selling = {
  changes: 'day',
  prints: true,
  allowedIn: 'selling',
  needs: ['fiscalMemory', 'clock', 'day'],
  fiscal: true,
} as const
export const adjusting = { ...selling, needs: ['fiscalMemory', 'clock'] } as const
