/** Facts that many commands of family A share (sheet 5 and 8). */
import { declareCommand, type Facts } from '../../wire/command.ts'
import { nothing } from './layouts.ts'

export const command = declareCommand(nothing)

/** Facts of a document that is not a fiscal receipt; a full journal has no room for it. */
export const printing = {
  changes: 'paper',
  prints: true,
  allowedIn: 'betweenReceipts',
  needs: ['journal'],
} as const satisfies Facts

export const onReceipt = { changes: 'paper', prints: true, allowedIn: 'inReceipt', fiscal: true } as const

export const selling = { changes: 'day', prints: true, allowedIn: 'selling', fiscal: true } as const
