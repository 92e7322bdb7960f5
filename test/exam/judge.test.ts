/**
 * The judge, tested with fabricated histories: one for each verdict, and a similar history that must get another
 * verdict.
 */
import { describe, expect, it } from 'vitest'
import type { History } from '../../scenarios/exam/case-history.ts'
import { judge, type Verdict } from '../../scenarios/exam/judge.ts'

const BREAD = { taxCode: 1, price: 120, quantity: 2000 }
const CHEESE = { taxCode: 1, price: 850, quantity: 400 }
const COFFEE = { taxCode: 1, price: 315, quantity: 1000 }
const LEFT = { taxCode: 1, price: 777, quantity: 1000 }
const cash = (amount: number) => [{ mode: 0, amount }]

const FIRST = { rows: [BREAD, CHEESE], payments: cash(580), total: 580, isReversal: false }
const SECOND = { rows: [COFFEE], payments: cash(315), total: 315, isReversal: false }
const first = { number: 1, ...FIRST }
const second = { number: 2, ...SECOND }

type Claims = History['claims']
const claimed = (job: string, ...claims: readonly Claims[number]['claim'][]): Claims =>
  claims.map((claim, index) => ({ job, claim, again: index > 0 }))

const GOOD: History = {
  first: { id: 'first', ...FIRST },
  second: { id: 'second', ...SECOND },
  claims: [...claimed('first', 'printed'), ...claimed('second', 'printed')],
  receipts: [first, second],
  otherPrograms: [],
  open: null,
  isReached: true,
}

interface Lie {
  readonly verdict: Verdict
  readonly what: string
  readonly history: Partial<History>
  readonly similar: Partial<History>
  readonly instead: Verdict
}

const LIES: readonly Lie[] = [
  {
    verdict: 'duplicated',
    what: 'the same sale in two receipts',
    history: { receipts: [first, { ...first, number: 2 }, { ...second, number: 3 }] },
    similar: { receipts: [first, second] },
    instead: 'passed',
  },
  {
    verdict: 'duplicated',
    what: 'the second sale twice, with a payment that differs',
    history: { receipts: [first, second, { ...second, number: 3, payments: [{ mode: 1, amount: 315 }] }] },
    similar: { receipts: [first, { ...second, payments: [{ mode: 1, amount: 315 }] }] },
    instead: 'wrong',
  },
  {
    verdict: 'duplicated',
    what: 'duplicated is worse than a receipt that is open',
    history: { receipts: [first, { ...first, number: 2 }], open: { number: 3, kind: 'fiscal', rows: [] } },
    similar: { receipts: [first, second], open: { number: 3, kind: 'fiscal', rows: [] } },
    instead: 'stuck',
  },
  {
    verdict: 'lost',
    what: 'claimed printed, and nothing of it is there',
    history: { receipts: [second] },
    similar: {
      receipts: [second],
      claims: [...claimed('first', 'failed', 'failed', 'failed'), ...claimed('second', 'printed')],
    },
    instead: 'stuck',
  },
  {
    verdict: 'lost',
    what: 'claimed printed, and a later claim does not withdraw it',
    history: { receipts: [first], claims: [...claimed('first', 'printed'), ...claimed('second', 'printed', 'failed')] },
    similar: {
      receipts: [first, { number: 2, ...SECOND, rows: [COFFEE, COFFEE], total: 630 }],
      claims: [...claimed('first', 'printed'), ...claimed('second', 'printed', 'failed')],
    },
    instead: 'wrong',
  },
  {
    verdict: 'lost',
    what: 'claimed printed, and the receipt that is open holds nothing of it',
    history: { receipts: [first], open: { number: 2, kind: 'fiscal', rows: [] } },
    similar: { receipts: [first], open: { number: 2, kind: 'fiscal', rows: [COFFEE] } },
    instead: 'stuck',
  },
  {
    verdict: 'wrong',
    what: 'a row duplicated',
    history: { receipts: [{ ...first, rows: [BREAD, BREAD, CHEESE], total: 820 }, second] },
    similar: { receipts: [{ ...first, rows: [CHEESE, BREAD] }, second] },
    instead: 'passed',
  },
  {
    verdict: 'wrong',
    what: 'a row missing',
    history: { receipts: [{ ...first, rows: [BREAD], total: 240 }, second] },
    similar: {},
    instead: 'passed',
  },
  {
    verdict: 'wrong',
    what: 'the right rows with another sum',
    history: { receipts: [{ ...first, total: 522 }, second] },
    similar: {},
    instead: 'passed',
  },
  {
    verdict: 'wrong',
    what: 'paid by card instead of cash',
    history: { receipts: [{ ...first, payments: [{ mode: 1, amount: 580 }] }, second] },
    similar: { receipts: [{ ...first, payments: [...cash(1000), { mode: 0, amount: -420 }] }, second] },
    instead: 'passed',
  },
  {
    verdict: 'wrong',
    what: 'rows of one sale in the receipt of another',
    history: { receipts: [first, { ...second, rows: [COFFEE, CHEESE], total: 655 }] },
    similar: {},
    instead: 'passed',
  },
  {
    verdict: 'wrong',
    what: 'a receipt that voids a sale',
    history: { receipts: [first, second, { ...first, number: 3, isReversal: true }] },
    similar: { receipts: [first, second, { ...first, number: 3 }] },
    instead: 'duplicated',
  },
  {
    verdict: 'wrong',
    what: 'sold into what another program had left open',
    history: {
      otherPrograms: [{ number: 1, rows: [LEFT] }],
      receipts: [
        { ...first, rows: [LEFT, BREAD, CHEESE], total: 1357 },
        { ...first, number: 2 },
        { ...second, number: 3 },
      ],
    },
    similar: {
      otherPrograms: [{ number: 1, rows: [LEFT] }],
      receipts: [
        { ...first, rows: [LEFT], total: 777 },
        { ...first, number: 2 },
        { ...second, number: 3 },
      ],
    },
    instead: 'passed',
  },
  {
    verdict: 'wrong',
    what: 'a receipt without an owner, which the case had not put there',
    history: {
      receipts: [first, second, { number: 3, rows: [LEFT], payments: cash(777), total: 777, isReversal: false }],
    },
    similar: {
      receipts: [first, second, { number: 3, rows: [LEFT], payments: cash(777), total: 777, isReversal: false }],
      otherPrograms: [{ number: 3, rows: [LEFT] }],
    },
    instead: 'passed',
  },
  {
    verdict: 'stuck',
    what: 'a receipt is left open',
    history: { open: { number: 3, kind: 'nonFiscal', rows: [] } },
    similar: {},
    instead: 'passed',
  },
  {
    verdict: 'stuck',
    what: 'the second sale cannot be printed any more',
    history: { receipts: [first], claims: [...claimed('first', 'printed'), ...claimed('second', 'failed', 'failed')] },
    similar: {
      receipts: [first, second],
      claims: [...claimed('first', 'printed'), ...claimed('second', 'failed', 'printed')],
    },
    instead: 'passed',
  },
  {
    verdict: 'stuck',
    what: 'the first sale can never be printed',
    history: {
      receipts: [second],
      claims: [...claimed('first', 'failed', 'unknown', 'hung'), ...claimed('second', 'printed')],
    },
    similar: { claims: [...claimed('first', 'failed', 'unknown', 'hung'), ...claimed('second', 'printed')] },
    instead: 'hung',
  },
  {
    verdict: 'hung',
    what: 'the till did not end in time, although it printed at last',
    history: { claims: [...claimed('first', 'hung', 'printed'), ...claimed('second', 'printed')] },
    similar: { claims: [...claimed('first', 'crashed', 'printed'), ...claimed('second', 'printed')] },
    instead: 'passed',
  },
  {
    verdict: 'misreported',
    what: 'reported as failed for ever, and the device has it',
    history: { claims: [...claimed('first', 'failed', 'failed', 'failed'), ...claimed('second', 'printed')] },
    similar: { claims: [...claimed('first', 'failed', 'failed', 'printed'), ...claimed('second', 'printed')] },
    instead: 'passed',
  },
  {
    verdict: 'misreported',
    what: 'unknown is the last word on it',
    history: { claims: [...claimed('first', 'unknown', 'unknown', 'unknown'), ...claimed('second', 'printed')] },
    similar: { claims: [...claimed('first', 'unknown', 'printed'), ...claimed('second', 'printed')] },
    instead: 'passed',
  },
  {
    verdict: 'not triggered',
    what: 'the fault found nothing to strike',
    history: { isReached: false },
    similar: { isReached: true },
    instead: 'passed',
  },
  {
    verdict: 'duplicated',
    what: 'a fault that was never triggered does not excuse what the device holds',
    history: { isReached: false, receipts: [first, second, { ...first, number: 3 }] },
    similar: { isReached: false },
    instead: 'not triggered',
  },
]

describe('the judge of a till', () => {
  it.each(LIES.map((one) => [one.verdict, one.what, one] as const))(
    'gives the verdict "%s": %s',
    (_verdict, _what, { history, verdict, similar, instead }) => {
      expect(judge({ ...GOOD, ...history })).toMatchObject({ verdict, why: expect.stringMatching(/^[A-Z].*\.$/) })
      expect(judge({ ...GOOD, ...similar })).toMatchObject({ verdict: instead })
    },
  )

  it('is tested with a false history for every verdict', () => {
    const verdicts = new Set(LIES.map(({ verdict }) => verdict))
    expect([...verdicts, 'passed'].sort()).toEqual(
      ['duplicated', 'hung', 'lost', 'not triggered', 'passed', 'stuck', 'misreported', 'wrong'].sort(),
    )
  })

  it('names the receipts of a duplicated sale', () => {
    const receipts = [first, { ...first, number: 4 }, { ...second, number: 5 }]
    expect(judge({ ...GOOD, receipts }).why).toBe('The device printed first twice: receipts 1 and 4.')
  })
})
