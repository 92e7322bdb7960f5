/** Takes the place of drivers/host/sqlite.ts in a browser, which has no database files: rows are kept as plain rows. */
import type { StoreTrouble } from '../../../../drivers/host/sqlite.ts'

export type DatabaseSync = never

export function openDatabase(path: string): never {
  throw new Error(`${path}: a browser opens no database files`)
}

/** Nothing that fails here is a database's. */
export const troubleOf = (_error: unknown): StoreTrouble | undefined => undefined
