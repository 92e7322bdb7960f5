import type { Money } from '../../drivers/model/money.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { gatewayKey, type Mapping } from './mapping.ts'
import type { PlatformOrder, Transaction } from './order.ts'
import { badRequest } from './refusal.ts'
import { moneyOf, showMoney } from './values.ts'

/** Transactions of an order as payments (platform orders 5.5). Empty: the whole sum in cash, automatically. */
export function orderPayments(order: PlatformOrder, total: Money, mapping: Mapping): readonly Required<Payment>[] {
  checkRefunds(order, total, mapping)
  const cashMode = mapping.modes.cash ?? 0
  const sums = new Map<number, Money>()
  for (const transaction of order.transactions) {
    if (!isPaid(transaction, mapping)) continue
    const mode = modeOf(transaction, mapping)
    sums.set(mode, (sums.get(mode) ?? 0) + amountOf(transaction))
  }
  const handedOver = sums.get(cashMode) ?? 0
  const change = changeOf(order)
  if (change > 0) sums.set(cashMode, handedOver - change)
  return settle(sums, { total, cashMode, handedOver, change, mapping })
}

const amountOf = ({ amount, kind }: Transaction): Money => moneyOf(amount, `a transaction (${kind})`)

const succeeded = ({ status }: Transaction): boolean => status === undefined || status === 'SUCCESS'

/** A relay may not tell the status; then the kind alone decides. */
function isPaid(transaction: Transaction, mapping: Mapping): boolean {
  const { kind, status, gateway } = transaction
  if (kind === 'CAPTURE') return succeeded(transaction)
  if (kind !== 'SALE') return false
  return succeeded(transaction) || (status === 'PENDING' && mapping.pendingGateways.has(gatewayKey(gateway)))
}

const sumOf = (order: PlatformOrder, kind: string): Money =>
  order.transactions
    .filter((transaction) => transaction.kind === kind && succeeded(transaction))
    .reduce((sum, transaction) => sum + amountOf(transaction), 0)

const changeOf = (order: PlatformOrder): Money => sumOf(order, 'CHANGE')

function checkRefunds(order: PlatformOrder, total: Money, { refundPolicy }: Mapping): void {
  const refunded = sumOf(order, 'REFUND')
  if (refunded >= total && refunded > 0) throw badRequest('order was fully refunded')
  if (refunded > 0 && refundPolicy === 'reject') throw badRequest('order was partly refunded')
}

function modeOf({ gateway }: Transaction, mapping: Mapping): number {
  const tender = mapping.gateways.get(gatewayKey(gateway)) ?? mapping.defaultGateway
  const mode = tender && mapping.modes[tender]
  if (mode === undefined) {
    throw badRequest(`payment gateway ${gateway.trim().slice(0, 80)} is not mapped to a payment mode`)
  }
  return mode
}

interface Sides {
  readonly total: Money
  readonly cashMode: number
  readonly handedOver: Money
  readonly change: Money
  readonly mapping: Mapping
}

function settle(sums: Map<number, Money>, sides: Sides): readonly Required<Payment>[] {
  const { total, cashMode, handedOver, mapping } = sides
  const paid = [...sums.values()].reduce((sum, amount) => sum + amount, 0)
  const cash = sums.get(cashMode) ?? 0
  if (paid < total || cash < 0) {
    if (mapping.unpaidPolicy === 'auto' && cash >= 0) return []
    throw badRequest(`order is not fully paid: ${showMoney(Math.max(0, paid))} of ${showMoney(total)}`)
  }
  const excess = paid - total
  if (excess > cash) throw badRequest(`payments ${showMoney(paid)} exceed the order total ${showMoney(total)}`)
  const netCash = cash - excess
  // Cash comes last: what is not cash must not exceed what is left, and only cash gives change.
  const others = [...sums].filter(([mode, amount]) => mode !== cashMode && amount > 0)
  const lastCash = mapping.cashTendered === 'tendered' && netCash > 0 ? handedOver : netCash
  return [...others, [cashMode, lastCash] as const]
    .filter(([, amount]) => amount > 0)
    .map(([mode, amount]) => ({ mode, amount }))
}
