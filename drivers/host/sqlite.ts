import { statSync } from 'node:fs'
import type * as sqlite from 'node:sqlite'
import { withoutExperimentalWarnings } from './experimental-warnings.ts'

export const { DatabaseSync } = withoutExperimentalWarnings(() => process.getBuiltinModule('node:sqlite'))
export type DatabaseSync = sqlite.DatabaseSync

const CANNOT_OPEN = 14

/**
 * Opens a database file that another person may have created. Throws an SQLite error for anything but a regular file,
 * because a pipe would block the process. In read-only mode, also throws for a file with views, because reading a view
 * may never end.
 */
export function openDatabase(path: string, options: { readonly readOnly?: boolean } = {}): DatabaseSync {
  if (path !== ':memory:' && statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw cannotOpen('it is not a regular file')
  const database = new DatabaseSync(path, options)
  try {
    if (options.readOnly && database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'view'").get())
      throw cannotOpen('it contains views, which this program never creates')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const cannotOpen = (message: string): Error => Object.assign(new Error(message), { errcode: CANNOT_OPEN })

export const fileOf = (database: DatabaseSync): string =>
  String(database.prepare('PRAGMA database_list').get()?.['file'] ?? '')

export interface StoreTrouble {
  readonly kind: 'held' | 'disk' | 'damaged'
  readonly why: string
  readonly message: string
}

const DISK_ERROR: Omit<StoreTrouble, 'message'> = { kind: 'disk', why: 'the disk reports an error' }
const DAMAGED_STORE: Omit<StoreTrouble, 'message'> = { kind: 'damaged', why: 'it is damaged' }
const HELD_STORE: Omit<StoreTrouble, 'message'> = { kind: 'held', why: 'another program has locked it' }

const TROUBLES: ReadonlyMap<number, Omit<StoreTrouble, 'message'>> = new Map([
  [5, HELD_STORE],
  [6, HELD_STORE],
  [8, { kind: 'disk', why: 'it is read-only' }],
  [10, DISK_ERROR],
  [11, DAMAGED_STORE],
  [13, { kind: 'disk', why: 'the disk is full' }],
  [14, { kind: 'disk', why: 'it cannot be opened' }],
  [26, DAMAGED_STORE],
])

/** Returns the reason why a database file cannot be used; `undefined` if the error is not an error of the database. */
export function troubleOf(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  const { message } = error
  return { message, ...(TROUBLES.get(Number(error.errcode) & 0xff) ?? { ...DISK_ERROR, why: message }) }
}

/** Rolls back after a failed write. A full disk may already have ended the transaction, so errors are ignored. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {}
}
