/** SQLite of Node, with what its oldest edition that we run on (22.13) does not have yet. */
import type * as sqlite from 'node:sqlite'
import { withoutAgeWarning } from './age-warning.ts'

export const { DatabaseSync } = withoutAgeWarning(() => process.getBuiltinModule('node:sqlite'))
export type DatabaseSync = sqlite.DatabaseSync

/** The path of its file; empty for one in memory. */
export const fileOf = (database: DatabaseSync): string =>
  String(database.prepare('PRAGMA database_list').get()?.['file'] ?? '')

/** Ends a transaction of which a write has failed. A full disk may have ended it already: there is nothing left to do. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // No transaction was under way.
  }
}
