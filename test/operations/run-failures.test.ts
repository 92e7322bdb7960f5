/** How a request ends whose command has failed, from what its device says right after it. */
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import { type Outcome, outcomeOf, type Reason, said } from '../../server/operations/outcome.ts'
import {
  type Begun,
  Progress,
  type ProgressRecord,
  type Stage,
  type Undertaking,
} from '../../server/operations/operation.ts'
import { mayBePrinted, openAs, rescueClose, rescueDocument, rescueReceipt } from '../../server/operations/run.ts'
import {
  allPaid,
  BEFORE,
  CANCELLED,
  FISCAL,
  GIVEN_OUT,
  NO_ANSWER,
  NO_PAPER,
  open,
  openAt,
  partPaid,
  REFUSED,
  repeated,
  type Script,
  scriptedPrinter,
  UNKNOWN,
  unpaid,
} from './scripted-printer.ts'

function on(script: Script, undertaking: Undertaking, stage: Exclude<Stage, 'done'>, begun: Begun = {}) {
  const printer = scriptedPrinter(script)
  const progress = new Progress()
  progress.begin(undertaking, { before: BEFORE, ...(stage !== 'opening' && { document: 17 }), ...begun })
  progress.reach(stage)
  return { printer, progress }
}

/** With what it was rejected; what was not rejected comes as an outcome that nothing here has. */
const outcomeIn = async (work: Promise<unknown>): Promise<Outcome> => outcomeOf(await work.catch((error) => error))

describe('something may be on paper for good', () => {
  const record: ProgressRecord = { undertaking: 'fiscalReceipt', stage: 'before', before: null }
  it.each<[ProgressRecord['undertaking'], Stage, boolean]>([
    ['fiscalReceipt', 'opening', false],
    ['fiscalReceipt', 'filling', false],
    ['nonFiscalReceipt', 'filling', false],
    ['fiscalReceipt', 'cancelling', false],
    ['fiscalReceipt', 'paying', true],
    ['fiscalReceipt', 'closing', true],
    ['fiscalReceipt', 'done', true],
    ['step', 'filling', true],
    ['document', 'closing', true],
  ])('of a %s that was %s: %s', (undertaking, stage, may) => {
    expect(mayBePrinted({ ...record, undertaking, stage })).toBe(may)
  })
})

describe('a complete receipt whose opening failed for certain', () => {
  const opening = (before: Evidence | null) => on({ says: [{}] }, 'fiscalReceipt', 'opening', { before })

  it.each<[string, Partial<Evidence>, string]>([
    ['by its number', { open: openAt(15) }, '15'],
    ['by the number of the last document', { open: openAt(null) }, '16'],
    ['without a number that nobody tells', { open: openAt(null), lastDocument: null }, ''],
  ])('names the receipt that was open before %s, and asks nothing', async (_, before, receiptNumber) => {
    const one = opening({ ...BEFORE, ...before })
    expect(await outcomeIn(rescueReceipt(REFUSED, one, false))).toEqual({
      ...{ status: 400, effect: 'otherIsOpen', receiptNumber },
      reasons: [REFUSED.problem],
    })
    expect(one.printer.story).toEqual([])
  })

  it.each([
    ['nothing was open', BEFORE, REFUSED],
    ['nobody told what was open', null, REFUSED],
    ['it was no refusal', { ...BEFORE, open: openAt(15) }, NO_PAPER],
  ])('is told as it is where %s', async (_, before, error) => {
    const one = opening(before)
    await expect(rescueReceipt(error, one, false)).rejects.toBe(error)
    expect(one.printer.story).toEqual([])
  })

  it('is asked about where a command was written again', async () => {
    const outcome = await outcomeIn(rescueReceipt(REFUSED, opening(BEFORE), true))
    expect(outcome).toEqual({ status: 400, effect: 'noReceipt', reasons: [REFUSED.problem] })
  })

  it('is asked about where the opening may have been carried out', async () => {
    const one = on({ says: [open(17)] }, 'fiscalReceipt', 'opening')
    expect(await outcomeIn(rescueReceipt(UNKNOWN, one, false))).toMatchObject({ effect: 'cancelled' })
  })
})

describe('a complete receipt that failed behind its opening', () => {
  const closed = { says: [GIVEN_OUT], documents: { 17: FISCAL } }
  const paying = (payments: readonly { mode: number; amount?: number }[]) => ({
    settlement: { total: 480, payments, begun: 1 },
  })

  it('has its number when it is closed as asked', async () => {
    expect(await rescueReceipt(UNKNOWN, on(closed, 'fiscalReceipt', 'closing'), false)).toBe('17')
  })

  it('has no number where it is a non-fiscal one', async () => {
    const script: Script = { says: [GIVEN_OUT], documents: { 17: { kind: 'nonFiscal', total: null } } }
    expect(await rescueReceipt(UNKNOWN, on(script, 'nonFiscalReceipt', 'closing'), false)).toBe('')
  })

  const why = 'Document 17 is not what this request has opened.'
  const elsewhere =
    'It began on the device with the serial number S1, and S2 is connected now. Look at the paper of S1, or connect it again.'
  const other = { says: [{ ...unpaid, serialNumber: 'S2' }] }
  it.each<[string, Script, Exclude<Stage, 'done'>, Begun, Partial<Outcome>]>([
    ['is cancelled', { says: [unpaid] }, 'filling', {}, { status: 400, effect: 'cancelled' }],
    ['was ended by somebody else', closed, 'filling', {}, { status: 400, effect: 'completedByOther', receiptNumber: '17' }],
    ['is paid in cash', { says: [partPaid] }, 'paying', paying([{ mode: 1, amount: 480 }]), { status: 400, effect: 'completedInCash', receiptNumber: '17' }],
    ['is not proven', { says: [GIVEN_OUT], documents: { 17: { kind: 'x', total: null } } }, 'closing', {}, { status: 424, effect: 'undecided', reasons: [REFUSED.problem, said(why)] }],
    ['began elsewhere, with nothing on paper', other, 'filling', {}, { status: 424, effect: 'begunElsewhere', reasons: [REFUSED.problem, said(elsewhere)] }],
    ['may be printed elsewhere', other, 'paying', {}, { status: 424, effect: 'elsewhere', reasons: [REFUSED.problem, said(elsewhere)] }],
  ])('%s, and says so', async (_, script, stage, begun, outcome) => {
    const told = await outcomeIn(rescueReceipt(REFUSED, on(script, 'fiscalReceipt', stage, begun), false))
    expect(told).toEqual({ reasons: [REFUSED.problem], ...outcome })
  }) // biome-ignore format: a table

  it('writes down what its rescue does, before it is done', async () => {
    const one = on({ says: [unpaid], fails: { cancelFiscal: NO_ANSWER } }, 'fiscalReceipt', 'filling')
    await outcomeIn(rescueReceipt(REFUSED, one, false))
    expect(one.progress.record.stage).toBe('cancelling')
    const two = on({ says: [partPaid], fails: { closeFiscal: NO_ANSWER } }, 'fiscalReceipt', 'paying', paying([{ mode: 1 }]))
    await outcomeIn(rescueReceipt(REFUSED, two, false))
    expect(two.progress.record).toMatchObject({ stage: 'closing', settlement: { inCash: true } })
  }) // biome-ignore format: one line

  describe('and whose rescue failed too', () => {
    const both = (second: Reason): readonly Reason[] => [NO_PAPER.problem, second]
    const noPaper = both(NO_PAPER.problem)
    const part = { paid: 100, total: 480 }
    it.each<[string, Script['says'], Exclude<Stage, 'done'>, Outcome, Begun?]>([
      ['is cancelled later, before its first payment', [NO_ANSWER], 'filling', { status: 424, effect: 'toBeCancelled', reasons: both(NO_ANSWER.problem) }],
      ['is cancelled later where another one was open before', [NO_ANSWER], 'filling', { status: 424, effect: 'toBeCancelled', reasons: both(NO_ANSWER.problem) }, { before: { ...BEFORE, open: openAt(16) } }],
      ['is not known behind a payment', [NO_ANSWER], 'paying', { status: 424, effect: 'unknownReceipt', reasons: both(NO_ANSWER.problem) }],
      ['is not known behind its close', [NO_ANSWER], 'closing', { status: 424, effect: 'unknownReceipt', reasons: both(NO_ANSWER.problem) }],
      ['is owed its end', [NO_PAPER, allPaid], 'closing', { status: 424, effect: 'owed', receiptNumber: '17', reasons: noPaper }],
      ['is owed the rest too', [NO_PAPER, partPaid], 'paying', { status: 424, effect: 'owedInPart', receiptNumber: '17', paid: part, reasons: noPaper }],
      ['is cancelled later, as nothing is paid', [NO_PAPER, unpaid], 'paying', { status: 424, effect: 'toBeCancelled', reasons: noPaper }],
      ['is not known where nothing of it stands open', [NO_PAPER, GIVEN_OUT], 'closing', { status: 424, effect: 'unknownReceipt', reasons: noPaper }],
      ['is cancelled later where nothing of it was paid or stands open', [NO_PAPER, GIVEN_OUT], 'filling', { status: 424, effect: 'toBeCancelled', reasons: noPaper }],
    ])('%s', async (_, says, stage, outcome, begun) => {
      const one = on({ says }, 'fiscalReceipt', stage, begun)
      expect(await outcomeIn(rescueReceipt(NO_PAPER, one, false))).toEqual(outcome)
      const { receiptNumber, paid } = outcome
      expect([one.progress.record.receiptNumber, one.progress.record.paid]).toEqual([receiptNumber, paid])
    }) // biome-ignore format: a table

    it('is not known for good where the device had not told its state', async () => {
      const one = on({ says: [NO_ANSWER] }, 'fiscalReceipt', 'opening', { before: null })
      const told =
        'The device did not tell its state before this request: look at its paper, and whether a receipt is open.'
      const outcome = { status: 424, effect: 'undecided', reasons: [UNKNOWN.problem, said(told)] }
      expect(await outcomeIn(rescueReceipt(UNKNOWN, one, false))).toEqual(outcome)
    })

    it('is 424 where nobody knows, also behind a refusal', async () => {
      const outcome = await outcomeIn(rescueReceipt(REFUSED, on({ says: [NO_ANSWER] }, 'fiscalReceipt', 'closing'), false))
      expect(outcome.status).toBe(424)
    }) // biome-ignore format: one line

    it('is not asked about again on a device that is silent', async () => {
      const one = on({ says: [NO_ANSWER] }, 'fiscalReceipt', 'closing')
      await outcomeIn(rescueReceipt(REFUSED, one, false))
      expect(one.printer.story).toEqual(['evidence thorough'])
    })
  })
})

describe('a request that is still open is told again', () => {
  const record: ProgressRecord = { undertaking: 'fiscalReceipt', stage: 'closing', before: null }
  const paid = { paid: 100, total: 480 }
  it.each<[string, ProgressRecord, Outcome]>([
    ['as unknown', record, { status: 424, effect: 'unknown', reasons: [said('Why.')] }],
    ['as owed', { ...record, receiptNumber: '17' }, { status: 424, effect: 'owed', receiptNumber: '17', reasons: [said('Why.')] }],
    ['as owed in part', { ...record, receiptNumber: '17', paid }, { status: 424, effect: 'owedInPart', receiptNumber: '17', paid, reasons: [said('Why.')] }],
  ])('%s', (_, one, outcome) => {
    expect(openAs(one, [said('Why.')])).toStrictEqual(outcome)
  }) // biome-ignore format: a table
})

describe('a close that failed', () => {
  const closing = (script: Script, undertaking: Undertaking = 'closeFiscal') => on(script, undertaking, 'closing')

  it('has the number of its receipt, which is closed all the same', async () => {
    expect(await rescueClose(UNKNOWN, closing({ says: [GIVEN_OUT], documents: { 17: FISCAL } }))).toBe('17')
  })

  it('has none where the receipt is a non-fiscal one', async () => {
    expect(await rescueClose(UNKNOWN, closing({ says: [GIVEN_OUT] }, 'closeNonFiscal'))).toBe('')
  })

  it('leaves a receipt that is still open, and says so where its own error does not tell', async () => {
    expect(await outcomeIn(rescueClose(UNKNOWN, closing({ says: [allPaid] })))).toMatchObject({ effect: 'stillOpen' })
    await expect(rescueClose(REFUSED, closing({ says: [allPaid] }))).rejects.toBe(REFUSED)
  })

  it('found the receipt cancelled', async () => {
    const script = { says: [GIVEN_OUT], documents: { 17: CANCELLED } }
    expect(await outcomeIn(rescueClose(REFUSED, closing(script)))).toMatchObject({ effect: 'cancelled' })
  })

  const UNSUPPORTED = new DeviceError({ kind: 'unsupported', why: 'this device has no close.' })
  it.each([UNKNOWN, NO_PAPER, UNSUPPORTED])('is unknown on a device that cannot be asked: %s', async (error) => {
    expect(await outcomeIn(rescueClose(error, closing({ says: [NO_ANSWER] })))).toEqual({
      ...{ status: 424, effect: 'unknownCommand', reasons: [error.problem] },
    })
  })

  it('is the refusal that it is, also on a device that cannot be asked', async () => {
    await expect(rescueClose(REFUSED, closing({ says: [NO_ANSWER] }))).rejects.toBe(REFUSED)
  })

  it('is unknown where only the repeat was refused, and the device cannot be asked', async () => {
    const { effect, reasons } = await outcomeIn(rescueClose(repeated(REFUSED), closing({ says: [NO_ANSWER] })))
    expect([effect, reasons.length, reasons[0]]).toEqual(['unknownCommand', 2, REFUSED.problem])
  })

  it('is not decided where the device is silent about the number', async () => {
    const outcome = await outcomeIn(rescueClose(UNKNOWN, closing({ says: [{}] })))
    expect(outcome).toEqual({
      ...{ status: 424, effect: 'undecided' },
      reasons: [UNKNOWN.problem, said('The device gave out document number 17, and says now that 16 was its last.')],
    })
  })

  it('may have been carried out on the device that is gone', async () => {
    const outcome = await outcomeIn(rescueClose(UNKNOWN, closing({ says: [{ serialNumber: 'S2' }] })))
    expect(outcome).toMatchObject({ status: 424, effect: 'elsewhere' })
  })
})

describe('a command of a document of its own that failed', () => {
  const report = (script: Script) => on(script, 'document', 'closing', { kind: 'z' })

  it('has of its answer what the device can still tell', async () => {
    expect(await rescueDocument(UNKNOWN, report({ says: [{ lastDocument: 17, lastZ: 5 }] }))).toBe('5,12.00')
  })

  it('was not carried out, and says so where its own error does not tell', async () => {
    expect(await outcomeIn(rescueDocument(UNKNOWN, report({ says: [{}] })))).toMatchObject({ effect: 'notCarriedOut' })
    await expect(rescueDocument(REFUSED, report({ says: [{}] }))).rejects.toBe(REFUSED)
  })
})
