/** Tests access the file of a device directly. Compact values are read and written as text. */
import { DatabaseSync } from '../../drivers/host/sqlite.ts'
import type { CompactEncoding } from '../../emulator/fiscal/column-types.ts'
import { decodeCompact, encodeCompact } from '../../emulator/fiscal/compact-encoding.ts'

/**
 * Removes the guards of append-only tables from the file, and adds the SQL functions `decoded(form, value)` and
 * `kept(form, text)`.
 */
export function openUnguarded(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.function('decoded', (form, value) => decodeCompact(form as CompactEncoding, value))
  database.function('kept', (form, text) => encodeCompact(form as CompactEncoding, text as string))
  for (const { name } of database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all())
    database.exec(`DROP TRIGGER ${name}`)
  return database
}
