import { HUNDRED_PERCENT, multiplyDivide, spread } from '../../drivers/model/amounts.ts'
import type { Money, Percent } from '../../drivers/model/money.ts'
import type { TaxCode } from '../../drivers/model/receipt.ts'
import {
  allocatedDiscount,
  groupOf,
  type LineRules,
  line,
  type OrderLine,
  type TaxOfLine,
  taxOf,
  taxOfLine,
} from './lines.ts'
import type { ShippingLine } from './order.ts'
import { cleanText, priceIn, productName, rateOf, ratePercent, showMoney } from './platform-values.ts'
import { badRequest } from './refusal.ts'

const LABEL = 'shipping'

interface ShippingSum {
  readonly original: Money
  readonly sold: Money
  readonly net: Money
}

/**
 * Returns the sums of shipping. Some versions of the platform do not subtract discounts on the cart from
 * `discountedPriceSet`; the function subtracts them.
 */
export function shippingSum(node: ShippingLine, view: LineRules['view']): ShippingSum {
  const original = priceIn(node.originalPriceSet, LABEL)
  const sold = Math.max(0, Math.min(priceIn(node.discountedPriceSet, LABEL), original - allocatedDiscount(node, LABEL)))
  if (view === 'gross') return { original, sold, net: sold }
  if (node.isRemoved) return { original, sold, net: 0 }
  const current = node.currentDiscountedPriceSet
  return { original, sold, net: current ? Math.min(sold, priceIn(current, LABEL)) : sold }
}

/** Lines of goods, whose taxes the tax of shipping may combine. */
interface ItemLines {
  readonly inView: readonly OrderLine[]
  readonly sold: () => readonly OrderLine[]
}

export function shippingRows(node: ShippingLine, items: ItemLines, rules: LineRules): readonly OrderLine[] {
  const { original, sold, net } = shippingSum(node, rules.view)
  if (net === 0) return []
  const taxLines = node.taxLines ?? []
  const tax = taxOf(taxLines, LABEL)
  const isReduced = net < sold
  const whole = {
    id: node.id ?? undefined,
    label: LABEL,
    kind: 'shipping',
    name: productName(node.title, 'Shipping'),
    title: cleanText(node.title),
    sku: undefined,
    // After a partial refund, the remaining shipping has no discount.
    unit: isReduced ? net : original,
    pieces: 1,
    discount: isReduced ? 0 : original - net,
    tax: isReduced ? multiplyDivide(tax, net, sold, 'halfAwayFromZero') : tax,
    taxLines,
    taxesIncluded: rules.taxesIncluded,
  } as const
  const own = ownTax(node, rules)
  if (own) return [line({ ...whole, ...own })]
  const { shippingTax, shippingTaxCode } = rules.mapping
  if (shippingTax === 'fixed' && shippingTaxCode !== undefined) {
    return [line({ ...whole, ...groupOf(shippingTaxCode, rules.mapping) })]
  }
  if (shippingTax === 'highest') {
    const [highest] = goodsOf(items.inView).toSorted((a, b) => percentOf(b) - percentOf(a))
    if (highest) return [line({ ...whole, ...groupOf(highest.taxCode, rules.mapping) })]
  }
  if (shippingTax === 'split') {
    const remainingLine = line({ ...whole, ...groupOf(1, rules.mapping) })
    const asSold = { total: rules.taxesIncluded ? sold : sold + tax, tax }
    return splitOver(items, remainingLine, asSold, rules)
  }
  throw badRequest(
    `tax rate ${showMoney(ratePercent(rateOf(taxLines)))}% of shipping is not mapped to a tax code; if it is blended ` +
      'from the rates of the goods, set platform.mapping.shippingTax to fixed, highest or split',
  )
}

/** Returns the group of the line's own rate, regardless of `shippingTax`; `undefined` if no tax code has that rate. */
function ownTax({ taxLines }: ShippingLine, { mapping }: LineRules): TaxOfLine | undefined {
  const lines = taxLines ?? []
  if (lines.length === 0) {
    const { shippingTaxCode } = mapping
    return shippingTaxCode === undefined ? taxOfLine(lines, LABEL, mapping) : groupOf(shippingTaxCode, mapping)
  }
  const rate = ratePercent(rateOf(lines))
  const taxCode = mapping.taxCodes.get(rate)
  return taxCode === undefined ? undefined : { taxCode, rate }
}

const goodsOf = (items: readonly OrderLine[]): readonly OrderLine[] =>
  items.filter(({ title, rate }) => title !== 'Tip' || rate !== 'none')

const percentOf = ({ rate }: Pick<OrderLine, 'rate'>): Percent => (typeof rate === 'number' ? rate : 0)

interface Group {
  readonly first: OrderLine
  readonly units: number
  readonly total: Money
}

/**
 * Returns one row per tax group of the goods, by the first weights that lead to the reported tax. After a refund, the
 * tax may still result from the goods as they were sold.
 */
function splitOver(
  items: ItemLines,
  remainingLine: OrderLine,
  asSold: { readonly total: Money; readonly tax: Money },
  { mapping }: LineRules,
): readonly OrderLine[] {
  const rows =
    provenSplit(goodsOf(items.inView), remainingLine.total, asSold) ??
    provenSplit(goodsOf(items.sold()), remainingLine.total, asSold)
  if (!rows) {
    throw badRequest(
      `tax ${showMoney(asSold.tax)} of shipping cannot be split over the tax codes of the goods; ` +
        'set platform.mapping.shippingTax to fixed or highest',
    )
  }
  return rows
    .filter(({ amount }) => amount !== 0)
    .map(({ taxCode, amount }) => ({
      ...remainingLine,
      ...groupOf(taxCode, mapping),
      price: amount,
      pieces: 1,
      discount: 0,
      total: amount,
    }))
}

function provenSplit(
  goods: readonly OrderLine[],
  amount: Money,
  asSold: { readonly total: Money; readonly tax: Money },
): readonly { readonly taxCode: TaxCode; readonly amount: Money }[] | undefined {
  const groups = new Map<TaxCode, Group>()
  for (const good of goods) {
    const { first = good, units = 0, total = 0 } = groups.get(good.taxCode) ?? {}
    groups.set(good.taxCode, { first, units: units + good.pieces, total: total + good.total })
  }
  const list = [...groups.values()]
  const scale = (group: Group): number => HUNDRED_PERCENT + percentOf(group.first)
  const weights = [
    list.map(({ total }) => total),
    list.map((group) => group.units * scale(group)),
    list.map((group) => group.total * scale(group)),
  ]
  const proven = weights.find((one) => {
    const shares = spread(asSold.total, one)
    if (shares.reduce((sum, share) => sum + share, 0) !== asSold.total) return false
    const vat = list.reduce((sum, { first }, index) => sum + taxIn(shares[index] ?? 0, percentOf(first)), 0)
    return Math.abs(vat - asSold.tax) <= list.length
  })
  const remainingLines = proven && spread(amount, proven)
  return (
    remainingLines && list.map(({ first }, index) => ({ taxCode: first.taxCode, amount: remainingLines[index] ?? 0 }))
  )
}

const taxIn = (amount: Money, rate: Percent): Money =>
  multiplyDivide(amount, rate, HUNDRED_PERCENT + rate, 'halfAwayFromZero')
