/**
 * Explains the refusals of a device in their situation, and what to do (decisions 3). The texts are common to all
 * families; a table of each family maps its refusals to them.
 */
import { capitalize } from './capitalize.ts'
import { formatMoney, type Money } from './money.ts'
import type { ReceiptPhase } from './receipt.ts'

export type DeviceOperation =
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

export interface RefusalContext {
  readonly operation: DeviceOperation
  readonly phase: ReceiptPhase | null
  readonly number: number | null
  readonly items: number | null
  readonly remaining: Money | null
  readonly plu?: number | undefined
  readonly taxCode?: number | undefined
  readonly operator?: number | undefined
  readonly amount?: Money | undefined
  readonly adjusted?: boolean | undefined
}

/** The fact, and what to do about it: two clauses without a full stop. */
export interface Explanation {
  readonly what: string
  readonly todo: string
}

type Words = (situation: RefusalContext) => Explanation

const words =
  (what: string, todo: string): Words =>
  () => ({ what, todo })
const receipt = (kind: 'Fiscal' | 'Non-fiscal', { number }: RefusalContext): string =>
  number === null ? `A ${kind.toLowerCase()} receipt` : `${kind} receipt ${number}`
const payRemaining = ({ remaining }: RefusalContext): string =>
  remaining === null || remaining === 0
    ? 'pay the remaining amount, then call close-fiscal-receipt'
    : `pay the remaining ${formatMoney(remaining)}, then call close-fiscal-receipt`
const article = ({ plu }: RefusalContext): string => (plu === undefined ? 'This PLU' : `PLU ${plu}`)
const operator = ({ operator: code }: RefusalContext): string =>
  code === undefined ? 'this operator' : `operator ${code}`

const CAUSES = {
  noReceipt: ({ operation }) => ({
    what: 'No receipt is open',
    todo: operation === 'cancelFiscal' ? 'there is nothing to cancel' : 'call open-fiscal-receipt first',
  }),
  noNonFiscalReceipt: words('No non-fiscal receipt is open', 'call open-non-fiscal-receipt first'),
  nothingOpen: words('No receipt is open', 'call open-fiscal-receipt or open-non-fiscal-receipt first'),
  nonFiscalIsOpen: (now) => ({
    what: `${receipt('Non-fiscal', now)} is open`,
    todo: 'close it with close-non-fiscal-receipt or cancel it with cancel-non-fiscal-receipt first',
  }),
  fiscalIsOpen: (now) => ({
    what: `${receipt('Fiscal', now)} is open`,
    todo: 'pay and close it, or cancel it with cancel-fiscal-receipt',
  }),
  fiscalIsPartlyPaid: (now) => ({
    what: `${receipt('Fiscal', now)} is open and partly paid`,
    todo: payRemaining(now),
  }),
  fiscalIsPaid: (now) => ({
    what: `${receipt('Fiscal', now)} is paid but not closed`,
    todo: 'call close-fiscal-receipt first',
  }),
  nothingPaid: (now) => ({ what: 'The receipt is not paid', todo: payRemaining(now) }),
  leftToPay: (now) => ({
    what: now.remaining ? `${formatMoney(now.remaining)} remains to be paid` : 'The receipt is not fully paid',
    todo: 'call payment, then close-fiscal-receipt',
  }),
  nothingSold: words(
    'The receipt has no items',
    'register a sale first, or cancel the receipt with cancel-fiscal-receipt',
  ),
  sellingIsOver: (now) => ({ what: 'No items can be added after a payment', todo: payRemaining(now) }),
  adjustingIsOver: (now) => ({ what: 'The subtotal cannot be changed after a payment', todo: payRemaining(now) }),
  cannotCancel: (now) => ({ what: 'A partly paid receipt cannot be cancelled', todo: payRemaining(now) }),
  isPaid: words('The receipt is already fully paid', 'call close-fiscal-receipt'),
  isPaidNotSold: words('No items can be added: the receipt is fully paid', 'call close-fiscal-receipt'),
  isPaidNotCancelled: words('A paid receipt cannot be cancelled', 'call close-fiscal-receipt'),
  articleUnknown: (now) => ({
    what: `${article(now)} is not programmed`,
    todo: 'use a PluNumber that is programmed in the device',
  }),
  stockTooSmall: (now) => ({ what: `The stock of ${article(now)} is too low`, todo: 'reduce Quantity' }),
  notSold: words(
    'The item to void was not sold on this receipt',
    'Void must match the PLU, price and quantity of an earlier sale',
  ),
  voidAfterSubtotal: words(
    'Items cannot be voided after a discount or surcharge on the subtotal',
    'cancel the receipt with cancel-fiscal-receipt and start again',
  ),
  subtotalAdjusted: words(
    'The subtotal already has a discount or surcharge',
    'send only one, or cancel the receipt and start again',
  ),
  zeroRow: words('The amount of the sale is 0.00', 'price times quantity must be at least 0.01'),
  taxGroupOff: ({ taxCode }) => ({
    what:
      taxCode === undefined
        ? 'The tax group is disabled on this device'
        : `Tax code ${taxCode} is disabled on this device`,
    todo: 'use a TaxCode that has a rate',
  }),
  tooLarge: words("The amount exceeds the device's limit", 'reduce Price or Quantity'),
  discountTooLarge: words('The discount exceeds the amount it applies to', 'reduce DiscountValue'),
  tooManySales: words(
    'The receipt has the maximum number of items',
    'pay and close it, and continue on another receipt',
  ),
  tooManyPayments: words('The receipt has the maximum number of payments', 'pay the remaining amount in one payment'),
  payTooMuch: ({ amount, remaining }) => ({
    what:
      amount !== undefined && remaining
        ? `The payment of ${formatMoney(amount)} exceeds the remaining ${formatMoney(remaining)}`
        : 'The payment exceeds the remaining amount',
    todo: `pay at most ${remaining ? formatMoney(remaining) : 'that'}; only cash (PaymentMode 0) gives change`,
  }),
  nothingToCopy: words('There is no receipt to copy', 'close a fiscal receipt first'),
  copyRefused: words(
    'The last receipt cannot be copied now',
    'a receipt can be copied once, after it is closed, and only if duplicates are enabled on the device',
  ),
  wrongPassword: (now) => ({
    what: now.operator === undefined ? 'The password is wrong' : `The password of ${operator(now)} is wrong`,
    todo: 'correct OperatorPassword',
  }),
  operatorUnknown: (now) => ({
    what: `${capitalize(operator(now))} does not exist`,
    todo: 'use an OperatorCode that the device has',
  }),
  notFiscalised: words(
    'The device is not fiscalised, so it prints no fiscal receipts',
    "have the device's service fiscalise it, or use an emulated device for tests",
  ),
  dayExpired: words('More than 24 hours have passed since the first receipt of the day', 'call report-z first'),
  memoryFull: words(
    'The fiscal memory is full or has failed; the device can no longer sell',
    "contact the device's service; stored data can still be read",
  ),
  journalFull: words('The electronic journal is full', "contact the device's service"),
  clockNotSet: words('The clock is not set', 'set it at the device first'),
  noDisplay: words('No customer display is connected', 'connect one, or omit this request'),
  invoicesUsedUp: words('The invoice number range is exhausted', 'program a new range in the device'),
  notEnoughCash: words('There is not enough cash in the drawer', 'register cash in first, or withdraw less'),
} as const satisfies Readonly<Record<string, Words>>

export const TRAINING_NOTE =
  "the device is not fiscalised: it prints training slips and no fiscal receipts; have the device's service fiscalise it before use"

type Cause = keyof typeof CAUSES

/** The meaning of a refusal. The first matching row applies. */
interface RefusalRow {
  readonly key: string
  readonly operations?: readonly DeviceOperation[]
  readonly adjusted?: true
  /** `state`: the cause follows from the phase of the receipt. */
  readonly means: Cause | 'state'
  readonly phase?: ReceiptPhase
}

export type RefusalTable = readonly RefusalRow[]

const ANY_SALE: readonly DeviceOperation[] = ['sell', 'sellArticle']

/** Returns the cause that follows from the phase of the receipt; `undefined` if the operation is allowed in it. */
function causeOfState(operation: DeviceOperation, phase: ReceiptPhase, items: number | null): Cause | undefined {
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

const isElsewhere = (operation: DeviceOperation): boolean =>
  ['openFiscal', 'openNonFiscal', 'nonFiscalText', 'endNonFiscal', 'copy', 'report', 'cash'].includes(operation)

/** Returns the explanation of a refusal; `undefined` if the device's text must suffice. */
export function explain(table: RefusalTable, key: string, situation: RefusalContext): Explanation | undefined {
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
