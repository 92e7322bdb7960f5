/** What the steps of a run send, and what must stand on paper then. */
import { capabilitiesOf } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { money } from '../oracle/decimal.ts'
import { adjustmentOf, rowAmount } from '../oracle/totals.ts'
import { type CheckedFamilies, OURS } from './families.ts'
import { BARCODE, lineMarkOf, markOf } from './journal.ts'
import { LEGACY, ORDER, type OrderBody } from './orders.ts'
import type { Extra, LegacyCall, SentStep } from './steps.ts'
import { STRANGER_CARD } from './stranger.ts'

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
  /** So many lines of text name it, if not one. */
  readonly marks?: number
  /** So many barcodes stand on it, if any. */
  readonly barcodes?: number
}

/** Factory articles 1 and 2: 1.20 and 1.50, both in group A. */
const FIRST = { PluNumber: 1, price: 120n }
const SECOND = { PluNumber: 2, price: 150n }
const OPERATOR = 1

/** Thousandths that no other request sells: a row names its request. */
export const quantityOf = (request: number): bigint => 1000n + BigInt(request)
/** Hundredths of a percent that no other request takes off a subtotal. */
export const discountOf = (request: number): bigint => BigInt(request)
/** An amount that no other request pays by card, nor the stranger. */
export const cardOf = (request: number): bigint => BigInt(request < STRANGER_CARD ? request : request + 1)

const amount = (value: bigint): number => Number(value) / 100
const quantity = (value: bigint): number => Number(value) / 1000

/** The same off the subtotal of a whole receipt: enough to change each of its sums. */
const receiptDiscountOf = (request: number): bigint => 1000n + BigInt(request)

type Whole<D extends SentStep['do']> = Extract<SentStep, { do: D }>

/** Two of the second article, or of tea, which is no article and has its price and its group. */
const PAIR = rowAmount(SECOND.price, 2000n)
const TWO = { PluNumber: SECOND.PluNumber, Quantity: 2 }
const TEA = { ProductName: 'Tea', TaxCode: 1, Price: 1.5, Department: 1, Unit: 'pcs', Quantity: 2 }

function receiptOf(
  request: number,
  { rows, paying, with: extras = [] }: Omit<Whole<'receipt'>, 'do' | 'key'>,
  password: string,
): Sent {
  const has = (extra: Extra): boolean => extras.includes(extra)
  const percent = receiptDiscountOf(request)
  const pairs = BigInt(Math.max(0, rows - 1)) + (has('free sale') ? 1n : 0n)
  const dearer = has('row with surcharge') ? PAIR + adjustmentOf(PAIR, { percent }) : 0n
  const sold = rowAmount(FIRST.price, quantityOf(request)) + PAIR * pairs + dearer
  const total = has('discount') ? sold + adjustmentOf(sold, { percent: -percent }) : sold
  const further = Array.from({ length: Math.max(0, rows - 1) }, () => ({ Type: 1, PluSale: TWO }))
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
  const mark = { Type: 2, Text: { Message: markOf(request) } }
  const subtotal = {
    ...(has('subtotal') && { Print: true }),
    ...(has('discount') && { DiscountType: 2, DiscountValue: amount(percent) }),
  }
  const opening = { ...operator(password), PointOfSaleNumber: 1, Invoice: true }
  const body = {
    ...(has('invoice') && { OpenFiscalReceipt: opening }),
    ReceiptItems: [
      mark,
      { Type: 1, PluSale: { PluNumber: FIRST.PluNumber, Quantity: quantity(quantityOf(request)) } },
      ...further,
      ...(has('free sale') ? [{ Type: 0, FreeSale: TEA }] : []),
      ...(has('barcode') ? [{ Type: 3, BarCode: { Type: 1, Data: BARCODE } }] : []),
      ...(has('row taken back')
        ? [{ PluSale: TWO }, { PluSale: { ...TWO, Void: true } }].map((row) => ({ Type: 1, ...row }))
        : []),
      ...(has('row with surcharge')
        ? [{ Type: 1, PluSale: { ...TWO, DiscountType: 1, DiscountValue: amount(percent) } }]
        : []),
      ...(has('separating line') ? [{ Type: 4, SeparatingLineType: 1 }] : []),
      ...(has('same text again') ? [mark] : []),
    ],
    ...(Object.keys(subtotal).length > 0 ? { Subtotal: subtotal } : {}),
    ...(payments.length > 0 ? { Payments: payments } : {}),
  }
  return {
    path: '/print-fiscal-receipt',
    body,
    total,
    cards,
    ...(has('same text again') && { marks: 2 }),
    ...(has('barcode') && { barcodes: 1 }),
  }
}

function slipOf(request: number, { with: extras = [] }: Pick<Whole<'slip'>, 'with'>): Sent {
  const barcodes = extras.includes('barcode') ? [{ Type: 1, BarCode: { Type: 1, Data: BARCODE } }] : []
  const mark = { Type: 0, Text: { Message: markOf(request) } }
  const line = { Type: 2, SeparatingLineType: 1 }
  const again = extras.includes('same text again')
  // The device rules off a receipt itself.
  const end = { Type: 0, Text: { Message: 'Goodbye' } }
  const items = [
    mark,
    ...(extras.includes('separating line') ? [line, mark, line] : [line]),
    ...barcodes,
    ...(again ? [mark] : []),
    end,
  ]
  const marks = items.filter((item) => item === mark).length
  return {
    path: '/print-non-fiscal-receipt',
    body: { ReceiptItems: items },
    ...(marks > 1 && { marks }),
    barcodes: barcodes.length,
  }
}

/** Paid by card, of a receipt that is paid in two ways: more than any `cardOf`. */
const PART = 99n

/** Family B sells article 1 for it, which has its price. Only format 2 knows receipts that are cancelled, and texts between payments. */
function legacyReceiptOf(request: number, { cancelled, inTwo }: Omit<Whole<'legacy receipt'>, 'do' | 'key'>): Sent {
  const header = ',1,______,_,__;'
  const milli = quantityOf(request)
  const total = rowAmount(FIRST.price, milli)
  if (!cancelled && !inTwo) {
    const body = [`TL^${markOf(request)}`, `S^Goods^${FIRST.price}^${milli}^^1^1`, 'P^1^0']
    return { path: LEGACY, body, total, cards: [] }
  }
  const text = `P${header}${markOf(request)}`
  const sale = `S${header}Goods;1.20;${milli / 1000n}.${String(milli % 1000n).padStart(3, '0')};1;1;1`
  if (cancelled) return { path: LEGACY, body: [text, sale, `X${header}`] }
  const body = [text, sale, `T${header}1;${money(PART)}`, text, `T${header}`]
  return { path: LEGACY, body, total, cards: [PART], marks: 2 }
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
      return receiptOf(request, step, password)
    case 'slip':
      return slipOf(request, step)
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
      return legacyReceiptOf(request, step)
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
