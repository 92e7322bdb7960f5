/**
 * Replaces the modules that store the device and the operation log in SQLite by tables in memory. Paths are ignored.
 */
import { PlainStore } from '../../../../emulator/fiscal/plain-store.ts'
import type { LogTables } from '../../../../server/operations/log/log-tables.ts'
import { openPlainTables } from '../../../../server/operations/log/plain-tables.ts'

export class SqliteStore extends PlainStore {
  constructor(_path: string) {
    super()
  }
}

export const openSqliteTables = (_place: string): LogTables => openPlainTables()
