import { declareCommand, type Facts } from '../../wire/command.ts'
import { nothing } from '../../wire/row.ts'

export const command = declareCommand(nothing)

export const printing = {
  changes: 'paper',
  prints: true,
  allowedIn: 'betweenReceipts',
  needs: ['pcMode'],
} as const satisfies Facts

export const selling = { ...printing, changes: 'day', allowedIn: 'selling', fiscal: true } as const
