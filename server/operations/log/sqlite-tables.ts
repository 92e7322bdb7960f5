import { type DatabaseSync, fileOf, openDatabase, rollBack } from '../../../drivers/host/sqlite.ts'
import { type LogTables, type OpenedRow, type PrintRow, PUT_BACK, type RequestRow, UnusableLog } from './log-tables.ts'

/** Maximum wait for another program that reads the file, in ms. The wait blocks the whole service. */
const BUSY_MS = 500

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS passed (ms INTEGER NOT NULL, transactions INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS prints (
    key           TEXT NOT NULL,
    part          INTEGER NOT NULL,
    shop          TEXT,
    order_id      TEXT,
    token         TEXT,
    at            INTEGER NOT NULL,
    counted       INTEGER NOT NULL,
    effect        TEXT,
    number        TEXT,
    receipt       TEXT,
    PRIMARY KEY (key, part)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS prints_by_order ON prints (shop, order_id);
  CREATE INDEX IF NOT EXISTS prints_by_token ON prints (shop, token);
  CREATE TABLE IF NOT EXISTS requests (
    id          INTEGER PRIMARY KEY,
    key         TEXT UNIQUE,
    name        TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at          INTEGER NOT NULL,
    counted     INTEGER NOT NULL,
    record      TEXT NOT NULL,
    status      INTEGER,
    body        TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS opened_receipts (
    serial      TEXT PRIMARY KEY,
    number      INTEGER NOT NULL,
    unheard     INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS requests_answered ON requests (at) WHERE status IS NOT NULL;
  CREATE INDEX IF NOT EXISTS requests_unfinished ON requests (id) WHERE status IS NULL`

/**
 * Opens the tables in a file, in `:memory:` or in an open database, which remains open when the log is closed. Throws
 * UnusableLog, before anything is written, if the log has fewer than `least` transactions, is damaged, or has an older
 * format.
 */
export function openSqliteTables(place: string | DatabaseSync, least = 0): LogTables {
  const database = typeof place === 'string' ? openDatabase(place) : place
  // Exclusive: there is no file of shared memory that could be lost or replaced, and no other program can move the
  // content of the -wal file.
  if (typeof place === 'string') database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA locking_mode = EXCLUSIVE`)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  // A copy that was made while a service was writing may be a mixture of two states.
  const [check] = database.prepare('PRAGMA integrity_check(1)').all()
  if (check?.['integrity_check'] !== 'ok')
    throw new UnusableLog(`it is damaged: ${check?.['integrity_check']}. ${PUT_BACK}`)
  if (takenBy(database) < least) throw new UnusableLog(`it is older than what was written into it last. ${PUT_BACK}`)
  database.exec(SCHEMA)
  if (!database.prepare('SELECT 1 FROM passed').get()) database.exec('INSERT INTO passed VALUES (0, 0)')
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const count = database.prepare('SELECT transactions FROM passed')
  const countOne = database.prepare('UPDATE passed SET transactions = transactions + 1')
  let isFlushing = false
  return {
    name: fileOf(database) || 'in memory',
    transaction(write, isDurable) {
      if (isDurable !== isFlushing) database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`)
      isFlushing = isDurable
      try {
        begin.run()
        write()
        countOne.run()
        commit.run()
      } catch (error) {
        rollBack(database)
        throw error
      }
    },
    close() {
      if (typeof place === 'string') database.close()
    },
    count: () => Number(count.get()?.['transactions']),
    requests: requestsIn(database),
    prints: printsIn(database),
    opened: openedIn(database),
    passed: passedIn(database),
  }
}

const UNRELEASED_REASON = 'it was written by a version of fiscal-rig that was never released. Start that version'

/** The most recently added column of each table. A file that lacks one of them has an older format. */
const LAST_COLUMNS = {
  ...{ passed: 'transactions', requests: 'counted', prints: 'receipt', opened_receipts: 'unheard' },
} as const

function takenBy(database: DatabaseSync): number {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const column = database.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?')
  for (const [name, last] of Object.entries(LAST_COLUMNS))
    if (table.get(name) && !column.get(name, last)) throw new UnusableLog(UNRELEASED_REASON)
  return table.get('passed')
    ? Number(database.prepare('SELECT transactions FROM passed').get()?.['transactions'] ?? 0)
    : 0
}

function requestsIn(database: DatabaseSync): LogTables['requests'] {
  const withKey = database.prepare('SELECT * FROM requests WHERE key = ?')
  const open = database.prepare('SELECT * FROM requests WHERE status IS NULL ORDER BY id')
  const lastId = database.prepare('SELECT max(id) AS id FROM requests')
  const put = database.prepare(`INSERT OR REPLACE INTO requests
    (id, key, name, fingerprint, at, counted, record, status, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  // Updates the record of a request in progress without writing an index.
  const goOn = database.prepare(
    'UPDATE requests SET record = ? WHERE id = ? AND name = ? AND key IS ? AND status IS NULL',
  )
  const remove = database.prepare('DELETE FROM requests WHERE id = ?')
  const expire = database.prepare('DELETE FROM requests WHERE status IS NOT NULL AND at <= ? AND counted <= ?')
  return {
    withKey: (key) => withKey.get(key) as RequestRow | undefined,
    open: () => open.all() as unknown as RequestRow[],
    lastId: () => Number(lastId.get()?.['id'] ?? 0),
    put({ id, key, name, fingerprint, at, counted, record, status, body }) {
      if (status === null && goOn.run(record, id, name, key).changes === 1) return
      put.run(id, key, name, fingerprint, at, counted, record, status, body)
    },
    remove: (id) => void remove.run(id),
    expire: ({ at, counted }) => void expire.run(at, counted),
  }
}

function printsIn(database: DatabaseSync): LogTables['prints'] {
  const selectByOrder = database.prepare('SELECT * FROM prints WHERE shop = ? AND order_id = ? ORDER BY at, rowid')
  const selectByToken = database.prepare('SELECT * FROM prints WHERE shop = ? AND token = ?')
  const selectByKey = database.prepare('SELECT * FROM prints WHERE key = ? ORDER BY part')
  const put = database.prepare(`INSERT OR REPLACE INTO prints
    (key, part, shop, order_id, token, at, counted, effect, number, receipt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const remove = database.prepare('DELETE FROM prints WHERE key = ? AND part = ?')
  const expire = database.prepare(`DELETE FROM prints WHERE order_id IS NULL AND at <= ? AND counted <= ?
    AND NOT EXISTS (SELECT 1 FROM requests WHERE status IS NULL AND json_extract(record, '$.part.job') = prints.key)`)
  const keep = database.prepare('UPDATE prints SET at = ?, counted = ? WHERE key = ? AND order_id IS NULL')
  return {
    rowsOfOrder: (shop, order) => selectByOrder.all(shop, order) as unknown as PrintRow[],
    rowsOfToken: (shop, token) => selectByToken.all(shop, token) as unknown as PrintRow[],
    rowsOfKey: (key) => selectByKey.all(key) as unknown as PrintRow[],
    put: ({ key, part, shop, order_id, token, at, counted, effect, number, receipt }) =>
      void put.run(key, part, shop, order_id, token, at, counted, effect, number, receipt),
    remove: (key, part) => void remove.run(key, part),
    expire: ({ at, counted }) => void expire.run(at, counted),
    keep: (key, { at, counted }) => void keep.run(at, counted, key),
  }
}

function openedIn(database: DatabaseSync): LogTables['opened'] {
  const all = database.prepare('SELECT serial, number, unheard FROM opened_receipts')
  const put = database.prepare('INSERT OR REPLACE INTO opened_receipts (serial, number, unheard) VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM opened_receipts WHERE serial = ?')
  return {
    all: () => all.all() as unknown as OpenedRow[],
    put: ({ serial, number, unheard }) => void put.run(serial, number, unheard),
    remove: (serial) => void remove.run(serial),
  }
}

function passedIn(database: DatabaseSync): LogTables['passed'] {
  const get = database.prepare('SELECT ms FROM passed')
  const set = database.prepare('UPDATE passed SET ms = ?')
  return { get: () => Number(get.get()?.['ms']), set: (ms) => void set.run(ms) }
}
