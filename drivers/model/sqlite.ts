/** SQLite of Node, with what its oldest edition that we run on (22.13) does not have yet. */
import type * as sqlite from 'node:sqlite'
import { withoutAgeWarning } from './age-warning.ts'

export const { DatabaseSync } = withoutAgeWarning(() => process.getBuiltinModule('node:sqlite'))
export type DatabaseSync = sqlite.DatabaseSync

/** The path of its file; empty for one in memory. */
export const fileOf = (database: DatabaseSync): string =>
  String(database.prepare('PRAGMA database_list').get()?.['file'] ?? '')

export interface StoreTrouble {
  /** Whom it has to do with: another program, the disk, or the file itself. */
  readonly kind: 'held' | 'disk' | 'damaged'
  readonly why: string
  /** In SQLite's own words. */
  readonly message: string
}

const DISK_ERROR: Omit<StoreTrouble, 'message'> = { kind: 'disk', why: 'the disk reports an error' }
const DAMAGED: Omit<StoreTrouble, 'message'> = { kind: 'damaged', why: 'it is damaged' }
const HELD: Omit<StoreTrouble, 'message'> = { kind: 'held', why: 'another program holds it locked' }

/** By SQLite's primary result codes. */
const TROUBLES: ReadonlyMap<number, Omit<StoreTrouble, 'message'>> = new Map([
  [5, HELD],
  [6, HELD],
  [8, { kind: 'disk', why: 'it is read-only' }],
  [10, DISK_ERROR],
  [11, DAMAGED],
  [13, { kind: 'disk', why: 'the disk is full' }],
  [14, { kind: 'disk', why: 'it cannot be opened' }],
  [26, DAMAGED],
])

/** Why a database file could not be used; undefined: the error is none of the database's. */
export function troubleOf(error: unknown): StoreTrouble | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined
  const { message } = error
  return { message, ...(TROUBLES.get(Number(error.errcode) & 0xff) ?? { ...DISK_ERROR, why: message }) }
}

/** Ends a transaction of which a write has failed. A full disk may have ended it already: there is nothing left to do. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // No transaction was under way.
  }
}
