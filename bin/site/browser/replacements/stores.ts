/** Books and operation log without a database: replaces the modules over SQLite in a browser. */
import { PlainStore } from '../../../../emulator/fiscal/plain-store.ts'
import type { LogTables } from '../../../../server/operations/log/log-tables.ts'
import { openPlainTables } from '../../../../server/operations/log/plain-tables.ts'

/** A store with rows in memory; the path is ignored. */
export class SqliteStore extends PlainStore {
  constructor(_path: string) {
    super()
  }
}

/** Returns tables with rows in memory; the path is ignored. */
export const openSqliteTables = (_place: string): LogTables => openPlainTables()
