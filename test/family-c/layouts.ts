import { actionCommands } from '../../drivers/family-c/protocol/commands/actions.ts'
import { identityCommands } from '../../drivers/family-c/protocol/commands/identity.ts'
import { paymentCommands } from '../../drivers/family-c/protocol/commands/payment.ts'
import { programmingCommands } from '../../drivers/family-c/protocol/commands/programming.ts'
import { receiptCommands } from '../../drivers/family-c/protocol/commands/receipt.ts'
import { registerCommands } from '../../drivers/family-c/protocol/commands/registers.ts'
import { reportCommands } from '../../drivers/family-c/protocol/commands/reports.ts'
import { salesCommands } from '../../drivers/family-c/protocol/commands/sales.ts'
import { EDITION, type Edition, type EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import { type AnyCommand, catalogue } from '../../drivers/wire/command.ts'
import type { FieldFact, FieldTable } from '../../drivers/wire/row.ts'

/** The commands of family C by their codes, their letters, and what their values count in. */

export const page = codePage('cp1251')

const SETS: readonly ((edition: Edition) => readonly AnyCommand[])[] = [
  identityCommands, actionCommands, receiptCommands, salesCommands, paymentCommands, reportCommands, programmingCommands,
  registerCommands,
] // biome-ignore format: a list

/** Declared anew for each case: a change of what is declared once for all cases would be looked for in one of them only. */
export function commandOf(code: number, data = '', edition: EditionName = 'c4'): AnyCommand {
  const declared = SETS.flatMap((commandsOf) => commandsOf(EDITION[edition]))
  const found = catalogue(declared, edition).find(code, data)
  if (!found) throw new Error(`no command ${code}`)
  return found
}

const unitOf = (fact: FieldFact | FieldTable): unknown => {
  if (typeof fact === 'string') return fact
  if (typeof fact['unit'] !== 'string') return unitsOf(fact as FieldTable)
  return [fact['own'] && 'own', fact['unit'], fact['model'] && `as ${fact['model']}`].filter(Boolean).join(' ')
}

/** Each value's unit: `money`; `own money` where no two devices have it alike; `text as taxCode` for a common name. */
export const unitsOf = (fields: FieldTable): object =>
  Object.fromEntries(Object.entries(fields).map(([name, fact]) => [name, fact && unitOf(fact)]))
