/**
 * A request to the device as data: its steps, and how far they have come. run.ts acts on it, verdict.ts judges by it what became
 * of it, and the log keeps it, so that a failure in the same request, the next request and the next start go on alike.
 */
import { adjustmentOf, rowAmount } from '../../drivers/model/amounts.ts'
import type { Money } from '../../drivers/model/money.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import type {
  ArticleSale,
  Barcode,
  Customer,
  FiscalOpening,
  FreeSale,
  Operator,
  Payment,
  SeparatingLine,
  Subtotal,
  TextLine,
} from '../../drivers/model/receipt.ts'

/** A line of text, a barcode, a separating line: on the paper, and in no sum that a device reports. */
export type Element =
  | { readonly is: 'text'; readonly line: TextLine }
  | { readonly is: 'barcode'; readonly barcode: Barcode }
  | { readonly is: 'separatingLine'; readonly style: SeparatingLine }

export type Sale = FreeSale | ArticleSale

/** What a document is that takes a number of its own. */
export type DocumentKind = 'x' | 'z' | 'copy' | 'cashIn' | 'cashOut'

/** One command of the device, as its caller wants it. */
export type Step = {
  /** The part of the request that it is: `ReceiptItems[2]`. */
  readonly path?: string
} & (
  | { readonly does: 'open'; readonly opening?: FiscalOpening }
  | { readonly does: 'openNonFiscal'; readonly operator?: Operator }
  | { readonly does: 'sell'; readonly sale: Sale }
  | { readonly does: 'subtotal'; readonly subtotal: Subtotal }
  | { readonly does: 'print'; readonly element: Element; readonly on: 'fiscal' | 'nonFiscal' }
  | { readonly does: 'pay'; readonly payment: Payment }
  /** `customer`: of an invoice. */
  | { readonly does: 'close'; readonly customer?: Customer }
  | { readonly does: 'closeNonFiscal' | 'cancel' | 'cancelNonFiscal' }
  /** `amount`, positive, and `operator`: of cash in or out. */
  | { readonly does: 'document'; readonly kind: DocumentKind; readonly amount?: Money; readonly operator?: Operator }
)
export type StepThat<Does extends Step['does']> = Extract<Step, { does: Does }>

export interface Operation {
  /** A whole receipt, from its opening to its end; or one step alone. */
  readonly steps: readonly Step[]
  /** The device's own sum is compared with it before the first payment; a difference cancels the receipt. */
  readonly expectedTotal?: { readonly amount: Money; readonly tolerance: Money }
}

/** What the device answers to it. */
export interface Answer {
  /** Its own text. */
  readonly text: string
  /** Of the fiscal receipt that is closed, or copied. */
  readonly receiptNumber?: string
  readonly raw?: string
}

export const EMPTY: Answer = { text: '' }

/** What leaves no sum, and whose command was written again or was not answered. */
export interface UnconfirmedElement {
  readonly is: Element['is'] | 'subtotal'
  /** Of a line of text, and the data of a barcode; '' of the others. */
  readonly text: string
  /** So often the request has it; 1 of those that have no text. */
  readonly times: number
  /** Of a text: those of the same request that are not the same, and may be printed alike. */
  readonly others?: readonly string[]
  /** It was not answered. */
  readonly mayBeMissing?: true
}

/** One of the calls of a job that has several: what is printed of it stays printed, and a repeat goes on behind it. */
export interface Part {
  /** Under which the job's prints are recorded (log/print-log.ts). */
  readonly job: string
  readonly index: number
  readonly isLast: boolean
}

/**
 * `inCash`: the rest was. `byOther`: another program ended it, or paid on it. `twice`: a line of text stands so; `unconfirmed`:
 * it, or a barcode, may.
 */
export type ClosedAs = 'asked' | 'inCash' | 'byOther' | 'twice' | 'unconfirmed'

/** An operation that was begun, and how far it has come: a record of the log. */
export interface Entry {
  /** Without passwords: no operator opens a receipt again. */
  readonly steps: readonly Step[]
  /** The steps before it are carried out; it, and those up to the next milestone, may have been sent. */
  readonly at: number
  /**
   * `cancelling`: the receipt is taken back, so that one that is no longer open is not taken for a closed one. `done`: its
   * document is closed; what may follow it (a drawer, a report) does not undo it. Absent: it goes forward.
   */
  readonly is?: 'cancelling' | 'done'
  /** It is about this part of the job; absent: about the whole request. */
  readonly part?: Part
  /** What the device said of itself before the first command; null: it would not say. */
  readonly before: Evidence | null
  /** It was not asked for this request: the operation before had left the device so. */
  readonly isRemembered?: true | undefined
  /** Number that the device has given to the receipt of this request; of a close, that of the receipt it ends. */
  readonly document?: number
  /** The device's own sum before the first payment; absent: it was not asked, or its wire cannot tell. */
  readonly total?: Money
  /** The rest was paid in cash, because it could not be paid as asked. */
  readonly inCash?: true
  /** Another program had paid a part before. */
  readonly byOther?: true
  /** Its caller was told that nothing of it was sold: it can only be cancelled. */
  readonly isGivenUp?: true
  /** At `cancelling`: a receipt of 0.00 whose payment was begun looks the same paid and unpaid, so it may refuse that. */
  readonly perhapsPaid?: true
  readonly unconfirmed?: readonly UnconfirmedElement[]
  /** Of the fiscal receipt that is closed (`done`), or that can only be ended. */
  readonly receiptNumber?: string
  /** How that receipt is closed, where it is not as it was asked for. */
  readonly as?: Exclude<ClosedAs, 'asked'>
  /** So far, where it is not all. */
  readonly paid?: { readonly paid: Money; readonly total: Money } | undefined
}

export const NOT_BEGUN: Entry = { steps: [], at: 0, before: null }

// ---------------------------------------------------------------- what kind of operation it is

type Steps = Pick<Entry, 'steps'>

/** Opens, fills and ends a receipt by itself. */
export const isWholeReceipt = ({ steps }: Steps): boolean => steps.length > 1

/** One command inside a receipt, or one that opens or cancels it. */
export const isStepOfReceipt = ({ steps: [step, ...more] }: Steps): boolean =>
  step !== undefined && more.length === 0 && !ENDS.has(step.does)

/** These end in a document, each in its own. */
const ENDS: ReadonlySet<Step['does']> = new Set(['close', 'closeNonFiscal', 'cancelNonFiscal', 'document'])

const NON_FISCAL: ReadonlySet<Step['does']> = new Set(['openNonFiscal', 'closeNonFiscal', 'cancelNonFiscal'])

export const isNonFiscal = ({ steps: [step] }: Steps): boolean => step !== undefined && NON_FISCAL.has(step.does)

/** The receipt ends with a cancel, as its request wants it. */
export const endsInCancel = ({ steps }: Steps): boolean => steps.at(-1)?.does.startsWith('cancel') === true

/** Changes nothing in the device: done twice, it is as good as done once. */
export const isQuestion = (step: Step): boolean =>
  step.does === 'subtotal' && !step.subtotal.adjustment && !step.subtotal.print

// ---------------------------------------------------------------- how far it has come

const firstPayment = ({ steps }: Steps): number => {
  const place = steps.findIndex(({ does }) => does === 'pay')
  return place < 0 ? steps.length : place
}

/** Where the log is told how far it has come: the steps between two of these are told from the device. */
export const isMilestone = ({ steps }: Steps, place: number): boolean =>
  place <= 1 || place === steps.length - 1 || steps[place]?.does === 'pay' || steps[place - 1]?.does === 'pay'

/** What is reached just before a receipt may be on paper for good, as its request wants it. */
export const lastToUndo = (entry: Steps): number => Math.min(firstPayment(entry), entry.steps.length - 1)

/** So many of its payments may have been taken by the device. */
export function paymentsBegun({ steps, at }: Pick<Entry, 'steps' | 'at'>): number {
  const begun = steps.slice(0, at).filter(({ does }) => does === 'pay').length
  const isAtPayment = begun > 0 || steps[at]?.does === 'pay'
  return isAtPayment && steps.slice(at).some(({ does }) => does === 'pay') ? begun + 1 : begun
}

export const isOpening = ({ at, is }: Entry): boolean => at === 0 && is === undefined
export const isClosing = ({ at, is, steps }: Entry): boolean => at === steps.length - 1 && is === undefined
export const isPaying = (entry: Entry): boolean => entry.is === undefined && paymentsBegun(entry) > 0

/** Something of it may be on paper for good: before its paying began, a receipt can only be cancelled. */
export const mayBePrinted = (entry: Entry): boolean =>
  !isWholeReceipt(entry) ||
  entry.is === 'done' ||
  entry.perhapsPaid === true ||
  (entry.is === undefined && entry.at >= lastToUndo(entry))

// ---------------------------------------------------------------- what it comes to

export const salesOf = ({ steps }: Steps): readonly Sale[] =>
  steps.flatMap((step) => (step.does === 'sell' ? [step.sale] : []))

export const paymentsOf = ({ steps }: Steps): readonly Payment[] =>
  steps.flatMap((step) => (step.does === 'pay' ? [step.payment] : []))

export const textsOf = ({ steps }: Steps): readonly string[] =>
  steps.flatMap((step) => (step.does === 'print' && step.element.is === 'text' ? [step.element.line.text] : []))

/** Some devices take a row that is taken back off their count, others count it. */
export const hasVoids = (entry: Steps): boolean => salesOf(entry).some((sale) => sale.void)

/** Prices by article, where only the device knows them. */
export type Prices = ReadonlyMap<number, Money | undefined>

/** Undefined: only the device knows its price. */
export function amountOf(sale: Sale, prices?: Prices): Money | undefined {
  const price = sale.price ?? ('plu' in sale ? prices?.get(sale.plu) : undefined)
  if (price === undefined) return undefined
  const base = rowAmount(price, sale.quantity)
  const amount = base + adjustmentOf(base, sale.adjustment)
  return sale.void ? -amount : amount
}

/** The answer in the words of the API. */
export function dataOf({ steps: [step] }: Steps, { text, receiptNumber, raw }: Answer) {
  const isCopy = step?.does === 'document' && step.kind === 'copy'
  return isCopy ? { ReceiptNumber: receiptNumber ?? '', Raw: raw ?? '' } : (receiptNumber ?? text)
}

// ---------------------------------------------------------------- as the log keeps it

/** Nothing that opens a receipt is needed again, and its password is nobody's business. */
export const withoutSecrets = (steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => {
    if (step.does === 'open') return { does: step.does }
    if (step.does !== 'openNonFiscal' && step.does !== 'document') return step
    const { operator: _, ...rest } = step
    return rest
  })

const STEPS: Readonly<Record<Step['does'], true>> = {
  ...{ open: true, openNonFiscal: true, sell: true, subtotal: true, print: true, pay: true, close: true },
  ...{ closeNonFiscal: true, cancel: true, cancelNonFiscal: true, document: true },
}

/** A record of the log; a sentence's end where it cannot be read: another version may have written it. */
export function readEntry(text: string): Entry | { readonly unreadable: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { unreadable: 'it is damaged' }
  }
  if (typeof value !== 'object' || value === null) return { unreadable: 'it is damaged' }
  const { steps, at, is } = value as Partial<Entry>
  const isKnown =
    Array.isArray(steps) &&
    steps.every((step) => Object.hasOwn(STEPS, String((step as Partial<Step> | null)?.does))) &&
    Number.isInteger(at) &&
    (is === undefined || is === 'cancelling' || is === 'done')
  return isKnown ? notHeld(value as Entry) : { unreadable: 'another version of fiscal-rig has written it' }
}

/** Who had the line since it was written, nobody knows. */
function notHeld(entry: Entry): Entry {
  if (!entry.before) return entry
  const { hold: _, ...before } = entry.before
  return { ...entry, before }
}
