import { formatMoney, formatPercent, formatQuantity } from '../../drivers/model/money.ts'

/**
 * Fields of a frame as people read them: an amount is `1.20`, as on the wire, and not the 120 that the books count in.
 * One word stands for one thing in every family's protocol, so the name of a field tells its unit.
 */

const NAMES: readonly (readonly [RegExp, (value: number) => string])[] = [
  [/^(?:quantity|reversalQuantity|sold|stock)$/, formatQuantity],
  [/^(?:percent|rates?)$/, formatPercent],
  [
    /^(?:amounts?|cash|cashIn|cashOut|change|drawer|groups|modifierValue|paid|payments?|price|qrAmount|remainder|subtotal|sums?|tender|total|turnover|value|vat|\w+Sum|reversalT(?:otal|urnover)|reversalVat)$/,
    formatMoney,
  ],
]

/** One of them is a number of sales; one for each tax group is a sum. */
const SUMS_BY_GROUP = /^(?:sales|reversals)$/

type Fields = Readonly<Record<string, unknown>>

export const readableFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readable(name, value)]))

function readable(name: string, value: unknown): unknown {
  if (Number.isSafeInteger(value)) return NAMES.find(([pattern]) => pattern.test(name))?.[1](value as number) ?? value
  if (typeof value === 'string') return isBytes(value) ? hexOf(value) : value
  if (Array.isArray(value)) return value.map((one: unknown) => readable(SUMS_BY_GROUP.test(name) ? 'sums' : name, one))
  return typeof value === 'object' && value !== null ? readableFields(value as Fields) : value
}

/** Status bytes and bitmaps are no text. */
const isBytes = (text: string): boolean => /[\x00-\x08\x0e-\x1f\x7f-\x9f]/.test(text) && /^[\x00-\xff]*$/.test(text)

const hexOf = (text: string): string =>
  Array.from(text, (sign) => sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')).join(' ')
