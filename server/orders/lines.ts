import { MONEY_MAX, type Money } from '../../drivers/model/money.ts'
import type { Adjustment, TaxCode } from '../../drivers/model/receipt.ts'
import type { Mapping } from './mapping.ts'
import type { LineItem, MoneySet, PlatformOrder, ShippingLine, TaxLine } from './order.ts'
import { badRequest } from './refusal.ts'
import { cleanText, moneyIn, priceIn, productName, rateOf, ratePercent, showMoney, withTax } from './values.ts'

/**
 * Lines and shipping of an order as rows of a receipt (platform orders 5.2). What a line must come to is settled first,
 * in whole hundredths; then the price, quantity and discount that come to it on any device.
 */

/** One sale on the receipt: `price x quantity`, whole pieces, with an amount off or on. */
export interface Row {
  readonly price: Money
  readonly pieces: number
  readonly adjustment?: Extract<Adjustment, { amount: Money }>
}

export interface OrderLine {
  /** In messages: `line 3` or `shipping`. */
  readonly label: string
  readonly kind: 'item' | 'shipping' | 'tip'
  readonly name: string
  /** For the article table of a device without free sales. */
  readonly title: string
  readonly sku: string | undefined
  readonly taxCode: TaxCode
  /** Gross price of one piece before discounts; rows may sell for other prices when tax comes on top. */
  readonly price: Money
  readonly pieces: number
  /** Taken off by the order's own discounts. */
  readonly discount: Money
  /** Put on to make up for hundredths that the platform has lost (5.3, rule 4). */
  readonly surcharge?: Money
  /** What the line comes to. */
  readonly total: Money
}

const QUANTITY_MAX = 999_999

export interface LineRules {
  readonly mapping: Mapping
  readonly taxesIncluded: boolean
}

/** Lines with a quantity of 0 are left out; wholly discounted shipping too. */
export function orderLines(order: PlatformOrder, rules: LineRules): readonly OrderLine[] {
  const items = order.lineItems.edges.flatMap(({ node }, index) => itemLine(node, index, rules))
  const shipping = order.shippingLines.edges.flatMap(({ node }) => shippingLine(node, rules))
  return [...items, ...shipping]
}

export const lineLabel = (index: number): string => `line ${index + 1}`

const sum = (sets: readonly MoneySet[], label: string): Money =>
  sets.reduce((total, set) => total + moneyIn(set, label), 0)

export const allocated = (line: Pick<LineItem | ShippingLine, 'discountAllocations'>, label: string): Money =>
  sum(
    line.discountAllocations.map((one) => one.allocatedAmountSet),
    `a discount of ${label}`,
  )

const taxOf = (lines: readonly TaxLine[], label: string): Money =>
  sum(
    lines.map((one) => one.priceSet),
    `a tax of ${label}`,
  )

function itemLine(node: LineItem, index: number, rules: LineRules): readonly OrderLine[] {
  const label = lineLabel(index)
  const pieces = node.quantity
  if (pieces === 0) return []
  if (pieces < 0 || pieces > QUANTITY_MAX) throw badRequest(`quantity ${pieces} of ${label} is out of range`)
  return [
    line({
      label,
      kind: 'item',
      name: productName(node.title, `Item ${index + 1}`),
      title: cleanText(node.title),
      sku: node.sku ?? undefined,
      taxCode: taxCodeOf(node.taxLines, label, rules.mapping),
      unit: priceIn(node.originalUnitPriceSet, label),
      pieces,
      discount: allocated(node, label),
      taxLines: node.taxLines,
      rules,
    }),
  ]
}

/** Right before and after the platform began to take cart discounts off `discountedPriceSet`. */
export function shippingNet(node: ShippingLine): { readonly original: Money; readonly net: Money } {
  const original = priceIn(node.originalPriceSet, 'shipping')
  return {
    original,
    net: Math.max(0, Math.min(priceIn(node.discountedPriceSet, 'shipping'), original - allocated(node, 'shipping'))),
  }
}

function shippingLine(node: ShippingLine, rules: LineRules): readonly OrderLine[] {
  const { original, net } = shippingNet(node)
  const taxLines = node.taxLines ?? []
  if (net === 0) return []
  return [
    line({
      label: 'shipping',
      kind: 'shipping',
      name: productName(node.title, 'Shipping'),
      title: cleanText(node.title),
      sku: undefined,
      taxCode: shippingTaxCode(taxLines, rules.mapping),
      unit: original,
      pieces: 1,
      discount: original - net,
      taxLines,
      rules,
    }),
  ]
}

interface Draft
  extends Pick<OrderLine, 'label' | 'kind' | 'name' | 'title' | 'sku' | 'taxCode' | 'pieces' | 'discount'> {
  readonly unit: Money
  readonly taxLines: readonly TaxLine[]
  readonly rules: LineRules
}

function line({ unit, taxLines, rules, ...draft }: Draft): OrderLine {
  const { label, pieces, discount } = draft
  const gross = multiply(unit, pieces, label)
  if (discount > gross) throw badRequest(`discount of ${label} exceeds its price`)
  if (rules.taxesIncluded) return { ...draft, price: unit, total: gross - discount }
  const price = withTax(unit, rateOf(taxLines))
  if (price > MONEY_MAX) throw badRequest(`price ${showMoney(price)} of ${label} is out of range`)
  return { ...draft, price, total: gross - discount + taxOf(taxLines, label) }
}

function multiply(unit: Money, pieces: number, label: string): Money {
  const gross = unit * pieces
  if (gross > MONEY_MAX) throw badRequest(`price ${showMoney(unit)} of ${label} is out of range`)
  return gross
}

function taxCodeOf(lines: readonly TaxLine[], label: string, mapping: Mapping): TaxCode {
  if (lines.length === 0) {
    if (mapping.noTaxCode !== undefined) return mapping.noTaxCode
    throw badRequest(`no tax on ${label} and no code configured for untaxed lines`)
  }
  const rate = ratePercent(rateOf(lines))
  const code = mapping.taxCodes.get(rate)
  if (code === undefined) throw badRequest(`tax rate ${showMoney(rate)}% of ${label} is not mapped to a tax code`)
  return code
}

/** Without tax lines of its own the configured code counts; an untaxed line's only when there is none. */
const shippingTaxCode = (lines: readonly TaxLine[], mapping: Mapping): TaxCode =>
  lines.length === 0 && mapping.shippingTaxCode !== undefined
    ? mapping.shippingTaxCode
    : taxCodeOf(lines, 'shipping', mapping)

/**
 * The rows that come to exactly the line's total. One row with the line's own discount where that is exact; where tax
 * on top has rounded the price, whole pieces at two prices a hundredth apart, never an invented discount.
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
