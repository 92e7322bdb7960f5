/** One command inside a receipt: what its caller is told of it, from the states before and after. */
import { describe, expect, it } from 'vitest'
import type { DeviceError } from '../../drivers/model/errors.ts'
import type { Evidence } from '../../drivers/model/printer.ts'
import { type Outcome, outcomeOf, said } from '../../server/operations/outcome.ts'
import { Progress, type Step } from '../../server/operations/operation.ts'
import { carryOut, type StepAct, saleStep, subtotalStep } from '../../server/operations/run.ts'
import { BEFORE, EXCHANGED, LACKING, NO_ANSWER, NO_PAPER, openAt, REFUSED, repeated, type Script, scriptedPrinter, UNKNOWN } from './scripted-printer.ts' // biome-ignore format: one line

const SALE: Step = { does: 'sale' }
const ASK: Step = { does: 'ask' }
const PRINT: Step = { does: 'print' }
const inside = (items: number, total: number | null = 240 * items): Evidence => ({
  ...BEFORE,
  lastDocument: 17,
  open: openAt(17, { items, total, remaining: total }),
})
const answering = (isRepeated: boolean) => async () => ({ text: 'its answer', repeated: isRepeated })
const failing = (error: unknown) => () => Promise.reject(error)
const WRITTEN_AGAIN = said(
  'The command was written again: a device that lost its power meanwhile has carried it out more than once.',
)
const takeBack = async () => ({ text: 'taken back', repeated: false })

interface End {
  readonly text?: string
  readonly error?: unknown
  readonly outcome?: Outcome
}

async function stepped(says: Script['says'], act: Omit<StepAct, 'step'> & { readonly step?: Step }) {
  const printer = scriptedPrinter({ says })
  const progress = new Progress()
  const end = await carryOut({ step: SALE, ...act }, { printer, progress }).then(
    (text): End => ({ text }),
    (error: unknown): End => ({ error, outcome: outcomeOf(error) }),
  )
  return { ...end, progress, story: printer.story }
}

describe('a step of a receipt', () => {
  it('has the device’s own answer', async () => {
    const { text, story } = await stepped([inside(1)], { act: answering(false) })
    expect([text, story]).toEqual(['its answer', ['evidence']])
  })

  it('is written down with the state before it, before it is sent', async () => {
    const printer = scriptedPrinter({ says: [inside(1)] })
    const progress = new Progress()
    const written: unknown[] = []
    const act = async () => {
      written.push(progress.record)
      return { text: '', repeated: false }
    }
    await carryOut({ step: SALE, act }, { printer, progress })
    expect(written).toStrictEqual([{ undertaking: 'step', stage: 'filling', before: inside(1), step: SALE }])
  })

  it.each([REFUSED, NO_PAPER, new TypeError('a mistake')])('that fails for certain is not asked about: %s', async (failure) => {
    const { error, story } = await stepped([inside(1)], { act: failing(failure) })
    expect(error).toBe(failure)
    expect(story).toEqual(['evidence'])
  }) // biome-ignore format: one line
})

describe('a step whose command was written again, or not answered', () => {
  const twice = 'the device was cut off for a moment and has carried out this step twice'
  const states = (before: string, now: string) =>
    `before it: ${before}; now: ${now}. Compare the paper before you go on.`
  const ONE_ROW = 'receipt 17, 1 row, total 2.40, paid 0.00'
  const THREE_ROWS = 'receipt 17, 3 rows, total 7.20, paid 0.00'

  it.each<[string, DeviceError | undefined, string]>([
    ['answered at last', undefined, 'its answer'],
    ['not answered', UNKNOWN, ''],
    ['refused as a repeat', repeated(REFUSED), ''],
  ])('and that was carried out once is as asked: %s', async (_, failure, text) => {
    const act = failure ? failing(failure) : answering(true)
    const told = await stepped([inside(1), inside(2)], { act })
    expect([told.text, told.story]).toEqual([text, ['evidence', 'evidence']])
  })

  it.each<[string, DeviceError, object]>([
    ['and that was refused is the refusal', repeated(REFUSED), { status: 400, effect: 'nothing', reasons: [REFUSED.problem] }],
    ['and that was not answered says so', UNKNOWN, { status: 424, effect: 'notCarriedOut', reasons: [UNKNOWN.problem] }],
  ])('%s, when it was not carried out', async (_, failure, outcome) => {
    expect((await stepped([inside(1)], { act: failing(failure) })).outcome).toEqual(outcome)
  }) // biome-ignore format: a table

  it('and that the device answers is believed, where its state tells nothing of it', async () => {
    expect(await stepped([inside(1)], { act: answering(true) })).toMatchObject({ text: 'its answer' })
  })

  it('and that changes nothing is not asked about, once it is answered', async () => {
    const { text, story } = await stepped([inside(1)], { step: ASK, act: answering(true) })
    expect([text, story]).toEqual(['its answer', ['evidence']])
    const silent = await stepped([inside(1)], { step: ASK, act: failing(UNKNOWN) })
    expect(silent.outcome?.effect).toBe('notCarriedOut')
  })

  it.each<[string, StepAct['act'], DeviceError, object]>([
    ['is unknown', failing(UNKNOWN), NO_ANSWER, { status: 424, effect: 'unknownCommand', reasons: [UNKNOWN.problem] }],
    ['is unknown where its state is refused', answering(true), REFUSED, { status: 424, effect: 'unknownCommand', reasons: [REFUSED.problem, WRITTEN_AGAIN] }],
    ['is unknown, and why', answering(true), NO_ANSWER, { status: 424, effect: 'unknownCommand', reasons: [NO_ANSWER.problem, WRITTEN_AGAIN] }],
    ['is unknown where only its repeat was refused', failing(repeated(REFUSED)), NO_ANSWER, { status: 424, effect: 'unknownCommand', reasons: [REFUSED.problem, WRITTEN_AGAIN] }],
  ])('and that cannot be asked about %s', async (_, act, second, outcome) => {
    expect((await stepped([inside(1), second], { act })).outcome).toEqual(outcome)
  }) // biome-ignore format: a table

  it.each<[string, Script['says'], Partial<StepAct>, string]>([
    ['the device told nothing before', [LACKING, inside(1)], {}, `the device did not tell its state before this step; ${states('not told', ONE_ROW)}`],
    ['another device is there', [inside(1), { ...inside(1), serialNumber: 'S2' }], {}, `another device is connected since; ${states(ONE_ROW, ONE_ROW)}`],
    ['its state proves nothing', [inside(1), inside(4)], {}, `what the device says does not prove what became of this step; ${states(ONE_ROW, 'receipt 17, 4 rows, total 9.60, paid 0.00')}`],
    ['no device tells what is printed', [inside(1)], { step: PRINT }, `the device did not answer at first: what it was told to print stands on the paper once, twice or not at all; ${states(ONE_ROW, ONE_ROW)}`],
    ['it was carried out twice', [inside(1), inside(3)], {}, `${twice}; ${states(ONE_ROW, THREE_ROWS)}`],
    ['both of them are left', [inside(1), inside(3), inside(3)], { takeBack }, `${twice}; one of them could not be taken back; ${states(ONE_ROW, THREE_ROWS)}`],
    ['its taking back fails', [inside(1), inside(3), inside(3)], { takeBack: failing(REFUSED) }, `${twice}; one of them could not be taken back; ${states(ONE_ROW, THREE_ROWS)}`],
    ['none of them is left', [inside(1), inside(3), { lastDocument: 17 }], { takeBack }, `${twice}; one of them could not be taken back; ${states(ONE_ROW, 'nothing open, last document 17')}`],
    ['no sum tells what is left', [inside(1, null), inside(3, null), inside(3, null)], { takeBack }, `${twice}; one of them could not be taken back; ${states('receipt 17, 1 row, paid 0.00', 'receipt 17, 3 rows, paid 0.00')}`],
    ['no sum told what was before', [inside(1, null), inside(3, 480), inside(3, 240)], { takeBack }, `${twice}; one of them could not be taken back; ${states('receipt 17, 1 row, paid 0.00', 'receipt 17, 3 rows, total 2.40, paid 0.00')}`],
    ['no sum told both of them', [inside(1, 0), inside(3, null), inside(3, 0)], { takeBack }, `${twice}; one of them could not be taken back; ${states('receipt 17, 1 row, total 0.00, paid 0.00', 'receipt 17, 3 rows, total 0.00, paid 0.00')}`],
    ['no sum tells the one that is left', [inside(1, 0), inside(3, 0), inside(3, null)], { takeBack }, `${twice}; one of them could not be taken back; ${states('receipt 17, 1 row, total 0.00, paid 0.00', 'receipt 17, 3 rows, paid 0.00')}`],
  ])('and that nobody can be sure of is told with both states: %s', async (_, says, more, text) => {
    const { outcome } = await stepped(says, { act: answering(true), ...more })
    expect(outcome).toEqual({ status: 424, effect: 'undecided', reasons: [said(text)] })
  }) // biome-ignore format: a table

  it('and that was carried out twice is as asked once one of them is taken back', async () => {
    // The row that is taken back stays on the paper, and its sum goes.
    const says = [inside(1), inside(3), inside(4, 480)]
    const { text, story } = await stepped(says, { act: answering(true), takeBack })
    expect([text, story]).toEqual(['its answer', ['evidence', 'evidence', 'evidence']])
  })

  it('is unknown where the device is gone when one of two was taken back', async () => {
    const says = [inside(1), inside(3), NO_ANSWER]
    const { outcome } = await stepped(says, { act: answering(true), takeBack })
    expect(outcome).toMatchObject({ effect: 'unknownCommand', reasons: [NO_ANSWER.problem, WRITTEN_AGAIN] })
  })

  it('is unknown where another device is there when one of two was taken back', async () => {
    const says = [inside(1), inside(3), { ...inside(4, 480), serialNumber: 'S2' }]
    const { outcome } = await stepped(says, { act: answering(true), takeBack })
    expect(outcome).toMatchObject({ effect: 'unknownCommand', reasons: [EXCHANGED.problem, WRITTEN_AGAIN] })
  })

  it('does not hide a mistake of this program', async () => {
    const mistake = new TypeError('a mistake')
    const { error } = await stepped([inside(1), inside(3)], { act: answering(true), takeBack: failing(mistake) })
    expect(error).toBe(mistake)
  })
})

it.each([
  ['that changes the sum', { print: false, display: false, adjustment: { kind: 'discount', percent: 1000 } }, 'subtotal'],
  ['that is printed', { print: true, display: false }, 'print'],
  ['that is shown only', { print: false, display: true }, 'ask'],
] as const)('a subtotal %s is a step that does: %s', (_, subtotal, does) => {
  const adjusts = does === 'subtotal'
  expect(subtotalStep(subtotal)).toStrictEqual({ does, ...(adjusts && { subtotal }) })
}) // biome-ignore format: a table

it.each([
  ['with a price', { price: 240, quantity: 1000, void: false }],
  ['of an article', { plu: 7, quantity: 1000, void: true }],
  ['with an adjustment', { price: 240, quantity: 1000, void: false, adjustment: { kind: 'discount', percent: 1000 } }],
] as const)('a row %s is told by what tells it from another', (_, row) => {
  const sold = { ...row, name: 'Tea', taxGroup: 2 }
  expect(saleStep(sold)).toStrictEqual({ does: 'sale', row })
})
