import { DatabaseSync } from 'node:sqlite'

/**
 * Which orders were printed, kept on disk (decisions 3, "Printing a platform order again"). A row is written before the
 * device is touched; a row without a number is a print whose end this process has not seen.
 */
export interface OrderPrint {
  readonly shop: string
  readonly order: string
  /** Identity of the session token that asked for it. */
  readonly token: string
  /** Under which the service keeps the answer (`Idempotency-Key`). */
  readonly key: string
  readonly at: number
  /** Undefined: begun. */
  readonly receipt: string | undefined
}

export interface OrderPrints {
  /** Prints of this order, oldest first. */
  of(shop: string, order: string): readonly OrderPrint[]
  /** The order that this token has asked to print, if any. */
  byToken(shop: string, token: string): string | undefined
  begin(print: Omit<OrderPrint, 'receipt'>): void
  finish(key: string, receipt: string): void
  forget(key: string): void
  close(): void
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS order_prints (
    key           TEXT PRIMARY KEY,
    shop          TEXT NOT NULL,
    order_id      TEXT NOT NULL,
    token         TEXT NOT NULL,
    at            INTEGER NOT NULL,
    receipt       TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS order_prints_by_order ON order_prints (shop, order_id);
  CREATE INDEX IF NOT EXISTS order_prints_by_token ON order_prints (shop, token)`

/** `path` is a file, or `:memory:`. */
export function openOrderPrints(path: string): OrderPrints {
  const database = new DatabaseSync(path)
  database.exec(SCHEMA)
  const byOrder = database.prepare('SELECT * FROM order_prints WHERE shop = ? AND order_id = ? ORDER BY at, rowid')
  const byToken = database.prepare('SELECT order_id FROM order_prints WHERE shop = ? AND token = ? LIMIT 1')
  const insert = database.prepare(
    'INSERT OR REPLACE INTO order_prints (key, shop, order_id, token, at) VALUES (?, ?, ?, ?, ?)',
  )
  const finish = database.prepare('UPDATE order_prints SET receipt = ? WHERE key = ?')
  const remove = database.prepare('DELETE FROM order_prints WHERE key = ?')
  return {
    of: (shop, order) =>
      byOrder.all(shop, order).map((row) => ({
        shop,
        order,
        token: String(row['token']),
        key: String(row['key']),
        at: Number(row['at']),
        receipt: row['receipt'] === null ? undefined : String(row['receipt']),
      })),
    byToken: (shop, token) => {
      const row = byToken.get(shop, token)
      return row && String(row['order_id'])
    },
    begin: ({ key, shop, order, token, at }) => void insert.run(key, shop, order, token, at),
    finish: (key, receipt) => void finish.run(receipt, key),
    forget: (key) => void remove.run(key),
    close: () => database.close(),
  }
}
