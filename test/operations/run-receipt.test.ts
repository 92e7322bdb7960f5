/**
 * A complete receipt with retransmitted commands is compared with the device evidence while a correction is still
 * possible.
 */
import { describe, expect, it } from 'vitest'
import type { DeviceError } from '../../drivers/model/errors.ts'
import type { Evidence, FiscalPrinter, OpenReceipt } from '../../drivers/model/printer.ts'
import type { Step } from '../../drivers/model/steps.ts'
import type { Answer, Operation } from '../../server/operations/operation.ts'
import { outcomeOf, type Reason } from '../../server/operations/outcome.ts'
import { run } from '../../server/operations/run.ts'
import { UnderWay } from '../../server/operations/under-way.ts'
import { withWords } from '../support/verdict-rows.ts'
import { article, type ReceiptParts, receiptToPrint, sale, text } from './entries.ts'
import {
  BEFORE,
  EXCHANGED,
  LACKING,
  NO_ANSWER,
  open,
  openAt,
  REFUSED,
  retransmitted,
  type Script,
  scriptedPrinter,
  TAKES_ALL,
  UNKNOWN,
} from './scripted-printer.ts'

const TWICE = 'The device was interrupted and executed a command twice:'
const PERHAPS = 'The device did not respond at first and may have executed a command twice:'

type ScriptedAnswer = 'once' | 'again' | DeviceError

interface Receipt {
  readonly of?: ReceiptParts
  readonly says: Script['says']
  readonly steps?: readonly ScriptedAnswer[]
  readonly payments?: readonly ScriptedAnswer[]
  readonly opening?: ScriptedAnswer
  readonly closes?: string
  readonly last?: Evidence
  readonly expectedTotal?: Operation['expectedTotal']
  readonly more?: Partial<FiscalPrinter>
}

async function printed({
  of,
  says,
  steps = ['once'],
  payments = ['once'],
  opening = 'once',
  closes = '17',
  last,
  expectedTotal,
  more = {},
}: Receipt) {
  const acting = (answers: readonly ScriptedAnswer[], name: string) => {
    const left = [...answers]
    return async () => {
      printer.story.push(name)
      const next = left.length > 1 ? left.shift() : left[0]
      if (next !== 'once' && next !== 'again') throw next
      return { text: '', retransmitted: next === 'again', document: 17 }
    }
  }
  const act = acting(steps, 'step')
  const printer = scriptedPrinter({
    says,
    documents: {},
    more: {
      ...TAKES_ALL,
      openFiscal: acting([opening], 'open'),
      ...{ sell: act, sellArticle: act, subtotal: act, printFiscalText: act },
      pay: acting(payments, 'pay'),
      closeFiscal: async () => ({ receiptNumber: closes, raw: '', retransmitted: false }),
      ...more,
    } as Partial<FiscalPrinter>,
  })
  const progress = new UnderWay(undefined, undefined, last)
  const end = await run(
    { steps: receiptToPrint(of), ...(expectedTotal && { expectedTotal }) },
    { printer, progress },
  ).then(
    ({ receiptNumber }: Answer) => ({ end: receiptNumber }),
    (error: unknown) => ({ end: wordsOf(outcomeOf(error).reasons[0]), outcome: outcomeOf(error) }),
  )
  return { outcome: undefined, ...end, story: printer.story, entry: progress.entry }
}
const wordsOf = (reason: Reason | undefined) => (reason?.kind === 'text' ? reason.text : reason)

const held = (more: Partial<OpenReceipt> | null): Partial<Evidence> =>
  more === null
    ? { lastDocument: 17 }
    : { open: openAt(17, { items: 2, total: 480, remaining: 480, ...more }), lastDocument: 17 }

describe('a retransmitted command', () => {
  const asked = async (steps: readonly ScriptedAnswer[]) => {
    const { end, story } = await printed({ says: [{}, held({})], steps })
    expect(end).toBe('17')
    return story
  }

  it.each(
    withWords<[string, readonly ScriptedAnswer[], boolean]>({ true: 'a query', false: 'no query' }, [
      ['no command was retransmitted', ['once', 'once'], false],
      ['the last command was retransmitted', ['once', 'again'], true],
      ['a command before the last was retransmitted', ['again', 'once'], true],
    ]),
  )('causes %s before the payment: %s', async (_result, _, steps, isAsked) => {
    const question = isAsked ? ['evidence'] : []
    expect(await asked(steps)).toEqual(['evidence', 'open', 'step', 'step', ...question, 'pay'])
  })

  it.each(
    withWords<[string, DeviceError, boolean]>({ true: 'a query', false: 'no query' }, [
      ['failed after a retransmission', retransmitted(NO_ANSWER), true],
      ['failed without a retransmission', NO_ANSWER, false],
    ]),
  )('causes %s after an opening that %s', async (_result, _, opening, isAsked) => {
    const { end, story } = await printed({ says: [{}], opening })
    expect(end).toEqual(NO_ANSWER.problem)
    expect(story).toEqual(['evidence', 'open', ...(isAsked ? ['evidence'] : [])])
  })

  it.each<[readonly ScriptedAnswer[], readonly string[]]>([
    [['once'], []],
    [['once', 'once', 'again', 'once'], ['ONE']],
    [
      ['once', 'once', 'again'],
      ['ONE', 'TWO'],
    ],
  ])('is stored for each line of text, but for no other element: %j', async (steps, unconfirmed) => {
    const of = { further: [text('ONE'), text('TWO')] }
    const { end, entry } = await printed({ of, says: [{}, held({})], steps, more: { linesOf: async () => [] } })
    expect([end, (entry.unconfirmed ?? []).map((one) => one.text)]).toEqual(['17', unconfirmed])
  })
})

describe('a duplicated execution', () => {
  const DETECTED = (row: readonly unknown[]) => (row.at(-1) === '17' ? 'not detected' : 'detected')
  it.each(
    withWords<[string, Partial<OpenReceipt> | null, string]>(DETECTED, [
      ['as many rows as were sold', { items: 2 }, '17'],
      ['fewer', { items: 1 }, '17'],
      ['no receipt', null, '17'],
      ['rows that are not reported', { items: null }, '17'],
      ['one row too many', { items: 3 }, `${TWICE} the receipt has 3 items instead of 2.`],
    ]),
  )('is %s by the number of rows: %s', async (_result, _, now, end) => {
    expect((await printed({ says: [{}, held(now)], steps: ['again'] })).end).toBe(end)
  })

  const card = { mode: 1, amount: 100 }
  it.each(
    withWords<[string, number, Partial<OpenReceipt> | null, string]>(DETECTED, [
      ['as much as was handed over', 2, { paid: 200 }, '17'],
      ['less', 2, { paid: 100 }, '17'],
      ['no receipt', 1, null, '17'],
      ['a sum that is not reported', 1, { paid: null }, '17'],
      ['a cent too much', 1, { paid: 101 }, `${TWICE} 1.01 was paid instead of 1.00.`],
    ]),
  )('is %s by the paid amount: %s', async (_result, _, count, now, end) => {
    const payments = Array.from({ length: count }, () => card)
    const total = { total: 100 * count, remaining: 100 * count }
    const says = [{}, held(total), held(now && { ...total, remaining: 0, ...now })]
    const sends = payments.map((_card, place) => (place === count - 1 ? 'again' : 'once'))
    const result = await printed({ of: { payments }, says, payments: sends })
    expect(result.end).toBe(end)
    expect(result.story.slice(4, 6 + count)).toEqual(['evidence', ...payments.map(() => 'pay'), 'evidence'])
  })

  it('is detected only by the rows if a payment without an amount follows, because the remaining amount cannot be paid twice', async () => {
    const of = { payments: [card, { mode: 0 }] }
    const { end, story } = await printed({ of, says: [{}, held({})], payments: ['once', 'again'] })
    expect([end, story]).toEqual(['17', ['evidence', 'open', 'step', 'step', 'evidence', 'pay', 'pay']])
  })
})

describe('a step of a complete receipt that no number of rows proves', () => {
  const TENTH: Step = {
    does: 'subtotal',
    subtotal: { display: false, print: true, adjustment: { kind: 'discount', percent: 1000 } },
  }
  const sum = (total: number | null) => open(17, { items: 1, total })
  /** The counted queries follow the first one: around the step, and before the payment. */
  const endAndQueries = async (act: ScriptedAnswer, says: Script['says']) => {
    const of = { sales: [sale(1000)], further: [TENTH] }
    const { end, story } = await printed({ of, says: [{}, ...says], steps: ['once', act] })
    const isSettled = end !== '17'
    return [end, story.filter((one) => one === 'evidence').length - (isSettled ? 2 : 1)]
  }
  const more = (now: string, before = '10.00', what = TWICE) => {
    const state = (total: string) => `receipt 17, 1 item, total ${total}, paid 0.00`
    return `${what} state before: ${state(before)}; state after: ${state(now)}.`
  }

  it.each(withWords<[string, ScriptedAnswer, Script['says'], unknown, number]>(([, , , end]) => (end === '17' ? 'succeeds' : 'ends the request with a failure'), [
    ['answered at once', 'once', [sum(1000)], '17', 1],
    ['retransmitted, executed once', 'again', [sum(1000), sum(900)], '17', 3],
    ['retransmitted, executed twice', 'again', [sum(1000), sum(810)], more('8.10'), 2],
    ['retransmitted, of a sum that it does not change', 'again', [sum(1), sum(1)], more('0.01', '0.01', PERHAPS), 2],
    ['retransmitted, of a device that cannot report it', 'again', [LACKING, sum(900)], `${PERHAPS} state before: unknown; state after: receipt 17, 1 item, total 9.00, paid 0.00.`, 2],
    ['retransmitted and refused for that, executed once', retransmitted(REFUSED), [sum(1000), sum(900)], '17', 3],
    ['retransmitted and refused for that, not executed', retransmitted(REFUSED), [sum(1000)], REFUSED.problem, 2],
    ['refused', REFUSED, [sum(1000)], REFUSED.problem, 1],
    ['not answered', UNKNOWN, [sum(1000)], UNKNOWN.problem, 1],
    ['of another device, before it', 'once', [{ ...sum(1000), serialNumber: 'S2' }], EXCHANGED.problem, 1],
    ['of another device, after it', 'again', [sum(1000), { ...sum(900), fiscalMemoryNumber: 'M2' }], EXCHANGED.problem, 2],
  ]))('%s: %s', async (_result, _, act, says, end, asked) => {
    expect(await endAndQueries(act, says)).toEqual([end, asked])
  }) // biome-ignore format: a table

  const besideOneTakenBack = (items: number) => {
    const rows = (count: number) => open(17, { items: count, total: 120 * count })
    const of = { sales: [article(), article({ void: true })] }
    return printed({ of, says: [{}, rows(0), rows(1), rows(items)], steps: ['once', 'again'] })
  }
  it.each(withWords(([, , end]) => (end === '17' ? 'succeeds' : 'ends the request with a failure'), [
    ['counted once', 2, '17'],
    ['counted twice', 3, `${TWICE} state before: receipt 17, 1 item, total 1.20, paid 0.00; state after: receipt 17, 3 items, total 3.60, paid 0.00.`],
    ['taken off the count', 0, '17'],
  ]))('%s next to a voided row: %s', async (_result, _, items, end) => {
    expect((await besideOneTakenBack(items)).end).toBe(end)
  }) // biome-ignore format: a table
})

describe('the state before a receipt', () => {
  it('is the state after the previous operation, and is not queried', async () => {
    const { end, story, entry } = await printed({ says: [NO_ANSWER], last: BEFORE })
    expect([end, story]).toEqual(['17', ['open', 'step', 'step', 'pay']])
    expect(entry).toMatchObject({ before: BEFORE, isRemembered: true, document: 17 })
  })

  it('is queried after the opening if the receipt number shows that another document was printed', async () => {
    const says = [open(17), open(17)]
    const last: Evidence = { ...BEFORE, lastDocument: 12, lastReceipt: 12 }
    const { end, story, entry } = await printed({ says, last })
    expect([end, story]).toEqual(['17', ['open', 'evidence', 'step', 'step', 'pay']])
    expect(entry).toMatchObject({ before: { open: null, lastDocument: 16 }, document: 17 })
  })

  it('is queried after a refused opening, because another receipt may be open', async () => {
    const { end, story, entry } = await printed({ says: [{ open: openAt(16) }], last: BEFORE, opening: REFUSED })
    expect([end, story]).toEqual([REFUSED.problem, ['open', 'evidence']])
    expect(entry.before?.open?.number).toBe(16)
  })
})

describe('a line that the service does not hold', () => {
  it('causes a query before a receipt, whatever the previous operation reported', async () => {
    const says = [{ lastDocument: 16 }]
    const { story, entry } = await printed({ says, last: BEFORE, more: { brokenSince: () => EXCHANGED.problem } })
    expect(story[0]).toBe('evidence')
    expect(entry.isRemembered).toBeUndefined()
  })

  it('gets no further command of the receipt, because another program may have used the line', async () => {
    let count = 0
    // The line was held until after the first row.
    const brokenSince = () => (++count > 2 ? EXCHANGED.problem : undefined)
    const { end, story } = await printed({ says: [{}, NO_ANSWER], more: { brokenSince } })
    expect([end, story]).toEqual([EXCHANGED.problem, ['evidence', 'open', 'step', 'evidence']])
  })

  it('may lead to another device, so that earlier answers may concern either device', async () => {
    const says = [{ open: openAt(17), lastDocument: 17, serialNumber: 'S2' }]
    const { end, entry, outcome } = await printed({ says, last: BEFORE, steps: [UNKNOWN] })
    expect(end).toEqual(UNKNOWN.problem)
    expect(outcome?.effect).toBe('undecided')
    expect(wordsOf(outcome?.reasons[1])).toMatch(
      /^The device with the serial number S1 answered before this request, and S2/,
    )
    expect(entry.before).toMatchObject({ serialNumber: 'S2', open: null, lastDocument: 16 })
  })
})

describe('the sum that the device reports before the payment', () => {
  it.each(
    withWords<[string, number, number, unknown]>(
      ([, , , end]) => (end === '17' ? 'accepted' : 'refused'),
      [
        ['the sums are equal', 480, 0, '17'],
        ['the sums differ by the tolerated amount', 485, 5, '17'],
        ['the sums differ by more', 486, 5, { kind: 'totalDiffers', device: 480, expected: 486 }],
        ['the reported sum is more than expected', 474, 5, { kind: 'totalDiffers', device: 480, expected: 474 }],
      ],
    ),
  )('is %s if an expected sum is given: %s', async (_result, _, amount, tolerance, end) => {
    const result = await printed({ says: [{}, held({})], expectedTotal: { amount, tolerance } })
    expect([result.end, result.story.includes('pay')]).toEqual([end, end === '17'])
    expect(result.entry.total).toBe(end === '17' ? 480 : undefined)
  })

  it.each<[string, NonNullable<ReceiptParts['payments']>, string]>([
    ['too little', [{ mode: 1, amount: 400 }], 'The payments total 4.00, but the receipt total is 4.80.'],
    [
      'too much by card',
      [{ mode: 1, amount: 500 }],
      'The payment of 5.00 exceeds the remaining 4.80; only cash gives change.',
    ],
  ])('ends the request without a payment if the offered amount is %s', async (_, payments, end) => {
    const result = await printed({ says: [{}, held({})], of: { payments } })
    expect([result.end, result.story.includes('pay')]).toEqual([end, false])
  })

  it.each<[string, ReceiptParts]>([
    ['pays all in cash', {}],
    ['pays nothing, as it ends in a cancel', { cancels: true }],
  ])('is not queried if the request %s', async (_, of) => {
    const { story } = await printed({ says: [{}], of })
    expect(story.filter((one) => one === 'evidence')).toHaveLength(1)
  })
})

it('a receipt that was closed under another number belongs to another program, and the caller has to compare both papers', async () => {
  expect((await printed({ says: [{}], closes: '18' })).end).toBe(
    'this request opened document 17, but the device closed 18: another program closed 17 and opened 18 in between. Compare both papers.',
  )
})
