/**
 * A request to the device as data: its steps and its progress. run.ts executes the steps, verdict.ts determines the
 * outcome, and the operation log stores the progress.
 */
import { adjustmentOf, rowAmount } from '../../drivers/model/amounts.ts'
import type { Money } from '../../drivers/model/money.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import type { Payment } from '../../drivers/model/receipt.ts'
import type { Element, Sale, Step } from '../../drivers/model/steps.ts'

export interface Operation {
  /** All steps of a receipt from its opening to its close or cancel, or a single step. */
  readonly steps: readonly Step[]
  /** Total that the device's sum must match before the first payment. Otherwise the service cancels the receipt. */
  readonly expectedTotal?: { readonly amount: Money; readonly tolerance: Money }
}

export interface Answer {
  readonly text: string
  readonly receiptNumber?: string
  readonly raw?: string
}

export const EMPTY: Answer = { text: '' }

/** An element that no sum shows, and whose command was retransmitted or not answered. */
export interface UnconfirmedElement {
  readonly is: Element['is'] | 'subtotal'
  /** Line of text, or data of a barcode; '' for other elements. */
  readonly text: string
  /** Number of equal elements in the request; 1 for elements without text. */
  readonly times: number
  /** Other texts of the request. The journal may show them in the same way. */
  readonly others?: readonly string[]
  /** Set if the command was not answered. */
  readonly mayBeMissing?: true
}

/** A single call of a job that has several. Executed parts remain; a retry of the job continues after them. */
export interface Part {
  readonly job: string
  readonly index: number
  readonly isLast: boolean
}

/**
 * How the receipt was closed. `asked`: as requested. `inCash`: with the remaining amount in cash. `byOther`: by another
 * program, or with a payment by another program. `twice`: with an element printed twice. `unconfirmed`: with an element
 * that may be missing or printed twice.
 */
export type ClosedAs = 'asked' | 'inCash' | 'byOther' | 'twice' | 'unconfirmed'

export interface Entry {
  /** Steps without passwords. A recorded opening is never executed again. */
  readonly steps: readonly Step[]
  /**
   * Index of the current step. The device has executed the steps before it. This step, and those up to the next
   * milestone, may have been sent.
   */
  readonly at: number
  /**
   * `cancelling`: the service is cancelling the receipt, so a receipt that is no longer open was not closed. `done`:
   * the document is closed, and later commands of the request (a drawer, a report) do not change that. Absent: in
   * progress.
   */
  readonly is?: 'cancelling' | 'done'
  readonly part?: Part
  /** Device evidence before the first command; null if the device does not report it. */
  readonly before: Evidence | null
  /** Set if `before` is the evidence after the earlier operation and was not queried for this request. */
  readonly isRemembered?: true | undefined
  /** Number of the receipt that the device opened for this request, or that a single close or cancel concerns. */
  readonly document?: number
  /** The device's total before the first payment. Absent if it was not queried, or if the device does not report it. */
  readonly total?: Money
  /** Set if the service paid the remaining amount in cash, because it could not be paid as requested. */
  readonly inCash?: true
  /** Set if another program registered a payment before the service completed the receipt. */
  readonly byOther?: true
  /** Set if the answer said that nothing was sold. The receipt must then not be completed. */
  readonly isGivenUp?: true
  /**
   * Set if a cancelled receipt of 0.00 may have been paid. The device reports the same before and after its payment,
   * and may refuse to cancel it.
   */
  readonly perhapsPaid?: true
  readonly unconfirmed?: readonly UnconfirmedElement[]
  /** Number of the fiscal receipt that is closed (`done`), or that is paid and cannot be cancelled. */
  readonly receiptNumber?: string
  readonly as?: Exclude<ClosedAs, 'asked'>
  readonly paid?: { readonly paid: Money; readonly total: Money } | undefined
}

export const NOT_BEGUN: Entry = { steps: [], at: 0, before: null }

type Steps = Pick<Entry, 'steps'>

export const isWholeReceipt = ({ steps }: Steps): boolean => steps.length > 1

/**
 * Returns whether the operation is a single command that opens, fills or cancels a fiscal receipt, or opens or fills a
 * non-fiscal one.
 */
export const isStepOfReceipt = ({ steps: [step, ...more] }: Steps): boolean =>
  step !== undefined && more.length === 0 && !END_STEPS.has(step.does)

const END_STEPS: ReadonlySet<Step['does']> = new Set(['close', 'closeNonFiscal', 'cancelNonFiscal', 'document'])

const NON_FISCAL: ReadonlySet<Step['does']> = new Set(['openNonFiscal', 'closeNonFiscal', 'cancelNonFiscal'])

export const isNonFiscal = ({ steps: [step] }: Steps): boolean => step !== undefined && NON_FISCAL.has(step.does)

export const endsInCancel = ({ steps }: Steps): boolean => steps.at(-1)?.does.startsWith('cancel') === true

/** Returns whether the step changes nothing on the device or its paper, so that a second execution does no harm. */
export const isQuestion = (step: Step): boolean =>
  step.does === 'subtotal' && !step.subtotal.adjustment && !step.subtotal.print

const firstPayment = ({ steps }: Steps): number => {
  const place = steps.findIndex(({ does }) => does === 'pay')
  return place < 0 ? steps.length : place
}

/**
 * Returns whether progress is recorded before this step. For the other steps, the evidence of the device shows which
 * were executed.
 */
export const isMilestone = ({ steps }: Steps, place: number): boolean =>
  place <= 1 || place === steps.length - 1 || steps[place]?.does === 'pay' || steps[place - 1]?.does === 'pay'

/**
 * Returns the index of the last step before which the receipt can be cancelled: the first payment, or the last step.
 */
export const lastToUndo = (entry: Steps): number => Math.min(firstPayment(entry), entry.steps.length - 1)

/** Returns whether the total may be zero. The device then reports the same before and after the payment. */
const mayBeFree = ({ steps }: Steps): boolean =>
  steps.some((step) => {
    if (step.does === 'subtotal') return step.subtotal.adjustment?.kind === 'discount'
    return (
      step.does === 'sell' && (step.sale.void || step.sale.price === 0 || step.sale.adjustment?.kind === 'discount')
    )
  })

/**
 * Returns whether the record of this position is flushed to the disk (under-way.ts): after the opening if there is at
 * most one payment; before the first payment if there are several or the total may be zero.
 */
export function isFlushedOnTheWay(entry: Steps, at: number): boolean {
  const hasSeveral = paymentsOf(entry).length > 1
  const isAfterOpening = at === 1 && !hasSeveral
  return isAfterOpening || (at === lastToUndo(entry) && (hasSeveral || mayBeFree(entry)))
}

export function paymentsBegun({ steps, at }: Pick<Entry, 'steps' | 'at'>): number {
  const paymentCount = steps.slice(0, at).filter(({ does }) => does === 'pay').length
  const isAtPayment = paymentCount > 0 || steps[at]?.does === 'pay'
  return isAtPayment && steps.slice(at).some(({ does }) => does === 'pay') ? paymentCount + 1 : paymentCount
}

export const opensReceipt = ({ does }: Step): boolean => does === 'open' || does === 'openNonFiscal'
export const isOpening = ({ at, is }: Entry): boolean => at === 0 && is === undefined
export const isClosing = ({ at, is, steps }: Entry): boolean => at === steps.length - 1 && is === undefined
export const isPaying = (entry: Entry): boolean => entry.is === undefined && paymentsBegun(entry) > 0

/**
 * Returns whether the operation may have printed a permanent document. Before the first payment, a receipt can still be
 * cancelled.
 */
export const mayBePrinted = (entry: Entry): boolean =>
  !isWholeReceipt(entry) ||
  entry.is === 'done' ||
  entry.perhapsPaid === true ||
  (entry.is === undefined && entry.at >= lastToUndo(entry))

export const salesOf = ({ steps }: Steps): readonly Sale[] =>
  steps.flatMap((step) => (step.does === 'sell' ? [step.sale] : []))

export const paymentsOf = ({ steps }: Steps): readonly Payment[] =>
  steps.flatMap((step) => (step.does === 'pay' ? [step.payment] : []))

export const textsOf = ({ steps }: Steps): readonly string[] =>
  steps.flatMap((step) => (step.does === 'print' && step.element.is === 'text' ? [step.element.line.text] : []))

/** Returns whether the operation voids a row. Some devices subtract voided rows from their count, others add them. */
export const hasVoids = (entry: Steps): boolean => salesOf(entry).some((sale) => sale.void)

export type Prices = ReadonlyMap<number, Money | undefined>

/** Returns the amount of a sale; `undefined` if only the device knows the price. */
export function amountOf(sale: Sale, prices?: Prices): Money | undefined {
  const price = sale.price ?? ('plu' in sale ? prices?.get(sale.plu) : undefined)
  if (price === undefined) return undefined
  const base = rowAmount(price, sale.quantity)
  const amount = base + adjustmentOf(base, sale.adjustment)
  return sale.void ? -amount : amount
}

export function dataOf({ steps: [step] }: Steps, { text, receiptNumber, raw }: Answer) {
  const isCopy = step?.does === 'document' && step.kind === 'copy'
  return isCopy ? { ReceiptNumber: receiptNumber ?? '', Raw: raw ?? '' } : (receiptNumber ?? text)
}

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

/** Parses a record of the operation log. `unreadable`: the reason, as the end of a sentence. */
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

/** Removes the hold from the evidence, because another program may have used the line since the record was written. */
function notHeld(entry: Entry): Entry {
  if (!entry.before) return entry
  const { hold: _, ...before } = entry.before
  return { ...entry, before }
}
