import type { DriverSettings } from '../family.ts'
import type { BarcodeSupport, Capabilities, Limits } from '../model/capabilities.ts'
import { checkDigit } from '../model/check-digit.ts'
import { TAX_CODES } from '../model/receipt.ts'
import { configuredEdition } from './edition.ts'
import { BARCODES } from './protocol/barcodes.ts'
import { BARCODE_HEIGHT, BARCODE_SCALE } from './protocol/commands/text-receipt.ts'
import { PERCENT, QUANTITY, SHORT_PRICE } from './protocol/numbers.ts'
import { REFUSALS } from './refusals.ts'
import type { FactsB } from './wire.ts'

export const FREE_SALE_REFUSED =
  'This device sells only programmed articles: give the number of an article instead, with register-plu-sale or an item of Type 1 (PluSale).'

const LETTERS: Readonly<Record<number, string>> = { 0: 'P', 1: 'N', 2: 'C', 3: 'D', 4: 'B' }
const NAMES: Readonly<Record<string, string>> = {
  P: 'cash',
  N: 'payment 1',
  C: 'payment 2',
  D: 'payment 3',
  U: 'payment 3',
  B: 'payment 4',
  E: 'payment 4',
}

export const lettersOf = (settings: DriverSettings): Readonly<Record<number, string>> => ({
  ...LETTERS,
  ...settings.payments,
})

/**
 * Barcodes as the service offers them. Callers may add the check digit of EAN and UPC-A codes; the device accepts those
 * codes only without it.
 */
const barcodes: readonly BarcodeSupport[] = BARCODES.map(({ serviceType, name, data, pattern, checked }) => ({
  type: serviceType,
  name,
  data,
  pattern: checked === undefined ? pattern : new RegExp(`^\\d{${checked}}\\d?$`),
  ...(checked !== undefined && { checked }),
  height: BARCODE_HEIGHT,
  scale: BARCODE_SCALE,
  position: true,
}))

export function dataForWire(checked: number | undefined, data: string): string | undefined {
  if (checked === undefined || data.length === checked) return data
  const bare = data.slice(0, checked)
  return checkDigit(bare) === data.slice(checked) ? bare : undefined
}

const PRICED_ARTICLES_ABOVE = 100

/**
 * Limits of sheet 2, 10.4, 10.5 and 11. The five-group firmware accepts no amount on a subtotal and no discount of 100
 * %.
 */
const limits = (fiveGroups: boolean): Limits => {
  const percent = { surcharge: PERCENT.max, discount: fiveGroups ? PERCENT.max : -PERCENT.min }
  return {
    rowPercent: percent,
    subtotalPercent: percent,
    ...(fiveGroups && { subtotalAmount: 'never' }),
    adjustedSubtotals: 1,
    payments: 20,
    quantityDigits: QUANTITY.digits,
    paymentDigits: SHORT_PRICE.digits,
  }
}

const FACTORY_LINE_WIDTH = 28

export const DISPLAY_WIDTH = 20

export const barcodeRefusal = (type: number): string => `The device does not print barcodes of type ${type}.`

export function capabilities(settings: DriverSettings, session?: { readonly facts: FactsB | undefined }): Capabilities {
  const facts = session?.facts
  const fiveGroups = facts ? facts.groups < TAX_CODES.length : configuredEdition(settings) === 'b5'
  return {
    freeSale: { refusedBecause: FREE_SALE_REFUSED },
    invoice: false,
    textFormatting: 'none',
    nonFiscalNeedsOperator: false,
    barcodes,
    barcodeRefusal,
    displayWidth: DISPLAY_WIDTH,
    lineWidth: facts?.commentWidth ?? FACTORY_LINE_WIDTH,
    paymentModes: Object.entries(lettersOf(settings)).map(([mode, letter]) => ({
      mode: Number(mode),
      name: NAMES[letter] ?? `payment ${letter}`,
    })),
    refusesZeroRows: true,
    defaultPassword: (operatorCode) => String(operatorCode),
    passwordLength: { min: 1, max: 6, digits: true },
    articlePrice: (plu) => plu > PRICED_ARTICLES_ABOVE,
    limits: limits(fiveGroups),
    refusals: REFUSALS,
  }
}
