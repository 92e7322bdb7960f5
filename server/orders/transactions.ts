import type { Money } from '../../drivers/model/money.ts'
import type { PlatformOrder, Transaction } from './order.ts'
import { moneyOf } from './platform-values.ts'

export const amountOf = ({ amount, kind }: Transaction): Money => moneyOf(amount, `a transaction (${kind})`)

/** A relay may not report the status. In that case, the kind alone decides. */
export const isSuccessful = ({ status }: Transaction): boolean => status === undefined || status === 'SUCCESS'

export const isPayment = (transaction: Transaction): boolean =>
  (transaction.kind === 'SALE' || transaction.kind === 'CAPTURE') && isSuccessful(transaction)

export const sumOf = (order: PlatformOrder, kind: string): Money =>
  order.transactions
    .filter((transaction) => transaction.kind === kind && isSuccessful(transaction))
    .reduce((sum, transaction) => sum + amountOf(transaction), 0)

export const refundedOf = (order: PlatformOrder): Money => sumOf(order, 'REFUND')

export const paidOf = (order: PlatformOrder): Money =>
  sumOf(order, 'SALE') + sumOf(order, 'CAPTURE') - sumOf(order, 'CHANGE')
