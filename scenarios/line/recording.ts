/**
 * A recording of a line: JSON lines, one for each chunk of bytes with its direction and time. The first line describes
 * the recording. `readRecording` also reads files without that line (traces of the service), and pasted lines of bytes
 * (pasted-lines.ts).
 */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs'
import { FAMILIES } from '../../drivers/families.ts'
import { ForeignFileError, RECORDED_MAX_BYTES, readForeignLines } from '../../drivers/host/foreign-file.ts'
import type { Family } from '../../drivers/model/families.ts'
import { hexOf } from '../../drivers/wire/charset.ts'
import { PRIVATE_FILE } from '../../server/private-files.ts'
import { PastedReader } from './pasted-lines.ts'
import type { Direction, Piece } from './piece.ts'

interface Heading {
  readonly capture: 1
  readonly device: string
  readonly startedAt: string
  readonly family?: Family
}

export interface Recording {
  readonly heading: Heading | undefined
  readonly pieces: readonly Piece[]
  /** True if the last line is incomplete, because the recording program was killed. */
  readonly isCut: boolean
  /** True if the directions are uncertain, because a person has pasted the bytes. */
  readonly isPasted?: boolean
  /** Number of non-empty lines without bytes. */
  readonly skippedLines?: number
}

export class RecordingError extends Error {}

export interface Recorder {
  bytes(direction: Direction, bytes: Uint8Array, at: number): void
  event(what: string): void
  close(): void
}

/** Returns the wall time in ms, with fractions. The value never decreases. */
export const preciseNow = (): number => performance.timeOrigin + performance.now()

const rounded = (at: number): number => Math.round(at * 1000) / 1000

/**
 * Records to a new file. Each line is in the file when the call returns. Throws RecordingError if the file is not
 * empty.
 */
export function recordTo(path: string, heading: Omit<Heading, 'capture' | 'startedAt'>): Recorder {
  const file = openSync(path, 'a', PRIVATE_FILE)
  const status = fstatSync(file)
  if (status.isFile() && status.size > 0) {
    closeSync(file)
    throw new RecordingError(`${path} already exists and is not overwritten: name another file, or delete it`)
  }
  if (status.isFile()) fchmodSync(file, PRIVATE_FILE)
  const write = (line: object) => void writeSync(file, `${JSON.stringify(line)}\n`)
  write({ capture: 1, ...heading, startedAt: new Date(preciseNow()).toISOString() })
  let isOpen = true
  return {
    bytes(direction, bytes, at) {
      if (isOpen) write({ at: rounded(at), direction, hex: hexOf(bytes) })
    },
    event(what) {
      if (isOpen) write({ at: rounded(preciseNow()), event: what })
    },
    close() {
      isOpen = false
      closeSync(file)
    },
  }
}

/** Maximum number of chunks: each takes several times the memory of its text. */
const PIECES_MAX = 750_000
/** Maximum size of a chunk: more than a port delivers at once. */
const PIECE_MAX_BYTES = 256 * 1024

const PROBLEMS_MAX = 50

/** Throws RecordingError with a line `FILE:LINE: what` for each mistake, up to `PROBLEMS_MAX`. */
export function readRecording(path: string): Recording {
  return (isPasted(path) ? readPasted(path) : undefined) ?? readLines(path)
}

function isPasted(path: string): boolean {
  for (const line of linesOf(path)) if (line.trim() !== '') return !line.trimStart().startsWith('{')
  return false
}

/** Returns `undefined` if the file contains no bytes. */
function readPasted(path: string): Recording | undefined {
  const reader = new PastedReader()
  const pieces: Piece[] = []
  let skippedLines = 0
  for (const line of linesOf(path)) {
    const piece = line.length > 4 * PIECE_MAX_BYTES ? undefined : reader.read(line)
    if (piece) pieces.push(piece)
    else if (line.trim() !== '') skippedLines++
    if (pieces.length > PIECES_MAX)
      throw new RecordingError(`${path}: the recording has more than ${PIECES_MAX} chunks`)
  }
  if (pieces.length === 0) return undefined
  return { heading: undefined, pieces, isCut: false, isPasted: true, skippedLines }
}

function readLines(path: string): Recording {
  const pieces: Piece[] = []
  const problems: string[] = []
  let heading: Heading | undefined
  let count = 0
  let wrongLast: string | undefined
  const note = (problem: string): void => {
    if (problems.length <= PROBLEMS_MAX) problems.push(problem)
  }
  for (const line of linesOf(path)) {
    count++
    if (wrongLast !== undefined) note(wrongLast)
    wrongLast = undefined
    if (line.trim() === '') continue
    const read = readLine(line)
    if (typeof read === 'string') wrongLast = `${path}:${count}: ${read}`
    else if ('capture' in read) heading = read
    else if ('bytes' in read) pieces.push(read)
    if (pieces.length > PIECES_MAX)
      throw new RecordingError(`${path}:${count}: the recording has more than ${PIECES_MAX} chunks`)
  }
  const isCut = count > 1 && wrongLast !== undefined
  if (!isCut && wrongLast !== undefined) note(wrongLast)
  if (problems.length > PROBLEMS_MAX) problems[PROBLEMS_MAX] = 'and more'
  if (problems.length > 0) throw new RecordingError(problems.join('\n'))
  return { heading, pieces, isCut }
}

function* linesOf(path: string): Generator<string, void, undefined> {
  try {
    yield* readForeignLines(path, { maxBytes: RECORDED_MAX_BYTES })
  } catch (error) {
    throw error instanceof ForeignFileError ? new RecordingError(`${path}: ${error.why}`) : error
  }
}

/** The year 9999 is the last one with four digits. */
const LAST_MS = Date.UTC(9999, 11, 31)

/** Returns the problem as a text if the line is invalid. */
function readLine(line: string): Heading | Piece | { readonly event: string } | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'expected a line of JSON, as capture records it, or bytes with their direction, such as "> 01 30 30"'
  }
  if (typeof value !== 'object' || value === null) return 'expected an object'
  const { at, direction, hex, capture, event, family, device, startedAt } = value as Record<string, unknown>
  if (capture !== undefined) {
    if (capture !== 1) return 'expected a recording of form 1'
    if (typeof device !== 'string' || typeof startedAt !== 'string')
      return 'expected "device" and "startedAt", what was recorded and when'
    if (family !== undefined && !FAMILIES.includes(String(family))) return `expected family ${FAMILIES.join(', ')}`
    return { capture, device, startedAt, ...(family !== undefined && { family: family as Family }) }
  }
  if (typeof event === 'string') return { event }
  if (typeof at !== 'number' || !(at >= 0 && at <= LAST_MS)) return 'expected "at", milliseconds since 1970'
  if (direction !== 'toDevice' && direction !== 'toHost') return 'expected "direction", toDevice or toHost'
  if (typeof hex === 'string' && hex.length > 3 * PIECE_MAX_BYTES)
    return `expected at most ${PIECE_MAX_BYTES} bytes in a line`
  if (typeof hex !== 'string' || !/^([0-9A-Fa-f]{2}( [0-9A-Fa-f]{2})*)?$/.test(hex)) {
    return 'expected "hex", bytes such as "01 30 30"'
  }
  return { at, direction, bytes: Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex')) }
}
