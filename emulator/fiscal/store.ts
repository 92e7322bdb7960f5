import type { Value } from './column-types.ts'
import type { Table } from './tables.ts'

/**
 * Where the books are kept: one store per device. `SqliteStore` is a database in a file or in memory (decisions 7),
 * `PlainStore` holds rows as they are, for simulated runs and for many devices in one process. A device operation collects its writes and commits them
 * together, or drops them all; what is asked meanwhile knows nothing of them. Fiscal memory and journal refuse update and
 * delete by themselves.
 */
export interface Store {
  readonly inMemory: boolean

  /** One of the operation's writes, as those below; nothing is carried out before `commit`. */
  insert(table: Table, row: Row): void
  /** The row of this key, whether there was one or not. */
  replace(table: Table, row: Row): void
  remove(table: Table, where?: Where): void
  /** A record of the `state` table. */
  saveState(name: string, value: unknown): void
  /** One more entry of the open document. */
  addEntry(body: string): void
  /** The open document has ended: its entries go. */
  dropEntries(): void
  commit(durability: Durability): void
  /** Drops the writes of the operation in hand. */
  rollback(): void

  rows(table: Table, query?: Query): readonly Row[]
  first(table: Table, query?: Query): Row | undefined
  /** One row after the other, for those who may stop early or want them all. */
  each(table: Table, query?: Query): IterableIterator<Row>
  count(table: Table, where?: Where): number

  /** Empties tables by making them anew, which is the only way past the guards: a new device, not a changed one. */
  renew(tables: readonly Table[], fill?: (insert: (table: Table, row: Row) => void) => void): void
  close(): void
}

export type Row = Readonly<Record<string, Value>>

/**
 * `closing`: on the disk when the call returns. `ordinary`: survives a killed process, perhaps not a power cut. `withNext`: is
 * written with the next of the others.
 */
export type Durability = 'closing' | 'ordinary' | 'withNext'

/** What each column must be; a bound leaves out what is null. */
export type Where = Readonly<Record<string, Condition>>
export type Condition =
  | Value
  | {
      /** Both included. */
      readonly from?: Value
      readonly to?: Value
      readonly not?: Value
      readonly oneOf?: readonly Value[]
      /** A part of the text, in small letters; only those of ASCII are taken for their capitals. */
      readonly holds?: string
    }

export interface Query {
  readonly where?: Where
  /** Of these columns at least one is not 0. */
  readonly someNot0?: readonly string[]
  /** Absent: all. */
  readonly columns?: readonly string[]
  /** In the order of the table's key; `down`: the last one first. */
  readonly order?: 'up' | 'down'
  readonly limit?: number
}

/** Of ASCII only, as SQLite has it: what `holds` looks for. */
export const inSmallLetters = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
