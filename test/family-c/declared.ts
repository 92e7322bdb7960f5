import { paymentCommands } from '../../drivers/family-c/protocol/commands/payment.ts'
import { receiptCommands } from '../../drivers/family-c/protocol/commands/receipt.ts'
import { reportCommands } from '../../drivers/family-c/protocol/commands/reports.ts'
import { salesCommands } from '../../drivers/family-c/protocol/commands/sales.ts'
import { EDITION, type EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { codePage } from '../../drivers/wire/charset.ts'
import { type AnyCommand, catalogue } from '../../drivers/wire/command.ts'
import type { FieldTable } from '../../drivers/wire/row.ts'
import { orRefusal } from '../support/problems.ts'

/**
 * The commands of receipts and reports of family C, declared anew for whoever asks: so a test sees what declaring them
 * does, which a catalogue does once and keeps.
 */

const page = codePage('cp1251')

export function declared(edition: EditionName, code: number, data = ''): AnyCommand {
  const d = EDITION[edition]
  const all = [...receiptCommands(d), ...salesCommands(d), ...paymentCommands(d), ...reportCommands(d)]
  const found = catalogue<AnyCommand>(all, edition).find(code, data)
  if (!found) throw new Error(`no command ${code}`)
  return found
}

/** What data of a request say; `syntax` is 30/34, `value` 30/35. */
export const asked = (edition: EditionName, code: number, data: string): unknown =>
  orRefusal(() => declared(edition, code, data).request.read(data, page))

export const written = (edition: EditionName, code: number, values: object, like = ''): string =>
  declared(edition, code, like).request.write(values, page)

/** Fields without a unit, by name: as people are shown them, nothing says how their values count. */
export function withoutUnit(values: object, known: FieldTable): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const fact = known[name]
    if (typeof value === 'boolean' || typeof fact === 'string') return []
    if (typeof fact !== 'object') return [name]
    if (typeof value !== 'object' || Array.isArray(value)) return typeof fact['unit'] === 'string' ? [] : [name]
    return withoutUnit(value, fact as FieldTable)
  })
}
