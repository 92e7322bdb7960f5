/**
 * The lines of an order, with exactly the total of its view, or the reason why they differ from it (platform orders
 * 5.2.3, 5.3).
 */
import { spread } from '../../drivers/model/amounts.ts'
import type { Money } from '../../drivers/model/money.ts'
import { feeRows } from './fees.ts'
import { itemLine, type LineRules, type OrderLine, READINGS } from './lines.ts'
import type { Mapping } from './mapping.ts'
import type { PlatformOrder } from './order.ts'
import { moneyIn, showMoney } from './platform-values.ts'
import { badRequest } from './refusal.ts'
import { shippingRows, shippingSum } from './shipping.ts'
import type { View } from './view.ts'

export interface TotalAdjustment {
  readonly rule: string
  readonly amount: Money
}

interface BalancedLines {
  readonly lines: readonly OrderLine[]
  readonly healings: readonly TotalAdjustment[]
}

const TOLERANCE_MAX: Money = 100

const sumOf = (lines: readonly OrderLine[]): Money => lines.reduce((sum, line) => sum + line.total, 0)

export function balancedLines(order: PlatformOrder, view: View, mapping: Mapping): BalancedLines {
  const { taxesIncluded } = order
  if (taxesIncluded !== null && taxesIncluded !== undefined) {
    return allocateDifference(readLines(order, view, mapping, taxesIncluded), { order, view, mapping, taxesIncluded })
  }
  // Whether prices include taxes is unknown. The reading that adds up exactly is used, and no difference is allocated.
  const included = readLines(order, view, mapping, true)
  if (sumOf(included) === view.total) return { lines: included, healings: [] }
  const excluded = readLines(order, view, mapping, false)
  if (sumOf(excluded) === view.total) return { lines: excluded, healings: [] }
  throw doesNotAddUp(included, view)
}

/** Reads the lines by the first reading of the refunds that leads to the total, otherwise by the last reading. */
function readLines(order: PlatformOrder, view: View, mapping: Mapping, taxesIncluded: boolean): readonly OrderLine[] {
  let lines: readonly OrderLine[] = []
  for (const reading of READINGS) {
    const rules: LineRules = { mapping, taxesIncluded, view: view.kind, reading }
    const itemLines = (by: LineRules) =>
      order.lineItems.edges.flatMap(({ node }, index) => itemLine(node, index, order, by))
    const inView = itemLines(rules)
    const items = { inView, sold: () => itemLines({ ...rules, view: 'gross' }) }
    const shipping = order.shippingLines.edges.flatMap(({ node }) => shippingRows(node, items, rules))
    lines = [...inView, ...shipping]
    if (sumOf(lines) === view.total) break
  }
  return lines
}

function doesNotAddUp(lines: readonly OrderLine[], { total, mismatch }: View, hint = ''): Error {
  const sum = sumOf(lines)
  const message = `order does not add up: lines and shipping give ${showMoney(sum)}, order total is ${showMoney(total)}`
  return mismatch ?? badRequest(message + hint)
}

function beyondTolerance(lines: readonly OrderLine[], view: View): Error {
  const difference = Math.abs(view.total - sumOf(lines))
  if (difference > TOLERANCE_MAX) return doesNotAddUp(lines, view)
  const way = `can be allowed by platform.mapping.roundingToleranceMinor: ${difference}`
  return doesNotAddUp(lines, view, `; a difference of ${showMoney(difference)} ${way}`)
}

interface Case {
  readonly order: PlatformOrder
  readonly view: View
  readonly mapping: Mapping
  readonly taxesIncluded: boolean
}

function allocateDifference(lines: readonly OrderLine[], orderCase: Case): BalancedLines {
  const { order, view, mapping } = orderCase
  const residual = view.total - sumOf(lines)
  if (residual === 0) return { lines, healings: [] }
  if (residual > 0) {
    const tip = tipLine(lines, order, residual, mapping)
    if (tip) return { lines: [...lines, tip], healings: [{ rule: 'tip', amount: residual }] }
    const fees = feeRows(order, residual, mapping, orderCase.taxesIncluded)
    if (fees) return { lines: [...lines, ...fees], healings: [] }
    if (residual <= mapping.roundingTolerance) return raiseDearest(lines, residual, view)
    throw beyondTolerance(lines, view)
  }
  const off = -residual
  const rule = off <= unallocatedDiscount(lines, order, view) ? 'unallocated discount' : 'rounding'
  if (rule === 'rounding' && off > mapping.roundingTolerance) throw beyondTolerance(lines, view)
  return takeOff(lines, off, rule, view)
}

/** Returns a line for the tip; `undefined` if the tip does not explain the difference or already has a line. */
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
    id: undefined,
    label: 'tip',
    kind: 'tip',
    name: 'Tip',
    title: 'Tip',
    sku: undefined,
    taxCode: mapping.noTaxCode,
    rate: 'none',
    price: tip,
    pieces: 1,
    discount: 0,
    total: tip,
  }
}

function unallocatedDiscount(lines: readonly OrderLine[], order: PlatformOrder, { kind }: View): Money {
  const items = lines.reduce((sum, line) => sum + (line.kind === 'item' ? line.discount : 0), 0)
  const shipping = order.shippingLines.edges.reduce((sum, { node }) => {
    if (kind === 'net' && node.isRemoved) return sum
    const { original, sold } = shippingSum(node, kind)
    return sum + original - sold
  }, 0)
  const discountSet = (kind === 'net' ? order.currentTotalDiscountsSet : undefined) ?? order.totalDiscountsSet
  return moneyIn(discountSet, 'the discounts') - items - shipping
}

function takeOff(lines: readonly OrderLine[], amount: Money, rule: string, view: View): BalancedLines {
  const weights = lines.map((line) => (line.kind === 'item' ? line.total : 0))
  if (amount > weights.reduce((sum, weight) => sum + weight, 0)) throw doesNotAddUp(lines, view)
  const shares = spread(amount, weights)
  const lowered = lines.map((line, index) => {
    const share = shares[index] ?? 0
    return share === 0 ? line : { ...line, discount: line.discount + share, total: line.total - share }
  })
  return { lines: lowered, healings: [{ rule, amount: -amount }] }
}

/** Adds missing hundredths to the item with the largest total: as less discount, or as a surcharge. */
function raiseDearest(lines: readonly OrderLine[], amount: Money, view: View): BalancedLines {
  const dearest = lines.reduce<OrderLine | undefined>(
    (best, line) => (line.kind === 'item' && (!best || line.total > best.total) ? line : best),
    undefined,
  )
  if (!dearest) throw doesNotAddUp(lines, view)
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
