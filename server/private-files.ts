/**
 * Private permissions of files with data of a device (0600, folders 0700), including those that an earlier version or a
 * copy has left readable. On Windows the folder of the user protects them.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/** Names in a data folder, including the files that SQLite adds. */
const OWN_FILES =
  /^(?:(?:device-.*|answers|orders|lock)\.sqlite(?:-wal|-shm|-journal)?|answers\.count(?:\.new)?|folder\.json(?:\.new)?|owner\.json|certificates)$/
/** The folder of the HTTPS port's certificates, and the names in it. */
export const CERTIFICATES = 'certificates'
const CERTIFICATE = /^(?:ca|leaf)\.(?:crt|key)(?:\.new)?$/

/**
 * Makes a data folder and its files private. A folder with other content too, for example the working folder, is left
 * unchanged: only our files in it become private.
 */
export function closeToOthers(folder: string): void {
  const names = closeAll(folder, OWN_FILES)
  if (names.includes(CERTIFICATES)) closeAll(join(folder, CERTIFICATES), CERTIFICATE)
}

/** Makes the files private. Returns the names in the folder. */
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

/** Returns those files and folders that others may use, each with its mode in the notation of `chmod`. */
export function openToOthers(paths: readonly string[]): readonly { readonly path: string; readonly mode: string }[] {
  if (process.platform === 'win32') return []
  return paths
    .filter((path) => existsSync(path))
    .map((path) => ({ path, mode: statSync(path).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => ({ path, mode: mode.toString(8) }))
}

/** Changes the mode. Files of other users cannot be changed; opening such a file shows whether it can be used. */
function change(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EPERM' && code !== 'ENOENT' && code !== 'EROFS') throw error
  }
}
