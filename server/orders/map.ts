import { spread } from '../../drivers/model/amounts.ts'
import type { Money } from '../../drivers/model/money.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { allocated, lineLabel, type OrderLine, orderLines, shippingNet } from './lines.ts'
import type { Mapping } from './mapping.ts'
import type { LineItem, MoneySet, PlatformOrder, ShippingLine } from './order.ts'
import { orderPayments } from './payments.ts'
import { badRequest } from './refusal.ts'
import { moneyIn, showMoney } from './values.ts'

/**
 * An order as a receipt (platform orders 5): the lines come to the order's total and the payments to the same,
 * in whole hundredths, or the order is refused with its reason. Nothing here knows a device.
 */
export interface MappedOrder {
  readonly lines: readonly OrderLine[]
  readonly payments: readonly Required<Payment>[]
  readonly total: Money
  /** Hundredths that had no cause of their own and were settled by a rule; for the log. */
  readonly healings: readonly { readonly rule: string; readonly amount: Money }[]
}

export function mapOrder(order: PlatformOrder, mapping: Mapping): MappedOrder {
  checkCurrency(order, mapping)
  if (order.cancelledAt) throw badRequest('order was cancelled')
  const total = moneyIn(order.totalPriceSet, 'the order total')
  if (total === 0) throw badRequest('order total is zero')
  const { lines, healings } = balancedLines(order, total, mapping)
  return { lines, healings, total, payments: orderPayments(order, total, mapping) }
}

/** A receipt has one currency: the configured one, else that of the order's total. No amount of another is added to it. */
function checkCurrency(order: PlatformOrder, mapping: Mapping): void {
  const { totalPriceSet, totalDiscountsSet, totalTipReceivedSet, transactions } = order
  const currency = mapping.currency ?? totalPriceSet.shopMoney.currencyCode
  const lines = [...order.lineItems.edges, ...order.shippingLines.edges].flatMap(({ node }) => moneyOfLine(node))
  const sets = [totalPriceSet, totalDiscountsSet, ...(totalTipReceivedSet ? [totalTipReceivedSet] : []), ...lines]
  const codes = [...sets.map(({ shopMoney }) => shopMoney.currencyCode), ...transactions.map((one) => one.currency)]
  const other = codes.find((code) => code !== undefined && code !== currency)
  if (other === undefined) return
  throw badRequest(`order currency ${other.slice(0, 10)} differs from the device currency ${currency.slice(0, 10)}`)
}

function moneyOfLine(node: LineItem | ShippingLine): readonly MoneySet[] {
  return [
    ...('quantity' in node ? [node.originalUnitPriceSet] : [node.originalPriceSet, node.discountedPriceSet]),
    ...(node.taxLines ?? []).map(({ priceSet }) => priceSet),
    ...node.discountAllocations.map(({ allocatedAmountSet }) => allocatedAmountSet),
  ]
}

type Balanced = Pick<MappedOrder, 'lines' | 'healings'>

const sumOf = (lines: readonly OrderLine[]): Money => lines.reduce((sum, line) => sum + line.total, 0)

function balancedLines(order: PlatformOrder, total: Money, mapping: Mapping): Balanced {
  const { taxesIncluded } = order
  if (taxesIncluded !== null && taxesIncluded !== undefined) {
    return heal(orderLines(order, { mapping, taxesIncluded }), order, total, mapping)
  }
  // Not told: whichever reading adds up exactly; nothing is healed on a guess.
  const included = orderLines(order, { mapping, taxesIncluded: true })
  if (sumOf(included) === total) return { lines: included, healings: [] }
  const excluded = orderLines(order, { mapping, taxesIncluded: false })
  if (sumOf(excluded) === total) return { lines: excluded, healings: [] }
  throw doesNotAddUp(sumOf(included), total)
}

const doesNotAddUp = (sum: Money, total: Money): Error =>
  badRequest(`order does not add up: lines and shipping give ${showMoney(sum)}, order total is ${showMoney(total)}`)

/** 5.3: what is left between the lines and the order's total. */
function heal(lines: readonly OrderLine[], order: PlatformOrder, total: Money, mapping: Mapping): Balanced {
  const residual = total - sumOf(lines)
  if (residual === 0) return { lines, healings: [] }
  if (residual > 0) {
    const tip = tipLine(lines, order, residual, mapping)
    if (tip) return { lines: [...lines, tip], healings: [{ rule: 'tip', amount: residual }] }
    if (residual <= mapping.roundingTolerance) return raiseDearest(lines, residual, total)
    throw doesNotAddUp(sumOf(lines), total)
  }
  const off = -residual
  const rule = off <= unallocatedDiscount(order) ? 'unallocated discount' : 'rounding'
  if (rule === 'rounding' && off > mapping.roundingTolerance) throw doesNotAddUp(sumOf(lines), total)
  return takeOff(lines, off, rule, total)
}

/** A tip that is not already one of the lines. */
function tipLine(
  lines: readonly OrderLine[],
  order: PlatformOrder,
  residual: Money,
  mapping: Mapping,
): OrderLine | undefined {
  const tip = order.totalTipReceivedSet ? moneyIn(order.totalTipReceivedSet, 'the tip') : 0
  const isListed = lines.some((line) => line.kind === 'item' && line.title === 'Tip' && line.total === tip)
  if (tip !== residual || isListed) return undefined
  if (mapping.noTaxCode === undefined) {
    throw badRequest('no tax on the tip and no code configured for untaxed lines')
  }
  return {
    label: 'tip',
    kind: 'tip',
    name: 'Tip',
    title: 'Tip',
    sku: undefined,
    taxCode: mapping.noTaxCode,
    price: tip,
    pieces: 1,
    discount: 0,
    total: tip,
  }
}

function unallocatedDiscount(order: PlatformOrder): Money {
  const items = order.lineItems.edges.reduce((sum, { node }, index) => sum + allocated(node, lineLabel(index)), 0)
  const shipping = order.shippingLines.edges.reduce((sum, { node }) => {
    const { original, net } = shippingNet(node)
    return sum + original - net
  }, 0)
  return moneyIn(order.totalDiscountsSet, 'the discounts') - items - shipping
}

/** Spreads an amount over the item lines by what they come to. */
function takeOff(lines: readonly OrderLine[], amount: Money, rule: string, total: Money): Balanced {
  const weights = lines.map((line) => (line.kind === 'item' ? line.total : 0))
  if (amount > weights.reduce((sum, weight) => sum + weight, 0)) throw doesNotAddUp(sumOf(lines), total)
  const shares = spread(amount, weights)
  const lowered = lines.map((line, index) => {
    const share = shares[index] ?? 0
    return share === 0 ? line : { ...line, discount: line.discount + share, total: line.total - share }
  })
  return { lines: lowered, healings: [{ rule, amount: -amount }] }
}

/** A missing hundredth or two goes to the line with the largest sum: off its discount, or as a surcharge. */
function raiseDearest(lines: readonly OrderLine[], amount: Money, total: Money): Balanced {
  const dearest = lines.reduce<OrderLine | undefined>(
    (best, line) => (line.kind === 'item' && (!best || line.total > best.total) ? line : best),
    undefined,
  )
  if (!dearest) throw doesNotAddUp(sumOf(lines), total)
  const raised: OrderLine = {
    ...dearest,
    discount: Math.max(0, dearest.discount - amount),
    surcharge: (dearest.surcharge ?? 0) + Math.max(0, amount - dearest.discount),
    total: dearest.total + amount,
  }
  return {
    lines: lines.map((line) => (line === dearest ? raised : line)),
    healings: [{ rule: 'rounding', amount }],
  }
}
