/**
 * Rows of the operation log. `openSqliteTables` stores them in a database, `openPlainTables` in memory, for simulated
 * runs.
 */

/** Times at which a row was written, or the latest times of rows that count as old. */
export interface Times {
  readonly at: number
  /** Time during which services have run with this log, in ms. Unlike the wall clock, it cannot be set. */
  readonly counted: number
}

export interface RequestRow extends Times {
  readonly id: number
  readonly key: string | null
  readonly name: string
  readonly fingerprint: string
  readonly record: string
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
   * 0: the receipt is known to be open. 1: it is unknown whether a single step opened it. 2: it is unknown whether a
   * request for a whole receipt, which has ended, opened it.
   */
  readonly unheard: 0 | 1 | 2
}

export class UnusableLog extends Error {}
export const PUT_BACK =
  'Without its records a retry would print a second time: restore the newest backup of it with its -wal file and answers.count'

/** Methods that write must be called inside `transaction`. */
export interface LogTables {
  readonly name: string
  /**
   * Executes all writes or none. If `isDurable` is true, returns when the data is on the disk. Throws the errors of the
   * database.
   */
  transaction(write: () => void, isDurable: boolean): void
  close(): void

  readonly requests: {
    withKey(key: string): RequestRow | undefined
    open(): readonly RequestRow[]
    lastId(): number
    /** Replaces rows with the same id or the same key. */
    put(row: RequestRow): void
    remove(id: number): void
    /** Removes old requests that have an answer. */
    expire(before: Times): void
  }

  readonly prints: {
    rowsOfOrder(shop: string, order: string): readonly PrintRow[]
    rowsOfToken(shop: string, token: string): readonly PrintRow[]
    rowsOfKey(key: string): readonly PrintRow[]
    put(row: PrintRow): void
    remove(key: string, part: number): void
    /** Removes old prints without an order, except those of jobs whose request has no answer. */
    expire(before: Times): void
    keep(key: string, times: Times): void
  }

  /**
   * The last receipt of each device that a request opened step by step, or was about to open, and that no request
   * closed.
   */
  readonly opened: {
    all(): readonly OpenedRow[]
    put(row: OpenedRow): void
    remove(serial: string): void
  }

  count(): number

  readonly passed: {
    get(): number
    set(ms: number): void
  }
}
