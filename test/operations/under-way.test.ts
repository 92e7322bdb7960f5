import { describe, expect, it } from 'vitest'
import type { Step } from '../../drivers/model/steps.ts'
import type { Answers } from '../../server/operations/log/answers.ts'
import { type Entry, isWholeReceipt, NOT_BEGUN } from '../../server/operations/operation.ts'
import { UnderWay } from '../../server/operations/under-way.ts'
import { withWords } from '../support/verdict-rows.ts'
import { alone, documentOf, receipt, receiptSteps, slip, slipSteps } from './entries.ts'
import { BEFORE } from './scripted-printer.ts'

const RECEIPT = { steps: receiptSteps(), before: BEFORE }
const SLIP = { steps: slipSteps(), before: BEFORE }
const X: { steps: Step[]; before: null } = { steps: [{ does: 'document', kind: 'x' }], before: null }

function written() {
  const saved: Entry[] = []
  const answers: Pick<Answers, 'begin' | 'advance'> = {
    begin: (_intent, entry) => saved.push(entry),
    advance: (_id, entry) => void saved.push(entry),
  }
  const note = (line: string) => expect.unreachable(line)
  const parts = { answers: answers as Answers, note, mayBegin: () => undefined }
  return { saved, progress: new UnderWay({ name: '/x', key: 'k', fingerprint: 'f' }, parts) }
}

const PART = { job: 'job', index: 1, isLast: false }

it.each(
  withWords({ true: 'counts', false: 'does not count' }, [
    ['a fiscal receipt', receipt('opening'), true],
    ['a non-fiscal receipt', slip('opening'), true],
    ['the close of a fiscal receipt', alone({ does: 'close' }), false],
    ['the close of a non-fiscal receipt', alone({ does: 'closeNonFiscal' }), false],
    ['a report', documentOf('x'), false],
    ['a step', alone({ does: 'cancel' }), false],
  ]),
)('an entry %s as a complete receipt if it is %s', (_result, _, entry, isWhole) => {
  expect(isWholeReceipt(entry)).toBe(isWhole)
})

describe('a running request', () => {
  it('has not begun at first, and no record is written', () => {
    const { saved, progress } = written()
    expect(progress.entry).toEqual({ steps: [], at: 0, before: null })
    expect(saved).toEqual([])
    expect(new UnderWay().entry).toBe(NOT_BEGUN)
  })

  it('is followed even if it is not stored', () => {
    const progress = new UnderWay()
    progress.begin(X)
    expect(progress.entry).toStrictEqual({ ...X, at: 0 })
  })

  it('writes each position once, with the facts that are known by then', () => {
    const { saved, progress } = written()
    progress.begin(RECEIPT)
    progress.reach(0)
    progress.reach(1, { document: 17 })
    progress.reach(1, {})
    progress.reach(1, { document: 18 })
    expect(saved).toStrictEqual([
      { ...RECEIPT, at: 0 },
      { ...RECEIPT, at: 1, document: 17 },
      { ...RECEIPT, at: 1, document: 18 },
    ])
  })

  it('writes that it is cancelled, until it continues', () => {
    const { saved, progress } = written()
    progress.begin(RECEIPT)
    progress.takeBack({ perhapsPaid: true })
    progress.reach(0)
    expect(saved.slice(1)).toStrictEqual([
      { ...RECEIPT, at: 0, is: 'cancelling', perhapsPaid: true },
      { ...RECEIPT, at: 0, perhapsPaid: true },
    ])
  })

  it('writes no password, so that its remaining steps cannot open a receipt again', () => {
    const { saved, progress } = written()
    const operator = { code: 1, password: 'secret' }
    progress.begin({ steps: [{ does: 'document', kind: 'cashIn', amount: 100, operator }], before: BEFORE })
    progress.begin({ steps: [{ does: 'openNonFiscal', operator }], before: BEFORE })
    progress.begin({ steps: [{ does: 'open', opening: { operator, pointOfSale: 1, invoice: false } }], before: BEFORE })
    expect(saved.map(({ steps }) => steps)).toStrictEqual([
      [{ does: 'document', kind: 'cashIn', amount: 100 }],
      [{ does: 'openNonFiscal' }],
      [{ does: 'open' }],
    ])
  })

  it('starts over, because facts about an earlier operation do not concern a later one', () => {
    const { progress } = written()
    progress.begin({ ...X, before: BEFORE, document: 17 })
    progress.begin({ steps: [{ does: 'cancel' }], before: null })
    expect(progress.entry).toStrictEqual({ steps: [{ does: 'cancel' }], before: null, at: 0 })
  })

  it('stores every retransmitted line', () => {
    const { saved, progress } = written()
    progress.begin(RECEIPT)
    progress.noteRetransmission({ is: 'text', text: 'ONE', times: 1 })
    progress.noteRetransmission({ is: 'subtotal', text: '', times: 1 })
    const unconfirmed = [
      { is: 'text', text: 'ONE', times: 1 },
      { is: 'subtotal', text: '', times: 1 },
    ]
    expect(saved.at(-1)).toStrictEqual({ ...RECEIPT, at: 0, unconfirmed })
  })

  it('is complete with its receipt, and no later event changes that', () => {
    const { saved, progress } = written()
    progress.begin(RECEIPT)
    progress.closed('17')
    progress.begin(X)
    progress.reach(4, { document: 18 })
    progress.takeBack()
    expect(progress.entry).toStrictEqual({ ...RECEIPT, at: 0, is: 'done', receiptNumber: '17' })
    // The end is stored together with the response.
    expect(saved).toHaveLength(1)
  })

  it('is complete without a number if its receipt has none', () => {
    const { progress } = written()
    progress.begin(SLIP)
    progress.closed()
    expect(progress.entry).toStrictEqual({ ...SLIP, at: 0, is: 'done' })
  })
})

it('a receipt that is closed differently from the request is reported as closed differently', () => {
  const { progress } = written()
  progress.begin(RECEIPT)
  progress.closed('17', 'twice')
  expect(progress.entry).toStrictEqual({ ...RECEIPT, at: 0, is: 'done', receiptNumber: '17', as: 'twice' })
})

describe('a request with a document', () => {
  it('has printed nothing permanent before a document is closed or printed', () => {
    const progress = new UnderWay()
    progress.begin(RECEIPT)
    progress.reach(4)
    expect(progress.hasPrinted).toBe(false)
  })

  it.each([
    ['a receipt is closed', (progress: UnderWay) => progress.closed('17')],
    ['another document is printed', (progress: UnderWay) => progress.printed()],
  ])('has printed permanently after %s', (_, prints) => {
    const progress = new UnderWay()
    prints(progress)
    expect(progress.hasPrinted).toBe(true)
  })

  it('has printed nothing permanent if only a part of its job has printed', () => {
    const progress = new UnderWay()
    progress.atPart(PART)
    progress.closed('17')
    expect(progress.hasPrinted).toBe(false)
  })
})

describe('a part of a job', () => {
  it('is the subject of all later records', () => {
    const { saved, progress } = written()
    progress.begin({ ...RECEIPT, document: 17 })
    progress.closed('17')
    progress.atPart(PART)
    expect(progress.entry).toStrictEqual({ ...NOT_BEGUN, part: PART })
    progress.begin(SLIP)
    expect(saved.at(-1)).toStrictEqual({ ...SLIP, at: 0, part: PART })
  })

  it('is not written before a step of it begins', () => {
    const { saved, progress } = written()
    progress.atPart(PART)
    expect(saved).toEqual([])
  })
})

describe('the state in which the device is left', () => {
  const LEFT = {
    ...{ ...BEFORE, open: null, lastDocument: 17, lastReceipt: 17 },
    day: { turnover: null, receipts: null, cashIn: null, cashOut: null },
  }
  const { hold: _, ...NOT_HELD } = BEFORE
  const behind = (begun: Parameters<UnderWay['begin']>[0], ...closed: Parameters<UnderWay['closed']>) => {
    const progress = new UnderWay(undefined, undefined, BEFORE)
    expect(progress.last).toBe(BEFORE)
    progress.begin(begun)
    expect(progress.last).toBeUndefined()
    progress.closed(...closed)
    return progress
  }

  it('is known after a fiscal receipt that is closed as requested', () => {
    const progress = behind({ ...RECEIPT, document: 17 }, '17')
    expect(progress.last).toStrictEqual(LEFT)
    progress.printed()
    expect(progress.last).toBeUndefined()
  })

  it.each<[string, Parameters<typeof behind>]>([
    ['it was not closed as requested', [{ ...RECEIPT, document: 17 }, '17', 'unconfirmed']],
    ['it has another number than it was given', [{ ...RECEIPT, document: 18 }, '17']],
    ['the line was not held', [{ ...RECEIPT, before: NOT_HELD, document: 17 }, '17']],
    ['the device did not report its state before', [{ ...RECEIPT, before: null, document: 17 }, '17']],
    ['it is a non-fiscal one', [{ ...SLIP, document: 17 }]],
    ['it is the close of a non-fiscal receipt', [{ steps: [{ does: 'close' }], before: BEFORE, document: 17 }, '17']],
  ])('has to be queried if %s', (_what, begun) => {
    expect(behind(...begun).last).toBeUndefined()
  })
})
