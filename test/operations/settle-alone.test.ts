/** What is found about a single command that was cut off, and what a receipt stands at that cannot be brought to its end. */
import { describe, expect, it } from 'vitest'
import type { DocumentFacts, Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'
import type { ProgressRecord } from '../../server/operations/operation.ts'
import { type Standing, settle, standing, statesOf } from '../../server/operations/run.ts'
import { BEFORE, NO_ANSWER, openAt, REFUSED, type Script, scriptedPrinter } from './scripted-printer.ts'

const fact = (kind: DocumentFacts['kind']): DocumentFacts => ({ kind, total: null })
const done = (data: string | { ReceiptNumber: string; Raw: string } = ''): object => ({ became: 'done', data })

async function settledBy(script: Script, record: ProgressRecord) {
  const printer = scriptedPrinter(script)
  const settled = await settle(printer, record, printer.announce)
  return { settled, story: printer.story }
}

describe('a report, a copy or a movement of cash', () => {
  const recordOf = (kind: NonNullable<ProgressRecord['kind']>, before: Partial<Evidence> = {}): ProgressRecord => ({
    ...{ undertaking: 'document', stage: 'closing', kind },
    before: { ...BEFORE, ...before },
  })
  const cashIn: ProgressRecord = { ...recordOf('cashIn'), amount: 5000 }

  it.each<[string, ProgressRecord, Script, object]>([
    ['X: the next document is one', recordOf('x'), { says: [{ lastDocument: 17 }] }, done()],
    ['X: no document came', recordOf('x'), { says: [{}] }, { became: 'nothing' }],
    ['cash in: by the drawer', cashIn, { says: [{ lastDocument: 17, day: { ...BEFORE.day, cashIn: 5000 } }] }, done()],
    ['X: several documents, which nobody tells', recordOf('x'), { says: [{ lastDocument: 18 }] }, { became: 'unproven', why: 'documents 17 to 18 were printed since, and the device does not tell what they are: it may have carried out the command more than once. Look at the paper.' }],
    ['X: the device told nothing before', { undertaking: 'document', stage: 'closing', kind: 'x', before: null }, { says: [{ lastDocument: 17 }] }, { became: 'unproven', why: 'the device does not tell the number of its last document.' }],
    ['X: two of them in the journal', recordOf('x'), { says: [{ lastDocument: 18 }], documents: { 17: fact('x'), 18: fact('x') } }, { became: 'unproven', why: 'documents 17 and 18 are of the same kind: the device may have carried out the command more than once. Look at the paper.' }],
    ['X: one of them in the journal', recordOf('x'), { says: [{ lastDocument: 18 }], documents: { 17: fact('x'), 18: fact('fiscal') } }, done()],
    ['Z: its own answer is read back', recordOf('z'), { says: [{ lastDocument: 17, lastZ: 5 }] }, done('5,12.00')],
    ['Z: one whose number is not known before', recordOf('z', { lastZ: null }), { says: [{ lastDocument: 17, lastZ: 5 }] }, done('5,12.00')],
    ['Z: another one came behind it', recordOf('z'), { says: [{ lastDocument: 19, lastZ: 6 }], documents: { 17: fact('z'), 18: fact('fiscal'), 19: fact('z') } }, done()],
    ['Z: the wire does not tell its last', recordOf('z'), { says: [{ lastDocument: 17, lastZ: 5 }], lacks: 'lastReportZ' }, done()],
    ['copy: of the last receipt', recordOf('copy'), { says: [{ lastDocument: 17 }] }, done({ ReceiptNumber: '15', Raw: '' })],
    ['copy: of a receipt that nobody named before', recordOf('copy', { lastReceipt: null }), { says: [{ lastDocument: 17 }] }, done({ ReceiptNumber: '15', Raw: '' })],
    ['copy: there is a later receipt by now', recordOf('copy'), { says: [{ lastDocument: 18, lastReceipt: 18 }], documents: { 17: fact('copy'), 18: fact('fiscal') } }, done({ ReceiptNumber: '', Raw: '' })],
    ['copy: the wire does not tell its last receipt', recordOf('copy'), { says: [{ lastDocument: 17 }], lacks: 'lastReceipt' }, done({ ReceiptNumber: '', Raw: '' })],
  ])('%s', async (_, record, script, settled) => {
    expect((await settledBy(script, record)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it.each<[string, ProgressRecord, Partial<Evidence>, Script['documents'], string[]]>([
    ['both documents behind the last', recordOf('x'), { lastDocument: 18 }, { 17: fact('x') }, ['evidence thorough', 'documentOf 17', 'documentOf 18']],
    ['not the second where the first is not told', recordOf('x'), { lastDocument: 18 }, {}, ['evidence thorough', 'documentOf 17']],
    ['not the second where there is none', recordOf('x'), { lastDocument: 17 }, { 17: fact('x') }, ['evidence thorough', 'documentOf 17']],
    ['none where none has come', recordOf('x'), {}, { 17: fact('x') }, ['evidence thorough']],
    ['none where the last was not told before', recordOf('x', { lastDocument: null }), { lastDocument: 18 }, {}, ['evidence thorough']],
    ['nothing of the last receipt, which is another one by now', recordOf('copy'), { lastDocument: 18, lastReceipt: 18 }, { 17: fact('copy'), 18: fact('fiscal') }, ['evidence thorough', 'documentOf 17', 'documentOf 18']],
  ])('the journal is asked for %s', async (_, record, said, documents, story) => {
    expect((await settledBy({ says: [said], ...(documents && { documents }) }, record)).story).toEqual(story)
  }) // biome-ignore format: a table
})

describe('a step', () => {
  const inside = (items: number): Evidence => ({
    ...BEFORE,
    lastDocument: 17,
    open: openAt(17, { items, total: 240 * items, remaining: 240 * items }),
  })
  const ended: Partial<Evidence> = { lastDocument: 17 }
  const stepOf = (step: ProgressRecord['step'], before: Evidence | null): ProgressRecord => ({
    ...{ undertaking: 'step', stage: 'filling', before },
    ...(step && { step }),
  })
  const sale = (before: Evidence | null) => stepOf({ does: 'sale' }, before)
  const cancel = stepOf({ does: 'cancel' }, inside(2))
  const untold = { became: 'unproven', why: 'the device did not tell its state before this step.' }

  it.each<[string, ProgressRecord, Script, object]>([
    ['is not known where nobody wrote down what it does', stepOf(undefined, inside(2)), { says: [inside(2)] }, untold],
    ['is not known where the device told nothing before', sale(null), { says: [inside(2)] }, untold],
    ['was not carried out', sale(inside(2)), { says: [inside(2)] }, { became: 'nothing' }],
    ['was carried out', sale(inside(2)), { says: [inside(3)] }, done()],
    ['was carried out twice: both states are told', sale(inside(1)), { says: [inside(3)] }, { became: 'unproven', why: 'before it: receipt 17, 1 row, total 2.40, paid 0.00; now: receipt 17, 3 rows, total 7.20, paid 0.00. Compare the paper before you go on.' }],
    ['is not proven: both states are told', stepOf({ does: 'print' }, inside(1)), { says: [inside(1)] }, { became: 'unproven', why: 'before it: receipt 17, 1 row, total 2.40, paid 0.00; now: receipt 17, 1 row, total 2.40, paid 0.00. Compare the paper before you go on.' }],
    ['that cancels has cancelled', cancel, { says: [ended], documents: { 17: fact('cancelled') } }, done()],
    ['that cancels has cancelled what no journal tells', cancel, { says: [ended] }, done()],
    ['that cancels found the receipt closed', cancel, { says: [ended], documents: { 17: fact('fiscal') } }, { became: 'unproven', why: 'the receipt was closed since by another program.' }],
  ])('%s', async (_, record, script, settled) => {
    expect((await settledBy(script, record)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it('asks the journal about a cancel only, and about a receipt with a number', async () => {
    const documents = { 17: fact('fiscal') }
    expect((await settledBy({ says: [inside(3)], documents }, sale(inside(2)))).story).toEqual(['evidence'])
    expect((await settledBy({ says: [ended], documents }, cancel)).story).toEqual(['evidence', 'documentOf 17'])
    const nameless = stepOf({ does: 'cancel' }, { ...inside(2), open: openAt(null) })
    expect(await settledBy({ says: [ended], documents }, nameless)).toEqual({ settled: done(), story: ['evidence'] })
  })

  describe('that sells an article', () => {
    const article = (price: number) => ({ plu: 7, name: 'Tea', taxGroup: 2, price })
    const sells = (more: object = {}) =>
      stepOf({ does: 'sale', row: { plu: 7, quantity: 1000, void: false, ...more } }, inside(1))
    async function sold(now: Evidence, ask: FiscalPrinter['article'], record = sells()) {
      const asked: number[] = []
      const article: FiscalPrinter['article'] = (plu) => {
        asked.push(plu)
        return ask?.(plu) ?? Promise.resolve(undefined)
      }
      const { settled } = await settledBy({ says: [now], more: ask ? { article } : {} }, record)
      return { became: settled.became, asked }
    }

    it.each<[string, Evidence, number, string]>([
      ['was carried out at the price of the device', inside(2), 240, 'done'],
      ['is not proven by a row at another price', inside(2), 250, 'unproven'],
      ['was carried out twice', inside(3), 240, 'unproven'],
    ])('%s', async (_, now, price, became) => {
      expect(await sold(now, async () => article(price))).toEqual({ became, asked: [7] })
    })

    it.each<[string, FiscalPrinter['article']]>([
      ['the device has no such article', async () => undefined],
      ['the device refuses to tell it', () => Promise.reject(REFUSED)],
      ['the device is silent', () => Promise.reject(NO_ANSWER)],
    ])('is known by its row where %s', async (_, ask) => {
      expect(await sold(inside(2), ask)).toEqual({ became: 'done', asked: [7] })
    })

    it('is known by its row where the wire tells no articles', async () => {
      expect(await sold(inside(2), undefined)).toEqual({ became: 'done', asked: [] })
    })

    it.each<[string, Evidence, ProgressRecord, string]>([
      ['it has a price of its own', inside(2), sells({ price: 240 }), 'done'],
      ['it was not carried out', inside(1), sells(), 'nothing'],
      ['its count proves nothing', inside(5), sells(), 'unproven'],
      ['nobody knows which it is', inside(2), stepOf({ does: 'sale' }, inside(1)), 'done'],
    ])('does not ask for its price where %s', async (_, now, record, became) => {
      expect(await sold(now, async () => article(240), record)).toEqual({ became, asked: [] })
    })

    it('does not hide a mistake of this program', async () => {
      const mistake = () => Promise.reject(new TypeError('a mistake'))
      await expect(sold(inside(2), mistake)).rejects.toThrow('a mistake')
    })
  })

  it('is told with the state that the device did not tell', () => {
    expect(statesOf(null, BEFORE)).toBe(
      'before it: not told; now: nothing open, last document 16. Compare the paper before you go on.',
    )
  })
})

describe('a receipt that could not be brought to its end', () => {
  const fiscal: ProgressRecord = { undertaking: 'fiscalReceipt', stage: 'paying', before: BEFORE, document: 17 }
  const nonFiscal: ProgressRecord = { ...fiscal, undertaking: 'nonFiscalReceipt' }
  const open = (...of: Parameters<typeof openAt>): Partial<Evidence> => ({ open: openAt(...of), lastDocument: 17 })
  const paid = (more: object = {}): Standing => ({ stands: 'paid', receiptNumber: '17', ...more })

  it.each<[string, ProgressRecord, Partial<Evidence>, Standing | undefined]>([
    ['has nothing paid', fiscal, open(17, { total: 480, remaining: 480 }), { stands: 'unpaid' }],
    ['is a non-fiscal one', nonFiscal, open(17, { kind: 'NonFiscal', paid: null }), { stands: 'unpaid' }],
    ['is all paid', fiscal, open(17, { total: 480, paid: 480 }), paid()],
    ['is paid in part', fiscal, open(17, { total: 480, paid: 100, remaining: 380 }), paid({ paid: { paid: 100, total: 480 } })],
    ['is paid in part of what the wire does not tell', fiscal, open(17, { total: null, paid: 100, remaining: null }), paid()],
    ['is paid in part, with the rest not told', fiscal, open(17, { total: 480, paid: 100, remaining: null }), paid({ paid: { paid: 100, total: 480 } })],
    ['cannot be told where the wire does not tell what is paid', fiscal, open(17, { paid: null }), undefined],
    ['cannot be told by a number that the wire does not tell', fiscal, open(null, { total: 480, paid: 480 }), undefined],
    ['is not open any more', fiscal, { lastDocument: 17 }, undefined],
    ['cannot be told where it comes to nothing and its payment was begun', { ...fiscal, settlement: { total: 0, payments: [], begun: 1 } }, open(17, { items: 2 }), undefined],
    ['is on another device', fiscal, { ...open(17), fiscalMemoryNumber: 'M2' }, undefined],
  ])('%s', async (_, record, said, stands) => {
    expect(await standing(scriptedPrinter({ says: [said] }), record)).toEqual(stands)
  }) // biome-ignore format: a table

  it('is asked about with the sums of the day only where there is no journal', async () => {
    for (const [documents, story] of [[{}, 'evidence'], [undefined, 'evidence thorough']] as const) {
      const printer = scriptedPrinter({ says: [open(17)], ...(documents && { documents }) })
      await standing(printer, fiscal)
      expect(printer.story).toEqual([story])
    } // biome-ignore format: a table
  })

  it.each([NO_ANSWER, REFUSED])('cannot be told by a device that fails: %s', async (failure) => {
    expect(await standing(scriptedPrinter({ says: [failure] }), fiscal)).toBeUndefined()
  })

  it('does not hide a mistake of this program', async () => {
    const evidence = () => Promise.reject(new TypeError('a mistake'))
    await expect(standing(scriptedPrinter({ says: [], more: { evidence } }), fiscal)).rejects.toThrow('a mistake')
  })
})
