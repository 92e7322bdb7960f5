import { capitalize } from '../../drivers/model/capitalize.ts'
import type { Money } from '../../drivers/model/money.ts'
import { type Evidence, nameOfDevice } from '../../drivers/model/printer.ts'
import { failure, type Reply, success } from '../envelope.ts'
import { withKnownEffect, withReason } from './failures.ts'
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
import type { Verdict } from './verdict.ts'

export type Reconciliation =
  | { readonly became: 'closed'; readonly receiptNumber: string; readonly as: ClosedAs }
  | { readonly became: 'cancelled' }
  /** The device executed the operation. `answer` has the parts that the device still reports. */
  | { readonly became: 'done'; readonly answer: Answer }
  | { readonly became: 'nothing' }
  /** The evidence is not sufficient, now or later. `why`: the known facts, and the paper that a person must check. */
  | { readonly became: 'undecided'; readonly why: string }
  | { readonly became: 'maybeOnOtherDevice'; readonly why: string }

export const NOTHING: Reconciliation = { became: 'nothing' }
export const CANCELLED: Reconciliation = { became: 'cancelled' }
export const executedOutcome = (answer: Answer = EMPTY): Reconciliation => ({ became: 'done', answer })
export const undecidedOutcome = (why: string): Reconciliation => ({ became: 'undecided', why })
export const closed = (number: number | string, as: ClosedAs): Reconciliation => ({
  became: 'closed',
  receiptNumber: String(number),
  as,
})

export const alreadyDone = ({ receiptNumber, as }: Entry): Reconciliation =>
  receiptNumber === undefined ? executedOutcome() : closed(receiptNumber, as ?? 'asked')

export function notOpen(entry: Entry, found: Exclude<Verdict, { is: 'open' }>): Reconciliation {
  switch (found.is) {
    case 'notCarriedOut':
      return NOTHING
    case 'cancelled':
      return CANCELLED
    case 'closed':
      return closed(found.number, howClosed(entry, found.total))
    case 'undecided':
      return undecidedOutcome(found.why)
    case 'once':
    case 'twice':
      throw new Error(`no verdict of a receipt: ${found.is}`)
  }
}

/**
 * Returns how the receipt was closed. The service sends the close after all sales and payments. A receipt that was
 * closed before that step was closed by another program.
 */
function howClosed(entry: Entry, total: Money | null): ClosedAs {
  const isOurs = total === null || entry.total === undefined || entry.total === total
  if (!isOurs || !isClosing(entry) || entry.byOther) return 'byOther'
  return entry.inCash ? 'inCash' : 'asked'
}

export function outcomeOnOtherDevice({ before }: Entry, now: Evidence): Reconciliation {
  const [was, is] = namesOf(before, now)
  const why =
    `it started on the device with serial number ${was}, but ${is} is connected now. ` +
    `Check the paper of ${was}, or reconnect it.`
  return { became: 'maybeOnOtherDevice', why }
}

/** Returns the outcome if the device may have been replaced before the request while the port remained open. */
export function outcomeOnEitherDevice({ before }: Entry, now: Evidence): Reconciliation {
  const [was, is] = namesOf(before, now)
  return undecidedOutcome(
    `the device with the serial number ${was} answered before this request, and ${is} is connected now: the request reached one of them. Check the paper of both devices.`,
  )
}

const namesOf = (before: Evidence | null, now: Evidence): readonly [was: string, is: string] =>
  before ? [nameOfDevice(before, now), nameOfDevice(now, before)] : ['', now.serialNumber]

export const COMPLETED_EFFECTS: Readonly<Record<Exclude<ClosedAs, 'asked'>, Effect>> = {
  inCash: 'completedInCash',
  byOther: 'completedByOther',
  twice: 'completedTwice',
  unconfirmed: 'completedUnconfirmed',
}

/**
 * Returns the answer to the request that failed with `error`. Throws ServiceError if the outcome is not as requested.
 */
export function answerIn(settled: Reconciliation, error: unknown, entry: Entry): Answer {
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, as } = settled
      if (as === 'asked') return { text: '', receiptNumber }
      throw withEffect(error, COMPLETED_EFFECTS[as], { receiptNumber })
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
      // The evidence before and after a step is sufficient; the reasons of the error add nothing.
      if (isStepOfReceipt(entry))
        throw new ServiceError({ status: 424, effect: 'undecided', reasons: [textReason(settled.why)] })
      throw withEffect(error, 'undecided', withReason(error, settled.why))
    case 'maybeOnOtherDevice':
      throw withEffect(
        error,
        mayBePrinted(entry) ? 'maybeOnOtherDevice' : 'startedOnOtherDevice',
        withReason(error, settled.why),
      )
  }
}

export const REST_NOT_DONE = 'The lines after it were not executed. Send them with a new key.'

const INTERRUPTED_REASON = textReason('The request was interrupted.')

export function replyFor(entry: Entry, settled: Reconciliation): Reply | undefined {
  switch (settled.became) {
    case 'closed': {
      const { receiptNumber, as } = settled
      if (as === 'asked') return success(receiptNumber, receiptNumber)
      return failure({ status: 424, effect: COMPLETED_EFFECTS[as], receiptNumber, reasons: [INTERRUPTED_REASON] })
    }
    case 'done':
      // The parts of a job have no separate answers.
      return success(entry.part ? '' : dataOf(entry, settled.answer))
    case 'undecided':
      return failure({
        ...{ status: 424, effect: 'undecided' },
        reasons: [
          INTERRUPTED_REASON,
          textReason(capitalize(settled.why)),
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
  inCash: ', the remaining amount paid in cash',
  byOther: ', paid or closed by another program, or by this service without a record of it',
  twice: ', a line of text printed twice',
  unconfirmed: ', a line of text or a barcode may be missing or printed twice',
} as const

export function describeOutcome(settled: Reconciliation): string {
  switch (settled.became) {
    case 'closed':
      return `closed as receipt ${settled.receiptNumber}${CLOSED_AS[settled.as]}.`
    case 'cancelled':
      return 'its receipt was cancelled.'
    case 'done':
      return 'the device executed it.'
    case 'nothing':
      return 'the device did not execute it.'
    case 'undecided':
      return `its outcome cannot be determined: ${settled.why}`
    case 'maybeOnOtherDevice':
      return settled.why
  }
}
