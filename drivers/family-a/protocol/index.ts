import { type Catalogue, catalogue, type RequestOf, type ResponseOf } from '../../wire/command.ts'
import { articleCommands } from './commands/articles.ts'
import { displayCommands } from './commands/display.ts'
import { journalCommands } from './commands/journal.ts'
import { programmingCommands } from './commands/programming.ts'
import { queryCommands } from './commands/queries.ts'
import { receiptCommands } from './commands/receipt.ts'
import { reportCommands } from './commands/reports.ts'
import { textCommands } from './commands/text.ts'
import { EDITION, type Edition, type EditionName } from './edition.ts'

export { EDITIONS, type EditionName } from './edition.ts'

const declare = (d: Edition) =>
  [
    ...displayCommands,
    ...textCommands(d),
    ...receiptCommands(d),
    ...reportCommands(d),
    ...queryCommands(d),
    ...articleCommands(d),
    ...journalCommands(d),
    ...programmingCommands(d),
  ] as const

type DeclaredCommand = ReturnType<typeof declare>[number]
export type Commands = Catalogue<DeclaredCommand>['byName']
type CommandName = keyof Commands
/** Types computed once for all names: computing them name by name costs the compiler minutes. */
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }

const catalogues: Readonly<Record<EditionName, Catalogue<DeclaredCommand>>> = {
  bg: catalogue(declare(EDITION.bg), 'bg'),
  ro: catalogue(declare(EDITION.ro), 'ro'),
}

export const catalogueOf = (edition: EditionName): Catalogue<DeclaredCommand> => catalogues[edition]
