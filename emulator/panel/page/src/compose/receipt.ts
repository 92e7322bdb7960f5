import { MONEY_MAX, type Money, parseDecimal, QUANTITY_MAX } from '../../../../../drivers/model/money.ts'
import type { Adjustment } from '../../../../../drivers/model/receipt.ts'
import { adjustmentOf, rowAmount } from '../../../../fiscal/rounding.ts'

export interface Row {
  /** Unique on this page, so that a row keeps its input fields when another row is removed. */
  readonly key: number
  /** 0 for a row without an article, which has its own name, tax group and price. */
  readonly plu: number
  readonly name: string
  readonly taxCode: string
  readonly price: string
  readonly quantity: string
  readonly discount: string
  readonly value: string
  readonly isVoid: boolean
}

export interface Payment {
  readonly key: number
  readonly mode: string
  readonly amount: string
}

export interface Draft {
  readonly rows: readonly Row[]
  readonly discount: string
  readonly value: string
  readonly payments: readonly Payment[]
}

export const EMPTY: Draft = { rows: [], discount: '0', value: '', payments: [] }

let keys = 0
export const newRow = (plu: number, name: string): Row => ({
  ...{ key: ++keys, plu, name, taxCode: '1', price: '', quantity: '1' },
  ...{ discount: '0', value: '', isVoid: false },
})
export const newPayment = (): Payment => ({ key: ++keys, mode: '0', amount: '' })

export const DISCOUNTS = [
  ['0', 'None'],
  ['2', 'Discount %'],
  ['4', 'Discount'],
  ['1', 'Surcharge %'],
  ['3', 'Surcharge'],
] as const

/** Returns the path of a row in the request. Fields of the form have the names that the service uses in refusals. */
export const rowPath = (index: number, { plu }: Row): string =>
  `ReceiptItems[${index}].${plu === 0 ? 'FreeSale' : 'PluSale'}`
export const paymentPath = (index: number): string => `Payments[${index}]`

/** Text that is not a number is returned unchanged, so that the service can report what it expects. */
const typed = (text: string): number | string | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return /^\d{1,12}(?:\.\d{1,6})?$/.test(trimmed) ? Number(trimmed) : trimmed
}

const adjustment = (discount: string, value: string) =>
  discount === '0' ? {} : { DiscountType: Number(discount), DiscountValue: typed(value) }

function itemOf(row: Row): object {
  const { plu, isVoid, quantity, discount, value } = row
  const rest = { Void: isVoid, Quantity: typed(quantity), ...adjustment(discount, value) }
  if (plu !== 0) return { Type: 1, PluSale: { PluNumber: plu, ...rest } }
  const { name, taxCode, price } = row
  const sold = { ProductName: name, TaxCode: Number(taxCode), Price: typed(price), Department: 0, Unit: 'pcs' }
  return { Type: 0, FreeSale: { ...sold, ...rest } }
}

export const bodyOf = ({ rows, discount, value, payments }: Draft): object => ({
  ReceiptItems: rows.map(itemOf),
  ...(discount === '0' ? {} : { Subtotal: { Print: true, ...adjustment(discount, value) } }),
  ...(payments.length === 0
    ? {}
    : { Payments: payments.map(({ mode, amount }) => ({ PaymentMode: Number(mode), Amount: typed(amount) })) }),
})

export interface Total {
  readonly amount: Money
  /** `undefined` without payments, or if a payment is not an amount yet. */
  readonly paid: Money | undefined
  /**
   * False if the device distributes a discount among tax groups, or decides which sale a void applies to. Its total may
   * then differ slightly.
   */
  readonly isExact: boolean
  /** Maximum difference of the device's total; `undefined` if it is unknown. */
  readonly mayDifferBy: Money | undefined
}

/** Returns `undefined` for text that is not a plain number within the limits of the service. */
function numberIn(text: string, decimals: number, most: number): number | undefined {
  const value = /^\d+(?:\.\d+)?$/.test(text.trim()) ? parseDecimal(text.trim(), decimals) : undefined
  return typeof value === 'number' && value <= most ? value : undefined
}

export const amountIn = (text: string): Money | undefined => numberIn(text, 2, MONEY_MAX)

/** Returns `undefined` without an adjustment, and `incomplete` while its value is not a number. */
function adjustmentIn(discount: string, value: string): Adjustment | undefined | 'incomplete' {
  if (discount === '0') return undefined
  const size = amountIn(value)
  if (size === undefined) return 'incomplete'
  const kind = discount === '2' || discount === '4' ? 'discount' : 'surcharge'
  return discount === '1' || discount === '2' ? { kind, percent: size } : { kind, amount: size }
}

function rowTotal(row: Row, priceOf: (plu: number) => string | undefined): Money | undefined {
  const price = amountIn(row.plu === 0 ? row.price : (priceOf(row.plu) ?? ''))
  const quantity = row.quantity.trim() === '' ? 1000 : numberIn(row.quantity, 3, QUANTITY_MAX)
  const adjustment = adjustmentIn(row.discount, row.value)
  if (price === undefined || quantity === undefined || adjustment === 'incomplete') return undefined
  const gross = rowAmount(price, quantity)
  const amount = gross + adjustmentOf(gross, adjustment)
  return row.isVoid ? 0 - amount : amount
}

/** Maximum percentage of an adjustment: 100 %, in hundredths of a percent. */
export const HUNDRED_PERCENT = 10_000
/** Maximum number of tax groups. A device distributes a percentage of the subtotal among them and rounds each part. */
const TAX_GROUPS = 8
/**
 * Returns the maximum difference that rounding causes: one hundredth for each tax group. A discount of 100 % leaves 0.00
 * and an amount is not rounded, so they cause none.
 */
const roundingOf = (adjustment: Adjustment | undefined): Money =>
  adjustment && 'percent' in adjustment && !(adjustment.kind === 'discount' && adjustment.percent >= HUNDRED_PERCENT)
    ? TAX_GROUPS
    : 0

/** Returns `undefined` while a price, a quantity or a discount is not a number. */
export function totalOf(
  { rows, discount, value, payments }: Draft,
  priceOf: (plu: number) => string | undefined,
): Total | undefined {
  let sum = 0
  for (const row of rows) {
    const amount = rowTotal(row, priceOf)
    if (amount === undefined) return undefined
    sum += amount
  }
  const adjustment = adjustmentIn(discount, value)
  if (adjustment === 'incomplete') return undefined
  const amounts = payments.map(({ amount }) => amountIn(amount))
  const isComplete = amounts.length > 0 && amounts.every((amount) => amount !== undefined)
  const hasUnclearVoid = rows.some((row) => row.isVoid) && rows.some((row) => row.discount !== '0')
  return {
    amount: sum + adjustmentOf(sum, adjustment),
    paid: isComplete ? amounts.reduce<Money>((all, amount) => all + (amount ?? 0), 0) : undefined,
    isExact: adjustment === undefined && !hasUnclearVoid,
    mayDifferBy: hasUnclearVoid ? undefined : roundingOf(adjustment),
  }
}
