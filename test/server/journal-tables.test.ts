/** What the service's journal promises, wherever it is kept. */
import { describe, expect, it } from 'vitest'
import { DatabaseSync } from '../../drivers/model/sqlite.ts'
import type { JournalTables, PrintRow, RequestRow } from '../../server/recovery/journal-tables.ts'
import { openPlainTables } from '../../server/recovery/plain-tables.ts'
import { openSqliteTables } from '../../server/recovery/sqlite-tables.ts'

const request = (id: number, change: Partial<RequestRow> = {}): RequestRow => ({
  id,
  key: null,
  name: '/sale',
  fingerprint: 'f',
  at: 10 * id,
  counted: id,
  record: '{}',
  status: null,
  body: null,
  ...change,
})
const print = (key: string, part: number, change: Partial<PrintRow> = {}): PrintRow => ({
  key,
  part,
  shop: null,
  order_id: null,
  token: null,
  at: 10,
  counted: 1,
  effect: null,
  number: null,
  ...change,
})
const order = { shop: 'a.example', order_id: '7', token: 't' }

/** `again`: the same journal, opened by the next service. */
const kinds: Readonly<Record<string, () => { tables: JournalTables; again: () => JournalTables }>> = {
  SQLite: () => {
    const database = new DatabaseSync(':memory:')
    return { tables: openSqliteTables(database), again: () => openSqliteTables(database) }
  },
  'plain rows': () => {
    const tables = openPlainTables()
    return { tables, again: () => tables }
  },
}

describe.each(Object.entries(kinds))('a journal in %s', (_name, open) => {
  const filled = (fill: (tables: JournalTables) => void) => {
    const { tables, again } = open()
    tables.transaction(() => fill(tables), true)
    return { tables, again }
  }

  it('is empty at first', () => {
    const { tables } = open()
    expect(tables.requests.lastId()).toBe(0)
    expect(tables.requests.open()).toEqual([])
    expect(tables.prints.isNew).toBe(true)
    expect(tables.passed.get()).toBe(0)
    expect(tables.opened.get()).toBeUndefined()
  })

  it('keeps requests by number and key, each key once', () => {
    const { tables, again } = filled(({ requests }) => {
      requests.put(request(2, { key: 'k' }))
      requests.put(request(1))
      requests.put(request(3, { key: 'k', status: 200, body: 'b' }))
      requests.put(request(4))
      requests.put(request(4, { name: '/z' }))
    })
    expect(tables.requests.withKey('k')).toEqual(request(3, { key: 'k', status: 200, body: 'b' }))
    expect(tables.requests.withKey('other')).toBeUndefined()
    expect(again().requests.open()).toEqual([request(1), request(4, { name: '/z' })])
    expect(again().requests.lastId()).toBe(4)
    tables.transaction(() => tables.requests.remove(4), false)
    expect(again().requests.lastId()).toBe(3)
  })

  it('forgets what is answered and old by both times', () => {
    const { tables } = filled(({ requests }) => {
      for (const id of [1, 2, 3, 4]) requests.put(request(id, { key: `k${id}`, status: id === 1 ? null : 200 }))
      requests.expire({ at: 30, counted: 2 })
    })
    expect([1, 2, 3, 4].map((id) => tables.requests.withKey(`k${id}`)?.id)).toEqual([1, undefined, 3, 4])
  })

  it('keeps prints by key and part, and finds them by order and token', () => {
    const { tables, again } = filled(({ prints }) => {
      prints.put(print('job', 1))
      prints.put(print('job', 0))
      prints.put(print('later', 0, { ...order, at: 30 }))
      prints.put(print('sooner', 0, { ...order, token: 'u', at: 20 }))
      prints.put(print('job', 1, { effect: 'asAsked', number: '5' }))
    })
    expect(tables.prints.ofKey('job')).toEqual([print('job', 0), print('job', 1, { effect: 'asAsked', number: '5' })])
    expect(
      again()
        .prints.ofOrder('a.example', '7')
        .map(({ key }) => key),
    ).toEqual(['sooner', 'later'])
    expect(tables.prints.ofToken('a.example', 't').map(({ key }) => key)).toEqual(['later'])
    expect(tables.prints.ofOrder('b.example', '7')).toEqual([])
    expect(again().prints.isNew).toBe(false)
    tables.transaction(() => tables.prints.remove('job', 0), false)
    expect(tables.prints.ofKey('job').map(({ part }) => part)).toEqual([1])
  })

  it('forgets old prints of no order', () => {
    const { tables } = filled(({ prints }) => {
      prints.put(print('old', 0))
      prints.put(print('new', 0, { at: 99 }))
      prints.put(print('counted', 0, { counted: 99 }))
      prints.put(print('order', 0, order))
      prints.expire({ at: 10, counted: 1 })
    })
    const left = ['old', 'new', 'counted', 'order'].filter((key) => tables.prints.ofKey(key).length > 0)
    expect(left).toEqual(['new', 'counted', 'order'])
  })

  it('knows the receipt that a single step has opened last', () => {
    const { again } = filled(({ opened }) => {
      opened.set({ serial: 'A1', number: 4 })
      opened.set({ serial: 'A2', number: 9 })
    })
    expect(again().opened.get()).toEqual({ serial: 'A2', number: 9 })
  })

  it('counts how long services have run', () => {
    const { again } = filled(({ passed }) => passed.set(1234))
    expect(again().passed.get()).toBe(1234)
  })

  it('takes all of a transaction or nothing', () => {
    const { tables } = filled(({ requests }) => requests.put(request(1, { key: 'k' })))
    const failing = () => {
      tables.requests.put(request(2))
      tables.requests.remove(1)
      tables.prints.put(print('p', 0))
      tables.passed.set(5)
      tables.opened.set({ serial: 'A1', number: 1 })
      throw new Error('the disk is full')
    }
    expect(() => tables.transaction(failing, true)).toThrow('the disk is full')
    expect(tables.requests.open()).toEqual([request(1, { key: 'k' })])
    expect([tables.prints.ofKey('p'), tables.passed.get(), tables.opened.get()]).toEqual([[], 0, undefined])
  })
})
