/**
 * The message of every effect. Only this file converts an outcome to text. `check` compares these messages with the
 * journal of the device.
 */
import { capitalize } from '../../drivers/model/capitalize.ts'
import { describeProblem } from '../../drivers/model/errors.ts'
import { formatMoney } from '../../drivers/model/money.ts'
import type { Effect, Outcome, Reason, RepeatedBy } from './outcome.ts'

interface Words {
  readonly head?: (about: About) => string
  readonly tail?: (about: About) => string
  /** A part of the request may be printed, so the reasons must not advise a retry. */
  readonly isPartlyPrinted?: true
  /** The reasons may say that the outcome is unknown. */
  readonly unknown?: true
  /** The text contains advice, so the advice of a refusal among the reasons is omitted. */
  readonly advises?: true
  /**
   * Situation in which a caller gets this effect with status 424; `toDo` is the advice (fixtures/outcomes.md). Absent
   * if no caller gets it.
   */
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
const RETRY_TEXTS = {
  key: 'Retry only with the same Idempotency-Key; a retry without it would print a second receipt.',
  order: 'Retrying this order will not print a second receipt.',
}
const repeat = ({ repeatedBy }: About) =>
  repeatedBy === undefined
    ? 'This request had no Idempotency-Key, so a retry would print a second receipt.'
    : RETRY_TEXTS[repeatedBy]

export const WORDS: Readonly<Record<Effect, Words>> = {
  asRequested: {},
  nothing: {
    when: 'The request failed before the device printed anything.',
    toDo: 'Fix the reported problem and retry. Nothing was printed.',
  },
  blockedByEarlier: {
    tail: ({ number }) =>
      `Receipt ${number} of an earlier request must be completed or cancelled first. The service will do that at the next request; nothing was printed for this one.`,
    when: 'A receipt of an earlier request is in the way.',
    toDo: 'Fix the reported problem and retry. The service will first complete or cancel receipt 17, then print yours.',
  },
  otherIsOpen: {
    tail: ({ number }) =>
      `Receipt ${number}, opened by another program, is still open. Close or cancel it in that program, or call cancel-fiscal-receipt.`,
    advises: true,
  },
  otherNonFiscalIsOpen: {
    tail: ({ number }) =>
      `Non-fiscal receipt ${number}, opened by another program, is still open. Close or cancel it in that program, or call cancel-non-fiscal-receipt.`,
    advises: true,
  },
  /** Another request of the service opened the receipt step by step. */
  ownIsOpen: {
    tail: ({ number }) =>
      `Receipt ${number}, opened with open-fiscal-receipt or open-non-fiscal-receipt, is still open. Close or cancel it first.`,
    advises: true,
  },
  /** An earlier request, whose answer was lost, may have opened the receipt. */
  perhapsOwnIsOpen: {
    tail: ({ number }) =>
      `Receipt ${number} is open. It was opened either by an earlier open request whose response was lost, or by another program. Close or cancel it first.`,
    advises: true,
  },
  noReceipt: {
    tail: () => 'No receipt was printed.',
    when: 'The device failed to open a complete receipt.',
    toDo: 'Fix the reported problem and retry.',
  },
  notCarriedOut: {
    tail: () => 'The device did not execute the command.',
    when: 'A command failed and the device did not execute it.',
    toDo: 'Fix the reported problem and retry.',
  },
  stillOpen: {
    tail: () => 'The receipt is still open.',
    when: 'The receipt could not be closed.',
    toDo: 'Fix the reported problem and retry. Call status-of-the-fiscal-transaction to see what is on the receipt.',
  },
  cancelled: {
    tail: () => 'The receipt was cancelled.',
    when: 'A complete receipt failed before its first payment.',
    toDo: 'The paper shows a cancelled receipt, which does not count in any total. Fix the reported problem and retry.',
  },
  printed: {
    isPartlyPrinted: true,
    when: 'The device printed a report, a copy or a cash movement twice; or a legacy job without a key failed after some of its lines had been executed.',
    toDo: 'Do not retry: the documents named in the message are printed and stored in the device. Correct a duplicate manually. For a legacy job, send only the remaining lines.',
  },
  completedInCash: {
    head: completed,
    tail: () => 'The remaining amount was registered as a cash payment.',
    isPartlyPrinted: true,
    when: 'The receipt could not be paid as requested.',
    toDo: 'Receipt 17 is valid. Do not retry. Record in your books that the remaining amount was registered as cash.',
  },
  completedByOther: {
    head: completed,
    tail: () =>
      'Another program registered a payment or closed the receipt, or this service did and could not store it in its operation log. Take the items and payments from the paper.',
    isPartlyPrinted: true,
    when: 'Another program registered a payment on the receipt or closed it, or the service did while its disk failed or its computer lost power.',
    toDo: 'Receipt 17 is valid. Do not retry. Take its items and payments from the paper.',
  },
  completedTwice: {
    head: completed,
    tail: () => 'The device was interrupted and printed a line of text twice; items and payments are correct.',
    isPartlyPrinted: true,
    when: 'A line of text of a complete receipt was printed twice; everything else is as requested.',
    toDo: 'Receipt 17 is valid, with the requested items and payments. Do not retry.',
  },
  completedUnconfirmed: {
    head: completed,
    tail: () =>
      'A line of text or a barcode may be missing or printed twice; items and payments are correct. Check the paper.',
    isPartlyPrinted: true,
    when: 'The command for a line of text, a barcode, a separating line or a printed subtotal was retransmitted or not acknowledged, and the device does not report whether it was executed; everything else is as requested.',
    toDo: 'Receipt 17 is valid, with the requested items and payments. Do not retry.',
  },
  completedAndMore: {
    head: completed,
    isPartlyPrinted: true,
    when: 'A legacy job requested a copy or a report after its receipt, and the device printed that twice or may have.',
    toDo: 'Receipt 17 is valid and as requested. Do not retry.',
  },
  paidNotClosed: {
    head: (about) =>
      `${completed(about)} the receipt is fully paid and can no longer be cancelled, but the device has not closed it yet.`,
    tail: (about) => `The service will close it before it processes any other request. ${repeat(about)}`,
    isPartlyPrinted: true,
    when: 'The receipt is fully paid, and the device cannot close it now.',
    toDo: 'Receipt 17 is valid. Fix the device. The service will close the receipt before it processes the next request from any client. If you used a key, retry with it: the answer will be 200. If not, look for receipt 17 on the paper.',
  },
  partlyPaidNotClosed: {
    head: (about) =>
      `${completed(about)} ${about.paid} of ${about.total} has been paid, so the receipt can no longer be cancelled, ` +
      'but the device has not closed it yet.',
    tail: (about) =>
      `The service will register the remaining payments and close the receipt before it processes any other request. ${repeat(about)}`,
    isPartlyPrinted: true,
    when: 'The receipt is partly paid, and the device cannot continue now.',
    toDo: 'As above. The service will register the remaining payments as requested, or in cash if the device refuses them.',
  },
  toBeCancelled: {
    tail: () =>
      'Nothing was sold. If a receipt was opened, the service will cancel it before it processes any other request.',
    unknown: true,
    when: 'The connection to the device was lost before the first payment.',
    toDo: 'Fix the reported problem and retry. The service will first cancel the open receipt.',
  },
  toBeFoundOut: {
    tail: () => 'The service will determine whether a receipt was opened before it processes any other request.',
    unknown: true,
    when: 'The connection to the device was lost before the device had acknowledged the opening.',
    toDo: 'Fix the reported problem and retry.',
  },
  unknown: {
    head: unknown,
    isPartlyPrinted: true,
    unknown: true,
    when: 'The connection to the device was lost, and the service could not query the device since.',
    toDo: 'If you used a key, retry with it when the device responds: the service will first determine what happened, and answer 200 if the receipt was printed. If not, check the paper before you retry.',
  },
  unknownCommand: {
    head: unknown,
    tail: () => 'The service will determine the outcome before it processes any other request.',
    isPartlyPrinted: true,
    unknown: true,
    when: 'The connection to the device was lost after a single command.',
    toDo: 'As above. For a step within a receipt, call status-of-the-fiscal-transaction to see what is on the receipt.',
  },
  unknownReceipt: {
    head: unknown,
    tail: (about) =>
      `The service will determine the outcome of the receipt before it processes any other request. ${repeat(about)}`,
    isPartlyPrinted: true,
    unknown: true,
    when: 'The connection to the device was lost after a payment or after the close command.',
    toDo: 'As above.',
  },
  waiting: {
    head: unknown,
    tail: (about) =>
      `The service will continue this request, or determine its outcome before it processes any other request. ${repeat(about)}`,
    isPartlyPrinted: true,
    unknown: true,
    when: 'The device waits in the middle of the request, for paper or for its cover, and the service has not given the request up.',
    toDo: 'Load a new roll or close the cover. If you used a key, retry with it: the answer will be the outcome. If not, GET /api/status shows when the request has ended; check the paper before you retry.',
  },
  startedOnOtherDevice: {
    tail: () => 'Nothing was sold. If the receipt is still open on that device, cancel it there manually.',
    when: 'A different device is connected than the one on which the request started, and nothing was paid.',
    toDo: 'Retry for the device that is connected now. If a receipt is still open on the other device, cancel it there.',
  },
  maybeOnOtherDevice: {
    head: unknown,
    isPartlyPrinted: true,
    unknown: true,
    when: 'A different device is connected than the one on which the request started, and the receipt may have been printed there.',
    toDo: 'Check the paper of the device named in the message. If you used a key: reconnect that device and retry; or, if its paper shows no receipt, retry with a new key.',
  },
  undecided: {
    head: unknown,
    isPartlyPrinted: true,
    unknown: true,
    when: 'The service queried the device, and the answers do not show what happened.',
    toDo: 'No later query will show more. Compare the paper with the message. The answer is stored for its key; if the paper shows that nothing was printed, send the request with a new key.',
  },
  unforeseen: { isPartlyPrinted: true, unknown: true },
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

/** Returns whether the message explains a refusal of the device and gives advice. */
export const explainsRefusal = ({ effect, reasons }: Outcome): boolean =>
  !WORDS[effect].advises && reasons.some((reason) => reason.kind === 'refused' && reason.here !== undefined)

/**
 * Returns a message for callers that recognize an open operation by its beginning. If the message has no such
 * beginning, `Outcome unknown:` is added.
 */
export const openSentenceOf = (outcome: Outcome): string =>
  WORDS[outcome.effect].head ? sentenceOf(outcome) : `${OUTCOME_UNKNOWN} ${sentenceOf(outcome)}`

/** Returns the text of a reason: a sentence, unless it continues the words `Outcome unknown:`. */
function textOf(reason: Reason, { head, tail, isPartlyPrinted, unknown: isUnknown, advises }: Words): string {
  if (reason.kind === 'text') return reason.text
  if (reason.kind === 'totalDiffers') {
    return `The device calculated a total of ${formatMoney(reason.device)} instead of the expected ${formatMoney(reason.expected)}.`
  }
  // The text begins with the name of a field, which must not be capitalized.
  if (reason.kind === 'badValue') return describeProblem(reason)
  const plain = reason.kind === 'refused' && advises ? withoutAdvice(reason) : reason
  const text = describeProblem(plain, { mayRepeat: !isPartlyPrinted, isKnown: !isUnknown })
  const goesOn = reason.kind === 'outcomeUnknown' && head === unknown && tail === undefined
  return goesOn ? text : capitalize(text)
}

function withoutAdvice({
  here: _,
  ...refusal
}: Extract<Reason, { kind: 'refused' }>): Extract<Reason, { kind: 'refused' }> {
  return refusal
}
