/** What became of an operation, and what its caller is told of it. */
import type { Money } from '../../drivers/model/money.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import { failure, type Reply, success } from '../envelope.ts'
import { because, withKnownEffect } from './failures.ts'
import {
  type Answer,
  type ClosedAs,
  dataOf,
  EMPTY,
  type Entry,
  isClosing,
  isStepOfReceipt,
  isWholeReceipt,
  mayBePrinted,
} from './operation.ts'
import { type Effect, ServiceError, textReason, withEffect } from './outcome.ts'
import { capital } from './sentences.ts'
import type { Verdict } from './verdict.ts'

export type Reconciliation =
  /** The fiscal receipt exists. */
  | { readonly became: 'closed'; readonly receiptNumber: string; readonly as: ClosedAs }
  /** A receipt had been begun and is now cancelled. */
  | { readonly became: 'cancelled' }
  /** The device carried it out; of its answer this is what the device can still tell. */
  | { readonly became: 'done'; readonly answer: Answer }
  /** The device carried out nothing of it. */
  | { readonly became: 'nothing' }
  /** What the device says does not decide it, and will not later. `why`: what is known, and where a person can look. */
  | { readonly became: 'undecided'; readonly why: string }
  /** Another device stands at the line than the one on which it began. */
  | { readonly became: 'maybeOnOtherDevice'; readonly why: string }

export const NOTHING: Reconciliation = { became: 'nothing' }
export const CANCELLED: Reconciliation = { became: 'cancelled' }
export const done = (answer: Answer = EMPTY): Reconciliation => ({ became: 'done', answer })
export const notDecided = (why: string): Reconciliation => ({ became: 'undecided', why })
export const closed = (number: number | string, as: ClosedAs): Reconciliation => ({
  became: 'closed',
  receiptNumber: String(number),
  as,
})

/** The device has not to be asked for it. */
export const alreadyDone = ({ receiptNumber, as }: Entry): Reconciliation =>
  receiptNumber === undefined ? done() : closed(receiptNumber, as ?? 'asked')

/** Of a receipt that is no longer open, or never was. */
export function notOpen(entry: Entry, found: Exclude<Verdict, { is: 'open' }>): Reconciliation {
  switch (found.is) {
    case 'notCarriedOut':
      return NOTHING
    case 'cancelled':
      return CANCELLED
    case 'closed':
      return closed(found.number, howClosed(entry, found.total))
    case 'undecided':
      return notDecided(found.why)
    case 'once':
    case 'twice':
      throw new Error(`no verdict of a receipt: ${found.is}`)
  }
}

/** The close itself was sent only once everything was sold and paid. */
function howClosed(entry: Entry, total: Money | null): ClosedAs {
  const isOurs = total === null || entry.total === undefined || entry.total === total
  if (!isOurs || !isClosing(entry) || entry.byOther) return 'byOther'
  return entry.inCash ? 'inCash' : 'asked'
}

export function onAnother({ before }: Entry, now: Evidence): Reconciliation {
  const was = before?.serialNumber ?? ''
  const why =
    `it started on the device with serial number ${was}, but ${now.serialNumber} is connected now. ` +
    `Check the paper of ${was}, or reconnect it.`
  return { became: 'maybeOnOtherDevice', why }
}

/** The one may have been exchanged for the other before the request, and behind a port that stayed open. */
export const onEither = ({ before }: Entry, now: Evidence): Reconciliation =>
  notDecided(
    `the device with the serial number ${before?.serialNumber} answered before this request, and ${now.serialNumber} is connected now: the request reached one of them. Check the paper of both devices.`,
  )

// ---------------------------------------------------------------- told to its caller

/** How a receipt is told that is not as it was asked for. */
export const COMPLETED: Readonly<Record<Exclude<ClosedAs, 'asked'>, Effect>> = {
  inCash: 'completedInCash',
  byOther: 'completedByOther',
  twice: 'completedTwice',
  unconfirmed: 'completedUnconfirmed',
}

/** In the same request, whose `error` came instead of an answer: throws what is to be said of it. */
export function answerIn(settled: Reconciliation, error: unknown, entry: Entry): Answer {
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, as } = settled
      if (as === 'asked') return { text: '', receiptNumber }
      throw withEffect(error, COMPLETED[as], { receiptNumber })
    }
    case 'done':
      return settled.answer
    case 'cancelled':
      throw withEffect(error, 'cancelled')
    case 'nothing':
      if (isWholeReceipt(entry)) throw withEffect(error, 'noReceipt')
      throw withKnownEffect(
        error,
        isStepOfReceipt(entry) || entry.steps[0]?.does === 'document' ? 'notCarriedOut' : 'stillOpen',
      )
    case 'undecided':
      // Both states of a step say all.
      if (isStepOfReceipt(entry))
        throw new ServiceError({ status: 424, effect: 'undecided', reasons: [textReason(settled.why)] })
      throw withEffect(error, 'undecided', because(error, settled.why))
    case 'maybeOnOtherDevice':
      throw withEffect(
        error,
        mayBePrinted(entry) ? 'maybeOnOtherDevice' : 'startedOnOtherDevice',
        because(error, settled.why),
      )
  }
}

/** Of a job in parts, behind the one that is unconfirmed. */
export const REST_NOT_DONE = 'The lines after it were not executed. Send them with a new key.'

const INTERRUPTED = textReason('The request was interrupted.')

/** The answer that the request would have had; undefined: nothing of it is left to be answered. */
export function replyFor(entry: Entry, settled: Reconciliation): Reply | undefined {
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, as } = settled
      if (as === 'asked') return success(receiptNumber, receiptNumber)
      return failure({ status: 424, effect: COMPLETED[as], receiptNumber, reasons: [INTERRUPTED] })
    }
    case 'done':
      // A job of several calls answers nothing of each of them.
      return success(entry.part ? '' : dataOf(entry, settled.answer))
    case 'undecided':
      return failure({
        ...{ status: 424, effect: 'undecided' },
        reasons: [
          INTERRUPTED,
          textReason(capital(settled.why)),
          ...(entry.part?.isLast === false ? [textReason(REST_NOT_DONE)] : []),
        ],
      })
    case 'cancelled':
    case 'nothing':
    case 'maybeOnOtherDevice':
      return undefined
  }
}

const CLOSED_AS = {
  asked: '',
  inCash: ', the rest paid in cash',
  byOther: ', paid or ended by another program, or by this service without a record of it',
  twice: ', a line of text twice',
  unconfirmed: ', a line of text or a barcode perhaps twice or not at all',
} as const

/** For the log of the service. */
export function wordsFor(settled: Reconciliation): string {
  switch (settled.became) {
    case 'closed':
      return `closed as receipt ${settled.receiptNumber}${CLOSED_AS[settled.as]}.`
    case 'cancelled':
      return 'its receipt was cancelled.'
    case 'done':
      return 'the device has carried it out.'
    case 'nothing':
      return 'the device did not execute it.'
    case 'undecided':
      return `what became of it cannot be told: ${settled.why}`
    case 'maybeOnOtherDevice':
      return settled.why
  }
}
