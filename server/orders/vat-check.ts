import { DeviceError } from '../../drivers/model/errors.ts'
import type { Percent } from '../../drivers/model/money.ts'
import type { FiscalPrinter } from '../../drivers/model/printer.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import type { OrderLine } from './lines.ts'
import type { MappedOrder } from './map.ts'
import type { Mapping } from './mapping.ts'
import { showMoney } from './platform-values.ts'

export type TaxRates = ReadonlyMap<TaxCode, Percent>

/** Resolves to `undefined` if the device does not report its rates or refuses the query. */
export async function programmedRates(printer: FiscalPrinter): Promise<TaxRates | undefined> {
  if (!printer.taxRates) return undefined
  try {
    return await printer.taxRates()
  } catch (error) {
    if (error instanceof DeviceError && ['refused', 'unsupported'].includes(error.problem.kind)) return undefined
    throw error
  }
}

/** Returns a message about the first line whose rate differs from the programmed one; `undefined` if there is none. */
export function vatDifference({ lines }: Pick<MappedOrder, 'lines'>, rates: TaxRates): string | undefined {
  for (const line of lines) {
    const { total, rate, taxCode } = line
    if (total <= 0 || rate === undefined) continue
    const programmed = rates.get(taxCode)
    const needed = rate === 'none' ? 0 : rate
    if (programmed !== needed) return differenceOf(line, programmed)
  }
  return undefined
}

function differenceOf({ taxCode, rate, kind, label }: OrderLine, programmed: Percent | undefined): string {
  const isUntaxed = rate === 'none' || rate === undefined
  const subject = kind === 'item' ? `${label} of the order` : { shipping: 'shipping', tip: 'the tip', fee: label }[kind]
  const has = isUntaxed ? 'has no tax' : `has ${showMoney(rate)}%`
  const key = isUntaxed ? 'noTaxCode' : 'taxCodes'
  return `${programmedAs(taxCode, programmed)}, ${subject} ${has}; program the device or change platform.mapping.${key}`
}

export const programmedAs = (taxCode: TaxCode, rate: Percent | undefined): string =>
  rate === undefined
    ? `tax code ${taxCode} is switched off in the device`
    : `tax code ${taxCode} is programmed with ${showMoney(rate)}% in the device`

export function mappingDifferences({ taxCodes }: Pick<Mapping, 'taxCodes'>, rates: TaxRates): readonly string[] {
  return [...taxCodes].flatMap(([rate, code]) => {
    const programmed = rates.get(code)
    if (programmed === rate) return []
    return [
      `${programmedAs(code, programmed)}, but platform.mapping.taxCodes says ${showMoney(rate)}%; program the device or change platform.mapping.taxCodes`,
    ]
  })
}
