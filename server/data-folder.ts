/**
 * The data folder (decisions 7): certificates, kept answers, and the emulated devices' memories. One process at a time:
 * the lock is the operating system's own on an open SQLite file, so a process that dies, however, gives it back.
 */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { whyNotOwn } from '../drivers/host/folder-owner.ts'
import { HAND_WRITTEN_MAX_BYTES, readForeignFile } from '../drivers/host/foreign-file.ts'
import { type DatabaseSync, openDatabase, troubleOf } from '../drivers/host/sqlite.ts'
import { messageOf } from '../drivers/model/errors.ts'
import { closeToOthers, PRIVATE_FILE, PRIVATE_FOLDER, writePrivateFile } from './private-files.ts'
import { fileAt } from './same-file.ts'

/** `--data memory`: nothing is kept. */
export const MEMORY = 'memory'

export interface DataFolder {
  /** Absolute path, or `memory`. */
  readonly name: string
  /** Undefined in memory. */
  readonly path: string | undefined
  /** Path for SQLite: a file of that name, or `:memory:`. */
  database(name: string): string
  /** This file belongs to the folder: it was written before. */
  isKept(name: string): boolean
  /** From now on this file belongs to the folder: no process begins without it. */
  keep(name: string): void
  /** Why this process must no longer write here, in words: its lock is gone. */
  why(): string | undefined
  /** Gives the lock back. */
  release(): void
}

/** Says in one sentence why the folder cannot be used. */
export class DataFolderError extends Error {
  /** Another process has it. */
  readonly isInUse: boolean

  constructor(sentence: string, isInUse = false) {
    super(sentence)
    this.isInUse = isInUse
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Under the home of the user, where nothing else is said; Windows has one for both. */
const FOLDERS = {
  data: { says: 'XDG_DATA_HOME', usual: ['.local', 'share'] },
  /** For what may be lost. */
  cache: { says: 'XDG_CACHE_HOME', usual: ['.cache'] },
} as const

/** The per-user folder of the operating system + `fiscal-rig`. */
export function userFolder(kind: keyof typeof FOLDERS, environment: Environment, platform: string): string {
  // Set to nothing is as good as not set.
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

/** Throws DataFolderError when the folder cannot be made or is in use by another process, which it names. */
export function openDataFolder(name: string, command: string): DataFolder {
  if (name === MEMORY) {
    const nothing = () => undefined
    return {
      name,
      path: undefined,
      database: () => ':memory:',
      isKept: () => false,
      keep: nothing,
      why: nothing,
      release: nothing,
    }
  }
  const path = resolve(name)
  try {
    makeFolder(path)
  } catch (error) {
    throw new DataFolderError(`The data folder ${path} cannot be made: ${messageOf(error)}.`)
  }
  expectOwnFolder(path)
  const release = lock(path, command)
  let kept: readonly string[]
  try {
    kept = filesOf(path)
  } catch (error) {
    release()
    throw error
  }
  closeToOthers(path)
  const lockFile = fileAt(join(path, LOCK))
  return {
    ...{ name: path, path, database: (file: string) => join(path, file), release },
    isKept: (file) => kept.includes(file),
    keep(file) {
      if (kept.includes(file)) return
      const files = [...kept, file]
      try {
        writePrivateFile(join(path, MARKER), `${JSON.stringify({ format: FORMAT, files })}\n`)
      } catch (error) {
        throw new DataFolderError(`${join(path, MARKER)} cannot be written: ${messageOf(error)}.`)
      }
      kept = files
    },
    why() {
      const why = lockFile()
      return why && `${join(path, LOCK)}, the lock of the data folder, is not the one that this process holds: ${why}`
    },
  }
}

/** Another user could put files there that this process believes, and read what it writes. Throws DataFolderError. */
export function expectOwnFolder(path: string): void {
  const why = whyNotOwn(path)
  if (why !== undefined) throw new DataFolderError(why)
}

/** Says what belongs to the folder: what is missing then is never begun anew, as if nothing had ever been printed. */
const MARKER = 'folder.json'
const FORMAT = 1

/** Throws DataFolderError where something of it is gone. */
function filesOf(path: string): readonly string[] {
  const marker = join(path, MARKER)
  if (!existsSync(marker)) return []
  const { format, files } = readMarker(marker)
  if (format !== FORMAT) {
    throw new DataFolderError(
      `The data folder ${path} is of another version of fiscal-rig (${MARKER}: format ${format}).`,
    )
  }
  for (const name of files) {
    const file = join(path, name)
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size !== undefined && size > 0) continue
    throw new DataFolderError(
      `${file} is ${size === undefined ? 'gone' : 'empty'}. It held what was printed for which key: without it a repeat ` +
        `would print a second time. Put back a copy of it, or choose a new folder with --data.`,
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
      `${marker} cannot be read: ${messageOf(error)}. It says which files belong to the data folder. Put back a copy of it.`,
    )
  }
}

/** Node's own recursive mkdir never comes back where a file system takes no folders (/proc). */
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

/** What nothing refers to any more is closed by the collector of garbage, and its lock is gone with it. */
const locks = new Set<DatabaseSync>()

function lock(path: string, command: string): () => void {
  let database: DatabaseSync
  try {
    database = openDatabase(join(path, LOCK))
  } catch (error) {
    throw new DataFolderError(`The data folder ${path} cannot be written: ${messageOf(error)}.`)
  }
  try {
    database.exec('BEGIN EXCLUSIVE')
    writeFileSync(join(path, OWNER), `${JSON.stringify({ pid: process.pid, command, since: new Date() })}\n`, {
      mode: PRIVATE_FILE,
    })
  } catch (error) {
    database.close()
    if (troubleOf(error)?.kind !== 'held') {
      throw new DataFolderError(`The data folder ${path} cannot be written: ${messageOf(error)}.`)
    }
    throw new DataFolderError(
      `Data folder ${path} is in use by ${ownerOf(path)}. Stop that process, or choose another folder with --data.`,
      true,
    )
  }
  locks.add(database)
  return () => {
    locks.delete(database)
    database.close()
  }
}

/** "process 123 (fiscal-rig serve, since ...)", as the first one wrote it down. */
function ownerOf(path: string): string {
  try {
    const owner = JSON.parse(smallText(join(path, OWNER))) as Record<string, unknown>
    const who = `process ${owner['pid']} (fiscal-rig ${owner['command']}, since ${owner['since']})`
    return isRunning(owner['pid']) ? who : `another program that holds ${LOCK}: ${who} has ended`
  } catch {
    return 'another process'
  }
}

function isRunning(pid: unknown): boolean {
  try {
    return typeof pid === 'number' && process.kill(pid, 0)
  } catch (error) {
    // A process of another user cannot be signalled, and is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
