import type { DriverSettings } from '../family.ts'
import type { Capabilities, Limits } from '../model/capabilities.ts'
import { configuredEdition, USUAL_EDITION } from './edition.ts'
import { DISPLAY_WIDTH } from './protocol/commands/actions.ts'
import type { Edition } from './protocol/edition.ts'
import { REFUSALS } from './refusals.ts'
import type { FactsC } from './wire.ts'

/**
 * Percentages in hundredths. The device accepts an amount on the subtotal only if all items are of one tax group (sheet
 * 4.9).
 */
const LIMITS: Limits = {
  rowPercent: { surcharge: 10_000, discount: 10_000 },
  subtotalPercent: { surcharge: 10_000, discount: 10_000 },
  subtotalAmount: 'oneTaxGroup',
  payments: 100,
}

export const USUAL_COLUMNS = 38

/** Returns the width of a line of text. The device prints a `#` at both ends (sheet 4.10). */
export const textWidth = ({ textLimit }: Edition, columns: number): number => Math.min(columns - 2, textLimit)

/**
 * Returns the wire type of a PaymentMode: the configured type, otherwise the same number. Returns `undefined` if the
 * edition has no such type.
 */
export function paymentType(edition: Edition, settings: DriverSettings, mode: number): number | undefined {
  const configured = settings.payments?.[mode]
  const type = configured === undefined ? mode : Number(configured)
  return Number.isInteger(type) && type >= 0 && (configured !== undefined || type < edition.payments) ? type : undefined
}

export const barcodeRefusal = (): string => 'NotSupportedException: devices of this family print no barcodes.'

export function capabilities(
  settings: DriverSettings,
  session?: { readonly edition: Edition; readonly facts: FactsC | undefined },
): Capabilities {
  const edition = session?.edition ?? configuredEdition(settings) ?? USUAL_EDITION
  const columns = session?.facts?.columns ?? USUAL_COLUMNS
  const paymentModes = edition.paymentNames.map((name, mode) => ({ mode, name: name.toLowerCase() }))
  const configured = Object.keys(settings.payments ?? {}).map(Number)
  const extraModes = configured
    .filter((mode) => mode >= paymentModes.length)
    .map((mode) => ({ mode, name: `mode ${mode}` }))
  return {
    freeSale: true,
    invoice: true,
    textFormatting: 'none',
    nonFiscalNeedsOperator: true,
    barcodes: [],
    barcodeRefusal,
    displayWidth: DISPLAY_WIDTH,
    displayIsPadded: true,
    copyNeedsParameter: true,
    lineWidth: textWidth(edition, columns),
    paymentModes: [...paymentModes, ...extraModes],
    refusesZeroRows: true,
    defaultPassword: () => '0'.repeat(edition.passwordWidth),
    passwordLength: { min: 1, max: edition.passwordWidth, exact: edition.passwordWidth },
    limits: LIMITS,
    refusals: REFUSALS,
  }
}
