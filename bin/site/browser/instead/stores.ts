/** Books and operation log without a database: take the place of the modules over SQLite in a browser. */
import { PlainStore } from '../../../../emulator/fiscal/plain-store.ts'
import type { LogTables } from '../../../../server/operations/log/log-tables.ts'
import { openPlainTables } from '../../../../server/operations/log/plain-tables.ts'

/** Rows in memory; the path does not matter. */
export class SqliteStore extends PlainStore {
  constructor(_path: string) {
    super()
  }
}

/** Rows in memory; the place does not matter. */
export const openSqliteTables = (_place: string): LogTables => openPlainTables()
