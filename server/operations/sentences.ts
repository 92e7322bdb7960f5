/**
 * Every way in which a request can end, with the sentence that says so around its reasons: the one place where an outcome
 * becomes words. What is said here is compared with the journal of the device by `check`.
 */
import { describeProblem } from '../../drivers/model/errors.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import type { Effect, Outcome, Reason, RepeatedBy } from './outcome.ts'

interface Words {
  /** In front of the reasons, and behind them. */
  readonly head?: (about: About) => string
  readonly tail?: (about: About) => string
  /** Something of it may stand: the reasons do not say that the request may be repeated. */
  readonly stands?: true
  /** Whether the device has carried it out is not known, so that the reasons may say so. */
  readonly unknown?: true
  /** It says itself what is to be done: a refusal among the reasons does not. */
  readonly advises?: true
  /** When somebody is answered 424 with it, and what to do then (fixtures/outcomes.md); absent: nobody is. */
  readonly when?: string
  readonly toDo?: string
}

interface About {
  readonly number: string
  readonly paid: string
  readonly total: string
  readonly repeatedBy: RepeatedBy | undefined
}

const OUTCOME_UNKNOWN = 'Outcome unknown:'
const unknown = () => OUTCOME_UNKNOWN
const completed = ({ number }: About) => `Completed as receipt ${number}:`
const REPEATED = {
  key: 'Repeat it with the same Idempotency-Key only: without it, this would be another receipt.',
  order: 'A repeat of this order prints no second receipt.',
}
const repeat = ({ repeatedBy }: About) =>
  repeatedBy === undefined ? 'It had no Idempotency-Key: a repeat would be another receipt.' : REPEATED[repeatedBy]

export const WORDS: Readonly<Record<Effect, Words>> = {
  /** Carried out. The answer is its data, no sentence. */
  asAsked: {},
  nothing: {
    when: 'It failed before the device had printed anything.',
    toDo: 'Put right what it names, then send the request again: nothing of it was printed.',
  },
  heldUp: {
    tail: ({ number }) => `Receipt ${number} of an earlier request has to be ended first.`,
    when: 'The receipt of an earlier request stands in its way.',
    toDo: 'Put right what it names, then send the request again: receipt 17 is ended first, then yours is printed.',
  },
  /** A receipt that the service has not opened stands in its way. */
  otherIsOpen: {
    tail: ({ number }) =>
      `A receipt of another program is open (No ${number}): finish or cancel it there, or cancel-fiscal-receipt.`,
    advises: true,
  },
  /** The same, one that is not fiscal. */
  otherNonFiscalIsOpen: {
    tail: ({ number }) =>
      `A non-fiscal receipt of another program is open (No ${number}): finish or cancel it there, or cancel-non-fiscal-receipt.`,
    advises: true,
  },
  /** The same; another request of the service has opened it step by step. */
  ownIsOpen: {
    tail: ({ number }) =>
      `Receipt ${number}, which open-fiscal-receipt or open-non-fiscal-receipt has opened, is open: finish or cancel it first.`,
    advises: true,
  },
  /** The same, where the answer to that request was never heard. */
  perhapsOwnIsOpen: {
    tail: ({ number }) =>
      `Receipt ${number} is open. A request to open one, whose answer was lost, or another program has opened it: finish or cancel it first.`,
    advises: true,
  },
  noReceipt: {
    tail: () => 'No receipt was printed.',
    when: 'A complete receipt failed at its opening.',
    toDo: 'Put right what it names, then send the request again.',
  },
  notCarriedOut: {
    tail: () => 'Nothing of it was carried out.',
    when: 'A command failed, and the device has done nothing of it.',
    toDo: 'Put right what it names, then send the request again.',
  },
  stillOpen: {
    tail: () => 'The receipt is still open.',
    when: 'A close failed.',
    toDo: 'Put right what it names, then send the request again; status-of-the-fiscal-transaction says what stands on the receipt.',
  },
  cancelled: {
    tail: () => 'The receipt was cancelled.',
    when: 'A complete receipt failed before its first payment.',
    toDo: 'The paper shows a cancelled receipt, which counts in no total. Put right what it names, then send the request again.',
  },
  /** Its documents are on paper, but not as asked for. */
  printed: {
    stands: true,
    when: 'The device has printed a report, a copy or a movement of cash twice; or a legacy job without a key has failed behind lines that are carried out.',
    toDo: 'What it names stands on the paper and in the memory of the device: do not send the request again. What was printed twice, compare and correct by hand; of a legacy job, send only the lines that follow.',
  },
  /** The receipt exists, but not as asked for. */
  completedInCash: {
    head: completed,
    tail: () => 'The rest was paid in cash.',
    stands: true,
    when: 'It could not be paid as it was asked for.',
    toDo: 'Receipt 17 counts. Do not send the request again; enter in your books that the rest was registered as cash.',
  },
  completedByOther: {
    head: completed,
    tail: () =>
      'Another program has paid or ended it, or this service did and could not write that down: compare its rows and payments on the paper.',
    stands: true,
    when: 'Another program has paid on it or ended it, or the service did while its disk failed.',
    toDo: 'Receipt 17 counts. Do not send the request again; take rows and payments from the paper.',
  },
  completedTwice: {
    head: completed,
    tail: () => 'The device was cut off for a moment: a line of text stands on it twice.',
    stands: true,
    when: 'A line of text of a complete receipt stands on it twice; all else is as it was asked for.',
    toDo: 'Receipt 17 counts, with its rows and payments. Do not send the request again.',
  },
  completedInDoubt: {
    head: completed,
    tail: () => 'A line of text or a barcode may stand on it twice or not at all: look at its paper.',
    stands: true,
    when: 'The command of a line of text, a barcode, a separating line or a printed subtotal of a complete receipt was written again or not answered, and the device does not tell what became of it; all else is as it was asked for.',
    toDo: 'Receipt 17 counts, with its rows and payments. Do not send the request again.',
  },
  completedAndMore: {
    head: completed,
    stands: true,
    when: 'A legacy job that asks for a copy or a report behind its receipt: the device has printed it twice, or may have.',
    toDo: 'Receipt 17 counts, and is as it was asked for. Do not send the request again.',
  },
  owed: {
    head: (about) => `${completed(about)} it is paid and can no longer be cancelled; only its end is not printed yet.`,
    tail: (about) => `It is ended as soon as the device can, before anything else. ${repeat(about)}`,
    stands: true,
    when: 'All of it is paid, and the device cannot print its end now.',
    toDo: 'Receipt 17 counts. Put the device in order; the next request of anybody ends it first. With a key, send the same request again: it is answered 200. Without one, look for receipt 17 on the paper.',
  },
  owedInPart: {
    head: (about) =>
      `${completed(about)} ${about.paid} of ${about.total} is registered, so that it can no longer be cancelled; ` +
      'only its end is not printed yet.',
    tail: (about) =>
      `As soon as the device can, before anything else, the rest will be paid and the receipt ended. ${repeat(about)}`,
    stands: true,
    when: 'A part of it is paid, and the device cannot go on now.',
    toDo: 'As above; the rest will be paid as it was asked for, in cash where that cannot be.',
  },
  toBeCancelled: {
    tail: () => 'The receipt that was begun is cancelled before the next request; nothing was sold.',
    unknown: true,
    when: 'The device went away before the first payment.',
    toDo: 'Put right what it names, then send the request again: the receipt that was begun is cancelled first.',
  },
  toBeFoundOut: {
    tail: () => 'Whether a receipt was opened is found out before the next request.',
    unknown: true,
    when: 'The device went away before it had acknowledged the opening.',
    toDo: 'Put right what it names, then send the request again.',
  },
  unknown: {
    head: unknown,
    stands: true,
    unknown: true,
    when: 'The device went away, and has not been asked since.',
    toDo: 'With a key, send the same request again when the device answers: it is settled first, and answered 200 if it was printed. Without one, look at the paper before you send it again.',
  },
  unknownCommand: {
    head: unknown,
    tail: () => 'It is settled before the next request.',
    stands: true,
    unknown: true,
    when: 'The device went away behind a single command.',
    toDo: 'As above. A step inside a receipt: ask status-of-the-fiscal-transaction what stands on it.',
  },
  unknownReceipt: {
    head: unknown,
    tail: (about) => `What became of the receipt is settled before the next request. ${repeat(about)}`,
    stands: true,
    unknown: true,
    when: 'The device went away behind a payment, or behind the close.',
    toDo: 'As above.',
  },
  waiting: {
    head: unknown,
    tail: (about) => `The request continues by itself, or will be settled before the next request. ${repeat(about)}`,
    stands: true,
    unknown: true,
    when: 'The device waits in the middle of the request, for paper or for its cover. The service has not given the request up.',
    toDo: 'Put in a new roll or close the cover. With a key, send the same request again: it is answered with the outcome. Without one, GET /api/status tells when the request has ended.',
  },
  begunElsewhere: {
    tail: () => 'Nothing was sold; if the receipt that was begun stands open there, cancel it by hand.',
    when: 'Another device is connected than the one on which it was begun, and nothing was paid.',
    toDo: 'Send the request again for the device that is connected now. If a receipt stands open on the other one, cancel it there.',
  },
  elsewhere: {
    head: unknown,
    stands: true,
    unknown: true,
    when: 'Another device is connected than the one on which it was begun, and it may be printed there.',
    toDo: 'Look at the paper of the device that it names. With a key: connect that device again and send the request, or, if the paper shows no receipt, send it with a new key.',
  },
  undecided: {
    head: unknown,
    stands: true,
    unknown: true,
    when: 'The device has been asked, and its answers do not decide it.',
    toDo: 'Nobody will know more later: compare the paper with what it names. The answer is kept for its key; if the paper shows that nothing was printed, send the request with a new key.',
  },
  /** A mistake of this program. */
  unforeseen: { stands: true, unknown: true },
}

export function sentenceOf({ effect, receiptNumber = '', paid, repeatedBy, path, reasons }: Outcome): string {
  const words = WORDS[effect]
  const about = {
    number: receiptNumber,
    paid: formatMoney(paid?.paid ?? 0),
    total: formatMoney(paid?.total ?? 0),
    repeatedBy,
  }
  const texts = [...new Set(reasons.map((reason) => textOf(reason, words)))].join(' ')
  const middle = path === undefined ? texts : `${path}: ${texts}`
  return [words.head?.(about), middle, words.tail?.(about)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

/** Does the sentence say what a refusal of the device means, and what to do about it? */
export const explainsRefusal = ({ effect, reasons }: Outcome): boolean =>
  !WORDS[effect].advises && reasons.some((reason) => reason.kind === 'refused' && reason.here !== undefined)

/** The same for a caller who knows an open end by its beginning only. */
export const openSentenceOf = (outcome: Outcome): string =>
  WORDS[outcome.effect].head ? sentenceOf(outcome) : `${OUTCOME_UNKNOWN} ${sentenceOf(outcome)}`

/** What the device may have done goes on after `Outcome unknown:`, and is a sentence of its own everywhere else. */
function textOf(reason: Reason, { head, tail, stands, unknown: isUnknown, advises }: Words): string {
  if (reason.kind === 'said') return reason.text
  if (reason.kind === 'totalDiffers') {
    return `The device comes to ${formatMoney(reason.device)} instead of ${formatMoney(reason.expected)}.`
  }
  // It begins with the name of a field.
  if (reason.kind === 'badValue') return describeProblem(reason)
  const plain = reason.kind === 'refused' && advises ? withoutAdvice(reason) : reason
  const text = describeProblem(plain, { mayRepeat: !stands, isKnown: !isUnknown })
  const goesOn = reason.kind === 'outcomeUnknown' && head === unknown && tail === undefined
  return goesOn ? text : capital(text)
}

/** The beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function withoutAdvice({
  here: _,
  ...refusal
}: Extract<Reason, { kind: 'refused' }>): Extract<Reason, { kind: 'refused' }> {
  return refusal
}
