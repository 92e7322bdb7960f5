/** The file of a device in the hands of a test: values in their short form are read and changed as the texts they are. */
import { DatabaseSync } from '../../drivers/host/sqlite.ts'
import { type KeptForm, keptAs, toldOf } from '../../emulator/fiscal/kept-form.ts'
import { DECLARATIONS, TABLES } from '../../emulator/fiscal/tables.ts'

/** Open for SQL with `told(form, value)` and `kept(form, text)`, and without the guards of append-only tables. */
export function openUnguarded(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  database.function('told', (form, value) => toldOf(form as KeptForm, value))
  database.function('kept', (form, text) => keptAs(form as KeptForm, text as string))
  for (const { name } of database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all())
    database.exec(`DROP TRIGGER ${name}`)
  return database
}

/** As version 0.1 has made it: every text stands as it is. */
export function asOlderVersion(path: string): void {
  const database = openUnguarded(path)
  const shape = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?')
  for (const table of TABLES) {
    const { columns, kept } = DECLARATIONS[table]
    if (!kept) continue
    const sql = String(shape.get(table)?.['sql']).replaceAll(' ANY', ' TEXT')
    const texts = Object.keys(columns).map((name) => (kept[name] ? `told('${kept[name]}', ${name})` : name))
    database.exec(`ALTER TABLE ${table} RENAME TO newer; ${sql}`)
    database.exec(`INSERT INTO ${table} SELECT ${texts.join(', ')} FROM newer; DROP TABLE newer`)
  }
  database.close()
}
