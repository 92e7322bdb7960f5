/** The steps that reconcile an interrupted request, in order, for each report of its device. */
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../drivers/model/errors.ts'
import { type DocumentFacts, type Evidence, UNREPORTED_DAY } from '../../drivers/model/printer.ts'
import type { Entry, UnconfirmedElement } from '../../server/operations/operation.ts'
import { executedOutcome, type Reconciliation } from '../../server/operations/reconciliation.ts'
import { reconcile } from '../../server/operations/run.ts'
import {
  type At,
  alone,
  documentOf,
  entryAt,
  type ReceiptParts,
  receipt,
  type Stage,
  slip,
  slipSteps,
} from './entries.ts'
import {
  allPaid,
  BEFORE,
  CANCELLED,
  EXCHANGED,
  FISCAL,
  GIVEN_OUT,
  NO_ANSWER,
  open,
  partPaid,
  positionOf,
  REFUSED,
  type Script,
  scriptedPrinter,
  unpaid,
} from './scripted-printer.ts'

const CARD = { mode: 1, amount: 100 }
const CASH = { mode: 0 }
const NON_FISCAL: DocumentFacts = { kind: 'nonFiscal', total: null }
const DONE = executedOutcome()

/** Returns a request whose receipt has document number 17. */
const fiscal = (stage: Stage, more: Parameters<typeof receipt>[1] = {}): Entry =>
  receipt(stage, { document: 17, ...more })
const nonFiscal = (stage: Parameters<typeof slip>[0], more: At = {}): Entry => slip(stage, { document: 17, ...more })
const close = alone({ does: 'close' }, { document: 17 })
const closeNonFiscal = alone({ does: 'closeNonFiscal' }, { document: 17 })
const slipThatCancels = (stage: Stage): Entry => entryAt(slipSteps(['HELLO'], true), stage, { document: 17 })
/** The device has reported a total of 4.80 for the receipt. */
const paying = (payments: NonNullable<ReceiptParts['payments']>, more: At = {}) => ({
  of: { payments },
  total: 480,
  ...more,
})
const CANCELS = { of: { cancels: true } }

async function settledBy(script: Script, entry: Entry) {
  const printer = scriptedPrinter(script)
  const { story } = printer
  const position = positionOf(entry, story)
  const settled = await reconcile(printer, position)
  return { settled, story, noted: position.noted }
}

async function failedBy(script: Script, entry: Entry) {
  const printer = scriptedPrinter(script)
  const end: unknown = await reconcile(printer, positionOf(entry, printer.story)).catch((error) => error)
  return { end, story: printer.story }
}

describe('without a query to the device,', () => {
  it.each<[string, Entry, Reconciliation]>([
    ['what was completed is complete', nonFiscal('done'), DONE],
    [
      'a receipt that was closed has its number',
      fiscal('done', { receiptNumber: '17' }),
      { became: 'closed', receiptNumber: '17', as: 'asked' },
    ],
  ])('%s', async (_, entry, settled) => {
    expect(await settledBy({ says: [NO_ANSWER] }, entry)).toEqual({ settled, story: [], noted: [] })
  })
})

describe('the reconciliation of a receipt', () => {
  it.each<[string, Entry, Script, string[]]>([
    ['reads the journal for a document whose number was assigned', fiscal('closing'), { says: [GIVEN_OUT], documents: {} }, ['evidence', 'documentOf 17']],
    ['reads the journal if the device does not count documents', fiscal('closing'), { says: [{ lastDocument: null }], documents: {} }, ['evidence', 'documentOf 17']],
    ['reads the journal while another receipt is open', fiscal('closing'), { says: [{ ...open(18), lastDocument: 18 }], documents: {} }, ['evidence', 'documentOf 17']],
    ['reads no journal for a number that was not assigned', fiscal('closing'), { says: [{}], documents: {} }, ['evidence']],
    ['reads no journal for a receipt whose number was not stored', receipt('closing', { before: null }), { says: [GIVEN_OUT], documents: {} }, ['evidence']],
    ['reads no journal without a number on a device that does not count', receipt('closing', { before: null }), { says: [{ lastDocument: null }], documents: {} }, ['evidence']],
    ['reads no journal for a close whose receipt is still open', close, { says: [allPaid], documents: {} }, ['evidence']],
    ['reads no journal for the last document if it is open without a number', close, { says: [open(null, { items: 1 })], documents: {} }, ['evidence']],
    ['reads the sums of the day if there is no journal', fiscal('closing'), { says: [GIVEN_OUT] }, ['evidence thorough']],
    ['reads the sums of the day for what may be cash', documentOf('cashIn'), { says: [{}], documents: {} }, ['evidence thorough']],
  ])('%s', async (_, entry, script, story) => {
    expect((await settledBy(script, entry)).story).toEqual(story)
  }) // biome-ignore format: a table

  const JOURNAL = ['documentOf 17', 'lastDocument']
  const WRONG_FORM = new DeviceError({ kind: 'notThisFamily', why: 'its answer to journalRead has the wrong form' })
  const journalFails = (failures: readonly DeviceError[], story: string[]): Script => {
    const left = [...failures]
    const documentOf = async (number: number) => {
      story.push(`documentOf ${number}`)
      const failure = left.shift()
      if (failure) throw failure
      return FISCAL
    }
    const lastDocument = async () => {
      story.push('lastDocument')
      return 17
    }
    return { says: [{ ...GIVEN_OUT, lastReceipt: null }], more: { documentOf, lastDocument } }
  }
  it.each<[string, readonly DeviceError[], string[], string]>([
    ['queries a journal that does not answer a second time', [NO_ANSWER], [...JOURNAL, 'documentOf 17'], 'closed'],
    ['ends without a journal that does not answer', [NO_ANSWER, NO_ANSWER], [...JOURNAL, ...JOURNAL], 'undecided'],
    ['ends without a journal that answers in an unknown form', [WRONG_FORM, WRONG_FORM], [...JOURNAL, ...JOURNAL], 'undecided'],
  ])('%s', async (_, failures, queries, became) => {
    const story: string[] = []
    const entry = fiscal('closing', { before: { ...BEFORE, lastReceipt: null, day: UNREPORTED_DAY } })
    const { settled } = await settledBy(journalFails(failures, story), entry)
    expect([settled.became, story]).toEqual([became, queries])
  }) // biome-ignore format: a table

  it('waits if the device answers nothing at all', async () => {
    const { says, more } = journalFails([NO_ANSWER], [])
    const lastDocument = async () => {
      throw NO_ANSWER
    }
    await expect(settledBy({ says, more: { ...more, lastDocument } }, fiscal('closing'))).rejects.toBe(NO_ANSWER)
  })

  it('queries nothing more from a device other than that on which the request began, and names that device', async () => {
    const { settled, story } = await settledBy({ says: [{ ...open(18), serialNumber: 'S2' }] }, fiscal('filling'))
    expect(story).toEqual(['evidence thorough'])
    expect(settled).toEqual({
      became: 'maybeOnOtherDevice',
      why:
        'it started on the device with serial number S1, but S2 is connected now. ' +
        'Check the paper of S1, or reconnect it.',
    })
  })
})

describe('a fiscal receipt that is no longer open', () => {
  const closedAs = (as: string) => ({ became: 'closed', receiptNumber: '17', as })
  it.each<[string, Entry, DocumentFacts, object]>([
    ['was closed as requested once its close was sent', fiscal('closing'), FISCAL, closedAs('asked')],
    ['was closed without a query for its sum', fiscal('closing', { of: { payments: [CARD] } }), FISCAL, closedAs('asked')],
    ['has the sum that was to be paid', fiscal('closing', paying([CARD])), FISCAL, closedAs('asked')],
    ['has a sum that the journal does not report', fiscal('closing', paying([CARD])), { ...FISCAL, total: null }, closedAs('asked')],
    ['has another sum: another program sold on it', fiscal('closing', paying([CARD])), { ...FISCAL, total: 481 }, closedAs('byOther')],
    ['was partly paid by another program', fiscal('closing', paying([CASH], { byOther: true })), FISCAL, closedAs('byOther')],
    ['was paid by another program, the remaining amount in cash', fiscal('closing', paying([CARD], { byOther: true, inCash: true })), FISCAL, closedAs('byOther')],
    ['had its remaining amount paid in cash', fiscal('closing', paying([CARD], { inCash: true })), FISCAL, closedAs('inCash')],
    ['was to be paid at once, and its close was never sent', fiscal('paying', paying([CASH])), FISCAL, closedAs('byOther')],
    ['was closed by another program between two payments', fiscal('paying', paying([CARD, CASH])), FISCAL, closedAs('byOther')],
    ['was closed by another program before anything was to be paid', fiscal('paying'), FISCAL, closedAs('byOther')],
    ['was closed by another program before its payment', fiscal('filling', paying([CASH])), FISCAL, closedAs('byOther')],
    ['was closed by another program while it was to be cancelled', fiscal('cancelling', paying([CASH])), FISCAL, closedAs('byOther')],
    ['is cancelled', fiscal('cancelling'), CANCELLED, { became: 'cancelled' }],
    ['is another document by its journal', fiscal('closing'), NON_FISCAL, { became: 'undecided', why: 'document 17 was not opened by this request.' }],
  ])('%s', async (_, entry, facts, settled) => {
    expect((await settledBy({ says: [GIVEN_OUT], documents: { 17: facts } }, entry)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it.each<[string, Entry, DocumentFacts, object]>([
    ['is cancelled, as requested', fiscal('closing', CANCELS), CANCELLED, DONE],
    ['is cancelled before it was filled', fiscal('filling', CANCELS), CANCELLED, { became: 'cancelled' }],
    ['was to be cancelled by its own request, and another program has closed it', fiscal('closing', CANCELS), FISCAL, closedAs('byOther')],
    ['was to be cancelled by its own request, and its state is unknown', fiscal('closing', CANCELS), NON_FISCAL, { became: 'undecided', why: 'document 17 was not opened by this request.' }],
  ])('%s', async (_, entry, facts, settled) => {
    const log = ['evidence', 'documentOf 17']
    expect(await settledBy({ says: [GIVEN_OUT], documents: { 17: facts } }, entry)).toEqual({ settled, story: log, noted: [] })
  }) // biome-ignore format: a table

  it('was never opened', async () => {
    expect((await settledBy({ says: [{}] }, receipt('opening'))).settled).toEqual({ became: 'nothing' })
  })

  describe('with a text before the payment in progress', () => {
    const payments = [CARD, { ...CASH, textsBefore: [{ text: 'TWO' }] }]
    const one: UnconfirmedElement = { is: 'text', text: 'ONE', times: 1 }
    const begun = (more: At = {}) => fiscal('paying', paying(payments, { begun: 2, unconfirmed: [one], ...more }))
    const two = { is: 'text', text: 'TWO', times: 1, others: [], mayBeMissing: true } as UnconfirmedElement
    it.each<[string, At, readonly string[], string, readonly UnconfirmedElement[] | undefined]>([
      ['the text is missing', {}, ['TEA'], 'unconfirmed', [one, two]],
      ['the text is printed', {}, ['TEA', 'TWO'], 'asked', [one, two]],
      ['the text is not searched after it was seen printed', { textsPrinted: true }, ['TEA'], 'asked', undefined],
      ['the text is printed, and another text is printed twice', {}, ['ONE', 'ONE', 'TWO'], 'twice', [one, two]],
    ])('%s', async (_, more, lines, as, unconfirmed) => {
      const { settled, noted } = await settledBy({ says: [partPaid], lines: { 17: lines } }, begun(more))
      expect(settled).toMatchObject({ became: 'closed', as })
      expect(noted.map((entry) => entry.unconfirmed).find((entry) => entry !== undefined)).toEqual(unconfirmed)
    })

    it('the text is the only unconfirmed element if no other one was retransmitted', async () => {
      const { unconfirmed: _, ...entry } = begun()
      const { noted } = await settledBy({ says: [partPaid], lines: { 17: ['TEA', 'TWO'] } }, entry)
      expect(noted.flatMap(({ unconfirmed }) => unconfirmed ?? [])).toEqual([two])
    })
  }) // biome-ignore format: a table

  const again = { unconfirmed: [{ is: 'text', text: 'ONCE', times: 1 }] } as const
  it.each([
    ['shows a line twice that was retransmitted', again, ['ONCE', 'ONCE'], {}, 'twice'],
    ['shows a retransmitted line once', again, ['ONCE', 'TOTAL'], {}, 'asked'],
    ['shows a line twice that was not retransmitted', {}, ['ONCE', 'ONCE'], {}, 'asked'],
    ['was closed by another program, whatever appears on it twice', again, ['ONCE', 'ONCE'], paying([CASH], { byOther: true }), 'byOther'],
  ] as const)('%s', async (_, texts, lines, more, as) => {
    const script = { says: [GIVEN_OUT], documents: { 17: FISCAL }, lines: { 17: lines } }
    const { settled } = await settledBy(script, fiscal('closing', { ...texts, ...more }))
    expect(settled).toEqual(closedAs(as))
  }) // biome-ignore format: a table
})

describe('an open fiscal receipt', () => {
  it.each([
    ['with nothing paid', unpaid],
    ['if the wire protocol does not report what is paid', open(17, { items: 2, paid: null })],
  ])('is cancelled %s, once that is stored', async (_, said) => {
    const { settled, story } = await settledBy({ says: [said] }, fiscal('filling'))
    expect(settled).toEqual({ became: 'cancelled' })
    expect(story).toEqual(['evidence thorough', 'take back', 'cancelFiscal'])
  })

  it('is paid as requested and closed once a part is paid, each step stored before it', async () => {
    const { settled, story, noted } = await settledBy({ says: [partPaid] }, fiscal('paying', paying([CARD, CASH])))
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'asked' })
    expect(story).toEqual([...['evidence thorough', 'reach pay 2', 'pay 0 the rest', 'reach close', 'closeFiscal']])
    expect(noted).toEqual([{}, {}])
  })

  it('is paid in cash and closed if the paid amount differs from the request', async () => {
    const entry = fiscal('paying', paying([{ mode: 1, amount: 480 }]))
    const { settled, noted } = await settledBy({ says: [partPaid] }, entry)
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'inCash' })
    expect(noted).toContainEqual({ inCash: true })
  })

  it('is closed as paid by another program, even if the remaining amount is paid in cash', async () => {
    const { settled, noted } = await settledBy({ says: [partPaid] }, fiscal('filling', paying([CARD])))
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'byOther' })
    expect(noted).toEqual([{ byOther: true }, { inCash: true }, {}])
  })

  it.each<[string, Stage, string]>([
    ['its own request', 'paying', 'asked'],
    ['its own request, because its close was sent', 'closing', 'asked'],
    ['another program, because its own rows were being sent', 'filling', 'byOther'],
    ['another program, because it was to be cancelled', 'cancelling', 'byOther'],
  ])('whose payments were not stored is treated as paid by %s', async (_, stage, as) => {
    const { settled, story } = await settledBy({ says: [allPaid] }, fiscal(stage))
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as })
    const byOther = as === 'byOther' ? ['note byOther'] : []
    const reach = stage === 'closing' ? [] : ['reach close']
    expect(story).toEqual(['evidence thorough', ...byOther, ...reach, 'closeFiscal'])
  })

  it('whose caller may have sold it again is cancelled, but left open if another program has paid on it', async () => {
    const givenUp = fiscal('paying', { isGivenUp: true })
    expect((await settledBy({ says: [unpaid] }, givenUp)).settled).toEqual({ became: 'cancelled' })
    const { settled, story } = await settledBy({ says: [partPaid] }, givenUp)
    expect(settled).toEqual({ became: 'undecided', why: 'another program has paid on receipt 17. Check its paper.' })
    expect(story).toEqual(['evidence thorough'])
  })

  it('is not treated as perhaps paid if the wire does not report payments', async () => {
    const reported = open(17, { items: 2, paid: null, remaining: null })
    const { noted } = await settledBy({ says: [reported] }, fiscal('paying', paying([CASH])))
    expect(noted).toEqual([{ document: 17 }])
  })

  it('is left to the next reconciliation, without a query, if its cancel is not answered', async () => {
    const { end, story } = await failedBy({ says: [unpaid], fails: { cancelFiscal: NO_ANSWER } }, fiscal('filling'))
    expect(end).toBe(NO_ANSWER)
    expect(story).toEqual(['evidence thorough', 'take back', 'cancelFiscal'])
  })

  it('is cancelled again if its request ends with a cancel, whatever is stored', async () => {
    const { settled, story } = await settledBy({ says: [unpaid] }, fiscal('closing', CANCELS))
    expect(settled).toEqual(DONE)
    expect(story).toEqual(['evidence thorough', 'cancelFiscal'])
  })

  describe('with a total of 0.00', () => {
    const zero = open(17, { items: 2 })
    const fails = { cancelFiscal: REFUSED }

    it('is closed after its payment has begun, if the device refuses to cancel it', async () => {
      const { settled, story, noted } = await settledBy({ says: [zero], fails }, fiscal('paying', paying([CASH])))
      expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'asked' })
      expect(story).toContain('closeFiscal')
      expect(noted[0]).toEqual({ perhapsPaid: true, document: 17 })
    })

    it('is not closed before its payment: the refusal is reported', async () => {
      const entry = fiscal('filling', paying([CASH]))
      await expect(settledBy({ says: [zero], fails }, entry)).rejects.toBe(REFUSED)
    })
  })

  describe('whose cancel is refused', () => {
    const fails = { cancelFiscal: REFUSED }

    it('is queried again, because the first attempt may have cancelled it', async () => {
      const script = { says: [unpaid, GIVEN_OUT], documents: { 17: CANCELLED }, fails }
      const { settled, story } = await settledBy(script, fiscal('filling'))
      expect(settled).toEqual({ became: 'cancelled' })
      expect(story).toEqual(['evidence', 'take back', 'cancelFiscal', 'evidence', 'documentOf 17'])
    })

    it('is cancelled according to the sums of the day, if there is no journal', async () => {
      const { settled, story } = await settledBy({ says: [unpaid, GIVEN_OUT], fails }, fiscal('filling'))
      expect(settled).toEqual({ became: 'cancelled' })
      expect(story.at(-1)).toBe('evidence thorough')
    })

    it('was closed by another program, also after its own close', async () => {
      const script = { says: [unpaid, GIVEN_OUT], documents: { 17: FISCAL }, fails }
      const { settled } = await settledBy(script, fiscal('closing', paying([CASH])))
      expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'byOther' })
    })

    it('is not searched on another device that was connected in the meantime', async () => {
      const { end, story } = await failedBy(
        { says: [unpaid, { ...allPaid, serialNumber: 'S2' }], fails },
        fiscal('filling'),
      )
      expect(end).toBe(EXCHANGED)
      expect(story).toEqual(['evidence thorough', 'take back', 'cancelFiscal', 'evidence thorough'])
    })

    it('stays open with nothing paid: the refusal is reported', async () => {
      const { end, story } = await failedBy({ says: [unpaid], fails }, fiscal('filling'))
      expect(end).toBe(REFUSED)
      expect(story).not.toContain('closeFiscal')
    })

    it.each([
      ['as the wire protocol does not report what is paid', open(17, { items: 2, paid: null, remaining: null })],
      ['as a part is paid by now', allPaid],
    ])('is paid and closed %s', async (_, said) => {
      const { settled, story } = await settledBy({ says: [unpaid, said], fails }, fiscal('paying', paying([CASH])))
      expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'asked' })
      expect(story.slice(-2)).toEqual(['reach close', 'closeFiscal'])
    })
  })
})

describe('a non-fiscal receipt', () => {
  const byOther = 'another program closed non-fiscal receipt 17. Check its paper.'
  const written = { documents: { 17: NON_FISCAL } }
  const twice = { unconfirmed: [{ is: 'text', text: 'ONCE', times: 1 }] } as const
  it.each<[string, Entry, Omit<Script, 'says'>, Reconciliation]>([
    ['is complete after its close was sent', nonFiscal('closing'), written, DONE],
    ['is cancelled if it was to be cancelled', nonFiscal('cancelling'), written, { became: 'cancelled' }],
    ['was closed by another program before its close was sent', nonFiscal('filling'), written, { became: 'undecided', why: byOther }],
    ['was made void by another program', nonFiscal('closing'), { ...written, lines: { 17: ['VOID'] }, more: { voidLine: 'VOID' } }, { became: 'undecided', why: byOther }],
    ['has a void line of its own', entryAt(slipSteps(['VOID']), 'closing', { document: 17 }), { ...written, lines: { 17: ['VOID'] }, more: { voidLine: 'VOID' } }, DONE],
    ['has a line twice', nonFiscal('closing', twice), { ...written, lines: { 17: ['ONCE', 'ONCE'] } }, { became: 'closed', receiptNumber: '17', as: 'twice' }],
    ['is cancelled according to the journal', nonFiscal('closing'), { documents: { 17: CANCELLED } }, { became: 'cancelled' }],
    ['is a fiscal receipt according to the journal', nonFiscal('closing'), { documents: { 17: FISCAL } }, { became: 'undecided', why: 'document 17 was not opened by this request.' }],
  ])('%s', async (_, entry, script, settled) => {
    expect((await settledBy({ says: [GIVEN_OUT], ...script }, entry)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it('was never opened', async () => {
    expect((await settledBy({ says: [{}] }, slip('opening'))).settled).toEqual({ became: 'nothing' })
  })

  it.each<[string, Script]>([
    ['is open', { says: [open(17, { kind: 'NonFiscal' })] }],
    ['is closed', { says: [GIVEN_OUT], documents: { 17: NON_FISCAL } }],
    ['is closed with a line that makes it void', { says: [GIVEN_OUT], documents: { 17: NON_FISCAL }, lines: { 17: ['VOID'] }, more: { voidLine: 'VOID' } }],
  ])('whose own request ends with a cancel is complete if it %s', async (_, script) => {
    const { settled, noted } = await settledBy(script, slipThatCancels('closing'))
    expect(settled).toEqual(DONE)
    expect(noted).toEqual([])
  }) // biome-ignore format: a table

  it.each<[string, Script, Reconciliation]>([
    ['is open is cancelled', { says: [open(17, { kind: 'NonFiscal' })] }, { became: 'cancelled' }],
    ['is closed was closed by another program', { says: [GIVEN_OUT], documents: { 17: NON_FISCAL } }, { became: 'undecided', why: byOther }],
  ])('whose request ends with a cancel that was not sent yet, and that %s', async (_, script, settled) => {
    expect((await settledBy(script, slipThatCancels('filling'))).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it('whose close was sent, and that is still open, is cancelled', async () => {
    const { settled, story } = await settledBy({ says: [open(17, { kind: 'NonFiscal' })] }, nonFiscal('closing'))
    expect(settled).toEqual({ became: 'cancelled' })
    expect(story).toEqual(['evidence thorough', 'take back', 'cancelNonFiscal'])
  })

  it('that is open is cancelled after the intention is stored', async () => {
    const { settled, story } = await settledBy({ says: [open(17, { kind: 'NonFiscal' })] }, nonFiscal('filling'))
    expect(settled).toEqual({ became: 'cancelled' })
    expect(story).toEqual(['evidence thorough', 'take back', 'cancelNonFiscal'])
  })
})

describe('a close as a separate request', () => {
  it.each<[string, Entry, Partial<Evidence>, DocumentFacts, Reconciliation]>([
    ['was not executed while the receipt is open', close, allPaid, FISCAL, { became: 'nothing' }],
    ['was executed', close, GIVEN_OUT, FISCAL, { became: 'closed', receiptNumber: '17', as: 'asked' }],
    ['found the receipt cancelled', close, GIVEN_OUT, CANCELLED, { became: 'cancelled' }],
    ['of a non-fiscal receipt was executed', closeNonFiscal, GIVEN_OUT, NON_FISCAL, DONE],
    ['of a non-fiscal receipt was not executed', closeNonFiscal, open(17, { kind: 'NonFiscal' }), NON_FISCAL, { became: 'nothing' }],
    ['of a non-fiscal receipt found it cancelled', closeNonFiscal, GIVEN_OUT, CANCELLED, { became: 'cancelled' }],
  ])('%s', async (_, entry, said, facts, settled) => {
    expect((await settledBy({ says: [said], documents: { 17: facts } }, entry)).settled).toEqual(settled)
  }) // biome-ignore format: a table
})
