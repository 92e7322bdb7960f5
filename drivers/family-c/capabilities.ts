import type { DriverSettings } from '../family.ts'
import type { Capabilities, Limits } from '../model/capabilities.ts'
import { configuredEdition, USUAL_EDITION } from './edition.ts'
import { DISPLAY_WIDTH } from './protocol/commands/actions.ts'
import type { Edition } from './protocol/edition.ts'
import { REFUSALS } from './refusals.ts'
import type { FactsC } from './wire.ts'

/** What family C can do: sheet 0.1, 4.4 to 4.11 and 6. */

/** 2.2: a percentage has up to seven symbols; 4.9: an amount on the subtotal has one tax group to go to. */
const LIMITS: Limits = {
  rowPercent: { surcharge: 10_000, discount: 10_000 },
  subtotalPercent: { surcharge: 10_000, discount: 10_000 },
  subtotalAmount: 'oneTaxGroup',
  payments: 100,
}

/** Columns of the commonest printer, before the device has told its own by 1Dh 49h. */
export const USUAL_COLUMNS = 38

/** A `#` is printed at both ends of a line of text (sheet 4.10). */
export const textWidth = ({ textLimit }: Edition, columns: number): number => Math.min(columns - 2, textLimit)

/** Wire type of a PaymentMode: the same number, unless the settings say otherwise. */
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
  const known = edition.paymentNames.map((name, mode) => ({ mode, name: name.toLowerCase() }))
  const configured = Object.keys(settings.payments ?? {}).map(Number)
  const more = configured.filter((mode) => mode >= known.length).map((mode) => ({ mode, name: `mode ${mode}` }))
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
    paymentModes: [...known, ...more],
    refusesZeroRows: true,
    defaultPassword: () => '0'.repeat(edition.passwordWidth),
    passwordLength: { min: 1, max: edition.passwordWidth, exact: edition.passwordWidth },
    limits: LIMITS,
    refusals: REFUSALS,
  }
}
