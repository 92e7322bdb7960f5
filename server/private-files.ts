/**
 * Files with data of a device are for their owner alone (0600, folders 0700), also those that an earlier version or a
 * copy has left readable. On Windows the folder of the user is what protects them.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/** What stands in a data folder, with what SQLite keeps beside its files. */
const OURS =
  /^(?:(?:device-.*|answers|orders|lock)\.sqlite(?:-wal|-shm|-journal)?|answers\.count(?:\.new)?|folder\.json(?:\.new)?|owner\.json|certificates)$/
/** The folder of the HTTPS port's certificates, and what is in it. */
export const CERTIFICATES = 'certificates'
const CERTIFICATE = /^(?:ca|leaf)\.(?:crt|key)(?:\.new)?$/

/**
 * Closes a data folder and its files to others. A folder that holds something else too, the working folder for example,
 * is left as it is: only our files in it are closed.
 */
export function closeToOthers(folder: string): void {
  const names = closeAll(folder, OURS)
  if (names.includes(CERTIFICATES)) closeAll(join(folder, CERTIFICATES), CERTIFICATE)
}

/** The names that are there. */
function closeAll(folder: string, ours: RegExp): readonly string[] {
  const names = readdirSync(folder)
  for (const name of names) if (ours.test(name) && name !== CERTIFICATES) change(join(folder, name), PRIVATE_FILE)
  if (names.every((name) => ours.test(name))) change(folder, PRIVATE_FOLDER)
  return names
}

export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  chmodSync(folder, PRIVATE_FOLDER)
}

/** Replaces a file, also one that others could read, without a moment in which they can read the new one. */
export function writePrivateFile(path: string, text: string): void {
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  writeFileSync(beside, text, { mode: PRIVATE_FILE, flag: 'wx', flush: true })
  chmodSync(beside, PRIVATE_FILE)
  renameSync(beside, path)
}

/** Those of these files and folders that others may use, each with its mode as `chmod` writes it. */
export function openToOthers(paths: readonly string[]): readonly { readonly path: string; readonly mode: string }[] {
  if (process.platform === 'win32') return []
  return paths
    .filter((path) => existsSync(path))
    .map((path) => ({ path, mode: statSync(path).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => ({ path, mode: mode.toString(8) }))
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
