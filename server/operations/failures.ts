import { capitalize } from '../../drivers/model/capitalize.ts'
import { DeviceError, isUnanswered } from '../../drivers/model/errors.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import type { Entry } from './operation.ts'
import {
  type Effect,
  leavesOf,
  type Outcome,
  outcomeOf,
  problemIn,
  ServiceError,
  textReason,
  withEffect,
} from './outcome.ts'

export const isRefusal = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && error.problem.kind === 'refused'

/** Keys that the families use when a device refuses an unknown command. */
const COMMAND_UNKNOWN: ReadonlySet<string> = new Set(['invalidCommand', 'unknownCommand'])

export const isLacking = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && error.problem.kind === 'refused' && COMMAND_UNKNOWN.has(error.problem.key)

/** Returns whether the device refused the first transmission, so that it did not execute the command. */
export const isCertain = (error: unknown): error is DeviceError => isRefusal(error) && !error.retransmitted

/** Returns whether the device gave no reliable answer: it may have executed the last command, or one before it. */
export const isSilence = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && isUnanswered(error.problem)

export const isPortLost = ({ problem: { kind } }: DeviceError): boolean => kind === 'portLost' || kind === 'portMissing'

/** Returns whether the command never reached the device: the driver or the wire protocol does not allow it. */
export const isUnsendable = (error: unknown): boolean =>
  error instanceof DeviceError && (error.problem.kind === 'badValue' || error.problem.kind === 'unsupported')

export const wasRepeated = (error: unknown): boolean => error instanceof DeviceError && error.retransmitted

// ---------------------------------------------------------------- description of a failure

/** Replaces the effect of an error only if that effect leaves the operation open. */
export const withKnownEffect = (error: unknown, effect: Effect): unknown =>
  leavesOf(outcomeOf(error)) === 'open' ? withEffect(error, effect) : error

export const withReason = (error: unknown, why: string): Pick<Outcome, 'status' | 'reasons'> => ({
  status: 424,
  reasons: [...outcomeOf(error).reasons, textReason(capitalize(why))],
})

export const RETRANSMITTED_REASON = textReason(
  'The command was retransmitted; if the device lost power in between, it executed the command more than once.',
)

export function outcomeUnknownAfter(error: unknown, retransmitted = wasRepeated(error)): ServiceError {
  const { reasons } = outcomeOf(error)
  return withEffect(error, 'unknownCommand', {
    status: 424,
    reasons: retransmitted ? [...reasons, RETRANSMITTED_REASON] : reasons,
  })
}

const failed = (text: string, effect: Effect): ServiceError =>
  new ServiceError({ status: 424, effect, reasons: [textReason(text)] })

export const executedTwice = (what: string, effect: Effect = 'nothing'): ServiceError =>
  failed(`The device was interrupted and executed a command twice: ${what}`, effect)

export const perhapsExecutedTwice = (what: string): ServiceError =>
  failed(`The device did not respond at first and may have executed a command twice: ${what}`, 'nothing')

/** Returns the effect of a command that was refused because another program's receipt is open. */
export const effectOfOther = ({ kind }: NonNullable<Evidence['open']>): Effect =>
  kind === 'NonFiscal' ? 'otherNonFiscalIsOpen' : 'otherIsOpen'

/** Adds the receipt that was open before the request to a refusal of the device. */
export function withBlockingReceipt(error: unknown, { before }: Entry): unknown {
  const open = before?.open
  if (!open || !isRefusal(error)) return error
  const receiptNumber = String(open.number ?? before.lastDocument ?? '')
  return withEffect(error, effectOfOther(open), { receiptNumber })
}

/**
 * Adds the possible void line to an error: the device prints that line before the close, so the receipt may still be
 * open.
 */
export function withPossibleVoid(error: unknown, { steps }: Entry): unknown {
  const outcome = outcomeOf(error)
  if (steps[0]?.does !== 'cancelNonFiscal' || problemIn(outcome) === undefined) return error
  return withEffect(error, outcome.effect, { reasons: [...outcome.reasons, PERHAPS_VOID] })
}

const PERHAPS_VOID = textReason('The line that marks the receipt as void may already be printed on it.')

export const stateUnknownBefore = (error: unknown): ServiceError =>
  withEffect(
    error,
    'undecided',
    withReason(
      error,
      "the device's state before this request is unknown. Check the paper and whether a receipt is open.",
    ),
  )

export const effectOfUnclosedReceipt = (
  { receiptNumber, paid }: Pick<Entry, 'receiptNumber' | 'paid'>,
  reasons: Outcome['reasons'],
): [Effect, Partial<Outcome>] => [
  paid ? 'partlyPaidNotClosed' : 'paidNotClosed',
  { reasons, ...(receiptNumber !== undefined && { receiptNumber }), ...(paid && { paid }) },
]

/** Returns the answer to a retry while the first request with its key has no recorded end. */
export function openAs(entry: Entry, reasons: Outcome['reasons']): Outcome {
  if (entry.receiptNumber === undefined) return { status: 424, effect: 'unknown', reasons }
  const [effect, extraOutcome] = effectOfUnclosedReceipt(entry, reasons)
  return { status: 424, effect, reasons, ...extraOutcome }
}
