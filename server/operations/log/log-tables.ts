/**
 * The content of the operation log, as rows. `openSqliteTables` stores them in a database, `openPlainTables` in memory,
 * for simulated runs.
 */

export interface RequestRow {
  readonly id: number
  readonly key: string | null
  readonly name: string
  readonly fingerprint: string
  readonly at: number
  readonly counted: number
  /** JSON. */
  readonly record: string
  /** Null: without an answer. */
  readonly status: number | null
  readonly body: string | null
}

export interface PrintRow {
  readonly key: string
  readonly part: number
  readonly shop: string | null
  readonly order_id: string | null
  readonly token: string | null
  readonly at: number
  readonly counted: number
  readonly effect: string | null
  readonly number: string | null
  /** JSON: the receipt of an order as it was printed. */
  readonly receipt: string | null
}

export interface OpenedRow {
  /** Serial number of the device. */
  readonly serial: string
  readonly number: number
  /** 1: unknown whether the step has opened it; 2: unknown whether a whole receipt has, which will not continue. */
  readonly unheard: 0 | 1 | 2
}

/** Bounds of both times of a row, included. */
export interface AgeBounds {
  readonly at: number
  readonly counted: number
}

/** An error with the reason why the file cannot be used as a log. */
export class UnusableLog extends Error {}
export const PUT_BACK =
  'Without its records a retry would print a second time: restore the newest backup of it with its -wal file and answers.count'

/** Tables of the log. Writing methods are called within `transaction` only. */
export interface LogTables {
  /** Name for messages. */
  readonly name: string
  /**
   * Executes all writes of `write`, or none. `isDurable`: returns after the data is on the disk. Throws as the database
   * does.
   */
  transaction(write: () => void, isDurable: boolean): void
  close(): void

  readonly requests: {
    /** Returns the request with this key; no two have the same. */
    withKey(key: string): RequestRow | undefined
    /** Returns the requests without an answer, oldest first. */
    open(): readonly RequestRow[]
    /** Returns the highest id; 0: there is none. */
    lastId(): number
    /** Writes a row, in place of those with its number or its key. */
    put(row: RequestRow): void
    remove(id: number): void
    /** Removes old requests that have an answer. */
    expire(before: AgeBounds): void
  }

  readonly prints: {
    /** Returns the prints, oldest first. */
    rowsOfOrder(shop: string, order: string): readonly PrintRow[]
    rowsOfToken(shop: string, token: string): readonly PrintRow[]
    /** Returns the prints, by their parts. */
    rowsOfKey(key: string): readonly PrintRow[]
    /** Writes a row, in place of the one with its key and part. */
    put(row: PrintRow): void
    remove(key: string, part: number): void
    /** Removes old prints without an order, except parts of a job whose request has no answer. */
    expire(before: AgeBounds): void
    /** Sets the times of the prints with this key and no order. */
    keep(key: string, times: Pick<PrintRow, 'at' | 'counted'>): void
  }

  /** The receipt that a request has last opened and not closed, or was about to open, of each device. */
  readonly opened: {
    all(): readonly OpenedRow[]
    /** Writes a row, in place of the one of its device. */
    put(row: OpenedRow): void
    remove(serial: string): void
  }

  /** Returns the number of transactions since the file was created. */
  count(): number

  /** Milliseconds that services have run with this log. */
  readonly passed: {
    get(): number
    set(ms: number): void
  }
}
