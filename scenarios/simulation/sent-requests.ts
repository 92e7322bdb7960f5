/** The requests that the steps of a run send, with the output that their execution must print. */
import { capabilitiesOf } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import { money } from '../oracle/decimal.ts'
import { type Adjustment, adjustmentOf, rowAmount } from '../oracle/totals.ts'
import { type CheckedFamilies, OWN_FAMILIES } from './checked-families.ts'
import { BARCODE, lineMarkOf, markOf } from './journal.ts'
import { LEGACY, ORDER, type OrderBody } from './orders.ts'
import { CASH, OTHER_PROGRAM_CARD } from './other-program.ts'
import {
  AMOUNTS,
  type Extra,
  type LegacyCall,
  type PaymentKind,
  type SentStep,
  type SingleStep,
  type Wording,
} from './steps.ts'

const LINES: Readonly<Record<LegacyCall, string>> = {
  cash: `I^${CASH}`,
  x: 'X^',
  z: 'Z^',
  copy: 'COPIEBON^',
  cancel: 'VB^',
}

export interface SentRequest {
  readonly path: string
  readonly body?: object
  readonly total?: bigint
  readonly cards?: readonly bigint[]
  readonly marks?: number
  readonly barcodes?: number
}

/** Factory articles 1 and 2, in tax group A. */
const FIRST = { PluNumber: 1, price: 120n }
const SECOND = { PluNumber: 2, price: 150n }
const OPERATOR = 1

/** Returns a quantity in thousandths that no other request sells, so that a row identifies its request. */
export const quantityOf = (request: number): bigint => 1000n + BigInt(request)
/** Returns a percentage in hundredths that no other request uses on a subtotal. */
export const discountOf = (request: number, by: SingleStep['by']): bigint =>
  BigInt(by !== undefined && 'percent' in by ? Math.abs(by.percent) : 0) * 100n + BigInt(request)
const WHOLE_AMOUNTS = [...new Set(AMOUNTS.map(Math.abs))].sort((one, other) => one - other).map(BigInt)
/** Returns an amount of an adjustment that no other request uses. */
export const adjustedOf = (request: number): bigint =>
  WHOLE_AMOUNTS.reduce((amount, taken) => (amount >= taken ? amount + 1n : amount), BigInt(request))
/** Returns an amount that no other request, and not the other program, pays by card. */
export const cardOf = (request: number): bigint => BigInt(request < OTHER_PROGRAM_CARD ? request : request + 1)

const amount = (value: bigint): number => Number(value) / 100
const quantity = (value: bigint): number => Number(value) / 1000

/**
 * Texts with characters that a code page may not contain, and with number signs, which some devices print at both ends
 * of a line.
 */
const WORDING_TEXTS: Readonly<Record<Wording, (mark: string) => string>> = {
  Romanian: (mark) => `${mark} Mulțumim, șef`,
  Czech: (mark) => `${mark} Dvořák čeká`,
  'decomposed letters': (mark) => `${mark} Cafe\u0301`,
  'an emoji': (mark) => `${mark} Thanks \u{1f642}`,
  'number signs': (mark) => `#${mark}#`,
}
const worded = (mark: string, wording: Wording | undefined): string =>
  wording === undefined ? mark : WORDING_TEXTS[wording](mark)

/** Returns a percentage in hundredths for the subtotal of a whole receipt: large enough to change each sum. */
const receiptDiscountOf = (request: number): bigint => 1000n + BigInt(request)

type StepThat<D extends SentStep['do']> = Extract<SentStep, { do: D }>

/** Two units of the second article, and a free sale of two units at the same price and in the same group. */
const PAIR = rowAmount(SECOND.price, 2000n)
const TWO = { PluNumber: SECOND.PluNumber, Quantity: 2 }
const TEA = { ProductName: 'Tea', TaxCode: 1, Price: 1.5, Department: 1, Unit: 'pcs', Quantity: 2 }

function adjustmentOn({ by, with: extras = [], free }: StepThat<'receipt'>, percent: bigint): Adjustment | undefined {
  if (free === 'all taken back') return undefined
  if (free === 'all taken off') return { percent: -10_000n }
  if (by === undefined) return extras.includes('discount') ? { percent: -percent } : undefined
  return 'percent' in by ? { percent: BigInt(by.percent) * 100n } : { amount: BigInt(by.amount) }
}

/** The default is a negligible discount. */
function adjustmentBy({ by }: Pick<SingleStep, 'by'>, request: number): Adjustment {
  if (by !== undefined && 'amount' in by)
    return { amount: by.amount === 'surcharge' ? adjustedOf(request) : -adjustedOf(request) }
  const percent = discountOf(request, by)
  return { percent: by !== undefined && by.percent > 0 ? percent : -percent }
}

function fieldsOf(adjustment: Adjustment): { DiscountType: number; DiscountValue: number } {
  const isPercent = 'percent' in adjustment
  const value = isPercent ? adjustment.percent : adjustment.amount
  const [surcharge, discount] = isPercent ? BY_PERCENT : BY_AMOUNT
  return { DiscountType: value > 0n ? surcharge : discount, DiscountValue: amount(value > 0n ? value : -value) }
}
const BY_PERCENT = [1, 2] as const
const BY_AMOUNT = [3, 4] as const

/** A row that exceeds each amount of `cardOf`, so that an amount remains to be paid. */
const LARGE_QUANTITY = { PluNumber: SECOND.PluNumber, Quantity: 200 }
const MANY_COME_TO = rowAmount(SECOND.price, 200_000n)

/** Text after a separating line. The device itself prints a separating line at the end of a receipt. */
const END = { Message: 'Goodbye' }

const SOLD_AND_VOIDED = [{ PluSale: TWO }, { PluSale: { ...TWO, Void: true } }].map((row) => ({ Type: 1, ...row }))

function cardsOf(paying: PaymentKind, total: bigint): readonly bigint[] {
  switch (paying) {
    case 'nothing said':
      return []
    case 'card':
      return [total]
    case 'card and cash':
      return [total / 2n]
    case 'two cards and cash':
      return [total / 4n, total / 3n]
  }
}

function receiptOf(request: number, receipt: StepThat<'receipt'>, password: string): SentRequest {
  const { rows, paying, with: extras = [], wording, style = 1, free } = receipt
  const has = (extra: Extra): boolean => extras.includes(extra)
  const percent = receiptDiscountOf(request)
  const adjustment = adjustmentOn(receipt, percent)
  const pairs = BigInt(Math.max(0, rows - 1)) + (has('free sale') ? 1n : 0n)
  const dearer = has('row with surcharge') ? PAIR + adjustmentOf(PAIR, { percent }) : 0n
  const adjusted = (sold: bigint): bigint => (adjustment === undefined ? sold : sold + adjustmentOf(sold, adjustment))
  const usual = rowAmount(FIRST.price, quantityOf(request)) + PAIR * pairs + dearer
  const isCheap = adjusted(usual) < FIRST.price && free === undefined && paying !== 'nothing said'
  const extraRows = isCheap ? [{ Type: 1, PluSale: LARGE_QUANTITY }] : []
  const total = adjusted(free === 'all taken back' ? 0n : usual + MANY_COME_TO * BigInt(extraRows.length))
  const cards = free === undefined ? cardsOf(paying, total) : []
  const payments = [
    ...cards.map((card) => ({ PaymentMode: 1, Amount: amount(card) })),
    ...(cards.length > 0 && paying !== 'card' ? [{ PaymentMode: 0, Amount: amount(total) }] : []),
  ]
  const mark = { Type: 2, Text: { Message: worded(markOf(request), wording) } }
  const subtotal = { ...(has('subtotal') && { Print: true }), ...(adjustment !== undefined && fieldsOf(adjustment)) }
  const opening = { ...operator(password), PointOfSaleNumber: 1, Invoice: true }
  const sales = [
    { Type: 1, PluSale: { PluNumber: FIRST.PluNumber, Quantity: quantity(quantityOf(request)) } },
    ...extraRows,
    ...Array.from({ length: Math.max(0, rows - 1) }, () => ({ Type: 1, PluSale: TWO })),
    ...(has('free sale') ? [{ Type: 0, FreeSale: TEA }] : []),
  ]
  const body = {
    ...(has('invoice') && { OpenFiscalReceipt: opening }),
    ReceiptItems: [
      mark,
      ...(free === 'all taken back' ? SOLD_AND_VOIDED : sales),
      ...(has('barcode') ? [{ Type: 3, BarCode: { Type: 1, Data: BARCODE } }] : []),
      ...(has('row taken back') ? SOLD_AND_VOIDED : []),
      ...(has('row with surcharge') && free !== 'all taken back'
        ? [{ Type: 1, PluSale: { ...TWO, DiscountType: 1, DiscountValue: amount(percent) } }]
        : []),
      ...(has('separating line')
        ? [
            { Type: 4, SeparatingLineType: style },
            { Type: 2, Text: END },
          ]
        : []),
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

function slipOf(request: number, { with: extras = [], wording, style = 1 }: StepThat<'slip'>): SentRequest {
  const barcodes = extras.includes('barcode') ? [{ Type: 1, BarCode: { Type: 1, Data: BARCODE } }] : []
  const mark = { Type: 0, Text: { Message: worded(markOf(request), wording) } }
  const line = { Type: 2, SeparatingLineType: style }
  const repeatsText = extras.includes('same text again')
  const items = [
    mark,
    ...(extras.includes('separating line') ? [line, mark, line] : [line]),
    ...barcodes,
    ...(repeatsText ? [mark] : []),
    { Type: 0, Text: END },
  ]
  const marks = items.filter((item) => item === mark).length
  return {
    path: '/print-non-fiscal-receipt',
    body: { ReceiptItems: items },
    ...(marks > 1 && { marks }),
    barcodes: barcodes.length,
  }
}

/** Amount of the card payment of a receipt that is paid in two ways: more than any `cardOf`. */
const PART_AMOUNT = 99n

/**
 * Family B sells article 1 in place of the free sale, at the same price. Only format 2 can cancel a receipt and print a
 * text between payments.
 */
function legacyReceiptOf(
  request: number,
  { cancelled, inTwo }: Omit<StepThat<'legacy receipt'>, 'do' | 'key'>,
): SentRequest {
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
  const body = [text, sale, `T${header}1;${money(PART_AMOUNT)}`, text, `T${header}`]
  return { path: LEGACY, body, total, cards: [PART_AMOUNT], marks: 2 }
}

function cancelledSlipOf(request: number): SentRequest {
  const header = ',1,______,_,__;'
  return { path: LEGACY, body: [`Y${header}`, `P${header}${markOf(request)}`, `X${header}`] }
}

const operator = (password: string) => ({ OperatorCode: OPERATOR, OperatorPassword: password })

export const passwordOf = (family: Family, { drivers }: CheckedFamilies = OWN_FAMILIES, profile?: string): string =>
  capabilitiesOf(
    { family, device: '', ...(profile !== undefined && { options: { profile } }) },
    drivers,
  ).defaultPassword(OPERATOR)

/** `request` is a number that identifies the output of the request on paper. */
export function sentRequest(step: SentStep, request: number, password: string): SentRequest {
  switch (step.do) {
    case 'receipt':
      return receiptOf(request, step, password)
    case 'slip':
      return slipOf(request, step)
    case 'openSlip':
      return { path: '/open-non-fiscal-receipt', body: operator(password) }
    case 'slipText':
      return { path: '/print-non-fiscal-text', body: { Message: worded(lineMarkOf(request), step.wording) } }
    case 'closeSlip':
      return { path: '/close-non-fiscal-receipt' }
    case 'cancelSlip':
      return { path: '/cancel-non-fiscal-receipt' }
    case 'open':
      return { path: '/open-fiscal-receipt', body: { ...operator(password), PointOfSaleNumber: 1, Invoice: false } }
    case 'text':
      return { path: '/print-fiscal-text', body: { Message: worded(lineMarkOf(request), step.wording) } }
    case 'sale':
      return {
        path: '/register-plu-sale',
        body: { PluNumber: FIRST.PluNumber, Quantity: quantity(quantityOf(request)) },
      }
    case 'discount':
      return { path: '/subtotal', body: fieldsOf(adjustmentBy(step, request)) }
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
    case 'cancelled slip':
      return cancelledSlipOf(request)
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
