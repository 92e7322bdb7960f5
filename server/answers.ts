/**
 * Answers kept for `Idempotency-Key` (decisions 3): on disk, for 24 hours. A row is written before the device is
 * touched and says how far the request has got, so that after a crash the repeat can settle what happened.
 */
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../drivers/model/clock.ts'
import { NOT_BEGUN, type ProgressRecord } from './progress.ts'

export const KEY_LENGTH_MAX = 128
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

export interface Reply {
  readonly status: number
  /** JSON text of the whole envelope. */
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Kept =
  | { readonly state: 'answered'; readonly fingerprint: string; readonly reply: Reply }
  | { readonly state: 'begun'; readonly fingerprint: string; readonly record: ProgressRecord }

/** What the service needs of it; a later store may keep more. */
export interface Answers {
  find(key: string): Kept | undefined
  /** Before the device is touched. */
  begin(key: string, fingerprint: string): void
  advance(key: string, record: ProgressRecord): void
  answer(key: string, reply: Reply): void
  /** Nothing was printed: the next request with this key is simply tried. */
  forget(key: string): void
  /** Requests that were under way when the service ended, oldest first. */
  unfinished(): readonly { readonly key: string; readonly record: ProgressRecord }[]
  close(): void
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS answers (
    key         TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    at          INTEGER NOT NULL,
    record      TEXT NOT NULL,
    status      INTEGER,
    body        TEXT
  ) STRICT`

/** `path` is a file, or `:memory:`. */
export function openAnswers(path: string, clock: Clock): Answers {
  const database = new DatabaseSync(path)
  database.exec(SCHEMA)
  const select = database.prepare('SELECT fingerprint, record, status, body FROM answers WHERE key = ?')
  const insert = database.prepare('INSERT OR REPLACE INTO answers (key, fingerprint, at, record) VALUES (?, ?, ?, ?)')
  const advance = database.prepare('UPDATE answers SET record = ? WHERE key = ?')
  const answer = database.prepare('UPDATE answers SET status = ?, body = ? WHERE key = ?')
  const remove = database.prepare('DELETE FROM answers WHERE key = ?')
  const expire = database.prepare('DELETE FROM answers WHERE at <= ?')
  const unfinished = database.prepare('SELECT key, record FROM answers WHERE status IS NULL ORDER BY at')

  return {
    find(key) {
      expire.run(clock.now() - KEPT_FOR_MS)
      const row = select.get(key)
      if (!row) return undefined
      const fingerprint = String(row['fingerprint'])
      if (row['status'] === null) {
        return { state: 'begun', fingerprint, record: JSON.parse(String(row['record'])) as ProgressRecord }
      }
      return { state: 'answered', fingerprint, reply: { status: Number(row['status']), body: String(row['body']) } }
    },
    begin: (key, fingerprint) => void insert.run(key, fingerprint, clock.now(), JSON.stringify(NOT_BEGUN)),
    advance: (key, record) => void advance.run(JSON.stringify(record), key),
    answer: (key, { status, body }) => void answer.run(status, body, key),
    forget: (key) => void remove.run(key),
    unfinished: () =>
      unfinished
        .all()
        .map((row) => ({ key: String(row['key']), record: JSON.parse(String(row['record'])) as ProgressRecord })),
    close: () => database.close(),
  }
}
