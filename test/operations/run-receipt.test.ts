/** What the link has written again, compared with what the device holds; and lines of text that stand in its journal twice. */
import { describe, expect, it } from 'vitest'
import { DeviceError, type DeviceProblem, refused } from '../../drivers/model/errors.ts'
import type { DeviceAnswer, FiscalPrinter, OpenReceipt } from '../../drivers/model/printer.ts'
import { ServiceError } from '../../server/operations/outcome.ts'
import { doubtfulText, elementsStand, isVoid } from '../../server/operations/journal-lines.ts'
import type { Doubtful, Step } from '../../server/operations/operation.ts'
import { carryOutOnce, checkDocuments, checkPaid, checkRows, Repeats } from '../../server/operations/run.ts'
import {
  BEFORE,
  EXCHANGED,
  LACKING,
  onDevice,
  open,
  openAt,
  REFUSED,
  receipt,
  repeated,
  type Script,
  scriptedPrinter,
  UNKNOWN,
} from './scripted-printer.ts'

const NO_ANSWER: DeviceProblem = { kind: 'noAnswer' }

/** What a check comes to: `fine`, or the sentence that it throws with what is said to be left. */
const wordsOf = (check: Promise<void>) =>
  check.then(
    () => 'fine',
    (error: unknown) => (error instanceof ServiceError ? `${error.outcome.effect}: ${error.message}` : error),
  )
const AGAIN = 'The command was written again: a device that lost its power meanwhile has carried it out more than once.'
const SILENT = 'The device does not answer. Check that it is switched on, connected, and set to the configured speed.'
const SETTLED = 'It is settled before the next request.'
const TWICE = 'The device was cut off for a moment and has carried out a command twice:'

describe('whether any operation was repeated', () => {
  const once = async () => ({ repeated: false })
  const again = async () => ({ repeated: true })
  const failing = async (problem: unknown) => Promise.reject(problem)

  it.each([
    ['none', [], false],
    ['one that was not', [once], false],
    ['one that was', [again], true],
    ['one that was, before one that was not', [again, once], true],
    ['one that failed behind a repeat', [() => failing(new DeviceError(NO_ANSWER, true))], true],
    ['one that failed behind a repeat, before one that was not', [() => failing(new DeviceError(NO_ANSWER, true)), once], true],
    ['one that failed at once', [() => failing(new DeviceError(NO_ANSWER))], false],
    ['one that failed at once, behind one that was', [again, () => failing(new DeviceError(NO_ANSWER))], true],
    ['a mistake of this program', [() => failing({ repeated: true })], false],
  ] as const)('%s', async (_, operations, expected) => {
    const repeats = new Repeats()
    for (const operation of operations) await repeats.of(operation()).catch(() => undefined)
    expect(repeats.any).toBe(expected)
  }) // biome-ignore format: a table

  it('is told at the answer that was repeated, and at no other', async () => {
    const repeats = new Repeats()
    const told: string[] = []
    await repeats.of(once(), () => told.push('once'))
    await repeats.of(again(), () => told.push('again'))
    await repeats.of(failing(new DeviceError(NO_ANSWER, true)), () => told.push('failed')).catch(() => undefined)
    expect(told).toEqual(['again'])
  })

  it('changes neither the answer nor the failure', async () => {
    const [answer, problem] = [{ repeated: true, text: 'x' }, new DeviceError(NO_ANSWER, true)]
    expect(await new Repeats().of(Promise.resolve(answer))).toBe(answer)
    await expect(new Repeats().of(Promise.reject(problem))).rejects.toBe(problem)
  })
})

describe('more than was asked for', () => {
  const rows = async (open: OpenReceipt | null, sold: number) => checkRows(open, sold)
  it.each([
    ['as many rows as were sold', openAt(17, { items: 2 }), 2, 'fine'],
    ['fewer', openAt(17, { items: 1 }), 2, 'fine'],
    ['no receipt', null, 0, 'fine'],
    ['rows that are not told', openAt(17, { items: null }), 0, 'fine'],
    ['one row too many', openAt(17, { items: 3 }), 2, `nothing: ${TWICE} 3 rows stand on the receipt instead of 2.`],
  ])('rows: %s', async (_, open, sold, words) => {
    expect(await wordsOf(rows(open, sold))).toBe(words)
  })

  const printer = (open: OpenReceipt | null, last: number | DeviceError = 17) => {
    const asked: string[] = []
    const asks: Pick<FiscalPrinter, 'evidence' | 'lastDocument'> = {
      async evidence({ of } = {}) {
        asked.push('evidence')
        if (of?.serialNumber !== BEFORE.serialNumber) throw EXCHANGED
        return { ...BEFORE, open }
      },
      async lastDocument() {
        if (typeof last !== 'number') throw last
        return last
      },
    }
    return { ...(asks as FiscalPrinter), asked }
  }
  const card = { mode: 1, amount: 100 }
  it.each([
    ['as much as was handed over', [card, card], openAt(17, { paid: 200 }), 'fine'],
    ['less', [card, card], openAt(17, { paid: 100 }), 'fine'],
    ['no receipt', [card], null, 'fine'],
    ['a sum that is not told', [card], openAt(17, { paid: null }), 'fine'],
    ['a cent too much', [card], openAt(17, { paid: 101 }), `nothing: ${TWICE} 1.01 is paid instead of 1.00.`],
  ])('paid: %s', async (_, payments, open, words) => {
    expect(await wordsOf(checkPaid(onDevice(printer(open)), payments))).toBe(words)
  })

  it('paid: what is left to pay cannot be paid twice, so nobody is asked', async () => {
    const { asked, ...device } = printer(openAt(17, { paid: 900 }))
    expect(await wordsOf(checkPaid(onDevice(device), [card, { mode: 0 }]))).toBe('fine')
    expect(asked).toEqual([])
  })

  it.each([
    ['the next one', 16, 17, 'fine'],
    ['none', 16, 16, 'fine'],
    ['two', 16, 18, `printed: ${TWICE} documents 17 to 18 were printed instead of one.`],
    ['two, where none was told before', null, 18, `unknownCommand: Outcome unknown: ${AGAIN} ${SETTLED}`],
    ['of a device that is silent now', 16, new DeviceError(NO_ANSWER), `unknownCommand: Outcome unknown: ${SILENT} ${AGAIN} ${SETTLED}`],
    ['of a device that refuses to tell', 16, refused('1', 'no', 'not now'), `unknownCommand: Outcome unknown: The device refused: not now (1, no). ${AGAIN} ${SETTLED}`],
  ])('documents: %s', async (_, before, last, words) => {
    expect(await wordsOf(checkDocuments(printer(null, last), before))).toBe(words)
  }) // biome-ignore format: a table
})

describe('a part of a complete receipt that no count of rows proves', () => {
  const discount = { display: false, print: true, adjustment: { kind: 'discount', percent: 1000 } } as const
  const TENTH: Step = { does: 'subtotal', subtotal: discount }
  const sum = (total: number | null) => open(17, { items: 1, total })
  const answer = (again: boolean) => async () => ({ text: '', repeated: again })
  const failing = (error: unknown) => () => Promise.reject(error)
  const carriedOut = async (act: () => Promise<DeviceAnswer>, says: Script['says'], step: Step = TENTH) => {
    const printer = scriptedPrinter({ says })
    const words = await wordsOf(carryOutOnce(step, act, onDevice(printer), new Repeats()))
    return [words, printer.story.length]
  }
  const refusedAgain = repeated(REFUSED)
  const PERHAPS = 'The device did not answer at first and may have carried out a command twice:'
  const more = (now: string, before = '10.00', what = TWICE) => {
    const state = (total: string) => `receipt 17, 1 row, total ${total}, paid 0.00`
    return `nothing: ${what} before it: ${state(before)}; after it: ${state(now)}.`
  }

  it.each<[string, () => Promise<DeviceAnswer>, Script['says'], unknown, number]>([
    ['answered at once', answer(false), [sum(1000)], 'fine', 1],
    ['written again, carried out once', answer(true), [sum(1000), sum(900)], 'fine', 2],
    ['written again, carried out twice', answer(true), [sum(1000), sum(810)], more('8.10'), 2],
    ['written again, of a sum that it does not change', answer(true), [sum(1), sum(1)], more('0.01', '0.01', PERHAPS), 2],
    ['written again, of a device that cannot tell', answer(true), [LACKING, sum(900)], `nothing: ${PERHAPS} before it: not told; after it: receipt 17, 1 row, total 9.00, paid 0.00.`, 2],
    ['refused as a repeat, carried out once', failing(refusedAgain), [sum(1000), sum(900)], 'fine', 2],
    ['refused as a repeat, not carried out', failing(refusedAgain), [sum(1000)], refusedAgain, 2],
    ['refused', failing(REFUSED), [sum(1000)], REFUSED, 1],
    ['not answered', failing(UNKNOWN), [sum(1000)], UNKNOWN, 1],
    ['of another device, before it', answer(false), [{ ...sum(1000), serialNumber: 'S2' }], EXCHANGED, 1],
    ['of another device, behind it', answer(true), [sum(1000), { ...sum(900), fiscalMemoryNumber: 'M2' }], EXCHANGED, 2],
  ])('%s', async (_, act, says, words, asked) => {
    expect(await carriedOut(act, says)).toEqual([words, asked])
  }) // biome-ignore format: a table

  it.each([
    ['counted once', 2, 'fine'],
    ['counted twice', 3, `nothing: ${TWICE} before it: receipt 17, 1 row, total 1.20, paid 0.00; after it: receipt 17, 3 rows, total 3.60, paid 0.00.`],
    ['taken off the count', 0, 'fine'],
  ])('a row beside one that is taken back: %s', async (_, items, words) => {
    const rows = (count: number) => open(17, { items: count, total: 120 * count })
    expect(await carriedOut(answer(true), [rows(1), rows(items)], { does: 'sale' })).toEqual([words, 2])
  }) // biome-ignore format: a table
})

describe('a line of text whose command was written again', () => {
  const asking = (lines: readonly string[] | undefined | Error, voidLine?: string) =>
    ({
      ...(voidLine !== undefined && { voidLine }),
      async linesOf(number: number) {
        if (lines instanceof Error) throw lines
        return number === 17 ? lines : ['Thank you', 'Thank you']
      },
    }) as Partial<FiscalPrinter> as FiscalPrinter
  const written = (...doubtful: Doubtful[]) => receipt('done', { document: 17, doubtful })
  const THANKS: Doubtful = { is: 'text', text: 'Thank you', times: 1 }
  const LONG = 'Thank you for your visit'

  it.each([
    ['once', ['Thank you'], false],
    ['not at all', ['Goodbye', 'Goodbye'], false],
    ['twice', ['Tea', 'Thank you', 'Thank you'], true],
    ['twice, and the loss of power between', ['Thank you', 'POWER WAS LOST', 'Thank you'], true],
    ['twice, far from each other', ['Thank you', 'Tea', 'Milk', 'Thank you'], false],
    ['twice between blanks', ['  Thank you', 'Thank you  '], true],
    ['twice between marks with blanks around them', [' #Thank you# ', '  #Thank you#'], true],
    ['twice between marks', ['#Thank you       #', '#     Thank you  #'], true],
    ['once more behind another mark', ['Thank you', '*#Thank you#'], false],
    ['once more before another mark', ['Thank you', '#Thank you#*'], false],
    ['once more as a part of another line', ['Thank you', 'Thank you, Ann'], false],
  ])('stands in the journal: %s', async (_, lines, expected) => {
    expect((await elementsStand(asking(lines), written(THANKS), 17)) === 'twice').toBe(expected)
  })

  it.each([
    ['marks only at its end', 'xThank you', ['xThank you', 'x#Thank you#'], false],
    ['marks only at its beginning', 'Thank youx', ['Thank youx', '#Thank you#x'], false],
    ['blanks of its own', ' Thank you ', ['Thank you', 'Thank you'], true],
    ['cut to 16 letters', LONG, ['Thank you for yo', 'Thank you for yo'], true],
    ['cut to 15 letters, which another line may begin with', LONG, ['Thank you for y', 'Thank you for y'], false],
    ['with another end behind 16 letters', LONG, ['Thank you for your call', 'Thank you for your call'], false],
  ])('with %s', async (_, text, lines, expected) => {
    expect((await elementsStand(asking(lines), written({ is: 'text', text, times: 1 }), 17)) === 'twice').toBe(expected)
  })

  it.each([
    ['two of the same are asked for, and two stand there', 2, false],
    ['two of the same are asked for, and three stand there', 3, true],
  ])('%s', async (_, count, expected) => {
    const lines = Array.from({ length: count }, () => 'Thank you')
    expect((await elementsStand(asking(lines), written({ ...THANKS, times: 2 }), 17)) === 'twice').toBe(expected)
  })

  it.each([
    ['none is missing', ['Thank you', 'Tea', 'Thank you'], 'asked'],
    ['one is missing', ['Thank you', 'Tea'], 'inDoubt'],
    ['one stands twice, far from the other', ['Thank you', 'Thank you', 'Tea', 'Milk', 'Sugar', 'Thank you'], 'twice'],
  ])('two of the same are asked for, one was not answered, and %s', async (_, lines, expected) => {
    const unanswered = { ...THANKS, times: 2, mayBeMissing: true } as const
    expect(await elementsStand(asking(lines), written(unanswered), 17)).toBe(expected)
  })

  const RULE = '-'.repeat(32)
  const DROP = '*** VOLTAGE DROP ***'
  const of = (is: Doubtful['is'], text = ''): Doubtful => ({ is, text, times: 1 })
  const QR = '0123456789abcdef'
  it.each([
    ['a barcode once', of('barcode', '12345670'), ['|| EAN-8 12345670 ||'], 'asked'],
    ['a barcode twice', of('barcode', '12345670'), ['|| EAN-8 12345670 ||', '|| EAN-8 12345670 ||'], 'inDoubt'],
    ['a barcode not at all', of('barcode', '12345670'), ['Tea'], 'asked'],
    ['a broken barcode twice', of('barcode', QR), ['|| QR ||', '|| 0123456789ab ||', '|| cdef ||', '|| QR ||', '|| 0123456789ab ||', '|| cdef ||'], 'inDoubt'],
    ['a separating line once', of('separatingLine'), [RULE, 'Tea 1.20 A', RULE], 'asked'],
    ['a separating line twice', of('separatingLine'), ['Tea 1.20 A', RULE, RULE], 'inDoubt'],
    ['a separating line twice, and the loss of power between', of('separatingLine'), [`#${RULE} #`, DROP, `#${RULE} #`], 'inDoubt'],
    ['the lines around a sum', of('separatingLine'), [RULE, 'TOTAL 2.40', RULE], 'asked'],
    ['a separating line twice, between blanks', of('separatingLine'), [`  ${RULE}`, `${RULE}  `], 'inDoubt'],
    ['a subtotal twice, between blanks', of('subtotal'), ['  SUBTOTAL 2.40 ', 'SUBTOTAL 2.40  '], 'inDoubt'],
    ['two different lines', of('separatingLine'), [RULE, '='.repeat(32)], 'asked'],
    ['too few signs', of('separatingLine'), ['---', '---'], 'asked'],
    ['a subtotal once', of('subtotal'), ['SUBTOTAL 2.40', 'TOTAL 2.40'], 'asked'],
    ['a subtotal twice', of('subtotal'), ['SUBTOTAL 2.40', 'SUBTOTAL 2.40'], 'inDoubt'],
    ['a subtotal twice, and the loss of power between', of('subtotal'), ['SUBTOTAL 2.40', DROP, 'SUBTOTAL 2.40'], 'inDoubt'],
    ['two equal sales', of('subtotal'), ['Tea 1.20 A', 'Tea 1.20 A', 'SUBTOTAL 2.40'], 'asked'],
    ['a sum twice, far from each other', of('subtotal'), ['SUBTOTAL 2.40', 'Tea', 'Milk', 'SUBTOTAL 2.40'], 'asked'],
  ] as const)('%s', async (_, element, lines, expected) => {
    expect(await elementsStand(asking(lines), written(element), 17)).toBe(expected)
  }) // biome-ignore format: a table

  it('is one of several of which another may be missing', async () => {
    const unanswered = { ...of('text', 'Bye'), mayBeMissing: true } as const
    expect(await elementsStand(asking(['Thank you', 'Thank you']), written(unanswered, THANKS), 17)).toBe('twice')
    expect(await elementsStand(asking([RULE, RULE, 'Thank you']), written(of('separatingLine'), THANKS), 17)).toBe(
      'inDoubt',
    )
    expect(await elementsStand(asking(['Thank you']), written(unanswered, THANKS), 17)).toBe('inDoubt')
  })

  it('is one of several', async () => {
    const lines = ['Hello', 'Thank you', 'Thank you']
    expect(await elementsStand(asking(lines), written({ is: 'text', text: 'Hello', times: 1 }, THANKS), 17)).toBe(
      'twice',
    )
  })

  it('is counted without blanks around it', () => {
    expect(doubtfulText('Thank you ', ['Thank you', 'Goodbye', ' Thank you'])).toEqual({
      is: 'text',
      text: 'Thank you ',
      times: 2,
      others: ['Goodbye'],
    })
  })

  it.each([
    [
      'nothing was written again, so that nobody asks',
      asking(new TypeError('asked')),
      receipt('done', { document: 17 }),
      17,
    ],
    ['it has no number', asking(['Thank you', 'Thank you']), written(THANKS), 0],
    ['the device does not tell its lines', {} as FiscalPrinter, written(THANKS), 17],
  ])('is not told twice where %s', async (_, device, record, number) => {
    expect(await elementsStand(device, record, number)).toBe('asked')
  })

  it.each([undefined, new DeviceError(NO_ANSWER), refused('1', 'no', 'not now')])(
    'stands perhaps twice where the journal cannot be asked: %s',
    async (says) => {
      expect(await elementsStand(asking(says), written(THANKS), 17)).toBe('inDoubt')
    },
  )

  it('is looked for in the first document too', async () => {
    expect(await elementsStand(asking([]), written(THANKS), 1)).toBe('twice')
  })

  it('does not hide a mistake of this program', async () => {
    const mistake = new TypeError('no such thing')
    await expect(elementsStand(asking(mistake), written(THANKS), 17)).rejects.toBe(mistake)
  })

  const LINE = 'THIS DOCUMENT IS VOID'
  it.each([
    ['has the line', asking(['Hello', 'VOID'], 'VOID'), [], true],
    ['has the line between marks', asking(['#Hello   #', '#VOID    #'], 'VOID'), [], true],
    ['has other lines', asking(['Hello', 'VOIDED'], 'VOID'), [], false],
    ['has the beginning of the line', asking(['Hello', 'THIS DOCUMENT IS'], LINE), [], false],
    ['has no such line on this family', asking(['Hello', '']), [], false],
    ['has the line of the request', asking([LINE, 'Hello'], LINE), [LINE, 'Hello'], false],
    ['has the line of the request, and another one', asking([LINE, 'Hello', LINE], LINE), ['Hello', ` ${LINE}`], true],
  ])('a slip that was cancelled by a line: it %s', async (_, device, texts, expected) => {
    expect(await isVoid(device, 17, texts)).toBe(expected)
  })

  it('a slip whose lines are refused is not void, and of one that cannot be asked nobody knows', async () => {
    expect(await isVoid(asking(refused('1', 'no', 'not now'), 'VOID'), 17)).toBe(false)
    const silent = new DeviceError(NO_ANSWER)
    await expect(isVoid(asking(silent, 'VOID'), 17)).rejects.toBe(silent)
  })
})
