/** What a request writes down about itself on its way. */
import { describe, expect, it } from 'vitest'
import { isWholeReceipt, NOT_BEGUN, owing, Progress, type ProgressRecord } from '../../server/operations/operation.ts'
import { BEFORE } from './scripted-printer.ts'

function written() {
  const saved: ProgressRecord[] = []
  return { saved, progress: new Progress((record) => saved.push(record)) }
}

const PART = { job: 'job', index: 1, isLast: false }

it.each([
  ['fiscalReceipt', true],
  ['nonFiscalReceipt', true],
  ['closeFiscal', false],
  ['closeNonFiscal', false],
  ['document', false],
  ['step', false],
] as const)('%s is a whole receipt: %s', (undertaking, isWhole) => {
  expect(isWholeReceipt({ ...NOT_BEGUN, undertaking })).toBe(isWhole)
})

describe('what a receipt owes', () => {
  const record: ProgressRecord = { undertaking: 'fiscalReceipt', stage: 'paying', before: null, document: 17 }
  const part = { paid: { paid: 100, total: 480 } }

  it('is its end, by its number, and what is paid of it', () => {
    expect(owing(record, { receiptNumber: '17', ...part })).toEqual({ ...record, receiptNumber: '17', ...part })
  })

  it('is no longer a part where all is paid by now', () => {
    const all = owing({ ...record, receiptNumber: '17', ...part }, { receiptNumber: '17' })
    expect(all).toStrictEqual({ ...record, receiptNumber: '17' })
  })

  it('keeps the number that it had', () => {
    expect(owing({ ...record, receiptNumber: '17' }, part)).toStrictEqual({ ...record, receiptNumber: '17', ...part })
  })

  it('has no number where none is known', () => {
    expect(owing(record, {})).toStrictEqual(record)
  })

  it('is written down', () => {
    const { saved, progress } = written()
    progress.owes({ receiptNumber: '17', ...part })
    expect(saved).toEqual([{ ...NOT_BEGUN, receiptNumber: '17', ...part }])
  })
})

describe('a request on its way', () => {
  it('has not begun at first, and nothing is written', () => {
    const { saved, progress } = written()
    expect(progress.record).toEqual({ undertaking: 'step', stage: 'before', before: null })
    expect(saved).toEqual([])
    expect(new Progress().record.stage).toBe('before')
  })

  it('is written down whether anybody keeps it or not', () => {
    const progress = new Progress()
    progress.begin('document', { kind: 'x' })
    expect(progress.record).toStrictEqual({ undertaking: 'document', stage: 'before', before: null, kind: 'x' })
  })

  it('writes each stage once, with what is known by then', () => {
    const { saved, progress } = written()
    progress.begin('fiscalReceipt', { before: BEFORE })
    progress.reach('opening')
    progress.reach('opening')
    progress.reach('filling', { document: 17 })
    progress.reach('filling', {})
    progress.reach('filling', { document: 18 })
    expect(saved).toStrictEqual([
      { undertaking: 'fiscalReceipt', stage: 'before', before: BEFORE },
      { undertaking: 'fiscalReceipt', stage: 'opening', before: BEFORE },
      { undertaking: 'fiscalReceipt', stage: 'filling', before: BEFORE, document: 17 },
      { undertaking: 'fiscalReceipt', stage: 'filling', before: BEFORE, document: 18 },
    ])
  })

  it('begins anew: what was told of an earlier undertaking is about that one', () => {
    const { progress } = written()
    progress.begin('document', { kind: 'x', before: BEFORE })
    progress.reach('closing')
    progress.begin('step')
    expect(progress.record).toStrictEqual(NOT_BEGUN)
  })

  it('keeps every line that was written again', () => {
    const { saved, progress } = written()
    progress.wroteAgain({ is: 'text', text: 'ONE', times: 1 })
    progress.wroteAgain({ is: 'subtotal', text: '', times: 1 })
    const doubtful = [
      { is: 'text', text: 'ONE', times: 1 },
      { is: 'subtotal', text: '', times: 1 },
    ]
    expect(saved.at(-1)).toStrictEqual({ ...NOT_BEGUN, doubtful })
  })

  it('is done with its receipt, and nothing behind it changes that', () => {
    const { saved, progress } = written()
    progress.begin('fiscalReceipt')
    progress.closed('17')
    progress.begin('document', { kind: 'x' })
    progress.reach('closing', { document: 18 })
    expect(progress.record).toStrictEqual({
      ...{ undertaking: 'fiscalReceipt', stage: 'done', before: null },
      receiptNumber: '17',
    })
    expect(saved).toHaveLength(2)
  })

  it('is done without a number where its receipt has none', () => {
    const { progress } = written()
    progress.begin('nonFiscalReceipt')
    progress.closed()
    expect(progress.record).toStrictEqual({ undertaking: 'nonFiscalReceipt', stage: 'done', before: null })
  })
})

it('a receipt that is closed otherwise than it was asked for is told so', () => {
  const { saved, progress } = written()
  progress.begin('fiscalReceipt')
  progress.closed('17', 'twice')
  expect(saved.at(-1)).toStrictEqual({
    ...{ undertaking: 'fiscalReceipt', stage: 'done', before: null },
    ...{ receiptNumber: '17', as: 'twice' },
  })
})

describe('what is on paper for good', () => {
  it('is nothing before a document is closed or printed', () => {
    const progress = new Progress()
    progress.begin('fiscalReceipt')
    progress.reach('closing')
    expect(progress.hasPrinted).toBe(false)
  })

  it.each([
    ['a receipt', (progress: Progress) => progress.closed('17')],
    ['another document', (progress: Progress) => progress.printed()],
  ])('is %s', (_, prints) => {
    const progress = new Progress()
    prints(progress)
    expect(progress.hasPrinted).toBe(true)
  })

  it('does not keep a job in parts from being repeated', () => {
    const progress = new Progress()
    progress.atPart(PART)
    progress.closed('17')
    expect(progress.hasPrinted).toBe(false)
  })
})

describe('a part of a job', () => {
  it('is what everything is about from then on', () => {
    const { saved, progress } = written()
    progress.begin('fiscalReceipt', { document: 17 })
    progress.closed('17')
    progress.atPart(PART)
    expect(progress.record).toStrictEqual({ ...NOT_BEGUN, part: PART })
    progress.begin('nonFiscalReceipt', { before: BEFORE })
    progress.reach('opening')
    expect(saved.at(-1)).toStrictEqual({
      ...{ undertaking: 'nonFiscalReceipt', stage: 'opening', before: BEFORE },
      part: PART,
    })
  })

  it('is not written before something of it begins', () => {
    const { saved, progress } = written()
    progress.atPart(PART)
    expect(saved).toEqual([])
  })
})
