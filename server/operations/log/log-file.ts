/**
 * The file in which the service keeps its journal, and what it does when the disk does not take it (decisions 3): every
 * write stands in a queue until the disk has taken it, and the whole queue is tried again, in order, with each further
 * write. A row that is written anew stands last in it, so that the disk never has the end of a request without what was
 * written before. Whoever writes holds in memory what it wrote until then.
 */
import { type DatabaseSync, troubleOf } from '../../../drivers/host/sqlite.ts'
import { fileAt } from '../../same-file.ts'
import { ServiceError } from '../outcome.ts'
import { countBeside, openCountFile } from './count-file.ts'
import type { LogTables } from './log-tables.ts'
import { openSqliteTables } from './sqlite-tables.ts'

export interface LogFile {
  readonly tables: LogTables
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

/** What it reads; the other where the journal cannot be read now. */
export function readOr<Value, Other>(read: () => Value, otherwise: Other): Value | Other {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return otherwise
  }
}

export interface LogSeams {
  /** Before each write; throws as the database does. */
  readonly writing?: () => void
  /** The same before each reading of a service that has started. */
  readonly reading?: () => void
  /** The file was written before, so its count stands beside it: without that it is an error. */
  readonly isKept?: boolean
  /** Why nothing must be written any more, in words: another process may have the data folder. */
  readonly why?: () => string | undefined
}

/** A file, or `:memory:`; a database that is open already; or tables of another kind. */
export type LogLocation = string | DatabaseSync | LogTables

/** What is open already stays open when the journal is closed. */
export function openLogFile(place: LogLocation, { writing, reading, why, isKept = false }: LogSeams = {}): LogFile {
  const path = typeof place === 'string' && place !== ':memory:' ? place : undefined
  const least = path === undefined ? 0 : countBeside(path, isKept)
  const tables = typeof place === 'object' && 'requests' in place ? place : openSqliteTables(place, least)
  const countFile = path === undefined ? undefined : openCountFile(path, tables.count())
  const files = path === undefined ? [] : [{ name: path, changed: fileAt(path) }]
  const queue = new Map<string, { readonly run: () => void; readonly durable: boolean }>()

  let isPutBack = false
  /** A copy of the whole folder that was restored in place has the same files, but an older count. */
  function expectOwnCount(): void {
    isPutBack ||= countFile?.isUnchanged() === false
    if (isPutBack) throw notOurs(`a copy of ${path} was restored while the service was running`)
  }

  /** Checks before each flush that no file was removed or replaced. */
  function expectOwnFiles(): void {
    expectOwnCount()
    for (const { name, changed } of files) {
      const why = changed()
      if (why !== undefined) throw notOurs(`${name} is not the file that this service has opened: ${why}`)
    }
    const other = why?.()
    if (other !== undefined) throw notOurs(other)
  }

  function run(write: () => void, durable: boolean): void {
    if (durable) expectOwnFiles()
    try {
      writing?.()
      tables.transaction(write, durable)
      if (durable) countFile?.write(tables.count())
      // What is written stands in it, until much later it comes into the file itself.
      if (path !== undefined && files.length === 1) files.push({ name: `${path}-wal`, changed: fileAt(`${path}-wal`) })
    } catch (error) {
      throw failure(tables.name, 'write', error)
    }
  }

  function catchUp(): void {
    for (const [slot, { run: write, durable }] of queue) {
      run(write, durable)
      queue.delete(slot)
    }
  }

  return {
    tables,
    read(ask) {
      expectOwnCount()
      try {
        reading?.()
        return ask()
      } catch (error) {
        throw failure(tables.name, 'read', error)
      }
    },
    write(slot, write, durable = false) {
      queue.delete(slot)
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
      const count = countFile ? tables.count() : 0
      if (tables !== place) tables.close()
      // Closing flushes it. A copy that was put back meanwhile is noticed at the next start.
      countFile?.write(count)
      countFile?.close()
    },
  }
}

/** What a disk that fails does not take is known in memory, and written later: `untold` is what it said. */
export function writeOrKeep(write: () => void, untold: (error: ServiceError) => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    untold(error)
  }
}

/** What is written into a file that nobody finds again is not kept: after the next start every key would print again. */
const notOurs = (what: string): ServiceError =>
  refused(
    'nothing',
    `The service must not write its operation log any more: ${what}. It rejects all requests that print. Restore the newest copy of the data folder, then restart the service.`,
  )

/**
 * Who cannot read does not know what was printed under a key, or for an order: never is that told as nothing.
 * Anything but a word of the database is a mistake of this program, and stays one.
 */
function failure(name: string, done: 'read' | 'write', error: unknown): unknown {
  const trouble = troubleOf(error)
  if (!trouble) return error
  const { why } = trouble
  const text = `The service cannot ${done} its operation log (${name}): ${why}. Until this is fixed, it rejects all requests that print.`
  return refused(done === 'read' ? 'unknown' : 'nothing', text, error)
}

const refused = (effect: 'unknown' | 'nothing', text: string, error?: unknown): ServiceError =>
  new ServiceError({ status: 503, effect, reasons: [{ kind: 'text', text, about: 'journal' }] }, error)
