/** A call of the device that has failed: what it tells about its request, and what is said of it. */
import { DeviceError, isUnanswered } from '../../drivers/model/errors.ts'
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
import { capital } from './sentences.ts'

export const isRefusal = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && error.problem.kind === 'refused'

/** Some families say it in one word, some in the other. */
const COMMAND_UNKNOWN: ReadonlySet<string> = new Set(['invalidCommand', 'unknownCommand'])

/** The device has no such command, and never will tell. */
export const isLacking = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && error.problem.kind === 'refused' && COMMAND_UNKNOWN.has(error.problem.key)

/** Refused at the first time of asking: not carried out. */
export const isCertain = (error: unknown): error is DeviceError => isRefusal(error) && !error.retransmitted

/** The device said nothing that can be relied on; what it was asked for last, or before that, may be carried out. */
export const isSilence = (error: unknown): error is DeviceError =>
  error instanceof DeviceError && isUnanswered(error.problem)

/** No byte of it was taken by the device, or the wire cannot carry it. */
export const isUnsendable = (error: unknown): boolean =>
  error instanceof DeviceError && (error.problem.kind === 'badValue' || error.problem.kind === 'unsupported')

export const wasRepeated = (error: unknown): boolean => error instanceof DeviceError && error.retransmitted

// ---------------------------------------------------------------- what is said of it

/** An error whose outcome was open says now what it is. */
export const withKnownEffect = (error: unknown, effect: Effect): unknown =>
  leavesOf(outcomeOf(error)) === 'open' ? withEffect(error, effect) : error

export const because = (error: unknown, why: string): Pick<Outcome, 'status' | 'reasons'> => ({
  status: 424,
  reasons: [...outcomeOf(error).reasons, textReason(capital(why))],
})

export const RETRANSMITTED = textReason(
  'The command was retransmitted; if the device lost power in between, it executed the command more than once.',
)

/** After one command, when the device cannot be asked what became of it. */
export function outcomeUnknownAfter(error: unknown, retransmitted = wasRepeated(error)): ServiceError {
  const { reasons } = outcomeOf(error)
  return withEffect(error, 'unknownCommand', {
    status: 424,
    reasons: retransmitted ? [...reasons, RETRANSMITTED] : reasons,
  })
}

const failed = (text: string, effect: Effect): ServiceError =>
  new ServiceError({ status: 424, effect, reasons: [textReason(text)] })

export const twice = (what: string, effect: Effect = 'nothing'): ServiceError =>
  failed(`The device was interrupted and executed a command twice: ${what}`, effect)

export const perhapsTwice = (what: string): ServiceError =>
  failed(`The device did not respond at first and may have executed a command twice: ${what}`, 'nothing')

/** The receipt that was open before, by its number. */
export function inTheWay(error: unknown, { before }: Entry): unknown {
  const open = before?.open
  if (!open || !isRefusal(error)) return error
  const receiptNumber = String(open.number ?? before.lastDocument ?? '')
  return withEffect(error, open.kind === 'NonFiscal' ? 'otherNonFiscalIsOpen' : 'otherIsOpen', { receiptNumber })
}

/** The line is printed before the close: where the device has failed, whoever finds the receipt open still has to know. */
export function perhapsVoid(error: unknown, { steps }: Entry): unknown {
  const outcome = outcomeOf(error)
  if (steps[0]?.does !== 'cancelNonFiscal' || problemIn(outcome) === undefined) return error
  return withEffect(error, outcome.effect, { reasons: [...outcome.reasons, PERHAPS_VOID] })
}

const PERHAPS_VOID = textReason('The line that says that the receipt is void may stand on it already.')

export const stateUnknownBefore = (error: unknown): ServiceError =>
  withEffect(
    error,
    'undecided',
    because(error, "the device's state before this request is unknown. Check the paper and whether a receipt is open."),
  )

/** What is said of a receipt that nothing can undo any more, and that the device cannot end now. */
export const owedBy = (
  { receiptNumber, paid }: Pick<Entry, 'receiptNumber' | 'paid'>,
  reasons: Outcome['reasons'],
): [Effect, Partial<Outcome>] => [
  paid ? 'partlyPaidNotClosed' : 'paidNotClosed',
  { reasons, ...(receiptNumber !== undefined && { receiptNumber }), ...(paid && { paid }) },
]

/** What is told again of a request that is still open: its receipt can only be ended, or nobody knows. */
export function openAs(entry: Entry, reasons: Outcome['reasons']): Outcome {
  if (entry.receiptNumber === undefined) return { status: 424, effect: 'unknown', reasons }
  const [effect, more] = owedBy(entry, reasons)
  return { status: 424, effect, reasons, ...more }
}
