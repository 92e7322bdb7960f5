/**
 * The books in an SQLite database. A database in memory queues committed writes, of which only the last write of a
 * state record is retained. The queue is flushed before every read and when it is full.
 */
import type { StatementSync } from 'node:sqlite'
import { type DatabaseSync, openDatabase, rollBack } from '../../drivers/host/sqlite.ts'
import type { CompactEncoding, Value } from './column-types.ts'
import { type CompactValue, decodeCompact, encodeCompact } from './compact-encoding.ts'
import { mustBeOfFormat } from './file-format.ts'
import { type Conditions, type Durability, inSmallLetters, type Query, type Row, type Store } from './store.ts'
import { BOOKS_FORMAT, DECLARATIONS, TABLES, type Table } from './tables.ts'

function schemaOf(table: Table): string[] {
  const { key, columns, compact: compactColumns, unique, appendOnly } = DECLARATIONS[table]
  const declared = Object.entries(columns).map(([name, declaration]) => {
    const mayBeNull = declaration.endsWith('?')
    const type = compactColumns?.[name] ? ANY_TYPE : mayBeNull ? declaration.slice(0, -1) : declaration
    if (name === key) return `${name} ${type} PRIMARY KEY`
    return mayBeNull ? `${name} ${type}` : `${name} ${type} NOT NULL`
  })
  return [
    `CREATE TABLE ${table} (${declared.join(', ')}) STRICT`,
    ...indexesOf(table),
    ...(unique ? [`CREATE UNIQUE INDEX ${table}_${unique} ON ${table} (${unique}) WHERE ${unique} IS NOT NULL`] : []),
    ...(appendOnly ? ['UPDATE', 'DELETE'].map((what) => guard(table, what)) : []),
  ]
}

const indexesOf = (table: Table): string[] =>
  (DECLARATIONS[table].indexes ?? []).map((name) => `CREATE INDEX ${table}_${name} ON ${table} (${name})`)

const guard = (table: string, what: string): string =>
  `CREATE TRIGGER ${table}_no_${what.toLowerCase()} BEFORE ${what} ON ${table} ` +
  `BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`

const ANY_TYPE = 'ANY'

const COMPACT_COLUMNS: ReadonlyMap<Table, readonly (readonly [column: string, CompactEncoding])[]> = new Map(
  TABLES.map((table) => [table, Object.entries(DECLARATIONS[table].compact ?? {})]),
)

const QUEUE_LIMIT = 512

interface Write {
  readonly statement: StatementSync
  values: readonly CompactValue[]
  readonly replaces?: string
  readonly undoes?: StatementSync
}

const REPLACE_STATE =
  'INSERT INTO state (name, body) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET body = excluded.body'
const ADD_ENTRY = 'INSERT INTO open_document (body) VALUES (?)'
const DROP_ENTRIES = 'DELETE FROM open_document'

export class SqliteStore implements Store {
  readonly inMemory: boolean
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #iterated = new Set<StatementSync>()
  #isOpen = true
  #pending: Write[] = []
  #queue: Write[] = []
  #waiting = new Map<string, Write>()
  #synchronous: Durability | undefined

  constructor(path: string) {
    this.inMemory = path === ':memory:'
    this.#database = openDatabase(path)
    this.#database.function('small_letters', { deterministic: true }, (text) => inSmallLetters(String(text)))
    // The page size applies to a new file. A paper takes a third of SQLite's default page, so that a page with two
    // papers would remain a quarter empty.
    if (!this.inMemory)
      this.#database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 2000')
    if (!hasTables(this.#database)) {
      this.#inTransaction(() => {
        this.#database.exec(`PRAGMA user_version = ${BOOKS_FORMAT}`)
        this.#create(TABLES)
      })
      return
    }
    try {
      mustBeOfFormat(this.#database, path)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** A transaction, so that a full disk leaves no partial write. */
  #inTransaction(make: () => void): void {
    this.#statement('BEGIN IMMEDIATE').run()
    try {
      make()
      this.#statement('COMMIT').run()
    } catch (error) {
      rollBack(this.#database)
      throw error
    }
  }

  #encode(table: Table, row: Row): CompactValue[] {
    const forms = COMPACT_COLUMNS.get(table)
    if (!forms) return Object.values(row)
    const encoded: Record<string, CompactValue> = { ...row }
    for (const [column, form] of forms)
      if (row[column] !== undefined) encoded[column] = encodeCompact(form, row[column])
    return Object.values(encoded)
  }

  #decode(table: Table, row: Record<string, unknown>): Row {
    for (const [column, form] of COMPACT_COLUMNS.get(table) ?? [])
      if (row[column] !== undefined) row[column] = decodeCompact(form, row[column])
    return row as Row
  }

  insert(table: Table, row: Row): void {
    this.#pending.push({ statement: this.#statement(writing('INSERT', table, row)), values: this.#encode(table, row) })
  }

  replace(table: Table, row: Row): void {
    this.#pending.push({ statement: this.#statement(writing('REPLACE', table, row)), values: this.#encode(table, row) })
  }

  remove(table: Table, where: Conditions = {}): void {
    const { sql, values } = condition(where)
    this.#pending.push({ statement: this.#statement(`DELETE FROM ${table}${sql}`), values })
  }

  saveState(name: string, value: unknown): void {
    const values = [name, JSON.stringify(value)]
    this.#pending.push({ statement: this.#statement(REPLACE_STATE), values, replaces: name })
  }

  addEntry(body: string): void {
    this.#pending.push({ statement: this.#statement(ADD_ENTRY), values: [body] })
  }

  /** Also cancels queued entries: most entries of a store in memory are never written. */
  dropEntries(): void {
    this.#pending.push({ statement: this.#statement(DROP_ENTRIES), values: [], undoes: this.#statement(ADD_ENTRY) })
  }

  commit(durability: Durability): void {
    if (this.#pending.length === 0) return
    for (const write of this.#pending) this.#enqueue(write)
    this.#pending = []
    const mayWait = this.inMemory || durability === 'withNext'
    if (mayWait && this.#queue.length < QUEUE_LIMIT) return
    if (!this.inMemory) this.#setSynchronous(durability)
    this.#flush()
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

  rollback(): void {
    this.#pending = []
  }

  #flush(): void {
    if (this.#queue.length === 0) return
    const writes = this.#queue
    this.#queue = []
    this.#waiting = new Map()
    this.#inTransaction(() => {
      for (const { statement, values } of writes) statement.run(...values)
    })
  }

  rows(table: Table, query: Query = {}): readonly Row[] {
    this.#flush()
    const { sql, values } = selection(table, query)
    return this.#statement(sql)
      .all(...values)
      .map((row) => this.#decode(table, row))
  }

  first(table: Table, query: Query = {}): Row | undefined {
    this.#flush()
    const { sql, values } = selection(table, { ...query, limit: 1 })
    const row = this.#statement(sql).get(...values)
    return row && this.#decode(table, row)
  }

  each(table: Table, query: Query = {}): IterableIterator<Row> {
    this.#flush()
    const { sql, values } = selection(table, query)
    return this.#iterate(table, this.#database.prepare(sql), values)
  }

  /**
   * An iterator keeps its statement busy, so that each iterator has its own. `#iterated` refers to the statement,
   * because in Node 22 an iterator does not keep its statement alive.
   */
  *#iterate(table: Table, statement: StatementSync, values: readonly Value[]): IterableIterator<Row> {
    this.#iterated.add(statement)
    try {
      for (const row of statement.iterate(...values)) yield this.#decode(table, row)
    } finally {
      this.#iterated.delete(statement)
    }
  }

  count(table: Table, where: Conditions = {}): number {
    this.#flush()
    const { sql, values } = condition(where)
    return Number(this.#statement(`SELECT count(*) AS n FROM ${table}${sql}`).get(...values)?.['n'])
  }

  renew(tables: readonly Table[], fill?: (insert: (table: Table, row: Row) => void) => void): void {
    this.#flush()
    this.#statements.clear()
    this.#inTransaction(() => {
      for (const table of tables) this.#database.exec(`DROP TABLE ${table}`)
      this.#create(tables)
      fill?.((table, row) => void this.#statement(writing('INSERT', table, row)).run(...this.#encode(table, row)))
    })
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#flush()
    this.#statements.clear()
    this.#iterated.clear()
    this.#database.close()
  }

  #create(tables: readonly Table[]): void {
    for (const table of TABLES) if (tables.includes(table)) this.#database.exec(schemaOf(table).join(';'))
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

const hasTables = (database: DatabaseSync): boolean =>
  database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).get() !== undefined

// Column names in SQL come only from this program.

function writing(how: 'INSERT' | 'REPLACE', table: Table, row: Row): string {
  const names = Object.keys(row)
  return `${how} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
}

interface Sql {
  readonly sql: string
  readonly values: readonly Value[]
}

function condition(where: Conditions, extraConditions: readonly string[] = []): Sql {
  const conditions = [...extraConditions]
  const values: Value[] = []
  const must = (sql: string, ...its: readonly Value[]) => {
    conditions.push(sql)
    values.push(...its)
  }
  for (const [column, condition] of Object.entries(where)) {
    if (condition === null) must(`${column} IS NULL`)
    else if (typeof condition !== 'object') must(`${column} = ?`, condition)
    else {
      const { from, to, not, oneOf, holds } = condition
      if (from !== undefined) must(`${column} >= ?`, from)
      if (to !== undefined) must(`${column} <= ?`, to)
      if (not !== undefined) must(`${column} IS NOT ?`, not)
      if (oneOf !== undefined) must(`${column} IN (${oneOf.map(() => '?').join(', ')})`, ...oneOf)
      if (holds !== undefined) must(`instr(small_letters(${column}), ?) > 0`, holds)
    }
  }
  return { sql: conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '', values }
}

function selection(table: Table, { where = {}, someNot0, columns, order = 'up', limit }: Query): Sql {
  const some = someNot0 ? [`(${someNot0.map((column) => `${column} <> 0`).join(' OR ')})`] : []
  const { sql, values } = condition(where, some)
  const ordered = `ORDER BY ${DECLARATIONS[table].key} ${order === 'up' ? 'ASC' : 'DESC'}`
  return {
    sql: `SELECT ${columns?.join(', ') ?? '*'} FROM ${table}${sql} ${ordered}${limit === undefined ? '' : ' LIMIT ?'}`,
    values: limit === undefined ? values : [...values, limit],
  }
}
