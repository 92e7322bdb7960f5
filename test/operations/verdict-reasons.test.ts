import { describe, expect, it } from 'vitest'
import type { DocumentFacts, Evidence, OpenReceipt } from '../../drivers/model/printer.ts'
import type { Step } from '../../drivers/model/steps.ts'
import { describeEvidence, isHeld, isSameDevice } from '../../server/operations/evidence.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { numberOf, type Verdict, verdict } from '../../server/operations/verdict.ts'
import { VERDICT_WORDS, withWords } from '../support/verdict-rows.ts'
import { alone, article, documentOf, receipt, slip, text } from './entries.ts'
import { BEFORE, openAt } from './scripted-printer.ts'

const { day: DAY } = BEFORE

const UNREPORTED_DAY = { turnover: null, receipts: null, cashIn: null, cashOut: null }
const fact = (kind: DocumentFacts['kind'], total: number | null = null): DocumentFacts => ({ kind, total })
const undecided = (why: string): Verdict => ({ is: 'undecided', why })

it('the device counts as the same if its identity was not stored', () => {
  expect(isSameDevice(null, BEFORE)).toBe(true)
})

const { hold: _hold, ...NOT_HELD } = BEFORE
it.each<[string, Evidence | null, Evidence, boolean]>([
  ['is held', BEFORE, { ...BEFORE, lastDocument: 17 }, true],
  ['is not held, because it was opened again', BEFORE, { ...BEFORE, hold: 2 }, false],
  ['is not held, because its hold before is unknown', NOT_HELD, BEFORE, false],
  ['is not held, because its hold now is unknown', BEFORE, NOT_HELD, false],
  ['is not held, because its hold is never known', NOT_HELD, NOT_HELD, false],
  ['is not held, because the state before is unknown', null, BEFORE, false],
])('the line %s', (_, before, now, expected) => {
  expect(isHeld(before, now)).toBe(expected)
})

describe('the number of a receipt', () => {
  it.each([
    ['is the number that the opening returned', receipt('filling', { document: 20 }), 20],
    ['is the next number if the opening was not acknowledged', receipt('opening'), 17],
    ['is unknown if the device did not report its last number', receipt('opening', { before: { ...BEFORE, lastDocument: null } }), undefined],
    ['is missing if another receipt was open', receipt('opening', { before: { ...BEFORE, open: openAt(16) } }), undefined],
    ['is unknown if the state before was not stored', receipt('opening', { before: null }), undefined],
  ] as const)('%s', (_, record, number) => {
    expect(numberOf(record)).toBe(number)
  }) // biome-ignore format: a table
})

describe('a receipt whose opening was not acknowledged', () => {
  const fate = (open: OpenReceipt, record = receipt('opening')) =>
    verdict(record, { ...BEFORE, open, lastDocument: 17 }, {})

  it.each([
    ['a row', { items: 1 }, 'notCarriedOut'],
    ['a sum', { total: 240 }, 'notCarriedOut'],
    ['a payment', { paid: 100 }, 'notCarriedOut'],
    ['nothing', {}, 'open'],
    ['contents that the wire protocol does not report', { items: null, total: null, paid: null }, 'open'],
  ])('is its own only if it is empty: with %s on it', (_, more, is) => {
    expect(fate(openAt(17, more)).is).toBe(is)
  })

  it('is recognized by the number of the last document if the open receipt has no number', () => {
    expect(fate(openAt(null)).is).toBe('open')
  })

  it.each([
    ['receipt', 'Fiscal', 'open'],
    ['receipt', 'Invoice', 'open'],
    ['receipt', 'NonFiscal', 'notCarriedOut'],
    ['slip', 'NonFiscal', 'open'],
    ['slip', 'Fiscal', 'notCarriedOut'],
    ['closeNonFiscal', 'NonFiscal', 'open'],
    ['close', 'NonFiscal', 'notCarriedOut'],
  ] as const)('of the kind %s, found open as %s, is recognized by its kind', (what, kind, is) => {
    const entries = {
      ...{ receipt: receipt('opening'), slip: slip('opening') },
      ...{ close: alone({ does: 'close' }), closeNonFiscal: alone({ does: 'closeNonFiscal' }) },
    }
    expect(fate(openAt(17, { kind }), entries[what]).is).toBe(is)
  })

  it('is unknown if the device reported no number before', () => {
    const record = receipt('opening', { before: { ...BEFORE, lastDocument: null } })
    expect(fate(openAt(17), record)).toEqual(
      undecided('the number of the last document before this request is unknown.'),
    )
  })
})

describe('a receipt that has its number and is not open', () => {
  const OURS = { document: 17 }
  const closed = (total: number | null) => ({ is: 'closed', number: 17, total })
  const CANCELLED = { is: 'cancelled' }
  const LOOK = 'check the paper of document 17.'
  const [NO_FISCAL, TEXTS] = [receipt('closing', OURS), slip('closing', OURS)]
  const textsEnd = alone({ does: 'closeNonFiscal' }, OURS)
  const paid = (total: number | null, begun = 1) =>
    receipt(begun === 0 ? 'filling' : 'closing', { ...OURS, ...(total !== null && { total }) })
  const cancels = receipt('closing', { ...OURS, of: { cancels: true } })
  const closeOf = (total: number) =>
    alone({ does: 'close' }, { ...OURS, before: { ...BEFORE, open: openAt(17, { total }) } })
  const withoutEvidence = receipt('closing', { ...OURS, before: null })
  const withoutSums = receipt('closing', { ...OURS, before: { ...BEFORE, day: UNREPORTED_DAY } })
  const day = (change: Partial<Evidence['day']>, more: Partial<Evidence> = {}) => ({
    lastDocument: 17,
    lastReceipt: null,
    day: { ...DAY, ...change },
    ...more,
  })

  it.each(withWords(VERDICT_WORDS, [
    ['another document is open under its number', NO_FISCAL, { open: openAt(17, { kind: 'NonFiscal' }) }, undefined, undecided('document 17 was not opened by this request.')],
    ['the device has forgotten its number', NO_FISCAL, {}, undefined, undecided('the device assigned document number 17, but now reports 16 as its last.')],
    ['the device reports no last document, but its journal does', NO_FISCAL, { lastDocument: null }, fact('fiscal', 480), closed(480)],
    ['the journal shows a receipt with its sum', NO_FISCAL, { lastDocument: 18 }, fact('fiscal', 480), closed(480)],
    ['the journal shows a document of another kind', NO_FISCAL, { lastDocument: 17 }, fact('nonFiscal'), undecided('document 17 was not opened by this request.')],
    ['the journal shows a slip', TEXTS, { lastDocument: 17 }, fact('nonFiscal'), closed(null)],
    ['a close was requested, and the journal shows its slip', textsEnd, { lastDocument: 17 }, fact('nonFiscal'), closed(null)],
    ['the journal shows a receipt instead of the slip', TEXTS, { lastDocument: 17 }, fact('fiscal', 480), undecided('document 17 was not opened by this request.')],
    ['the journal shows that the slip was cancelled', TEXTS, { lastDocument: 17 }, fact('cancelled'), CANCELLED],
    ['the slip is not in the journal', TEXTS, { lastDocument: 17 }, undefined, closed(null)],
    ['a close was requested, and the slip is not in the journal', textsEnd, { lastDocument: 17 }, undefined, closed(null)],
    ['the last receipt is older, and the day has grown', NO_FISCAL, day({ receipts: 4 }, { lastReceipt: 16 }), undefined, CANCELLED],
    ['the last receipt is a later one', NO_FISCAL, day({ receipts: 5 }, { lastDocument: 18, lastReceipt: 18 }), undefined, undecided(`other documents were printed after document 17; ${LOOK}`)],
    ['the day has as many receipts as before', NO_FISCAL, day({ turnover: 900 }), undefined, CANCELLED],
    ['the device counts no receipts, and its turnover is the same, and nothing was to be paid', cancels, day({ receipts: null }), undefined, CANCELLED],
    ['the device counts no receipts, and its turnover has grown', NO_FISCAL, day({ receipts: null, turnover: 980 }), undefined, closed(null)],
    ['the turnover is the same, and the total of the receipt was not 0.00', paid(480), day({ receipts: null }), undefined, CANCELLED],
    ['the turnover is the same, and the total of the receipt was 0.00', paid(0), day({ receipts: null }), undefined, undecided('the device does not report whether receipt 17 of 0.00 was closed. Check its paper.')],
    ['the turnover is the same, and the total of the receipt was not queried', paid(null), day({ receipts: null }), undefined, undecided('the device does not report whether receipt 17 of 0.00 was closed. Check its paper.')],
    ['the turnover is the same, and the receipt of 0.00 was not to be paid yet', paid(0, 0), day({ receipts: null }), undefined, CANCELLED],
    ['the device counts as many receipts as before, and the total was 0.00', paid(0), day({}), undefined, CANCELLED],
    ['the turnover is the same after the close of a receipt of 0.00', closeOf(0), day({ receipts: null }), undefined, undecided('the device does not report whether receipt 17 of 0.00 was closed. Check its paper.')],
    ['the turnover is the same after the close of a receipt of 4.80', closeOf(480), day({ receipts: null }), undefined, CANCELLED],
    ['the turnover is the same after the close of a receipt that was not seen open', { ...closeOf(0), before: BEFORE }, day({ receipts: null }), undefined, undecided('the device does not report whether receipt 17 of 0.00 was closed. Check its paper.')],
    ['the device does not report the sums of its day', NO_FISCAL, day(UNREPORTED_DAY), undefined, undecided(`the device does not report whether document 17 was closed or cancelled; ${LOOK}`)],
    ['the sums of the day were reported before only', NO_FISCAL, day({ receipts: null, turnover: null }, { lastReceipt: 18 }), undefined, undecided(`the device does not report whether document 17 was closed or cancelled; ${LOOK}`)],
    ['the sums of the day are reported now only', withoutSums, day({ receipts: 0, turnover: 0 }), undefined, undecided(`the device does not report whether document 17 was closed or cancelled; ${LOOK}`)],
    ['the state before was not stored, and it is the last receipt', withoutEvidence, { lastDocument: 17, lastReceipt: 17 }, undefined, closed(null)],
    ['the state before was not stored, and the device reports no receipt', withoutEvidence, day({}), undefined, undecided(`a Z report was printed since; ${LOOK}`)],
    ['a Z report was printed, and it is the last receipt', NO_FISCAL, { lastDocument: 18, lastReceipt: 17, lastZ: 5, day: { ...DAY, receipts: 3 } }, undefined, closed(null)],
    ['a Z report was printed, and the last receipt is older', NO_FISCAL, { lastDocument: 18, lastReceipt: 16, lastZ: 5 }, undefined, CANCELLED],
    ['a Z report was printed, and the device reports no receipt', NO_FISCAL, day({ receipts: 0 }, { lastZ: 5 }), undefined, undecided(`a Z report was printed since; ${LOOK}`)],
  ] as readonly [string, Entry, Partial<Evidence>, DocumentFacts | undefined, Verdict][]))('has the verdict "%s": %s', (_result, _, entry, now, own, found) => {
    expect(verdict(entry, { ...BEFORE, ...now }, { own })).toEqual(found)
  }) // biome-ignore format: a table
})

describe('the document of one command', () => {
  const [x, z, copy] = [documentOf('x'), documentOf('z'), documentOf('copy')]
  const [cashIn, cashOut] = [documentOf('cashIn', { amount: 5000 }), documentOf('cashOut', { amount: 5000 })]
  const made: Verdict = { is: 'once' }
  const notMade: Verdict = { is: 'notCarriedOut' }
  const NOT_COUNTED = undecided('the device does not report the number of its last document.')
  const NO_Z = undecided('the device does not report the number of its last Z report.')
  const STRANGERS = undecided(
    'another program has moved cash since this request started. Check the paper and the cash in the drawer.',
  )
  const several = (last: number, more = ': it may have executed the command more than once. Check the paper') =>
    undecided(`documents 17 to ${last} were printed since, and the device does not report what they are${more}.`)
  const MORE = 'the device executed the command more than once, or another program printed. Check the paper.'
  const twice = undecided(
    'documents 17 and 18 are of the same kind: the device may have executed the command more than once. Check the paper.',
  )
  const MAY_BE_LATER = undecided(
    'document 17 does not match the request, but one of the documents up to 18 may. Check their paper.',
  )
  const noZBefore = { ...z, before: { ...BEFORE, lastZ: null } }
  const cash = (last: number, change: Partial<Evidence['day']>, more: Partial<Evidence> = {}) => ({
    lastDocument: last,
    day: { ...DAY, ...change },
    ...more,
  })

  it.each(withWords(VERDICT_WORDS, [
    ['the state before was not stored', { ...x, before: null }, { lastDocument: 17 }, undefined, NOT_COUNTED],
    ['the device did not count before', { ...x, before: { ...BEFORE, lastDocument: null } }, { lastDocument: 17 }, undefined, NOT_COUNTED],
    ['the device does not count now', x, { lastDocument: null }, fact('x'), NOT_COUNTED],
    ['an X report is the next document', x, { lastDocument: 17 }, undefined, made],
    ['an X reported as a report of some kind', x, { lastDocument: 18 }, fact('other'), made],
    ['an X report, and the journal shows a copy', x, { lastDocument: 17 }, fact('copy'), notMade],
    ['an X report, and the journal shows cash', x, { lastDocument: 17 }, fact('cash'), notMade],
    ['an X report, and the journal shows a slip', x, { lastDocument: 17 }, fact('nonFiscal'), notMade],
    ['an X report among several documents', x, { lastDocument: 19 }, undefined, several(19)],
    ['an X report, and an open receipt after other documents', x, { lastDocument: 18, open: openAt(18) }, undefined, several(18)],
    ['an X report of the next number, and cash was moved in', x, cash(17, { cashIn: 100 }), undefined, notMade],
    ['an X report of the next number, and cash was moved out', x, cash(17, { cashOut: 100 }), undefined, notMade],
    ['an X report, and cash was moved in another day', x, cash(18, { cashIn: 100 }, { lastZ: 5 }), fact('other'), made],
    ['an X report, and cash was moved in among others', x, cash(18, { cashIn: 100 }), undefined, STRANGERS],
    ['an X reported as an X report, and cash was moved out', x, cash(18, { cashOut: 100 }), fact('x'), made],
    ['a copy reported as some document', copy, { lastDocument: 17 }, fact('other'), made],
    ['a copy, and the journal shows an X report', copy, { lastDocument: 17 }, fact('x'), notMade],
    ['a copy, and the device reports no drawer', copy, cash(17, { cashIn: null, cashOut: null }), undefined, made],
    ['cash in reported as a slip', cashIn, cash(17, { cashIn: 5000 }), fact('nonFiscal'), made],
    ['cash in, and the journal shows a receipt', cashIn, cash(17, { cashIn: 5000 }), fact('fiscal'), notMade],
    ['cash in, and the device reports no drawer', cashIn, cash(17, { cashIn: null }), undefined, made],
    ['cash in, and only cash was moved out', cashIn, cash(17, { cashOut: 5000 }), fact('cash'), notMade],
    ['cash in, and none was moved, and other documents were printed', cashIn, cash(18, {}), undefined, notMade],
    ['cash in of another amount, alone', cashIn, cash(17, { cashIn: 100 }), fact('cash'), notMade],
    ['cash in of another amount, among others', cashIn, cash(18, { cashIn: 5100 }), fact('cash'), undecided('51.00 in cash was moved since then, not by this request alone. Check the paper and the cash in the drawer.')],
    ['cash in of its amount, after which others were printed', cashIn, cash(18, { cashIn: 5000 }), undefined, several(18, '')],
    ['cash in of three times its amount', cashIn, cash(19, { cashIn: 15000 }), fact('cash'), undecided(`150.00 in cash was moved since then: ${MORE}`)],
    ['cash in of twice its amount and more', cashIn, cash(19, { cashIn: 10001 }), fact('cash'), undecided('100.01 in cash was moved since then, not by this request alone. Check the paper and the cash in the drawer.')],
    ['cash in, and the drawer has less than before', cashIn, cash(18, { cashIn: -5000 }), fact('cash'), undecided('-50.00 in cash was moved since then, not by this request alone. Check the paper and the cash in the drawer.')],
    ['cash out of twice its amount', cashOut, cash(18, { cashOut: 10000 }), undefined, undecided(`100.00 in cash was moved since then: ${MORE}`)],
    ['cash out of its amount', cashOut, cash(17, { cashOut: 5000 }), fact('cash'), made],
    ['cash out reported as some document', cashOut, cash(17, { cashOut: 5000 }), fact('other'), made],
    ['cash out reported as a slip', cashOut, cash(17, { cashOut: 5000 }), fact('nonFiscal'), made],
    ['cash out, and only cash was moved in', cashOut, cash(17, { cashIn: 5000 }), fact('cash'), notMade],
    ['cash out of another amount, among others', cashOut, cash(18, { cashOut: 5100 }), undefined, undecided('51.00 in cash was moved since then, not by this request alone. Check the paper and the cash in the drawer.')],
    ['cash out after a Z report', cashOut, cash(18, { cashOut: 100 }, { lastZ: 5 }), fact('cash'), made],
    ['a Z report as the next', z, { lastDocument: 17, lastZ: 5 }, undefined, made],
    ['a Z reported as a Z report, among other documents', z, { lastDocument: 19, lastZ: 7 }, fact('z'), made],
    ['a Z reported as a report of some kind', z, { lastDocument: 17, lastZ: 5 }, fact('other'), made],
    ['a Z reported as a report of some kind, and no Z more', z, { lastDocument: 17 }, fact('other'), notMade],
    ['a Z report after another document', z, { lastDocument: 18, lastZ: 5 }, undefined, undecided('the last Z report is number 5 now; it was 4 before, and other documents were printed since.')],
    ['a Z report as the next, and two more are reported', z, { lastDocument: 17, lastZ: 6 }, undefined, undecided(`the last Z report is number 6 now, and it was 4 before: ${MORE}`)],
    ['a Z report before which no number was reported, as the next', noZBefore, { lastDocument: 17 }, undefined, made],
    ['a Z report before which no number was reported, among others', noZBefore, { lastDocument: 18, lastZ: 1 }, undefined, NO_Z],
    ['a Z report whose number is not reported, as the next', z, { lastDocument: 17, lastZ: null }, undefined, made],
    ['a Z report whose number is not reported, among others', z, { lastDocument: 18, lastZ: null }, undefined, NO_Z],
  ] as readonly [string, Entry, Partial<Evidence>, DocumentFacts | undefined, Verdict][]))('has the verdict "%s": %s', (_result, _, entry, now, own, found) => {
    expect(verdict(entry, { ...BEFORE, ...now }, { own })).toEqual(found)
  }) // biome-ignore format: a table

  it.each(withWords(VERDICT_WORDS, [
    ['an X report, and one more', x, {}, fact('x'), fact('x'), twice],
    ['an X report, although the journal shows a receipt, and an X report', x, {}, fact('fiscal'), fact('x'), MAY_BE_LATER],
    ['an X report, although the journal shows a receipt, and nothing', x, {}, fact('fiscal'), undefined, MAY_BE_LATER],
    ['an X report, although the journal shows a receipt, and another receipt', x, {}, fact('fiscal'), fact('fiscal'), notMade],
    ['an X report, and a text without a known kind', x, {}, fact('x'), fact(null), made],
    ['an X report about which nothing is reported, and one more', x, {}, undefined, fact('x'), several(18)],
    ['cash in of its amount, and a slip', cashIn, { day: { ...DAY, cashIn: 5000 } }, fact('cash'), fact('nonFiscal'), twice],
    ['cash in of its amount, and a receipt', cashIn, { day: { ...DAY, cashIn: 5000 } }, fact('cash'), fact('fiscal'), made],
  ] as const))('has the verdict "%s": %s after it', (_result, _, entry, now, own, next, found) => {
    expect(verdict(entry, { ...BEFORE, lastDocument: 18, ...now }, { own, later: [next] })).toEqual(found)
  }) // biome-ignore format: a table
})

describe('the number of executions that the evidence shows for a step', () => {
  const inside = (more: Partial<OpenReceipt> = {}, number: number | null = 17): Evidence => ({ ...BEFORE, lastDocument: number ?? 17, open: openAt(number, { items: 2, total: 480, remaining: 480, ...more }) }) // biome-ignore format: one line
  const empty = (more: Partial<OpenReceipt> = {}, number: number | null = 17) => inside({ items: 0, total: 0, remaining: 0, ...more }, number) // biome-ignore format: one line
  const sale: Step = { does: 'sell', sale: article() }
  const pay = (amount?: number): Step => ({ does: 'pay', payment: { mode: 1, ...(amount !== undefined && { amount }) } }) // biome-ignore format: one line
  const subtotal: Step = { does: 'subtotal', subtotal: { print: false, display: false } }
  const off: Step = { does: 'subtotal', subtotal: { print: true, display: false, adjustment: { kind: 'discount', amount: 50 } } } // biome-ignore format: one line
  const by = (kind: 'discount' | 'surcharge', amount: number): Step => ({ does: 'subtotal', subtotal: { print: true, display: false, adjustment: { kind, amount } } }) // biome-ignore format: one line
  const print: Step = text('HELLO')
  const gone = (last = 17): Evidence => ({ ...BEFORE, lastDocument: last })
  const open: Step = { does: 'open' }
  const openTexts: Step = { does: 'openNonFiscal' }
  it.each(withWords({ once: '1', twice: '2', notCarriedOut: '0', undecided: 'unknown' }, [
    ['a subtotal without print, whatever the state is', subtotal, inside(), empty(), 'notCarriedOut'],
    ['a subtotal that is printed', { does: 'subtotal', subtotal: { print: true, display: false } }, inside(), inside(), 'undecided'],
    ['a discount that another program may have adjusted back', off, inside(), { ...inside(), hold: 2 }, 'undecided'],
    ['a discount on a line that was held', off, inside(), inside(), 'notCarriedOut'],
    ['a cancel with nothing open', { does: 'cancel' }, BEFORE, gone(), 'notCarriedOut'],
    ['a cancel, and the next receipt is open', { does: 'cancel' }, inside(), empty({}, 18), 'once'],
    ['a cancel of a receipt without a number', { does: 'cancel' }, inside({}, null), inside({}, null), 'notCarriedOut'],
    ['a sale with nothing open, and no document was printed', sale, BEFORE, BEFORE, 'notCarriedOut'],
    ['a sale with nothing open, and a document was printed', sale, BEFORE, gone(), 'undecided'],
    ['a sale with nothing open, and a receipt is open now', sale, gone(), inside(), 'undecided'],
    ['a sale whose receipt is gone', sale, inside(), gone(), 'undecided'],
    ['a sale whose rows were not reported before', sale, inside({ items: null }), inside({ items: 1 }), 'undecided'],
    ['a sale whose rows are not reported now', sale, inside({ items: 1 }), inside({ items: null }), 'undecided'],
    ['a sale that voids a row', sale, inside(), inside({ items: 1 }), 'once'],
    ['a sale, and three rows were added', sale, inside(), inside({ items: 5 }), 'undecided'],
    ['a sale on the receipt without a number', sale, inside({}, null), inside({ items: 3 }, null), 'once'],
    ['a line of text on the same receipt', print, inside(), inside(), 'undecided'],
    ['a line of text with nothing open', print, BEFORE, BEFORE, 'notCarriedOut'],
    ['a payment of the remaining amount', pay(), inside(), inside({ paid: 480, remaining: 0 }), 'once'],
    ['a payment of the remaining amount, which was not reported before', pay(), inside({ remaining: null }), inside({ paid: 480, remaining: 0 }), 'undecided'],
    ['a payment for which only the sum before was reported', pay(100), inside(), inside({ paid: null }), 'undecided'],
    ['a payment for which only the sum now is reported', pay(100), inside({ paid: null }), inside({ paid: 100 }), 'undecided'],
    ['a payment after another', pay(100), inside({ paid: 100, remaining: 380 }), inside({ paid: 200, remaining: 280 }), 'once'],
    ['a payment that the second of the same has finished', pay(300), inside(), inside({ paid: 480, remaining: 0 }), 'twice'],
    ['a payment of more than the sum, reported whole, twice', pay(1000), inside(), inside({ paid: 2000, remaining: 0 }), 'twice'],
    ['a payment, and another program has paid more', pay(100), inside(), inside({ paid: 300, remaining: 180 }), 'undecided'],
    ['a subtotal without an adjustment', subtotal, inside(), inside(), 'notCarriedOut'],
    ['an amount off the total, once', off, inside(), inside({ total: 430 }), 'once'],
    ['an amount off the total, twice', off, inside(), inside({ total: 380 }), 'twice'],
    ['an amount off the total, three times', off, inside(), inside({ total: 330 }), 'undecided'],
    ['an amount off for which only the sum before was reported', off, inside(), inside({ total: null }), 'undecided'],
    ['an amount off for which only the sum now is reported', off, inside({ total: null }), inside({ total: 430 }), 'undecided'],
    ['the whole total off, and only the sum before was reported', by('discount', 480), inside(), inside({ total: null }), 'undecided'],
    ['a surcharge of as much, and only the sum now is reported', by('surcharge', 480), inside({ total: null }), inside(), 'undecided'],
    ['an amount off, and no sum is reported', off, inside({ total: null }), inside({ total: null }), 'undecided'],
    ['a subtotal without an adjustment, and no sum is reported', subtotal, inside({ total: null }), inside({ total: null }), 'notCarriedOut'],
    ['an amount off on a non-fiscal receipt, which has no sum', off, inside({ kind: 'NonFiscal', total: null }), inside({ kind: 'NonFiscal', total: null }), 'notCarriedOut'],
    ['an opening while another receipt is open', open, inside(), inside(), 'notCarriedOut'],
    ['an opening while another receipt was open that is gone', open, inside(), gone(), 'undecided'],
    ['an opening while another receipt was open that is not the same', open, inside(), empty({}, 18), 'undecided'],
    ['an opening, and nothing is open but a document was printed', open, BEFORE, gone(), 'undecided'],
    ['an opening for which the number before was not reported', open, { ...BEFORE, lastDocument: null }, empty({}, 40), 'once'],
    ['an opening of a receipt without a number', open, BEFORE, empty({}, null), 'once'],
    ['an opening, and the receipt has a sum', open, BEFORE, empty({ total: 240 }), 'undecided'],
    ['the opening of an invoice', open, BEFORE, empty({ kind: 'Invoice' }), 'once'],
    ['a non-fiscal opening', openTexts, BEFORE, empty({ kind: 'NonFiscal' }), 'once'],
    ['a non-fiscal opening, and a fiscal receipt is open', openTexts, BEFORE, empty(), 'undecided'],
  ] as readonly [string, Step, Evidence, Evidence, string][]))('is %s: %s', (_result, _, step, before, now, times) => {
    expect(verdict(alone(step, { before }), now, {}).is).toBe(times)
  }) // biome-ignore format: a table
})

describe('the description of a device state', () => {
  it.each(withWords(([, , words]) => words, [
    ['nothing open', BEFORE, 'nothing open, last document 16'],
    ['nothing open, no number reported', { ...BEFORE, lastDocument: null }, 'nothing open, last document unknown'],
    ['a receipt', { ...BEFORE, open: openAt(17, { items: 2, total: 480, paid: 100 }) }, 'receipt 17, 2 items, total 4.80, paid 1.00'],
    ['one row', { ...BEFORE, open: openAt(17, { items: 1, total: 480 }) }, 'receipt 17, 1 item, total 4.80, paid 0.00'],
    ['a receipt without a number', { ...BEFORE, open: openAt(null) }, 'receipt 16, 0 items, total 0.00, paid 0.00'],
    ['a receipt about which nothing is reported', { ...BEFORE, lastDocument: null, open: openAt(null, { items: null, total: null, paid: null }) }, 'receipt'],
    ['a non-fiscal receipt', { ...BEFORE, open: openAt(17, { kind: 'NonFiscal' }) }, 'non-fiscal receipt 17'],
  ]))('is "%s" for %s', (_result, _, now, words) => {
    expect(describeEvidence(now)).toBe(words)
  }) // biome-ignore format: a table
})
