/**
 * Values that both formats share (legacy formats 1.12 to 1.14, 2.1, 3.1). Each function throws the error code of its
 * field, with the line. Amounts are in hundredths, quantities in thousandths.
 */
import { checkDigit } from '../../drivers/model/check-digit.ts'
import { formatMoney, MONEY_MAX, type Money, QUANTITY_MAX } from '../../drivers/model/money.ts'
import { TAX_CODES, type TaxCode } from '../../drivers/model/receipt.ts'
import { fail } from './problem.ts'

const NAME_LENGTH = 72
const UNIT_LENGTH = 6
const TEXT_LENGTH = 200
const QUANTITY_MIN = 10
const PERCENT_MAX = 10_000
const DEFAULT_UNIT = 'buc'

export const lengthOf = (text: string): number => [...text].length

/** Legacy formats 1.5: a blank field counts as empty. */
export const isBlank = (field: string | undefined): boolean => field?.trim() === ''

export function readName(line: number, text: string): string {
  const name = text.trim()
  if (name === '') return fail('210', line, 'name: empty')
  if (lengthOf(name) > NAME_LENGTH) return fail('210', line, `name: longer than ${NAME_LENGTH} characters`)
  return name
}

export function readUnit(line: number, text: string): string {
  const unit = text.trim()
  if (lengthOf(unit) > UNIT_LENGTH) return fail('215', line, `unit: longer than ${UNIT_LENGTH} characters`)
  return unit === '' ? DEFAULT_UNIT : unit
}

export function readFreeText(line: number, text: string): string {
  if (lengthOf(text) > TEXT_LENGTH) return fail('221', line, `text: longer than ${TEXT_LENGTH} characters`)
  return text === '' ? ' ' : text
}

export function readDepartment(line: number, text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 99) return fail('214', line, 'department: expected 0 to 99')
  return Number(text)
}

export function readTaxGroup(line: number, text: string, other = ''): TaxCode {
  const code = /^[1-8]$/.test(text) ? TAX_CODES[Number(text) - 1] : undefined
  return code ?? fail('213', line, `VAT: expected a group 1 to 8${other}`)
}

type NumberForm = 'whole' | 'decimal'

function describeAmounts(form: NumberForm, min: Money): string {
  return form === 'whole'
    ? `whole hundredths (350 for 3.50), ${min} to ${MONEY_MAX}`
    : `a number with at most 2 decimals, ${formatMoney(min)} to ${formatMoney(MONEY_MAX)}`
}

export function checkPrice(line: number, price: Money | undefined, form: NumberForm): Money {
  if (price === undefined || price > MONEY_MAX) {
    return fail('211', line, `price: expected ${describeAmounts(form, 0)}`)
  }
  return price
}

export function checkQuantity(line: number, quantity: number | undefined, form: NumberForm): number {
  if (quantity === undefined || quantity < QUANTITY_MIN || quantity > QUANTITY_MAX) {
    const what =
      form === 'whole'
        ? `whole thousandths (1500 for 1.5), ${QUANTITY_MIN} to ${QUANTITY_MAX}`
        : 'a number with at most 3 decimals, 0.01 to 999999.999'
    return fail('212', line, `quantity: expected ${what}`)
  }
  return quantity
}

export function checkAmount(
  line: number,
  amount: Money | undefined,
  form: NumberForm,
  { field, min = 0 }: { readonly field: string; readonly min?: Money },
): Money {
  if (amount === undefined || amount < min || amount > MONEY_MAX) {
    return fail('216', line, `${field}: expected ${describeAmounts(form, min)}`)
  }
  return amount
}

export function checkPercent(line: number, percent: number | undefined, form: NumberForm): number {
  if (percent === undefined || percent < 1 || percent > PERCENT_MAX) {
    const what =
      form === 'whole'
        ? `whole hundredths of a percent (1000 for 10 %), 1 to ${PERCENT_MAX}`
        : 'a number with at most 2 decimals, 0.01 to 100.00'
    return fail('217', line, `percentage: expected ${what}`)
  }
  return percent
}

export function readTaxNumber(line: number, text: string): string {
  const number = text.replace(/\s/g, '').toUpperCase()
  if (!/^(RO)?\d{2,13}$/.test(number))
    return fail('219', line, 'tax number: expected 2 to 13 digits, with or without RO')
  return number
}

/** `type` is that of the API: 1 EAN8, 2 EAN13, 3 Code128, 4 QR, 6 interleaved 2 of 5. */
export function checkBarcode(line: number, type: number, data: string): void {
  switch (type) {
    case 1:
    case 2: {
      const digits = type === 1 ? 8 : 13
      if (!/^\d+$/.test(data) || (data.length !== digits && data.length !== digits - 1)) {
        fail('220', line, `barcode: expected ${digits - 1} or ${digits} digits`)
      }
      if (data.length === digits && !data.endsWith(checkDigit(data.slice(0, -1)))) {
        fail('220', line, 'barcode: the check digit is wrong')
      }
      return
    }
    case 3:
      if (!/^[\x20-\x7e]{1,48}$/.test(data)) fail('220', line, 'barcode: Code 128 accepts 1 to 48 plain characters')
      return
    case 4:
      if (data === '') fail('220', line, 'barcode: empty')
      return
    default:
      if (!/^\d{1,22}$/.test(data)) fail('220', line, 'barcode: interleaved 2 of 5 accepts 1 to 22 digits')
  }
}
