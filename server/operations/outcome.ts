/**
 * The outcome of a request, as data: its end on the device, the receipt that it is about, and the reasons. Recovery,
 * stored answers, POST /Receipt and platform orders use these data. The message for the caller is created at the
 * envelope (sentences.ts) and nowhere else, and no code parses it.
 */
import { DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import type { Money } from '../../drivers/model/money.ts'

/**
 * The state that a request leaves: nothing; a permanent document; or an open operation, which is reconciled before the
 * next request.
 */
export type Aftermath = 'nothing' | 'printed' | 'open'

/** Every way in which a request can end; sentences.ts has the texts. */
const AFTERMATHS = {
  asRequested: 'printed',
  nothing: 'nothing',
  blockedByEarlier: 'nothing',
  otherIsOpen: 'nothing',
  otherNonFiscalIsOpen: 'nothing',
  ownIsOpen: 'nothing',
  perhapsOwnIsOpen: 'nothing',
  noReceipt: 'nothing',
  notCarriedOut: 'nothing',
  stillOpen: 'nothing',
  cancelled: 'nothing',
  printed: 'printed',
  completedInCash: 'printed',
  completedByOther: 'printed',
  completedTwice: 'printed',
  completedUnconfirmed: 'printed',
  completedAndMore: 'printed',
  paidNotClosed: 'open',
  partlyPaidNotClosed: 'open',
  toBeCancelled: 'open',
  toBeFoundOut: 'open',
  unknown: 'open',
  unknownCommand: 'open',
  unknownReceipt: 'open',
  waiting: 'open',
  startedOnOtherDevice: 'nothing',
  maybeOnOtherDevice: 'open',
  undecided: 'printed',
  unforeseen: 'open',
} as const satisfies Readonly<Record<string, Aftermath>>

export type Effect = keyof typeof AFTERMATHS

export const EFFECTS = Object.keys(AFTERMATHS) as readonly Effect[]

/** Identification of a retry: an `Idempotency-Key`, or the number of a platform order. */
export type RepeatedBy = 'key' | 'order'

/** A report of the device, a message of the service, or a sum of the device that is not the expected one. */
export type Reason =
  | DeviceProblem
  | { readonly kind: 'text'; readonly text: string; readonly about?: 'journal' }
  | { readonly kind: 'totalDiffers'; readonly device: Money; readonly expected: Money }

export interface Outcome {
  /** HTTP status. */
  readonly status: number
  readonly effect: Effect
  /** Number of the receipt that the outcome is about. */
  readonly receiptNumber?: string
  /** Paid amount of that receipt, if a part of it is paid. */
  readonly paid?: { readonly paid: Money; readonly total: Money }
  /** Identification of a retry, which is answered without a second receipt. Absent: a retry is not recognized. */
  readonly repeatedBy?: RepeatedBy
  /** Path of the refused part of the request: `ReceiptItems[2]`, `Payments[1]`. */
  readonly path?: string
  /** Reasons in the order of their occurrence. */
  readonly reasons: readonly Reason[]
}

export const leavesOf = ({ effect }: Pick<Outcome, 'effect'>): Aftermath => AFTERMATHS[effect]

export const textReason = (text: string): Reason => ({ kind: 'text', text })

/** Returns the device's own report, if it is a reason. */
export const problemIn = ({ reasons }: Outcome): DeviceProblem | undefined =>
  reasons.find((reason) => reason.kind !== 'text' && reason.kind !== 'totalDiffers')

/** An outcome as an exception. */
export class ServiceError extends Error {
  readonly outcome: Outcome

  /** `cause`: error for the log. */
  constructor(outcome: Outcome, cause?: unknown) {
    super(outcome.reasons.map((reason) => (reason.kind === 'text' ? reason.text : reason.kind)).join(' '), { cause })
    this.name = 'ServiceError'
    this.outcome = outcome
  }
}

export const refusal = (status: number, text: string, path?: string): ServiceError =>
  new ServiceError({ status, effect: 'nothing', ...(path !== undefined && { path }), reasons: [textReason(text)] })

export const notFound = (message: string): ServiceError => refusal(404, message)

export const busy = (message: string): ServiceError => refusal(503, message)

export const outcomeUnknown = (...reasons: readonly Reason[]): ServiceError =>
  new ServiceError({ status: 424, effect: 'unknown', reasons })

/** Returns the error with the effect that is known by now. */
export const withEffect = (error: unknown, effect: Effect, outcome: Partial<Outcome> = {}): ServiceError =>
  new ServiceError({ ...outcomeOf(error), effect, ...outcome }, error)

/** Statuses of decisions 3 for every problem that drivers/model/errors.ts can report. */
const STATUS: Readonly<Record<DeviceProblem['kind'], 400 | 424>> = {
  refused: 400,
  unsupported: 400,
  badValue: 400,
  cannotPrint: 424,
  portMissing: 424,
  portLost: 424,
  noAnswer: 424,
  stillBusy: 424,
  notThisFamily: 424,
  lineNoise: 424,
  outcomeUnknown: 424,
}

/** Returns any error as an outcome; an unforeseen one is a 500 without its internal message. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ServiceError) return error.outcome
  if (error instanceof DeviceError) {
    const { problem } = error
    const effect = problem.kind === 'outcomeUnknown' ? 'unknown' : 'nothing'
    const { at: path } = error
    return { status: STATUS[problem.kind], effect, ...(path !== undefined && { path }), reasons: [problem] }
  }
  const text = 'Unexpected internal error. See the service log for details.'
  return { status: 500, effect: 'unforeseen', reasons: [textReason(text)] }
}
