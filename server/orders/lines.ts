/**
 * Lines and shipping of an order as rows of a receipt (platform orders 5.2). The total of a line, in hundredths, is
 * computed first, then the price, quantity and discount that lead to it on any device.
 */
import { multiplyDivide } from '../../drivers/model/amounts.ts'
import { MONEY_MAX, type Money, type Percent } from '../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'
import type { Mapping } from './mapping.ts'
import type { LineItem, MoneySet, PlatformOrder, ShippingLine, TaxLine } from './order.ts'
import { cleanText, moneyIn, priceIn, productName, rateOf, ratePercent, showMoney, withTax } from './platform-values.ts'
import { badRequest } from './refusal.ts'

export interface Row {
  readonly price: Money
  readonly pieces: number
  readonly adjustment?: Extract<Adjustment, { amount: Money }>
}

export interface OrderLine {
  /** Id in the platform; `undefined` for a row that is no line of the order. */
  readonly id: string | undefined
  readonly label: string
  readonly kind: 'item' | 'shipping' | 'tip' | 'fee'
  readonly name: string
  /** Title for the lookup in the article table, on devices without free sales. */
  readonly title: string
  readonly sku: string | undefined
  readonly taxCode: TaxCode
  /** Rate of the line in the order; `none` if it has no tax; `undefined` if the rate is unknown. */
  readonly rate: Percent | 'none' | undefined
  /** Price of a piece with tax, before discounts. If the tax is added to the price, rows may have other prices. */
  readonly price: Money
  readonly pieces: number
  readonly discount: Money
  /** Surcharge that compensates for hundredths that the platform's rounding lost (platform orders 5.3, rule 4). */
  readonly surcharge?: Money
  readonly total: Money
}

const QUANTITY_MAX = 999_999

/**
 * Possible meanings of the lines of refunds: `subtotalSet` without tax, `subtotalSet` with tax, or only the number of
 * units.
 */
export const READINGS = ['subtotal', 'subtotal and tax', 'by number'] as const

export interface LineRules {
  readonly mapping: Mapping
  readonly taxesIncluded: boolean
  readonly view: 'gross' | 'net'
  readonly reading: (typeof READINGS)[number]
}

const sum = (sets: readonly MoneySet[], label: string): Money =>
  sets.reduce((total, set) => total + moneyIn(set, label), 0)

export const allocatedDiscount = (line: Pick<LineItem | ShippingLine, 'discountAllocations'>, label: string): Money =>
  sum(
    line.discountAllocations.map((one) => one.allocatedAmountSet),
    `a discount of ${label}`,
  )

export const taxOf = (lines: readonly TaxLine[], label: string): Money =>
  sum(
    lines.map((one) => one.priceSet),
    `a tax of ${label}`,
  )

/** Returns no line if the view contains no units of it. */
export function itemLine(node: LineItem, index: number, order: PlatformOrder, rules: LineRules): readonly OrderLine[] {
  const label = `line ${index + 1}`
  const pieces = rules.view === 'net' ? (node.currentQuantity ?? node.quantity) : node.quantity
  if (pieces === 0) return []
  if (pieces < 0 || pieces > QUANTITY_MAX) throw badRequest(`quantity ${pieces} of ${label} is out of range`)
  const { mapping } = rules
  return [
    line({
      id: node.id,
      label,
      kind: 'item',
      name: productName(fullTitle(node, mapping), `Item ${index + 1}`),
      title: cleanText(node.title),
      sku: node.sku ?? undefined,
      ...taxOfLine(node.taxLines, label, mapping),
      unit: priceIn(node.originalUnitPriceSet, label),
      pieces,
      ...sharesOf(node, pieces, label, order, rules),
      taxLines: node.taxLines,
      taxesIncluded: rules.taxesIncluded,
    }),
  ]
}

function fullTitle({ title, variantTitle }: LineItem, { variantInName }: Mapping): string {
  const variant = variantTitle ? cleanText(variantTitle) : ''
  return variantInName && variant !== '' && variant !== 'Default Title' ? `${title} - ${variant}` : title
}

/**
 * Returns the discount and the tax of the units in the view (platform orders 5.2.3). The platform reports those of all
 * units that were ever sold. The parts of the refunds are subtracted, or the amounts are divided by the number of
 * units.
 */
function sharesOf(
  node: LineItem,
  pieces: number,
  label: string,
  order: PlatformOrder,
  { reading }: LineRules,
): { readonly discount: Money; readonly tax: Money } {
  const discount = allocatedDiscount(node, label)
  const tax = taxOf(node.taxLines, label)
  const { quantity } = node
  if (pieces === quantity) return { discount, tax }
  const byNumber = { discount: share(discount, pieces, quantity), tax: share(tax, pieces, quantity) }
  if (reading === 'by number') return byNumber
  const unit = priceIn(node.originalUnitPriceSet, label)
  const refunds = (order.refundLines ?? []).filter(({ lineItem }) => lineItem.id === node.id)
  const removedCount = refunds.reduce((count, refund) => count + refund.quantity, 0)
  const goneTax = sum(
    refunds.map(({ totalTaxSet }) => totalTaxSet),
    `a refund of ${label}`,
  )
  const goneValue =
    sum(
      refunds.map(({ subtotalSet }) => subtotalSet),
      `a refund of ${label}`,
    ) + (reading === 'subtotal and tax' ? goneTax : 0)
  const sums = { discount: discount - (unit * removedCount - goneValue), tax: tax - goneTax }
  const isUsable =
    removedCount === quantity - pieces && sums.discount >= 0 && sums.discount <= unit * pieces && sums.tax >= 0
  return isUsable ? sums : byNumber
}

const share = (amount: Money, part: number, whole: number): Money =>
  whole === 0 ? amount : multiplyDivide(amount, part, whole, 'halfAwayFromZero')

interface Draft extends Omit<OrderLine, 'price' | 'surcharge' | 'total'> {
  readonly unit: Money
  readonly tax: Money
  readonly taxLines: readonly TaxLine[]
  readonly taxesIncluded: boolean
}

export function line({ unit, tax, taxLines, taxesIncluded, ...draft }: Draft): OrderLine {
  const { label, pieces, discount } = draft
  const gross = multiply(unit, pieces, label)
  if (discount > gross) throw badRequest(`discount of ${label} exceeds its price`)
  if (taxesIncluded) return { ...draft, price: unit, total: gross - discount }
  const price = withTax(unit, rateOf(taxLines))
  if (price > MONEY_MAX) throw badRequest(`price ${showMoney(price)} of ${label} is out of range`)
  return { ...draft, price, total: gross - discount + tax }
}

function multiply(unit: Money, pieces: number, label: string): Money {
  const gross = unit * pieces
  if (gross > MONEY_MAX) throw badRequest(`price ${showMoney(unit)} of ${label} is out of range`)
  return gross
}

export type TaxOfLine = Pick<OrderLine, 'taxCode' | 'rate'>

export function taxOfLine(lines: readonly TaxLine[], label: string, mapping: Mapping): TaxOfLine {
  if (lines.length === 0) {
    if (mapping.noTaxCode !== undefined) return { taxCode: mapping.noTaxCode, rate: 'none' }
    throw badRequest(`no tax on ${label} and no code configured for untaxed lines`)
  }
  const rate = ratePercent(rateOf(lines))
  const taxCode = mapping.taxCodes.get(rate)
  if (taxCode === undefined) throw badRequest(`tax rate ${showMoney(rate)}% of ${label} is not mapped to a tax code`)
  return { taxCode, rate }
}

/** Returns a configured group, and its rate if `taxCodes` contains the group. */
export function groupOf(taxCode: TaxCode, { taxCodes }: Mapping): TaxOfLine {
  const [rate] = [...taxCodes].find(([, code]) => code === taxCode) ?? []
  return { taxCode, rate }
}

/**
 * Returns rows with exactly the line's total. One row with the discount or surcharge of the line is sufficient if it is
 * exact. Otherwise, if an added tax was rounded, returns whole pieces at two prices that differ by a hundredth. Never
 * invents a discount.
 */
export function rowsOf({ price, pieces, discount, surcharge = 0, total }: OrderLine): readonly Row[] {
  if (total === 0) return [{ price: 0, pieces }]
  const difference = price * pieces - total
  if (difference === 0) return [{ price, pieces }]
  if (difference > 0 && discount > 0) return [{ price, pieces, adjustment: { kind: 'discount', amount: difference } }]
  if (difference < 0 && surcharge > 0)
    return [{ price, pieces, adjustment: { kind: 'surcharge', amount: -difference } }]
  const low = Math.floor(total / pieces)
  const dear = total - low * pieces
  return [
    { price: low, pieces: pieces - dear },
    { price: low + 1, pieces: dear },
  ].filter((row) => row.pieces > 0)
}
