/**
 * Rows of the operation log. `openSqliteTables` stores them in a database, `openPlainTables` in memory for simulated
 * runs.
 */

/** The times at which a row was written, or at or before which a row is old. */
export interface Times {
  /** Time of the wall clock. */
  readonly at: number
  /** Time that services have run with this log, in ms. Unlike the wall clock, it cannot be set. */
  readonly counted: number
}

export interface RequestRow extends Times {
  readonly id: number
  readonly key: string | null
  readonly name: string
  readonly fingerprint: string
  /** JSON of the entry. */
  readonly record: string
  /** `null`: not answered. */
  readonly status: number | null
  readonly body: string | null
}

export interface PrintRow extends Times {
  readonly key: string
  readonly part: number
  readonly shop: string | null
  readonly order_id: string | null
  readonly token: string | null
  readonly effect: string | null
  readonly number: string | null
  /** JSON of the printed receipt of an order. */
  readonly receipt: string | null
}

export interface OpenedRow {
  readonly serial: string
  readonly number: number
  /**
   * 1: it is unknown whether a single step has opened the receipt; 2: the same for a whole receipt whose request has
   * ended.
   */
  readonly unheard: 0 | 1 | 2
}

/** The reason why the file cannot be used as a log. */
export class UnusableLog extends Error {}
export const PUT_BACK =
  'Without its records a retry would print a second time: restore the newest backup of it with its -wal file and answers.count'

/** Writing methods are called within `transaction` only. */
export interface LogTables {
  readonly name: string
  /** Executes all writes, or none. `isDurable`: returns after the data is on the disk. Throws as the database does. */
  transaction(write: () => void, isDurable: boolean): void
  close(): void

  readonly requests: {
    withKey(key: string): RequestRow | undefined
    /** Returns the requests without an answer, oldest first. */
    open(): readonly RequestRow[]
    lastId(): number
    /** Replaces the rows with the same id or the same key. */
    put(row: RequestRow): void
    remove(id: number): void
    /** Removes old requests that have an answer. */
    expire(before: Times): void
  }

  readonly prints: {
    /** Returns the prints, oldest first. */
    rowsOfOrder(shop: string, order: string): readonly PrintRow[]
    rowsOfToken(shop: string, token: string): readonly PrintRow[]
    rowsOfKey(key: string): readonly PrintRow[]
    /** Replaces the row with the same key and part. */
    put(row: PrintRow): void
    remove(key: string, part: number): void
    /** Removes old prints without an order, except those of jobs that have a request without an answer. */
    expire(before: Times): void
    /** Sets the times of the prints with this key and without an order. */
    keep(key: string, times: Times): void
  }

  /** Last receipt of each device that a request opened step by step, or was about to open, and did not close. */
  readonly opened: {
    all(): readonly OpenedRow[]
    /** Replaces the row of the same device. */
    put(row: OpenedRow): void
    remove(serial: string): void
  }

  count(): number

  /** Time that services have run with this log, in ms. */
  readonly passed: {
    get(): number
    set(ms: number): void
  }
}
