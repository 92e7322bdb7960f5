/** Opens files that another person may have written: the one place that bounds what is read of them. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

export const FOREIGN_FILE_MAX_BYTES = 16 * 1024 * 1024

/** A file that cannot be read, in a sentence without its contents. */
export class ForeignFileError extends Error {}
/** A file that is larger than any that is meant. */
export class ForeignFileTooLarge extends ForeignFileError {}

export interface ForeignFileOptions {
  readonly maxBytes?: number
  /** A symbolic link as the last part of the path is refused. */
  readonly noLink?: boolean
}

/** Returns the text of a regular file. Throws ForeignFileError for a device, a pipe, a folder and a file that is too large. */
export function readForeignFile(path: string, options: ForeignFileOptions = {}): string {
  const { maxBytes = FOREIGN_FILE_MAX_BYTES, noLink = false } = options
  let file: number
  try {
    // A pipe without a writer would block the process.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (noLink ? (constants.O_NOFOLLOW ?? 0) : 0))
  } catch {
    throw new ForeignFileError(`expected a readable file, not ${path}`)
  }
  try {
    if (!fstatSync(file).isFile()) throw new ForeignFileError(`expected a readable file, not ${path}`)
    return boundedText(file, maxBytes)
  } catch (error) {
    // A file that opens and cannot be read, as some of /proc.
    throw error instanceof ForeignFileError ? error : new ForeignFileError(`expected a readable file, not ${path}`)
  } finally {
    closeSync(file)
  }
}

const CHUNK_BYTES = 256 * 1024

/** The size that the file system reports is not trusted: files of /proc have none, and others grow. */
function boundedText(file: number, maxBytes: number): string {
  const parts: Buffer[] = []
  for (let total = 0; ; ) {
    const part = Buffer.alloc(CHUNK_BYTES)
    const length = readSync(file, part)
    if (length === 0) return Buffer.concat(parts).toString('utf8')
    total += length
    if (total > maxBytes) throw new ForeignFileTooLarge(`expected a file of at most ${sizeText(maxBytes)}`)
    parts.push(part.subarray(0, length))
  }
}

const sizeText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MiB` : `${bytes} bytes`

/** Returns the value in a JSON file. The error of the parser is not repeated, because it quotes the file. */
export function readForeignJson(path: string, options: ForeignFileOptions = {}): unknown {
  const text = readForeignFile(path, options)
  try {
    return JSON.parse(text)
  } catch {
    throw new ForeignFileError(`expected JSON in ${path}`)
  }
}

/** Whether a path is inside a folder once all links are followed. A path that does not exist is judged by its name. */
export function isInside(folder: string, path: string): boolean {
  const real = (name: string): string => {
    try {
      return realpathSync(name)
    } catch {
      return name
    }
  }
  const way = relative(real(folder), real(path))
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}
