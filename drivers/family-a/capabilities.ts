import type { DriverSettings } from '../family.ts'
import type { Session } from '../link/session.ts'
import type { BarcodeSupport, Capabilities, Limits } from '../model/capabilities.ts'
import { textWidth } from './command-fields.ts'
import { configuredEdition, USUAL_EDITION } from './edition.ts'
import { EDITION } from './protocol/edition.ts'
import { REFUSALS } from './refusals.ts'
import type { WireA } from './wire.ts'

export const DISPLAY_WIDTH = 20
/** Column count until the device reports its own (command 255, PrintColumns). */
export const USUAL_COLUMNS = 42

/** Barcodes of family A. `type` is the number in the service's API, `wire` the number in command 84. */
export const BARCODES: readonly (BarcodeSupport & { readonly wire: number; readonly sized: boolean })[] = [
  {
    type: 1,
    wire: 1,
    sized: false,
    name: 'EAN-8',
    data: '7 digits, or 8 with the check digit',
    pattern: /^\d{7,8}$/,
    checked: 7,
  },
  {
    type: 2,
    wire: 2,
    sized: false,
    name: 'EAN-13',
    data: '12 digits, or 13 with the check digit',
    pattern: /^\d{12,13}$/,
    checked: 12,
  },
  {
    type: 3,
    wire: 3,
    sized: false,
    name: 'Code 128',
    data: '3 to 31 ASCII characters',
    pattern: /^[\x20-\x7f]{3,31}$/,
  },
  { type: 4, wire: 4, sized: true, name: 'QR', data: '3 to 279 ASCII characters', pattern: /^[\x20-\x7f]{3,279}$/ },
  { type: 6, wire: 5, sized: false, name: 'Interleaved 2 of 5', data: '3 to 22 digits', pattern: /^\d{3,22}$/ },
  {
    type: 7,
    wire: 6,
    sized: true,
    name: 'PDF417 truncated',
    data: '3 to 400 ASCII characters',
    pattern: /^[\x20-\x7e]{3,400}$/,
  },
  { type: 8, wire: 7, sized: true, name: 'PDF417', data: '3 to 400 ASCII characters', pattern: /^[\x20-\x7e]{3,400}$/ },
]

/** Height of bars in mm (sheet 6.10, BarCodeHeight 1 to 10). A QR code and PDF417 have a size instead. */
export const BAR_HEIGHT = { min: 7, max: 70 } as const
export const MODULE_SIZE = { min: 3, max: 10 } as const

/**
 * Percentages are in hundredths. Command 49 allows only two digits before the point, so command-fields.ts sends 100 %
 * of a row as an amount (sheet 6.4).
 */
const LIMITS: Limits = {
  rowPercent: { surcharge: 10_000, discount: 10_000 },
  subtotalPercent: { surcharge: 9_999, discount: 9_999 },
  payments: 100,
}

export const barcodeRefusal = (type: number): string => `This device has no barcode of type ${type}.`

const BARCODE_CAPABILITIES: Capabilities['barcodes'] = BARCODES.map(
  ({ type, name, data, pattern, checked, sized }) => ({
    type,
    name,
    data,
    pattern,
    ...(checked !== undefined && { checked }),
    ...(sized ? { size: MODULE_SIZE } : { height: BAR_HEIGHT }),
  }),
)

export function capabilities(
  settings: DriverSettings,
  session?: Pick<Session<WireA>, 'edition' | 'facts'>,
): Capabilities {
  const knownEdition = (session?.facts && session.edition) ?? configuredEdition(settings)
  const edition = knownEdition ?? USUAL_EDITION
  const isRo = edition.name === 'ro'
  // The form of a payment in foreign currency is not known for the edition ro (sheet 9.3), so that mode is omitted.
  const modes = edition.paymentModes
    .map((name, mode) => ({ mode, name }))
    .filter(({ mode }) => !isRo || mode !== edition.currencyMode)
  // The edition is unknown until the device is reached, so the payment modes of both editions are allowed.
  if (session && !knownEdition)
    modes.push(...EDITION.ro.paymentModes.map((name, mode) => ({ mode, name })).slice(modes.length, -1))
  const configured = Object.keys(settings.payments ?? {}).map(Number)
  const extraModes = configured
    .filter((mode) => modes[mode] === undefined)
    .map((mode) => ({ mode, name: `mode ${mode}` }))
  return {
    freeSale: true,
    invoice: true,
    pointOfSale: true,
    textFormatting: 'full',
    nonFiscalNeedsOperator: false,
    barcodes: BARCODE_CAPABILITIES,
    barcodeRefusal,
    displayWidth: DISPLAY_WIDTH,
    lineWidth: USUAL_COLUMNS,
    textWidth: textWidth(session?.facts?.columns ?? USUAL_COLUMNS),
    paymentModes: [...modes, ...extraModes],
    refusesZeroRows: true,
    defaultPassword: (operator) => (isRo ? String(operator).padStart(4, '0') : '0000'),
    passwordLength: { min: 1, max: 8, digits: true },
    // The edition ro sends the client's tax number in command 48. The edition bg sends it in command 57, on invoices
    // only (sheet 9).
    buyerNumberOnReceipt: isRo,
    limits: isRo ? { ...LIMITS, taxGroups: edition.taxGroups } : LIMITS,
    refusals: REFUSALS,
  }
}
