/** What a run consists of, as plain data, so that it shrinks and can be kept in a file: requests, faults, hands, time. */
import { capabilitiesOf } from '../../drivers/index.ts'
import type { Family } from '../../drivers/model/families.ts'
import type { Rule } from '../../emulator/faults/plan.ts'
import { rowAmount } from '../oracle/totals.ts'
import { type CheckedFamilies, OURS } from './families.ts'
import type { Hand } from './hands.ts'
import { markOf } from './journal.ts'
import type { StrangerDeed } from './stranger.ts'
import type { JournalTrouble } from './world.ts'

export type Paying = 'nothing said' | 'card' | 'card and cash' | 'two cards and cash'

/** One step of a receipt; `discount` is one on the subtotal. */
export interface SingleStep {
  readonly do: 'open' | 'sale' | 'discount' | 'payCard' | 'payRest' | 'close' | 'cancel'
  readonly key?: boolean
}

export type RequestStep =
  /** A whole receipt; with a key it can be sent again. */
  | { readonly do: 'receipt'; readonly rows: number; readonly paying: Paying; readonly key: boolean }
  /** The last request with a key once more. */
  | { readonly do: 'again' }
  | { readonly do: 'slip'; readonly key: boolean }
  | SingleStep
  | { readonly do: 'z' | 'x' | 'copy' | 'status'; readonly key?: boolean }

export type Step =
  | RequestStep
  | { readonly do: 'fault'; readonly rule: Rule }
  | { readonly do: 'hand'; readonly what: Hand }
  | { readonly do: 'wait'; readonly ms: number }
  /** Another program on the same device. */
  | { readonly do: 'stranger'; readonly deed: StrangerDeed }
  /** Another device of the same kind stands at the port from now on. */
  | { readonly do: 'exchange' }
  /** The service's own journal cannot be written: after `skip` writes, `times` writes fail. */
  | { readonly do: 'journal'; readonly trouble: JournalTrouble; readonly skip: number; readonly times: number }
  /** The wall clock of the computer jumps: now (`write` 0), or with the n-th frame that the service writes. */
  | { readonly do: 'wall clock'; readonly byMs: number; readonly write: number }
  /** The service dies at the n-th frame that it writes during this request, and is started again. */
  | { readonly do: 'crash'; readonly during: RequestStep; readonly write: number }

export interface Case {
  readonly family: Family
  readonly seed: number
  /** The device takes its real time. */
  readonly slow: boolean
  /** After a power cut; absent: as long as a person takes. */
  readonly powerBackMs?: number
  readonly steps: readonly Step[]
}

export const isRequest = (step: Step): step is RequestStep => !NO_REQUESTS.has(step.do)
const NO_REQUESTS: ReadonlySet<Step['do']> = new Set<Step['do']>([
  'fault',
  'hand',
  'wait',
  'stranger',
  'exchange',
  'journal',
  'wall clock',
  'crash',
])

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

/** The operator's password from the factory. */
export const passwordOf = (family: Family, { drivers }: CheckedFamilies = OURS): string =>
  capabilitiesOf({ family, device: '' }, drivers).defaultPassword(OPERATOR)

/** `request`: its number, which stands on everything that it prints. `password`: of the operator. */
export function sentBy(step: Exclude<RequestStep, { do: 'again' }>, request: number, password: string): Sent {
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
    case 'open':
      return {
        path: '/open-fiscal-receipt',
        body: {
          OperatorCode: OPERATOR,
          OperatorPassword: password,
          PointOfSaleNumber: 1,
          Invoice: false,
        },
      }
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

/** A step in words. */
export function inWords(step: Step): string {
  switch (step.do) {
    case 'receipt':
      return `print a receipt of ${step.rows} ${step.rows === 1 ? 'row' : 'rows'}, paid: ${step.paying}${withKey(step)}`
    case 'again':
      return 'send the last request with a key again'
    case 'slip':
      return `print a non-fiscal receipt${withKey(step)}`
    case 'open':
    case 'close':
    case 'cancel':
      return `${step.do} a fiscal receipt${withKey(step)}`
    case 'sale':
      return `sell an article${withKey(step)}`
    case 'discount':
      return `take a discount off the subtotal${withKey(step)}`
    case 'payCard':
      return `pay a part by card${withKey(step)}`
    case 'payRest':
      return `pay the rest in cash${withKey(step)}`
    case 'z':
    case 'x':
      return `report ${step.do.toUpperCase()}${withKey(step)}`
    case 'copy':
      return `copy the last receipt${withKey(step)}`
    case 'status':
      return 'ask for the transaction'
    case 'fault':
      return `fault: ${JSON.stringify(step.rule)}`
    case 'hand':
      return `by hand: ${step.what}`
    case 'wait':
      return `${step.ms} ms pass`
    case 'stranger':
      return `another program ${step.deed}`
    case 'exchange':
      return 'the device is exchanged for another one'
    case 'journal':
      return `the journal of the service is ${step.trouble} for ${step.times} writes${step.skip > 0 ? `, after ${step.skip}` : ''}`
    case 'wall clock':
      return `the wall clock jumps by ${step.byMs / 3_600_000} h${step.write > 0 ? `, with frame ${step.write}` : ''}`
    case 'crash':
      return `the service dies at frame ${step.write} of: ${inWords(step.during)}`
  }
}

const withKey = ({ key }: { readonly key?: boolean }): string => (key ? ', with a key' : '')
