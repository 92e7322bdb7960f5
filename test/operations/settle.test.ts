/** What is done about a request that was cut off, and in which order, from what its device says afterwards. */
import { describe, expect, it } from 'vitest'
import { DeviceError } from '../../drivers/model/errors.ts'
import type { DocumentFacts, Evidence } from '../../drivers/model/printer.ts'
import type { Doubtful, ProgressRecord, Settlement, Stage } from '../../server/operations/operation.ts'
import { evidenceBefore, needsSums, type Settled, settle } from '../../server/operations/run.ts'
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
  REFUSED,
  type Script,
  scriptedPrinter,
  unpaid,
} from './scripted-printer.ts'

const CARD = { mode: 1, amount: 100 }
const CASH = { mode: 0 }
const NON_FISCAL: DocumentFacts = { kind: 'nonFiscal', total: null }

/** A request whose receipt was given the number 17. */
const recordOf =
  (undertaking: ProgressRecord['undertaking']) =>
  (stage: Stage, more: Partial<ProgressRecord> = {}): ProgressRecord => ({
    ...{ undertaking, stage, before: BEFORE, document: 17 },
    ...more,
  })
const fiscal = recordOf('fiscalReceipt')
const nonFiscal = recordOf('nonFiscalReceipt')
const paying = (payments: Settlement['payments'], more: Partial<Settlement> = {}) => ({
  settlement: { total: 480, payments, begun: 1, ...more },
})

async function settledBy(script: Script, record: ProgressRecord) {
  const printer = scriptedPrinter(script)
  const settled = await settle(printer, record, printer.announce)
  return { settled, story: printer.story, announced: printer.announced }
}

describe('before a request', () => {
  it('the device tells its state, as thoroughly as it is asked; nothing is begun on one that refuses to', async () => {
    const printer = scriptedPrinter({ says: [{}] })
    expect(await evidenceBefore(printer)).toEqual(BEFORE)
    await evidenceBefore(printer, { thorough: true })
    expect(printer.story).toEqual(['evidence', 'evidence thorough'])
    const mistake = new DeviceError({ kind: 'badValue', field: 'invalidCommand', why: 'too long' })
    for (const failure of [NO_ANSWER, REFUSED, mistake])
      await expect(evidenceBefore(scriptedPrinter({ says: [failure] }))).rejects.toBe(failure)
  })

  it('a mistake of this program is not taken for a device that tells nothing', async () => {
    const evidence = () => Promise.reject(new TypeError('a mistake'))
    await expect(evidenceBefore(scriptedPrinter({ says: [], more: { evidence } }))).rejects.toThrow('a mistake')
  })

  it.each(['invalidCommand', 'unknownCommand'])(
    'a device that has no such command can tell nothing: %s',
    async (key) => {
      const lacking = new DeviceError({ kind: 'refused', code: '3', key, meaning: 'unknown' })
      expect(await evidenceBefore(scriptedPrinter({ says: [lacking] }))).toBeNull()
    },
  )

  it('the sums of the day are asked only where no journal tells what a document is', () => {
    expect(needsSums(scriptedPrinter({ says: [] }))).toBe(true)
    expect(needsSums(scriptedPrinter({ says: [], documents: {} }))).toBe(false)
  })
})

describe('without a question to the device', () => {
  it.each<[string, ProgressRecord, Settled]>([
    ['nothing came of what was never begun', fiscal('before'), { became: 'nothing' }],
    ['what was done is done', nonFiscal('done'), { became: 'done', data: '' }],
    [
      'a receipt that was closed has its number',
      fiscal('done', { receiptNumber: '17' }),
      { became: 'closed', receiptNumber: '17', as: 'asked' },
    ],
  ])('%s', async (_, record, settled) => {
    expect(await settledBy({ says: [NO_ANSWER] }, record)).toEqual({ settled, story: [], announced: [] })
  })
})

describe('what is asked', () => {
  it.each<[string, ProgressRecord, Script, string[]]>([
    ['the journal, of a document that was given out', fiscal('closing'), { says: [GIVEN_OUT], documents: {} }, ['evidence', 'documentOf 17']],
    ['the journal, where the device does not count', fiscal('closing'), { says: [{ lastDocument: null }], documents: {} }, ['evidence', 'documentOf 17']],
    ['the journal, while another receipt is open', fiscal('closing'), { says: [{ ...open(18), lastDocument: 18 }], documents: {} }, ['evidence', 'documentOf 17']],
    ['no journal, of a number that was not given out', fiscal('closing'), { says: [{}], documents: {} }, ['evidence']],
    ['no journal, of a receipt that nobody gave a number', { undertaking: 'fiscalReceipt', stage: 'closing', before: null }, { says: [GIVEN_OUT], documents: {} }, ['evidence']],
    ['no journal, of no number on a device that does not count', { undertaking: 'fiscalReceipt', stage: 'closing', before: null }, { says: [{ lastDocument: null }], documents: {} }, ['evidence']],
    ['no journal, of a close whose receipt stands open still', recordOf('closeFiscal')('closing'), { says: [allPaid], documents: {} }, ['evidence']],
    ['no journal, of the last document where it stands open without a number', recordOf('closeFiscal')('closing'), { says: [open(null, { items: 1 })], documents: {} }, ['evidence']],
    ['the sums of the day, where there is no journal', fiscal('closing'), { says: [GIVEN_OUT] }, ['evidence thorough']],
    ['the sums of the day, for what may be cash', recordOf('document')('closing', { kind: 'cashIn' }), { says: [{}], documents: {} }, ['evidence thorough']],
  ])('%s', async (_, record, script, story) => {
    expect((await settledBy(script, record)).story).toEqual(story)
  }) // biome-ignore format: a table

  it('nothing more of another device than the one on which it began, which is named', async () => {
    const { settled, story } = await settledBy({ says: [{ ...unpaid, serialNumber: 'S2' }] }, fiscal('filling'))
    expect(story).toEqual(['evidence thorough'])
    expect(settled).toEqual({
      became: 'elsewhere',
      why:
        'it began on the device with the serial number S1, and S2 is connected now. ' +
        'Look at the paper of S1, or connect it again.',
    })
  })
})

describe('a fiscal receipt that is no longer open', () => {
  const closedAs = (as: string) => ({ became: 'closed', receiptNumber: '17', as })
  it.each<[string, ProgressRecord, DocumentFacts, object]>([
    ['was closed as asked once its close was sent', fiscal('closing'), FISCAL, closedAs('asked')],
    ['whose sum nobody asked', fiscal('closing', paying([CARD], { total: null })), FISCAL, closedAs('asked')],
    ['whose sum is the one that was to be paid', fiscal('closing', paying([CARD])), FISCAL, closedAs('asked')],
    ['whose sum the journal does not tell', fiscal('closing', paying([CARD])), { ...FISCAL, total: null }, closedAs('asked')],
    ['has another sum: somebody else sold on it', fiscal('closing', paying([CARD])), { ...FISCAL, total: 481 }, closedAs('byOther')],
    ['was paid in part by somebody else', fiscal('closing', paying([], { byOther: true })), FISCAL, closedAs('byOther')],
    ['was paid by somebody else, the rest in cash', fiscal('closing', paying([CARD], { byOther: true, inCash: true })), FISCAL, closedAs('byOther')],
    ['had its rest paid in cash', fiscal('closing', paying([CARD], { inCash: true })), FISCAL, closedAs('inCash')],
    ['was to be paid at once, and its close was never sent', fiscal('paying', paying([])), FISCAL, closedAs('byOther')],
    ['was closed by somebody else between two payments', fiscal('paying', paying([CARD, CASH])), FISCAL, closedAs('byOther')],
    ['was closed by somebody else before anything was to be paid', fiscal('paying'), FISCAL, closedAs('byOther')],
    ['was closed by somebody else before its paying', fiscal('filling', paying([])), FISCAL, closedAs('byOther')],
    ['was closed by somebody else while it was to be cancelled', fiscal('cancelling', paying([])), FISCAL, closedAs('byOther')],
    ['is cancelled', fiscal('cancelling'), CANCELLED, { became: 'cancelled' }],
    ['is another document by its journal', fiscal('closing'), NON_FISCAL, { became: 'unproven', why: 'document 17 is not what this request has opened.' }],
  ])('%s', async (_, record, facts, settled) => {
    expect((await settledBy({ says: [GIVEN_OUT], documents: { 17: facts } }, record)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it.each<[string, ProgressRecord, DocumentFacts, object]>([
    ['is cancelled, as it was asked for', fiscal('closing', { cancels: true }), CANCELLED, { became: 'done', data: '' }],
    ['is cancelled before it was filled', fiscal('filling', { cancels: true }), CANCELLED, { became: 'cancelled' }],
    ['was to be cancelled by its own request, and somebody else has closed it', fiscal('closing', { cancels: true }), FISCAL, closedAs('byOther')],
    ['was to be cancelled by its own request, and nobody knows what it is', fiscal('closing', { cancels: true }), NON_FISCAL, { became: 'unproven', why: 'document 17 is not what this request has opened.' }],
  ])('%s', async (_, record, facts, settled) => {
    const story = ['evidence', 'documentOf 17']
    expect(await settledBy({ says: [GIVEN_OUT], documents: { 17: facts } }, record)).toEqual({ settled, story, announced: [] })
  }) // biome-ignore format: a table

  it('was never opened', async () => {
    const record: ProgressRecord = { undertaking: 'fiscalReceipt', stage: 'opening', before: BEFORE }
    expect((await settledBy({ says: [{}] }, record)).settled).toEqual({ became: 'nothing' })
  })

  describe('and a text before a payment that was begun', () => {
    const payments = [CARD, { ...CASH, textsBefore: [{ text: 'TWO' }] }]
    const one: Doubtful = { is: 'text', text: 'ONE', times: 1 }
    const begun = (more: Partial<Settlement> = {}) => fiscal('paying', { ...paying(payments, { begun: 2, texts: ['TWO'], ...more }), doubtful: [one] })
    const two = { is: 'text', text: 'TWO', times: 1, others: [], mayBeMissing: true } as Doubtful
    it.each<[string, Partial<Settlement>, readonly string[], string, readonly Doubtful[] | undefined]>([
      ['is missing', {}, ['TEA'], 'inDoubt', [one, two]],
      ['is there', {}, ['TEA', 'TWO'], 'asked', [one, two]],
      ['is not asked about once it is printed', { textsPrinted: true }, ['TEA'], 'asked', undefined],
      ['is there, and another one twice', {}, ['ONE', 'ONE', 'TWO'], 'twice', [one, two]],
    ])('%s', async (_, more, lines, as, doubtful) => {
      const { settled, announced } = await settledBy({ says: [partPaid], lines: { 17: lines } }, begun(more))
      expect(settled).toMatchObject({ became: 'closed', as })
      expect(announced.map((told) => told.doubtful).find((told) => told !== undefined)).toEqual(doubtful)
    })

    it('is the only one of which that is not known', async () => {
      const { doubtful: _, ...record } = begun()
      const { announced } = await settledBy({ says: [partPaid], lines: { 17: ['TEA', 'TWO'] } }, record)
      expect(announced.flatMap(({ doubtful }) => doubtful ?? [])).toEqual([two])
    })
  }) // biome-ignore format: a table

  const again = { doubtful: [{ is: 'text', text: 'ONCE', times: 1 }] } as const
  it.each([
    ['shows a line twice that was written again', again, ['ONCE', 'ONCE'], {}, 'twice'],
    ['shows it once', again, ['ONCE', 'TOTAL'], {}, 'asked'],
    ['shows a line twice that was not written again', {}, ['ONCE', 'ONCE'], {}, 'asked'],
    ['was ended by somebody else, whatever stands twice', again, ['ONCE', 'ONCE'], paying([], { byOther: true }), 'byOther'],
  ] as const)('%s', async (_, texts, lines, more, as) => {
    const script = { says: [GIVEN_OUT], documents: { 17: FISCAL }, lines: { 17: lines } }
    const { settled } = await settledBy(script, fiscal('closing', { ...texts, ...more }))
    expect(settled).toEqual(closedAs(as))
  }) // biome-ignore format: a table
})

describe('a fiscal receipt that stands open', () => {
  it.each([
    ['with nothing paid', unpaid],
    ['where the wire does not tell what is paid', open(17, { items: 2, paid: null })],
  ])('is cancelled %s, once that is written down', async (_, said) => {
    const { settled, story } = await settledBy({ says: [said] }, fiscal('filling'))
    expect(settled).toEqual({ became: 'cancelled' })
    expect(story).toEqual(['evidence thorough', 'announce cancelling', 'cancelFiscal'])
  })

  it('is paid as asked and closed once a part is paid, each step written down before it', async () => {
    const { settled, story, announced } = await settledBy({ says: [partPaid] }, fiscal('paying', paying([CARD, CASH])))
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'asked' })
    expect(story).toEqual([
      ...['evidence thorough', 'announce paying', 'pay 0 the rest', 'announce closing', 'closeFiscal'],
    ])
    const both = { settlement: { total: 480, payments: [CARD, CASH], begun: 2 } }
    expect(announced).toEqual([both, both])
  })

  it('is paid in cash and closed where what is paid is not what was asked for', async () => {
    const record = fiscal('paying', paying([{ mode: 1, amount: 480 }]))
    const { settled, announced } = await settledBy({ says: [partPaid] }, record)
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'inCash' })
    expect(announced.at(-1)).toMatchObject({ settlement: { inCash: true } })
  })

  it('is closed as paid by somebody else, also where the rest is paid in cash', async () => {
    const { settled, announced } = await settledBy({ says: [partPaid] }, fiscal('paying', paying([CARD], { begun: 0 })))
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'byOther' })
    expect(announced.at(-1)).toMatchObject({ settlement: { inCash: true, byOther: true } })
  })

  it.each<[string, Stage, string]>([
    ['its own payment', 'paying', 'asked'],
    ['its own payment, when its close was sent', 'closing', 'asked'],
    ['that of somebody else, while it was filled', 'filling', 'byOther'],
    ['that of somebody else, while it was to be cancelled', 'cancelling', 'byOther'],
  ])('and whose payments nobody wrote down has %s', async (_, stage, as) => {
    const { settled, story } = await settledBy({ says: [allPaid] }, fiscal(stage))
    expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as })
    expect(story).toEqual(['evidence thorough', 'announce closing', 'closeFiscal'])
  })

  it('is not taken for one that is perhaps paid where the wire does not tell what is', async () => {
    const said = open(17, { items: 2, paid: null, remaining: null })
    const { announced } = await settledBy({ says: [said] }, fiscal('paying', paying([])))
    expect(announced).toEqual([{}])
  })

  it('is left to the next time where its cancel is not answered, and not asked about', async () => {
    const printer = scriptedPrinter({ says: [unpaid], fails: { cancelFiscal: NO_ANSWER } })
    await expect(settle(printer, fiscal('filling'), printer.announce)).rejects.toBe(NO_ANSWER)
    expect(printer.story).toEqual(['evidence thorough', 'announce cancelling', 'cancelFiscal'])
  })

  it('is cancelled once more where that is its own end, whatever is written down', async () => {
    const { settled, story } = await settledBy({ says: [unpaid] }, fiscal('closing', { cancels: true }))
    expect(settled).toEqual({ became: 'done', data: '' })
    expect(story).toEqual(['evidence thorough', 'cancelFiscal'])
  })

  describe('and comes to 0.00', () => {
    const zero = open(17, { items: 2 })
    const fails = { cancelFiscal: REFUSED }

    it('is paid where its payment was begun and the device refuses to cancel it: it is closed', async () => {
      const { settled, story, announced } = await settledBy({ says: [zero], fails }, fiscal('paying', paying([])))
      expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'asked' })
      expect(story).toContain('closeFiscal')
      expect(announced[0]).toEqual({ perhapsPaid: true })
    })

    it('is not paid before its payment: the refusal stands', async () => {
      const record = fiscal('filling', paying([], { begun: 0 }))
      await expect(settledBy({ says: [zero], fails }, record)).rejects.toBe(REFUSED)
    })
  })

  describe('and whose cancel is refused', () => {
    const fails = { cancelFiscal: REFUSED }

    it('is looked at once more: it was cancelled at the first time of asking', async () => {
      const script = { says: [unpaid, GIVEN_OUT], documents: { 17: CANCELLED }, fails }
      const { settled, story } = await settledBy(script, fiscal('filling'))
      expect(settled).toEqual({ became: 'cancelled' })
      expect(story).toEqual(['evidence', 'announce cancelling', 'cancelFiscal', 'evidence', 'documentOf 17'])
    })

    it('was cancelled by the sums of the day, where there is no journal', async () => {
      const { settled, story } = await settledBy({ says: [unpaid, GIVEN_OUT], fails }, fiscal('filling'))
      expect(settled).toEqual({ became: 'cancelled' })
      expect(story.at(-1)).toBe('evidence thorough')
    })

    it('was closed by somebody else, also behind a close of its own', async () => {
      const script = { says: [unpaid, GIVEN_OUT], documents: { 17: FISCAL }, fails }
      const { settled } = await settledBy(script, fiscal('closing', paying([])))
      expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'byOther' })
    })

    it('is not looked for on another device that came meanwhile', async () => {
      const printer = scriptedPrinter({ says: [unpaid, { ...allPaid, serialNumber: 'S2' }], fails })
      await expect(settle(printer, fiscal('filling'), printer.announce)).rejects.toBe(EXCHANGED)
      expect(printer.story).toEqual(['evidence thorough', 'announce cancelling', 'cancelFiscal', 'evidence thorough'])
    })

    it('stays open with nothing paid: the refusal is told', async () => {
      const printer = scriptedPrinter({ says: [unpaid], fails })
      await expect(settle(printer, fiscal('filling'), printer.announce)).rejects.toBe(REFUSED)
      expect(printer.story).not.toContain('closeFiscal')
    })

    it.each([
      ['as the wire does not tell what is paid', open(17, { items: 2, paid: null, remaining: null })],
      ['as something is paid by now', allPaid],
    ])('is paid and closed %s', async (_, said) => {
      const { settled, story } = await settledBy({ says: [unpaid, said], fails }, fiscal('paying', paying([])))
      expect(settled).toEqual({ became: 'closed', receiptNumber: '17', as: 'asked' })
      expect(story.slice(-2)).toEqual(['announce closing', 'closeFiscal'])
    })
  })
})

describe('a non-fiscal receipt', () => {
  const byOther = 'another program has ended non-fiscal receipt 17; look at its paper.'
  const written = { documents: { 17: NON_FISCAL } }
  const twice = { doubtful: [{ is: 'text', text: 'ONCE', times: 1 }] } as const
  it.each<[string, ProgressRecord, Omit<Script, 'says'>, Settled]>([
    ['is done once its close was sent', nonFiscal('closing'), written, { became: 'done', data: '' }],
    ['is cancelled where it was to be cancelled', nonFiscal('cancelling'), written, { became: 'cancelled' }],
    ['was ended by somebody else before that', nonFiscal('filling'), written, { became: 'unproven', why: byOther }],
    ['was made void by somebody else', nonFiscal('closing'), { ...written, lines: { 17: ['VOID'] }, more: { voidLine: 'VOID' } }, { became: 'unproven', why: byOther }],
    ['has such a line of its own', nonFiscal('closing', paying([], { texts: ['VOID'] })), { ...written, lines: { 17: ['VOID'] }, more: { voidLine: 'VOID' } }, { became: 'done', data: '' }],
    ['has a line twice', nonFiscal('closing', twice), { ...written, lines: { 17: ['ONCE', 'ONCE'] } }, { became: 'closed', receiptNumber: '17', as: 'twice' }],
    ['is cancelled by the journal', nonFiscal('closing'), { documents: { 17: CANCELLED } }, { became: 'cancelled' }],
    ['is a fiscal one by the journal', nonFiscal('closing'), { documents: { 17: FISCAL } }, { became: 'unproven', why: 'document 17 is not what this request has opened.' }],
  ])('%s', async (_, record, script, settled) => {
    expect((await settledBy({ says: [GIVEN_OUT], ...script }, record)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it('was never opened', async () => {
    const record: ProgressRecord = { undertaking: 'nonFiscalReceipt', stage: 'opening', before: BEFORE }
    expect((await settledBy({ says: [{}] }, record)).settled).toEqual({ became: 'nothing' })
  })

  it.each<[string, Script]>([
    ['stands open', { says: [open(17, { kind: 'NonFiscal' })] }],
    ['is closed', { says: [GIVEN_OUT], documents: { 17: NON_FISCAL } }],
    ['is closed with a line that makes it void', { says: [GIVEN_OUT], documents: { 17: NON_FISCAL }, lines: { 17: ['VOID'] }, more: { voidLine: 'VOID' } }],
  ])('whose own end is a cancel is done where it %s', async (_, script) => {
    const { settled, announced } = await settledBy(script, nonFiscal('closing', { cancels: true }))
    expect(settled).toEqual({ became: 'done', data: '' })
    expect(announced).toEqual([])
  }) // biome-ignore format: a table

  it.each<[string, Script, Settled]>([
    ['stands open is cancelled', { says: [open(17, { kind: 'NonFiscal' })] }, { became: 'cancelled' }],
    ['is closed was ended by somebody else', { says: [GIVEN_OUT], documents: { 17: NON_FISCAL } }, { became: 'unproven', why: byOther }],
  ])('whose own end is a cancel that was not sent yet, and that %s', async (_, script, settled) => {
    expect((await settledBy(script, nonFiscal('filling', { cancels: true }))).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it('whose close was sent, and that stands open, is cancelled', async () => {
    const { settled, story } = await settledBy({ says: [open(17, { kind: 'NonFiscal' })] }, nonFiscal('closing'))
    expect(settled).toEqual({ became: 'cancelled' })
    expect(story).toEqual(['evidence thorough', 'announce cancelling', 'cancelNonFiscal'])
  })

  it('that stands open is cancelled once that is written down', async () => {
    const { settled, story } = await settledBy({ says: [open(17, { kind: 'NonFiscal' })] }, nonFiscal('filling'))
    expect(settled).toEqual({ became: 'cancelled' })
    expect(story).toEqual(['evidence thorough', 'announce cancelling', 'cancelNonFiscal'])
  })
})

describe('a close of its own', () => {
  const closeFiscal = recordOf('closeFiscal')
  const closeNonFiscal = recordOf('closeNonFiscal')
  it.each<[string, ProgressRecord, Partial<Evidence>, DocumentFacts, Settled]>([
    ['was not carried out while the receipt stands open', closeFiscal('closing'), allPaid, FISCAL, { became: 'nothing' }],
    ['was carried out', closeFiscal('closing'), GIVEN_OUT, FISCAL, { became: 'closed', receiptNumber: '17', as: 'asked' }],
    ['was carried out, also where it was cut off before it was told', closeFiscal('filling'), GIVEN_OUT, FISCAL, { became: 'closed', receiptNumber: '17', as: 'asked' }],
    ['found the receipt cancelled', closeFiscal('closing'), GIVEN_OUT, CANCELLED, { became: 'cancelled' }],
    ['of a non-fiscal receipt was carried out', closeNonFiscal('closing'), GIVEN_OUT, NON_FISCAL, { became: 'done', data: '' }],
    ['of a non-fiscal receipt was not', closeNonFiscal('closing'), open(17, { kind: 'NonFiscal' }), NON_FISCAL, { became: 'nothing' }],
    ['of a non-fiscal receipt found it cancelled', closeNonFiscal('closing'), GIVEN_OUT, CANCELLED, { became: 'cancelled' }],
  ])('%s', async (_, record, said, facts, settled) => {
    expect((await settledBy({ says: [said], documents: { 17: facts } }, record)).settled).toEqual(settled)
  }) // biome-ignore format: a table
})
