/**
 * The file in which the service keeps its journal, and what it does when the disk does not take it (decisions 3): every
 * write stands in a queue until the disk has taken it, and the whole queue is tried again, in order, with each further
 * write. Whoever writes holds in memory what it wrote until then.
 */
import { DatabaseSync, fileOf, rollBack } from '../../drivers/model/sqlite.ts'
import { ServiceError } from '../outcome.ts'

/** Another program may look into the file for a moment. The service does nothing else while it waits. */
const BUSY_MS = 500

export interface JournalFile {
  readonly database: DatabaseSync
  /** Throws ServiceError, 503, when the file cannot be read. */
  read<T>(ask: () => T): T
  /**
   * `slot`: names the row; what was to be written there before, and is not yet, is left out. Throws ServiceError, 503,
   * when the disk has not taken it; it is tried again later.
   */
  write(slot: string, run: () => void, durable?: boolean): void
  /** The same for what must not be written later: nothing is queued. */
  writeNow(run: () => void): void
  isWritten(slot: string): boolean
  /** Tries what is queued. Throws as `write` does. */
  catchUp(): void
  /** Tries a last time, and closes the file. */
  close(): void
}

export interface JournalSeams {
  /** Before each write; throws as the database does. */
  readonly writing?: () => void
}

/** `path` is a file, or `:memory:`; a database that is open already stays open when it is closed. */
export function openJournalFile(path: string | DatabaseSync, { writing }: JournalSeams = {}): JournalFile {
  const database = typeof path === 'string' ? new DatabaseSync(path) : path
  const name = fileOf(database) || 'in memory'
  if (typeof path === 'string') database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  const queue = new Map<string, { readonly run: () => void; readonly durable: boolean }>()

  /** Only what cannot be done without costs a flush of the disk. */
  function run(write: () => void, durable: boolean): void {
    if (durable) database.exec('PRAGMA synchronous = FULL')
    try {
      writing?.()
      database.exec('BEGIN IMMEDIATE')
      write()
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw failure(name, 'written', error)
    } finally {
      if (durable) database.exec('PRAGMA synchronous = NORMAL')
    }
  }

  function catchUp(): void {
    for (const [slot, { run: write, durable }] of queue) {
      run(write, durable)
      queue.delete(slot)
    }
  }

  return {
    database,
    read(ask) {
      try {
        return ask()
      } catch (error) {
        throw failure(name, 'read', error)
      }
    },
    write(slot, write, durable = false) {
      queue.set(slot, { run: write, durable })
      catchUp()
    },
    writeNow(write) {
      catchUp()
      run(write, true)
    },
    isWritten: (slot) => !queue.has(slot),
    catchUp,
    close() {
      try {
        catchUp()
      } catch {
        // The device tells the next service what this one could not write down.
      }
      if (typeof path === 'string') database.close()
    },
  }
}

/** SQLite's primary result codes. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [5, 'another program holds it locked'],
  [6, 'another program holds it locked'],
  [8, 'it is read-only'],
  [10, 'the disk reports an error'],
  [11, 'it is damaged'],
  [13, 'the disk is full'],
  [14, 'it cannot be opened'],
  [26, 'it is damaged'],
])

/** Anything but a word of the database is a mistake of this program, and stays one. */
function failure(name: string, done: 'read' | 'written', error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error
  const why = REASONS.get(Number(error.errcode) & 0xff) ?? error.message
  const text = `The journal of the service (${name}) cannot be ${done}: ${why}. Requests that print are refused until it can be.`
  return new ServiceError(
    { status: 503, effect: 'nothing', reasons: [{ kind: 'said', text, about: 'journal' }] },
    error,
  )
}
