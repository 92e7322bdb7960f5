/** The payments of a complete receipt: compared with the device's own sum, and continued after an interruption. */
import { describe, expect, it } from 'vitest'
import { cannotPrint, DeviceError, type DeviceProblem, refused } from '../../drivers/model/errors.ts'
import type { OpenReceipt } from '../../drivers/model/printer.ts'
import type { Entry } from '../../server/operations/operation.ts'
import { isPaid, isPaidByOther, paymentsTaken, shortfall } from '../../server/operations/payments.ts'
import { reconcile } from '../../server/operations/run.ts'
import { withWords } from '../support/verdict-rows.ts'
import { type At, type ReceiptParts, receipt } from './entries.ts'
import { BEFORE, GIVEN_OUT, REFUSED as NOT_NOW, openAt, positionOf, scriptedPrinter } from './scripted-printer.ts'

type Payments = NonNullable<ReceiptParts['payments']>

const card = { mode: 1, amount: 100 }
const cash = { mode: 0, amount: 500 }
const THE_REST = { mode: 0 }
/** Returns the entry with this number of started payments. If the number is 0, its rows are not complete. */
const begunAt = (payments: Payments, begun: number, more: At = {}): Entry =>
  receipt(begun === 0 ? 'filling' : 'paying', { document: 17, of: { payments }, begun: Math.max(1, begun), ...more })
const standing = (paid: number | null, more: Partial<OpenReceipt> = {}): OpenReceipt =>
  openAt(17, { items: 2, total: 480, paid, remaining: paid === null ? null : Math.max(0, 480 - paid), ...more })

function accepted(count: number | undefined): string {
  if (count === undefined) return 'does not show how many payments were accepted'
  return count === 1 ? 'shows that 1 payment was accepted' : `shows that ${count} payments were accepted`
}

describe('the payments of a request', () => {
  it.each(withWords(([, , , problem]) => (problem ? 'refused' : 'accepted'), [
    ['a card to the last cent', [{ mode: 1, amount: 480 }], 480, undefined],
    ['more cash than the sum', [cash], 480, undefined],
    ['a card, then the remaining amount', [card, THE_REST], 480, undefined],
    ['no payments for a sum of 0.00', [], 0, undefined],
    ['none', [], 480, 'Payments: The payments total 0.00, but the receipt total is 4.80.'],
    ['three, the last with change', [card, { mode: 1, amount: 150 }, cash], 480, undefined],
    ['one, which is too little', [card], 480, 'Payments: The payments total 1.00, but the receipt total is 4.80.'],
    ['a card too much after another', [card, { mode: 1, amount: 381 }], 480, 'Payments[1]: The payment of 3.81 exceeds the remaining 3.80; only cash gives change.'],
    ['a card after cash for all of it', [cash, card], 480, 'Payments[1]: The receipt total of 4.80 is already paid; this payment is not needed.'],
    ['two that are too little', [card, card], 480, 'Payments: The payments total 2.00, but the receipt total is 4.80.'],
    ['a card of a cent too much', [{ mode: 1, amount: 481 }], 480, 'Payments[0]: The payment of 4.81 exceeds the remaining 4.80; only cash gives change.'],
    ['the remaining amount, and one more', [THE_REST, THE_REST], 480, 'Payments[1]: The receipt total of 4.80 is already paid; this payment is not needed.'],
    ['one for a sum of 0.00', [cash], 0, 'Payments[0]: The receipt total is 0.00: omit the payments.'],
  ]))('are %s: %s', (_result, _, payments, total, problem) => {
    const { path, text } = shortfall(payments, total) ?? {}
    expect(path && `${path}: ${text}`).toBe(problem)
  }) // biome-ignore format: a table
})

describe('the paid amount that the device reports', () => {
  it.each(withWords({ true: 'equals', false: 'does not equal' }, [
    ['all by one without an amount', [THE_REST], 1, standing(480), true],
    ['a part and the remaining amount', [card, THE_REST], 2, standing(480), true],
    ['only the part', [card, THE_REST], 2, standing(100), false],
    ['the first of two', [card, THE_REST], 1, standing(100), true],
    ['too much, of which the second contributed nothing', [cash, THE_REST], 2, standing(500), true],
    ['more than the sum, without the change', [cash], 1, standing(480), true],
    ['a cent less than the sum', [cash], 1, standing(479), false],
    ['nothing, if the sum is not reported', [card], 1, standing(0, { total: null }), false],
    ['its amount, if the sum is not reported', [card], 1, standing(100, { total: null }), true],
    ['nothing by one without an amount, if the sum is not reported', [THE_REST], 1, standing(0, { total: null }), true],
  ]))('%s the payments of the request: %s', (_result, _, payments, count, open, expected) => {
    expect(isPaid(payments, count, open)).toBe(expected)
  }) // biome-ignore format: a table

  const second = { mode: 1, amount: 150 }
  const ASKED = [card, second, cash]
  const THREE = [card, { mode: 1, amount: 170 }, { mode: 0, amount: 210 }]
  const EQUAL = [card, { mode: 0, amount: 100 }, { mode: 1, amount: 280 }]
  it.each(withWords<[string, Payments, number, number, number | undefined]>(([, , , , taken]) => accepted(taken), [
    ['the payment in progress was accepted', ASKED, 2, 250, 2],
    ['the payment in progress was not accepted', ASKED, 2, 100, 1],
    ['an earlier payment is missing', ASKED, 2, 0, undefined],
    ['one payment was accepted twice', ASKED, 2, 400, undefined],
    ['another program has paid', ASKED, 2, 480, undefined],
    ['all payments were accepted, with the change counted', ASKED, 3, 750, 3],
    ['all payments were accepted, without the change', ASKED, 3, 480, 3],
    ['all in cash, not accepted', [THE_REST], 1, 0, 0],
    ['all in cash, accepted', [THE_REST], 1, 480, 1],
    ['no payment was begun, and nothing is paid', [card, cash], 0, 0, 0],
    ['no payment was begun, and the first is paid, which differs from the request', [card, cash], 0, 100, undefined],
    ['one payment was begun, and the device has accepted more', THREE, 1, 270, undefined],
    ['one payment was begun and accepted twice, which equals the first two payments', EQUAL, 1, 200, undefined],
    ['one payment was begun and accepted twice, which pays the sum', [{ mode: 0, amount: 300 }, { mode: 1, amount: 180 }], 1, 480, undefined],
    ['one payment was begun, and the total is paid, which the sum of the payments does not equal: another program may have paid', [card, cash], 1, 480, undefined],
  ]))('%s: %s', (_result, _, payments, begun, sum, taken) => {
    expect(paymentsTaken(begunAt(payments, begun), standing(sum))).toBe(taken)
  }) // biome-ignore format: a table

  it.each(
    withWords(
      ([, , taken]) => accepted(taken),
      [
        ['if a failed disk may not know the second payment', 270, 2],
        ['if a failed disk may not know the other payments', 480, 3],
      ],
    ),
  )('%s %s', (_result, _, sum, taken) => {
    const { hold: _hold, ...before } = BEFORE
    expect(paymentsTaken(begunAt(THREE, 1, { before }), standing(sum))).toBe(taken)
  })

  it('is unknown if the wire protocol does not report it', () => {
    expect(isPaid([card], 1, openAt(17, { paid: null, total: null }))).toBe(false)
  })

  it.each(withWords<[string, Payments, number, OpenReceipt, boolean]>({ true: 'shows', false: 'does not show' }, [
    ['no payment of the request was begun', [card], 0, standing(100), true],
    ['one payment of the request was begun', [card], 1, standing(100), false],
    ['the whole sum at once was begun, and a part is paid', [THE_REST], 1, standing(100), true],
    ['the whole sum at once was begun, and nothing is paid', [THE_REST], 1, standing(0), false],
    ['the whole sum at once was begun, and is paid', [THE_REST], 1, standing(480), false],
    ['the device does not report what is paid', [THE_REST], 1, standing(null, { remaining: 380 }), false],
    ['the device does not report the remaining amount', [THE_REST], 1, standing(100, { remaining: null }), false],
  ]))('%s that another program has paid: %s', (_result, _, payments, begun, open, expected) => {
    expect(isPaidByOther(begunAt(payments, begun), open)).toBe(expected)
  }) // biome-ignore format: a table
})

describe('the service pays the remaining amount', () => {
  const REFUSED = refused('1', 'no', 'not now').problem
  const text = (words: string) => ({ textsBefore: [{ text: words }] })
  const BEFORE_THEM = { mode: 1, amount: 50 }
  const THREE: Payments = [BEFORE_THEM, { ...card, ...text('first') }, { ...cash, ...text('second') }]

  interface Answers {
    readonly pay?: readonly (DeviceProblem | Error | 'retransmitted' | undefined)[]
    readonly now?: OpenReceipt | null
    readonly again?: readonly string[]
  }

  async function paying(entry: Entry, open: OpenReceipt, { pay = [], now = open, again = [] }: Answers = {}) {
    const left = [...pay]
    const amount = (value?: number) => (value === undefined ? 'the rest' : value)
    const says = [{ open, lastDocument: 17 }, now ? { open: now, lastDocument: 17 } : GIVEN_OUT]
    const printer = scriptedPrinter({
      ...{ says, documents: {}, fails: { cancelFiscal: NOT_NOW } },
      more: {
        async pay(payment) {
          story.push(`pay ${payment.mode} ${amount(payment.amount)}`)
          const answer = left.shift()
          if (typeof answer === 'object') throw answer instanceof Error ? answer : new DeviceError(answer)
          return { text: '', retransmitted: answer === 'retransmitted' }
        },
        linesOf: async () => ['first', 'second'],
        async printFiscalText(line) {
          story.push(`print ${line.text}`)
          return { text: '', retransmitted: again.includes(line.text) }
        },
      },
    })
    const { story } = printer
    const end = await reconcile(printer, positionOf(entry, story)).then(
      (settled) => (settled.became === 'closed' ? settled.as : settled),
      (error: unknown) => (error instanceof DeviceError ? error.problem.kind : error),
    )
    return { end, done: story.slice(1).join('; ') }
  }
  const requested = (begun: number, payments = THREE, more: At = {}) =>
    begunAt(payments, begun, { total: 480, ...more })
  const CLOSE = 'reach close; closeFiscal'
  const IN_CASH = `reach pay 1, in cash; evidence; pay 0 the rest; ${CLOSE}`
  const IN_CASH_THEN = IN_CASH.replace('pay 1', 'pay 2')
  // The text `first` may be printed already, because the disk does not contain the start of its payment.
  const FIRST = 'reach print; print first; doubt first; reach pay 2; pay 1 100'
  const SECOND = `reach print; print second; reach pay 3; pay 0 500; ${CLOSE}`
  const TWO = [BEFORE_THEM, card]

  it.each<[string, Entry, OpenReceipt, string, string]>([
    ['from the payment after the accepted payment', requested(1), standing(50), 'asked', `${FIRST}; ${SECOND}`],
    ['again from the payment that was not accepted, with its texts only once', requested(2, THREE, { textsPrinted: true }), standing(50), 'asked', `pay 1 100; ${SECOND}`],
    ['from the payment whose texts may be missing', requested(2), standing(50), 'asked', `doubt first at all; reach pay 2; pay 1 100; ${SECOND}`],
    ['with no remaining amount', requested(3, THREE, { textsPrinted: true }), standing(480), 'asked', CLOSE],
    ['as the whole sum in cash, again', requested(1, [THE_REST]), standing(100), 'byOther', `note byOther; pay 0 the rest; ${CLOSE}`],
    ['by one without an amount', requested(1, [card, THE_REST]), standing(100), 'asked', `reach pay 2; pay 0 the rest; ${CLOSE}`],
    ['in cash if the paid amount differs from the request', requested(1), standing(70), 'inCash', IN_CASH],
    ['in cash if another program has paid all of it', requested(1), standing(480), 'inCash', `reach pay 1, in cash; evidence; ${CLOSE}`],
    ['in cash if it was begun in cash before', requested(1, THREE, { inCash: true }), standing(50), 'inCash', IN_CASH],
    ['in cash if they do not add up to the sum', requested(1, TWO), standing(50), 'inCash', `reach pay 2; pay 1 100; ${IN_CASH_THEN}`],
  ])('%s', async (_, entry, open, end, done) => {
    expect(await paying(entry, open)).toEqual({ end, done })
  }) // biome-ignore format: a table

  it('with an unconfirmed text whose command was retransmitted', async () => {
    const result = await paying(requested(1), standing(50), { again: ['second'] })
    const done = `${FIRST}; ${SECOND.replace('print second', 'print second; doubt second')}`
    expect(result).toEqual({ end: 'asked', done })
  })

  it('with an unconfirmed text before the next payment only', async () => {
    const four = [...THREE, { ...cash, ...text('third') }]
    const { done } = await paying(requested(1, four), standing(50, { total: 1100, remaining: 1050 }))
    expect(done.split('; ').filter((one) => one.startsWith('doubt'))).toEqual(['doubt first'])
  })

  const problems: readonly [string, DeviceProblem, string, string][] = [
    ['refuses it', REFUSED, 'inCash', `${FIRST}; ${IN_CASH_THEN}`],
    ['cannot carry its value', { kind: 'badValue', field: 'amount', why: 'too large' }, 'inCash', `${FIRST}; ${IN_CASH_THEN}`],
    ['has no such payment', { kind: 'unsupported', why: 'no cheques' }, 'inCash', `${FIRST}; ${IN_CASH_THEN}`],
    ['is silent', { kind: 'noAnswer' }, 'noAnswer', FIRST],
    ['is out of paper', cannotPrint('noPaper'), 'cannotPrint', FIRST],
  ] // biome-ignore format: a table
  it.each(problems)('in cash, or by the next request, when the device %s', async (_, problem, end, done) => {
    expect(await paying(requested(1), standing(50), { pay: [problem] })).toEqual({ end, done })
  })

  it('never after a bug in the service', async () => {
    const mistake = new TypeError('a mistake')
    expect(await paying(requested(1), standing(50), { pay: [mistake] })).toEqual({ end: mistake, done: FIRST })
  })

  it.each<[string, OpenReceipt | null, string, string]>([
    ['accepted once', standing(150), 'asked', `${FIRST}; evidence; ${SECOND}`],
    ['accepted twice', standing(250), 'inCash', `${FIRST}; evidence; ${IN_CASH_THEN}`],
    ['about which the device reports nothing', standing(null), 'asked', `${FIRST}; evidence; ${SECOND}`],
    ['on a receipt that is no longer open', null, 'asked', `${FIRST}; evidence; ${SECOND}`],
  ])('with a payment that was retransmitted: %s', async (_, now, end, done) => {
    expect(await paying(requested(1), standing(50), { pay: ['retransmitted'], now })).toEqual({ end, done })
  }) // biome-ignore format: a table

  it('without a comparison of a retransmitted payment of the whole sum, because the request has no payments', async () => {
    expect(
      await paying(requested(1, [THE_REST]), standing(100), { pay: ['retransmitted'], now: standing(200) }),
    ).toEqual({
      end: 'byOther',
      done: `note byOther; pay 0 the rest; evidence; ${CLOSE}`,
    })
  })

  it.each<[string, OpenReceipt | null, DeviceProblem, string]>([
    ['is refused, as there may be no remaining amount', standing(null), REFUSED, 'inCash'],
    ['is lost', standing(null), { kind: 'noAnswer' }, 'noAnswer'],
    ['is refused, although the device now reports a remaining amount', standing(0), REFUSED, 'refused'],
    ['is refused, and nothing is open', null, REFUSED, 'refused'],
  ])('if the device did not report the remaining amount before, cash for it %s', async (_, now, problem, end) => {
    const { end: result } = await paying(requested(1, [card]), standing(100, { remaining: null }), { pay: [problem], now })
    expect(result).toBe(end)
  }) // biome-ignore format: a table

  it('in cash as requested, if the request has no payments', async () => {
    // The receipt may be cancelled only if nothing is paid, which the wire protocol does not report.
    const withoutPaid = standing(null)
    expect(await paying(requested(1, [THE_REST]), withoutPaid)).toEqual({
      end: 'asked',
      done: `take back; cancelFiscal; evidence; reach pay 1; pay 0 the rest; evidence; pay 0 the rest; ${CLOSE}`,
    })
  })
})
