/** What the steps of a run send, and what must stand on paper then. */
import { capabilitiesOf } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { rowAmount } from '../oracle/totals.ts'
import { type CheckedFamilies, OURS } from './families.ts'
import { lineMarkOf, markOf } from './journal.ts'
import { LEGACY, ORDER, type OrderBody } from './orders.ts'
import type { LegacyCall, Paying, SentStep } from './steps.ts'

/** Lines of format 1. */
const LINES: Readonly<Record<LegacyCall, string>> = {
  cash: 'I^10000',
  x: 'X^',
  z: 'Z^',
  copy: 'COPIEBON^',
  cancel: 'VB^',
}

/** What a request sends, and what must stand on paper if it is carried out. */
export interface Sent {
  readonly path: string
  readonly body?: object
  /** Total of the receipt; undefined where none results. */
  readonly total?: bigint
  /** What is paid by card on it, payment by payment. */
  readonly cards?: readonly bigint[]
}

/** Factory articles 1 and 2: 1.20 and 1.50, both in group A. */
const FIRST = { PluNumber: 1, price: 120n }
const SECOND = { PluNumber: 2, price: 150n }
const OPERATOR = 1

/** Thousandths that no other request sells: a row names its request. */
export const quantityOf = (request: number): bigint => 1000n + BigInt(request)
/** Hundredths of a percent that no other request takes off a subtotal. */
export const discountOf = (request: number): bigint => BigInt(request)
/** An amount that no other request pays by card. */
export const cardOf = (request: number): bigint => BigInt(request)

const amount = (value: bigint): number => Number(value) / 100
const quantity = (value: bigint): number => Number(value) / 1000

export function receiptOf(request: number, rows: number, paying: Paying): Sent {
  const total =
    rowAmount(FIRST.price, quantityOf(request)) + rowAmount(SECOND.price, 2000n) * BigInt(Math.max(0, rows - 1))
  const further = Array.from({ length: Math.max(0, rows - 1) }, () => ({
    Type: 1,
    PluSale: { PluNumber: SECOND.PluNumber, Quantity: 2 },
  }))
  const payments = {
    'nothing said': [],
    card: [{ PaymentMode: 1, Amount: amount(total) }],
    'card and cash': [
      { PaymentMode: 1, Amount: amount(total / 2n) },
      { PaymentMode: 0, Amount: amount(total) },
    ],
    'two cards and cash': [
      { PaymentMode: 1, Amount: amount(total / 4n) },
      { PaymentMode: 1, Amount: amount(total / 3n) },
      { PaymentMode: 0, Amount: amount(total) },
    ],
  }[paying]
  const cards = {
    'nothing said': [],
    card: [total],
    'card and cash': [total / 2n],
    'two cards and cash': [total / 4n, total / 3n],
  }[paying]
  const body = {
    ReceiptItems: [
      { Type: 2, Text: { Message: markOf(request) } },
      { Type: 1, PluSale: { PluNumber: FIRST.PluNumber, Quantity: quantity(quantityOf(request)) } },
      ...further,
    ],
    ...(payments.length > 0 ? { Payments: payments } : {}),
  }
  return { path: '/print-fiscal-receipt', body, total, cards }
}

/** Family B sells article 1 for it, which has its price. Only format 2 knows receipts that are cancelled. */
function legacyReceiptOf(request: number, cancelled: boolean): Sent {
  const header = ',1,______,_,__;'
  const milli = quantityOf(request)
  if (cancelled) {
    const sale = `S${header}Goods;1.20;${milli / 1000n}.${String(milli % 1000n).padStart(3, '0')};1;1;1`
    return { path: LEGACY, body: [`P${header}${markOf(request)}`, sale, `X${header}`] }
  }
  const body = [`TL^${markOf(request)}`, `S^Goods^${FIRST.price}^${milli}^^1^1`, 'P^1^0']
  return { path: LEGACY, body, total: rowAmount(FIRST.price, milli), cards: [] }
}

const operator = (password: string) => ({ OperatorCode: OPERATOR, OperatorPassword: password })

/** The operator's password from the factory. */
export const passwordOf = (family: Family, { drivers }: CheckedFamilies = OURS, profile?: string): string =>
  capabilitiesOf(
    { family, device: '', ...(profile !== undefined && { options: { profile } }) },
    drivers,
  ).defaultPassword(OPERATOR)

/** `request`: its number, which stands on everything that it prints. `password`: of the operator. */
export function sentBy(step: SentStep, request: number, password: string): Sent {
  switch (step.do) {
    case 'receipt':
      return receiptOf(request, step.rows, step.paying)
    case 'slip':
      return {
        path: '/print-non-fiscal-receipt',
        body: {
          ReceiptItems: [
            { Type: 0, Text: { Message: markOf(request) } },
            { Type: 2, SeparatingLineType: 1 },
          ],
        },
      }
    case 'openSlip':
      return { path: '/open-non-fiscal-receipt', body: operator(password) }
    case 'slipText':
      return { path: '/print-non-fiscal-text', body: { Message: lineMarkOf(request) } }
    case 'closeSlip':
      return { path: '/close-non-fiscal-receipt' }
    case 'cancelSlip':
      return { path: '/cancel-non-fiscal-receipt' }
    case 'open':
      return { path: '/open-fiscal-receipt', body: { ...operator(password), PointOfSaleNumber: 1, Invoice: false } }
    case 'text':
      return { path: '/print-fiscal-text', body: { Message: lineMarkOf(request) } }
    case 'sale':
      return {
        path: '/register-plu-sale',
        body: { PluNumber: FIRST.PluNumber, Quantity: quantity(quantityOf(request)) },
      }
    case 'discount':
      return { path: '/subtotal', body: { DiscountType: 2, DiscountValue: amount(discountOf(request)) } }
    case 'payCard':
      return { path: '/payment', body: { PaymentMode: 1, Amount: amount(cardOf(request)) } }
    case 'payRest':
      return { path: '/payment', body: { PaymentMode: 0, Amount: 5000 } }
    case 'close':
      return { path: '/close-fiscal-receipt' }
    case 'cancel':
      return { path: '/cancel-fiscal-receipt' }
    case 'order': {
      const { order, token, again = false } = step
      return { path: ORDER, body: { order, token: `token-${token}`, again } satisfies OrderBody }
    }
    case 'legacy receipt':
      return legacyReceiptOf(request, step.cancelled === true)
    case 'lines':
      return { path: LEGACY, body: step.calls.map((call) => LINES[call]) }
    case 'z':
      return { path: '/report-z' }
    case 'x':
      return { path: '/report-x' }
    case 'copy':
      return { path: '/copy-of-last-fiscal-receipt' }
    case 'status':
      return { path: '/status-of-the-fiscal-transaction' }
  }
}
