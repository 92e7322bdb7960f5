/**
 * Requests while the disk accepts no writes (decisions 3): what the service still knows about them, and what it writes
 * afterwards.
 */
import { describe, expect, it } from 'vitest'
import { success } from '../../../server/envelope.ts'
import { ServiceError } from '../../../server/operations/outcome.ts'
import { FILLING, intent, journal, order, PAYING } from './answers-rig.ts'

const statusOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error instanceof ServiceError ? error.outcome.status : (error as Error).message
  }
}

describe('an operation log on a full disk', () => {
  it('lets no request begin', () => {
    const { answers, disk } = journal()
    disk.isFull = true
    expect(statusOf(() => answers.begin(intent('k'), FILLING))).toBe(503)
    expect([answers.find('k'), answers.unfinished()]).toEqual([undefined, []])
    disk.isFull = false
    expect(answers.begin(intent('k'), FILLING)).toBe(1)
  })

  it('lets a request that has begun continue in memory, and stores it later', () => {
    const { answers, disk, tables } = journal()
    const id = answers.begin(intent('k'), FILLING)
    disk.isFull = true
    expect(statusOf(() => answers.advance(id, PAYING, true))).toBe(503)
    expect(answers.find('k')).toMatchObject({ entry: PAYING })
    const reply = success('7', '7')
    expect(statusOf(() => answers.answer(id, reply))).toBe(503)
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply })
    expect(answers.unfinished()).toEqual([])
    expect(statusOf(() => answers.catchUp())).toBe(503)
    expect(tables.requests.withKey('k')).toMatchObject({ status: null, record: JSON.stringify(FILLING) })
    disk.isFull = false
    answers.catchUp()
    expect(tables.requests.withKey('k')).toMatchObject({ status: 200, body: reply.body })
    expect(() => answers.advance(id, PAYING, true)).toThrow(`request ${id} is not open`)
    expect(answers.find('k')).toMatchObject({ state: 'answered', reply })
  })

  it('keeps a forgotten request unknown, although its record is still on the disk', () => {
    const { answers, prints, disk, tables } = journal()
    prints.begin({ key: 'k', part: 0, order })
    const id = answers.begin(intent('k'), FILLING)
    disk.isFull = true
    expect(statusOf(() => answers.forget(id))).toBe(503)
    expect([answers.find('k'), answers.unfinished(), prints.printsOfKey('k')]).toEqual([undefined, [], []])
    expect(tables.requests.withKey('k')).toBeDefined()
    disk.isFull = false
    const next = answers.begin(intent('k'), PAYING)
    expect(answers.find('k')).toMatchObject({ state: 'begun', entry: PAYING })
    expect(tables.requests.open().map((row) => row.id)).toEqual([next])
  })

  it('records the end of two requests as soon as it can write again', () => {
    const { answers, disk, tables } = journal()
    const [one, two] = [answers.begin(intent('k'), FILLING), answers.begin(intent('l'), FILLING)]
    disk.isFull = true
    expect(statusOf(() => answers.answer(one, success('7')))).toBe(503)
    expect(statusOf(() => answers.forget(two))).toBe(503)
    disk.isFull = false
    answers.catchUp()
    expect([tables.requests.withKey('k')?.status, tables.requests.withKey('l')]).toEqual([200, undefined])
  })

  it('reports a completed part, so that its request is no longer open', () => {
    const { answers, prints, disk, tables } = journal()
    const id = answers.begin(intent('k'), { ...FILLING, part: { job: 'j', index: 0, isLast: false } })
    disk.isFull = true
    expect(statusOf(() => answers.partDone(id))).toBe(503)
    expect([prints.printsOfKey('j').length, answers.unfinished()]).toEqual([1, []])
    disk.isFull = false
    answers.catchUp()
    expect([tables.prints.rowsOfKey('j').length, tables.requests.open()]).toEqual([1, []])
  })

  it('stores an answer with the next request, and returns it from then on', () => {
    const { answers, disk } = journal()
    const id = answers.begin(intent('k'), FILLING)
    disk.isFull = true
    statusOf(() => answers.answer(id, success('7')))
    disk.isFull = false
    answers.begin(intent('other'), FILLING)
    disk.isUnread = true
    expect(statusOf(() => answers.find('k'))).toBe(503)
    expect(answers.find('other')).toMatchObject({ state: 'begun' })
    expect(() => answers.advance(id, PAYING, true)).toThrow('is not open')
  })
})
