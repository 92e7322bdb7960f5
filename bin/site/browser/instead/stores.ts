/** Books and operation log without a database: take the place of the modules over SQLite in a browser. */
import { PlainStore } from '../../../../emulator/fiscal/plain-store.ts'
import type { JournalTables } from '../../../../server/operations/log/journal-tables.ts'
import { openPlainTables } from '../../../../server/operations/log/plain-tables.ts'

/** In memory, whatever the path. */
export class SqliteStore extends PlainStore {
  constructor(_path: string) {
    super()
  }
}

/** In memory, whatever the place. */
export const openSqliteTables = (_place: string): JournalTables => openPlainTables()
