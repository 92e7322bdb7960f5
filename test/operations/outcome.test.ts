import { describe, expect, it } from 'vitest'
import { DeviceError, type DeviceProblem } from '../../drivers/model/errors.ts'
import { isRefusal, isSilence } from '../../server/operations/failures.ts'
import { type Effect, outcomeOf, type Reason, textReason, withEffect } from '../../server/operations/outcome.ts'
import { explainsRefusal, openSentenceOf, sentenceOf } from '../../server/operations/sentences.ts'
import { withWords } from '../support/verdict-rows.ts'

/** The sentence of every effect with the reason `Why.`, for receipt 7 with 1.00 of 4.80 paid. */
const SENTENCES: Readonly<Record<Effect, string>> = {
  asRequested: 'Why.',
  nothing: 'Why.',
  blockedByEarlier:
    'Why. Receipt 7 of an earlier request must be completed or cancelled first. The service will do that at the next request; nothing was printed for this one.',
  otherIsOpen:
    'Why. Receipt 7, opened by another program, is still open. Close or cancel it in that program, or call cancel-fiscal-receipt.',
  otherNonFiscalIsOpen:
    'Why. Non-fiscal receipt 7, opened by another program, is still open. Close or cancel it in that program, or call cancel-non-fiscal-receipt.',
  ownIsOpen:
    'Why. Receipt 7, opened with open-fiscal-receipt or open-non-fiscal-receipt, is still open. Close or cancel it first.',
  perhapsOwnIsOpen:
    'Why. Receipt 7 is open. It was opened either by an earlier open request whose response was lost, or by another program. Close or cancel it first.',
  noReceipt: 'Why. No receipt was printed.',
  notCarriedOut: 'Why. The device did not execute the command.',
  stillOpen: 'Why. The receipt is still open.',
  cancelled: 'Why. The receipt was cancelled.',
  printed: 'Why.',
  completedInCash: 'Completed as receipt 7: Why. The remaining amount was registered as a cash payment.',
  completedTwice:
    'Completed as receipt 7: Why. The device was interrupted and printed a line of text twice; items and payments are correct.',
  completedUnconfirmed:
    'Completed as receipt 7: Why. A line of text or a barcode may be missing or printed twice; items and payments are correct. Check the paper.',
  completedAndMore: 'Completed as receipt 7: Why.',
  completedByOther:
    'Completed as receipt 7: Why. Another program registered a payment or closed the receipt, or this service did and could not store it in its operation log. Take the items and payments from the paper.',
  paidNotClosed:
    'Completed as receipt 7: the receipt is fully paid and can no longer be cancelled, but the device has not closed it yet. Why. ' +
    'The service will close it before it processes any other request. ' +
    'This request had no Idempotency-Key, so a retry would print a second receipt.',
  partlyPaidNotClosed:
    'Completed as receipt 7: 1.00 of 4.80 has been paid, so the receipt can no longer be cancelled, but the device has not ' +
    'closed it yet. Why. The service will register the remaining payments and close the receipt before it processes any other request. ' +
    'This request had no Idempotency-Key, so a retry would print a second receipt.',
  toBeFoundOut: 'Why. The service will determine whether a receipt was opened before it processes any other request.',
  toBeCancelled:
    'Why. Nothing was sold. If a receipt was opened, the service will cancel it before it processes any other request.',
  startedOnOtherDevice: 'Why. Nothing was sold. If the receipt is still open on that device, cancel it there manually.',
  unknown: 'Outcome unknown: Why.',
  unknownCommand: 'Outcome unknown: Why. The service will determine the outcome before it processes any other request.',
  unknownReceipt:
    'Outcome unknown: Why. The service will determine the outcome of the receipt before it processes any other request. ' +
    'This request had no Idempotency-Key, so a retry would print a second receipt.',
  waiting:
    'Outcome unknown: Why. The service will continue this request, or determine its outcome before it processes any other request. ' +
    'This request had no Idempotency-Key, so a retry would print a second receipt.',
  maybeOnOtherDevice: 'Outcome unknown: Why.',
  undecided: 'Outcome unknown: Why.',
  unforeseen: 'Why.',
}

const about = { status: 424, receiptNumber: '7', paid: { paid: 100, total: 480 } } as const
const EFFECTS = Object.entries(SENTENCES) as [Effect, string][]

const REASONS: readonly Reason[] = [
  { kind: 'refused', code: '1', key: 'no', meaning: 'not now' },
  { kind: 'cannotPrint', condition: 'noPaper' },
  { kind: 'unsupported', why: 'This device cannot do it.' },
  { kind: 'badValue', field: 'price', why: 'too large' },
  { kind: 'portMissing', path: '/dev/x', why: 'no such file' },
  { kind: 'portLost', path: '/dev/x', why: 'unplugged' },
  { kind: 'noAnswer' },
  { kind: 'stillBusy' },
  { kind: 'notThisFamily', why: 'an echo' },
  { kind: 'lineNoise', why: 'damaged' },
  { kind: 'outcomeUnknown', what: 'the device did not answer', command: 'payment' },
  { kind: 'text', text: 'Why.' },
  { kind: 'totalDiffers', device: 480, expected: 500 },
]

describe('the sentence of an outcome', () => {
  it.each(EFFECTS)('states the effect %s', (effect, sentence) => {
    expect(sentenceOf({ ...about, effect, reasons: [textReason('Why.')] })).toBe(sentence)
  })

  it.each(EFFECTS)('for %s requests no retry, and does not contradict itself without a reason', (effect) => {
    for (const reason of REASONS) {
      const sentence = sentenceOf({ ...about, effect, reasons: [reason, reason] })
      expect(sentence.match(/Completed as receipt|Outcome unknown:/g)?.length ?? 0, sentence).toBeLessThan(2)
      expect(sentence.match(/may have executed/g)?.length ?? 0, sentence).toBeLessThan(2)
      // Only sentences about an open outcome contain `may have executed`. Sentences about a completed receipt or an
      // unknown outcome suggest no retry.
      const isOpen = /^Outcome unknown:|before it processes any other request/.test(sentence) || effect === 'unforeseen'
      if (!isOpen) expect(sentence).not.toMatch(/may have executed/)
      if (/^(Completed|Outcome unknown)/.test(sentence)) expect(sentence).not.toMatch(/\band retry\b/)
    }
  })

  it.each([
    ['key', 'Retry only with the same Idempotency-Key; a retry without it would print a second receipt.'],
    ['order', 'Retrying this order will not print a second receipt.'],
  ] as const)('states the effect of a retry by its %s', (repeatedBy, sentence) => {
    for (const effect of ['paidNotClosed', 'partlyPaidNotClosed', 'unknownReceipt', 'waiting'] as const) {
      expect(sentenceOf({ ...about, effect, repeatedBy, reasons: [] }).endsWith(sentence)).toBe(true)
    }
  })

  // The sentences are created in the test body, because mutants count as detected only there (test/mutants).
  const lost = new DeviceError({ kind: 'outcomeUnknown', what: 'the answer was lost after pay.' })
  const noPaper = new DeviceError({ kind: 'cannotPrint', condition: 'noPaper' })

  it.each([
    [
      'continues in lower case after "Outcome unknown:"',
      () => sentenceOf(outcomeOf(lost)),
      'Outcome unknown: the answer was lost after pay.',
    ],
    [
      'begins with a capital letter in other outcomes',
      () => sentenceOf(withEffect(lost, 'cancelled').outcome),
      'The answer was lost after pay. The receipt was cancelled.',
    ],
    [
      'asks for a retry if no document is on paper',
      () => sentenceOf(withEffect(noPaper, 'cancelled').outcome),
      'The printer is out of paper. Load a new roll and retry. The receipt was cancelled.',
    ],
    [
      'asks for no retry if a document is on paper',
      () => sentenceOf(withEffect(noPaper, 'completedInCash', { receiptNumber: '7' }).outcome),
      'Completed as receipt 7: The printer is out of paper. Load a new roll. The remaining amount was registered as a cash payment.',
    ],
    [
      'states a reason that occurs twice once',
      () => sentenceOf({ ...outcomeOf(noPaper), reasons: [noPaper.problem, noPaper.problem] }),
      'The printer is out of paper. Load a new roll and retry.',
    ],
    [
      'says of an unknown outcome that it is unknown, whatever it begins with',
      () => openSentenceOf({ status: 424, effect: 'toBeCancelled', reasons: [textReason('Why.')] }),
      `Outcome unknown: ${SENTENCES.toBeCancelled}`,
    ],
  ])('%s', (_, sentence, expected) => {
    expect(sentence()).toBe(expected)
  })
})

describe('the reasons in the sentence of an outcome', () => {
  const sentenceWith =
    (effect: Effect, reasons: readonly Reason[], more: object = {}) =>
    () =>
      sentenceOf({ ...about, ...more, effect, reasons })
  const LOST: Reason = { kind: 'outcomeUnknown', what: 'no answer came', command: 'sale', look: 'Check the paper' }
  const EXPLAINED: Reason = {
    kind: 'refused',
    code: '20',
    key: 'no',
    meaning: 'not now',
    here: { what: 'No receipt is open', todo: 'call open-fiscal-receipt first' },
  }

  it.each([
    ['that concern a part of the request follow its name', sentenceWith('cancelled', [textReason('Why.')], { path: 'ReceiptItems[2]' }), 'ReceiptItems[2]: Why. The receipt was cancelled.'],
    ['that are missing leave no blanks', sentenceWith('completedInCash', []), 'Completed as receipt 7: The remaining amount was registered as a cash payment.'],
    ['that are empty leave no blanks', sentenceWith('cancelled', [textReason('')]), 'The receipt was cancelled.'],
    ['that are missing leave an empty sentence if the outcome adds nothing', sentenceWith('nothing', []), ''],
    ['keep their order if there are several', sentenceWith('nothing', [textReason('One.'), textReason('Two.')]), 'One. Two.'],
    ['state a differing sum in words', sentenceWith('nothing', [{ kind: 'totalDiffers', device: 480, expected: 500 }]), 'The device calculated a total of 4.80 instead of the expected 5.00.'],
    ['continue after the beginning of the sentence', sentenceWith('unknown', [LOST]), 'Outcome unknown: no answer came after sale, which it may have executed. Check the paper.'],
    ['begin a new sentence if more text follows them', sentenceWith('unknownCommand', [LOST]), 'Outcome unknown: No answer came after sale, which it may have executed. Check the paper. The service will determine the outcome before it processes any other request.'],
    ['begin a new sentence after another beginning', sentenceWith('completedInCash', [LOST]), 'Completed as receipt 7: No answer came after sale. The remaining amount was registered as a cash payment.'],
    ['do not mention possible executions if the outcome is known', sentenceWith('cancelled', [LOST]), 'No answer came after sale. The receipt was cancelled.'],
    ['begin a new sentence if the device was silent', sentenceWith('unknown', [{ kind: 'portLost', path: 'x', why: 'unplugged' }]), 'Outcome unknown: The connection to the device at x was lost: unplugged. The service will reconnect at the next request.'],
    ['begin a new sentence if nothing precedes them', sentenceWith('nothing', [LOST]), 'No answer came after sale.'],
    ['begin a new sentence if the device has no such command', sentenceWith('unknown', [{ kind: 'unsupported', why: 'it prints no copies.' }]), 'Outcome unknown: It prints no copies.'],
    ['say what a refusal means', sentenceWith('nothing', [EXPLAINED]), 'No receipt is open (device: 20): call open-fiscal-receipt first.'],
    ['state only the refusal if the outcome says what to do', sentenceWith('otherIsOpen', [EXPLAINED]), 'The device rejected the command: not now (20, no). Receipt 7, opened by another program, is still open. Close or cancel it in that program, or call cancel-fiscal-receipt.'],
    ['follow "Outcome unknown:" only once', () => openSentenceOf({ ...about, effect: 'unknown', reasons: [textReason('why.')] }), 'Outcome unknown: why.'],
    ['are left out of the sentence of a receipt that is still to be completed', () => openSentenceOf({ ...about, effect: 'completedInCash', reasons: [] }), 'Completed as receipt 7: The remaining amount was registered as a cash payment.'],
  ])('%s', (_, sentence, expected) => {
    expect(sentence()).toBe(expected)
  }) // biome-ignore format: a table

  it.each(
    withWords({ true: 'explain', false: 'do not explain' }, [
      ['a refusal that is explained', 'nothing', [textReason('Why.'), EXPLAINED], true],
      ['a refusal that is not explained', 'nothing', [{ ...EXPLAINED, here: undefined }], false],
      ['a refusal in an outcome that says itself what to do', 'otherIsOpen', [EXPLAINED], false],
      ['no refusal', 'nothing', [textReason('Why.')], false],
      ['no reason', 'nothing', [], false],
    ] as const),
  )('%s what a refusal means: %s', (_result, _, effect, reasons, expected) => {
    expect(explainsRefusal({ ...about, effect, reasons: reasons as readonly Reason[] })).toBe(expected)
  })
})

describe('a failed call of the device', () => {
  const SILENT = ['portMissing', 'portLost', 'noAnswer', 'stillBusy', 'lineNoise', 'outcomeUnknown']
  const problems = REASONS.filter(({ kind }) => kind !== 'text' && kind !== 'totalDiffers') as readonly DeviceProblem[]
  it.each(problems)(
    'is a refusal if the device refused, silence if it did not answer, and otherwise neither: $kind',
    (problem) => {
      const error = new DeviceError(problem)
      expect([isRefusal(error), isSilence(error)]).toEqual([problem.kind === 'refused', SILENT.includes(problem.kind)])
    },
  )

  it('is a failure of the device', () => {
    const mistakes = ['refused', 'noAnswer'].map((kind) => Object.assign(new Error('mistake'), { problem: { kind } }))
    expect(mistakes.flatMap((error) => [isRefusal(error), isSilence(error)])).toEqual([false, false, false, false])
  })
})
