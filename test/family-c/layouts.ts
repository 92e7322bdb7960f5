/** The commands of family C by their codes, its code page, sample data, and the units of values. */
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
import { orRefusal } from '../support/problems.ts'

export const page = codePage('cp1251')

export const SALE = 0x31
export const ARTICLE = 0x32
export const SUBTOTAL = 0x33
export const DEPARTMENT = 0x34
export const FRACTION = 0x3d
export const CHANGE = 0x3e

export const BREAD = 'Bread                               '
export const SOLD = { name: 'Bread', tax: 'А', price: 250, void: false }
export const FOOD = { name: 'Bread', department: 1, price: 250, void: false }

const SETS: readonly ((edition: Edition) => readonly AnyCommand[])[] = [
  identityCommands, actionCommands, receiptCommands, salesCommands, paymentCommands, reportCommands, programmingCommands,
  registerCommands,
] // biome-ignore format: a list

/**
 * The command is declared again for each case, because a mutant in a shared declaration would be tried in one case
 * only.
 */
export function declared(edition: EditionName, code: number, data = ''): AnyCommand {
  const all = SETS.flatMap((commandsOf) => commandsOf(EDITION[edition]))
  const found = catalogue(all, edition).find(code, data)
  if (!found) throw new Error(`no command ${code}`)
  return found
}

/** Returns the decoded data of a request, or its refusal: `syntax` is the code 30/34, and `value` 30/35. */
export const readRequest = (edition: EditionName, code: number, data: string): unknown =>
  orRefusal(() => declared(edition, code, data).request.read(data, page))

export const written = (edition: EditionName, code: number, values: object, like = ''): string =>
  declared(edition, code, like).request.write(values, page)

const unitOf = (fact: FieldFact | FieldTable): unknown => {
  if (typeof fact === 'string') return fact
  if (typeof fact['unit'] !== 'string') return unitsOf(fact as FieldTable)
  return [fact['own'] && 'own', fact['unit'], fact['model'] && `as ${fact['model']}`].filter(Boolean).join(' ')
}

export const unitsOf = (fields: FieldTable): object =>
  Object.fromEntries(Object.entries(fields).map(([name, fact]) => [name, fact && unitOf(fact)]))

/** A reader cannot interpret values without a unit. */
export function withoutUnit(values: object, known: FieldTable): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const fact = known[name]
    if (typeof value === 'boolean' || typeof fact === 'string') return []
    if (typeof fact !== 'object') return [name]
    if (typeof value !== 'object' || Array.isArray(value)) return typeof fact['unit'] === 'string' ? [] : [name]
    return withoutUnit(value, fact as FieldTable)
  })
}
