import { declareCommand, type Facts } from '../../wire/command.ts'
import { nothing } from './layouts.ts'

export const command = declareCommand(nothing)

/** Facts of a document that is not a fiscal receipt. It, too, needs room in the electronic journal. */
export const printing = {
  changes: 'paper',
  prints: true,
  allowedIn: 'betweenReceipts',
  needs: ['journal'],
} as const satisfies Facts

export const onReceipt = { changes: 'paper', prints: true, allowedIn: 'inReceipt', fiscal: true } as const

export const selling = { changes: 'day', prints: true, allowedIn: 'selling', fiscal: true } as const
