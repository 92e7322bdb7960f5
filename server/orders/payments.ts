import type { Money } from '../../drivers/model/money.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import { gatewayKey, type Mapping } from './mapping.ts'
import type { PlatformOrder, Transaction } from './order.ts'
import { showMoney, signedMoneyIn } from './platform-values.ts'
import { badRequest } from './refusal.ts'
import { amountOf, isPayment, isSuccessful, refundedOf, sumOf } from './transactions.ts'
import type { View } from './view.ts'

interface OrderPayments {
  readonly payments: readonly Required<Payment>[]
  readonly rounding: Money
}

export function orderPayments(order: PlatformOrder, view: View, mapping: Mapping): OrderPayments {
  const cashMode = mapping.modes.cash ?? 0
  const rounding = roundingOf(order, view)
  const sums = new Map<number, Money>()
  const add = (mode: number, amount: Money): void => {
    sums.set(mode, (sums.get(mode) ?? 0) + amount)
  }
  const refundsByMode = new Map<number, { readonly gateway: string; readonly amount: Money }>()
  const worths = worthsOf(order, view, mapping)
  for (const [index, transaction] of order.transactions.entries()) {
    const worth = worths[index] ?? 0
    if (worth === 0) continue
    if (transaction.kind === 'CHANGE') {
      add(cashMode, worth)
      continue
    }
    const gateway = gatewayOf(transaction, order)
    const mode = modeOf(gateway, { index, transaction }, mapping)
    if (transaction.kind === 'REFUND') {
      const amount = (refundsByMode.get(mode)?.amount ?? 0) - worth
      refundsByMode.set(mode, { gateway, amount })
    }
    add(mode, worth)
  }
  for (const [mode, { gateway, amount }] of refundsByMode) {
    if ((sums.get(mode) ?? 0) < 0) throw refundedOtherwise(gateway, amount)
  }
  const change = sumOf(order, 'CHANGE')
  const refunded = view.kind === 'net' ? refundedOf(order) : 0
  return { payments: settle(sums, { view, cashMode, change, refunded, rounding, mapping }), rounding }
}

function worthsOf(order: PlatformOrder, view: View, mapping: Mapping): readonly Money[] {
  const worths = order.transactions.map((transaction) => {
    if (isPayment(transaction)) return amountOf(transaction)
    if (!isSuccessful(transaction)) return 0
    if (transaction.kind === 'CHANGE') return -amountOf(transaction)
    return transaction.kind === 'REFUND' && view.kind === 'net' ? -amountOf(transaction) : 0
  })
  let unpaid = view.total - worths.reduce((sum, worth) => sum + worth, 0)
  return order.transactions.map((transaction, index) => {
    if (!isPending(transaction, mapping)) return worths[index] ?? 0
    const worth = Math.min(uncollected(transaction, order), Math.max(0, unpaid))
    unpaid -= worth
    return worth
  })
}

const isPending = ({ kind, status, gateway }: Transaction, mapping: Mapping): boolean =>
  kind === 'SALE' && status === 'PENDING' && mapping.pendingGateways.has(gatewayKey(gateway))

/** Returns the part of a pending payment that no later transaction collected; 0 if a later one voided the payment. */
function uncollected(pending: Transaction, order: PlatformOrder): Money {
  const children = order.transactions.filter(
    (one) => pending.id !== undefined && one.parent === pending.id && isSuccessful(one),
  )
  if (children.some(({ kind }) => kind === 'VOID')) return 0
  const collected = children.filter(isPayment).reduce((sum, one) => sum + amountOf(one), 0)
  return Math.max(0, amountOf(pending) - collected)
}

/** Returns the gateway of a transaction. For a refund without one, returns the gateway of its payment. */
function gatewayOf({ gateway, kind, parent }: Transaction, order: PlatformOrder): string {
  if (gateway.trim() !== '' || kind !== 'REFUND' || parent === undefined) return gateway
  return order.transactions.find(({ id }) => id === parent)?.gateway ?? gateway
}

interface IndexedTransaction {
  readonly index: number
  readonly transaction: Transaction
}

function modeOf(gateway: string, { index, transaction }: IndexedTransaction, mapping: Mapping): number {
  const tender = mapping.gateways.get(gatewayKey(gateway)) ?? mapping.defaultGateway
  const mode = tender && mapping.modes[tender]
  if (mode !== undefined) return mode
  if (gateway.trim() !== '') throw badRequest(`payment gateway ${clip(gateway)} is not mapped to a payment mode`)
  throw badRequest(
    `payment ${index + 1} of ${showMoney(amountOf(transaction))} names no gateway; ` +
      'add "" to platform.mapping.gateways or set platform.mapping.defaultGateway',
  )
}

const clip = (gateway: string): string => gateway.trim().slice(0, 80)

const refundedOtherwise = (gateway: string, amount: Money): Error =>
  badRequest(
    `${showMoney(amount)} was refunded by ${clip(gateway)}, more than was paid that way; ` +
      'print what was sold by /print-fiscal-receipt',
  )

function roundingOf({ totalCashRoundingAdjustment: adjustment }: PlatformOrder, { kind }: View): Money {
  if (!adjustment) return 0
  const paid = signedMoneyIn(adjustment.paymentSet, 'the cash rounding')
  return kind === 'gross' ? paid : paid - signedMoneyIn(adjustment.refundSet, 'the cash rounding')
}

interface Sides {
  readonly view: View
  readonly cashMode: number
  readonly change: Money
  readonly refunded: Money
  readonly rounding: Money
  readonly mapping: Mapping
}

function settle(sums: Map<number, Money>, sides: Sides): readonly Required<Payment>[] {
  const { cashMode, rounding, mapping } = sides
  const { total, mismatch } = sides.view
  const received = [...sums.values()].reduce((sum, amount) => sum + amount, 0)
  // The payments include the rounding of cash: the receipt shows the total, but the drawer contains the rounded sum.
  const isRounded = rounding !== 0 && received - total === rounding && (sums.get(cashMode) ?? 0) >= rounding
  const paid = isRounded ? total : received
  const cash = (sums.get(cashMode) ?? 0) - (isRounded ? rounding : 0)
  if (paid < total || cash < 0) {
    if (mismatch) throw mismatch
    if (sides.refunded > 0 && paid + sides.refunded >= total) throw refundedOnly(paid, sides)
    if (mapping.unpaidPolicy === 'auto' && cash >= 0) return []
    throw badRequest(`order is not fully paid: ${showMoney(Math.max(0, paid))} of ${showMoney(total)}`)
  }
  const excess = paid - total
  if (excess > 0) checkExcess(paid, cash, sides)
  const netCash = cash - excess
  // Cash is last, because other payments must not exceed the remaining amount and only cash gives change.
  const otherSums = [...sums].filter(([mode, amount]) => mode !== cashMode && amount > 0)
  const isTendered = mapping.cashTendered === 'tendered' && netCash > 0
  const lastCash = isTendered ? netCash + sides.change + excess : netCash
  return [...otherSums, [cashMode, lastCash] as const]
    .filter(([, amount]) => amount > 0)
    .map(([mode, amount]) => ({ mode, amount }))
}

/** Throws if the excess is not change in cash, or if the order became smaller after it was paid. */
function checkExcess(paid: Money, cash: Money, { view: { total, isEdited, mismatch } }: Sides): void {
  const excess = paid - total
  if (mismatch) throw mismatch
  if (isEdited) {
    throw badRequest(
      `${showMoney(excess)} still has to be refunded to the customer: ${showMoney(paid)} paid, ` +
        `the order now comes to ${showMoney(total)}; give it back on the platform, then print`,
    )
  }
  if (excess > cash) throw badRequest(`payments ${showMoney(paid)} exceed the order total ${showMoney(total)}`)
}

const refundedOnly = (paid: Money, { refunded, view: { total } }: Sides): Error =>
  badRequest(
    `${showMoney(refunded)} was refunded without removing goods from the order: ${showMoney(total)} of goods, ` +
      `${showMoney(paid)} paid; remove goods or add a discount on the platform, or print it by /print-fiscal-receipt`,
  )
