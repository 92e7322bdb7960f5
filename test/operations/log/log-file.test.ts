/** The file of the operation log when the disk refuses writes (decisions 3), and the age of its rows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DatabaseSync } from '../../../drivers/host/sqlite.ts'
import { openLogFile, writeOrKeep } from '../../../server/operations/log/log-file.ts'
import type { LogTables } from '../../../server/operations/log/log-tables.ts'
import { openPlainTables } from '../../../server/operations/log/plain-tables.ts'
import { openAges } from '../../../server/operations/log/row-ages.ts'
import { openSqliteTables } from '../../../server/operations/log/sqlite-tables.ts'
import { ServiceError } from '../../../server/operations/outcome.ts'
import { exactClock } from '../../support/exact-clock.ts'

const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 })

/** `done` lists the writes that reached the disk, and whether they were flushed. */
function journal() {
  const disk: { trouble: unknown } = { trouble: undefined }
  const done: string[] = []
  const plain = openPlainTables()
  const tables: LogTables = {
    ...plain,
    transaction(write, isDurable) {
      if (disk.trouble) throw disk.trouble
      write()
      done.push(isDurable ? 'flushed' : 'written')
    },
    close: () => void done.push('closed'),
  }
  const file = openLogFile(tables)
  const put = (what: string) => () => void done.push(what)
  return { file, disk, done, put }
}

const failing = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}
const outcomeOf = (act: () => unknown) => (failing(act) as ServiceError).outcome

describe('an operation log', () => {
  it('is written at once, and flushed on request', () => {
    const { file, done, put } = journal()
    file.write('a', put('1'))
    file.write('b', put('2'), true)
    file.writeNow(put('3'))
    expect(done).toEqual(['1', 'written', '2', 'flushed', '3', 'flushed'])
    expect([file.isWritten('a'), file.isWritten('never')]).toEqual([true, true])
  })

  it('keeps rows that the disk refuses in their order, each in its last form', () => {
    const { file, disk, done, put } = journal()
    disk.trouble = FULL
    for (const [slot, what] of [['a', 'a1'], ['b', 'b1'], ['a', 'a2']] as const) failing(() => file.write(slot, put(what), slot === 'b')) // biome-ignore format: one line
    expect([done, file.isWritten('a'), file.isWritten('b'), file.isWritten('c')]).toEqual([[], false, false, true])
    disk.trouble = undefined
    file.write('c', put('c1'))
    expect(done).toEqual(['b1', 'flushed', 'a2', 'written', 'c1', 'written'])
    expect([file.isWritten('a'), file.isWritten('b')]).toEqual([true, true])
    file.catchUp()
    expect(done).toHaveLength(6)
  })

  it('keeps unwritten rows when the disk fails again in the middle', () => {
    const { file, disk, done, put } = journal()
    disk.trouble = FULL
    const breaking = () => {
      disk.trouble = FULL
      put('a1')()
    }
    failing(() => file.write('a', breaking))
    failing(() => file.write('b', put('b1')))
    disk.trouble = undefined
    expect(outcomeOf(() => file.catchUp()).status).toBe(503)
    expect([done, file.isWritten('a'), file.isWritten('b')]).toEqual([['a1', 'written'], true, false])
  })

  it('does not defer a row that must be written now', () => {
    const { file, disk, done, put } = journal()
    disk.trouble = FULL
    expect(outcomeOf(() => file.writeNow(put('now'))).status).toBe(503)
    disk.trouble = undefined
    file.catchUp()
    expect(done).toEqual([])
  })

  it('writes waiting rows before a row that must be written now', () => {
    const { file, disk, done, put } = journal()
    disk.trouble = FULL
    failing(() => file.write('a', put('a1')))
    expect(outcomeOf(() => file.writeNow(put('now'))).status).toBe(503)
    disk.trouble = undefined
    file.writeNow(put('now'))
    expect(done).toEqual(['a1', 'written', 'now', 'flushed'])
  })

  it.each([
    ['write', 'nothing', (file: ReturnType<typeof journal>['file']) => file.write('a', () => undefined)],
    ['read', 'unknown', (file: ReturnType<typeof journal>['file'], disk: { trouble: unknown }) => file.read(() => { throw disk.trouble })],
  ] as const)('whose disk refuses to %s gives the reason, with the effect "%s"', (done, effect, act) => {
    const { file, disk } = journal()
    disk.trouble = FULL
    const text = `The service cannot ${done} its operation log (in memory): the disk is full. Until this is fixed, it rejects all requests that print.`
    const error = failing(() => act(file, disk)) as ServiceError
    expect(error).toBeInstanceOf(ServiceError)
    expect(error.outcome).toEqual({ status: 503, effect, reasons: [{ kind: 'text', text, about: 'journal' }] })
    expect(error.cause).toBe(FULL)
    disk.trouble = new TypeError('a mistake of this program')
    expect(failing(() => act(file, disk))).toBe(disk.trouble)
  }) // biome-ignore format: a table

  it('returns the rows that it reads', () => {
    expect(journal().file.read(() => 'row')).toBe('row')
  })

  it('calls its hook before each reading and writing, and fails if the hook fails', () => {
    const calls: string[] = []
    const tell = (what: string) => () => {
      calls.push(what)
      if (calls.length > 2) throw FULL
    }
    const file = openLogFile(openPlainTables(), { reading: tell('reading'), writing: tell('writing') })
    file.read(() => calls.push('read'))
    expect(outcomeOf(() => file.write('a', () => undefined))).toMatchObject({ effect: 'nothing' })
    expect(outcomeOf(() => file.read(() => undefined))).toMatchObject({ effect: 'unknown' })
    expect(calls).toEqual(['reading', 'read', 'writing', 'reading'])
  })

  it('tries a last write when it is closed, and is closed in any case', () => {
    const { file, disk, done, put } = journal()
    disk.trouble = FULL
    failing(() => file.write('a', put('a1')))
    file.close()
    disk.trouble = undefined
    file.close()
    // Tables that other code has opened stay open.
    expect(done).toEqual(['a1', 'written'])
  })
})

describe('an operation log in a file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fiscal-rig-journal-file-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const path = () => join(folder, 'answers.sqlite')

  it('is called by its path, and a log in memory by the words for it', () => {
    const [kept, inMemory] = [openLogFile(path()), openLogFile(':memory:')]
    expect(kept.tables.name.endsWith('answers.sqlite')).toBe(true)
    expect([inMemory.tables.name, openPlainTables().name]).toEqual(['in memory', 'in memory'])
    for (const one of [kept, inMemory]) one.close()
  })

  it('is closed by the code that has opened it', () => {
    const own = openLogFile(path())
    own.close()
    expect(() => own.tables.requests.lastId()).toThrow()
    const database = new DatabaseSync(path())
    const over = openLogFile(database)
    expect(over.tables.requests.lastId()).toBe(0)
    over.close()
    expect(database.isOpen).toBe(true)
    const tables = openSqliteTables(database)
    openLogFile(tables).close()
    expect(tables.requests.lastId()).toBe(0)
    database.close()
  })

  it('waits for a database that another program has opened', () => {
    const database = new DatabaseSync(path(), { timeout: 20 })
    openSqliteTables(database)
    expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 20 })
    database.close()
  })

  it('is flushed for a durable transaction only, also after a failed transaction', () => {
    const database = new DatabaseSync(path())
    const tables = openSqliteTables(database)
    // Values of SQLite: 1 is NORMAL, and 2 is FULL.
    const flushes = () => Number(database.prepare('PRAGMA synchronous').get()?.['synchronous'])
    const seen = [flushes()]
    for (const isDurable of [true, false]) tables.transaction(() => seen.push(flushes()), isDurable)
    const breaking = () => {
      seen.push(flushes())
      throw FULL
    }
    expect(failing(() => tables.transaction(breaking, true))).toBe(FULL)
    tables.transaction(() => seen.push(flushes()), false)
    expect(seen).toEqual([1, 2, 1, 2, 1])
    tables.transaction(() => tables.passed.set(7), true)
    expect(tables.passed.get()).toBe(7)
    database.close()
  })

  it.each([
    'requests (id INTEGER PRIMARY KEY, key TEXT UNIQUE, name TEXT, fingerprint TEXT, at INTEGER, record TEXT, status INTEGER, body TEXT)',
    'prints (key TEXT, part INTEGER, shop TEXT, order_id TEXT, token TEXT, at INTEGER, counted INTEGER, PRIMARY KEY (key, part))',
    'opened_receipts (serial TEXT PRIMARY KEY, number INTEGER)',
  ])('of a version that was never released is refused: %s', (table) => {
    const database = new DatabaseSync(path())
    database.exec(`CREATE TABLE ${table}`)
    expect(() => openSqliteTables(database)).toThrow(
      'it was written by a version of fiscal-rig that was never released',
    )
    database.close()
  })
})

describe('the age of a row', () => {
  const DAY_MS = 24 * 60 * 60 * 1000
  const ages = (passedMs = 0) => {
    const clock = exactClock()
    clock.advance(400)
    const { passed, transaction } = openPlainTables()
    transaction(() => passed.set(passedMs), false)
    return { clock, passed, transaction, ...openAges({ passed }, clock) }
  }

  it('counts whole milliseconds from the running time of earlier services', () => {
    const { clock, now, keep, passed, transaction } = ages(5000)
    clock.advance(999.75)
    expect(now()).toEqual({ at: 1399.75, counted: 5999 })
    transaction(keep, false)
    // The time is not written for less than a second.
    expect(passed.get()).toBe(5000)
    clock.advance(1)
    transaction(keep, false)
    expect(passed.get()).toBe(6000)
  })

  it('is old only after 24 hours by the wall clock and by the running time', () => {
    const { clock, now, old, isOld } = ages(1000)
    const then = now()
    clock.advance(DAY_MS - 1)
    expect([isOld(then), old()]).toEqual([false, { at: 399, counted: 999 }])
    clock.advance(1)
    expect([isOld(then), old()]).toEqual([true, { at: 400, counted: 1000 }])
    expect([isOld({ ...then, at: then.at + 1 }), isOld({ ...then, counted: then.counted + 1 })]).toEqual([false, false])
  })
})

describe('the writing of a row', () => {
  it('is reported, but does not fail, if the disk refuses the row', () => {
    const { file, disk, put } = journal()
    const deferred: ServiceError[] = []
    const write = () => writeOrKeep(() => file.write('a', put('1')), (error) => void deferred.push(error)) // biome-ignore format: one line
    write()
    expect(deferred).toEqual([])
    disk.trouble = FULL
    write()
    expect(deferred.map(({ outcome }) => outcome.status)).toEqual([503])
  })

  it('does not hide a bug in the service', () => {
    const mistake = () => {
      throw new TypeError('a mistake')
    }
    expect(() => writeOrKeep(mistake, () => undefined)).toThrow('a mistake')
  })
})
