/**
 * What the operation log holds, as rows. `SqliteTables` keeps them in a database, `PlainTables` in memory, for
 * simulated runs.
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
  /** JSON: the receipt as it was printed, of an order. */
  readonly receipt: string | null
}

export interface OpenedRow {
  /** Of the device. */
  readonly serial: string
  readonly number: number
  /** 1: whether the step has opened it is not known; 2: nor whether a whole receipt has, which does not go on. */
  readonly unheard: 0 | 1 | 2
}

/** Bounds of both times of a row, included. */
export interface Before {
  readonly at: number
  readonly counted: number
}

/** The file is no log that can be gone on with: why. */
export class UnusableLog extends Error {}
export const PUT_BACK =
  'Without what it held a repeat would print a second time: put back the newest copy of it with its -wal file and answers.count'

/** What writes is called within `transaction` only. */
export interface LogTables {
  /** For messages. */
  readonly name: string
  /** All that `write` does, or nothing. `isDurable`: on the disk when this returns. Throws as the database does. */
  transaction(write: () => void, isDurable: boolean): void
  close(): void

  readonly requests: {
    /** Of these no two have the same key. */
    withKey(key: string): RequestRow | undefined
    /** Those without an answer, oldest first. */
    open(): readonly RequestRow[]
    /** 0: there is none. */
    lastId(): number
    /** In place of those with its number or its key. */
    put(row: RequestRow): void
    remove(id: number): void
    /** Those that have an answer. */
    expire(before: Before): void
  }

  readonly prints: {
    /** Oldest first. */
    ofOrder(shop: string, order: string): readonly PrintRow[]
    ofToken(shop: string, token: string): readonly PrintRow[]
    /** By their parts. */
    ofKey(key: string): readonly PrintRow[]
    /** In place of the one with its key and part. */
    put(row: PrintRow): void
    remove(key: string, part: number): void
    /** Those of no order, but for the parts of a job whose request is without an answer. */
    expire(before: Before): void
    /** Those of this key and no order are as old from now on as what was written then. */
    keep(key: string, times: Pick<PrintRow, 'at' | 'counted'>): void
  }

  /** The receipt that a request has opened last and left open, or was about to open, of each device. */
  readonly opened: {
    all(): readonly OpenedRow[]
    /** In place of the one of its device. */
    put(row: OpenedRow): void
    remove(serial: string): void
  }

  /** Transactions that it has taken, in all its lives. */
  count(): number

  /** Milliseconds that services have run over this journal. */
  readonly passed: {
    get(): number
    set(ms: number): void
  }
}
