import { describe, expect, it } from 'vitest'
import { success } from '../../../server/envelope.ts'
import { openAnswers } from '../../../server/operations/log/answers.ts'
import { printedPart } from '../../../server/operations/log/print-log.ts'
import type { Entry } from '../../../server/operations/operation.ts'
import { textReason } from '../../../server/operations/outcome.ts'
import { FILLING, intent, journal, order, PAYING, START } from './answers-rig.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('the record of a key', () => {
  it('is empty at first', () => {
    expect(journal().answers.find('k')).toBeUndefined()
  })

  it('is the progress of its request, also for the service after a restart', () => {
    const { answers, again } = journal()
    const id = answers.begin(intent('k'), FILLING)
    expect(answers.find('k')).toEqual({ state: 'begun', fingerprint: 'body', entry: FILLING })
    answers.advance(id, PAYING, true)
    for (const now of [answers, again().answers])
      expect(now.find('k')).toEqual({ state: 'begun', fingerprint: 'body', entry: PAYING })
  })

  it.each([
    ['with its outcome', success('7', '7')],
    ['without an outcome', { status: 404, body: '{}' }],
  ])('is its answer %s, also for the service after a restart', (_, reply) => {
    const { answers, again } = journal()
    answers.answer(answers.begin(intent('k'), FILLING), reply)
    for (const now of [answers, again().answers])
      expect(now.find('k')).toEqual({ state: 'answered', fingerprint: 'body', reply })
  })

  it('is not the answer of another key', () => {
    const { answers } = journal()
    answers.begin(intent('other'), FILLING)
    expect(answers.find('k')).toBeUndefined()
  })

  it('is an empty body if none was written', () => {
    const { again, tables } = journal()
    const row = { id: 1, key: 'k', name: '/x', fingerprint: 'f', at: START, counted: 0, record: '{}', status: 200, body: null }
    tables.transaction(() => tables.requests.put(row), true)
    expect(again().answers.find('k')).toMatchObject({ reply: { status: 200, body: '' } })
  }) // biome-ignore format: a row

  it.each([
    ['stored for 24 hours', DAY_MS - 1, 0, true],
    ['removed after 24 hours', DAY_MS, 0, false],
    ['stored if 24 hours have passed by the wall clock only', 1000, 2 * DAY_MS, true],
    ['stored for 24 hours if the wall clock was set back', DAY_MS, -DAY_MS, true],
  ])('has an answer that is %s', (_, passedMs, setMs, isThere) => {
    const { answers, clock } = journal()
    answers.answer(answers.begin(intent('k'), FILLING), success('7'))
    clock.advance(passedMs)
    clock.setWall(setMs)
    expect(answers.find('k') !== undefined).toBe(isThere)
  })

  it('loses an old answer with the next request, but never an unfinished request', () => {
    const { answers, clock, tables } = journal()
    answers.answer(answers.begin(intent('old'), FILLING), success('7'))
    answers.begin(intent('open'), FILLING)
    clock.advance(DAY_MS)
    expect(tables.requests.withKey('old')).toBeDefined()
    answers.begin(intent('new'), FILLING)
    expect(tables.requests.withKey('old')).toBeUndefined()
    expect(answers.find('open')).toMatchObject({ state: 'begun' })
  })

  it('contains an answer whose age counts from the answer, not from the beginning of its request', () => {
    const { answers, clock } = journal()
    const id = answers.begin(intent('k'), FILLING)
    clock.advance(DAY_MS)
    answers.answer(id, success('7'))
    clock.advance(DAY_MS - 1)
    expect(answers.find('k')).toBeDefined()
  })
})

describe('requests without a known end', () => {
  it('are listed oldest first, also by the service after a restart, without those that have ended', () => {
    const { answers, again } = journal()
    const ids = ['a', undefined, 'c', 'd'].map((key) => answers.begin(intent(key), FILLING))
    expect(ids).toEqual([1, 2, 3, 4])
    answers.answer(3, success('7'))
    answers.forget(4)
    answers.advance(1, PAYING, false)
    const open = [
      { id: 1, name: '/x', key: 'a', entry: PAYING },
      { id: 2, name: '/x', entry: FILLING },
    ]
    expect(answers.unfinished()).toEqual(open)
    const next = again().answers
    expect(next.unfinished()).toEqual(open)
    expect(next.begin(intent(), FILLING)).toBe(4)
  })

  it.each([0, 2])('do not include a request whose part was printed, even %i days later', (days) => {
    const { answers, prints, clock, again } = journal()
    const part = { job: 'job', index: 1, isLast: false }
    answers.begin(intent('k'), { ...PAYING, part })
    prints.finish(printedPart({ ...part, index: 0 }))
    expect(answers.unfinished()).toMatchObject([{ entry: { at: PAYING.at } }])
    prints.finish(printedPart(part))
    clock.advance(days * DAY_MS)
    expect(again().answers.unfinished()).toMatchObject([{ entry: { is: 'done', part } }])
  })

  it('are reconciled with the device if the log cannot be read at that moment', () => {
    const { answers, disk } = journal()
    const entry = { ...PAYING, part: { job: 'job', index: 0, isLast: false } }
    answers.begin(intent('k'), entry)
    disk.isUnread = true
    expect(answers.unfinished()).toEqual([{ id: 1, name: '/x', key: 'k', entry }])
  })

  it('do not hide a bug in the service', () => {
    const { file, ages, prints } = journal()
    const isFinished = () => {
      throw new TypeError('a mistake')
    }
    const answers = openAnswers(file, ages, { ...prints, isFinished })
    answers.begin(intent('k'), { ...PAYING, part: { job: 'job', index: 0, isLast: false } })
    expect(() => answers.unfinished()).toThrow('a mistake')
  })

  it('are the last request with each key, and every request without a key', () => {
    const { answers } = journal()
    for (const key of ['k', undefined, undefined, 'k']) answers.begin(intent(key), FILLING)
    expect(answers.unfinished().map(({ id }) => id)).toEqual([2, 3, 4])
    expect(answers.find('k')).toMatchObject({ state: 'begun' })
  })

  it.each([
    ['was never begun', () => 1],
    ['has its answer', ({ answers }: ReturnType<typeof journal>) => {
      const id = answers.begin(intent('k'), FILLING)
      answers.answer(id, success('7'))
      return id
    }],
    ['is forgotten', ({ answers }: ReturnType<typeof journal>) => {
      const id = answers.begin(intent(), FILLING)
      answers.forget(id)
      return id
    }],
  ])('do not include a request that %s', (_, end) => {
    const subject = journal()
    const id = end(subject)
    expect(() => subject.answers.advance(id, PAYING, true)).toThrow(`request ${id} is not open`)
  }) // biome-ignore format: a table

  it('cost a flush of the disk only for records that recovery needs', () => {
    const { answers, flushed } = journal()
    const id = answers.begin(intent('k'), FILLING)
    answers.advance(id, FILLING, false)
    answers.advance(id, PAYING, true)
    answers.answer(id, success('7'))
    answers.opens({ serialNumber: 'S1', number: 17, isUnreported: false })
    expect(flushed).toEqual([true, false, true, false, false])
  })

  it('have the running time of the services in every row', () => {
    const { answers, clock, tables, again } = journal()
    clock.advance(1500)
    answers.begin(intent(), FILLING)
    expect(tables.passed.get()).toBe(1500)
    clock.advance(500)
    again().answers.begin(intent(), FILLING)
    expect(tables.passed.get()).toBe(1500)
  })

  it('include the receipt that a single step has opened, or may have, also after a restart', () => {
    const { answers, again } = journal()
    expect(answers.opened()).toEqual([])
    for (const isUnreported of [true, false]) {
      answers.opens({ serialNumber: 'S1', number: 17, isUnreported })
      expect(again().answers.opened()).toEqual([{ serialNumber: 'S1', number: 17, isUnreported }])
    }
    answers.opensNone('S1')
    expect(again().answers.opened()).toEqual([])
  })
})

describe('the print of a key', () => {
  const printed = (entry: Entry = FILLING, key: string | undefined = 'k') => {
    const subject = journal()
    subject.prints.begin({ key: 'k', part: 0, order })
    return { ...subject, id: subject.answers.begin(intent(key), entry) }
  }

  it.each([
    ['as requested', success('7', '7'), { effect: 'asRequested', number: '7' }],
    ['with an unknown outcome', { status: 424, body: '', outcome: { status: 424, effect: 'undecided' as const, reasons: [textReason('?')] } }, { effect: 'undecided', number: '' }],
    ['without a print, as nothing of it remains', { status: 424, body: '', outcome: { status: 424, effect: 'cancelled' as const, reasons: [] } }, undefined],
    ['without a print, as nothing is reported about it', { status: 404, body: '' }, undefined],
  ])('has ended %s', (_, reply, end) => {
    const { answers, prints, id } = printed()
    answers.answer(id, reply)
    expect(prints.printsOfKey('k').map((one) => one.end)).toEqual([end])
  }) // biome-ignore format: a table

  it('is not ended by a request without that key', () => {
    const { answers, prints } = printed()
    answers.answer(answers.begin(intent(), FILLING), success('7', '7'))
    expect(prints.printsOfKey('k').map(({ end }) => end)).toEqual([undefined])
  })

  it('is removed when its request is forgotten, or the key was freed', () => {
    const [forgotten, freed] = [printed(), printed()]
    forgotten.answers.forget(forgotten.id)
    freed.answers.freed('k')
    expect([forgotten.prints.printsOfKey('k'), freed.prints.printsOfKey('k')]).toEqual([[], []])
  })

  it('is removed when its request is left to another device, and its key is removed', () => {
    const { answers, prints, id } = printed()
    answers.release(id, PAYING)
    expect([answers.find('k'), prints.printsOfKey('k')]).toEqual([undefined, []])
    expect(answers.unfinished()).toEqual([{ id, name: '/x', entry: PAYING }])
  })

  it.each(['forget', 'release'] as const)('is unchanged when a request without a key is removed: %s', (end) => {
    const { answers, prints } = printed()
    answers[end](answers.begin(intent(), FILLING), FILLING)
    expect(prints.printsOfKey('k')).toHaveLength(1)
  })

  it('is the completed part of its job, and the retry prints the other parts', () => {
    const { answers, prints, again } = journal()
    const id = answers.begin(intent('k'), { ...FILLING, part: { job: 'j', index: 2, isLast: false } })
    answers.partDone(id)
    expect(prints.printsOfKey('j')).toMatchObject([{ part: 2, end: { effect: 'asRequested', number: '' } }])
    expect([answers.find('k'), answers.unfinished(), again().answers.unfinished()]).toEqual([undefined, [], []])
  })

  describe('of a job whose other parts were left open for more than a day', () => {
    const part = (index: number) => ({ ...FILLING, part: { job: 'j', index, isLast: index === 2 } })
    const NEW = { key: 'new', part: 0, end: { effect: 'asRequested', number: '' } } as const
    function left() {
      const all = journal()
      const { answers, prints, clock } = all
      for (const job of ['j', 'other'])
        for (const index of [0, 1]) prints.finish(printedPart({ job, index, isLast: false }))
      const id = answers.begin(intent('k'), part(2))
      clock.advance(2 * DAY_MS)
      const known = (job: string, of = prints) => of.printsOfKey(job).map((one) => one.part)
      return { ...all, id, known }
    }

    it.each([
      ['not printed', 'forget', [0, 1]],
      ['requested', 'partDone', [0, 1, 2]],
    ] as const)('is known to its retry for a day after its other parts ended as %s', (_, end, parts) => {
      const { answers, prints, clock, again, known, id } = left()
      answers[end](id)
      expect([known('j'), known('j', again().prints), known('other')]).toEqual([parts, parts, []])
      clock.advance(DAY_MS - 1)
      prints.finish(NEW)
      expect([known('j'), known('j', again().prints)]).toEqual([parts, parts])
      clock.advance(1)
      expect(known('j')).toEqual([])
    })

    it('stays on the disk while it is open, whatever is printed in that time', () => {
      const { answers, prints, tables, again, known, id } = left()
      prints.finish(NEW)
      expect(['j', 'other'].map((key) => tables.prints.rowsOfKey(key).length)).toEqual([2, 0])
      answers.forget(id)
      expect(known('j', again().prints)).toEqual([0, 1])
    })

    it('is known on a full disk, and to the service after a restart, which finds its request open', () => {
      const { answers, disk, tables, again, known, id } = left()
      disk.isFull = true
      expect(() => answers.forget(id)).toThrow('the disk is full')
      expect(known('j')).toEqual([0, 1])
      expect(again().answers.unfinished()).toMatchObject([{ id, key: 'k' }])
      disk.isFull = false
      answers.catchUp()
      expect([known('j'), known('j', again().prints), tables.requests.open()]).toEqual([[0, 1], [0, 1], []])
    })

    it('is known although the log cannot be read at that moment', () => {
      const { answers, disk, again, known, id } = left()
      disk.isUnread = true
      expect(() => answers.forget(id)).toThrow('cannot read its operation log')
      disk.isUnread = false
      expect([known('j'), known('j', again().prints), answers.unfinished()]).toEqual([[0, 1], [0, 1], []])
    })

    it('is as old as the latest end of a part, if one part after the other is left open', () => {
      const { answers, clock, known, id } = left()
      answers.forget(id)
      clock.advance(DAY_MS - 1)
      answers.forget(answers.begin(intent('k'), part(2)))
      clock.advance(DAY_MS - 1)
      expect(known('j')).toEqual([0, 1])
      clock.advance(1)
      expect(known('j')).toEqual([])
    })
  })

  it('is ignored if no prints are stored', () => {
    const { file, ages } = journal()
    const answers = openAnswers(file, ages)
    const part = { ...FILLING, part: { job: 'j', index: 0, isLast: true } }
    const [answered, forgotten, done, released] = ['a', 'b', 'c', 'e'].map((key) => answers.begin(intent(key), part)) as [number, number, number, number]
    expect(answers.unfinished().map(({ entry }) => entry)).toEqual([part, part, part, part])
    answers.release(released, FILLING)
    answers.answer(answered, success('7', '7'))
    answers.forget(forgotten)
    answers.partDone(done)
    answers.freed('d')
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => answers.find(key)?.state)).toEqual(['answered', undefined, undefined, undefined, undefined])
  }) // biome-ignore format: two lines

  it('does not exist for a request that concerns no part', () => {
    const { answers, prints, id } = printed()
    answers.partDone(id)
    expect([answers.find('k'), prints.printsOfKey('k').map(({ end }) => end)]).toEqual([undefined, [undefined]])
  })
})
