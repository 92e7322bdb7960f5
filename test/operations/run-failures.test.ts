/** A request whose command has failed: its end follows from the device evidence right after the failure. */
import { describe, expect, it } from 'vitest'
import type { DeviceError } from '../../drivers/model/errors.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import { openAs } from '../../server/operations/failures.ts'
import { type Answer, type Entry, mayBePrinted } from '../../server/operations/operation.ts'
import { type Outcome, outcomeOf, type Reason, textReason } from '../../server/operations/outcome.ts'
import { run } from '../../server/operations/run.ts'
import { UnderWay } from '../../server/operations/under-way.ts'
import { withWords } from '../support/verdict-rows.ts'
import {
  alone,
  documentOf,
  type ReceiptParts,
  receipt,
  receiptToPrint,
  type Stage,
  slip,
  slipSteps,
} from './entries.ts'
import {
  allPaid,
  FISCAL,
  failingOnce,
  GIVEN_OUT,
  LACKING,
  type Method,
  NO_ANSWER,
  NO_PAPER,
  open,
  openAt,
  partPaid,
  REFUSED,
  retransmitted,
  type Script,
  scriptedPrinter,
  TAKES_ALL,
  UNKNOWN,
  unpaid,
} from './scripted-printer.ts'

/** The command that fails first at this stage of a receipt. */
const FAILS_AT: Readonly<Record<Exclude<Stage, 'cancelling' | 'done'>, Method>> = {
  ...{ opening: 'openFiscal', filling: 'sell', paying: 'pay', closing: 'closeFiscal' },
}

interface Failing {
  readonly at: keyof typeof FAILS_AT
  readonly error: unknown
  readonly of?: ReceiptParts | undefined
  /** The device evidence before the request; LACKING if the device has none. */
  readonly before?: Partial<Evidence> | DeviceError | undefined
}

/** Runs a complete receipt that fails at this stage. `says` is the device evidence from then on. */
function failing({ says, ...script }: Script, { at, error, of, before = {} }: Failing) {
  const printer = scriptedPrinter({ ...script, says: [before, ...says], more: { ...TAKES_ALL, ...script.more } })
  const progress = new UnderWay()
  const end: Promise<Answer> = run(
    { steps: receiptToPrint(of) },
    { printer: failingOnce(printer, FAILS_AT[at], error), progress },
  )
  /** The query before the first command is left out. */
  const story = () => printer.story.slice(1)
  return { end, progress, story }
}

/** Returns the outcome of a rejection. Work that does not reject gives an outcome that no test expects. */
const outcomeIn = async (work: Promise<unknown>): Promise<Outcome> => outcomeOf(await work.catch((error) => error))

describe('a document of a request that failed', () => {
  it.each(
    withWords<[string, Entry, boolean]>({ true: 'may be permanent', false: 'is not permanent' }, [
      ['a receipt that is opened', receipt('opening'), false],
      ['a receipt in progress', receipt('filling'), false],
      ['a non-fiscal receipt in progress', slip('filling'), false],
      ['a receipt that is cancelled at its end', receipt('cancelling'), false],
      [
        'a receipt of 0.00 that is cancelled at its end, and perhaps paid',
        receipt('cancelling', { perhapsPaid: true }),
        true,
      ],
      ['a receipt that is paid', receipt('paying'), true],
      ['a receipt that is closed', receipt('closing'), true],
      ['a non-fiscal receipt that is closed', slip('closing'), true],
      ['a completed receipt', receipt('done'), true],
      ['a step', alone({ does: 'cancel' }), true],
      ['a report', documentOf('x'), true],
    ]),
  )('%s: %s', (_result, _, entry, may) => {
    expect(mayBePrinted(entry)).toBe(may)
  })
})

describe('a complete receipt whose opening certainly failed', () => {
  const opening = (error: unknown, before?: Failing['before']) =>
    failing({ says: [{}] }, { at: 'opening', error, before })

  it.each<[string, Partial<Evidence>, string]>([
    ['by its number', { open: openAt(15) }, '15'],
    ['by the number of the last document', { open: openAt(null) }, '16'],
    ['without a number, which the device does not report', { open: openAt(null), lastDocument: null }, ''],
  ])('is reported with the receipt that was open before, %s, and causes no query', async (_, before, receiptNumber) => {
    const one = opening(REFUSED, before)
    expect(await outcomeIn(one.end)).toEqual({
      ...{ status: 400, effect: 'otherIsOpen', receiptNumber },
      reasons: [REFUSED.problem],
    })
    expect(one.story()).toEqual([])
  })

  it.each([
    ['nothing was open', {}, REFUSED],
    ['the device did not report what was open', LACKING, REFUSED],
    ['the failure was not a refusal', { open: openAt(15) }, NO_PAPER],
  ])('is reported unchanged if %s', async (_, before, error) => {
    const one = opening(error, before)
    await expect(one.end).rejects.toBe(error)
    expect(one.story()).toEqual([])
  })

  it('causes a query if a command was retransmitted', async () => {
    const outcome = await outcomeIn(opening(retransmitted(REFUSED)).end)
    expect(outcome).toEqual({ status: 400, effect: 'noReceipt', reasons: [REFUSED.problem] })
  })

  it('causes a query if the opening may have been executed', async () => {
    const one = failing({ says: [open(17)] }, { at: 'opening', error: UNKNOWN })
    expect(await outcomeIn(one.end)).toMatchObject({ effect: 'cancelled' })
  })
})

describe('a complete receipt that failed after its opening', () => {
  const closed = { says: [GIVEN_OUT], documents: { 17: FISCAL } }

  it('is reported with its number when it is closed as requested', async () => {
    expect(await failing(closed, { at: 'closing', error: UNKNOWN }).end).toEqual({ text: '', receiptNumber: '17' })
  })

  it('has no number if it is non-fiscal', async () => {
    const documents = { 17: { kind: 'nonFiscal', total: null } } as const
    const printer = scriptedPrinter({ says: [{}, GIVEN_OUT], documents, more: TAKES_ALL })
    const on = { printer: failingOnce(printer, 'closeNonFiscal', UNKNOWN), progress: new UnderWay() }
    expect(await run({ steps: slipSteps() }, on)).toEqual({ text: '' })
  })

  const why = 'Document 17 was not opened by this request.'
  const maybeOnOtherDevice =
    'It started on the device with serial number S1, but S2 is connected now. Check the paper of S1, or reconnect it.'
  const other = { says: [{ ...open(18), serialNumber: 'S2' }] }
  const either = textReason(
    'The device with the serial number S1 answered before this request, and S2 is connected now: the request reached one of them. Check the paper of both devices.',
  )
  it.each<[string, Script, Failing['at'], ReceiptParts | undefined, Partial<Outcome>]>([
    ['is cancelled', { says: [unpaid] }, 'filling', undefined, { status: 400, effect: 'cancelled' }],
    ['was closed by another program', closed, 'filling', undefined, { status: 400, effect: 'completedByOther', receiptNumber: '17' }],
    ['is paid in cash', { says: [partPaid] }, 'paying', { payments: [{ mode: 1 }] }, { status: 400, effect: 'completedInCash', receiptNumber: '17' }],
    ['is not proven', { says: [GIVEN_OUT], documents: { 17: { kind: 'x', total: null } } }, 'closing', undefined, { status: 424, effect: 'undecided', reasons: [REFUSED.problem, textReason(why)] }],
    ['began on another device, with nothing on paper', other, 'filling', undefined, { status: 424, effect: 'startedOnOtherDevice', reasons: [REFUSED.problem, textReason(maybeOnOtherDevice)] }],
    ['has the number of a receipt that is open on the connected device', { says: [{ ...unpaid, serialNumber: 'S2' }] }, 'filling', undefined, { status: 424, effect: 'undecided', reasons: [REFUSED.problem, either] }],
    ['may be printed on another device', other, 'paying', undefined, { status: 424, effect: 'maybeOnOtherDevice', reasons: [REFUSED.problem, textReason(maybeOnOtherDevice)] }],
  ])('%s, and says so', async (_, script, at, of, outcome) => {
    const result = await outcomeIn(failing(script, { at, error: REFUSED, of }).end)
    expect(result).toEqual({ reasons: [REFUSED.problem], ...outcome })
  }) // biome-ignore format: a table

  it('stores each step of its recovery before it is sent', async () => {
    const one = failing({ says: [unpaid], fails: { cancelFiscal: NO_ANSWER } }, { at: 'filling', error: REFUSED })
    await outcomeIn(one.end)
    expect(one.progress.entry.is).toBe('cancelling')
    const fails = { closeFiscal: NO_ANSWER }
    const two = failing(
      { says: [unpaid, partPaid], fails },
      { at: 'paying', error: REFUSED, of: { payments: [{ mode: 1, amount: 480 }] } },
    )
    await outcomeIn(two.end)
    expect(two.progress.entry).toMatchObject({ at: 4, inCash: true })
  })

  describe('and whose recovery failed too', () => {
    const both = (second: Reason): readonly Reason[] => [NO_PAPER.problem, second]
    const noPaper = both(NO_PAPER.problem)
    const part = { paid: 100, total: 480 }
    it.each<[string, Script['says'], Failing['at'], Outcome, Failing['before']?]>([
      ['is cancelled later, before its first payment', [NO_ANSWER], 'filling', { status: 424, effect: 'toBeCancelled', reasons: both(NO_ANSWER.problem) }],
      ['is cancelled later if another receipt was open before', [NO_ANSWER], 'filling', { status: 424, effect: 'toBeCancelled', reasons: both(NO_ANSWER.problem) }, { open: openAt(16) }],
      ['is unknown after a payment', [NO_ANSWER], 'paying', { status: 424, effect: 'unknownReceipt', reasons: both(NO_ANSWER.problem) }],
      ['is unknown after its close', [NO_ANSWER], 'closing', { status: 424, effect: 'unknownReceipt', reasons: both(NO_ANSWER.problem) }],
      ['is paid and not closed', [NO_PAPER, allPaid], 'closing', { status: 424, effect: 'paidNotClosed', receiptNumber: '17', reasons: noPaper }],
      ['is partly paid and not closed', [NO_PAPER, partPaid], 'paying', { status: 424, effect: 'partlyPaidNotClosed', receiptNumber: '17', paid: part, reasons: noPaper }],
      ['is cancelled later, as nothing is paid', [NO_PAPER, unpaid], 'paying', { status: 424, effect: 'toBeCancelled', reasons: noPaper }],
      ['is unknown if nothing of it is open', [NO_PAPER, GIVEN_OUT], 'closing', { status: 424, effect: 'unknownReceipt', reasons: noPaper }],
      ['is cancelled later if nothing of it was paid or is open', [NO_PAPER, GIVEN_OUT], 'filling', { status: 424, effect: 'toBeCancelled', reasons: noPaper }],
    ])('%s', async (_, says, at, outcome, before) => {
      const one = failing({ says }, { at, error: NO_PAPER, before })
      expect(await outcomeIn(one.end)).toEqual(outcome)
      const { receiptNumber, paid } = outcome
      expect([one.progress.entry.receiptNumber, one.progress.entry.paid]).toEqual([receiptNumber, paid])
    }) // biome-ignore format: a table

    it('has an undecided outcome if the device had not reported its state', async () => {
      const one = failing({ says: [NO_ANSWER] }, { at: 'opening', error: UNKNOWN, before: LACKING })
      const advice = "The device's state before this request is unknown. Check the paper and whether a receipt is open."
      const outcome = { status: 424, effect: 'undecided', reasons: [UNKNOWN.problem, textReason(advice)] }
      expect(await outcomeIn(one.end)).toEqual(outcome)
    })

    it('is answered with 424 if the outcome is unknown, also after a refusal', async () => {
      const outcome = await outcomeIn(failing({ says: [NO_ANSWER] }, { at: 'closing', error: REFUSED }).end)
      expect(outcome.status).toBe(424)
    }) // biome-ignore format: one line

    it('is not queried again on a silent device', async () => {
      const one = failing({ says: [NO_ANSWER] }, { at: 'closing', error: REFUSED })
      await outcomeIn(one.end)
      expect(one.story()).toEqual(['pay 0 the rest', 'evidence thorough'])
    })
  })
})

describe('the retry of a request that is still open is answered', () => {
  const entry = receipt('closing', { before: null })
  const paid = { paid: 100, total: 480 }
  it.each<[string, Entry, Outcome]>([
    ['as unknown', entry, { status: 424, effect: 'unknown', reasons: [textReason('Why.')] }],
    ['as paid and not closed', { ...entry, receiptNumber: '17' }, { status: 424, effect: 'paidNotClosed', receiptNumber: '17', reasons: [textReason('Why.')] }],
    ['as partly paid and not closed', { ...entry, receiptNumber: '17', paid }, { status: 424, effect: 'partlyPaidNotClosed', receiptNumber: '17', paid, reasons: [textReason('Why.')] }],
  ])('%s', (_, one, outcome) => {
    expect(openAs(one, [textReason('Why.')])).toStrictEqual(outcome)
  }) // biome-ignore format: a table
})
