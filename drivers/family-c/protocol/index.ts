import { type Catalogue, catalogue, type RequestOf, type ResponseOf } from '../../wire/command.ts'
import { actionCommands } from './commands/actions.ts'
import { identityCommands } from './commands/identity.ts'
import { paymentCommands } from './commands/payment.ts'
import { programmingCommands } from './commands/programming.ts'
import { receiptCommands } from './commands/receipt.ts'
import { registerCommands } from './commands/registers.ts'
import { reportCommands } from './commands/reports.ts'
import { salesCommands } from './commands/sales.ts'
import { EDITION, type Edition, type EditionName } from './edition.ts'

export type { EditionName } from './edition.ts'

const declare = (d: Edition) =>
  [
    ...identityCommands(d),
    ...actionCommands(d),
    ...receiptCommands(d),
    ...salesCommands(d),
    ...paymentCommands(d),
    ...reportCommands(d),
    ...programmingCommands(d),
    ...registerCommands(d),
  ] as const

type DeclaredCommand = ReturnType<typeof declare>[number]
type Commands = Catalogue<DeclaredCommand>['byName']
export type CommandName = keyof Commands
export type Requests = { readonly [Name in CommandName]: RequestOf<Commands[Name]> }
export type Responses = { readonly [Name in CommandName]: ResponseOf<Commands[Name]> }

const catalogues = new Map<EditionName, Catalogue<DeclaredCommand>>()

export function catalogueOf(name: EditionName): Catalogue<DeclaredCommand> {
  const cached = catalogues.get(name) ?? catalogue(declare(EDITION[name]), name)
  catalogues.set(name, cached)
  return cached
}
