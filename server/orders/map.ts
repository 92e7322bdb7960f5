import type { Money } from '../../drivers/model/money.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { balancedLines, type TotalAdjustment } from './balance.ts'
import type { OrderLine } from './lines.ts'
import type { Mapping } from './mapping.ts'
import type { LineItem, MoneySet, PlatformOrder, ShippingLine } from './order.ts'
import { orderPayments } from './payments.ts'
import { cleanText } from './platform-values.ts'
import { badRequest } from './refusal.ts'
import { inPresentment, viewOf } from './view.ts'

/**
 * An order as a receipt (platform orders 5), independent of devices. Lines and payments add up to the order's total in
 * hundredths; otherwise the order is refused with the reason.
 */
export interface MappedOrder {
  readonly heading: string | undefined
  readonly lines: readonly OrderLine[]
  readonly payments: readonly Required<Payment>[]
  readonly total: Money
  readonly healings: readonly TotalAdjustment[]
}

export function mapOrder(read: PlatformOrder, mapping: Mapping): MappedOrder {
  const order = mapping.money === 'presentment' ? inPresentment(read) : read
  checkCurrency(order, mapping)
  const view = viewOf(order, mapping)
  const { lines, healings } = balancedLines(order, view, mapping)
  const { payments, rounding } = orderPayments(order, view, mapping)
  return {
    heading: headingOf(order, mapping),
    lines,
    payments,
    total: view.total,
    healings: rounding === 0 ? healings : [...healings, { rule: 'cash rounding', amount: rounding }],
  }
}

/**
 * The replacement is a function, because `$` has a special meaning in a replacement text and may occur in the name of
 * an order.
 */
const headingOf = ({ name }: PlatformOrder, { orderText }: Mapping): string | undefined =>
  (orderText === undefined ? '' : cleanText(orderText.replaceAll('{name}', () => name))) || undefined

function checkCurrency(order: PlatformOrder, { currency }: Mapping): void {
  const codes = currenciesOf(order)
  if (currency === undefined) {
    const [own = ''] = codes
    throw badRequest(
      `platform is not configured: mapping.currency is missing, the order is in ${own.slice(0, 10)}; ` +
        'set it to the currency that the device prints',
    )
  }
  const other = codes.find((code) => code !== currency)
  if (other === undefined) return
  throw badRequest(`order currency ${other.slice(0, 10)} differs from the device currency ${currency.slice(0, 10)}`)
}

function currenciesOf(order: PlatformOrder): readonly string[] {
  const { totalCashRoundingAdjustment: rounding, additionalFees, refundLines = [] } = order
  const totals = [
    order.totalPriceSet,
    order.totalDiscountsSet,
    order.totalTipReceivedSet,
    order.currentTotalPriceSet,
    order.currentTotalDiscountsSet,
    order.currentTotalDutiesSet,
    order.currentTotalAdditionalFeesSet,
    rounding?.paymentSet,
    rounding?.refundSet,
  ].flatMap((set) => set ?? [])
  const sets: readonly MoneySet[] = [
    ...totals,
    ...[...order.lineItems.edges, ...order.shippingLines.edges].flatMap(({ node }) => moneyOfLine(node)),
    ...(additionalFees ?? []).flatMap(({ price, taxLines }) => [price, ...(taxLines ?? []).map((tax) => tax.priceSet)]),
    ...refundLines.flatMap(({ subtotalSet, totalTaxSet }) => [subtotalSet, totalTaxSet]),
  ]
  return [
    ...sets.map(({ shopMoney }) => shopMoney.currencyCode),
    ...order.transactions.flatMap(({ currency }) => currency ?? []),
  ]
}

function moneyOfLine(node: LineItem | ShippingLine): readonly MoneySet[] {
  return [
    ...('quantity' in node ? [node.originalUnitPriceSet] : shippingMoney(node)),
    ...(node.taxLines ?? []).map(({ priceSet }) => priceSet),
    ...node.discountAllocations.map(({ allocatedAmountSet }) => allocatedAmountSet),
  ]
}

const shippingMoney = ({ originalPriceSet, discountedPriceSet, currentDiscountedPriceSet }: ShippingLine) => [
  originalPriceSet,
  discountedPriceSet,
  ...(currentDiscountedPriceSet ? [currentDiscountedPriceSet] : []),
]
