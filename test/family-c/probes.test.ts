/** Answers of the device that show whether it executed a command of family C (sheet 4.14), each by itself. */
import { describe, expect, it } from 'vitest'
import type { Probe } from '../../drivers/family-c/confirmed-command.ts'
import * as probes from '../../drivers/family-c/probes.ts'
import type { ReceiptState } from '../../drivers/family-c/protocol/commands/registers.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import { problemOf } from '../support/problems.ts'
import { type Tells, telling } from './telling.ts'

/** A receipt of two rows without a payment. */
const STATE: ReceiptState = {
  ...{ open: true, sales: 2, turnover: [480, 0, 0], payStarted: false, payFinished: false, change: 0, changeType: 0 },
  ...{ type: 0, voidForbidden: false, vatPrinted: false, detailed: false, powerDown: false },
}
const NOBODY = telling({})
const state = (more: Partial<ReceiptState> = {}): ReceiptState => ({ ...STATE, ...more })

describe('the driver looks', () => {
  const flags = (...set: string[]) => ({ flags: new Set(set) })
  const document = (number: number) => ({ lastDocument: { document: number } })
  it.each([
    ['nothing open', { status: flags('paperLow') }, { fiscal: false, nonFiscal: false, document: 16 }],
    ['a fiscal receipt', { status: flags('fiscalOpen') }, { fiscal: true, nonFiscal: false, document: 16 }],
    ['a slip', { status: flags('nonFiscalOpen') }, { fiscal: false, nonFiscal: true, document: 16 }],
    ['a status that is not told', { status: () => undefined }, { fiscal: false, nonFiscal: false, document: 16 }],
    ['a number that is not told', { status: flags(), lastDocument: () => undefined }, { fiscal: false, nonFiscal: false, document: 0 }],
  ])('at the open document: %s', async (_, tells: Tells, seen) => {
    expect(await probes.closed.look(telling({ ...document(16), ...tells }))).toEqual(seen)
  }) // biome-ignore format: a table

  it('at the state of the receipt, without which nothing can be decided', async () => {
    expect(await probes.sale.look(telling({ transactionStatus: STATE }))).toEqual(STATE)
    expect(await problemOf(probes.sale.look(telling({ transactionStatus: () => undefined })))).toEqual({
      kind: 'notThisFamily',
      why: 'it does not report the state of the receipt',
    })
  })

  it.each([
    ['while it is being paid', { payStarted: true }, ['transactionStatus', 'receiptPayments'], [100, 0]],
    ['not before', {}, ['transactionStatus'], undefined],
    ['not when all is paid', { payStarted: true, payFinished: true }, ['transactionStatus'], undefined],
    ['not without a receipt', { open: false, payStarted: true }, ['transactionStatus'], undefined],
  ])('at the payments of a receipt, %s', async (_, more, asked, payments) => {
    const device = telling({ transactionStatus: state(more), receiptPayments: { open: true, payments: [100, 0] } })
    expect(await probes.paid({ type: 0, amount: 100 }, 0).look(device)).toEqual({ state: state(more), payments })
    expect(device.asked).toEqual(asked)
  })

  it.each([
    ['the edition does not tell them', {}],
    ['they are told without data', { receiptPayments: () => undefined }],
  ])('at no payments where %s', async (_, tells) => {
    const paying = state({ payStarted: true })
    const seen = await probes.paid({ type: 0, amount: 100 }, 0).look(telling({ transactionStatus: paying, ...tells }))
    expect(seen).toEqual({ state: paying, payments: undefined })
  })

  it.each([
    ['the last document', probes.newDocument('x'), document(16), 16],
    ['the last document, where it is not told', probes.newDocument('x'), { lastDocument: () => undefined }, 0],
    ['the last Z report', probes.dayClosed, { lastZ: { number: 4 } }, 4],
    ['the last Z report, where it is not told', probes.dayClosed, { lastZ: () => undefined }, 0],
  ] as readonly [string, Probe<number>, Tells, number][])('at the number of %s', async (_, probe, tells, seen) => {
    expect(await probe.look(telling(tells))).toBe(seen)
  })

  const moves = (option: string, sum: number) => ({ dayRegisters: () => ({ option, payments: [], count: 3, sum }) })
  it.each([
    ['in', 500, moves('2', 700), 'dayRegisters 2', { count: 3, sum: 700 }],
    ['out', -500, moves('3', -700), 'dayRegisters 3', { count: 3, sum: 700 }],
    ['that nobody tells', 500, {}, undefined, undefined],
    ['of which another register is told', 500, moves('1', 700), 'dayRegisters 2', undefined],
  ] as const)('at the drawer for cash %s', async (_, amount, tells, asked, moves) => {
    const device = telling({ ...document(16), ...tells })
    expect(await probes.cashMoved(amount).look(device)).toEqual({ document: 16, lastZ: undefined, moves })
    expect(device.asked.find((one) => one.startsWith('dayRegisters'))).toBe(asked)
  })
})

const VOIDED = [
  ...['OPERATOR 1   No 16', '-'.repeat(24), 'Tea   4.80 B', '-'.repeat(24), 'RECEIPT VOIDED', 'TOTAL   0.00'],
  ...['-'.repeat(24), '2026-07-15   No 16', 'SERVICE RECEIPT'],
]
const [done, not, untold] = [true, false, undefined]
/** The device's answers before and after, and whether the command was executed. */
type Row<Seen> = readonly [what: string, probe: Probe<Seen>, before: Seen, after: Seen, expected: boolean | undefined]
const decides = <Seen>(rows: readonly Row<Seen>[]) =>
  it.each(rows)('%s', async (_, probe, before, after, expected) => {
    expect(await probe.wasDone(before, after, NOBODY)).toBe(expected)
  })

describe('an opening', () => {
  const none = (document: number) => ({ fiscal: false, nonFiscal: false, document })
  const fiscal = (document: number) => ({ ...none(document), fiscal: true })
  const slip = (document: number) => ({ ...none(document), nonFiscal: true })
  const [receipt, texts] = [probes.opening('fiscal'), probes.opening('nonFiscal')]
  decides([
    ['nothing came', receipt, none(16), none(16), not],
    ['a slip stands open under the next number', texts, none(16), slip(17), done],
    ['what stands open is of another kind', receipt, none(16), slip(17), untold],
    ['what stands open is of another kind, for a slip', texts, none(16), fiscal(17), untold],
    ['it stands open under another number', receipt, none(16), fiscal(18), untold],
    ['a document came, and nothing is open', receipt, none(16), none(17), untold],
    ['a slip stands open under the old number', receipt, none(16), slip(16), untold],
    ['a receipt was open before, and still is', receipt, fiscal(16), fiscal(16), not],
    ['a slip was open before, and still is', receipt, slip(16), slip(16), not],
  ])

  const empty = { sales: 0, turnover: [0, 0, 0] }
  it.each([
    ['nothing stands on it', empty, done],
    ['another program has sold', { ...empty, sales: 1 }, untold],
    ['another program has sold, of which the turnover alone tells', { ...empty, turnover: [0, 10, 0] }, untold],
    ['another program has begun to pay', { ...empty, payStarted: true }, untold],
    ['it is gone meanwhile', { ...empty, open: false }, untold],
  ])('a receipt is open under the next number, and %s', async (_, more, expected) => {
    const device = telling({ transactionStatus: state(more) })
    expect(await receipt.wasDone(none(16), fiscal(17), device)).toBe(expected)
  })

  describe('and the end of it', () => {
    decides([
      ['it still stands open', probes.closed, fiscal(16), fiscal(16), not],
      ['a slip still stands open', probes.closed, slip(16), slip(16), not],
      ['it does not stand open', probes.closed, fiscal(16), none(16), done],
      ['another stands open', probes.closed, fiscal(16), fiscal(17), done],
      ['nothing stood open', probes.closed, none(16), none(16), not],
      ['nothing stood open, and something does now', probes.closed, none(16), fiscal(17), untold],
      ['nothing stood open, and a document came', probes.closed, none(16), none(17), untold],
      ['nothing stood open, and a slip does now under its number', probes.closed, none(16), slip(16), untold],
    ])

    const ways = [probes.cancelled, probes.closed, probes.slipClosed]
    it.each([
      ['is a receipt: somebody has closed it', { receiptCode: { document: 16, amount: 480 } }, [untold, done, done]],
      ['is a cancelled one', { journalRead: VOIDED }, [done, untold, done]],
      ['is another one', { receiptCode: { document: 15, amount: 480 }, journalRead: VOIDED }, [done, untold, done]],
      ['has lines that nobody reads', { journalRead: ['something else'] }, [done, done, done]],
      ['is not in the journal', {}, [done, done, done]],
    ])('a cancel, a close, and that of a slip, where its document %s', async (_, tells: Tells, expected) => {
      for (const [way, probe] of ways.entries())
        expect(await probe.wasDone(fiscal(16), none(16), telling(tells))).toBe(expected[way])
    })
  })
})

describe('inside a receipt of the same number', () => {
  const more = state({ sales: 3 })
  it.each([
    ['the receipt is the same', 16, { document: 16 }, done],
    ['another one stands open', 16, { document: 17 }, untold],
    ['the number was not told before', undefined, { document: 16 }, untold],
    ['the number is not told now', 16, () => undefined, untold],
  ])('%s', async (_, receipt, lastDocument, expected) => {
    const probe = probes.within(receipt, probes.sale)
    expect(await probe.look(telling({ transactionStatus: STATE }))).toEqual(STATE)
    expect(await probe.wasDone(STATE, more, telling({ lastDocument }))).toBe(expected)
  })
})

describe('a sale', () => {
  decides([
    ['nothing is different', probes.sale, STATE, state(), not],
    ['a row more', probes.sale, STATE, state({ sales: 3 }), done],
    ['a row of which the turnover alone tells', probes.sale, STATE, state({ turnover: [480, 0, 10] }), done],
    ['the receipt is gone', probes.sale, STATE, state({ open: false, sales: 0 }), untold],
    ['somebody has begun to pay', probes.sale, STATE, state({ payStarted: true, sales: 3 }), untold],
  ])
})

describe('an adjustment of the subtotal', () => {
  const percent = (of: number) => probes.adjusted({ percent: of })
  decides([
    ['the turnover of a group is different', percent(1000), STATE, state({ turnover: [432, 0, 0] }), done],
    ['nothing is different', percent(1000), STATE, state(), not],
    ['nothing is different, by an amount', probes.adjusted({ value: -50 }), state({ turnover: [1, 0, 0] }), state({ turnover: [1, 0, 0] }), not],
    ['the percentage comes to a cent', percent(100), state({ turnover: [0, 100, 0] }), state({ turnover: [0, 100, 0] }), not],
    ['the percentage comes to less than a cent', percent(100), state({ turnover: [99, 99, 0] }), state({ turnover: [99, 99, 0] }), untold],
    ['the percentage of what was taken back', percent(-100), state({ turnover: [0, 0, 100] }), state({ turnover: [0, 0, 100] }), not],
    ['nothing to change', probes.adjusted({}), STATE, state(), untold],
    ['nothing was open', percent(100), state({ open: false, turnover: [0, 0, 0] }), state({ open: false, turnover: [0, 0, 0] }), not],
    ['the receipt is gone', percent(1000), STATE, state({ open: false }), untold],
    ['somebody has begun to pay', percent(1000), STATE, state({ payStarted: true }), untold],
  ]) // biome-ignore format: a table
})

describe('a payment', () => {
  const paying = state({ payStarted: true })
  const finished = state({ payStarted: true, payFinished: true })
  const reported = (of: ReceiptState, payments?: readonly number[]) => ({ state: of, payments })
  const first = reported(STATE)
  const pays = (amount: number | 'exact', before?: number, type = 1) => probes.paid({ type, amount }, before)
  const card = pays(100, 100)
  const closedBefore = reported(state({ open: false }))
  const groups = state({ payStarted: true, turnover: [480, 200, 0] })
  decides([
    ['nothing was open', card, closedBefore, closedBefore, not],
    ['nothing was open, and a receipt is now', card, closedBefore, first, untold],
    ['the receipt is gone', card, reported(paying), closedBefore, untold],
    ['paying has begun', card, first, reported(paying), done],
    ['paying has not begun', card, first, first, not],
    ['all was paid, and still is', card, reported(finished), reported(finished), not],
    ['the payments are told before only', card, reported(paying, [100, 0]), reported(paying), untold],
    ['the payments are told now only', card, reported(paying), reported(paying, [100, 0]), untold],
    ['one in between, of which nobody tells', card, reported(paying), reported(paying), untold],
    ['one that would have paid the rest', pays(380, 100), reported(paying), reported(paying), not],
    ['one of a cent less than the rest', pays(379, 100), reported(paying), reported(paying), untold],
    ['one of the rest, whatever was paid', pays('exact'), reported(paying), reported(paying), not],
    ['one that may pay the rest, where nobody knows what was paid', pays(480), reported(paying), reported(paying), untold],
    ['one that would have paid the sum of several groups', pays(580, 100), reported(groups), reported(paying), not],
  ]) // biome-ignore format: a table

  describe('if the device reports the payments', () => {
    decides([
      ['it was added', card, reported(paying, [100, 0]), reported(paying, [100, 100]), done],
      ['none was added', card, reported(paying, [100, 0]), reported(paying, [100, 0]), not],
      ['another amount was added', card, reported(paying, [100, 0]), reported(paying, [100, 50]), untold],
      ['it was added, and another one', card, reported(paying, [100, 0]), reported(paying, [150, 100]), untold],
      ['it was added of another type', card, reported(paying, [100, 0]), reported(paying, [200, 0]), untold],
      ['the first was it', card, first, reported(paying, [0, 100]), done],
      ['the first was another', card, first, reported(paying, [0, 50]), untold],
      ['it is of a type that is no place in the list', pays(100, 100, 11), first, reported(paying, [0, 100]), done],
      ['it is of a type that is the next place behind the list', pays(100, 100, 2), first, reported(paying, [0, 100]), done],
    ]) // biome-ignore format: a table

    it.each([
      ['the rest, and it was', pays('exact'), [100, 380], done],
      ['the rest, and another type took it', pays('exact'), [480, 0], untold],
      ['more than the rest, and it was handed over', pays(500, 100, 0), [600, 0], done],
      ['more than the rest, of which the receipt took what it needs', pays(500, 100, 0), [480, 0], done],
      ['a part, and another program has paid all', pays(50), [100, 380], untold],
    ])('%s: all is paid now', async (_, probe, payments, expected) => {
      const device = telling({ receiptPayments: { open: true, payments } })
      expect(await probe.wasDone(reported(paying, [100, 0]), reported(finished), device)).toBe(expected)
    })
  })

  describe('if it does not', () => {
    const over = (change: number) => reported({ ...finished, change })
    decides([
      ['all is paid by the rest', pays(380, 100), reported(paying), over(0), done],
      ['all is paid by the rest, whatever it was', pays('exact'), reported(paying), over(0), done],
      ['all is paid, and the change is what it gives', pays(500, 100), reported(paying), over(120), done],
      ['all is paid, and the change is of another one', pays(500, 100), reported(paying), over(20), untold],
      ['all is paid, which it could not', card, reported(paying), over(0), untold],
      ['all is paid, and nobody knows what was', pays(380), reported(paying), over(0), untold],
      ['paying has begun, and it would have paid all', pays(480), first, reported(paying), untold],
      ['all is paid at once', pays(480), first, over(0), done],
    ]) // biome-ignore format: a table
  })
})

describe('a document of its own', () => {
  const X = ['X REPORT', '-'.repeat(24), '      NON-FISCAL RECEIPT']
  const SLIP = ['No 17', '-'.repeat(24), '      NON-FISCAL RECEIPT']
  const UNREAD = ['something else']
  const reads = (documents: Readonly<Record<number, readonly string[]>>) =>
    telling({ journalRead: ({ from }: { from: string }) => documents[Number(from)] ?? [] })
  it.each([
    ['no document came', 16, {}, not],
    ['it is the next', 17, { 17: X }, done],
    ['it is one of those that came', 18, { 17: SLIP, 18: X }, done],
    ['it is the fifth that came', 21, { 17: SLIP, 18: SLIP, 19: SLIP, 20: SLIP, 21: X }, done],
    ['only others came', 18, { 17: SLIP, 18: SLIP }, not],
    [
      'one of those that came may be it',
      18,
      { 17: ['OPERATORS', '-'.repeat(24), 'No 17', 'SERVICE RECEIPT'], 18: SLIP },
      untold,
    ],
    ['one of those that came is not read', 18, { 17: UNREAD, 18: SLIP }, untold],
    ['one of those that came is not there', 18, { 17: SLIP }, untold],
    ['more came than anybody looks at', 22, { 17: X }, untold],
    ['the device counts fewer', 15, { 16: X }, untold],
  ])('%s', async (_, after, documents, expected) => {
    expect(await probes.newDocument('x').wasDone(16, after, reads(documents))).toBe(expected)
  })

  it('is not one of another kind', async () => {
    expect(await probes.newDocument('copy').wasDone(16, 17, reads({ 17: X }))).toBe(false)
  })

  describe('that ends the day', () => {
    decides([
      ['no Z came', probes.dayClosed, 4, 4, not],
      ['the next came', probes.dayClosed, 4, 5, done],
      ['two came', probes.dayClosed, 4, 6, untold],
      ['the device counts fewer', probes.dayClosed, 4, 3, untold],
    ])
  })

  describe('that moves cash', () => {
    const drawer = (document: number, count: number, sum: number, lastZ = 4) => ({
      ...{ document, lastZ, moves: { count, sum } },
    })
    const untoldDrawer = { document: 16, lastZ: 4, moves: undefined }
    const [into, out] = [probes.cashMoved(500), probes.cashMoved(-500)]
    decides([
      ['no document came', into, drawer(16, 1, 300), drawer(16, 1, 300), not],
      ['no document came, and the drawer is not told', into, untoldDrawer, untoldDrawer, not],
      ['it came', into, drawer(16, 1, 300), drawer(17, 2, 800), done],
      ['it went', out, drawer(16, 1, 300), drawer(17, 2, 800), done],
      ['a document came that moved nothing', into, drawer(16, 1, 300), drawer(17, 1, 300), not],
      ['another amount came', into, drawer(16, 1, 300), drawer(17, 2, 400), untold],
      ['the amount came in two', into, drawer(16, 1, 300), drawer(18, 3, 800), untold],
      ['the amount came, and nobody counted it', into, drawer(16, 1, 300), drawer(17, 1, 800), untold],
      ['one came and went again', into, drawer(16, 1, 300), drawer(18, 3, 300), untold],
      ['the drawer was not told before', into, untoldDrawer, drawer(17, 1, 500), untold],
      ['the drawer is not told now', into, drawer(16, 1, 300), { document: 17, lastZ: 4, moves: undefined }, untold],
      ['a Z report emptied the drawer since', into, drawer(16, 0, 0), drawer(17, 0, 0, 5), untold],
    ])
  })
})

it('a failure while the journal is read is reported unchanged', async () => {
  const silent = new DeviceError({ kind: 'noAnswer' })
  const reading = probes.newDocument('x').wasDone(16, 17, telling({ journalRead: silent }))
  expect(await problemOf(Promise.resolve(reading))).toEqual({ kind: 'noAnswer' })
})

it('a line of text is not reported, and a command without paper may be repeated', async () => {
  for (const probe of [probes.unreported, probes.harmless]) expect(await probe.look(NOBODY)).toBeUndefined()
  expect(await probes.unreported.wasDone(undefined, undefined, NOBODY)).toBeUndefined()
  expect(await probes.harmless.wasDone(undefined, undefined, NOBODY)).toBe(false)
})
