/** Exit statuses for scripts (decisions 5), and an orderly end within 2 seconds. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import {
  ForeignFileError,
  type ForeignFileOptions,
  type ForeignJsonOptions,
  readForeignFile,
  readForeignJson,
} from '../drivers/host/foreign-file.ts'
import { type StoreTrouble, troubleOf } from '../drivers/host/sqlite.ts'
import { helpFile } from '../drivers/host/troubleshooting-links.ts'
import { messageOf } from '../drivers/model/errors.ts'
import { TemporaryFolderUnusable } from '../scenarios/temporary-folder.ts'
import { DataFolderError } from '../server/data-folder.ts'
import { UnusableLog } from '../server/operations/log/log-tables.ts'
import { PRIVATE_FILE } from '../server/private-files.ts'
import { io, processIo } from './io.ts'
import { writeLine } from './terminal-output.ts'

export const EXIT_FAILED = 1
export const EXIT_USAGE = 2
export const EXIT_ENVIRONMENT = 3

export class Exit extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Sets the exit status for an error. Writes the message of an error that the user can solve; for any other error, which
 * is a bug, writes the stack.
 */
export function endWith(error: unknown): void {
  if (error instanceof Exit || error instanceof TemporaryFolderUnusable) {
    if (error.message !== '') writeLine(error.message)
    const help = helpFile(error.message)
    if (help !== undefined) writeLine(`More: ${help}`)
    io().status = error instanceof Exit ? error.status : EXIT_ENVIRONMENT
    return
  }
  writeLine(
    `Unexpected internal error. Please report it with these lines:\n${(error instanceof Error && error.stack) || String(error)}`,
  )
  io().status = EXIT_FAILED
}

/** Makes files that this process creates from now on private to their owner, because they contain data of a device. */
export const writePrivately = (): void => void process.umask(0o077)

export function readInput(path: string, options?: ForeignFileOptions): string {
  try {
    return readForeignFile(path, options)
  } catch (error) {
    throw unreadable(path, error)
  }
}

export function readJsonInput(path: string, options?: ForeignJsonOptions): unknown {
  try {
    return readForeignJson(path, options)
  } catch (error) {
    throw unreadable(path, error)
  }
}

const unreadable = (path: string, error: unknown): unknown =>
  error instanceof ForeignFileError ? new Exit(EXIT_USAGE, `${path} cannot be read: ${error.why}`) : error

const WRITE_TROUBLES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there. Change the permissions, or choose another file.',
  EPERM: 'this user may not write there. Change the permissions, or choose another file.',
  EROFS: 'the file system is read-only. Choose another file.',
  EISDIR: 'it is a folder. Choose the name of a file.',
  ENOTDIR: 'a part of the path is not a folder. Choose another file.',
  EEXIST: 'a part of the path is not a folder. Choose another file.',
  ENOSPC: 'the disk is full. Free some space, or choose a file on another disk.',
}

export function unwritable(path: string, error: unknown): Exit {
  const why = WRITE_TROUBLES[(error as NodeJS.ErrnoException).code ?? ''] ?? messageOf(error)
  return new Exit(EXIT_ENVIRONMENT, `${path} cannot be written: ${why}`)
}

/**
 * Writes a file and creates its folder. A file of kind `data` contains data of a device and is private to its owner.
 * Throws Exit if the file cannot be written.
 */
export function writeOutput(path: string, text: string, what: 'report' | 'data' = 'report'): void {
  try {
    if (what === 'data') writePrivately()
    makeFolder(dirname(path))
    writeFileSync(path, text)
    if (what === 'data') chmodSync(path, PRIVATE_FILE)
  } catch (error) {
    throw unwritable(path, error)
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Node's own recursive mkdir never returns if a file system accepts no folders (/proc). */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

/**
 * Throws the error that `writeOutput` would throw, before the command begins the work whose result the file will
 * contain. Creates the folder, but writes no content.
 */
export function assertWritable(path: string): void {
  try {
    makeFolder(dirname(path))
    if (!existsSync(path)) accessSync(dirname(path), constants.W_OK)
    else closeSync(openSync(path, 'r+'))
  } catch (error) {
    throw unwritable(path, error)
  }
}

/**
 * Handles a closed standard output: a command that runs until a signal continues, any other command exits. A closed
 * standard error is ignored.
 */
export function endWithoutReader(): void {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      writeLine(`standard output cannot be written: ${error.message}`)
      process.exit(EXIT_ENVIRONMENT)
    }
    if (ending === undefined) process.exit()
  })
}

const REMEDIES = {
  held: 'Stop the program that uses it, and start again.',
  disk: 'Fix this and restart.',
  damaged:
    'Restore a backup of it, or choose a new folder with --data. Before you retry a request, check on the paper whether it was printed.',
} as const

/** Opens a SQLite file. Throws Exit with the path and advice if the file cannot be used. */
export function openStore<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (error instanceof UnusableLog)
      throw new Exit(
        EXIT_ENVIRONMENT,
        `${path} cannot be used: ${error.message}. Or choose a new folder with --data, and check on the paper before you retry a request.`,
      )
    if (error instanceof DataFolderError) throw new Exit(EXIT_ENVIRONMENT, error.message)
    const trouble = troubleOf(error)
    if (!trouble) throw error
    throw new Exit(EXIT_ENVIRONMENT, unusableFileText(path, trouble))
  }
}

export const unusableFileText = (path: string, { kind, message }: StoreTrouble): string =>
  `${path} cannot be used: ${message}. ${REMEDIES[kind]}`

/** Time limit for ending all parts, in ms: below the promised 2 s. Unfinished parts are abandoned. */
const END_WITHIN_MS = 1800

export class StartedParts {
  #ends: (() => void | Promise<void>)[] = []

  add(end: () => void | Promise<void>): void {
    this.#ends.push(end)
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        await end()
      } catch (error) {
        writeLine(`An error occurred while the command was stopping: ${messageOf(error)}`)
      }
    }
  }
}

let ending: Promise<void> | undefined

/** Resolves at the first SIGINT, SIGTERM or SIGHUP. The process exits `END_WITHIN_MS` later in any case. */
export function endOnSignal(): Promise<void> {
  ending ??= new Promise<void>((resolve) => {
    processIo.onSignal(() => {
      setTimeout(() => process.exit(0), END_WITHIN_MS).unref()
      resolve()
    })
  })
  return ending
}

const PARENT_CHECK_MS = 250

/**
 * Stops this process as a signal does when its parent process has ended, because a killed parent passes on no signal.
 */
export function endWithParent(): void {
  const parent = process.ppid
  const isThere = (): boolean => {
    if (process.ppid !== parent) return false
    try {
      return process.kill(parent, 0)
    } catch (error) {
      // EPERM: the process exists, but belongs to another user.
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  }
  setInterval(() => isThere() || process.kill(process.pid, 'SIGTERM'), PARENT_CHECK_MS).unref()
}

/** Waits for a stop signal, ends all parts, and exits with status 0. */
export async function untilSignal(started: StartedParts): Promise<void> {
  await endOnSignal()
  await started.end()
  process.exit(0)
}
