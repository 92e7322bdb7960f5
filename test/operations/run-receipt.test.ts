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

