/**
 * What the service keeps on disk about its requests (decisions 3): the intent journal, which says what was under way
 * on the device, and for 24 hours the answers to requests with an `Idempotency-Key`.
 *
 * A commit that survives a power failure of this computer costs a flush of the disk, so only what recovery cannot do
 * without is flushed: that a receipt was begun, and that its paying began. Everything else survives the end of the
 * process; after a power failure the device itself tells the rest (settle.ts).
 */
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../drivers/model/clock.ts'
import type { Reply } from '../envelope.ts'
import type { Outcome } from '../outcome.ts'
import type { ProgressRecord } from './progress.ts'

export const KEY_LENGTH_MAX = 128
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

/** A request as the journal names it. */
export interface Intent {
  /** The endpoint's path. */
  readonly name: string
  /** `Idempotency-Key`. */
  readonly key?: string
  /** Of path and body. */
  readonly fingerprint: string
}

export type Kept =
  | { readonly state: 'answered'; readonly fingerprint: string; readonly reply: Reply }
  | { readonly state: 'begun'; readonly fingerprint: string; readonly record: ProgressRecord }

/** A request whose end was not seen. */
export interface Unfinished {
  readonly id: number
  readonly name: string
  readonly key?: string
  readonly record: ProgressRecord
}

export interface Answers {
  find(key: string): Kept | undefined
  /** Before the first command that may print. It is on the disk when this returns. */
  begin(intent: Intent, record: ProgressRecord): number
  /** `durable`: on the disk when this returns. */
  advance(id: number, record: ProgressRecord, durable: boolean): void
  /** Keeps the answer under the request's key. */
  answer(id: number, reply: Reply): void
  /** Nothing is left to settle, and nothing to be answered again. */
  forget(id: number): void
  /** Oldest first. */
  unfinished(): readonly Unfinished[]
  close(): void
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS requests (
    id          INTEGER PRIMARY KEY,
    key         TEXT UNIQUE,
    name        TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at          INTEGER NOT NULL,
    counted     INTEGER NOT NULL,
    record      TEXT NOT NULL,
    status      INTEGER,
    body        TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS passed (ms INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS requests_answered ON requests (at) WHERE status IS NOT NULL;
  CREATE INDEX IF NOT EXISTS requests_unfinished ON requests (id) WHERE status IS NULL`

/** `path` is a file, or `:memory:`. */
export function openAnswers(path: string, clock: Clock): Answers {
  const database = new DatabaseSync(path)
  database.exec(SCHEMA)
  // A file of version 0.1 knows the wall clock only.
  if (!database.prepare("SELECT 1 FROM pragma_table_info('requests') WHERE name = 'counted'").get())
    database.exec('ALTER TABLE requests ADD COLUMN counted INTEGER NOT NULL DEFAULT 0')
  const counter = countedTime(database, clock)
  const select = database.prepare('SELECT fingerprint, record, status, body FROM requests WHERE key = ?')
  const insert = database.prepare(
    'INSERT OR REPLACE INTO requests (key, name, fingerprint, at, counted, record) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const advance = database.prepare('UPDATE requests SET record = ? WHERE id = ?')
  const answer = database.prepare(
    "UPDATE requests SET status = ?, body = ?, at = ?, counted = ?, record = json_set(record, '$.outcome', json(?)) WHERE id = ?",
  )
  const remove = database.prepare('DELETE FROM requests WHERE id = ?')
  const expire = database.prepare('DELETE FROM requests WHERE status IS NOT NULL AND at <= ? AND counted <= ?')
  const unfinished = database.prepare('SELECT id, key, name, record FROM requests WHERE status IS NULL ORDER BY id')

  function durably<T>(write: () => T): T {
    database.exec('PRAGMA synchronous = FULL')
    try {
      return write()
    } finally {
      database.exec('PRAGMA synchronous = NORMAL')
    }
  }

  /** An hour that is lost with a service that dies keeps an answer longer, never shorter. */
  function times(): [at: number, counted: number] {
    counter.keep()
    return [clock.wallTime(), counter.now()]
  }

  return {
    find(key) {
      expire.run(clock.wallTime() - KEPT_FOR_MS, counter.now() - KEPT_FOR_MS)
      const row = select.get(key)
      if (!row) return undefined
      const fingerprint = String(row['fingerprint'])
      const { outcome, ...record } = recordIn(row['record'])
      if (row['status'] === null) return { state: 'begun', fingerprint, record }
      const reply = { status: Number(row['status']), body: String(row['body']), ...(outcome && { outcome }) }
      return { state: 'answered', fingerprint, reply }
    },
    begin({ key = null, name, fingerprint }: { key?: string | null; name: string; fingerprint: string }, record) {
      const row = [key, name, fingerprint, ...times(), JSON.stringify(record)] as const
      return Number(durably(() => insert.run(...row)).lastInsertRowid)
    },
    advance(id, record, durable) {
      const write = () => advance.run(JSON.stringify(record), id)
      if (durable) durably(write)
      else write()
    },
    answer: (id, { status, body, outcome = null }: Omit<Reply, 'outcome'> & { outcome?: Outcome | null }) =>
      void answer.run(status, body, ...times(), JSON.stringify(outcome), id),
    forget: (id) => void remove.run(id),
    unfinished: () =>
      unfinished.all().map((row) => ({
        id: Number(row['id']),
        name: String(row['name']),
        ...(row['key'] === null ? {} : { key: String(row['key']) }),
        record: recordIn(row['record']),
      })),
    close() {
      counter.keep()
      database.close()
    },
  }
}

/**
 * The time that services have run over this file. The wall clock may be set; an answer is old when both say so.
 */
function countedTime(database: DatabaseSync, clock: Clock): { now(): number; keep(): void } {
  database.exec('INSERT INTO passed SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM passed)')
  const before = Number(database.prepare('SELECT ms FROM passed').get()?.['ms'])
  const began = clock.now()
  const write = database.prepare('UPDATE passed SET ms = ?')
  const now = () => before + Math.floor(clock.now() - began)
  return { now, keep: () => void write.run(now()) }
}

/** An answered row holds its outcome beside how far it had come. */
const recordIn = (text: unknown): ProgressRecord & { readonly outcome?: Outcome } => JSON.parse(String(text))
