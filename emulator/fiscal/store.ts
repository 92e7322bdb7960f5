import type { Value } from './column-types.ts'
import type { Table } from './tables.ts'

/**
 * The store of the books of one device. `SqliteStore` is a database in a file or in memory (decisions 7); `PlainStore`
 * has rows in memory, for simulated runs and for many devices in one process. Writes take effect at `commit` or are
 * dropped by `rollback`; reads before the commit do not see them. Fiscal memory and journal reject updates and deletes.
 */
export interface Store {
  readonly inMemory: boolean

  insert(table: Table, row: Row): void
  /** Writes the row with this key, whether or not it exists. */
  replace(table: Table, row: Row): void
  remove(table: Table, where?: Conditions): void
  saveState(name: string, value: unknown): void
  addEntry(body: string): void
  dropEntries(): void
  commit(durability: Durability): void
  rollback(): void

  rows(table: Table, query?: Query): readonly Row[]
  first(table: Table, query?: Query): Row | undefined
  each(table: Table, query?: Query): IterableIterator<Row>
  count(table: Table, where?: Conditions): number

  /**
   * Creates tables again, empty or with the rows of `fill`. Only this call bypasses the append-only guards, because it
   * makes a new device instead of changing one.
   */
  renew(tables: readonly Table[], fill?: (insert: (table: Table, row: Row) => void) => void): void
  close(): void
}

export type Row = Readonly<Record<string, Value>>

/**
 * `closing`: on the disk when the call returns. `ordinary`: survives a killed process, but possibly not a power cut.
 * `withNext`: written together with the next write of another durability.
 */
export type Durability = 'closing' | 'ordinary' | 'withNext'

/** A value that is null fits no range. */
export type Conditions = Readonly<Record<string, Condition>>
export type Condition =
  | Value
  | {
      /** `from` and `to` are inclusive. */
      readonly from?: Value
      readonly to?: Value
      readonly not?: Value
      readonly oneOf?: readonly Value[]
      /** A part of the text, in lower case. Only ASCII letters also match their capitals. */
      readonly holds?: string
    }

export interface Query {
  readonly where?: Conditions
  /** Columns of which at least one must not be 0. */
  readonly someNot0?: readonly string[]
  readonly columns?: readonly string[]
  readonly order?: 'up' | 'down'
  readonly limit?: number
}

/** Returns the form that `holds` expects. SQLite's lower() converts ASCII letters only. */
export const inSmallLetters = (text: string): string => text.toLowerCase()
