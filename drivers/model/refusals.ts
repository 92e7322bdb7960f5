/**
 * What a device's refusal means where it happens, and what to do (decisions 3). The words stand here once for all
 * families; a family's table says which of its refusals means which of them.
 */
import { formatMoney, type Money } from './money.ts'
import type { ReceiptPhase } from './receipt.ts'

/** An operation that a device may refuse, by what it is for. */
export type Operation =
  | 'openFiscal'
  | 'openNonFiscal'
  | 'sell'
  | 'sellArticle'
  | 'subtotal'
  | 'pay'
  | 'fiscalText'
  | 'nonFiscalText'
  | 'element'
  | 'closeFiscal'
  | 'cancelFiscal'
  | 'endNonFiscal'
  | 'copy'
  | 'report'
  | 'cash'
  | 'display'

/** What is known when a refusal comes; null: it is not. */
export interface Situation {
  readonly operation: Operation
  readonly phase: ReceiptPhase | null
  /** Of the open receipt. */
  readonly number: number | null
  readonly items: number | null
  readonly rest: Money | null
  /** Of the request. */
  readonly plu?: number | undefined
  readonly taxCode?: number | undefined
  readonly operator?: number | undefined
  readonly amount?: Money | undefined
  readonly adjusted?: boolean | undefined
}

/** What is the matter, and what to do about it: two clauses without a full stop. */
export interface Explanation {
  readonly what: string
  readonly todo: string
}

type Words = (situation: Situation) => Explanation

const words =
  (what: string, todo: string): Words =>
  () => ({ what, todo })
const numbered = (text: string, { number }: Situation): string => (number === null ? text : `${text}, No ${number}`)
const payRest = ({ rest }: Situation): string =>
  rest === null || rest === 0
    ? 'pay what is left, then call close-fiscal-receipt'
    : `pay what is left, ${formatMoney(rest)}, then call close-fiscal-receipt`
const article = ({ plu }: Situation): string => (plu === undefined ? 'This article' : `Article ${plu}`)
const operator = ({ operator: code }: Situation): string =>
  code === undefined ? 'operator of this number' : `operator ${code}`

const CAUSES = {
  noReceipt: words('No receipt is open', 'call open-fiscal-receipt first'),
  noNonFiscalReceipt: words('No non-fiscal receipt is open', 'call open-non-fiscal-receipt first'),
  nothingOpen: words('No receipt is open', 'call open-fiscal-receipt or open-non-fiscal-receipt first'),
  nonFiscalIsOpen: (now) => ({
    what: numbered('A non-fiscal receipt is open', now),
    todo: 'end it with close-non-fiscal-receipt or cancel-non-fiscal-receipt first',
  }),
  fiscalIsOpen: (now) => ({
    what: numbered('A fiscal receipt is open', now),
    todo: 'pay and close it, or end it with cancel-fiscal-receipt, first',
  }),
  fiscalIsPartlyPaid: (now) => ({
    what: `${numbered('A fiscal receipt is open', now)}, and partly paid`,
    todo: payRest(now),
  }),
  fiscalIsPaid: (now) => ({
    what: `${numbered('A fiscal receipt is open', now)}, and paid`,
    todo: 'call close-fiscal-receipt first',
  }),
  nothingPaid: (now) => ({ what: 'Nothing is paid yet', todo: payRest(now) }),
  leftToPay: (now) => ({
    what: now.rest ? `${formatMoney(now.rest)} is left to pay` : 'The receipt is not fully paid',
    todo: 'call payment, then close-fiscal-receipt',
  }),
  nothingSold: words(
    'Nothing is sold on this receipt yet',
    'register a sale first, or end the receipt with cancel-fiscal-receipt',
  ),
  sellingIsOver: (now) => ({ what: 'A payment was taken, so nothing more can be sold', todo: payRest(now) }),
  adjustingIsOver: (now) => ({ what: 'A payment was taken, so the subtotal can no longer change', todo: payRest(now) }),
  cannotCancel: (now) => ({ what: 'A part of the receipt is paid, so it cannot be cancelled', todo: payRest(now) }),
  isPaid: words('The receipt is paid in full', 'call close-fiscal-receipt'),
  isPaidNotSold: words('The receipt is paid, so nothing more can be sold', 'call close-fiscal-receipt'),
  isPaidNotCancelled: words('The receipt is paid, so it cannot be cancelled', 'call close-fiscal-receipt'),
  articleUnknown: (now) => ({
    what: `${article(now)} is not programmed`,
    todo: 'use the number of an article that is',
  }),
  stockTooSmall: (now) => ({ what: `${article(now)} is not in stock in this quantity`, todo: 'sell less of it' }),
  notSold: words(
    'What is to be taken back was not sold on this receipt',
    'a void names the article, price and quantity of an earlier sale',
  ),
  voidAfterSubtotal: words(
    'After a discount or surcharge on the subtotal nothing can be taken back',
    'end the receipt with cancel-fiscal-receipt and begin anew',
  ),
  subtotalAdjusted: words(
    'The subtotal of this receipt has its discount or surcharge already',
    'give one only, or end the receipt with cancel-fiscal-receipt and begin anew',
  ),
  zeroRow: words(
    'The sale comes to 0.00, which is not taken',
    'give a price and a quantity that come to at least 0.01',
  ),
  taxGroupOff: ({ taxCode }) => ({
    what: taxCode === undefined ? 'The tax group is switched off' : `Tax code ${taxCode} is switched off`,
    todo: 'use a TaxCode that has a rate',
  }),
  tooLarge: words('The amount is too large to be counted', 'use a smaller price or quantity'),
  discountTooLarge: words('The discount is larger than what it is taken from', 'use a smaller DiscountValue'),
  tooManySales: words('The receipt takes no more sales', 'pay and close it, and go on with another one'),
  tooManyPayments: words('The receipt takes no more payments', 'pay all that is left in one payment'),
  payTooMuch: ({ amount, rest }) => ({
    what:
      amount !== undefined && rest
        ? `${formatMoney(amount)} is more than what is left to pay, ${formatMoney(rest)}`
        : 'The payment is more than what is left to pay',
    todo: 'pay at most that; only cash (PaymentMode 0) gives change',
  }),
  nothingToCopy: words('There is no receipt that could be copied', 'close a fiscal receipt first'),
  copyRefused: words(
    'There is no receipt that could be copied now',
    'a receipt can be copied once, after its close, and while duplicates are switched on in the device',
  ),
  wrongPassword: (now) => ({
    what: now.operator === undefined ? 'The password is wrong' : `The password of ${operator(now)} is wrong`,
    todo: 'correct OperatorPassword',
  }),
  operatorUnknown: (now) => ({
    what: `There is no ${operator(now)}`,
    todo: 'use an OperatorCode that the device has',
  }),
  notFiscalised: words(
    'The device is not fiscalised, so it prints no fiscal receipt',
    'have it fiscalised by its service, or use an emulated device for tests',
  ),
  dayExpired: words('24 hours have passed since the first receipt of the day', 'call report-z first'),
  memoryFull: words(
    'The fiscal memory is full or has failed, so that nothing more can be sold',
    'call the service of the device; what it holds can still be read',
  ),
  journalFull: words('The journal is full', 'call the service of the device'),
  clockNotSet: words('The clock is not set', 'set it at the device first'),
  noDisplay: words('No customer display is connected', 'connect it, or leave this request out'),
  invoicesUsedUp: words('No invoice number is left', 'program a new range of them in the device'),
  notEnoughCash: words('The drawer holds less cash than that', 'put cash in first, or take out less'),
} as const satisfies Readonly<Record<string, Words>>

/** For the log, of a device that prints fiscal receipts as training slips. */
export const TRAINING_NOTE =
  'the device is not fiscalised: what it prints are training slips and no fiscal receipts; have it fiscalised by its service before it is used'

export type Cause = keyof typeof CAUSES

/** A refusal by its key; of several rows of one key the first that fits counts. */
export interface RefusalRow {
  readonly key: string
  readonly operations?: readonly Operation[]
  readonly adjusted?: true
  /** `state`: what the phase of the receipt says. */
  readonly means: Cause | 'state'
  /** The phase that the refusal itself tells. */
  readonly phase?: ReceiptPhase
}

export type RefusalTable = readonly RefusalRow[]

const ANY_SALE: readonly Operation[] = ['sell', 'sellArticle']

/** The cause that lies in the phase of the receipt; undefined: in this phase the operation is possible. */
function causeOfState(operation: Operation, phase: ReceiptPhase, items: number | null): Cause | undefined {
  if (operation === 'display') return undefined
  switch (phase) {
    case 'idle':
      if (operation === 'nonFiscalText' || operation === 'endNonFiscal') return 'noNonFiscalReceipt'
      if (operation === 'element') return 'nothingOpen'
      if (operation === 'copy') return 'nothingToCopy'
      return ['openFiscal', 'openNonFiscal', 'report', 'cash'].includes(operation) ? undefined : 'noReceipt'
    case 'nonFiscal':
      return ['nonFiscalText', 'endNonFiscal', 'element'].includes(operation) ? undefined : 'nonFiscalIsOpen'
    case 'selling':
      if (isElsewhere(operation)) return 'fiscalIsOpen'
      if (items === 0 && ['closeFiscal', 'pay', 'subtotal'].includes(operation)) return 'nothingSold'
      return operation === 'closeFiscal' ? 'nothingPaid' : undefined
    case 'paying':
      if (isElsewhere(operation)) return 'fiscalIsPartlyPaid'
      if (ANY_SALE.includes(operation)) return 'sellingIsOver'
      if (operation === 'subtotal') return 'adjustingIsOver'
      if (operation === 'cancelFiscal') return 'cannotCancel'
      return operation === 'closeFiscal' ? 'leftToPay' : undefined
    case 'paid':
      if (isElsewhere(operation)) return 'fiscalIsPaid'
      if (ANY_SALE.includes(operation)) return 'isPaidNotSold'
      if (operation === 'cancelFiscal') return 'isPaidNotCancelled'
      return operation === 'pay' || operation === 'subtotal' ? 'isPaid' : undefined
  }
}

/** Belongs to no fiscal receipt. */
const isElsewhere = (operation: Operation): boolean =>
  ['openFiscal', 'openNonFiscal', 'nonFiscalText', 'endNonFiscal', 'copy', 'report', 'cash'].includes(operation)

/** Undefined: the refusal speaks for itself. */
export function explain(table: RefusalTable, key: string, situation: Situation): Explanation | undefined {
  const { operation, adjusted = false } = situation
  const row = table.find(
    (one) =>
      one.key === key && (one.operations?.includes(operation) ?? true) && (one.adjusted === undefined || adjusted),
  )
  if (!row) return undefined
  const phase = situation.phase ?? row.phase ?? null
  const cause = row.means !== 'state' ? row.means : phase && causeOfState(operation, phase, situation.items)
  return cause ? (CAUSES[cause] as Words)({ ...situation, phase }) : undefined
}
