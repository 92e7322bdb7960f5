/** Fields of a frame in readable form: an amount is `1.20`, as in the wire protocol, not 120 as in the books. */
import { formatDecimal } from '../../drivers/model/money.ts'
import { DECIMALS } from '../../drivers/wire/field.ts'
import type { FieldFact, FieldTable } from '../../drivers/wire/row.ts'

type Fields = Readonly<Record<string, unknown>>
type FieldMeaning = FieldFact | FieldTable | undefined

/**
 * `fieldTable` contains the meanings of the fields. A field without a meaning keeps its form, except text with control
 * bytes, which becomes hexadecimal.
 */
export const readableFields = (fields: Fields, fieldTable: FieldTable = {}): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readable(value, fieldTable[name])]))

function readable(value: unknown, meaning: FieldMeaning): unknown {
  if (Number.isSafeInteger(value))
    return displayValue(value as number, typeof meaning === 'object' ? meaning['unit'] : meaning)
  if (typeof value === 'string') return isBytes(value) ? hexOf(value) : value
  if (Array.isArray(value)) return value.map((one: unknown) => readable(one, meaning))
  if (typeof value !== 'object' || value === null) return value
  return readableFields(value as Fields, typeof meaning === 'object' ? (meaning as FieldTable) : {})
}

const displayValue = (value: number, unit: unknown): number | string =>
  unit === 'money' || unit === 'quantity' || unit === 'percent' ? formatDecimal(value, DECIMALS[unit]) : value

const isBytes = (text: string): boolean => /[\x00-\x08\x0e-\x1f\x7f-\x9f]/.test(text) && /^[\x00-\xff]*$/.test(text)

const hexOf = (text: string): string =>
  Array.from(text, (sign) => sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')).join(' ')
