/** Replaces the modules that store the device and the operation log in SQLite. */
import { PlainStore } from '../../../../emulator/fiscal/plain-store.ts'
import type { LogTables } from '../../../../server/operations/log/log-tables.ts'
import { openPlainTables } from '../../../../server/operations/log/plain-tables.ts'

/** Stores rows in memory and ignores the path. */
export class SqliteStore extends PlainStore {
  constructor(_path: string) {
    super()
  }
}

/** Returns tables in memory and ignores the path. */
export const openSqliteTables = (_place: string): LogTables => openPlainTables()
