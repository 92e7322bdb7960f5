/** Each way in which a device can mislead about whose work it shows, once, and one step beside it the honest case. */
import { describe, expect, it } from 'vitest'
import type { DocumentFacts, Evidence, OpenReceipt } from '../../drivers/model/printer.ts'
import { isPaid, paymentsLeft, shortfall } from '../../server/operations/payments.ts'
import type { ProgressRecord, SaleStep, Settlement, Step } from '../../server/operations/operation.ts'
import { fateOf, isSameDevice, madeOf, timesOf } from '../../server/operations/verdict.ts'
import { BEFORE, openAt, receipt } from './scripted-printer.ts'

const { day: DAY } = BEFORE
const OURS = { document: 17 }
const { hold: _hold, ...NOT_HELD } = BEFORE
const SOLD = { items: 2, total: 480, remaining: 480 }

describe('the device', () => {
  it.each([
    ['the same', {}, true],
    ['another serial number', { serialNumber: 'S2' }, false],
    ['another fiscal memory', { fiscalMemoryNumber: 'M2' }, false],
  ])('%s', (_, more, expected) => {
    expect(isSameDevice(BEFORE, { ...BEFORE, ...more })).toBe(expected)
  })
})

describe('the receipt of a request', () => {
  type Case = readonly [
    what: string,
    record: ProgressRecord,
    now: Partial<Evidence>,
    told: DocumentFacts | undefined,
    is: string,
  ]
  const open = (one: OpenReceipt): Partial<Evidence> => ({ open: one, lastDocument: one.number })
  const fiscal: DocumentFacts = { kind: 'fiscal', total: 480 }
  const cases: readonly Case[] = [
    ['stands open under the number of its opening', receipt('filling', OURS), open(openAt(17, SOLD)), undefined, 'open'],
    ['is not the one that stands open under another number', receipt('filling', OURS), open(openAt(18)), fiscal, 'closed'],
    ['is not a non-fiscal one of its number', receipt('filling', OURS), open(openAt(17, { kind: 'NonFiscal' })), undefined, 'unproven'],
    ['stands open, empty, when the opening was not acknowledged', receipt('opening'), open(openAt(17)), undefined, 'open'],
    ['has no rows when nothing was sold: those are of another program', receipt('opening'), open(openAt(17, SOLD)), undefined, 'none'],
    ['may have rows when this computer has lost its power', receipt('opening', { before: NOT_HELD }), open(openAt(17, SOLD)), undefined, 'unproven'],
    ['is the next but one behind a document by hand, as nobody else could speak', receipt('opening'), open(openAt(18)), undefined, 'open'],
    ['may be the next but one', receipt('opening', { before: { ...BEFORE, hold: 2 } }), open(openAt(18)), undefined, 'unproven'],
    ['is not an older one', receipt('opening'), open(openAt(16)), undefined, 'none'],
    ['cannot be opened while another is open', receipt('opening', { before: { ...BEFORE, open: openAt(16) } }), open(openAt(16)), undefined, 'none'],
    ['is not there while its number is not given out', receipt('opening'), {}, undefined, 'none'],
    ['was given a number that the device has forgotten', receipt('closing', OURS), {}, undefined, 'unproven'],
    ['is closed when the journal says so', receipt('closing', OURS), { lastDocument: 17 }, fiscal, 'closed'],
    ['is cancelled when the journal says so', receipt('closing', OURS), { lastDocument: 17 }, { kind: 'cancelled', total: null }, 'cancelled'],
    ['is no X report of its number', receipt('closing', OURS), { lastDocument: 17 }, { kind: 'x', total: null }, 'unproven'],
    ['was never opened: its number is a receipt that another program has closed', receipt('opening'), { lastDocument: 17 }, fiscal, 'none'],
    ['is closed by the last receipt', receipt('closing', OURS), { lastDocument: 17, lastReceipt: 17, day: { ...DAY, receipts: 4 } }, undefined, 'closed'],
    ['is cancelled when the last receipt is an older one', receipt('closing', OURS), { lastDocument: 17, day: { ...DAY, receipts: null, turnover: null } }, undefined, 'cancelled'],
    ['is closed when the day has one more', receipt('closing', OURS), { lastDocument: 17, lastReceipt: null, day: { ...DAY, receipts: 4 } }, undefined, 'closed'],
    ['is cancelled when the day has not grown, whatever the last receipt is called', receipt('closing', OURS), { lastDocument: 17, lastReceipt: 17 }, undefined, 'cancelled'],
    ['is not proven by a day that grew by other documents too', receipt('closing', OURS), { lastDocument: 19, lastReceipt: null, day: { ...DAY, receipts: 4 } }, undefined, 'unproven'],
    ['is not proven after a Z report', receipt('closing', OURS), { lastDocument: 18, lastReceipt: null, lastZ: 5, day: { ...DAY, receipts: 0, turnover: 0 } }, undefined, 'unproven'],
    ['is not proven where nobody wrote down a number', receipt('closing', { before: null }), { lastDocument: 17 }, undefined, 'unproven'],
  ] // biome-ignore format: a table

  it.each(cases)('%s', (_what, record, now, told, is) => {
    expect(fateOf(record, { ...BEFORE, ...now }, told)).toMatchObject({ is })
  })

  it('is not known where the journal does not tell', () => {
    expect(fateOf(receipt('closing', OURS), { ...BEFORE, lastDocument: 17 }, { kind: null, total: null })).toEqual({
      is: 'unproven',
      why: 'the journal of the device does not tell what document 17 is; look at its paper.',
    })
  })
})

describe('the document of one command', () => {
  const x: ProgressRecord = { undertaking: 'document', stage: 'closing', before: BEFORE, kind: 'x' }
  const z: ProgressRecord = { ...x, kind: 'z' }
  const copy: ProgressRecord = { ...x, kind: 'copy' }
  const cashIn: ProgressRecord = { ...x, kind: 'cashIn', amount: 5000 }
  const none = undefined
  const fact = (kind: DocumentFacts['kind']): DocumentFacts => ({ kind, total: null })
  it.each([
    ['X: nothing new', x, {}, none, 'notMade'],
    ['X: the next document', x, { lastDocument: 17 }, none, 'made'],
    ['X: the next document is a receipt', x, { lastDocument: 17, lastReceipt: 17 }, none, 'notMade'],
    ['X: the next document is open', x, { lastDocument: 17, open: openAt(17) }, none, 'notMade'],
    ['X: the next document is a Z', x, { lastDocument: 17, lastZ: 5 }, none, 'notMade'],
    ['X: several documents', x, { lastDocument: 18 }, none, 'unproven'],
    ['X: several documents, the next is one', x, { lastDocument: 18 }, fact('x'), 'made'],
    ['X: several documents, the next is none', x, { lastDocument: 18 }, fact('fiscal'), 'notMade'],
    ['X: the device does not count', x, { lastDocument: null }, none, 'unproven'],
    ['X: several documents, in a text that tells nothing', x, { lastDocument: 18 }, fact(null), 'unproven'],
    ['X: the next document, in a text that tells nothing', x, { lastDocument: 17 }, fact(null), 'made'],
    ['copy: the next document is cash', copy, { lastDocument: 17 }, fact('cash'), 'notMade'],
    ['copy: cash was moved', copy, { lastDocument: 17, day: { ...DAY, cashIn: 100 } }, fact('other'), 'notMade'],
    ['copy: cash was taken out', copy, { lastDocument: 17, day: { ...DAY, cashOut: 100 } }, none, 'notMade'],
    ['copy: cash among others', copy, { lastDocument: 18, day: { ...DAY, cashIn: 100 } }, fact('other'), 'unproven'],
    ['copy: told as such, and cash', copy, { lastDocument: 18, day: { ...DAY, cashIn: 100 } }, fact('copy'), 'made'],
    ['Z: one more, in a text that tells nothing', z, { lastDocument: 17, lastZ: 5 }, fact(null), 'made'],
    ['cash in: told as such', cashIn, { lastDocument: 17, day: { ...DAY, cashIn: 5000 } }, fact('cash'), 'made'],
    [
      'cash in: in a text that tells nothing',
      cashIn,
      { lastDocument: 17, day: { ...DAY, cashIn: 5000 } },
      fact(null),
      'made',
    ],
    ['Z: one more', z, { lastDocument: 17, lastZ: 5 }, none, 'made'],
    ['Z: the next document is another one', z, { lastDocument: 17 }, none, 'notMade'],
    ['Z: two more', z, { lastDocument: 18, lastZ: 6 }, none, 'unproven'],
    ['Z: one more, behind another document', z, { lastDocument: 18, lastZ: 5 }, none, 'unproven'],
    ['cash in: its amount', cashIn, { lastDocument: 17, day: { ...DAY, cashIn: 5000 } }, fact('other'), 'made'],
    ['cash in: another amount', cashIn, { lastDocument: 17, day: { ...DAY, cashIn: 100 } }, fact('other'), 'notMade'],
    ['cash in: of others too', cashIn, { lastDocument: 18, day: { ...DAY, cashIn: 5100 } }, fact('other'), 'unproven'],
    ['cash in: none was moved', cashIn, { lastDocument: 17 }, fact('other'), 'notMade'],
    ['cash in: the sums are of another day', cashIn, { lastDocument: 17, lastZ: 5 }, fact('other'), 'made'],
    ['Z: the next document is an X', z, { lastDocument: 18, lastZ: 5 }, fact('x'), 'notMade'],
  ] as const)('%s', (_, record, now, told, is) => {
    expect(madeOf(record, { ...BEFORE, ...now }, told, none)).toMatchObject({ is })
  })

  it.each([
    ['X: another X behind it', x, fact('x'), fact('x'), 'unproven'],
    ['X: a receipt behind it', x, fact('x'), fact('fiscal'), 'made'],
    ['Z: another Z behind it', z, fact('z'), fact('z'), 'unproven'],
    ['Z: an X behind it', z, fact('z'), fact('x'), 'made'],
  ] as const)('%s', (_, record, told, next, is) => {
    expect(madeOf(record, { ...BEFORE, lastDocument: 18 }, told, [next])).toMatchObject({ is })
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
  const sale: Step = { does: 'sale' }
  const row = { price: 100, quantity: 1200, void: false }
  const priced = (more: Partial<SaleStep['row'] & object> = {}): Step => ({ does: 'sale', row: { ...row, ...more } })
  const card: Step = { does: 'payment', payment: { mode: 1, amount: 100 } }
  const cash: Step = { does: 'payment', payment: { mode: 0, amount: 1000 } }
  const tenPercent: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', percent: 1000 } } } // biome-ignore format: one line
  const percent = (percent: number): Step => ({ does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', percent } } }) // biome-ignore format: one line
  const more: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'surcharge', percent: 9000 } } } // biome-ignore format: one line
  const amount: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', amount: 300 } } } // biome-ignore format: one line
  const nothing: Step = { does: 'subtotal', subtotal: { print: false, display: false, adjustment: { kind: 'discount', percent: 1 } } } // biome-ignore format: one line
  it.each([
    ['sale: no row', sale, inside(), inside(), 'not'],
    ['sale: a row', sale, inside(), inside({ items: 3, total: 600 }), 'once'],
    ['sale: two rows', sale, inside(), inside({ items: 4, total: 720 }), 'twice'],
    ['a row with a price: its own', priced(), inside(), inside({ items: 3, total: 600 }), 'once'],
    ['a row with a price: another one', priced(), inside(), inside({ items: 3, total: 601 }), 'unproven'],
    ['a row with a price: twice', priced(), inside(), inside({ items: 4, total: 720 }), 'twice'],
    ['a row with a price: its own and another one', priced(), inside(), inside({ items: 4, total: 721 }), 'unproven'],
    ['a row with a price: its sum is not told', priced(), inside(), inside({ items: 3, total: null }), 'once'],
    ['a row with a price: taken back', priced({ void: true }), inside(), inside({ items: 3, total: 360 }), 'once'],
    [
      'a row with a price: with a discount',
      priced({ adjustment: { kind: 'discount', amount: 20 } }),
      inside(),
      inside({ items: 3, total: 580 }),
      'once',
    ],
    ['sale: a row on another receipt', sale, inside(), inside({ items: 3 }, 18), 'unproven'],
    ['sale: the receipt is gone', sale, inside(), { ...BEFORE, lastDocument: 17 }, 'unproven'],
    ['card: nothing', card, inside(), inside(), 'not'],
    [
      'card: nothing was left to pay',
      card,
      inside({ paid: 480, remaining: 0 }),
      inside({ paid: 480, remaining: 0 }),
      'not',
    ],
    ['card: on a receipt that comes to nothing', card, inside(NOTHING), inside(NOTHING), 'unproven'],
    ['card: on a non-fiscal receipt', card, inside(SLIP), inside(SLIP), 'not'],
    ['card: its amount', card, inside(), inside({ paid: 100, remaining: 380 }), 'once'],
    ['card: twice its amount', card, inside(), inside({ paid: 200, remaining: 280 }), 'twice'],
    ['card: another amount', card, inside(), inside({ paid: 130, remaining: 350 }), 'unproven'],
    ['card: the wire cannot tell', card, inside({ paid: null }), inside({ paid: null }), 'unproven'],
    ['cash with change: the rest', cash, inside(), inside({ paid: 480, remaining: 0 }), 'once'],
    ['cash with change: all of it', cash, inside(), inside({ paid: 1000, remaining: 0 }), 'once'],
    ['discount: none', tenPercent, inside(), inside(), 'not'],
    ['discount: one', tenPercent, inside(), inside({ total: 432 }), 'once'],
    ['discount: two', tenPercent, inside(), inside({ total: 389 }), 'twice'],
    ['discount of 60 %: none', percent(6000), inside(), inside(), 'not'],
    ['discount of 60 %: one', percent(6000), inside(), inside({ total: 192 }), 'once'],
    ['discount of 60 %: one, rounded otherwise', percent(6000), inside(), inside({ total: 193 }), 'once'],
    ['discount of 60 %: two, the second of the rest', percent(6000), inside(), inside({ total: 77 }), 'twice'],
    ['discount of 60 %: three', percent(6000), inside(), inside({ total: 31 }), 'unproven'],
    ['discount of 99 %: one', percent(9900), inside(), inside({ total: 5 }), 'once'],
    ['discount of 99 %: two', percent(9900), inside(), inside({ total: 0 }), 'unproven'],
    ['discount of 100 %: one or two', percent(10000), inside(), inside({ total: 0 }), 'unproven'],
    ['surcharge of 90 %: one', more, inside(), inside({ total: 912 }), 'once'],
    ['surcharge of 90 %: two', more, inside(), inside({ total: 1733 }), 'twice'],
    ['discount by amount: one', amount, inside(), inside({ total: 180 }), 'once'],
    ['discount by amount: two', amount, inside(), inside({ total: -120 }), 'twice'],
    ['discount by amount: another one', amount, inside(), inside({ total: 181 }), 'unproven'],
    ['discount of 1 %: none or one, each group rounded to nothing', percent(100), of(4, 160), of(4, 160), 'unproven'],
    ['discount of 1 %: one or two', percent(100), of(4, 180), of(4, 178), 'unproven'],
    ['discount of 1 %: one or two, one of them rounded up', percent(100), of(4, 200), of(4, 196), 'unproven'],
    ['discount of 1 %: one of a single group', percent(100), of(1, 180), of(1, 178), 'once'],
    ['discount of 1 %: two of a single group', percent(100), of(1, 180), of(1, 176), 'twice'],
    ['discount of 1 %: none of a single group', percent(100), of(1, 180), of(1, 180), 'not'],
    ['discount of 1 %: no count of a single group', percent(100), of(1, 180), of(1, 179), 'unproven'],
    ['discount of 10 %: one of eight groups, 4 hundredths less', percent(1000), of(20, 1000), of(20, 896), 'once'],
    ['discount of 10 %: one of eight groups, 4 hundredths more', percent(1000), of(20, 1000), of(20, 904), 'once'],
    ['discount of 10 %: more than eight groups can be off', percent(1000), of(20, 1000), of(20, 905), 'unproven'],
    ['discount of 10 %: two of eight groups, both off', percent(1000), of(20, 1000), of(20, 818), 'twice'],
    ['discount of 10 %: rows not told', percent(1000), of(null, 1000), of(null, 904), 'once'],
    ['discount of 10 %: rows taken off the count', percent(1000), of(0, 1000), of(0, 904), 'once'],
    ['discount of 10 %: of two groups', percent(1000), of(2, 1000), of(2, 902), 'unproven'],
    ['discount: of nothing', nothing, inside({ total: 10 }), inside({ total: 10 }), 'unproven'],
    ['open: nothing', { does: 'open' }, BEFORE, BEFORE, 'not'],
    ['open: the next document', { does: 'open' }, BEFORE, inside({ items: 0, total: 0 }), 'once'],
    ['open: the next but one', { does: 'open' }, BEFORE, inside({ items: 0, total: 0 }, 18), 'unproven'],
    ['open: with rows on it', { does: 'open' }, BEFORE, inside(), 'unproven'],
    ['open: a non-fiscal one', { does: 'open' }, BEFORE, inside({ kind: 'NonFiscal', items: 0, total: 0 }), 'unproven'],
    ['cancel: it is still open', { does: 'cancel' }, inside(), inside(), 'not'],
    ['cancel: it is gone', { does: 'cancel' }, inside(), { ...BEFORE, lastDocument: 17 }, 'once'],
  ] as readonly [string, Step, Evidence, Evidence, string][])('%s', (_, step, before, now, times) => {
    expect(timesOf(step, before, now)).toBe(times)
  })
})

describe('payments', () => {
  const card = { mode: 1, amount: 100 }
  const second = { mode: 1, amount: 150 }
  const cash = { mode: 0, amount: 500 }
  const ASKED: Settlement = { total: 480, payments: [card, second, cash], begun: 2 }
  const paid = (sum: number) => openAt(17, { total: 480, paid: sum, remaining: Math.max(0, 480 - sum) })
  it.each([
    ['the one that was begun was taken', ASKED, 250, [2]],
    ['the one that was begun was not taken', ASKED, 100, [1, 2]],
    ['one that was begun before is missing', ASKED, 0, undefined],
    ['taken twice', ASKED, 400, undefined],
    ['paid by somebody else', ASKED, 480, undefined],
    ['all taken, change counted', { ...ASKED, begun: 3 }, 750, []],
    ['all taken, change not counted', { ...ASKED, begun: 3 }, 480, []],
    ['the rest was paid in cash before', { ...ASKED, inCash: true as const }, 100, undefined],
    ['all in cash, not taken', { ...ASKED, payments: [] }, 0, [0]],
    ['all in cash, taken', { ...ASKED, payments: [] }, 480, []],
  ] as const)('%s', (_, settlement, sum, places) => {
    expect(paymentsLeft(settlement, paid(sum))?.map(([place]) => place)).toEqual(places)
  })

  it.each([
    ['come to it', [card, second, cash], undefined],
    ['leave it to the device', [card, { mode: 1 }], undefined],
    ['too little', [card], 'Payments: 4.80 is to be paid, and 1.00 is offered.'],
    ['too much by card', [card, { mode: 1, amount: 381 }], 'Payments[1]: 3.81 is offered, and 3.80 is left to pay; only cash gives change.'],
    ['one too many', [cash, card], 'Payments[1]: nothing is left to pay; 4.80 is to be paid in all.'],
  ])('%s', (_, payments, problem) => {
    const { path, text } = shortfall(payments, 480) ?? {}
    expect(path && `${path}: ${text}`).toBe(problem)
  }) // biome-ignore format: a table

  it('where the wire tells nothing, nothing is taken for paid', () => {
    expect(isPaid([card], 1, openAt(17, { paid: null, total: null }))).toBe(false)
  })
})

describe('while somebody else may have had the line', () => {
  const BROKEN = [
    ['it was opened anew', { hold: 2 }],
    ['nobody knows, as behind a restart', { hold: undefined }],
  ] as const

  describe.each(BROKEN)('%s', (_, { hold }) => {
    const now = (more: Partial<Evidence>): Evidence => {
      const { hold: _held, ...rest } = { ...BEFORE, ...more }
      return { ...rest, ...(hold !== undefined && { hold }) }
    }

    it('an empty receipt under the next number is not the one whose opening was not acknowledged', () => {
      const fate = fateOf(receipt('opening'), now({ open: openAt(17), lastDocument: 17 }), undefined)
      expect(fate).toMatchObject({ is: 'unproven', why: expect.stringMatching(/^document 17 stands open/) })
    })

    it('one whose number was acknowledged is', () => {
      const fate = fateOf(receipt('filling', OURS), now({ open: openAt(17), lastDocument: 17 }), undefined)
      expect(fate.is).toBe('open')
    })

    it.each(['x', 'z', 'copy', 'cashIn', 'cashOut'] as const)(
      '%s that stands next may be another program’s',
      (kind) => {
        const record = receipt('filling', { undertaking: 'document', kind, amount: 100 })
        const moved = kind === 'cashIn' || kind === 'cashOut' ? { day: { ...DAY, [kind]: 100 } } : {}
        const after = now({ lastDocument: 17, ...(kind === 'z' && { lastZ: 5 }), ...moved })
        expect(madeOf(record, { ...after, hold: BEFORE.hold ?? 0 }, undefined, undefined).is).toBe('made')
        expect(madeOf(record, after, undefined, undefined)).toMatchObject({
          is: 'unproven',
          why: expect.stringMatching(/another program has printed it/),
        })
        expect(madeOf(record, now({}), undefined, undefined).is).toBe('notMade')
      },
    )

    it('a row, a payment or an opening as it was asked for may be too; that nothing has changed is known', () => {
      const before: Evidence = { ...BEFORE, open: openAt(17), lastDocument: 17 }
      const sold = now({ open: openAt(17, { items: 1, total: 240, remaining: 240 }), lastDocument: 17 })
      expect(timesOf({ does: 'sale' }, before, sold)).toBe('unproven')
      expect(timesOf({ does: 'sale' }, before, { ...sold, hold: BEFORE.hold ?? 0 })).toBe('once')
      expect(timesOf({ does: 'sale' }, before, now({ open: openAt(17), lastDocument: 17 }))).toBe('not')
      expect(timesOf({ does: 'open' }, BEFORE, now({ open: openAt(17), lastDocument: 17 }))).toBe('unproven')
      expect(timesOf({ does: 'open' }, BEFORE, now({}))).toBe('not')
    })
  })
})
