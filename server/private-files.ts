/**
 * Private permissions of files with data of a device (0600, folders 0700). Also corrects files that an earlier version
 * or a copy has left readable. Windows is excluded, because there the user's folder protects them.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

const OWN_FILES =
  /^(?:(?:device-.*|answers|orders|lock)\.sqlite(?:-wal|-shm|-journal)?|answers\.count(?:\.new)?|folder\.json(?:\.new)?|owner\.json|certificates)$/
/** Folder of the certificates in the data folder, and the names in it. */
export const CERTIFICATES = 'certificates'
const CERTIFICATE = /^(?:ca|leaf)\.(?:crt|key)(?:\.new)?$/

/** Makes the files of a data folder private. Makes the folder itself private only if it contains no other files. */
export function closeToOthers(folder: string): void {
  const names = closeAll(folder, OWN_FILES)
  if (names.includes(CERTIFICATES)) closeAll(join(folder, CERTIFICATES), CERTIFICATE)
}

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

/** Replaces a file. Other users can never read the new content, not even for a moment. */
export function writePrivateFile(path: string, text: string): void {
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  writeFileSync(beside, text, { mode: PRIVATE_FILE, flag: 'wx', flush: true })
  chmodSync(beside, PRIVATE_FILE)
  renameSync(beside, path)
}

/** Returns the files and folders that other users may access, with their modes in the notation of `chmod`. */
export function openToOthers(paths: readonly string[]): readonly { readonly path: string; readonly mode: string }[] {
  if (process.platform === 'win32') return []
  return paths
    .filter((path) => existsSync(path))
    .map((path) => ({ path, mode: statSync(path).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => ({ path, mode: mode.toString(8) }))
}

/** Ignores files whose modes this user cannot change. A later attempt to open them shows whether they can be used. */
function change(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EPERM' && code !== 'ENOENT' && code !== 'EROFS') throw error
  }
}
