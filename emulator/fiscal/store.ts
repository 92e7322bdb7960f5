import type { Value } from './column-types.ts'
import type { Table } from './tables.ts'

/**
 * The store of the books, one per device. `SqliteStore` is a database in a file or in memory (decisions 7),
 * `PlainStore` keeps rows in memory, for simulated runs and for many devices in one process. A device operation
 * collects its writes and commits them together, or drops them all; reads before the commit do not see them. Fiscal
 * memory and journal reject updates and deletes.
 */
export interface Store {
  readonly inMemory: boolean

  /** Adds a row. Like all writes, it takes effect at `commit`. */
  insert(table: Table, row: Row): void
  /** Writes the row of this key, whether or not it exists. */
  replace(table: Table, row: Row): void
  remove(table: Table, where?: Conditions): void
  /** Writes a record of the `state` table. */
  saveState(name: string, value: unknown): void
  /** Adds an entry to the open document. */
  addEntry(body: string): void
  /** Removes the entries of the open document. */
  dropEntries(): void
  commit(durability: Durability): void
  /** Drops the uncommitted writes. */
  rollback(): void

  rows(table: Table, query?: Query): readonly Row[]
  first(table: Table, query?: Query): Row | undefined
  /** Iterates over rows, for callers that may stop early or need all of them. */
  each(table: Table, query?: Query): IterableIterator<Row>
  count(table: Table, where?: Conditions): number

  /**
   * Empties tables by creating them again. No other call bypasses the append-only guards: it makes a new device, not a
   * changed one.
   */
  renew(tables: readonly Table[], fill?: (insert: (table: Table, row: Row) => void) => void): void
  close(): void
}

export type Row = Readonly<Record<string, Value>>

/**
 * `closing`: on the disk when the call returns. `ordinary`: survives a killed process, but possibly not a power cut.
 * `withNext`: written together with the next of the others.
 */
export type Durability = 'closing' | 'ordinary' | 'withNext'

/** The conditions by column; bounds exclude null. */
export type Conditions = Readonly<Record<string, Condition>>
export type Condition =
  | Value
  | {
      /** Lower bound; both bounds are inclusive. */
      readonly from?: Value
      readonly to?: Value
      readonly not?: Value
      readonly oneOf?: readonly Value[]
      /** A part of the text, in lower case; only ASCII letters match their capitals. */
      readonly holds?: string
    }

export interface Query {
  readonly where?: Conditions
  /** Columns of which at least one must not be 0. */
  readonly someNot0?: readonly string[]
  /** Absent: all. */
  readonly columns?: readonly string[]
  /** Order by the table's key; `down`: descending. */
  readonly order?: 'up' | 'down'
  readonly limit?: number
}

/** `holds` expects this form. SQLite's lower() converts ASCII letters only. */
export const inSmallLetters = (text: string): string => text.toLowerCase()
