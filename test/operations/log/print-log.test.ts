import { describe, expect, it } from 'vitest'
import { printedPart } from '../../../server/operations/log/print-log.ts'
import type { Outcome } from '../../../server/operations/outcome.ts'
import { journal, START } from './answers-rig.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ORDER = { shop: 'a.example', id: '1', token: 't' }
const BEGUN = { at: START, counted: 0 }
const ASKED = { effect: 'asRequested', number: '' } as const
const NOBODY_KNOWS = { status: 424, effect: 'undecided', reasons: [] } as const satisfies Outcome
const printed = (receiptNumber: string): Outcome => ({ status: 200, effect: 'asRequested', receiptNumber, reasons: [] })

describe('the record of a print', () => {
  it('that has begun has no end, and is on the disk', () => {
    const { tables, prints } = journal()
    prints.begin({ key: 'job', part: 2 })
    expect(prints.printsOfKey('job')).toStrictEqual([{ key: 'job', part: 2, ...BEGUN }])
    const none = { shop: null, order_id: null, token: null, effect: null, number: null, receipt: null }
    expect(tables.prints.rowsOfKey('job')).toEqual([{ key: 'job', part: 2, ...none, ...BEGUN }])
  })

  it('can be found by its order and by its token', () => {
    const { prints } = journal()
    const other = { ...ORDER, id: '2', token: 'u' }
    const elsewhere = { ...ORDER, shop: 'b.example', token: 'v' }
    prints.begin({ key: 'k', part: 0, order: ORDER })
    prints.begin({ key: 'l', part: 0, order: other })
    prints.begin({ key: 'm', part: 0, order: elsewhere })
    prints.begin({ key: 'job', part: 0 })
    const print = { key: 'k', part: 0, order: ORDER, ...BEGUN }
    expect(prints.printsOfOrder('a.example', '1')).toStrictEqual([print])
    expect(prints.printsOfKey('k')).toStrictEqual([print])
    expect(prints.orderOfToken('a.example', 't')).toBe('1')
    expect(prints.orderOfToken('a.example', 'u')).toBe('2')
    expect(prints.orderOfToken('a.example', 'v')).toBeUndefined()
  })

  it('is finished part by part, each part at its time', () => {
    const { clock, prints } = journal()
    prints.begin({ key: 'job', part: 0 })
    clock.advance(50)
    prints.finish(printedPart({ job: 'job', index: 0, isLast: false }))
    prints.begin({ key: 'job', part: 1 })
    expect(prints.printsOfKey('job')).toStrictEqual([
      { key: 'job', part: 0, at: START + 50, counted: 50, end: ASKED },
      { key: 'job', part: 1, at: START + 50, counted: 50 },
    ])
  })

  it('ends with the request of its key, with the receipt number of the request', () => {
    const { tables, prints } = journal()
    prints.begin({ key: 'k', part: 0, order: ORDER })
    prints.begin({ key: 'l', part: 0 })
    prints.ended('k', printed('17'))
    const end = { effect: 'asRequested', number: '17' }
    expect(prints.printsOfKey('k')).toStrictEqual([{ key: 'k', part: 0, order: ORDER, ...BEGUN, end }])
    expect(tables.prints.rowsOfKey('k')).toMatchObject([{ shop: 'a.example', order_id: '1', token: 't', ...end }])
    expect(prints.printsOfKey('l')).toStrictEqual([{ key: 'l', part: 0, ...BEGUN }])
  })

  it('that has ended does not change any more', () => {
    const { prints } = journal()
    prints.begin({ key: 'k', part: 0 })
    prints.ended('k', NOBODY_KNOWS)
    prints.ended('k', printed('17'))
    prints.forget('k')
    expect(prints.printsOfKey('k')).toMatchObject([{ end: { effect: 'undecided', number: '' } }])
  })

  it('that has begun is removed with its request, and no other record is removed', () => {
    const { tables, prints } = journal()
    prints.begin({ key: 'k', part: 0 })
    prints.begin({ key: 'k', part: 1 })
    prints.finish({ key: 'k', part: 0, end: ASKED })
    prints.begin({ key: 'l', part: 0 })
    prints.forget('k')
    expect(prints.printsOfKey('k').map(({ part }) => part)).toEqual([0])
    expect(tables.prints.rowsOfKey('k')).toHaveLength(1)
    expect(prints.printsOfKey('l')).toHaveLength(1)
  })
})

describe('after 24 hours', () => {
  it('the documents of a job are unknown, but an order is still reported as printed', () => {
    const { clock, prints } = journal()
    prints.begin({ key: 'job', part: 0 })
    prints.begin({ key: 'k', part: 0, order: ORDER })
    clock.advance(DAY_MS - 1)
    expect(prints.printsOfKey('job')).toHaveLength(1)
    clock.advance(1)
    expect([prints.printsOfKey('job').length, prints.printsOfKey('k').length]).toEqual([0, 1])
  })

  it('a print is removed from the disk with the next end that is written', () => {
    const { tables, clock, prints } = journal()
    prints.begin({ key: 'old', part: 0 })
    clock.advance(DAY_MS)
    prints.begin({ key: 'job', part: 0 })
    expect(tables.prints.rowsOfKey('old')).toHaveLength(1)
    prints.finish({ key: 'job', part: 0, end: ASKED })
    expect(tables.prints.rowsOfKey('old')).toEqual([])
  })
})

describe('on a full disk', () => {
  it('no print begins', () => {
    const { disk, prints } = journal()
    disk.isFull = true
    expect(() => prints.begin({ key: 'k', part: 0 })).toThrow('the disk is full')
    expect(prints.printsOfKey('k')).toEqual([])
  })

  it('the end of a print is known at once, for its order and token only, and written later', () => {
    const { tables, disk, answers, prints } = journal()
    prints.begin({ key: 'k', part: 0, order: ORDER })
    prints.begin({ key: 'job', part: 0 })
    disk.isFull = true
    expect(() => prints.ended('k', printed('17'))).toThrow('the disk is full')
    expect(() => prints.finish({ key: 'job', part: 0, end: ASKED })).toThrow('the disk is full')
    const ended = [{ end: { effect: 'asRequested', number: '17' } }]
    expect(prints.printsOfKey('k')).toMatchObject(ended)
    expect(prints.printsOfKey('job')).toMatchObject([{ end: ASKED }])
    expect(prints.printsOfOrder('a.example', '1')).toMatchObject(ended)
    expect(prints.printsOfOrder('a.example', '2')).toEqual([])
    expect(prints.printsOfOrder('b.example', '1')).toEqual([])
    expect(prints.orderOfToken('a.example', 't')).toBe('1')
    expect(prints.orderOfToken('a.example', 'u')).toBeUndefined()
    expect(prints.orderOfToken('b.example', 't')).toBeUndefined()
    expect(tables.prints.rowsOfKey('k')).toMatchObject([{ effect: null }])
    disk.isFull = false
    answers.catchUp()
    expect(prints.printsOfKey('k')).toMatchObject(ended)
    expect(tables.prints.rowsOfKey('k')).toMatchObject([{ effect: 'asRequested', number: '17' }])
  })

  it('a removed print is unknown at once, and removed from the disk later', () => {
    const { tables, disk, prints } = journal()
    prints.begin({ key: 'k', part: 0, order: ORDER })
    disk.isFull = true
    expect(() => prints.forget('k')).toThrow('the disk is full')
    expect([prints.printsOfKey('k'), prints.printsOfOrder('a.example', '1')]).toEqual([[], []])
    expect(tables.prints.rowsOfKey('k')).toHaveLength(1)
    disk.isFull = false
    prints.begin({ key: 'k', part: 0 })
    expect(prints.printsOfKey('k')).toStrictEqual([{ key: 'k', part: 0, ...BEGUN }])
  })
})

describe('the age of the printed parts of a job', () => {
  const part = { job: 'job', index: 0, isLast: false }

  it.each([false, true])('counts from the retry that continues after them, with the disk full: %s', (isFull) => {
    const { prints, clock, disk } = journal()
    prints.finish(printedPart(part))
    clock.advance(DAY_MS - 1)
    disk.isFull = isFull
    if (isFull) expect(() => prints.renew('job')).toThrow('the disk is full')
    else prints.renew('job')
    clock.advance(DAY_MS - 1)
    expect(prints.printsOfKey('job')).toHaveLength(1)
    clock.advance(1)
    expect(prints.printsOfKey('job')).toEqual([])
  })

  it('counts from their own retry, whatever else is retried, with the disk full', () => {
    const { prints, clock, disk } = journal()
    for (const job of ['job', 'other']) prints.finish(printedPart({ ...part, job }))
    clock.advance(DAY_MS - 1)
    disk.isFull = true
    for (const job of ['job', 'other']) expect(() => prints.renew(job)).toThrow('the disk is full')
    clock.advance(DAY_MS - 1)
    expect(['job', 'other'].map((job) => prints.printsOfKey(job).length)).toEqual([1, 1])
  })

  it('does not matter: finished parts remain finished', () => {
    const { prints, clock } = journal()
    prints.begin({ key: 'job', part: 0 })
    expect(prints.isFinished(part)).toBe(false)
    prints.finish(printedPart(part))
    clock.advance(DAY_MS)
    expect([prints.isFinished(part), prints.isFinished({ ...part, index: 1 })]).toEqual([true, false])
  })
})
