/**
 * What a request has come to, as data: how it ended on the device, the receipt that it is about, and why. Recovery, kept
 * answers, POST /Receipt and platform orders go by these data. The sentence for the caller is made of them here and
 * nowhere else, and nobody reads it back.
 */
import { DeviceError, type DeviceProblem, describeProblem } from '../drivers/model/errors.ts'
import { formatMoney, type Money } from '../drivers/model/money.ts'
import { restNameOf } from './endpoints/bodies.ts'

/** What a request may leave: nothing; something that stands for good; or something that is settled before the next one. */
export type Leaves = 'nothing' | 'printed' | 'open'

interface Words {
  readonly leaves: Leaves
  /** In front of the reasons, and behind them. */
  readonly head?: (receiptNumber: string) => string
  readonly tail?: string | ((receiptNumber: string) => string)
  /** Something of it stands: the reasons do not say that the request may be repeated. */
  readonly stands?: true
}

const OUTCOME_UNKNOWN = 'Outcome unknown:'
const REPEAT_ONLY_WITH_KEY = 'Without the Idempotency-Key that it had, a repeat of this request is another receipt.'
const unknown = () => OUTCOME_UNKNOWN
const completed = (receiptNumber: string) => `Completed as receipt ${receiptNumber}:`

/** Every way in which a request can end, with the sentence that says so around its reasons. */
const EFFECTS = {
  /** Carried out. The answer is its data, no sentence. */
  asAsked: { leaves: 'printed' },
  /** Refused, or failed before it reached the device. */
  nothing: { leaves: 'nothing' },
  /** The receipt of an earlier request stands in its way. */
  heldUp: {
    leaves: 'nothing',
    tail: (number) => `Receipt ${number} of an earlier request is paid, and is ended first.`,
  },
  noReceipt: { leaves: 'nothing', tail: 'No receipt was printed.' },
  notCarriedOut: { leaves: 'nothing', tail: 'Nothing of it was carried out.' },
  stillOpen: { leaves: 'nothing', tail: 'The receipt is still open.' },
  cancelled: { leaves: 'nothing', tail: 'The receipt was cancelled.' },
  /** Its documents are on paper, but not as asked for. */
  printed: { leaves: 'printed' },
  /** The receipt exists, but not as asked for. */
  completed: { leaves: 'printed', head: completed, stands: true },
  completedInCash: { leaves: 'printed', head: completed, tail: 'The rest was paid in cash.', stands: true },
  /** Nothing can undo the receipt any more, but the device cannot print its end now. */
  owed: {
    leaves: 'open',
    head: (number) =>
      `${completed(number)} it is paid and can no longer be cancelled; only its end is not printed yet.`,
    tail: `It is ended as soon as the device can, before anything else. ${REPEAT_ONLY_WITH_KEY}`,
    stands: true,
  },
  toBeCancelled: {
    leaves: 'open',
    tail: 'The receipt that was begun is cancelled before the next request; nothing was sold.',
  },
  unknown: { leaves: 'open', head: unknown },
  unknownCommand: { leaves: 'open', head: unknown, tail: 'It is settled before the next request.' },
  unknownReceipt: {
    leaves: 'open',
    head: unknown,
    tail: `What became of the receipt is settled before the next request. ${REPEAT_ONLY_WITH_KEY}`,
    stands: true,
  },
  /** A mistake of this program. */
  unforeseen: { leaves: 'open' },
} satisfies Readonly<Record<string, Words>>

export type Effect = keyof typeof EFFECTS

/** What the device reported, a sentence of the service, or a sum of the device that is not the expected one. */
export type Reason =
  | DeviceProblem
  | { readonly kind: 'said'; readonly text: string; readonly about?: 'journal' }
  | { readonly kind: 'totalDiffers'; readonly device: Money; readonly expected: Money }

export interface Outcome {
  /** HTTP status. */
  readonly status: number
  readonly effect: Effect
  /** Of the fiscal receipt that it is about. */
  readonly receiptNumber?: string
  /** In the order in which they came up. */
  readonly reasons: readonly Reason[]
}

export const leavesOf = ({ effect }: Outcome): Leaves => EFFECTS[effect].leaves

export const said = (text: string): Reason => ({ kind: 'said', text })

const wordsOf = (effect: Effect): Words => EFFECTS[effect]

export function sentenceOf({ effect, receiptNumber = '', reasons }: Outcome): string {
  const { head, tail, stands } = wordsOf(effect)
  const isBareUnknown = head === unknown && tail === undefined
  const texts = new Set(reasons.map((reason) => textOf(reason, { mayRepeat: !stands, isBareUnknown })))
  const end = typeof tail === 'function' ? tail(receiptNumber) : tail
  return [head?.(receiptNumber), ...texts, end].filter((part) => part !== undefined).join(' ')
}

/** The same for a caller who knows an open end by its beginning only. */
export const openSentenceOf = (outcome: Outcome): string =>
  wordsOf(outcome.effect).head ? sentenceOf(outcome) : `${OUTCOME_UNKNOWN} ${sentenceOf(outcome)}`

/** What the device may have done goes on after `Outcome unknown:`, and is a sentence of its own everywhere else. */
function textOf(reason: Reason, { mayRepeat, isBareUnknown }: { mayRepeat: boolean; isBareUnknown: boolean }): string {
  if (reason.kind === 'said') return reason.text
  if (reason.kind === 'totalDiffers') {
    return `The device comes to ${formatMoney(reason.device)} instead of ${formatMoney(reason.expected)}.`
  }
  if (reason.kind === 'badValue') return describeProblem({ ...reason, field: restNameOf(reason.field) })
  const text = describeProblem(reason, { mayRepeat })
  const goesOn = reason.kind === 'outcomeUnknown' && isBareUnknown
  return goesOn ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

/** What the device itself reported, where it is a reason. */
export const problemIn = ({ reasons }: Outcome): DeviceProblem | undefined =>
  reasons.find((reason) => reason.kind !== 'said' && reason.kind !== 'totalDiffers')

/** An outcome on its way up. */
export class ServiceError extends Error {
  readonly outcome: Outcome

  /** `cause`: for the log. */
  constructor(outcome: Outcome, cause?: unknown) {
    super(sentenceOf(outcome), { cause })
    this.name = 'ServiceError'
    this.outcome = outcome
  }
}

export const refusal = (status: number, text: string): ServiceError =>
  new ServiceError({ status, effect: 'nothing', reasons: [said(text)] })

export const notFound = (message: string): ServiceError => refusal(404, message)

export const busy = (message: string): ServiceError => refusal(503, message)

export const outcomeUnknown = (...reasons: readonly Reason[]): ServiceError =>
  new ServiceError({ status: 424, effect: 'unknown', reasons })

/** The same reasons with what is known by now of their effect. */
export const withEffect = (error: unknown, effect: Effect, more: Partial<Outcome> = {}): ServiceError =>
  new ServiceError({ ...outcomeOf(error), effect, ...more }, error)

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

/** Any error as an outcome; what nobody foresaw is a 500 without its inner words. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ServiceError) return error.outcome
  if (error instanceof DeviceError) {
    const { problem } = error
    const effect = problem.kind === 'outcomeUnknown' ? 'unknown' : 'nothing'
    return { status: STATUS[problem.kind], effect, reasons: [problem] }
  }
  const text = 'An unexpected error happened inside the service; its log says more.'
  return { status: 500, effect: 'unforeseen', reasons: [said(text)] }
}
