/**
 * A request to the device as data: its steps, and its progress. run.ts executes it, verdict.ts determines its outcome,
 * and the log stores it, so that a failure in the same request, the next request and the next start are handled alike.
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

/** A line of text, a barcode, a separating line: printed, and in no sum that a device reports. */
export type Element =
  | { readonly is: 'text'; readonly line: TextLine }
  | { readonly is: 'barcode'; readonly barcode: Barcode }
  | { readonly is: 'separatingLine'; readonly style: SeparatingLine }

export type Sale = FreeSale | ArticleSale

/** Kind of a document with its own number. */
export type DocumentKind = 'x' | 'z' | 'copy' | 'cashIn' | 'cashOut'

/** A command of the device, as its caller requests it. */
export type Step = {
  /** Path of the part of the request: `ReceiptItems[2]`. */
  readonly path?: string
} & (
  | { readonly does: 'open'; readonly opening?: FiscalOpening }
  | { readonly does: 'openNonFiscal'; readonly operator?: Operator }
  | { readonly does: 'sell'; readonly sale: Sale }
  | { readonly does: 'subtotal'; readonly subtotal: Subtotal }
  | { readonly does: 'print'; readonly element: Element; readonly on: 'fiscal' | 'nonFiscal' }
  | { readonly does: 'pay'; readonly payment: Payment }
  /** `customer`: the customer of an invoice. */
  | { readonly does: 'close'; readonly customer?: Customer }
  | { readonly does: 'closeNonFiscal' | 'cancel' | 'cancelNonFiscal' }
  /** `amount`, positive, and `operator`: for cash in or out. */
  | { readonly does: 'document'; readonly kind: DocumentKind; readonly amount?: Money; readonly operator?: Operator }
)
export type StepOfKind<Does extends Step['does']> = Extract<Step, { does: Does }>

export interface Operation {
  /** A whole receipt, from its opening to its end; or one step alone. */
  readonly steps: readonly Step[]
  /**
   * Expected total: the service compares it with the device's own sum before the first payment; a difference cancels
   * the receipt.
   */
  readonly expectedTotal?: { readonly amount: Money; readonly tolerance: Money }
}

/** The device's answer to an operation. */
export interface Answer {
  /** The device's own text. */
  readonly text: string
  /** Number of the fiscal receipt that was closed or copied. */
  readonly receiptNumber?: string
  readonly raw?: string
}

export const EMPTY: Answer = { text: '' }

/** An element that leaves no sum, and whose command was retransmitted or was not answered. */
export interface UnconfirmedElement {
  readonly is: Element['is'] | 'subtotal'
  /** Line of text, or data of a barcode; '' for the others. */
  readonly text: string
  /** Number of times that the request contains it; 1 for elements without text. */
  readonly times: number
  /** Other texts of the same request that may be printed alike. */
  readonly others?: readonly string[]
  /** The command was not answered. */
  readonly mayBeMissing?: true
}

/** A call of a job that has several: printed parts stay printed, and a retry continues after them. */
export interface Part {
  /** Key of the job's prints (log/print-log.ts). */
  readonly job: string
  readonly index: number
  readonly isLast: boolean
}

/**
 * The way in which the receipt was closed. `inCash`: the remaining amount was paid in cash. `byOther`: another program
 * closed it, or paid on it. `twice`: a line of text is printed twice; `unconfirmed`: a line of text or a barcode may
 * be.
 */
export type ClosedAs = 'asked' | 'inCash' | 'byOther' | 'twice' | 'unconfirmed'

/** An operation that was begun, and its progress: a record of the log. */
export interface Entry {
  /** Steps without passwords: a recorded step opens no receipt again. */
  readonly steps: readonly Step[]
  /**
   * Index of the current step. The steps before it are executed; it, and those up to the next milestone, may have been
   * sent.
   */
  readonly at: number
  /**
   * `cancelling`: the receipt is being cancelled, so that one that is no longer open is not taken for a closed one.
   * `done`: its document is closed; commands after it (a drawer, a report) do not undo it. Absent: the operation is in
   * progress.
   */
  readonly is?: 'cancelling' | 'done'
  /** The part of the job; absent: the whole request. */
  readonly part?: Part
  /** Device evidence before the first command; null: the device did not report it. */
  readonly before: Evidence | null
  /** The device was not queried for this request: the operation before had left the device so. */
  readonly isRemembered?: true | undefined
  /**
   * Number that the device has given to the receipt of this request; for a close, number of the receipt that it closes.
   */
  readonly document?: number
  /** The device's own sum before the first payment; absent: it was not queried, or its wire does not report it. */
  readonly total?: Money
  /** The remaining amount was paid in cash, because it could not be paid as requested. */
  readonly inCash?: true
  /** Another program had paid a part before. */
  readonly byOther?: true
  /** The caller was informed that nothing was sold: the receipt can only be cancelled. */
  readonly isGivenUp?: true
  /**
   * The receipt may be paid: with `cancelling`, a receipt of 0.00 whose payment was begun looks the same paid and
   * unpaid, so the device may refuse to cancel.
   */
  readonly perhapsPaid?: true
  readonly unconfirmed?: readonly UnconfirmedElement[]
  /** Number of the fiscal receipt that is closed (`done`), or that can only be closed. */
  readonly receiptNumber?: string
  /** The way in which that receipt is closed, if not as requested. */
  readonly as?: Exclude<ClosedAs, 'asked'>
  /** Paid amount so far, if it is not the total. */
  readonly paid?: { readonly paid: Money; readonly total: Money } | undefined
}

export const NOT_BEGUN: Entry = { steps: [], at: 0, before: null }

// ---------------------------------------------------------------- kind of the operation

type Steps = Pick<Entry, 'steps'>

/** Returns whether the operation opens, fills and closes a receipt by itself. */
export const isWholeReceipt = ({ steps }: Steps): boolean => steps.length > 1

/** Returns whether the operation is one command inside a receipt, or one that opens or cancels it. */
export const isStepOfReceipt = ({ steps: [step, ...more] }: Steps): boolean =>
  step !== undefined && more.length === 0 && !END_STEPS.has(step.does)

/** Steps that end in a document. */
const END_STEPS: ReadonlySet<Step['does']> = new Set(['close', 'closeNonFiscal', 'cancelNonFiscal', 'document'])

const NON_FISCAL: ReadonlySet<Step['does']> = new Set(['openNonFiscal', 'closeNonFiscal', 'cancelNonFiscal'])

export const isNonFiscal = ({ steps: [step] }: Steps): boolean => step !== undefined && NON_FISCAL.has(step.does)

/** Returns whether the request itself cancels its receipt at the end. */
export const endsInCancel = ({ steps }: Steps): boolean => steps.at(-1)?.does.startsWith('cancel') === true

/** Returns whether the step changes nothing in the device, so that a second execution does no harm. */
export const isQuestion = (step: Step): boolean =>
  step.does === 'subtotal' && !step.subtotal.adjustment && !step.subtotal.print

// ---------------------------------------------------------------- progress

const firstPayment = ({ steps }: Steps): number => {
  const place = steps.findIndex(({ does }) => does === 'pay')
  return place < 0 ? steps.length : place
}

/** Returns whether the progress is recorded at this step: the device reports the steps between two milestones. */
export const isMilestone = ({ steps }: Steps, place: number): boolean =>
  place <= 1 || place === steps.length - 1 || steps[place]?.does === 'pay' || steps[place - 1]?.does === 'pay'

/** Returns the index of the last step before which a receipt can still be cancelled, as its request wants it. */
export const lastToUndo = (entry: Steps): number => Math.min(firstPayment(entry), entry.steps.length - 1)

/** Returns whether the total may be zero: the device then reports the same before the payment and after it. */
const mayBeFree = ({ steps }: Steps): boolean =>
  steps.some((step) => {
    if (step.does === 'subtotal') return step.subtotal.adjustment?.kind === 'discount'
    return (
      step.does === 'sell' && (step.sale.void || step.sale.price === 0 || step.sale.adjustment?.kind === 'discount')
    )
  })

/**
 * Returns whether this position between the opening of a receipt and its close is flushed to the disk (under-way.ts):
 * the one after the opening, or with several payments the one before the first of them; both if the total may be zero.
 */
export function isFlushedOnTheWay(entry: Steps, at: number): boolean {
  const hasSeveral = paymentsOf(entry).length > 1
  const isAfterOpening = at === 1 && !hasSeveral
  return isAfterOpening || (at === lastToUndo(entry) && (hasSeveral || mayBeFree(entry)))
}

/** Returns the number of payments that the device may have accepted. */
export function paymentsBegun({ steps, at }: Pick<Entry, 'steps' | 'at'>): number {
  const paymentCount = steps.slice(0, at).filter(({ does }) => does === 'pay').length
  const isAtPayment = paymentCount > 0 || steps[at]?.does === 'pay'
  return isAtPayment && steps.slice(at).some(({ does }) => does === 'pay') ? paymentCount + 1 : paymentCount
}

export const isOpening = ({ at, is }: Entry): boolean => at === 0 && is === undefined
export const isClosing = ({ at, is, steps }: Entry): boolean => at === steps.length - 1 && is === undefined
export const isPaying = (entry: Entry): boolean => entry.is === undefined && paymentsBegun(entry) > 0

/**
 * Returns whether a part of the operation may be printed permanently: before paying began, a receipt can only be
 * cancelled.
 */
export const mayBePrinted = (entry: Entry): boolean =>
  !isWholeReceipt(entry) ||
  entry.is === 'done' ||
  entry.perhapsPaid === true ||
  (entry.is === undefined && entry.at >= lastToUndo(entry))

// ---------------------------------------------------------------- amounts

export const salesOf = ({ steps }: Steps): readonly Sale[] =>
  steps.flatMap((step) => (step.does === 'sell' ? [step.sale] : []))

export const paymentsOf = ({ steps }: Steps): readonly Payment[] =>
  steps.flatMap((step) => (step.does === 'pay' ? [step.payment] : []))

export const textsOf = ({ steps }: Steps): readonly string[] =>
  steps.flatMap((step) => (step.does === 'print' && step.element.is === 'text' ? [step.element.line.text] : []))

/** Returns whether a sale is a void: some devices subtract a voided row from their count, others count it. */
export const hasVoids = (entry: Steps): boolean => salesOf(entry).some((sale) => sale.void)

/** Prices by article, for articles whose price only the device knows. */
export type Prices = ReadonlyMap<number, Money | undefined>

/** Returns the amount of a sale. Undefined: only the device knows its price. */
export function amountOf(sale: Sale, prices?: Prices): Money | undefined {
  const price = sale.price ?? ('plu' in sale ? prices?.get(sale.plu) : undefined)
  if (price === undefined) return undefined
  const base = rowAmount(price, sale.quantity)
  const amount = base + adjustmentOf(base, sale.adjustment)
  return sale.void ? -amount : amount
}

/** Returns the answer in the form of the API. */
export function dataOf({ steps: [step] }: Steps, { text, receiptNumber, raw }: Answer) {
  const isCopy = step?.does === 'document' && step.kind === 'copy'
  return isCopy ? { ReceiptNumber: receiptNumber ?? '', Raw: raw ?? '' } : (receiptNumber ?? text)
}

// ---------------------------------------------------------------- records of the log

/** Removes passwords: no recorded step opens a receipt again. */
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

/**
 * Reads a record of the log; `unreadable`: the end of a sentence if the record cannot be read, because another version
 * may have written it.
 */
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

/** Removes the hold from the evidence: another program may have had the line since the record was written. */
function notHeld(entry: Entry): Entry {
  if (!entry.before) return entry
  const { hold: _, ...before } = entry.before
  return { ...entry, before }
}
