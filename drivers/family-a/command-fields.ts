import { rowAmount } from '../model/amounts.ts'
import { MONEY_MAX, type Percent } from '../model/money.ts'
import type { Adjustment, Customer, FreeSale, TextLine } from '../model/receipt.ts'
import { type CodePage, clean } from '../wire/charset.ts'

const PERCENT_WHOLE: Percent = 10_000

type Modifier = 'surchargePercent' | 'discountPercent' | 'surchargeAmount' | 'discountAmount'

export function modifierOf(adjustment: Adjustment | undefined): { modifier?: Modifier; modifierValue?: number } {
  if (!adjustment) return {}
  return 'percent' in adjustment
    ? { modifier: `${adjustment.kind}Percent`, modifierValue: adjustment.percent }
    : { modifier: `${adjustment.kind}Amount`, modifierValue: adjustment.amount }
}

/**
 * Returns the adjustment in a form that command 49 accepts: its percentage has two digits before the point, so 100 % is
 * sent as an amount.
 */
export function asCarried({ adjustment, price, quantity }: FreeSale): Adjustment | undefined {
  if (!adjustment || !('percent' in adjustment) || adjustment.percent < PERCENT_WHOLE) return adjustment
  const amount = rowAmount(price, quantity)
  // The device refuses a row of zero, or of more than `MONEY_MAX`, with any adjustment.
  return amount === 0 || amount > MONEY_MAX ? undefined : { kind: adjustment.kind, amount }
}

/**
 * Cuts a text to `length` characters on the device. A letter that the code page lacks may be encoded as two characters.
 */
export const cutTo = (text: string, length: number, page: CodePage): string =>
  page.decode(page.encode(clean(text)).slice(0, length))

/**
 * Cuts a text that is within the service's limit, because its replaced letters may exceed the device's limit. A longer
 * text is not cut, and `ask` refuses it.
 */
export const limitedText = (text: string, length: number, page: CodePage): string =>
  [...text].length <= length ? cutTo(text, length, page) : clean(text)

export const textWidth = (columns: number): number => columns - 2

export function textOf(
  { text, bold, italic, height, underline, alignment }: TextLine,
  columns: number,
  page: CodePage,
) {
  return {
    text: cutTo(text, textWidth(columns), page),
    bold: bold ?? false,
    italic: italic ?? false,
    height: height ?? ('normal' as const),
    underline: underline ?? false,
    alignment: alignment ?? ('left' as const),
  }
}

const COMPANY_DIGITS = 9
const PERSONAL_DIGITS = 10
const ADDRESS_LINE = 36

/** A tax number that begins with a country code is also sent as VAT number. Blanks, dots and dashes are removed. */
export function invoiceFields({ taxNumber, name, address }: Customer, page: CodePage) {
  const bare = taxNumber.replace(/[^\p{L}\p{N}]/gu, '')
  const digits = bare.replace(/^[A-Za-z]{2}(?=\d)/, '')
  const vat = /^[A-Za-z]{2}\d{8,12}$/.test(bare) ? { vatNumber: bare } : {}
  const lines = cutTo(address, 2 * ADDRESS_LINE, page)
  const address1 = lines.slice(0, ADDRESS_LINE)
  const address2 = lines.slice(ADDRESS_LINE)
  return {
    buyer: cutTo(name, ADDRESS_LINE, page),
    ...(address1 === '' ? {} : { address1 }),
    ...(address2 === '' ? {} : { address2 }),
    numberType: digits.length === PERSONAL_DIGITS ? ('personal' as const) : ('company' as const),
    taxNumber: digits.padStart(COMPANY_DIGITS, '0'),
    ...vat,
  }
}
