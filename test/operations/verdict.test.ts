/**
 * All ways in which device evidence can mislead about the author of some work, next to the corresponding honest cases.
 */
import { describe, expect, it } from 'vitest'
import type { DocumentFacts, Evidence, OpenReceipt } from '../../drivers/model/printer.ts'
import type { Sale, Step } from '../../drivers/model/steps.ts'
import { isSameDevice } from '../../server/operations/evidence.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { verdict } from '../../server/operations/verdict.ts'
import { VERDICT_WORDS, withWords } from '../support/verdict-rows.ts'
import { alone, article, documentOf, receipt, sale as saleOf } from './entries.ts'
import { BEFORE, openAt } from './scripted-printer.ts'

const { day: DAY } = BEFORE
const OURS = { document: 17 }
const { hold: _hold, ...NOT_HELD } = BEFORE
const SOLD = { items: 2, total: 480, remaining: 480 }

describe('the connected device', () => {
  it.each(
    withWords({ true: 'is', false: 'is not' }, [
      ['the same identity', {}, true],
      ['another serial number', { serialNumber: 'S2' }, false],
      ['another fiscal memory', { fiscalMemoryNumber: 'M2' }, false],
    ]),
  )('%s the device of the request if it has %s', (_result, _, more, expected) => {
    expect(isSameDevice(BEFORE, { ...BEFORE, ...more })).toBe(expected)
  })
})

describe('the receipt of a request', () => {
  type Case = readonly [what: string, entry: Entry, now: Partial<Evidence>, own: DocumentFacts | undefined, is: string]
  const open = (one: OpenReceipt): Partial<Evidence> => ({ open: one, lastDocument: one.number })
  const fiscal: DocumentFacts = { kind: 'fiscal', total: 480 }
  const cases: readonly Case[] = [
    ['is open under the number of its opening', receipt('filling', OURS), open(openAt(17, SOLD)), undefined, 'open'],
    ['is not the receipt that is open under another number', receipt('filling', OURS), open(openAt(18)), fiscal, 'closed'],
    ['is not a non-fiscal receipt with its number', receipt('filling', OURS), open(openAt(17, { kind: 'NonFiscal' })), undefined, 'undecided'],
    ['is open, empty, when the opening was not acknowledged', receipt('opening'), open(openAt(17)), undefined, 'open'],
    ['has no rows when nothing was sold: rows belong to another program', receipt('opening'), open(openAt(17, SOLD)), undefined, 'notCarriedOut'],
    ['may have rows when this computer has lost its power', receipt('opening', { before: NOT_HELD }), open(openAt(17, SOLD)), undefined, 'undecided'],
    ['is the receipt after the next number, after a document printed by hand, as no other program could use the line', receipt('opening'), open(openAt(18)), undefined, 'open'],
    ['may be the receipt after the next number', receipt('opening', { before: { ...BEFORE, hold: 2 } }), open(openAt(18)), undefined, 'undecided'],
    ['is not an older receipt', receipt('opening'), open(openAt(16)), undefined, 'notCarriedOut'],
    ['cannot be opened while another receipt is open', receipt('opening', { before: { ...BEFORE, open: openAt(16) } }), open(openAt(16)), undefined, 'notCarriedOut'],
    ['is missing while its number is not assigned', receipt('opening'), {}, undefined, 'notCarriedOut'],
    ['was assigned a number that the device has forgotten', receipt('closing', OURS), {}, undefined, 'undecided'],
    ['is closed when the journal reports it as closed', receipt('closing', OURS), { lastDocument: 17 }, fiscal, 'closed'],
    ['is cancelled when the journal reports it as cancelled', receipt('closing', OURS), { lastDocument: 17 }, { kind: 'cancelled', total: null }, 'cancelled'],
    ['is not an X report of its number', receipt('closing', OURS), { lastDocument: 17 }, { kind: 'x', total: null }, 'undecided'],
    ['was never opened: its number is a receipt that another program has closed', receipt('opening'), { lastDocument: 17 }, fiscal, 'notCarriedOut'],
    ['is closed by the last receipt', receipt('closing', OURS), { lastDocument: 17, lastReceipt: 17, day: { ...DAY, receipts: 4 } }, undefined, 'closed'],
    ['is cancelled when the last receipt is an older receipt', receipt('closing', OURS), { lastDocument: 17, day: { ...DAY, receipts: null, turnover: null } }, undefined, 'cancelled'],
    ['is closed when the day has one more receipt', receipt('closing', OURS), { lastDocument: 17, lastReceipt: null, day: { ...DAY, receipts: 4 } }, undefined, 'closed'],
    ['is cancelled when the day has not grown, whatever the last receipt is called', receipt('closing', OURS), { lastDocument: 17, lastReceipt: 17 }, undefined, 'cancelled'],
    ['is not proven by a day that grew by other documents too', receipt('closing', OURS), { lastDocument: 19, lastReceipt: null, day: { ...DAY, receipts: 4 } }, undefined, 'undecided'],
    ['is not proven after a Z report', receipt('closing', OURS), { lastDocument: 18, lastReceipt: null, lastZ: 5, day: { ...DAY, receipts: 0, turnover: 0 } }, undefined, 'undecided'],
    ['is not proven if its number was not stored', receipt('closing', { before: null }), { lastDocument: 17 }, undefined, 'undecided'],
  ] // biome-ignore format: a table

  it.each(cases)('%s', (_what, entry, now, own, is) => {
    expect(verdict(entry, { ...BEFORE, ...now }, { own })).toMatchObject({ is })
  })

  it('is unknown if the journal does not report it', () => {
    const own: DocumentFacts = { kind: null, total: null }
    expect(verdict(receipt('closing', OURS), { ...BEFORE, lastDocument: 17 }, { own })).toEqual({
      is: 'undecided',
      why: 'the electronic journal does not show what document 17 is. Check the paper.',
    })
  })
})

describe('the document of one command', () => {
  const [x, z, copy] = [documentOf('x'), documentOf('z'), documentOf('copy')]
  const cashIn = documentOf('cashIn', { amount: 5000 })
  const none = undefined
  const fact = (kind: DocumentFacts['kind']): DocumentFacts => ({ kind, total: null })
  it.each(
    withWords(VERDICT_WORDS, [
      ['X report: there is no new document', x, {}, none, 'notCarriedOut'],
      ['X report: there is one new document, of an unknown kind', x, { lastDocument: 17 }, none, 'once'],
      ['X report: the next document is a receipt', x, { lastDocument: 17, lastReceipt: 17 }, none, 'notCarriedOut'],
      ['X report: the next document is open', x, { lastDocument: 17, open: openAt(17) }, none, 'notCarriedOut'],
      ['X report: the next document is a Z report', x, { lastDocument: 17, lastZ: 5 }, none, 'notCarriedOut'],
      ['X report: there are several new documents', x, { lastDocument: 18 }, none, 'undecided'],
      [
        'X report: there are several new documents, and the next is an X report',
        x,
        { lastDocument: 18 },
        fact('x'),
        'once',
      ],
      [
        'X report: there are several new documents, and the next is no X report',
        x,
        { lastDocument: 18 },
        fact('fiscal'),
        'notCarriedOut',
      ],
      ['X report: the device does not count documents', x, { lastDocument: null }, none, 'undecided'],
      [
        'X report: there are several new documents, and the journal shows no known kind',
        x,
        { lastDocument: 18 },
        fact(null),
        'undecided',
      ],
      ['X report: the journal shows no known kind for the next document', x, { lastDocument: 17 }, fact(null), 'once'],
      ['copy: the next document is a movement of cash', copy, { lastDocument: 17 }, fact('cash'), 'notCarriedOut'],
      [
        'copy: cash was moved',
        copy,
        { lastDocument: 17, day: { ...DAY, cashIn: 100 } },
        fact('other'),
        'notCarriedOut',
      ],
      ['copy: cash was moved out', copy, { lastDocument: 17, day: { ...DAY, cashOut: 100 } }, none, 'notCarriedOut'],
      [
        'copy: cash was moved, and other documents were printed',
        copy,
        { lastDocument: 18, day: { ...DAY, cashIn: 100 } },
        fact('other'),
        'undecided',
      ],
      [
        'copy: the next document is reported as a copy, and cash was moved',
        copy,
        { lastDocument: 18, day: { ...DAY, cashIn: 100 } },
        fact('copy'),
        'once',
      ],
      [
        'Z report: the device counts one more, and the journal shows no known kind',
        z,
        { lastDocument: 17, lastZ: 5 },
        fact(null),
        'once',
      ],
      [
        'cash in: the next document is reported as cash in',
        cashIn,
        { lastDocument: 17, day: { ...DAY, cashIn: 5000 } },
        fact('cash'),
        'once',
      ],
      [
        'cash in: in a text without a known kind',
        cashIn,
        { lastDocument: 17, day: { ...DAY, cashIn: 5000 } },
        fact(null),
        'once',
      ],
      ['Z report: the device counts one more Z report', z, { lastDocument: 17, lastZ: 5 }, none, 'once'],
      ['Z report: the next document is no Z report', z, { lastDocument: 17 }, none, 'notCarriedOut'],
      ['Z report: the device counts two more Z reports', z, { lastDocument: 18, lastZ: 6 }, none, 'undecided'],
      [
        'Z report: the device counts one more Z report, after another document',
        z,
        { lastDocument: 18, lastZ: 5 },
        none,
        'undecided',
      ],
      [
        'cash in: the drawer has its amount more',
        cashIn,
        { lastDocument: 17, day: { ...DAY, cashIn: 5000 } },
        fact('other'),
        'once',
      ],
      [
        'cash in: the drawer has another amount more',
        cashIn,
        { lastDocument: 17, day: { ...DAY, cashIn: 100 } },
        fact('other'),
        'notCarriedOut',
      ],
      [
        'cash in: the drawer has more than its amount, and other documents were printed',
        cashIn,
        { lastDocument: 18, day: { ...DAY, cashIn: 5100 } },
        fact('other'),
        'undecided',
      ],
      ['cash in: no cash was moved', cashIn, { lastDocument: 17 }, fact('other'), 'notCarriedOut'],
      ['cash in: the sums are of another day', cashIn, { lastDocument: 17, lastZ: 5 }, fact('other'), 'once'],
      ['Z report: the next document is an X report', z, { lastDocument: 18, lastZ: 5 }, fact('x'), 'notCarriedOut'],
    ] as const),
  )('has the verdict "%s": %s', (_result, _, entry, now, own, is) => {
    expect(verdict(entry, { ...BEFORE, ...now }, { own })).toMatchObject({ is })
  })

  it.each(
    withWords(VERDICT_WORDS, [
      ['X report: another X report after it', x, fact('x'), fact('x'), 'undecided'],
      ['X report: a receipt after it', x, fact('x'), fact('fiscal'), 'once'],
      ['Z report: another Z report after it', z, fact('z'), fact('z'), 'undecided'],
      ['Z report: an X report after it', z, fact('z'), fact('x'), 'once'],
    ] as const),
  )('has the verdict "%s": %s', (_result, _, entry, own, next, is) => {
    expect(verdict(entry, { ...BEFORE, lastDocument: 18 }, { own, later: [next] })).toMatchObject({ is })
  })
})

describe('a step', () => {
  const inside = (more: Partial<OpenReceipt> = {}, number = 17): Evidence => ({
    ...BEFORE,
    lastDocument: number,
    open: openAt(number, { ...SOLD, ...more }),
  })
  const NOTHING = { total: 0, paid: 0, remaining: 0 }
  const SLIP = { ...NOTHING, kind: 'NonFiscal' } as const
  const of = (items: number | null, total: number) => inside({ items, total, remaining: total })
  const sale: Step = { does: 'sell', sale: article() }
  const priced = (more: Partial<Sale> = {}): Step => ({ does: 'sell', sale: saleOf(100, { quantity: 1200, ...more }) })
  const card: Step = { does: 'pay', payment: { mode: 1, amount: 100 } }
  const cash: Step = { does: 'pay', payment: { mode: 0, amount: 1000 } }
  const tenPercent: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', percent: 1000 } } } // biome-ignore format: one line
  const percent = (percent: number): Step => ({ does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', percent } } }) // biome-ignore format: one line
  const surchargeOf90: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'surcharge', percent: 9000 } } } // biome-ignore format: one line
  const amount: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', amount: 300 } } } // biome-ignore format: one line
  const nothing: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', percent: 1 } } } // biome-ignore format: one line
  it.each(
    withWords(VERDICT_WORDS, [
      ['sale: the receipt has no row more', sale, inside(), inside(), 'notCarriedOut'],
      ['sale: the receipt has one row more', sale, inside(), inside({ items: 3, total: 600 }), 'once'],
      ['sale: the receipt has two rows more', sale, inside(), inside({ items: 4, total: 720 }), 'twice'],
      [
        'a row with a price: the receipt has this row more',
        priced(),
        inside(),
        inside({ items: 3, total: 600 }),
        'once',
      ],
      [
        'a row with a price: the receipt has another row more',
        priced(),
        inside(),
        inside({ items: 3, total: 601 }),
        'undecided',
      ],
      [
        'a row with a price: the receipt has this row twice more',
        priced(),
        inside(),
        inside({ items: 4, total: 720 }),
        'twice',
      ],
      [
        'a row with a price: the receipt has this row and another row more',
        priced(),
        inside(),
        inside({ items: 4, total: 721 }),
        'undecided',
      ],
      [
        'a row with a price: the sum of the receipt is not reported',
        priced(),
        inside(),
        inside({ items: 3, total: null }),
        'once',
      ],
      [
        'a row with a price: the step voids the row',
        priced({ void: true }),
        inside(),
        inside({ items: 3, total: 360 }),
        'once',
      ],
      [
        'a row with a price: the row has a discount',
        priced({ adjustment: { kind: 'discount', amount: 20 } }),
        inside(),
        inside({ items: 3, total: 580 }),
        'once',
      ],
      ['sale: a row on another receipt', sale, inside(), inside({ items: 3 }, 18), 'undecided'],
      ['sale: the receipt is no longer open', sale, inside(), { ...BEFORE, lastDocument: 17 }, 'undecided'],
      ['card: no payment was registered', card, inside(), inside(), 'notCarriedOut'],
      [
        'card: no amount remained to be paid',
        card,
        inside({ paid: 480, remaining: 0 }),
        inside({ paid: 480, remaining: 0 }),
        'notCarriedOut',
      ],
      ['card: the receipt has a total of 0.00', card, inside(NOTHING), inside(NOTHING), 'undecided'],
      ['card: the open receipt is non-fiscal', card, inside(SLIP), inside(SLIP), 'notCarriedOut'],
      ['card: its amount was paid', card, inside(), inside({ paid: 100, remaining: 380 }), 'once'],
      ['card: twice its amount was paid', card, inside(), inside({ paid: 200, remaining: 280 }), 'twice'],
      ['card: another amount was paid', card, inside(), inside({ paid: 130, remaining: 350 }), 'undecided'],
      ['card: the wire protocol cannot report it', card, inside({ paid: null }), inside({ paid: null }), 'undecided'],
      ['cash with change: the remaining amount was paid', cash, inside(), inside({ paid: 480, remaining: 0 }), 'once'],
      ['cash with change: the whole amount was paid', cash, inside(), inside({ paid: 1000, remaining: 0 }), 'once'],
      ['discount: no discount was registered', tenPercent, inside(), inside(), 'notCarriedOut'],
      [
        'discount: the total shows one discount discount was registered',
        tenPercent,
        inside(),
        inside({ total: 432 }),
        'once',
      ],
      [
        'discount: the total shows two discounts discounts were registered',
        tenPercent,
        inside(),
        inside({ total: 389 }),
        'twice',
      ],
      ['discount of 60 %: the total shows no discount', percent(6000), inside(), inside(), 'notCarriedOut'],
      ['discount of 60 %: the total shows one discount', percent(6000), inside(), inside({ total: 192 }), 'once'],
      [
        'discount of 60 %: the total shows one discount, rounded otherwise',
        percent(6000),
        inside(),
        inside({ total: 193 }),
        'once',
      ],
      [
        'discount of 60 %: the total shows two discounts, the second of the remaining sum',
        percent(6000),
        inside(),
        inside({ total: 77 }),
        'twice',
      ],
      [
        'discount of 60 %: the total shows three discounts',
        percent(6000),
        inside(),
        inside({ total: 31 }),
        'undecided',
      ],
      ['discount of 99 %: the total shows one discount', percent(9900), inside(), inside({ total: 5 }), 'once'],
      ['discount of 99 %: the total shows two discounts', percent(9900), inside(), inside({ total: 0 }), 'undecided'],
      [
        'discount of 100 %: the total shows one discount or two',
        percent(10000),
        inside(),
        inside({ total: 0 }),
        'undecided',
      ],
      ['surcharge of 90 %: the total shows one surcharge', surchargeOf90, inside(), inside({ total: 912 }), 'once'],
      ['surcharge of 90 %: the total shows two surcharges', surchargeOf90, inside(), inside({ total: 1733 }), 'twice'],
      ['discount by amount: the total shows one discount', amount, inside(), inside({ total: 180 }), 'once'],
      ['discount by amount: the total shows two discounts', amount, inside(), inside({ total: -120 }), 'twice'],
      ['discount by amount: another discount', amount, inside(), inside({ total: 181 }), 'undecided'],
      [
        'discount of 1 %: the total shows no discount or one, each group rounded to nothing',
        percent(100),
        of(4, 160),
        of(4, 160),
        'undecided',
      ],
      ['discount of 1 %: the total shows one discount or two', percent(100), of(4, 180), of(4, 178), 'undecided'],
      [
        'discount of 1 %: the total shows one discount or two, one of them rounded up',
        percent(100),
        of(4, 200),
        of(4, 196),
        'undecided',
      ],
      ['discount of 1 %: the total shows one discount of a single group', percent(100), of(1, 180), of(1, 178), 'once'],
      [
        'discount of 1 %: the total shows two discounts of a single group',
        percent(100),
        of(1, 180),
        of(1, 176),
        'twice',
      ],
      [
        'discount of 1 %: the total shows no discount of a single group',
        percent(100),
        of(1, 180),
        of(1, 180),
        'notCarriedOut',
      ],
      [
        'discount of 1 %: the total fits no number of discounts of a single group',
        percent(100),
        of(1, 180),
        of(1, 179),
        'undecided',
      ],
      [
        'discount of 10 %: the total shows one discount of eight groups, 4 hundredths less',
        percent(1000),
        of(20, 1000),
        of(20, 896),
        'once',
      ],
      [
        'discount of 10 %: the total shows one discount of eight groups, 4 hundredths more',
        percent(1000),
        of(20, 1000),
        of(20, 904),
        'once',
      ],
      ['discount of 10 %: more than eight groups can be off', percent(1000), of(20, 1000), of(20, 905), 'undecided'],
      [
        'discount of 10 %: the total shows two discounts of eight groups, both off',
        percent(1000),
        of(20, 1000),
        of(20, 818),
        'twice',
      ],
      ['discount of 10 %: the number of rows is not reported', percent(1000), of(null, 1000), of(null, 904), 'once'],
      [
        'discount of 10 %: the device has subtracted voided rows from its count',
        percent(1000),
        of(0, 1000),
        of(0, 904),
        'once',
      ],
      [
        'discount of 10 %: two groups cannot be off by 2 hundredths',
        percent(1000),
        of(2, 1000),
        of(2, 902),
        'undecided',
      ],
      ['discount: it amounts to 0.00', nothing, inside({ total: 10 }), inside({ total: 10 }), 'undecided'],
      ['open: no receipt is open', { does: 'open' }, BEFORE, BEFORE, 'notCarriedOut'],
      ['open: the next document is open', { does: 'open' }, BEFORE, inside({ items: 0, total: 0 }), 'once'],
      [
        'open: the document after the next number is open',
        { does: 'open' },
        BEFORE,
        inside({ items: 0, total: 0 }, 18),
        'undecided',
      ],
      ['open: with rows on it', { does: 'open' }, BEFORE, inside(), 'undecided'],
      [
        'open: a non-fiscal one',
        { does: 'open' },
        BEFORE,
        inside({ kind: 'NonFiscal', items: 0, total: 0 }),
        'undecided',
      ],
      ['cancel: the receipt is still open', { does: 'cancel' }, inside(), inside(), 'notCarriedOut'],
      ['cancel: the receipt is no longer open', { does: 'cancel' }, inside(), { ...BEFORE, lastDocument: 17 }, 'once'],
    ] as readonly [string, Step, Evidence, Evidence, string][]),
  )('has the verdict "%s": %s', (_result, _, step, before, now, times) => {
    expect(verdict(alone(step, { before }), now, {}).is).toBe(times)
  })
})

describe('a receipt that has its number, of a device that may have got another memory', () => {
  const { hold: _held, ...KEPT } = BEFORE
  const filling = (sales: readonly Sale[], more: Parameters<typeof receipt>[1] = {}) =>
    receipt('filling', { ...OURS, before: KEPT, ...more, of: { sales, ...more?.of } })
  const [TEA, MILK] = [saleOf(240), saleOf(100)]
  const standing = (more: Partial<OpenReceipt>, now: Partial<Evidence> = {}): Evidence => ({
    ...{ ...BEFORE, lastDocument: 17, open: openAt(17, more) },
    ...now,
  })
  const off: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', amount: 7 } } } // biome-ignore format: one line

  it.each<[string, Entry, Evidence, string]>([
    ['is its own while it is empty', filling([TEA, MILK]), standing({}), 'open'],
    ['is its own with the first row', filling([TEA, MILK]), standing({ items: 1, total: 240 }), 'open'],
    ['is its own with both rows', filling([TEA, MILK]), standing({ items: 2, total: 340 }), 'open'],
    ['is its own with each row three times', filling([TEA, MILK]), standing({ items: 6, total: 1020 }), 'open'],
    ['is its own with only one of the rows three times', filling([TEA, MILK]), standing({ items: 4, total: 820 }), 'open'],
    ['is not its own with more than three times its rows', filling([TEA, MILK]), standing({ items: 7, total: 1020 }), 'undecided'],
    ['is not its own with a sum that differs from its rows', filling([TEA, MILK]), standing({ items: 1, total: 241 }), 'undecided'],
    ['is not its own with the second row alone', filling([TEA, MILK]), standing({ items: 1, total: 100 }), 'undecided'],
    ['is its own if the wire protocol reports neither rows nor sum', filling([TEA]), standing({ items: null, total: null }), 'open'],
    ['is its own if a price is not reported', filling([TEA, article()]), standing({ items: 2, total: 999 }), 'open'],
    ['is its own if its sum is adjusted', filling([TEA], { of: { further: [off] } }), standing({ items: 1, total: 233 }), 'open'],
    ['is not its own after a Z report', filling([TEA]), standing({}, { lastZ: 5 }), 'undecided'],
    ['is not its own after another receipt', filling([TEA]), standing({}, { lastReceipt: 15 }), 'undecided'],
    ['is its own if the device reports no Z report', filling([TEA]), standing({}, { lastZ: null }), 'open'],
    ['is its own if the line was held, whatever is on it', receipt('filling', OURS), standing({ items: 9, total: 9 }), 'open'],
    ['is not its own if it is no longer open and fewer Z reports were printed', filling([TEA]), { ...BEFORE, hold: 2, lastDocument: 17, lastZ: 3 }, 'undecided'],
  ])('%s', (_, entry, now, is) => {
    expect(verdict(entry, { ...now, hold: entry.before?.hold ?? 2 }, {}).is).toBe(is)
  }) // biome-ignore format: a table

  it('gets the price of an article from the device', () => {
    const entry = filling([article()])
    const now = standing({ items: 1, total: 250 }, { hold: 2 })
    expect(verdict(entry, now, { prices: new Map([[7, 250]]) }).is).toBe('open')
    expect(verdict(entry, now, { prices: new Map([[7, 240]]) }).is).toBe('undecided')
  })

  it.each(withWords<[string, Entry, number | null, string]>({ closed: 'closed', undecided: 'perhaps closed' }, [
    ['of the sum that the device reported before its payment', receipt('closing', { ...OURS, before: KEPT, total: 470 }), 470, 'closed'],
    ['of another sum than the device reported', receipt('closing', { ...OURS, before: KEPT, total: 470 }), 480, 'undecided'],
    ['of the sum of its rows, if the device was not queried', receipt('closing', { ...OURS, before: KEPT }), 480, 'closed'],
    ['of another sum than that of its rows', receipt('closing', { ...OURS, before: KEPT }), 481, 'undecided'],
    ['of a sum that the journal does not report', receipt('closing', { ...OURS, before: KEPT }), null, 'closed'],
    ['of another sum, if the line was held', receipt('closing', OURS), 481, 'closed'],
    ['by a close alone, of whatever sum', alone({ does: 'close' }, { ...OURS, before: KEPT }), 481, 'closed'],
  ]))('is %s by a receipt in the journal %s', (_result, _, entry, total, is) => {
    const now = { ...BEFORE, hold: entry.before?.hold ?? 2, lastDocument: 17 }
    expect(verdict(entry, now, { own: { kind: 'fiscal', total } }).is).toBe(is)
  }) // biome-ignore format: a table

  it.each(withWords<[string, { documents: number; turnover: number }, DocumentFacts | undefined, string]>(VERDICT_WORDS, [
    ['nothing was printed, and the sums are the same', { documents: 0, turnover: 0 }, undefined, 'notCarriedOut'],
    ['nothing was printed, and the sums are others', { documents: 0, turnover: 93240 }, undefined, 'undecided'],
    ['a receipt was printed, and the sums have grown by it', { documents: 1, turnover: 480 }, { kind: 'fiscal', total: 480 }, 'notCarriedOut'],
    ['a receipt was printed, and the sums have grown by more', { documents: 1, turnover: 481 }, { kind: 'fiscal', total: 480 }, 'undecided'],
    ['a receipt was printed whose sum is not reported', { documents: 1, turnover: 481 }, { kind: 'fiscal', total: null }, 'notCarriedOut'],
    ['a slip was printed, and the sums have grown', { documents: 1, turnover: 1 }, { kind: 'nonFiscal', total: null }, 'undecided'],
  ]))('with an X report has the verdict "%s": %s', (_result, _, { documents, turnover }, own, is) => {
    const now = {
      ...{ ...KEPT, hold: 2, lastDocument: 16 + documents },
      day: { ...DAY, turnover: (DAY.turnover ?? 0) + turnover },
    }
    expect(verdict(documentOf('x', { before: KEPT }), now, own ? { own } : {}).is).toBe(is)
  }) // biome-ignore format: a table

  it('that has another sum than its document is undecided, with both sums', () => {
    const own: DocumentFacts = { kind: 'fiscal', total: 481 }
    expect(verdict(receipt('closing', { ...OURS, before: KEPT }), { ...BEFORE, lastDocument: 17 }, { own })).toEqual({
      is: 'undecided',
      why: 'receipt 17 comes to 4.81, and this request to 4.80: another program has changed it, or the receipt belongs to another program. Check its paper.',
    })
  })
})

describe('while another program may have used the line', () => {
  const BROKEN = [
    ['the line was opened again', { hold: 2 }],
    ['the hold of the line is unknown, as after a restart', { hold: undefined }],
  ] as const

  describe.each(BROKEN)('%s', (_, { hold }) => {
    const now = (more: Partial<Evidence>): Evidence => {
      const { hold: _held, ...rest } = { ...BEFORE, ...more }
      return { ...rest, ...(hold !== undefined && { hold }) }
    }

    it('an empty receipt under the next number is not taken for the receipt whose opening was not acknowledged', () => {
      const fate = verdict(receipt('opening'), now({ open: openAt(17), lastDocument: 17 }), {})
      expect(fate).toMatchObject({ is: 'undecided', why: expect.stringMatching(/^document 17 is open/) })
    })

    it('a receipt whose number was acknowledged belongs to its request', () => {
      const fate = verdict(receipt('filling', OURS), now({ open: openAt(17), lastDocument: 17 }), {})
      expect(fate.is).toBe('open')
    })

    it.each(['x', 'z', 'copy', 'cashIn', 'cashOut'] as const)(
      'the next document (%s) may belong to another program',
      (kind) => {
        const entry = documentOf(kind, { amount: 100 })
        const moved = kind === 'cashIn' || kind === 'cashOut' ? { day: { ...DAY, [kind]: 100 } } : {}
        const after = now({ lastDocument: 17, ...(kind === 'z' && { lastZ: 5 }), ...moved })
        expect(verdict(entry, { ...after, hold: BEFORE.hold ?? 0 }, {}).is).toBe('once')
        expect(verdict(entry, after, {})).toMatchObject({
          is: 'undecided',
          why: expect.stringMatching(/another program has printed it/),
        })
        expect(verdict(entry, now({}), {}).is).toBe('notCarriedOut')
      },
    )

    it('a row, a payment or an opening as requested may belong to another program; only an unchanged state is certain', () => {
      const before: Evidence = { ...BEFORE, open: openAt(17), lastDocument: 17 }
      const sells = alone({ does: 'sell', sale: article() }, { before })
      const opens = alone({ does: 'open' })
      const sold = now({ open: openAt(17, { items: 1, total: 240, remaining: 240 }), lastDocument: 17 })
      expect(verdict(sells, sold, {}).is).toBe('undecided')
      expect(verdict(sells, { ...sold, hold: BEFORE.hold ?? 0 }, {}).is).toBe('once')
      expect(verdict(sells, now({ open: openAt(17), lastDocument: 17 }), {}).is).toBe('notCarriedOut')
      expect(verdict(opens, now({ open: openAt(17), lastDocument: 17 }), {}).is).toBe('undecided')
      expect(verdict(opens, now({}), {}).is).toBe('notCarriedOut')
    })
  })
})
