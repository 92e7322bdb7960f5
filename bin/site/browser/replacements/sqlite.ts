/** Replaces drivers/host/sqlite.ts in a browser, which has no database files (stores.ts). */
import type { StoreTrouble } from '../../../../drivers/host/sqlite.ts'

export type DatabaseSync = never

export function openDatabase(path: string): never {
  throw new Error(`${path}: a browser opens no database files`)
}

/** No error comes from a database. */
export const troubleOf = (_error: unknown): StoreTrouble | undefined => undefined
