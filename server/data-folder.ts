/**
 * The data folder (decisions 7): certificates, stored answers, and the state of emulated devices. Only one process can
 * use it. Its lock is a lock of the operating system on an open SQLite file, which ends with the process in any case.
 */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { whyNotOwn } from '../drivers/host/folder-owner.ts'
import { HAND_WRITTEN_MAX_BYTES, readForeignFile, whyUnreadable } from '../drivers/host/foreign-file.ts'
import { type DatabaseSync, openDatabase, troubleOf } from '../drivers/host/sqlite.ts'
import { messageOf } from '../drivers/model/errors.ts'
import { fileAt } from './file-identity.ts'
import { closeToOthers, PRIVATE_FILE, PRIVATE_FOLDER, writePrivateFile } from './private-files.ts'

export const MEMORY = 'memory'

export interface DataFolder {
  readonly name: string
  readonly path: string | undefined
  database(name: string): string
  hasFile(name: string): boolean
  /** Registers a file of the folder. `openDataFolder` throws if a registered file is missing or empty later. */
  keep(name: string): void
  /** Returns the reason why this process must no longer write, namely a lost lock; otherwise `undefined`. */
  why(): string | undefined
  release(): void
}

export class DataFolderError extends Error {
  readonly isInUse: boolean
  /** True if the folder cannot be created or written. */
  readonly isUnwritable: boolean

  constructor(sentence: string, kind?: 'in use' | 'unwritable') {
    super(sentence)
    this.isInUse = kind === 'in use'
    this.isUnwritable = kind === 'unwritable'
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Folders inside the user's home, unless the environment names others. On Windows, both are the same folder. */
const FOLDERS = {
  data: { says: 'XDG_DATA_HOME', usual: ['.local', 'share'] },
  cache: { says: 'XDG_CACHE_HOME', usual: ['.cache'] },
} as const

export function userFolder(kind: keyof typeof FOLDERS, environment: Environment, platform: string): string {
  // An empty variable counts as not set.
  const home = environment['HOME'] || homedir()
  const { says, usual } = FOLDERS[kind]
  const base =
    platform === 'win32'
      ? environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
      : environment[says] || join(home, ...usual)
  return join(base, 'fiscal-rig')
}

export const defaultDataFolder = (
  environment: Environment = process.env,
  platform: string = process.platform,
): string => userFolder('data', environment, platform)

/** Throws DataFolderError if the folder cannot be used or another process uses it. */
export function openDataFolder(name: string, command: string): DataFolder {
  if (name === MEMORY) {
    const nothing = () => undefined
    return {
      name,
      path: undefined,
      database: () => ':memory:',
      hasFile: () => false,
      keep: nothing,
      why: nothing,
      release: nothing,
    }
  }
  const path = resolve(name)
  try {
    makeFolder(path)
  } catch (error) {
    throw new DataFolderError(
      `The data folder ${path} cannot be created: ${messageOf(error)}. Choose another folder with --data.`,
      'unwritable',
    )
  }
  if (!statSync(path).isDirectory())
    throw new DataFolderError(`${path} is not a folder. Choose another data folder with --data.`)
  expectOwnFolder(path)
  const release = lock(path, command)
  let storedFiles: readonly string[]
  try {
    storedFiles = filesOf(path)
  } catch (error) {
    release()
    throw error
  }
  closeToOthers(path)
  const lockFile = fileAt(join(path, LOCK))
  return {
    ...{ name: path, path, database: (file: string) => join(path, file), release },
    hasFile: (file) => storedFiles.includes(file),
    keep(file) {
      if (storedFiles.includes(file)) return
      const files = [...storedFiles, file]
      try {
        writePrivateFile(join(path, MARKER), `${JSON.stringify({ format: FORMAT, files })}\n`)
      } catch (error) {
        throw new DataFolderError(`${join(path, MARKER)} cannot be written: ${messageOf(error)}. ${FIX}`, 'unwritable')
      }
      storedFiles = files
    },
    why() {
      const why = lockFile()
      return why && `${join(path, LOCK)}, the lock of the data folder, is not the one that this process opened: ${why}`
    },
  }
}

/** Throws DataFolderError if the folder belongs to another user, who could read and replace its files. */
export function expectOwnFolder(path: string): void {
  const why = whyNotOwn(path)
  if (why !== undefined) throw new DataFolderError(why)
}

/**
 * File with the names of the registered files. If one of them is missing, the service must not create it as if nothing
 * had been printed.
 */
const MARKER = 'folder.json'
const FORMAT = 1

/** Returns the registered files. Throws DataFolderError if one of them is missing or empty. */
function filesOf(path: string): readonly string[] {
  const marker = join(path, MARKER)
  if (!existsSync(marker)) return []
  const { format, files } = readMarker(marker)
  if (format !== FORMAT) {
    throw new DataFolderError(
      `The data folder ${path} is of another version of fiscal-rig (${MARKER}: format ${format}). Start that version, or choose another folder with --data.`,
    )
  }
  for (const name of files) {
    const file = join(path, name)
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size !== undefined && size > 0) continue
    throw new DataFolderError(
      `${file} is ${size === undefined ? 'missing' : 'empty'}. It contained what was printed for which key: without it, a retry ` +
        `would print a second time. Restore a backup of it, or choose a new folder with --data.`,
    )
  }
  return files
}

const smallText = (path: string): string => readForeignFile(path, { maxBytes: HAND_WRITTEN_MAX_BYTES })

function readMarker(marker: string): { readonly format: unknown; readonly files: readonly string[] } {
  try {
    const { format, files } = JSON.parse(smallText(marker)) as { format?: unknown; files?: unknown }
    if (Array.isArray(files) && files.every((name) => typeof name === 'string')) return { format, files }
    throw new SyntaxError('it names no files')
  } catch (error) {
    throw new DataFolderError(
      `${marker} cannot be read: ${whyUnreadable(error)}. It lists the files of the data folder. Restore a backup of it.`,
    )
  }
}

/**
 * Creates a folder and its parents. The recursive `mkdirSync` of Node never returns on file systems that accept no
 * folders (/proc).
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER })
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

const LOCK = 'lock.sqlite'
const OWNER = 'owner.json'

const FIX = 'Check the free space of the disk and the permissions of the folder, or choose another folder with --data.'

function unwritable(path: string, error: unknown): DataFolderError {
  if (troubleOf(error)?.kind === 'damaged')
    return new DataFolderError(`${join(path, LOCK)} is damaged. Delete it: it contains no data.`)
  return new DataFolderError(`The data folder ${path} cannot be written: ${messageOf(error)}. ${FIX}`, 'unwritable')
}

/** Open databases. The garbage collector would close an unreferenced database, which would release its lock. */
const locks = new Set<DatabaseSync>()

function lock(path: string, command: string): () => void {
  let database: DatabaseSync
  try {
    database = openDatabase(join(path, LOCK))
  } catch (error) {
    throw unwritable(path, error)
  }
  try {
    database.exec('BEGIN EXCLUSIVE')
    writeFileSync(join(path, OWNER), `${JSON.stringify({ pid: process.pid, command, since: new Date() })}\n`, {
      mode: PRIVATE_FILE,
    })
  } catch (error) {
    database.close()
    if (troubleOf(error)?.kind !== 'held') throw unwritable(path, error)
    throw new DataFolderError(
      `Data folder ${path} is in use by ${ownerOf(path)}. Stop that process, or choose another folder with --data.`,
      'in use',
    )
  }
  locks.add(database)
  return () => {
    locks.delete(database)
    database.close()
  }
}

function ownerOf(path: string): string {
  try {
    const { pid, command, since } = JSON.parse(smallText(join(path, OWNER))) as Record<string, unknown>
    if (pid === undefined) return 'another process'
    const who = `process ${pid} (fiscal-rig ${command}, since ${since})`
    return isRunning(pid) ? who : `a process that holds ${LOCK} and is not ${who}, which has ended`
  } catch {
    return 'another process'
  }
}

function isRunning(pid: unknown): boolean {
  try {
    return typeof pid === 'number' && process.kill(pid, 0)
  } catch (error) {
    // A process of another user exists although it cannot be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
