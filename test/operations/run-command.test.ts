import { describe, expect, it } from 'vitest'
import { DeviceError, refused } from '../../drivers/model/errors.ts'
import type { Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'
import type { Step } from '../../drivers/model/steps.ts'
import type { Answer } from '../../server/operations/operation.ts'
import { type Outcome, outcomeOf, textReason } from '../../server/operations/outcome.ts'
import { run } from '../../server/operations/run.ts'
import { sentenceOf } from '../../server/operations/sentences.ts'
import { UnderWay } from '../../server/operations/under-way.ts'
import { withWords } from '../support/verdict-rows.ts'
import { article, text as line, sale } from './entries.ts'
import { allPaid, BEFORE, CANCELLED, EXCHANGED, FISCAL, GIVEN_OUT, LACKING, NO_ANSWER, NO_PAPER, open, openAt, REFUSED, retransmitted, type Script, scriptedPrinter, UNKNOWN } from './scripted-printer.ts' // biome-ignore format: one line

/** A sale without a price, which the device does not report either. */
const SALE: Step = { does: 'sell', sale: article() }
/** A sale of 2.40 that no wire protocol can void. */
const REDUCED: Step = { does: 'sell', sale: sale(260, { adjustment: { kind: 'discount', amount: 20 } }) }
const ASK: Step = { does: 'subtotal', subtotal: { print: false, display: true } }
const PRINT: Step = line('HELLO')
const inside = (items: number, total: number | null = 240 * items): Evidence => ({
  ...BEFORE,
  lastDocument: 17,
  open: openAt(17, { items, total, remaining: total }),
})
const answering = (isRepeated: boolean) => async () => ({ text: 'its answer', retransmitted: isRepeated })
const failing = (error: unknown) => () => Promise.reject(error)
const RETRANSMITTED = textReason(
  'The command was retransmitted; if the device lost power in between, it executed the command more than once.',
)
const takeBack: Act = async () => ({ text: 'taken back', retransmitted: false })

interface End {
  readonly text?: string
  readonly error?: unknown
  readonly outcome?: Outcome
}

type Act = () => Promise<{ readonly text: string; readonly retransmitted: boolean }>

interface Acts {
  readonly step?: Step
  readonly act: Act
  /** Voids one of two equal rows. */
  readonly takeBack?: Act
}

async function ended(work: Promise<Answer>): Promise<End & { readonly answer?: Answer }> {
  return work.then(
    (answer) => ({ text: answer.text, answer }),
    (error: unknown) => ({ error, outcome: outcomeOf(error) }),
  )
}

async function stepped(
  says: Script['says'],
  { step = SALE, act, takeBack = failing(REFUSED) }: Acts,
  sending?: (progress: UnderWay) => void,
) {
  const progress = new UnderWay()
  let sent = 0
  const acts: Act = () => {
    sending?.(progress)
    return sent++ === 0 ? act() : takeBack()
  }
  const more: Partial<FiscalPrinter> = { sell: acts, sellArticle: acts, subtotal: acts, printFiscalText: acts }
  const printer = scriptedPrinter({ says, documents: {}, more })
  const end = await ended(run({ steps: [step] }, { printer, progress }))
  return { ...end, progress, story: printer.story }
}

describe('before a single command is sent,', () => {
  it.each([NO_ANSWER, REFUSED, new DeviceError({ kind: 'badValue', field: 'invalidCommand', why: 'too long' })])(
    'nothing is sent to a device that does not report its state: %s',
    async (failure) => {
      const act = () => expect.unreachable('sent')
      const { error, story, progress } = await stepped([failure], { act })
      expect([error, story, progress.entry.steps]).toEqual([failure, ['evidence'], []])
    },
  )

  it('a bug in the service is not mistaken for a silent device', async () => {
    const evidence = () => Promise.reject(new TypeError('a mistake'))
    const printer = scriptedPrinter({ says: [], more: { evidence } })
    await expect(run({ steps: [SALE] }, { printer, progress: new UnderWay() })).rejects.toThrow('a mistake')
  })

  it.each(['invalidCommand', 'unknownCommand'])('a device without that command can report nothing: %s', async (key) => {
    const lacking = new DeviceError({ kind: 'refused', code: '3', key, meaning: 'unknown' })
    const { text, progress } = await stepped([lacking], { act: answering(false) })
    expect([text, progress.entry.before]).toEqual(['its answer', null])
  })

  it.each<[Step['does'], Step, string]>([
    ['sell', SALE, 'evidence'],
    ['close', { does: 'close' }, 'evidence thorough'],
    ['document', { does: 'document', kind: 'x' }, 'evidence thorough'],
  ])(
    'for %s, the sums of the day are queried only if they may prove its execution, and the device has no electronic journal',
    async (_, step, asked) => {
      const printer = scriptedPrinter({ says: [{}] })
      await run({ steps: [step] }, { printer, progress: new UnderWay() }).catch(() => undefined)
      expect(printer.story[0]).toBe(asked)
      const withJournal = scriptedPrinter({ says: [{}], documents: {} })
      await run({ steps: [step] }, { printer: withJournal, progress: new UnderWay() }).catch(() => undefined)
      expect(withJournal.story[0]).toBe(step.does === 'document' ? 'evidence thorough' : 'evidence')
    },
  )
})

describe('a step of a receipt', () => {
  it('returns the answer of the device', async () => {
    const { text, story } = await stepped([inside(1)], { act: answering(false) })
    expect([text, story]).toEqual(['its answer', ['evidence']])
  })

  it('is stored with the state before it, before it is sent', async () => {
    const written: unknown[] = []
    await stepped([inside(1)], { act: answering(false) }, ({ entry }) => void written.push(entry))
    expect(written).toStrictEqual([{ steps: [SALE], at: 0, before: inside(1) }])
  })

  it.each([REFUSED, NO_PAPER, new TypeError('a mistake')])('that certainly fails causes no query: %s', async (failure) => {
    const { error, story } = await stepped([inside(1)], { act: failing(failure) })
    expect(error).toBe(failure)
    expect(story).toEqual(['evidence'])
  }) // biome-ignore format: one line
})

describe('a step whose command was retransmitted, or not answered', () => {
  const twice = 'the device was interrupted and executed this step twice'
  const states = (before: string, now: string) =>
    `state before: ${before}; state now: ${now}. Compare with the paper before you continue.`
  const ONE_ROW = 'receipt 17, 1 item, total 2.40, paid 0.00'
  const THREE_ROWS = 'receipt 17, 3 items, total 7.20, paid 0.00'

  it.each<[string, DeviceError | undefined, string]>([
    ['answered at last', undefined, 'its answer'],
    ['not answered', UNKNOWN, ''],
    ['refused because it is a retransmission', retransmitted(REFUSED), ''],
  ])('and that was executed once is reported as executed as requested: %s', async (_, failure, text) => {
    const act = failure ? failing(failure) : answering(true)
    const result = await stepped([inside(1), inside(2)], { act })
    expect([result.text, result.story]).toEqual([text, ['evidence', 'evidence']])
  })

  it.each<[string, DeviceError, object]>([
    ['returns the refusal', retransmitted(REFUSED), { status: 400, effect: 'nothing', reasons: [REFUSED.problem] }],
    ['reports the missing answer', UNKNOWN, { status: 424, effect: 'notCarriedOut', reasons: [UNKNOWN.problem] }],
  ])('and that was not executed %s', async (_, failure, outcome) => {
    expect((await stepped([inside(1)], { act: failing(failure) })).outcome).toEqual(outcome)
  }) // biome-ignore format: a table

  it("and that the device answers is believed if the device's state does not show the step", async () => {
    expect(await stepped([inside(1)], { act: answering(true) })).toMatchObject({ text: 'its answer' })
  })

  it('and that changes nothing causes no query after its answer', async () => {
    const { text, story } = await stepped([inside(1)], { step: ASK, act: answering(true) })
    expect([text, story]).toEqual(['its answer', ['evidence']])
    const silent = await stepped([inside(1)], { step: ASK, act: failing(UNKNOWN) })
    expect(silent.outcome?.effect).toBe('notCarriedOut')
  })

  it.each<[string, Act, DeviceError, object]>([
    ['is unknown', failing(UNKNOWN), NO_ANSWER, { status: 424, effect: 'unknownCommand', reasons: [UNKNOWN.problem] }],
    ['is unknown if its state is refused', answering(true), REFUSED, { status: 424, effect: 'unknownCommand', reasons: [REFUSED.problem, RETRANSMITTED] }],
    ['is unknown, with the reason', answering(true), NO_ANSWER, { status: 424, effect: 'unknownCommand', reasons: [NO_ANSWER.problem, RETRANSMITTED] }],
    ['is unknown if only its retransmission was refused', failing(retransmitted(REFUSED)), NO_ANSWER, { status: 424, effect: 'unknownCommand', reasons: [REFUSED.problem, RETRANSMITTED] }],
  ])('and that cannot be queried %s', async (_, act, second, outcome) => {
    expect((await stepped([inside(1), second], { act })).outcome).toEqual(outcome)
  }) // biome-ignore format: a table

  it.each<[string, Script['says'], Partial<Acts>, string]>([
    ['the device reported nothing before', [LACKING, inside(1)], {}, `the state of the device before this step is unknown; ${states('unknown', ONE_ROW)}`],
    ['another device is connected', [inside(1), { ...inside(1), serialNumber: 'S2' }], {}, `a different device is connected now; ${states(ONE_ROW, ONE_ROW)}`],
    ['its state proves nothing', [inside(1), inside(4)], {}, `the state of the device does not show whether this step was executed; ${states(ONE_ROW, 'receipt 17, 4 items, total 9.60, paid 0.00')}`],
    ['no device reports what is printed', [inside(1)], { step: PRINT }, `the device did not respond at first: the requested text may be printed once, twice or not at all; ${states(ONE_ROW, ONE_ROW)}`],
    ['the step was executed twice', [inside(1), inside(3)], { step: REDUCED }, `${twice}; ${states(ONE_ROW, THREE_ROWS)}`],
    ['both executions remain', [inside(1), inside(3), inside(3)], { takeBack }, `${twice}; one of them could not be voided; ${states(ONE_ROW, THREE_ROWS)}`],
    ['voiding one execution fails', [inside(1), inside(3), inside(3)], { takeBack: failing(REFUSED) }, `${twice}; one of them could not be voided; ${states(ONE_ROW, THREE_ROWS)}`],
    ['no execution remains', [inside(1), inside(3), { lastDocument: 17 }], { takeBack }, `${twice}; one of them could not be voided; ${states(ONE_ROW, 'nothing open, last document 17')}`],
    ['no sum shows what remains', [inside(1, null), inside(3, null), inside(3, null)], { takeBack }, `${twice}; one of them could not be voided; ${states('receipt 17, 1 item, paid 0.00', 'receipt 17, 3 items, paid 0.00')}`],
    ['no sum showed the state before', [inside(1, null), inside(3, 480), inside(3, 240)], { takeBack }, `${twice}; one of them could not be voided; ${states('receipt 17, 1 item, paid 0.00', 'receipt 17, 3 items, total 2.40, paid 0.00')}`],
    ['no sum showed both executions', [inside(1, 0), inside(3, null), inside(3, 0)], { takeBack }, `${twice}; one of them could not be voided; ${states('receipt 17, 1 item, total 0.00, paid 0.00', 'receipt 17, 3 items, total 0.00, paid 0.00')}`],
    ['no sum shows the remaining execution', [inside(1, 0), inside(3, 0), inside(3, null)], { takeBack }, `${twice}; one of them could not be voided; ${states('receipt 17, 1 item, total 0.00, paid 0.00', 'receipt 17, 3 items, paid 0.00')}`],
  ])('and whose outcome is uncertain is reported with both states: %s', async (_, says, more, text) => {
    const { outcome } = await stepped(says, { act: answering(true), ...more })
    expect(outcome).toEqual({ status: 424, effect: 'undecided', reasons: [textReason(text)] })
  }) // biome-ignore format: a table

  it('and that was executed twice is reported as requested after one execution is voided', async () => {
    // The voided row remains on paper, but its sum is subtracted.
    const says = [inside(1), inside(3), inside(4, 480)]
    const { text, story } = await stepped(says, { act: answering(true), takeBack })
    expect([text, story]).toEqual(['its answer', ['evidence', 'evidence', 'evidence']])
  })

  it('has an unknown outcome if the device is gone after one of two executions was voided', async () => {
    const says = [inside(1), inside(3), NO_ANSWER]
    const { outcome } = await stepped(says, { act: answering(true), takeBack })
    expect(outcome).toMatchObject({ effect: 'unknownCommand', reasons: [NO_ANSWER.problem, RETRANSMITTED] })
  })

  it('has an unknown outcome if another device is connected after one of two executions was voided', async () => {
    const says = [inside(1), inside(3), { ...inside(4, 480), serialNumber: 'S2' }]
    const { outcome } = await stepped(says, { act: answering(true), takeBack })
    expect(outcome).toMatchObject({ effect: 'unknownCommand', reasons: [EXCHANGED.problem, RETRANSMITTED] })
  })

  it('does not hide a bug in the service', async () => {
    const mistake = new TypeError('a mistake')
    const { error } = await stepped([inside(1), inside(3)], { act: answering(true), takeBack: failing(mistake) })
    expect(error).toBe(mistake)
  })
})

describe('a close that failed', () => {
  const closing = (script: Script, failure: DeviceError, does: 'close' | 'closeNonFiscal' = 'close') => {
    const before = does === 'close' ? allPaid : open(17, { kind: 'NonFiscal' })
    const fails = () => Promise.reject(failure)
    const printer = scriptedPrinter({
      ...script,
      says: [before, ...script.says],
      more: { closeFiscal: fails, closeNonFiscal: fails },
    })
    return ended(run({ steps: [{ does }] }, { printer, progress: new UnderWay() }))
  }
  const closed = { says: [GIVEN_OUT], documents: { 17: FISCAL } }

  it('has the number of its receipt if the receipt is closed anyway', async () => {
    expect((await closing(closed, UNKNOWN)).answer).toEqual({ text: '', receiptNumber: '17' })
  })

  it('has no number if the receipt is non-fiscal', async () => {
    expect((await closing({ says: [GIVEN_OUT] }, UNKNOWN, 'closeNonFiscal')).answer).toEqual({ text: '' })
  })

  it('leaves a receipt that is still open, and says so if the error of the close does not say it', async () => {
    expect((await closing({ says: [allPaid] }, UNKNOWN)).outcome).toMatchObject({ effect: 'stillOpen' })
    const again = retransmitted(REFUSED)
    expect((await closing({ says: [allPaid] }, again)).error).toBe(again)
  })

  it('causes no query if it is refused without a retransmission', async () => {
    expect((await closing(closed, REFUSED)).error).toBe(REFUSED)
  })

  it('is reported as not executed if the receipt is cancelled', async () => {
    const { outcome } = await closing({ says: [GIVEN_OUT], documents: { 17: CANCELLED } }, retransmitted(REFUSED))
    expect(outcome).toMatchObject({ effect: 'cancelled' })
  })

  const UNSUPPORTED = new DeviceError({ kind: 'unsupported', why: 'this device has no close.' })
  it.each([UNKNOWN, NO_PAPER, UNSUPPORTED])(
    'has an unknown outcome on a device that cannot be queried: %s',
    async (error) => {
      const { outcome } = await closing({ says: [NO_ANSWER] }, error)
      expect(outcome).toEqual({ status: 424, effect: 'unknownCommand', reasons: [error.problem] })
    },
  )

  it('has an unknown outcome if only the retransmission was refused, and the device cannot be queried', async () => {
    const { outcome } = await closing({ says: [NO_ANSWER] }, retransmitted(REFUSED))
    expect(outcome).toMatchObject({ effect: 'unknownCommand', reasons: [REFUSED.problem, RETRANSMITTED] })
  })

  it('is undecided if the device does not report the number', async () => {
    const { outcome } = await closing({ says: [{}] }, UNKNOWN)
    expect(outcome).toEqual({
      ...{ status: 424, effect: 'undecided' },
      reasons: [UNKNOWN.problem, textReason('The device assigned document number 17, but now reports 16 as its last.')],
    })
  })

  it('may have been executed on the device that is gone', async () => {
    const { outcome } = await closing({ says: [{ serialNumber: 'S2' }] }, UNKNOWN)
    expect(outcome).toMatchObject({ status: 424, effect: 'maybeOnOtherDevice' })
  })
})

describe('a close that is requested again by a caller who got no answer', () => {
  const UNHEARD = { receiptNumber: '16', serialNumber: 'S1' }
  const asked = async (before: Partial<Evidence>, unheard: typeof UNHEARD | undefined = UNHEARD) => {
    const printer = scriptedPrinter({ says: [before] })
    let isTaken = false
    const takeUnreportedClose = () => {
      isTaken = true
      return unheard
    }
    const { answer } = await ended(
      run({ steps: [{ does: 'close' }] }, { printer, progress: new UnderWay(), takeUnreportedClose }),
    )
    return { number: answer?.receiptNumber, isTaken, story: printer.story.slice(1) }
  }

  it('returns the number of its receipt, and sends nothing', async () => {
    expect(await asked({})).toEqual({ number: '16', isTaken: true, story: [] })
  })

  it.each<[string, Partial<Evidence>]>([
    ['another document was printed since', { lastDocument: 17 }],
    ['another device is connected', { serialNumber: 'S2' }],
  ])('is sent to the device if %s', async (_, before) => {
    expect((await asked(before)).story).toEqual(['closeFiscal'])
  })

  it('is sent to the device while a receipt is open, and so is the close of the next request', async () => {
    expect(await asked({ open: openAt(17), lastDocument: 17 })).toMatchObject({
      isTaken: false,
      story: ['closeFiscal'],
    })
  })
})

describe('a cancel of a non-fiscal receipt that failed', () => {
  const VOID = textReason('The line that marks the receipt as void may already be printed on it.')
  const cancelling = (before: Partial<Evidence>, failure: unknown) => {
    const cancelNonFiscal = () => Promise.reject(failure)
    const printer = scriptedPrinter({ says: [before], more: { cancelNonFiscal } })
    return ended(run({ steps: [{ does: 'cancelNonFiscal' }] }, { printer, progress: new UnderWay() }))
  }
  const SLIP = open(17, { kind: 'NonFiscal' })

  it('is reported with the line that may be on it', async () => {
    expect((await cancelling(SLIP, REFUSED)).outcome?.reasons).toEqual([REFUSED.problem, VOID])
  })

  it('is reported without that line if none was open, or if the device has reported nothing', async () => {
    expect((await cancelling({}, REFUSED)).error).toBe(REFUSED)
    const mistake = new TypeError('a mistake')
    expect((await cancelling(SLIP, mistake)).outcome).toMatchObject({
      status: 500,
      effect: 'stillOpen',
      reasons: [{ kind: 'text' }],
    })
  })
})

describe('a document after a receipt of the same request', () => {
  it('causes no query if it fails, because the receipt is closed', async () => {
    const progress = new UnderWay()
    progress.closed('16')
    const printer = scriptedPrinter({ says: [{}], more: { reportX: failing(UNKNOWN) } })
    const { error } = await ended(run({ steps: [{ does: 'document', kind: 'x' }] }, { printer, progress }))
    expect([error, printer.story]).toEqual([UNKNOWN, ['evidence thorough']])
  })

  it('is counted if its command was retransmitted', async () => {
    const progress = new UnderWay()
    progress.closed('16')
    const more = { reportX: failing(retransmitted(UNKNOWN)), lastDocument: async () => 18 }
    const printer = scriptedPrinter({ says: [{}], more })
    const { outcome } = await ended(run({ steps: [{ does: 'document', kind: 'x' }] }, { printer, progress }))
    expect(outcome?.effect).toBe('printed')
  })
})

function retransmissionEnd(words: string): string {
  if (words === 'its answer') return 'returns its answer'
  return words.startsWith('printed') ? 'is reported as duplicated' : 'has an unknown outcome'
}

describe('a command that prints a document', () => {
  const Z: Step = { does: 'document', kind: 'z' }
  const reporting = (says: Script['says'], act: Act, more: Partial<FiscalPrinter> = {}) => {
    const printer = scriptedPrinter({ says: [{}, ...says], more: { reportZ: act, ...more } })
    return ended(run({ steps: [Z] }, { printer, progress: new UnderWay() }))
  }

  it('that failed returns the part of its answer that the device still reports', async () => {
    expect((await reporting([{ lastDocument: 17, lastZ: 5 }], failing(UNKNOWN))).text).toBe('5,12.00')
  })

  it('that failed and was not executed says so if its error does not say it', async () => {
    expect((await reporting([{}], failing(UNKNOWN))).outcome).toMatchObject({ effect: 'notCarriedOut' })
    expect((await reporting([{}], failing(REFUSED))).error).toBe(REFUSED)
  })

  const AGAIN =
    'The command was retransmitted; if the device lost power in between, it executed the command more than once.'
  const SILENT =
    'The device does not respond. Check that it is switched on, connected, and set to the configured baud rate.'
  const SETTLED = 'The service will determine the outcome before it processes any other request.'
  const TWICE = 'The device was interrupted and executed a command twice:'
  it.each(withWords<[string, number | null, number | DeviceError, string]>(([, , , words]) => retransmissionEnd(words), [
    ['one document was printed', 16, 17, 'its answer'],
    ['no document was printed', 16, 16, 'its answer'],
    ['two documents were printed', 16, 18, `printed: ${TWICE} documents 17 to 18 were printed instead of one.`],
    ['the number before was not reported', null, 18, `unknownCommand: Outcome unknown: ${AGAIN} ${SETTLED}`],
    ['the device is silent now', 16, NO_ANSWER, `unknownCommand: Outcome unknown: ${SILENT} ${AGAIN} ${SETTLED}`],
    ['the device refuses to report its last document', 16, refused('1', 'no', 'not now'), `unknownCommand: Outcome unknown: The device rejected the command: not now (1, no). ${AGAIN} ${SETTLED}`],
  ]))('that was retransmitted %s: %s', async (_result, _, before, last, words) => {
    const lastDocument = async () => {
      if (typeof last !== 'number') throw last
      return last
    }
    const printer = scriptedPrinter({ says: [{ lastDocument: before }], more: { reportZ: answering(true), lastDocument } })
    const { text, outcome } = await ended(run({ steps: [Z] }, { printer, progress: new UnderWay() }))
    expect(outcome ? `${outcome.effect}: ${sentenceOf(outcome)}` : text).toBe(words)
  }) // biome-ignore format: a table
})
