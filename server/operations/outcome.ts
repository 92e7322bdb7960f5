/** The outcome of a request as data. sentences.ts creates the message for the caller; no code parses that message. */
import { DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import type { Money } from '../../drivers/model/money.ts'

export type Aftermath = 'nothing' | 'printed' | 'open'

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

export type RepeatedBy = 'key' | 'order'

export type Reason =
  | DeviceProblem
  | { readonly kind: 'text'; readonly text: string; readonly about?: 'journal' }
  | { readonly kind: 'totalDiffers'; readonly device: Money; readonly expected: Money }

export interface Outcome {
  readonly status: number
  readonly effect: Effect
  readonly receiptNumber?: string
  /** Paid amount of that receipt, if a part of the total remains. */
  readonly paid?: { readonly paid: Money; readonly total: Money }
  /** Absent if a retry is not recognized and would print again. */
  readonly repeatedBy?: RepeatedBy
  readonly path?: string
  readonly reasons: readonly Reason[]
}

export const leavesOf = ({ effect }: Pick<Outcome, 'effect'>): Aftermath => AFTERMATHS[effect]

export const textReason = (text: string): Reason => ({ kind: 'text', text })

export const problemIn = ({ reasons }: Outcome): DeviceProblem | undefined =>
  reasons.find((reason) => reason.kind !== 'text' && reason.kind !== 'totalDiffers')

export class ServiceError extends Error {
  readonly outcome: Outcome

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

export const withEffect = (error: unknown, effect: Effect, outcome: Partial<Outcome> = {}): ServiceError =>
  new ServiceError({ ...outcomeOf(error), effect, ...outcome }, error)

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

/** Returns the outcome of an error. An unforeseen error becomes a 500 without its internal message. */
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
