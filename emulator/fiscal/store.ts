import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { DatabaseSync, rollBack } from '../../drivers/model/sqlite.ts'

/**
 * Where the books are kept: one SQLite database per device, in a file or in memory (decisions 7). Fiscal memory and
 * journal refuse update and delete by themselves.
 *
 * A device operation collects its writes and commits them together, or drops them all. In memory, writes of operations
 * that are done wait in a queue and go in by hundreds, of a record that is replaced only the last; every reading flushes
 * it first.
 */

const SCHEMA = `
CREATE TABLE fiscal_memory (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, number INTEGER, at TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX fiscal_memory_number ON fiscal_memory (number) WHERE number IS NOT NULL;
CREATE TABLE journal (id INTEGER PRIMARY KEY, document INTEGER NOT NULL, at TEXT NOT NULL, line TEXT NOT NULL, chain TEXT NOT NULL) STRICT;
CREATE INDEX journal_document ON journal (document);
CREATE TABLE journal_documents (document INTEGER PRIMARY KEY, kind TEXT NOT NULL, kind_number INTEGER NOT NULL, reversal INTEGER NOT NULL, at TEXT NOT NULL, z INTEGER NOT NULL, receipt TEXT) STRICT;
CREATE TABLE paper (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, number INTEGER NOT NULL, z_number INTEGER, at TEXT NOT NULL, lines TEXT NOT NULL, operations TEXT NOT NULL) STRICT;
CREATE INDEX paper_number ON paper (number);
CREATE TABLE state (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE articles (plu INTEGER PRIMARY KEY, name TEXT NOT NULL, sold INTEGER NOT NULL, turnover INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX articles_name ON articles (name);
CREATE TABLE barcodes (code TEXT PRIMARY KEY, plu INTEGER NOT NULL) STRICT;
CREATE TABLE open_document (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
`

const APPEND_ONLY = ['fiscal_memory', 'journal', 'journal_documents'] as const

const guards = (table: string): string => `
CREATE TRIGGER ${table}_no_update BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
CREATE TRIGGER ${table}_no_delete BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
`

export const TABLES = [
  'fiscal_memory',
  'journal',
  'journal_documents',
  'paper',
  'state',
  'articles',
  'barcodes',
  'open_document',
] as const
export type Table = (typeof TABLES)[number]
export type Row = Record<string, SQLOutputValue>

/** `closing`: on the disk when the call returns. `ordinary`: survives a killed process, perhaps not a power cut. */
export type Durability = 'closing' | 'ordinary'

const QUEUE_LIMIT = 512

interface Write {
  readonly statement: StatementSync
  values: SQLInputValue[]
  /** Of a record of the `state` table: its name. */
  readonly replaces?: string
  /** Writes of this statement that still wait in the queue come to nothing by this one. */
  readonly undoes?: StatementSync
}

const REPLACE_STATE = 'REPLACE INTO state (name, body) VALUES (?, ?)'
const ADD_ENTRY = 'INSERT INTO open_document (body) VALUES (?)'
const DROP_ENTRIES = 'DELETE FROM open_document'

export class Store {
  readonly inMemory: boolean
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #iterated = new Set<StatementSync>()
  #isOpen = true
  #pending: Write[] = []
  #queue: Write[] = []
  /** Records of the `state` table that wait in the queue. */
  #waiting = new Map<string, Write>()
  #synchronous: Durability | undefined

  constructor(path: string) {
    this.inMemory = path === ':memory:'
    this.#database = new DatabaseSync(path)
    if (!this.inMemory) this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 2000')
    const tables = this.#database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
    if (tables.length === 0) this.#create(TABLES)
  }

  /** One of the operation's writes; nothing is carried out before `commit`. */
  write(sql: string, ...values: SQLInputValue[]): void {
    this.#pending.push({ statement: this.#statement(sql), values })
  }

  /** A record of the `state` table. */
  saveState(name: string, value: unknown): void {
    const values = [name, JSON.stringify(value)]
    this.#pending.push({ statement: this.#statement(REPLACE_STATE), values, replaces: name })
  }

  /** One more entry of the open document. */
  addEntry(body: string): void {
    this.write(ADD_ENTRY, body)
  }

  /** The open document has ended: its entries go. In memory most of them have never been written. */
  dropEntries(): void {
    this.#pending.push({ statement: this.#statement(DROP_ENTRIES), values: [], undoes: this.#statement(ADD_ENTRY) })
  }

  commit(durability: Durability): void {
    if (this.#pending.length === 0) return
    if (this.inMemory) {
      for (const write of this.#pending) this.#enqueue(write)
      this.#pending = []
      if (this.#queue.length >= QUEUE_LIMIT) this.flush()
      return
    }
    const writes = this.#pending
    this.#pending = []
    this.#setSynchronous(durability)
    this.#transaction(writes)
  }

  #enqueue(write: Write): void {
    const waiting = write.replaces === undefined ? undefined : this.#waiting.get(write.replaces)
    if (waiting) {
      waiting.values = write.values
      return
    }
    if (write.replaces !== undefined) this.#waiting.set(write.replaces, write)
    if (write.undoes) this.#queue = this.#queue.filter(({ statement }) => statement !== write.undoes)
    this.#queue.push(write)
  }

  /** Drops the writes of the operation in hand. */
  rollback(): void {
    this.#pending = []
  }

  flush(): void {
    if (this.#queue.length === 0) return
    const writes = this.#queue
    this.#queue = []
    this.#waiting.clear()
    this.#transaction(writes)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    this.flush()
    return this.#statement(sql).all(...values)
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    this.flush()
    return this.#statement(sql).get(...values)
  }

  iterate(sql: string, ...values: SQLInputValue[]): IterableIterator<Row> {
    this.flush()
    return this.#rows(this.#database.prepare(sql), values)
  }

  /** An iterator keeps its statement busy, so each has one of its own; it does not keep it alive (Node 22). */
  *#rows(statement: StatementSync, values: readonly SQLInputValue[]): IterableIterator<Row> {
    this.#iterated.add(statement)
    try {
      yield* statement.iterate(...values)
    } finally {
      this.#iterated.delete(statement)
    }
  }

  /** Empties tables by making them anew, which is the only way past the guards: a new device, not a changed one. */
  renew(tables: readonly Table[], fill?: (insert: (table: Table, row: Row) => void) => void): void {
    this.flush()
    this.#statements.clear()
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      for (const table of tables) this.#database.exec(`DROP TABLE ${table}`)
      this.#create(tables)
      fill?.((table, row) => this.#insert(table, row))
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  columns(table: Table): readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[] {
    return this.#database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map((row) => ({
        name: String(row['name']),
        type: String(row['type']),
        nullable: row['notnull'] === 0 && row['pk'] === 0,
      }))
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.flush()
    this.#statements.clear()
    this.#iterated.clear()
    this.#database.close()
  }

  #create(tables: readonly Table[]): void {
    for (const line of SCHEMA.split('\n')) {
      const table = /(?:^CREATE TABLE| ON) (\w+) \(/.exec(line)?.[1]
      if (table && tables.some((name) => name === table)) this.#database.exec(line)
    }
    for (const table of APPEND_ONLY) if (tables.includes(table)) this.#database.exec(guards(table))
  }

  #insert(table: Table, row: Row): void {
    const names = Object.keys(row)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    this.#statement(sql).run(...(Object.values(row) as SQLInputValue[]))
  }

  #transaction(writes: readonly Write[]): void {
    this.#statement('BEGIN IMMEDIATE').run()
    try {
      for (const { statement, values } of writes) statement.run(...values)
      this.#statement('COMMIT').run()
    } catch (error) {
      rollBack(this.#database)
      throw error
    }
  }

  #setSynchronous(durability: Durability): void {
    if (this.#synchronous === durability) return
    this.#database.exec(`PRAGMA synchronous = ${durability === 'closing' ? 'FULL' : 'NORMAL'}`)
    this.#synchronous = durability
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
