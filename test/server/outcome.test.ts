import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../drivers/model/errors.ts'
import { type Effect, openSentenceOf, outcomeOf, said, sentenceOf, withEffect } from '../../server/outcome.ts'

/** Every effect with its sentence around the same reason, for receipt 7. */
const SENTENCES: Readonly<Record<Effect, string>> = {
  asAsked: 'Why.',
  nothing: 'Why.',
  heldUp: 'Why. Receipt 7 of an earlier request is paid, and is ended first.',
  noReceipt: 'Why. No receipt was printed.',
  notCarriedOut: 'Why. Nothing of it was carried out.',
  stillOpen: 'Why. The receipt is still open.',
  cancelled: 'Why. The receipt was cancelled.',
  printed: 'Why.',
  completed: 'Completed as receipt 7: Why.',
  completedInCash: 'Completed as receipt 7: Why. The rest was paid in cash.',
  owed:
    'Completed as receipt 7: it is paid and can no longer be cancelled; only its end is not printed yet. Why. ' +
    'It is ended as soon as the device can, before anything else. ' +
    'Without the Idempotency-Key that it had, a repeat of this request is another receipt.',
  toBeCancelled: 'Why. The receipt that was begun is cancelled before the next request; nothing was sold.',
  unknown: 'Outcome unknown: Why.',
  unknownCommand: 'Outcome unknown: Why. It is settled before the next request.',
  unknownReceipt:
    'Outcome unknown: Why. What became of the receipt is settled before the next request. ' +
    'Without the Idempotency-Key that it had, a repeat of this request is another receipt.',
  unforeseen: 'Why.',
}

describe('the sentence of an outcome', () => {
  it.each(Object.entries(SENTENCES) as [Effect, string][])('%s', (effect, sentence) => {
    expect(sentenceOf({ status: 424, effect, receiptNumber: '7', reasons: [said('Why.')] })).toBe(sentence)
  })

  const lost = new DeviceError({ kind: 'outcomeUnknown', what: 'the answer was lost after pay.' })
  const noPaper = new DeviceError({ kind: 'cannotPrint', condition: 'noPaper' })

  it.each([
    [
      'goes on after the bare beginning',
      sentenceOf(outcomeOf(lost)),
      'Outcome unknown: the answer was lost after pay.',
    ],
    [
      'begins with a capital letter everywhere else',
      withEffect(lost, 'cancelled').message,
      'The answer was lost after pay. The receipt was cancelled.',
    ],
    [
      'asks for a repeat where nothing stands',
      withEffect(noPaper, 'cancelled').message,
      'The printer is out of paper. Put in a new roll and repeat the request. The receipt was cancelled.',
    ],
    [
      'asks for no repeat where something stands',
      withEffect(noPaper, 'completed', { receiptNumber: '7' }).message,
      'Completed as receipt 7: The printer is out of paper. Put in a new roll.',
    ],
    [
      'tells a reason that came up twice once',
      sentenceOf({ ...outcomeOf(noPaper), reasons: [noPaper.problem, noPaper.problem] }),
      'The printer is out of paper. Put in a new roll and repeat the request.',
    ],
    [
      'calls a value as the client does',
      sentenceOf(outcomeOf(new DeviceError({ kind: 'badValue', field: 'adjustment', why: 'too large' }))),
      'DiscountValue: too large.',
    ],
    [
      'says of an open end that it is unknown, whatever it begins with',
      openSentenceOf({ status: 424, effect: 'toBeCancelled', reasons: [said('Why.')] }),
      `Outcome unknown: ${SENTENCES.toBeCancelled}`,
    ],
  ])('%s', (_, sentence, expected) => {
    expect(sentence).toBe(expected)
  })
})
