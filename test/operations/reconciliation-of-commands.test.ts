/** The outcome of a single interrupted command, and the state of a receipt that cannot be completed. */
import { describe, expect, it } from 'vitest'
import type { DocumentFacts, Evidence, FiscalPrinter } from '../../drivers/model/printer.ts'
import type { DocumentKind, Sale, Step } from '../../drivers/model/steps.ts'
import { describeStates } from '../../server/operations/evidence.ts'
import { type Answer, type Entry, NOT_BEGUN } from '../../server/operations/operation.ts'
import { type LeftReceipt, reconcile, statusOfOpenReceipt } from '../../server/operations/run.ts'
import { withWords } from '../support/verdict-rows.ts'
import { alone, article, documentOf, receipt, sale as row, slip, text } from './entries.ts'
import { BEFORE, NO_ANSWER, openAt, positionOf, REFUSED, type Script, scriptedPrinter } from './scripted-printer.ts'

const fact = (kind: DocumentFacts['kind']): DocumentFacts => ({ kind, total: null })
const done = (answer: Partial<Answer> = {}): object => ({ became: 'done', answer: { text: '', ...answer } })

async function settledBy(script: Script, entry: Entry) {
  const printer = scriptedPrinter(script)
  const settled = await reconcile(printer, positionOf(entry, printer.story))
  return { settled, story: printer.story }
}

const RECONCILED: Readonly<Record<string, string>> = { done: 'executed', nothing: 'not executed' }
const reconciledAs = (row: readonly unknown[]) => RECONCILED[(row.at(-1) as { became: string }).became] ?? 'undecided'

describe('a report, a copy or a movement of cash', () => {
  const documentAfter = (kind: DocumentKind, before: Partial<Evidence> = {}): Entry =>
    documentOf(kind, { before: { ...BEFORE, ...before } })
  const cashIn = documentOf('cashIn', { amount: 5000 })

  it.each(withWords<[string, Entry, Script, object]>(reconciledAs, [
    ['X: the next document is an X report', documentAfter('x'), { says: [{ lastDocument: 17 }] }, done()],
    ['X: no document was printed', documentAfter('x'), { says: [{}] }, { became: 'nothing' }],
    ['cash in: the drawer contains the amount', cashIn, { says: [{ lastDocument: 17, day: { ...BEFORE.day, cashIn: 5000 } }] }, done()],
    ['X: several documents, which the device does not report', documentAfter('x'), { says: [{ lastDocument: 18 }] }, { became: 'undecided', why: 'documents 17 to 18 were printed since, and the device does not report what they are: it may have executed the command more than once. Check the paper.' }],
    ['X: the device reported nothing before', documentOf('x', { before: null }), { says: [{ lastDocument: 17 }] }, { became: 'undecided', why: 'the device does not report the number of its last document.' }],
    ['X: both later documents are X reports', documentAfter('x'), { says: [{ lastDocument: 18 }], documents: { 17: fact('x'), 18: fact('x') } }, { became: 'undecided', why: 'documents 17 and 18 are of the same kind: the device may have executed the command more than once. Check the paper.' }],
    ['X: one of two later documents is an X report', documentAfter('x'), { says: [{ lastDocument: 18 }], documents: { 17: fact('x'), 18: fact('fiscal') } }, done()],
    ['Z: its own answer is read again', documentAfter('z'), { says: [{ lastDocument: 17, lastZ: 5 }] }, done({ text: '5,12.00' })],
    ['Z: the last Z number was not known before', documentAfter('z', { lastZ: null }), { says: [{ lastDocument: 17, lastZ: 5 }] }, done({ text: '5,12.00' })],
    ['Z: another Z report was printed later', documentAfter('z'), { says: [{ lastDocument: 19, lastZ: 6 }], documents: { 17: fact('z'), 18: fact('fiscal'), 19: fact('z') } }, done()],
    ['Z: the wire protocol does not report the last Z report', documentAfter('z'), { says: [{ lastDocument: 17, lastZ: 5 }], lacks: 'lastReportZ' }, done()],
    ['copy: the next document is a copy of the last receipt', documentAfter('copy'), { says: [{ lastDocument: 17 }] }, done({ receiptNumber: '15', raw: '' })],
    ['copy: the next document is a copy of a receipt whose number was not known before', documentAfter('copy', { lastReceipt: null }), { says: [{ lastDocument: 17 }] }, done({ receiptNumber: '15', raw: '' })],
    ['copy: there is a later receipt by now', documentAfter('copy'), { says: [{ lastDocument: 18, lastReceipt: 18 }], documents: { 17: fact('copy'), 18: fact('fiscal') } }, done({ receiptNumber: '', raw: '' })],
    ['copy: the wire protocol does not report the last receipt', documentAfter('copy'), { says: [{ lastDocument: 17 }], lacks: 'lastReceipt' }, done({ receiptNumber: '', raw: '' })],
  ]))('is reconciled as %s: %s', async (_result, _, entry, script, settled) => {
    expect((await settledBy(script, entry)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it.each<[string, Entry, Partial<Evidence>, Script['documents'], string[]]>([
    ['both documents after the last known document', documentAfter('x'), { lastDocument: 18 }, { 17: fact('x') }, ['evidence thorough', 'documentOf 17', 'documentOf 18']],
    ['only the first document if it is not reported', documentAfter('x'), { lastDocument: 18 }, {}, ['evidence thorough', 'documentOf 17']],
    ['only the first document if there is no second', documentAfter('x'), { lastDocument: 17 }, { 17: fact('x') }, ['evidence thorough', 'documentOf 17']],
    ['no document if no document was printed', documentAfter('x'), {}, { 17: fact('x') }, ['evidence thorough']],
    ['no document if the last document was not reported before', documentAfter('x', { lastDocument: null }), { lastDocument: 18 }, {}, ['evidence thorough']],
    ['not the last receipt, which is another receipt by now', documentAfter('copy'), { lastDocument: 18, lastReceipt: 18 }, { 17: fact('copy'), 18: fact('fiscal') }, ['evidence thorough', 'documentOf 17', 'documentOf 18']],
  ])('is searched in the journal among these documents: %s', async (_, entry, said, documents, story) => {
    expect((await settledBy({ says: [said], ...(documents && { documents }) }, entry)).story).toEqual(story)
  }) // biome-ignore format: a table

  it.each([
    ['eight further documents are queried, and none is an X report', 25, 'nothing'],
    ['a ninth further document is not queried, and may be an X report', 26, 'undecided'],
  ])('X: if the next document is a receipt, %s', async (_, last, became) => {
    const documents = Object.fromEntries(Array.from({ length: 20 }, (_one, place) => [17 + place, fact('fiscal')]))
    const { settled, story } = await settledBy({ says: [{ lastDocument: last }], documents }, documentOf('x'))
    expect([settled.became, story.length]).toEqual([became, 1 + 9])
  })
})

describe('a step', () => {
  const inside = (items: number): Evidence => ({
    ...BEFORE,
    lastDocument: 17,
    open: openAt(17, { items, total: 240 * items, remaining: 240 * items }),
  })
  const ended: Partial<Evidence> = { lastDocument: 17 }
  const stepOf = (step: Step, before: Evidence | null): Entry => alone(step, { before })
  const sale = (before: Evidence | null) => stepOf({ does: 'sell', sale: row(240) }, before)
  const cancel = stepOf({ does: 'cancel' }, inside(2))
  const ONE_ROW = 'receipt 17, 1 item, total 2.40, paid 0.00'
  const THREE_ROWS = 'receipt 17, 3 items, total 7.20, paid 0.00'
  const states = (now: string) =>
    `state before: ${ONE_ROW}; state now: ${now}. Compare with the paper before you continue.`
  const TWICE = 'the device was interrupted and executed this step twice; one of them could not be voided'
  const NOT_REPORTED = 'the state of the device before this step is unknown'

  it.each<[string, Entry, Script, object]>([
    ['is unknown if its operation was not stored', NOT_BEGUN, { says: [inside(2)] }, { became: 'undecided', why: 'the state of the device before this request is unknown.' }],
    ['is unknown if the device reported nothing before', sale(null), { says: [inside(2)] }, { became: 'undecided', why: `${NOT_REPORTED}; ${describeStates(null, inside(2))}` }],
    ['was not executed', sale(inside(2)), { says: [inside(2)] }, { became: 'nothing' }],
    ['was executed', sale(inside(2)), { says: [inside(3)] }, done()],
    ['was executed twice: both states are reported', sale(inside(1)), { says: [inside(3)] }, { became: 'undecided', why: `${TWICE}; ${states(THREE_ROWS)}` }],
    ['is not proven: both states are reported', stepOf(text('HELLO'), inside(1)), { says: [inside(1)] }, { became: 'undecided', why: `the device did not respond at first: the requested text may be printed once, twice or not at all; ${states(ONE_ROW)}` }],
    ['that cancels has cancelled', cancel, { says: [ended], documents: { 17: fact('cancelled') } }, done()],
    ['that cancels has cancelled a receipt that is in no journal', cancel, { says: [ended] }, done()],
    ['that cancels found the receipt closed', cancel, { says: [ended], documents: { 17: fact('fiscal') } }, { became: 'undecided', why: `the receipt was closed since by another program; ${describeStates(inside(2), { ...BEFORE, ...ended })}` }],
  ])('%s', async (_, entry, script, settled) => {
    expect((await settledBy(script, entry)).settled).toEqual(settled)
  }) // biome-ignore format: a table

  it('causes a search in the journal for a cancel only, and for a receipt with a number', async () => {
    const documents = { 17: fact('fiscal') }
    expect((await settledBy({ says: [inside(3)], documents }, sale(inside(2)))).story).toEqual(['evidence'])
    expect((await settledBy({ says: [ended], documents }, cancel)).story).toEqual(['evidence', 'documentOf 17'])
    const nameless = stepOf({ does: 'cancel' }, { ...inside(2), open: openAt(null) })
    expect(await settledBy({ says: [ended], documents }, nameless)).toEqual({ settled: done(), story: ['evidence'] })
  })

  describe('that sells an article', () => {
    const articleAt = (price: number) => ({ plu: 7, name: 'Tea', taxGroup: 2, price })
    const sells = (more: Partial<Sale> = {}) => stepOf({ does: 'sell', sale: article(more) }, inside(1))
    async function sold(now: Evidence, ask: FiscalPrinter['article'], entry = sells()) {
      const queriedNumbers: number[] = []
      const article: FiscalPrinter['article'] = (plu) => {
        queriedNumbers.push(plu)
        return ask?.(plu) ?? Promise.resolve(undefined)
      }
      const { settled } = await settledBy({ says: [now], more: ask ? { article } : {} }, entry)
      return { became: settled.became, asked: queriedNumbers }
    }

    it.each<[string, Evidence, number, string]>([
      ['was executed at the price of the device', inside(2), 240, 'done'],
      ['is not proven by a row at another price', inside(2), 250, 'undecided'],
      ['was executed twice', inside(3), 240, 'undecided'],
    ])('%s', async (_, now, price, became) => {
      expect(await sold(now, async () => articleAt(price))).toEqual({ became, asked: [7] })
    })

    it.each<[string, FiscalPrinter['article']]>([
      ['the device has no such article', async () => undefined],
      ['the device refuses to report it', () => Promise.reject(REFUSED)],
      ['the device is silent', () => Promise.reject(NO_ANSWER)],
    ])('is recognized by its row if %s', async (_, ask) => {
      expect(await sold(inside(2), ask)).toEqual({ became: 'done', asked: [7] })
    })

    it('is recognized by its row if the wire protocol reports no articles', async () => {
      expect(await sold(inside(2), undefined)).toEqual({ became: 'done', asked: [] })
    })

    it.each<[string, Evidence, Entry, string]>([
      ['it has a price of its own', inside(2), sells({ price: 240 }), 'done'],
      ['it was not executed', inside(1), sells(), 'nothing'],
      ['its count proves nothing', inside(5), sells(), 'undecided'],
    ])('causes no query of the price of the article if %s', async (_, now, entry, became) => {
      expect(await sold(now, async () => articleAt(240), entry)).toEqual({ became, asked: [] })
    })

    it('does not hide a bug in the service', async () => {
      const mistake = () => Promise.reject(new TypeError('a mistake'))
      await expect(sold(inside(2), mistake)).rejects.toThrow('a mistake')
    })
  })

  it('is reported as unknown with the state that the device did not report', () => {
    expect(describeStates(null, BEFORE)).toBe(
      'state before: unknown; state now: nothing open, last document 16. Compare with the paper before you continue.',
    )
  })
})

describe('a receipt that could not be completed', () => {
  const fiscal = receipt('paying', { document: 17 })
  const nonFiscal = slip('filling', { document: 17 })
  const open = (...of: Parameters<typeof openAt>): Partial<Evidence> => ({ open: openAt(...of), lastDocument: 17 })
  const paid = (more: object = {}): LeftReceipt => ({ stands: 'paid', receipt: { receiptNumber: '17', ...more } })

  it.each<[string, Entry, Partial<Evidence>, LeftReceipt | undefined]>([
    ['has nothing paid', fiscal, open(17, { total: 480, remaining: 480 }), { stands: 'unpaid' }],
    ['is a non-fiscal receipt', nonFiscal, open(17, { kind: 'NonFiscal', paid: null }), { stands: 'unpaid' }],
    ['is completely paid', fiscal, open(17, { total: 480, paid: 480 }), paid()],
    ['is partly paid', fiscal, open(17, { total: 480, paid: 100, remaining: 380 }), paid({ paid: { paid: 100, total: 480 } })],
    ['is partly paid, which the wire protocol does not report', fiscal, open(17, { total: null, paid: 100, remaining: null }), paid()],
    ['is partly paid, and the remaining amount is not reported', fiscal, open(17, { total: 480, paid: 100, remaining: null }), paid({ paid: { paid: 100, total: 480 } })],
    ['is unknown if the wire protocol does not report what is paid', fiscal, open(17, { paid: null }), undefined],
    ['is unknown by a number that the wire protocol does not report', fiscal, open(null, { total: 480, paid: 480 }), undefined],
    ['is no longer open', fiscal, { lastDocument: 17 }, undefined],
    ['is unknown if its total is 0.00 and its payment was begun', { ...fiscal, total: 0 }, open(17, { items: 2 }), undefined],
    ['is on another device', fiscal, { ...open(17), fiscalMemoryNumber: 'M2' }, undefined],
  ])('%s', async (_, entry, said, stands) => {
    expect(await statusOfOpenReceipt(scriptedPrinter({ says: [said] }), entry)).toEqual(stands)
  }) // biome-ignore format: a table

  it('is queried with the sums of the day only if there is no journal', async () => {
    for (const [documents, story] of [[{}, 'evidence'], [undefined, 'evidence thorough']] as const) {
      const printer = scriptedPrinter({ says: [open(17)], ...(documents && { documents }) })
      await statusOfOpenReceipt(printer, fiscal)
      expect(printer.story).toEqual([story])
    } // biome-ignore format: a table
  })

  it.each([NO_ANSWER, REFUSED])('has an unknown outcome on a device that fails: %s', async (failure) => {
    expect(await statusOfOpenReceipt(scriptedPrinter({ says: [failure] }), fiscal)).toBeUndefined()
  })

  it('does not hide a bug in the service', async () => {
    const evidence = () => Promise.reject(new TypeError('a mistake'))
    await expect(statusOfOpenReceipt(scriptedPrinter({ says: [], more: { evidence } }), fiscal)).rejects.toThrow(
      'a mistake',
    )
  })
})
