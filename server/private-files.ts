/**
 * Files with data of a device are for their owner alone (0600, folders 0700), also those that an earlier version or a
 * copy has left readable. On Windows the folder of the user is what protects them.
 */
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/** What stands in a data folder, with what SQLite keeps beside its files. */
const OURS = /^(?:(?:device-.*|answers|orders|lock)\.sqlite(?:-wal|-shm|-journal)?|owner\.json)$/
const OUR_FOLDERS = ['certificates']

/**
 * Closes a data folder and its files to others. A folder that holds something else too, the working folder for example,
 * is left as it is: only our files in it are closed.
 */
export function closeToOthers(folder: string): void {
  const names = readdirSync(folder)
  for (const name of names) if (OURS.test(name)) change(join(folder, name), PRIVATE_FILE)
  const isOurs = names.every((name) => OURS.test(name) || OUR_FOLDERS.includes(name))
  if (isOurs) change(folder, PRIVATE_FOLDER)
}

/** Somebody else's file cannot be changed by us; whether we may use it is found out when it is opened. */
function change(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EPERM' && code !== 'ENOENT' && code !== 'EROFS') throw error
  }
}
