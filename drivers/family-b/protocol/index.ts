import { catalogue, type RequestOf, type ResponseOf } from '../../wire/command.ts'
import { articleCommands } from './commands/articles.ts'
import { displayCommands } from './commands/display.ts'
import { openingCommands } from './commands/opening.ts'
import { queryCommands } from './commands/queries.ts'
import { receiptCommands } from './commands/receipt.ts'
import { reportCommands } from './commands/reports.ts'
import { salesCommands } from './commands/sale.ts'
import { settingCommands } from './commands/settings.ts'
import { streamCommands } from './commands/stream.ts'
import { textReceiptCommands } from './commands/text-receipt.ts'

export const commands = [
  ...displayCommands,
  ...textReceiptCommands,
  ...openingCommands,
  ...salesCommands,
  ...receiptCommands,
  ...queryCommands,
  ...reportCommands,
  ...settingCommands,
  ...articleCommands,
  ...streamCommands,
] as const

export const EDITIONS = ['b8', 'b5'] as const
export type EditionName = (typeof EDITIONS)[number]

const catalogues = {
  b8: catalogue(commands, 'b8'),
  b5: catalogue(commands, 'b5'),
} as const

export const catalogueOf = (edition: EditionName) => catalogues[edition]

export type Commands = (typeof catalogues)['b8']['byName']
export type CommandName = keyof Commands
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }
