/**
 * Values in a valid request that the connected family does not support (`Capabilities.limits`). They are detected
 * before a receipt is opened. Fields have their names in the API.
 */

import { HUNDRED_PERCENT, rowAmount } from '../drivers/model/amounts.ts'
import type { AdjustmentLimit, Capabilities, Range } from '../drivers/model/capabilities.ts'
import { formatDecimal, formatPercent, type Percent } from '../drivers/model/money.ts'
import type { Adjustment, ArticleSale, Barcode, FreeSale, Payment, Subtotal } from '../drivers/model/receipt.ts'
import { trimEndOf } from '../drivers/model/trim-end.ts'
import type { FiscalReceipt } from './receipt.ts'

/** `message` continues a sentence that begins with the path. `path` is relative to the checked object. */
export interface LimitViolation {
  readonly path: string
  readonly message: string
}

type Sale = Pick<FreeSale | ArticleSale, 'quantity' | 'adjustment'> & Partial<Pick<FreeSale, 'taxCode'>>

export function saleViolations(
  { taxCode, quantity, adjustment }: Sale,
  { limits }: Capabilities,
): readonly LimitViolation[] {
  return [
    ...outOfGroups(taxCode, limits.taxGroups),
    ...tooManyDigits('Quantity', quantity, 3, limits.quantityDigits),
    ...tooLargePercent(adjustment, limits.rowPercent),
  ]
}

/**
 * Returns the violations of a row of a complete receipt. A refusal by the device would come too late, when the receipt
 * is open.
 */
function rowViolations(sale: FreeSale | ArticleSale, capabilities: Capabilities): readonly LimitViolation[] {
  const violations = saleViolations(sale, capabilities)
  return violations.length > 0 || !capabilities.refusesZeroRows ? violations : zeroRow(sale)
}

function zeroRow({ quantity, adjustment, ...sale }: FreeSale | ArticleSale): readonly LimitViolation[] {
  const why = 'this device refuses a row of 0.00'
  const amount = 'plu' in sale ? undefined : rowAmount(sale.price, quantity)
  if (amount === 0) {
    const isFree = 'price' in sale && sale.price === 0
    return [{ path: isFree ? 'Price' : 'Quantity', message: `must be larger, because the row comes to 0.00: ${why}` }]
  }
  if (adjustment?.kind !== 'discount') return []
  const isWhole =
    'percent' in adjustment
      ? adjustment.percent >= HUNDRED_PERCENT
      : amount !== undefined && adjustment.amount >= amount
  return isWhole ? [{ path: 'DiscountValue', message: `must be less than the whole price of the row: ${why}` }] : []
}

const outOfGroups = (taxCode: number | undefined, groups: number | undefined): readonly LimitViolation[] =>
  taxCode === undefined || groups === undefined || taxCode <= groups
    ? []
    : [{ path: 'TaxCode', message: `must be 1 to ${groups} on this device; it is ${taxCode}` }]

export function subtotalViolations({ adjustment }: Subtotal, { limits }: Capabilities): readonly LimitViolation[] {
  if (adjustment && 'amount' in adjustment && limits.subtotalAmount === 'never') {
    const message =
      'must be 1 or 2: this device adjusts a subtotal by percent only, its firmware accepts no amounts here'
    return [{ path: 'DiscountType', message }]
  }
  return tooLargePercent(adjustment, limits.subtotalPercent)
}

export const paymentViolations = ({ amount }: Payment, { limits }: Capabilities): readonly LimitViolation[] =>
  amount === undefined ? [] : tooManyDigits('Amount', amount, 2, limits.paymentDigits)

/**
 * Returns the violations of a password, without quoting it. A password that the driver pads or cuts may have any
 * length.
 */
export function passwordViolations(password: string, { passwordLength }: Capabilities): readonly LimitViolation[] {
  const { min, max, exact, digits } = passwordLength
  const fits = exact !== undefined || (password.length >= min && password.length <= max)
  if (fits && (!digits || /^\d*$/.test(password))) return []
  const kind = digits ? 'digits' : 'characters'
  return [
    { path: 'OperatorPassword', message: `must have ${min === max ? min : `${min} to ${max}`} ${kind} on this device` },
  ]
}

/** Checks only the sizes. endpoints/bodies.ts checks type and data of a barcode. */
export function barcodeViolations(
  { type, height = 0, scale = 0 }: Barcode,
  { barcodes }: Capabilities,
): readonly LimitViolation[] {
  const support = barcodes.find((one) => one.type === type)
  return [
    ...outOfRange('Height', height, support?.height, 'millimetres'),
    ...outOfRange('Scale', scale, support?.scale, 'dots'),
  ]
}

export function receiptViolations(receipt: FiscalReceipt, capabilities: Capabilities): readonly LimitViolation[] {
  const { opening, items, subtotal, payments } = receipt
  return [
    ...(opening ? below('OpenFiscalReceipt', passwordViolations(opening.operator.password, capabilities)) : []),
    ...items.flatMap((one, index) => {
      const at = `ReceiptItems[${index}]`
      if (one.is === 'freeSale') return below(`${at}.FreeSale`, rowViolations(one.sale, capabilities))
      if (one.is === 'articleSale') return below(`${at}.PluSale`, rowViolations(one.sale, capabilities))
      if (one.is === 'subtotal') return below(`${at}.Subtotal`, subtotalViolations(one.subtotal, capabilities))
      return []
    }),
    ...(subtotal ? below('Subtotal', subtotalViolations(subtotal, capabilities)) : []),
    ...payments.flatMap((one, index) => below(`Payments[${index}]`, paymentViolations(one, capabilities))),
    ...combinedViolations(receipt, capabilities),
  ]
}

function combinedViolations(receipt: FiscalReceipt, { limits }: Capabilities): readonly LimitViolation[] {
  const { items, subtotal, payments } = receipt
  const all: LimitViolation[] = []
  const groups = new Set<number>()
  let adjusted = 0
  const subtotalAt = (path: string, { adjustment }: Subtotal): void => {
    if (!adjustment) return
    adjusted++
    if (limits.adjustedSubtotals !== undefined && adjusted > limits.adjustedSubtotals) {
      all.push({ path, message: `is one too many: this device adjusts the subtotal of a receipt only once` })
    }
    if ('amount' in adjustment && limits.subtotalAmount === 'oneTaxGroup' && groups.size > 1) {
      const message = 'must be 1 or 2: this device accepts an amount only if all items are of one tax group'
      all.push({ path: `${path}.DiscountType`, message })
    }
  }
  for (const [index, one] of items.entries()) {
    const path = `ReceiptItems[${index}]`
    if (one.is === 'subtotal') subtotalAt(path, one.subtotal)
    if (one.is === 'freeSale' && !one.sale.void) groups.add(one.sale.taxCode)
    const isVoid = (one.is === 'freeSale' || one.is === 'articleSale') && one.sale.void
    if (isVoid && adjusted > 0 && limits.adjustedSubtotals !== undefined) {
      all.push({ path, message: 'voids a sale, which this device cannot do after the subtotal was adjusted' })
    }
  }
  if (subtotal) subtotalAt('Subtotal', subtotal)
  if (payments.length > limits.payments) {
    all.push({
      path: 'Payments',
      message: `must be at most ${limits.payments} on this device; it has ${payments.length}`,
    })
  }
  return all
}

const below = (path: string, all: readonly LimitViolation[]): readonly LimitViolation[] =>
  all.map((one) => ({ ...one, path: `${path}.${one.path}` }))

function tooLargePercent(adjustment: Adjustment | undefined, limit: AdjustmentLimit): readonly LimitViolation[] {
  if (!adjustment || !('percent' in adjustment) || adjustment.percent <= limit[adjustment.kind]) return []
  const { kind, percent } = adjustment
  const range = `a percentage from ${formatPercent(SMALLEST)} to ${formatPercent(limit[kind])}`
  return [
    {
      path: 'DiscountValue',
      message: `must be ${range} for a ${kind} on this device; it is ${formatPercent(percent)}`,
    },
  ]
}

const SMALLEST: Percent = 1

function tooManyDigits(
  path: string,
  value: number,
  decimals: number,
  most: number | undefined,
): readonly LimitViolation[] {
  if (most === undefined) return []
  const text = formatDecimal(value, decimals)
  const digits = trimEndOf(text, '0').replace('.', '').replace(/^0+/, '').length
  if (digits <= most) return []
  return [{ path, message: `must have at most ${most} digits on this device; ${text} has ${digits}` }]
}

/** The default value, 0, is always allowed. */
function outOfRange(path: string, value: number, range: Range | undefined, unit: string): readonly LimitViolation[] {
  if (!range || value === 0 || (value >= range.min && value <= range.max)) return []
  const message = `must be ${range.min} to ${range.max} ${unit} for this barcode on this device, or 0 for the default; it is ${value}`
  return [{ path, message }]
}
