import { catalogue, type RequestOf, type ResponseOf } from '../../wire/command.ts'
import { articleCommands } from './commands/articles.ts'
import { displayCommands } from './commands/display.ts'
import { journalCommands } from './commands/journal.ts'
import { programmingCommands } from './commands/programming.ts'
import { queryCommands } from './commands/queries.ts'
import { receiptCommands } from './commands/receipt.ts'
import { reportCommands } from './commands/reports.ts'
import { textCommands } from './commands/text.ts'

/** Every command of family A, sheet 6.1 to 6.13. */
export const commands = [
  ...displayCommands,
  ...textCommands,
  ...receiptCommands,
  ...reportCommands,
  ...queryCommands,
  ...articleCommands,
  ...journalCommands,
  ...programmingCommands,
] as const

/** The editions on the market (sheet 8 and 9); some numbers are another command in each. */
export const EDITIONS = ['bg', 'ro'] as const
export type EditionName = (typeof EDITIONS)[number]

const catalogues = {
  bg: catalogue(commands, 'bg'),
  ro: catalogue(commands, 'ro'),
} as const

export const catalogueOf = (edition: EditionName) => catalogues[edition]

export type Commands = (typeof catalogues)['bg']['byName']
export type CommandName = keyof Commands
/** Worked out once for all names: asking for them name by name costs the compiler minutes. */
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }
