/** The payments of a composite receipt against the device's own sum, and what is left of them after an interruption. */
import { describe, expect, it } from 'vitest'
import { cannotPrint, DeviceError, type DeviceProblem, refused } from '../../drivers/model/errors.ts'
import type { FiscalPrinter, OpenReceipt } from '../../drivers/model/printer.ts'
import { isPaid, isPaidByOther, paymentsLeft, payRest, shortfall } from '../../server/operations/payments.ts'
import type { Announce, Doubtful, Settlement } from '../../server/operations/operation.ts'
import { BEFORE, openAt } from './scripted-printer.ts'

const card = { mode: 1, amount: 100 }
const cash = { mode: 0, amount: 500 }
const THE_REST = { mode: 0 }
const standing = (paid: number | null, more: Partial<OpenReceipt> = {}): OpenReceipt =>
  openAt(17, { items: 2, total: 480, paid, remaining: paid === null ? null : Math.max(0, 480 - paid), ...more })

describe('payments for a sum', () => {
  it.each([
    ['a card to the last cent', [{ mode: 1, amount: 480 }], 480, undefined],
    ['more cash than the sum', [cash], 480, undefined],
    ['a card, then what is left', [card, THE_REST], 480, undefined],
    ['nothing for nothing', [], 0, undefined],
    ['nothing', [], 480, 'Payments: 4.80 is to be paid, and 0.00 is offered.'],
    ['two that are too little', [card, card], 480, 'Payments: 4.80 is to be paid, and 2.00 is offered.'],
    ['a card of a cent too much', [{ mode: 1, amount: 481 }], 480, 'Payments[0]: 4.81 is offered, and 4.80 is left to pay; only cash gives change.'],
    ['what is left, and one more', [THE_REST, THE_REST], 480, 'Payments[1]: nothing is left to pay; 4.80 is to be paid in all.'],
    ['one for nothing', [cash], 0, 'Payments[0]: nothing is left to pay; 0.00 is to be paid in all.'],
  ])('%s', (_, payments, total, problem) => {
    const { path, text } = shortfall(payments, total) ?? {}
    expect(path && `${path}: ${text}`).toBe(problem)
  }) // biome-ignore format: a table
})

describe('what the device says is paid', () => {
  it.each([
    ['all by one without an amount', [THE_REST], 1, standing(480), true],
    ['a part and the rest of it', [card, THE_REST], 2, standing(480), true],
    ['only the part', [card, THE_REST], 2, standing(100), false],
    ['the first of two', [card, THE_REST], 1, standing(100), true],
    ['too much, of which the second took nothing', [cash, THE_REST], 2, standing(500), true],
    ['more than the sum, without the change', [cash], 1, standing(480), true],
    ['a cent less than the sum', [cash], 1, standing(479), false],
    ['nothing, where the sum is not told', [card], 1, standing(0, { total: null }), false],
    ['its amount, where the sum is not told', [card], 1, standing(100, { total: null }), true],
    ['nothing by one without an amount, where the sum is not told', [THE_REST], 1, standing(0, { total: null }), true],
  ])('%s', (_, payments, count, open, expected) => {
    expect(isPaid(payments, count, open)).toBe(expected)
  }) // biome-ignore format: a table

  it('leaves all of them where none was begun and nothing is paid', () => {
    const none: Settlement = { total: 480, payments: [card, cash], begun: 0 }
    expect(paymentsLeft(none, standing(0))).toEqual([
      [0, card],
      [1, cash],
    ])
  })

  it('is not what was asked for where none was begun and the first is paid', () => {
    expect(paymentsLeft({ total: 480, payments: [card, cash], begun: 0 }, standing(100))).toBeUndefined()
  })

  const THREE = [card, { mode: 1, amount: 200 }, { mode: 0, amount: 180 }]
  it.each([
    ['two of three', THREE, 300, [2]],
    ['all of them', THREE, 480, []],
    ['all that was to pay, and not what they come to: somebody else may have', [card, cash], 480, undefined],
  ] as const)('behind one that was begun, a disk that failed may not know of further ones: %s', (_, payments, sum, places) => {
    const left = paymentsLeft({ total: 480, payments, begun: 1 }, standing(sum))
    expect(left?.map(([place]) => place)).toEqual(places)
  }) // biome-ignore format: one line

  it('is the whole sum in cash where no payments were named', () => {
    expect(paymentsLeft({ total: 480, payments: [], begun: 1 }, standing(0))).toEqual([[0, THE_REST]])
  })

  it.each([
    ['none of the request was begun', { payments: [card], begun: 0 }, standing(100), true],
    ['one was begun', { payments: [card], begun: 1 }, standing(100), false],
    ['the whole sum at once was begun, and a part is paid', { payments: [], begun: 1 }, standing(100), true],
    ['the whole sum at once was begun, and nothing is paid', { payments: [], begun: 1 }, standing(0), false],
    ['the whole sum at once was begun, and is paid', { payments: [], begun: 1 }, standing(480), false],
    ['the device does not tell what is paid', { payments: [], begun: 1 }, standing(null, { remaining: 380 }), false],
    ['the device does not tell what is left', { payments: [], begun: 1 }, standing(100, { remaining: null }), false],
  ])('somebody else has paid: %s', (_, settlement, open, expected) => {
    expect(isPaidByOther({ total: 480, ...settlement }, open)).toBe(expected)
  }) // biome-ignore format: a table
})

describe('what is left is paid', () => {
  const REFUSED = refused('1', 'no', 'not now').problem
  const text = (words: string) => ({ textsBefore: [{ text: words }] })
  const TWO = [
    { ...card, ...text('first') },
    { ...cash, ...text('second') },
  ]

  /** `again`: texts that are written again. `answers`: to each payment, a failure or that it was repeated. `now`: what stands when the device is asked. */
  async function paying(
    settlement: Settlement,
    open: OpenReceipt,
    answers: readonly (DeviceProblem | Error | 'repeated' | undefined)[] = [],
    now: OpenReceipt | null = open,
    again: readonly string[] = [],
  ) {
    const done: string[] = []
    const left = [...answers]
    const amount = (value?: number) => (value === undefined ? 'the rest' : value)
    const printer: Pick<FiscalPrinter, 'pay' | 'printFiscalText' | 'evidence'> = {
      async pay(payment) {
        done.push(`pay ${payment.mode} ${amount(payment.amount)}`)
        const answer = left.shift()
        if (typeof answer === 'object') throw answer instanceof Error ? answer : new DeviceError(answer)
        return { text: '', repeated: answer === 'repeated' }
      },
      async printFiscalText(line) {
        done.push(`print ${line.text}`)
        return { text: '', repeated: again.includes(line.text) }
      },
      async evidence({ of } = {}) {
        done.push('ask')
        if (of?.serialNumber !== BEFORE.serialNumber) throw new Error('asked of any device')
        return { ...BEFORE, open: now }
      },
    }
    const announce: Announce = (stage, more) => {
      const { begun, inCash, textsPrinted } = more?.settlement ?? {}
      done.push(`${stage}: ${begun} begun${inCash ? ', in cash' : ''}${textsPrinted ? ', its texts printed' : ''}`)
    }
    const doubt = ({ text, mayBeMissing }: Doubtful) => {
      done.push(`doubt ${text}${mayBeMissing ? ' at all' : ''}`)
    }
    const end = await payRest(
      { printer: printer as FiscalPrinter, of: BEFORE },
      settlement,
      open,
      announce,
      doubt,
    ).then(
      ({ begun, inCash }) => (inCash ? 'in cash' : `as asked, ${begun} begun`),
      (error: unknown) => (error instanceof DeviceError ? error.problem.kind : error),
    )
    return { end, done: done.join('; ') }
  }
  const asked = (begun: number, payments: Settlement['payments'] = TWO): Settlement => ({ total: 480, payments, begun })
  const IN_CASH = 'paying: 1 begun, in cash; ask; pay 0 the rest'
  const IN_CASH_THEN = IN_CASH.replace('in cash', 'in cash, its texts printed')
  const FIRST = 'paying: 1 begun; print first; paying: 1 begun, its texts printed; pay 1 100'
  const SECOND = 'paying: 2 begun; print second; paying: 2 begun, its texts printed; pay 0 500'

  it.each([
    ['from the first on', asked(0), standing(0), 'as asked, 2 begun', `${FIRST}; ${SECOND}`],
    ['behind the one that was taken', asked(1), standing(100), 'as asked, 2 begun', SECOND.replace('print second', 'print second; doubt second')],
    ['once more from the one that was not taken, its texts only once', { ...asked(1), textsPrinted: true as const }, standing(0), 'as asked, 2 begun', `paying: 1 begun, its texts printed; pay 1 100; ${SECOND}`],
    ['from the one whose texts may be missing', asked(1), standing(0), 'as asked, 2 begun', `paying: 1 begun; doubt first at all; paying: 1 begun, its texts printed; pay 1 100; ${SECOND}`],
    ['with nothing to pay any more', asked(2), standing(480), 'as asked, 2 begun', ''],
    ['as the whole sum in cash', asked(0, []), standing(0), 'as asked, 1 begun', 'paying: 1 begun; pay 0 the rest'],
    ['as the whole sum in cash, once more', asked(1, []), standing(0), 'as asked, 1 begun', 'paying: 1 begun; pay 0 the rest'],
    ['by one without an amount', asked(1, [card, THE_REST]), standing(100), 'as asked, 2 begun', 'paying: 2 begun; pay 0 the rest'],
    ['in cash where what is paid was not asked for', asked(1), standing(70), 'in cash', IN_CASH],
    ['in cash where somebody has paid all of it', asked(1), standing(480), 'in cash', 'paying: 1 begun, in cash; ask'],
    ['in cash where it was begun in cash before', { ...asked(1), inCash: true as const }, standing(100), 'in cash', IN_CASH],
    ['in cash where they do not come to the sum', asked(0, [card]), standing(0), 'in cash', `paying: 1 begun; pay 1 100; ${IN_CASH}`],
  ])('%s', async (_, settlement, open, end, done) => {
    expect(await paying(settlement, open)).toEqual({ end, done })
  }) // biome-ignore format: a table

  it('with a text in doubt whose command was written again', async () => {
    const told = await paying(asked(0), standing(0), [], standing(0), ['second'])
    const done = `${FIRST}; ${SECOND.replace('print second', 'print second; doubt second')}`
    expect(told).toEqual({ end: 'as asked, 2 begun', done })
  })

  it('with a text in doubt that may be printed before only for the next of them', async () => {
    const three = [...TWO, { ...cash, ...text('third') }]
    const { done } = await paying(asked(1, three), standing(100, { total: 1000, remaining: 900 }))
    expect(done.split('; ').filter((one) => one.startsWith('doubt'))).toEqual(['doubt second'])
  })

  const problems: readonly [string, DeviceProblem, string, string][] = [
    ['refuses it', REFUSED, 'in cash', `${FIRST}; ${IN_CASH_THEN}`],
    ['cannot carry its value', { kind: 'badValue', field: 'amount', why: 'too large' }, 'in cash', `${FIRST}; ${IN_CASH_THEN}`],
    ['has no such payment', { kind: 'unsupported', why: 'no cheques' }, 'in cash', `${FIRST}; ${IN_CASH_THEN}`],
    ['is silent', { kind: 'noAnswer' }, 'noAnswer', FIRST],
    ['is out of paper', cannotPrint('noPaper'), 'cannotPrint', FIRST],
  ] // biome-ignore format: a table
  it.each(problems)('in cash, or by the next request, when the device %s', async (_, problem, end, done) => {
    expect(await paying(asked(0), standing(0), [problem])).toEqual({ end, done })
  })

  it('not at all behind a mistake of this program', async () => {
    const mistake = new TypeError('a mistake')
    expect(await paying(asked(0), standing(0), [mistake])).toEqual({ end: mistake, done: FIRST })
  })

  it.each([
    ['taken once', standing(100), 'as asked, 2 begun', `${FIRST}; ask; ${SECOND}`],
    ['taken twice', standing(200), 'in cash', `${FIRST}; ask; ${IN_CASH_THEN}`],
    ['of which the device tells nothing', standing(null), 'as asked, 2 begun', `${FIRST}; ask; ${SECOND}`],
    ['on a receipt that is gone', null, 'as asked, 2 begun', `${FIRST}; ask; ${SECOND}`],
  ])('a payment that was written again: %s', async (_, now, end, done) => {
    expect(await paying(asked(0), standing(0), ['repeated'], now)).toEqual({ end, done })
  }) // biome-ignore format: a table

  it('the whole sum at once, written again, is not compared with payments: there are none', async () => {
    expect(await paying(asked(0, []), standing(0), ['repeated'], standing(100))).toEqual({
      end: 'as asked, 1 begun',
      done: 'paying: 1 begun; pay 0 the rest; ask',
    })
  })

  it.each([
    ['is refused, as nothing may be left', standing(null), REFUSED, 'in cash'],
    ['is lost', standing(null), { kind: 'noAnswer' }, 'noAnswer'],
    ['is refused, where it is told that something is left', standing(0), REFUSED, 'refused'],
    ['is refused, and nothing is open', null, REFUSED, 'refused'],
  ] as const)('where the device does not tell what is left, cash for it %s', async (_, now, problem, end) => {
    const { end: told } = await paying(asked(1, [card]), standing(100, { remaining: null }), [problem], now)
    expect(told).toBe(end)
  }) // biome-ignore format: a table

  it('without payments of its own, what is left in cash is as asked', async () => {
    const untold = standing(null)
    expect(await paying(asked(1, []), untold, [], untold)).toEqual({
      end: 'as asked, 1 begun',
      done: 'paying: 1 begun; pay 0 the rest; paying: 1 begun; ask; pay 0 the rest',
    })
  })
})
