/** Responses of the device that show whether a command of family C was executed (sheet 4.14), one by one. */
import { describe, expect, it } from 'vitest'
import type { Probe } from '../../drivers/family-c/confirmed-command.ts'
import * as probes from '../../drivers/family-c/probes.ts'
import type { ReceiptState } from '../../drivers/family-c/protocol/commands/registers.ts'
import { DeviceError } from '../../drivers/model/errors.ts'
import { problemOf } from '../support/problems.ts'
import { withWords } from '../support/verdict-rows.ts'
import { type ScriptedAnswers, scriptedDevice } from './scripted-device.ts'

const STATE: ReceiptState = {
  ...{ open: true, sales: 2, turnover: [480, 0, 0], payStarted: false, payFinished: false, change: 0, changeType: 0 },
  ...{ type: 0, voidForbidden: false, vatPrinted: false, detailed: false, powerDown: false },
}
const REFUSES_ALL = scriptedDevice({})
const state = (more: Partial<ReceiptState> = {}): ReceiptState => ({ ...STATE, ...more })

describe('to confirm a command, the driver queries', () => {
  const flags = (...set: string[]) => ({ flags: new Set(set) })
  const document = (number: number) => ({ lastDocument: { document: number } })
  it.each([
    ['nothing open', { status: flags('paperLow') }, { fiscal: false, nonFiscal: false, document: 16 }],
    ['a fiscal receipt', { status: flags('fiscalOpen') }, { fiscal: true, nonFiscal: false, document: 16 }],
    ['a slip', { status: flags('nonFiscalOpen') }, { fiscal: false, nonFiscal: true, document: 16 }],
  ])('what is open: %s', async (_, answers: ScriptedAnswers, seen) => {
    expect(await probes.closed.look(scriptedDevice({ ...document(16), ...answers }))).toEqual(seen)
  }) // biome-ignore format: a table

  it('the state of the receipt', async () => {
    expect(await probes.sale.look(scriptedDevice({ transactionStatus: STATE }))).toEqual(STATE)
  })

  const unreported = () => undefined
  it.each<[string, Probe<unknown>, ScriptedAnswers]>([
    ['the state of the receipt', probes.sale, { transactionStatus: unreported }],
    ['its status', probes.closed, { status: unreported }],
    ['the number of the last document', probes.closed, { status: flags(), lastDocument: unreported }],
    ['the number of the last document', probes.newDocument('x'), { lastDocument: unreported }],
    ['the number of the last Z report', probes.dayClosed, { lastZ: unreported }],
  ])('nothing that would count as unchanged if the device acknowledges without %s', async (what, probe, answers) => {
    expect(await problemOf(probe.look(scriptedDevice(answers)))).toEqual({
      kind: 'notThisFamily',
      why: `it does not report ${what}`,
    })
  })

  it.each([
    ['while it is being paid', { payStarted: true }, ['transactionStatus', 'receiptPayments'], [100, 0]],
    ['not before', {}, ['transactionStatus'], undefined],
    ['not when all is paid', { payStarted: true, payFinished: true }, ['transactionStatus'], undefined],
    ['not without a receipt', { open: false, payStarted: true }, ['transactionStatus'], undefined],
  ])('the payments of a receipt or nothing, by its state: %s', async (_, more, asked, payments) => {
    const device = scriptedDevice({
      transactionStatus: state(more),
      receiptPayments: { open: true, payments: [100, 0] },
    })
    expect(await probes.paid({ type: 0, amount: 100 }, 0).look(device)).toEqual({ state: state(more), payments })
    expect(device.asked).toEqual(asked)
  })

  it.each([
    ['the edition does not report them', {}],
    ['they are reported without data', { receiptPayments: () => undefined }],
  ])('no payments if %s', async (_, answers) => {
    const paying = state({ payStarted: true })
    const seen = await probes
      .paid({ type: 0, amount: 100 }, 0)
      .look(scriptedDevice({ transactionStatus: paying, ...answers }))
    expect(seen).toEqual({ state: paying, payments: undefined })
  })

  it.each([
    ['the last document', probes.newDocument('x'), document(16), 16],
    ['the last Z report', probes.dayClosed, { lastZ: { number: 4 } }, 4],
  ] as readonly [string, Probe<number>, ScriptedAnswers, number][])(
    'the number of %s',
    async (_, probe, answers, seen) => {
      expect(await probe.look(scriptedDevice(answers))).toBe(seen)
    },
  )

  const moves = (option: string, sum: number) => ({ dayRegisters: () => ({ option, payments: [], count: 3, sum }) })
  it.each([
    ['in', 500, moves('2', 700), 'dayRegisters 2', { count: 3, sum: 700 }],
    ['out', -500, moves('3', -700), 'dayRegisters 3', { count: 3, sum: 700 }],
    ['that is not reported', 500, {}, undefined, undefined],
    ['for which another register is reported', 500, moves('1', 700), 'dayRegisters 2', undefined],
  ] as const)('the drawer for cash %s', async (_, amount, answers, asked, moves) => {
    const device = scriptedDevice({ ...document(16), ...answers })
    expect(await probes.cashMoved(amount).look(device)).toEqual({ document: 16, lastZ: undefined, moves })
    expect(device.asked.find((one) => one.startsWith('dayRegisters'))).toBe(asked)
  })
})

const VOIDED = [
  ...['OPERATOR 1   No 16', '-'.repeat(24), 'Tea   4.80 B', '-'.repeat(24), 'RECEIPT VOIDED', 'TOTAL   0.00'],
  ...['-'.repeat(24), '2026-07-15   No 16', 'SERVICE RECEIPT'],
]
const [done, not, unknown] = [true, false, undefined]
const OUTCOME = { true: 'executed', false: 'not executed', undefined: 'unknown' }
/**
 * The responses before and after the command, and whether the command was executed; `undefined` if they do not show it.
 */
type Row<Seen> = readonly [what: string, probe: Probe<Seen>, before: Seen, after: Seen, expected: boolean | undefined]
const decides = <Seen>(rows: readonly Row<Seen>[]) =>
  it.each(withWords(OUTCOME, rows))('is taken for %s: %s', async (_outcome, _, probe, before, after, expected) => {
    expect(await probe.wasDone(before, after, REFUSES_ALL)).toBe(expected)
  })

describe('an opening without an answer', () => {
  const none = (document: number) => ({ fiscal: false, nonFiscal: false, document })
  const fiscal = (document: number) => ({ ...none(document), fiscal: true })
  const slip = (document: number) => ({ ...none(document), nonFiscal: true })
  const [receipt, texts] = [probes.opening('fiscal'), probes.opening('nonFiscal')]
  decides([
    ['nothing is open', receipt, none(16), none(16), not],
    ['a slip is open under the next number', texts, none(16), slip(17), done],
    ['the open document is of another kind', receipt, none(16), slip(17), unknown],
    ['the open document is of another kind, for a slip', texts, none(16), fiscal(17), unknown],
    ['a receipt is open under another number', receipt, none(16), fiscal(18), unknown],
    ['a document was printed, and nothing is open', receipt, none(16), none(17), unknown],
    ['a slip is open under the old number', receipt, none(16), slip(16), unknown],
    ['a receipt was open before, and still is', receipt, fiscal(16), fiscal(16), not],
    ['a slip was open before, and still is', receipt, slip(16), slip(16), not],
  ])

  const empty = { sales: 0, turnover: [0, 0, 0] }
  it.each(
    withWords(OUTCOME, [
      ['the receipt is empty', empty, done],
      ['another program has sold', { ...empty, sales: 1 }, unknown],
      ['another program has sold, which only the turnover shows', { ...empty, turnover: [0, 10, 0] }, unknown],
      ['another program has begun to pay', { ...empty, payStarted: true }, unknown],
      ['the receipt is no longer open', { ...empty, open: false }, unknown],
    ]),
  )('is taken for %s: %s', async (_result, _, more, expected) => {
    const device = scriptedDevice({ transactionStatus: state(more) })
    expect(await receipt.wasDone(none(16), fiscal(17), device)).toBe(expected)
  })

  describe('with its end', () => {
    decides([
      ['it is still open', probes.closed, fiscal(16), fiscal(16), not],
      ['a slip is still open', probes.closed, slip(16), slip(16), not],
      ['the receipt is no longer open', probes.closed, fiscal(16), none(16), done],
      ['another receipt is open', probes.closed, fiscal(16), fiscal(17), done],
      ['nothing was open', probes.closed, none(16), none(16), not],
      ['nothing was open, and a receipt is now', probes.closed, none(16), fiscal(17), unknown],
      ['nothing was open, and a document was printed', probes.closed, none(16), none(17), unknown],
      ['nothing was open, and a slip is now under its number', probes.closed, none(16), slip(16), unknown],
    ])

    const ways = [probes.cancelled, probes.closed, probes.slipClosed]
    it.each([
      [
        'is a receipt: another program has closed it',
        { receiptCode: { document: 16, amount: 480 } },
        [unknown, done, done],
      ],
      ['is a cancelled receipt', { journalRead: VOIDED }, [done, unknown, done]],
      [
        'is another document',
        { receiptCode: { document: 15, amount: 480 }, journalRead: VOIDED },
        [done, unknown, done],
      ],
      ['has unknown lines', { journalRead: ['something else'] }, [done, done, done]],
      ['is not in the journal', {}, [done, done, done]],
    ])('is judged by the printed document, which %s', async (_, answers: ScriptedAnswers, expected) => {
      for (const [way, probe] of ways.entries())
        expect(await probe.wasDone(fiscal(16), none(16), scriptedDevice(answers))).toBe(expected[way])
    })
  })
})

describe('a command inside a receipt', () => {
  const more = state({ sales: 3 })
  it.each(
    withWords(OUTCOME, [
      ['the receipt is the same', 16, { document: 16 }, done],
      ['another receipt is open', 16, { document: 17 }, unknown],
      ['the number was not reported before', undefined, { document: 16 }, unknown],
    ]),
  )('is taken for %s: %s', async (_result, _, receipt, lastDocument, expected) => {
    const probe = probes.within(receipt, probes.sale)
    expect(await probe.look(scriptedDevice({ transactionStatus: STATE }))).toEqual(STATE)
    expect(await probe.wasDone(STATE, more, scriptedDevice({ lastDocument }))).toBe(expected)
  })
})

describe('a sale', () => {
  decides([
    ['nothing is different', probes.sale, STATE, state(), not],
    ['a row more', probes.sale, STATE, state({ sales: 3 }), done],
    ['a row that only the turnover shows', probes.sale, STATE, state({ turnover: [480, 0, 10] }), done],
    ['the receipt is gone', probes.sale, STATE, state({ open: false, sales: 0 }), unknown],
    ['another program has begun to pay', probes.sale, STATE, state({ payStarted: true, sales: 3 }), unknown],
  ])
})

describe('an adjustment of the subtotal', () => {
  const percent = (of: number) => probes.adjustmentProbe({ percent: of })
  decides([
    ['the turnover of a group is different', percent(1000), STATE, state({ turnover: [432, 0, 0] }), done],
    ['nothing is different', percent(1000), STATE, state(), not],
    ['nothing is different, by an amount', probes.adjustmentProbe({ value: -50 }), state({ turnover: [1, 0, 0] }), state({ turnover: [1, 0, 0] }), not],
    ['the percentage equals a cent', percent(100), state({ turnover: [0, 100, 0] }), state({ turnover: [0, 100, 0] }), not],
    ['the percentage equals less than a cent', percent(100), state({ turnover: [99, 99, 0] }), state({ turnover: [99, 99, 0] }), unknown],
    ['the percentage of voided sales', percent(-100), state({ turnover: [0, 0, 100] }), state({ turnover: [0, 0, 100] }), not],
    ['nothing to change', probes.adjustmentProbe({}), STATE, state(), unknown],
    ['nothing was open', percent(100), state({ open: false, turnover: [0, 0, 0] }), state({ open: false, turnover: [0, 0, 0] }), not],
    ['the receipt is gone', percent(1000), STATE, state({ open: false }), unknown],
    ['another program has begun to pay', percent(1000), STATE, state({ payStarted: true }), unknown],
  ]) // biome-ignore format: a table
})

describe('a payment without an answer', () => {
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
    ['nothing was open, and a receipt is now', card, closedBefore, first, unknown],
    ['the receipt is gone', card, reported(paying), closedBefore, unknown],
    ['paying has begun', card, first, reported(paying), done],
    ['paying has not begun', card, first, first, not],
    ['all was paid, and still is', card, reported(finished), reported(finished), not],
    ['the payments are reported before only', card, reported(paying, [100, 0]), reported(paying), unknown],
    ['the payments are reported now only', card, reported(paying), reported(paying, [100, 0]), unknown],
    ['one in between, which is not reported', card, reported(paying), reported(paying), unknown],
    ['one that would have paid the rest', pays(380, 100), reported(paying), reported(paying), not],
    ['one of a cent less than the rest', pays(379, 100), reported(paying), reported(paying), unknown],
    ['one of the rest, whatever was paid', pays('exact'), reported(paying), reported(paying), not],
    ['one that may pay the remaining amount, with an unknown paid amount', pays(480), reported(paying), reported(paying), unknown],
    ['one that would have paid the sum of several groups', pays(580, 100), reported(groups), reported(paying), not],
  ]) // biome-ignore format: a table

  describe('if the device reports the payments', () => {
    decides([
      ['it was added', card, reported(paying, [100, 0]), reported(paying, [100, 100]), done],
      ['none was added', card, reported(paying, [100, 0]), reported(paying, [100, 0]), not],
      ['another amount was added', card, reported(paying, [100, 0]), reported(paying, [100, 50]), unknown],
      ['it was added, and another one', card, reported(paying, [100, 0]), reported(paying, [150, 100]), unknown],
      ['it was added of another type', card, reported(paying, [100, 0]), reported(paying, [200, 0]), unknown],
      ['the first was it', card, first, reported(paying, [0, 100]), done],
      ['the first was another', card, first, reported(paying, [0, 50]), unknown],
      ['it is of a type that has no position in the list', pays(100, 100, 11), first, reported(paying, [0, 100]), done],
      ['it is of a type that follows the last position of the list', pays(100, 100, 2), first, reported(paying, [0, 100]), done],
    ]) // biome-ignore format: a table

    it.each(
      withWords(OUTCOME, [
        ['the remaining amount, which was paid', pays('exact'), [100, 380], done],
        ['the remaining amount, and another type was used', pays('exact'), [480, 0], unknown],
        ['more than the remaining amount, which was handed over', pays(500, 100, 0), [600, 0], done],
        [
          'more than the remaining amount, of which the receipt stores the necessary part',
          pays(500, 100, 0),
          [480, 0],
          done,
        ],
        ['a part, and another program has paid all', pays(50), [100, 380], unknown],
      ]),
    )('is taken for %s: %s', async (_result, _, probe, payments, expected) => {
      const device = scriptedDevice({ receiptPayments: { open: true, payments } })
      expect(await probe.wasDone(reported(paying, [100, 0]), reported(finished), device)).toBe(expected)
    })
  })

  describe('if the device does not report the payments', () => {
    const over = (change: number) => reported({ ...finished, change })
    decides([
      ['all is paid by the rest', pays(380, 100), reported(paying), over(0), done],
      ['all is paid by the rest, whatever it was', pays('exact'), reported(paying), over(0), done],
      ['all is paid, and the change is what it gives', pays(500, 100), reported(paying), over(120), done],
      ['all is paid, and the change is of another one', pays(500, 100), reported(paying), over(20), unknown],
      ['all is paid, which it could not', card, reported(paying), over(0), unknown],
      ['all is paid, with an unknown paid amount', pays(380), reported(paying), over(0), unknown],
      ['paying has begun, and it would have paid all', pays(480), first, reported(paying), unknown],
      ['all is paid at once', pays(480), first, over(0), done],
    ]) // biome-ignore format: a table
  })
})

describe('a command that prints a document', () => {
  const X = ['X REPORT', '-'.repeat(24), '      NON-FISCAL RECEIPT']
  const SLIP = ['No 17', '-'.repeat(24), '      NON-FISCAL RECEIPT']
  const UNREAD = ['something else']
  const reads = (documents: Readonly<Record<number, readonly string[]>>) =>
    scriptedDevice({ journalRead: ({ from }: { from: string }) => documents[Number(from)] ?? [] })
  it.each(
    withWords(OUTCOME, [
      ['no document was printed', 16, {}, not],
      ['the document is the next one', 17, { 17: X }, done],
      ['the document is among the printed documents', 18, { 17: SLIP, 18: X }, done],
      ['the document is the fifth printed document', 21, { 17: SLIP, 18: SLIP, 19: SLIP, 20: SLIP, 21: X }, done],
      ['only other documents were printed', 18, { 17: SLIP, 18: SLIP }, not],
      [
        'one of the printed documents may be it',
        18,
        { 17: ['OPERATORS', '-'.repeat(24), 'No 17', 'SERVICE RECEIPT'], 18: SLIP },
        unknown,
      ],
      ['one of the printed documents is not read', 18, { 17: UNREAD, 18: SLIP }, unknown],
      ['one of the printed documents is missing', 18, { 17: SLIP }, unknown],
      ['more documents were printed than the driver examines', 22, { 17: X }, unknown],
      ['the device counts fewer', 15, { 16: X }, unknown],
    ]),
  )('is taken for %s: %s', async (_result, _, after, documents, expected) => {
    expect(await probes.newDocument('x').wasDone(16, after, reads(documents))).toBe(expected)
  })

  it('is not a document of another kind', async () => {
    expect(await probes.newDocument('copy').wasDone(16, 17, reads({ 17: X }))).toBe(false)
  })

  describe('that ends the day', () => {
    decides([
      ['no Z report was printed', probes.dayClosed, 4, 4, not],
      ['the next Z report was printed', probes.dayClosed, 4, 5, done],
      ['two Z reports were printed', probes.dayClosed, 4, 6, unknown],
      ['the device counts fewer', probes.dayClosed, 4, 3, unknown],
    ])
  })

  describe('that moves cash', () => {
    const drawer = (document: number, count: number, sum: number, lastZ = 4) => ({
      ...{ document, lastZ, moves: { count, sum } },
    })
    const unreportedDrawer = { document: 16, lastZ: 4, moves: undefined }
    const [into, out] = [probes.cashMoved(500), probes.cashMoved(-500)]
    decides([
      ['no document was printed', into, drawer(16, 1, 300), drawer(16, 1, 300), not],
      ['no document was printed, and the drawer is not reported', into, unreportedDrawer, unreportedDrawer, not],
      ['the cash was moved in', into, drawer(16, 1, 300), drawer(17, 2, 800), done],
      ['the cash was moved out', out, drawer(16, 1, 300), drawer(17, 2, 800), done],
      ['a document was printed that moved no cash', into, drawer(16, 1, 300), drawer(17, 1, 300), not],
      ['another amount was moved', into, drawer(16, 1, 300), drawer(17, 2, 400), unknown],
      ['the amount was moved in two documents', into, drawer(16, 1, 300), drawer(18, 3, 800), unknown],
      ['the amount was moved, and the device did not count it', into, drawer(16, 1, 300), drawer(17, 1, 800), unknown],
      ['the cash was moved in and out again', into, drawer(16, 1, 300), drawer(18, 3, 300), unknown],
      ['the drawer was not reported before', into, unreportedDrawer, drawer(17, 1, 500), unknown],
      [
        'the drawer is not reported now',
        into,
        drawer(16, 1, 300),
        { document: 17, lastZ: 4, moves: undefined },
        unknown,
      ],
      ['a Z report emptied the drawer since', into, drawer(16, 0, 0), drawer(17, 0, 0, 5), unknown],
    ])
  })
})

it('a failure while the journal is read is reported unchanged', async () => {
  const silent = new DeviceError({ kind: 'noAnswer' })
  const reading = probes.newDocument('x').wasDone(16, 17, scriptedDevice({ journalRead: silent }))
  expect(await problemOf(Promise.resolve(reading))).toEqual({ kind: 'noAnswer' })
})

it('a line of text cannot be confirmed, and a command that prints nothing may be repeated', async () => {
  for (const probe of [probes.unreported, probes.harmless]) expect(await probe.look(REFUSES_ALL)).toBeUndefined()
  expect(await probes.unreported.wasDone(undefined, undefined, REFUSES_ALL)).toBeUndefined()
  expect(await probes.harmless.wasDone(undefined, undefined, REFUSES_ALL)).toBe(false)
})
