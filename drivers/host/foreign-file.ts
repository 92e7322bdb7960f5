/** Reads files that another person may have written: the only module that limits the amount read from such files. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { messageOf } from '../model/errors.ts'
import { escapeControl } from '../model/escape-control.ts'

const MIB = 1024 * 1024
const FOREIGN_FILE_MAX_BYTES = 16 * MIB
export const HAND_WRITTEN_MAX_BYTES = MIB
export const RECORDED_MAX_BYTES = 64 * MIB

/** A file that cannot be read. `message` does not contain its contents; `why` is the reason without the path. */
export class ForeignFileError extends Error {
  readonly why: string
  constructor(message: string, why: string = message) {
    super(message)
    this.why = why
  }
}
export class ForeignFileTooLarge extends ForeignFileError {}

/** Returns the reason for an error of reading or parsing a file, without the path where it is known. */
export const whyUnreadable = (error: unknown): string =>
  error instanceof ForeignFileError ? error.why : messageOf(error)

export interface ForeignFileOptions {
  readonly maxBytes?: number
  readonly noLink?: boolean
}

/**
 * Returns the text of a regular file. Throws ForeignFileError for other kinds of files and for files above the maximum
 * size.
 */
export const readForeignFile = (path: string, options: ForeignFileOptions = {}): string =>
  readForeignBytes(path, options).toString('utf8')

export const readForeignBytes = (path: string, options: ForeignFileOptions = {}): Buffer =>
  Buffer.concat([...chunksOf(path, options)])

/**
 * Yields the lines without loading the whole file. The last line is the text after the last line feed, which may be
 * empty.
 */
export function* readForeignLines(path: string, options: ForeignFileOptions = {}): Generator<string, void, undefined> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for (const chunk of chunksOf(path, options)) {
    const lines = decoder.write(chunk).split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest + decoder.end()
}

const CHUNK_BYTES = 256 * 1024

/**
 * Counts the bytes that are read, because the size of a file is not reliable: files in /proc have size 0, and other
 * files grow.
 */
function* chunksOf(path: string, options: ForeignFileOptions): Generator<Buffer, void, undefined> {
  const { maxBytes = FOREIGN_FILE_MAX_BYTES, noLink = false } = options
  const file = openForeign(path, noLink)
  try {
    if (fstatSync(file).size > maxBytes) throw tooLarge(maxBytes)
    for (let total = 0; ; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      const length = readInto(chunk, file, path)
      if (length === 0) return
      total += length
      if (total > maxBytes) throw tooLarge(maxBytes)
      yield chunk.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

function readInto(chunk: Buffer, file: number, path: string): number {
  try {
    return readSync(file, chunk)
  } catch (error) {
    throw new ForeignFileError(`expected a readable file, not ${path}`, reasonOf(error))
  }
}

function tooLarge(maxBytes: number): ForeignFileTooLarge {
  const size = sizeText(maxBytes)
  return new ForeignFileTooLarge(`expected a file of at most ${size}`, `it is larger than ${size}`)
}

/** Checks the type before opening the file, because opening a device can change its state. */
function openForeign(path: string, noLink: boolean): number {
  try {
    assertRegular(statSync(path))
    // `O_NONBLOCK`: another program may have replaced the file by a pipe, which would block the process.
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (noLink ? (constants.O_NOFOLLOW ?? 0) : 0)
    const file = openSync(path, flags)
    try {
      assertRegular(fstatSync(file))
      return file
    } catch (error) {
      closeSync(file)
      throw error
    }
  } catch (error) {
    throw new ForeignFileError(`expected a readable file, not ${path}`, reasonOf(error))
  }
}

class NotRegular extends Error {}

function assertRegular(status: Stats): void {
  if (status.isFile()) return
  throw new NotRegular(
    status.isDirectory() ? 'it is a folder' : 'it is a device, a pipe or a socket, not a regular file',
  )
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'it is a symbolic link that is not followed',
}

function reasonOf(error: unknown): string {
  if (error instanceof NotRegular) return error.message
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? 'it cannot be opened' : (REASONS[code] ?? `the system reports ${code}`)
}

const sizeText = (bytes: number): string => (bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`)

export interface ForeignJsonOptions extends ForeignFileOptions {
  readonly maxValues?: number
}

/** Returns the value in a JSON file. The error omits the parser's message, which quotes the file. */
export function readForeignJson(path: string, { maxValues, ...options }: ForeignJsonOptions = {}): unknown {
  const text = readForeignFile(path, options)
  try {
    return parseForeignJson(text, maxValues)
  } catch (error) {
    if (error instanceof HarmfulJson) throw new ForeignFileError(`${error.message} in ${path}`, error.message)
    throw new ForeignFileError(`expected JSON in ${path}`, 'it is not JSON')
  }
}

/** Limit of the number of values, for example in a snapshot. A value needs many times the memory of its text. */
const VALUES_MAX = 1_500_000
export const HAND_WRITTEN_MAX_VALUES = 20_000

class HarmfulJson extends Error {}

/**
 * Parses JSON. Throws SyntaxError, or HarmfulJson if the value must not be used. The number of values is checked before
 * any value is created, because values need much more memory than their text.
 */
export function parseForeignJson(text: string, maxValues = VALUES_MAX): unknown {
  if (valuesIn(text, maxValues) > maxValues) throw new HarmfulJson(`expected at most ${maxValues} values`)
  const value: unknown = JSON.parse(text)
  const why = whyNotPlain(value)
  if (why !== undefined) throw new HarmfulJson(why)
  return value
}

const [QUOTE, BACKSLASH] = ['"', '\\'].map((sign) => sign.charCodeAt(0))
const SEPARATORS = new Set([',', '[', '{'].map((sign) => sign.charCodeAt(0)))

/** Returns an upper bound of the number of values, at most `max` + 1. */
function valuesIn(text: string, max: number): number {
  let count = 1
  let isString = false
  for (let at = 0; at < text.length && count <= max; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isString = !isString
    else if (isString && code === BACKSLASH) at++
    else if (!isString && SEPARATORS.has(code)) count++
  }
  return count
}

/** Maximum depth. No meaningful file is deeper, and every reader has enough stack for it. */
export const DEPTH_MAX = 64

/**
 * Returns the reason why a parsed value must not be used; `undefined` if it may be used. A value that contains itself
 * exceeds the maximum depth.
 */
export function whyNotPlain(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= DEPTH_MAX) return `expected lists and objects nested less deep than ${DEPTH_MAX}`
  // Schemas ignore this name, but a copy of the object would get the value as its prototype.
  if (Object.hasOwn(value, '__proto__')) return '__proto__ is not allowed as a name'
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    const why = whyNotPlain(member, depth + 1)
    if (why !== undefined) return why
  }
  return undefined
}

const EXCERPT_MAX = 160

/**
 * Returns the first line of a parser's message, shortened and without control characters, because it may quote the
 * file.
 */
export function excerpt(message: string): string {
  const line = escapeControl((message.split('\n')[0] ?? '').replace(/:$/, ''))
  return line.length > EXCERPT_MAX ? `${line.slice(0, EXCERPT_MAX)}...` : line
}

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
