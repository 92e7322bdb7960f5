import { declareCommand, type Facts, setting } from '../../wire/command.ts'
import { noData } from './cells.ts'

export const command = declareCommand(noData)

export const REPORT_MS = 90_000

/** While the clock is not set, the device executes only queries and command 48h, which sets it. */
export const programming = { ...setting, needs: ['clock'] } as const satisfies Facts

/** Facts of commands that print outside a receipt. Unlike `report`, they are allowed when the fiscal memory is full. */
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

/** After 24 hours, the device opens no receipt and sells no item (`day`). An open receipt can still be completed. */
export const selling = {
  changes: 'day',
  prints: true,
  allowedIn: 'selling',
  needs: ['fiscalMemory', 'clock', 'day'],
  fiscal: true,
} as const
export const adjusting = { ...selling, needs: ['fiscalMemory', 'clock'] } as const
