/** Books and operation log without a database: take the place of the modules over SQLite in a browser. */
import { PlainStore } from '../../../../emulator/fiscal/plain-store.ts'

export { openPlainTables as openSqliteTables } from '../../../../server/operations/log/plain-tables.ts'

export class SqliteStore extends PlainStore {}
