/** The contract of the tables of the operation log, for every storage. */
import { describe, expect, it } from 'vitest'
import { DatabaseSync } from '../../../drivers/host/sqlite.ts'
import type { LogTables, PrintRow, RequestRow } from '../../../server/operations/log/log-tables.ts'
import { openPlainTables } from '../../../server/operations/log/plain-tables.ts'
import { openSqliteTables } from '../../../server/operations/log/sqlite-tables.ts'

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
  receipt: null,
  ...change,
})
const order = { shop: 'a.example', order_id: '7', token: 't' }

/** `again` opens the same log for the next service. */
const kinds: Readonly<Record<string, () => { tables: LogTables; again: () => LogTables }>> = {
  SQLite: () => {
    const database = new DatabaseSync(':memory:')
    return { tables: openSqliteTables(database), again: () => openSqliteTables(database) }
  },
  'plain rows': () => {
    const tables = openPlainTables()
    return { tables, again: () => tables }
  },
}

describe.each(Object.entries(kinds))('an operation log in %s', (_name, open) => {
  const filled = (fill: (tables: LogTables) => void) => {
    const { tables, again } = open()
    tables.transaction(() => fill(tables), true)
    return { tables, again }
  }

  it('is empty at first', () => {
    const { tables } = open()
    expect(tables.requests.lastId()).toBe(0)
    expect(tables.requests.open()).toEqual([])
    expect(tables.passed.get()).toBe(0)
    expect(tables.opened.all()).toEqual([])
  })

  it('finds requests by number and key, each key once', () => {
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

  it('removes answered requests that are old by both times', () => {
    const { tables } = filled(({ requests }) => {
      for (const id of [1, 2, 3, 4]) requests.put(request(id, { key: `k${id}`, status: id === 1 ? null : 200 }))
      requests.expire({ at: 30, counted: 2 })
    })
    expect([1, 2, 3, 4].map((id) => tables.requests.withKey(`k${id}`)?.id)).toEqual([1, undefined, 3, 4])
  })

  it('lists open requests oldest first, whatever was written last', () => {
    const { tables } = filled(({ requests }) => {
      for (const id of [3, 1, 2]) requests.put(request(id, { status: id === 2 ? 200 : null }))
    })
    expect(tables.requests.open().map(({ id }) => id)).toEqual([1, 3])
    expect(tables.requests.lastId()).toBe(3)
  })

  it('gives a key to the latest request with it', () => {
    const { tables } = filled(({ requests }) => {
      requests.put(request(1, { key: 'k' }))
      requests.put(request(2, { key: 'other' }))
      requests.put(request(1, { key: 'l' }))
    })
    expect(['k', 'l', 'other'].map((key) => tables.requests.withKey(key)?.id)).toEqual([undefined, 1, 2])
  })

  it.each([
    ['old by both times', { at: 30, counted: 3 }, false],
    ['old by the wall clock only', { at: 30, counted: 4 }, true],
    ['old by the running time only', { at: 31, counted: 3 }, true],
  ])('removes only requests that are old by both times, to the millisecond: %s', (_, times, isKept) => {
    const { tables } = filled(({ requests, prints }) => {
      requests.put(request(1, { key: 'k', status: 200, ...times }))
      prints.put(print('p', 0, times))
      for (const rows of [requests, prints]) rows.expire({ at: 30, counted: 3 })
    })
    expect([tables.requests.withKey('k') !== undefined, tables.prints.rowsOfKey('p').length]).toEqual([
      isKept,
      isKept ? 1 : 0,
    ])
  })

  it('finds prints by key and part, by order, and by token', () => {
    const { tables, again } = filled(({ prints }) => {
      prints.put(print('job', 1))
      prints.put(print('job', 0))
      prints.put(print('later', 0, { ...order, at: 30 }))
      prints.put(print('sooner', 0, { ...order, token: 'u', at: 20 }))
      prints.put(print('job', 1, { effect: 'asRequested', number: '5' }))
    })
    expect(tables.prints.rowsOfKey('job')).toEqual([
      print('job', 0),
      print('job', 1, { effect: 'asRequested', number: '5' }),
    ])
    expect(
      again()
        .prints.rowsOfOrder('a.example', '7')
        .map(({ key }) => key),
    ).toEqual(['sooner', 'later'])
    expect(tables.prints.rowsOfToken('a.example', 't').map(({ key }) => key)).toEqual(['later'])
    expect(tables.prints.rowsOfOrder('b.example', '7')).toEqual([])
    tables.transaction(() => tables.prints.remove('job', 0), false)
    expect(tables.prints.rowsOfKey('job').map(({ part }) => part)).toEqual([1])
  })

  it('finds prints of the given shop only, and prints of the same time in the order of writing', () => {
    const { tables } = filled(({ prints }) => {
      for (const key of ['one', 'two', 'three', 'one']) prints.put(print(key, 0, { ...order, at: 20 }))
      prints.put(print('other shop', 0, { ...order, shop: 'b.example' }))
      prints.put(print('other order', 0, { ...order, order_id: '8', token: 'u' }))
      prints.put(print('no order', 0))
    })
    const keys = (rows: readonly PrintRow[]) => rows.map(({ key }) => key)
    expect(keys(tables.prints.rowsOfOrder('a.example', '7'))).toEqual(['two', 'three', 'one'])
    expect(keys(tables.prints.rowsOfOrder('b.example', '7'))).toEqual(['other shop'])
    expect(keys(tables.prints.rowsOfToken('a.example', 't')).sort()).toEqual(['one', 'three', 'two'])
    expect(keys(tables.prints.rowsOfToken('b.example', 't'))).toEqual(['other shop'])
    expect(tables.prints.rowsOfToken('a.example', 'no such')).toEqual([])
  })

  it('removes one part of a job', () => {
    const { tables } = filled(({ prints }) => {
      for (const [key, part] of [['job', 2], ['job', 0], ['job', 1], ['other', 0]] as const) prints.put(print(key, part)) // biome-ignore format: one line
      prints.remove('job', 0)
    })
    expect(['job', 'other'].flatMap((key) => tables.prints.rowsOfKey(key))).toEqual(
      [print('job', 1), print('job', 2), print('other', 0)],
    ) // biome-ignore format: one line
  })

  it('removes old prints without an order', () => {
    const { tables } = filled(({ prints }) => {
      prints.put(print('old', 0))
      prints.put(print('new', 0, { at: 99 }))
      prints.put(print('counted', 0, { counted: 99 }))
      prints.put(print('order', 0, order))
      prints.expire({ at: 10, counted: 1 })
    })
    const left = ['old', 'new', 'counted', 'order'].filter((key) => tables.prints.rowsOfKey(key).length > 0)
    expect(left).toEqual(['new', 'counted', 'order'])
  })

  it('removes no print of a job while an unanswered request concerns a part of the job', () => {
    const about = (job: string) => JSON.stringify({ part: { job, index: 1, isLast: true } })
    const { tables } = filled(({ prints, requests }) => {
      for (const [key, part] of [['open', 0], ['open', 1], ['answered', 0], ['no', 0]] as const) prints.put(print(key, part)) // biome-ignore format: one line
      requests.put(request(1, { key: 'k', record: about('open') }))
      requests.put(request(2, { key: 'l', record: about('answered'), status: 200, body: 'b' }))
      requests.put(request(3, { key: 'm' }))
    })
    const left = () => {
      tables.transaction(() => tables.prints.expire({ at: 10, counted: 1 }), false)
      return ['open', 'answered', 'no'].flatMap((key) => tables.prints.rowsOfKey(key))
    }
    expect(left()).toEqual([print('open', 0), print('open', 1)])
    tables.transaction(() => tables.requests.remove(1), false)
    expect(left()).toEqual([])
  })

  it('sets the age of the prints of one job, and of no prints with an order', () => {
    const { tables } = filled(({ prints }) => {
      for (const [key, part] of [['job', 0], ['job', 1], ['other', 0]] as const) prints.put(print(key, part)) // biome-ignore format: one line
      prints.put(print('order', 0, order))
      for (const key of ['job', 'order', 'no such']) prints.keep(key, { at: 20, counted: 2 })
    })
    const young = { at: 20, counted: 2 }
    expect(['job', 'other', 'order', 'no such'].flatMap((key) => tables.prints.rowsOfKey(key))).toEqual(
      [print('job', 0, young), print('job', 1, young), print('other', 0), print('order', 0, order)],
    ) // biome-ignore format: one line
  })

  it('returns the receipt that a single step has opened last, for each device', () => {
    const { again } = filled(({ opened }) => {
      opened.put({ serial: 'A1', number: 4, unheard: 0 })
      opened.put({ serial: 'A2', number: 9, unheard: 1 })
      opened.put({ serial: 'A3', number: 2, unheard: 0 })
      opened.put({ serial: 'A1', number: 5, unheard: 0 })
      opened.remove('A3')
      opened.remove('A4')
    })
    const bySerial = again()
      .opened.all()
      .toSorted((one, other) => one.serial.localeCompare(other.serial))
    expect(bySerial).toEqual([
      { serial: 'A1', number: 5, unheard: 0 },
      { serial: 'A2', number: 9, unheard: 1 },
    ])
  })

  it('counts the running time of the services', () => {
    const { again } = filled(({ passed }) => passed.set(1234))
    expect(again().passed.get()).toBe(1234)
  })

  it('writes all of a transaction or nothing', () => {
    const { tables } = filled(({ requests, prints }) => {
      requests.put(request(1, { key: 'k' }))
      prints.put(print('old', 0))
    })
    const failing = () => {
      tables.requests.put(request(2))
      tables.requests.remove(1)
      tables.prints.put(print('p', 0))
      tables.prints.keep('old', { at: 20, counted: 2 })
      tables.passed.set(5)
      tables.opened.put({ serial: 'A1', number: 1, unheard: 0 })
      throw new Error('the disk is full')
    }
    expect(() => tables.transaction(failing, true)).toThrow('the disk is full')
    expect(tables.requests.open()).toEqual([request(1, { key: 'k' })])
    expect(tables.prints.rowsOfKey('old')).toEqual([print('old', 0)])
    expect([tables.prints.rowsOfKey('p'), tables.passed.get(), tables.opened.all()]).toEqual([[], 0, []])
    tables.transaction(() => tables.passed.set(7), true)
    expect([tables.passed.get(), tables.requests.open()]).toEqual([7, [request(1, { key: 'k' })]])
  })
})

it('an operation log in plain rows can be written within a transaction only', () => {
  const { requests, transaction } = openPlainTables()
  const put = () => requests.put(request(1))
  expect(put).toThrow('the operation log is written within a transaction only')
  transaction(put, true)
  expect(put).toThrow('the operation log is written within a transaction only')
  expect(requests.lastId()).toBe(1)
})
