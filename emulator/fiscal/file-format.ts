import type { DatabaseSync } from '../../drivers/host/sqlite.ts'
import { BOOKS_FORMAT } from './tables.ts'

/** Throws RangeError if a version of fiscal-rig with another file format made the device's file. */
export function mustBeOfFormat(database: DatabaseSync, path: string): void {
  const format = database.prepare('PRAGMA user_version').get()?.['user_version']
  if (format === BOOKS_FORMAT) return
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'fiscal_memory'").get())
    throw new RangeError(`${path} does not contain an emulated device: name another file`)
  throw new RangeError(
    `${path} contains an emulated device of format ${format}, and this version reads format ${BOOKS_FORMAT}: move the file away to begin with a new device`,
  )
}
