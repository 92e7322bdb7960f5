import type { Money } from '../../drivers/model/money.ts'
import type { Mapping } from './mapping.ts'
import type { MoneySet, PlatformOrder } from './order.ts'
import { moneyIn, showMoney } from './platform-values.ts'
import { badRequest } from './refusal.ts'
import { paidOf, refundedOf } from './transactions.ts'

/**
 * The part of an order that is printed (platform orders 5.2.1): `gross` is the original sale, `net` is the order after
 * edits and refunds.
 */
export interface View {
  readonly kind: 'gross' | 'net'
  readonly total: Money
  /** True if units or the total have changed since the order was placed. */
  readonly isEdited: boolean
  /** Error that replaces the usual one if the sums differ. */
  readonly mismatch?: Error
}

/** Throws for an order that must not be printed in any case (platform orders 5.9). */
export function viewOf(order: PlatformOrder, mapping: Mapping): View {
  if (order.cancelledAt) throw badRequest('order was cancelled')
  if (order.test === true && mapping.testOrders === 'refuse') {
    throw badRequest(
      'order is a test order, and a fiscal receipt cannot be reversed; ' +
        'set platform.mapping.testOrders: print to print it all the same',
    )
  }
  const refunded = refundedOf(order)
  if (refunded > 0 && refunded >= paidOf(order)) throw badRequest('order was fully refunded')
  if (refunded > 0 && mapping.refundPolicy === 'reject') throw badRequest('order was partly refunded')
  const view = refunded > 0 && mapping.refundPolicy === 'gross' ? grossView(order) : netView(order, refunded)
  if (view.total === 0) throw badRequest(view.isEdited && isEmpty(order) ? NOTHING_LEFT : 'order total is zero')
  return view
}

const NOTHING_LEFT = 'the order has no remaining items: every unit was removed or refunded'

const soldFor = (order: PlatformOrder): Money => moneyIn(order.totalPriceSet, 'the order total')

function grossView(order: PlatformOrder): View {
  const isEdited = wasEdited(order)
  const mismatch = badRequest(
    'order was edited and partly refunded, so it cannot be printed as it was sold; ' +
      'set platform.mapping.refundPolicy: net to print its remaining items',
  )
  return { kind: 'gross', total: soldFor(order), isEdited, ...(isEdited && { mismatch }) }
}

function netView(order: PlatformOrder, refunded: Money): View {
  const current = currentTotal(order)
  if (current !== undefined) return { kind: 'net', total: current, isEdited: wasEdited(order) }
  if (refunded > 0) {
    throw badRequest(
      `order was partly refunded: ${showMoney(refunded)} was refunded, and the relay does not report the remaining items of ` +
        'the order; print it by /print-fiscal-receipt',
    )
  }
  return { kind: 'gross', total: soldFor(order), isEdited: false }
}

const currentTotal = ({ currentTotalPriceSet: set }: PlatformOrder): Money | undefined =>
  set ? moneyIn(set, 'the current total') : undefined

const wasEdited = (order: PlatformOrder): boolean =>
  order.lineItems.edges.some(({ node }) => (node.currentQuantity ?? node.quantity) !== node.quantity) ||
  (currentTotal(order) ?? soldFor(order)) !== soldFor(order)

const isEmpty = ({ lineItems }: PlatformOrder): boolean =>
  lineItems.edges.every(({ node }) => (node.currentQuantity ?? node.quantity) === 0)

export function inPresentment(order: PlatformOrder): PlatformOrder {
  const replaced = replaceMoney(order) as PlatformOrder
  const transactions = order.transactions.map((transaction) => {
    const { presentment } = transaction
    if (!presentment) throw notReported()
    return { ...transaction, amount: presentment.amount, currency: presentment.currencyCode }
  })
  return { ...replaced, transactions }
}

const notReported = (): Error =>
  badRequest("order has no amounts in the customer's currency; set platform.mapping.money: shop")

function replaceMoney(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaceMoney)
  if (typeof value !== 'object' || value === null) return value
  if ('shopMoney' in value) {
    const { presentmentMoney } = value as MoneySet
    if (!presentmentMoney) throw notReported()
    return { shopMoney: presentmentMoney }
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaceMoney(part)]))
}
