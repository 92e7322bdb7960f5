/** The file of a device in the hands of a test: values in their short form are read and changed as the texts they are. */
import { DatabaseSync } from '../../drivers/host/sqlite.ts'
import type { KeptForm } from '../../emulator/fiscal/column-types.ts'
import { keptAs, toldOf } from '../../emulator/fiscal/kept-form.ts'

/** Open for SQL with `told(form, value)` and `kept(form, text)`, and without the guards of append-only tables. */
export function openUnguarded(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.function('told', (form, value) => toldOf(form as KeptForm, value))
  database.function('kept', (form, text) => keptAs(form as KeptForm, text as string))
  for (const { name } of database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all())
    database.exec(`DROP TRIGGER ${name}`)
  return database
}
