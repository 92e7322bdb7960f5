/**
 * The file of the operation log, and the queue of writes that the disk did not accept (decisions 3). Each write first
 * writes the queue, in order. A row that is written again moves to the end of the queue, so that the disk never
 * contains the end of a request without earlier writes of other rows.
 */
import { type DatabaseSync, troubleOf } from '../../../drivers/host/sqlite.ts'
import { fileAt } from '../../file-identity.ts'
import { ServiceError } from '../outcome.ts'
import { countNextToLog, openCountFile } from './count-file.ts'
import type { LogTables } from './log-tables.ts'
import { openSqliteTables } from './sqlite-tables.ts'

export interface LogFile {
  readonly tables: LogTables
  /** Throws ServiceError (503) if the file cannot be read. */
  read<T>(ask: () => T): T
  /**
   * `slot` names the row. A queued write of the same row is dropped. Throws ServiceError (503) if the disk does not
   * accept the write, which then remains in the queue.
   */
  write(slot: string, run: () => void, durable?: boolean): void
  /** Writes without the queue. A record that the disk does not accept is not written later. */
  writeNow(run: () => void): void
  isWritten(slot: string): boolean
  catchUp(): void
  close(): void
}

export function readOr<Value, Other>(read: () => Value, otherwise: Other): Value | Other {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return otherwise
  }
}

export interface LogSeams {
  readonly writing?: () => void
  readonly reading?: () => void
  /** True if the log was written before. A missing count file is then an error. */
  readonly existedBefore?: boolean
  /** Returns a reason if another process may use the data folder, so that nothing must be written. */
  readonly why?: () => string | undefined
}

/** A path or `:memory:`, an open database, or tables of another kind. */
export type LogLocation = string | DatabaseSync | LogTables

/** Opens the log. A database or tables that the caller opened remain open when the log is closed. */
export function openLogFile(
  place: LogLocation,
  { writing, reading, why, existedBefore = false }: LogSeams = {},
): LogFile {
  const path = typeof place === 'string' && place !== ':memory:' ? place : undefined
  const least = path === undefined ? 0 : countNextToLog(path, existedBefore)
  const tables = typeof place === 'object' && 'requests' in place ? place : openSqliteTables(place, least)
  const countFile = path === undefined ? undefined : openCountFile(path, tables.count())
  const files = path === undefined ? [] : [{ name: path, changed: fileAt(path) }]
  const queue = new Map<string, { readonly run: () => void; readonly durable: boolean }>()

  let isPutBack = false
  function expectOwnCount(): void {
    isPutBack ||= countFile?.isUnchanged() === false
    if (isPutBack) throw notOurs(`a copy of ${path} was restored while the service was running`)
  }

  /**
   * Throws if a file of the log was removed or replaced, or if a copy of the folder was restored in place, in which the
   * files are the same but the count is older. Called before each flush.
   */
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
      // The first write creates the -wal file, which contains the data until the next checkpoint.
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
        // The next service queries the device for the data that could not be written.
      }
      const count = countFile ? tables.count() : 0
      if (tables !== place) tables.close()
      // Closing flushes the log, so the count may be written.
      countFile?.write(count)
      countFile?.close()
    },
  }
}

/** Writes a record. If the disk fails, the record remains in memory and is written later. */
export function writeOrKeep(write: () => void, onFailure: (error: ServiceError) => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    onFailure(error)
  }
}

/** Returns the error for a log whose file was replaced. No later service would read its records. */
const notOurs = (what: string): ServiceError =>
  refused(
    'nothing',
    `The service can no longer write its operation log: ${what}. It rejects all requests that print. Stop the service, restore the newest copy of the data folder, and start the service again.`,
  )

/**
 * Converts an error of the database. A service that cannot read the log does not know what was printed, so its answer
 * must not say that nothing was printed. Other errors are bugs and are returned unchanged.
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
