import { JsonNumber, JsonObject } from '../../drivers/model/json.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import type { Mapping } from './mapping.ts'
import { mappingDifferences, programmedAs, type TaxRates } from './vat-check.ts'

/**
 * Warnings (`X-Warnings`) for callers that use a tax code which the device has disabled, or has programmed with another
 * rate than the configuration. They are based on the rates that the device reported last; before that, there are none.
 */
export class TaxCodeWarnings {
  readonly #mapping: Pick<Mapping, 'taxCodes'>
  #rates: TaxRates | undefined

  constructor(mapping: Pick<Mapping, 'taxCodes'>) {
    this.#mapping = mapping
  }

  note(rates: TaxRates): void {
    this.#rates = rates
  }

  /**
   * Returns the warnings about the tax codes in a body, at any depth: `TaxCode` of REST, or `tax: {code}` of a legacy
   * item.
   */
  warningFor(body: unknown): string | undefined {
    const rates = this.#rates
    if (!rates) return undefined
    const codes = new Set(codesIn(body))
    const listed = [...this.#mapping.taxCodes].filter(([, code]) => codes.has(code))
    const unlisted = [...codes].filter((code) => !listed.some(([, one]) => one === code) && !rates.has(code))
    const warnings = [
      ...mappingDifferences({ taxCodes: new Map(listed) }, rates),
      ...unlisted.map((code) => programmedAs(code, undefined)),
    ]
    return warnings.length === 0 ? undefined : warnings.join('; ')
  }
}

const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  value instanceof JsonObject ? value.entries : Object.entries(value)

function codesIn(value: unknown): readonly TaxCode[] {
  if (Array.isArray(value)) return value.flatMap(codesIn)
  if (typeof value !== 'object' || value === null) return []
  return entriesOf(value).flatMap(([name, part]) => {
    const code = name === 'tax' ? (part as { readonly code?: unknown } | null)?.code : part
    const number = Number(code instanceof JsonNumber ? code.source : code)
    return (name.toLowerCase() === 'taxcode' || name === 'tax') && isTaxCode(number) ? [number] : codesIn(part)
  })
}

const isTaxCode = (code: number): code is TaxCode => Number.isInteger(code) && code >= 1 && code <= 8
