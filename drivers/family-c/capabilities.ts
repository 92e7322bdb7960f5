import type { DriverSettings } from '../family.ts'
import type { Capabilities, Limits } from '../model/printer.ts'
import { DISPLAY_WIDTH } from './protocol/commands/actions.ts'
import { DIALECTS, type Dialect, type DialectName } from './protocol/dialect.ts'

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

/** `profile` of the settings fixes the dialect; without it the device is asked (71h differs in all three). */
export function configuredDialect(settings: DriverSettings): Dialect | undefined {
  const name = settings.options?.['profile']
  return name === 'c4' || name === 'c6' || name === 'cr' ? DIALECTS[name as DialectName] : undefined
}

/** A `#` is printed at both ends of a line of text (sheet 4.10). */
export const textWidth = (dialect: Dialect, columns: number): number => Math.min(columns - 2, dialect.textLimit)

/** Wire type of a PaymentMode: the same number, unless the settings say otherwise. */
export function paymentType(dialect: Dialect, settings: DriverSettings, mode: number): number | undefined {
  const configured = settings.payments?.[mode]
  const type = configured === undefined ? mode : Number(configured)
  return Number.isInteger(type) && type >= 0 && (configured !== undefined || type < dialect.payments) ? type : undefined
}

export function capabilitiesOf(dialect: Dialect, columns: number, settings: DriverSettings): Capabilities {
  const known = dialect.paymentNames.map((name, mode) => ({ mode, name: name.toLowerCase() }))
  const configured = Object.keys(settings.payments ?? {}).map(Number)
  const more = configured.filter((mode) => mode >= known.length).map((mode) => ({ mode, name: `mode ${mode}` }))
  return {
    freeSale: true,
    invoice: true,
    textFormatting: 'none',
    nonFiscalNeedsOperator: true,
    barcodes: [],
    barcodeRefusal: () => 'NotSupportedException: devices of this family print no barcodes.',
    displayWidth: DISPLAY_WIDTH,
    lineWidth: textWidth(dialect, columns),
    paymentModes: [...known, ...more],
    refusesZeroRows: true,
    defaultPassword: () => '0'.repeat(dialect.passwordWidth),
    passwordLength: { min: 1, max: dialect.passwordWidth, exact: dialect.passwordWidth },
    limits: LIMITS,
  }
}
