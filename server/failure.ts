/** What went wrong → HTTP status and `Message`: one table for the device's problems, a few makers for the service's own. */
import { DeviceError, type DeviceProblem, withoutRepeat } from '../drivers/model/errors.ts'

/** The statuses of decisions 3 for everything drivers/model/errors.ts can report. */
const STATUS: Readonly<Record<DeviceProblem['kind'], 400 | 424>> = {
  refused: 400,
  unsupported: 400,
  badValue: 400,
  cannotPrint: 424,
  portMissing: 424,
  portLost: 424,
  noAnswer: 424,
  atWork: 424,
  notThisFamily: 424,
  lineNoise: 424,
  outcomeUnknown: 424,
}

/** Does a failure leave something on the device? What `Idempotency-Key` and recovery go by. */
export type Effect = 'nothing' | 'printed' | 'unknown'

export class ServiceError extends Error {
  readonly status: number
  readonly effect: Effect
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    effect: Effect = 'nothing',
    headers: Record<string, string> = {},
    cause?: unknown,
  ) {
    super(message, { cause })
    this.name = 'ServiceError'
    this.status = status
    this.effect = effect
    this.headers = headers
  }
}

export const notFound = (message: string): ServiceError => new ServiceError(404, message)

/** Seconds after which a refused client may try again: about one receipt. */
const RETRY_AFTER_S = '5'

export const busy = (message: string): ServiceError =>
  new ServiceError(503, message, 'nothing', { 'Retry-After': RETRY_AFTER_S })

export const OUTCOME_UNKNOWN = 'Outcome unknown:'

export const outcomeUnknown = (why: string): ServiceError =>
  new ServiceError(424, `${OUTCOME_UNKNOWN} ${why}`, 'unknown')

export const COMPLETED = 'Completed as receipt'

/**
 * A receipt that nothing can undo any more, but whose end the device cannot print now: it exists, and is ended before
 * the next request.
 */
export const owed = (status: number, receiptNumber: string, why: string): ServiceError =>
  new ServiceError(
    status,
    `${COMPLETED} ${receiptNumber}: it is paid and can no longer be cancelled; only its end is not printed yet. ` +
      `${withoutRepeat(why)} It is ended as soon as the device can, before anything else. ${REPEAT_ONLY_WITH_KEY}`,
    'unknown',
  )

export const REPEAT_ONLY_WITH_KEY =
  'Without the Idempotency-Key that it had, a repeat of this request is another receipt.'

export interface Failure {
  readonly status: number
  readonly message: string
  readonly effect: Effect
  readonly headers: Readonly<Record<string, string>>
}

/** Any error as an answer; what nobody foresaw is a 500 without its inner words. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ServiceError) return error
  if (error instanceof DeviceError) {
    const { kind } = error.problem
    const effect = kind === 'outcomeUnknown' ? 'unknown' : 'nothing'
    return { status: STATUS[kind], message: error.message, effect, headers: {} }
  }
  const message = 'An unexpected error happened inside the service; its log says more.'
  return { status: 500, message, effect: 'unknown', headers: {} }
}
