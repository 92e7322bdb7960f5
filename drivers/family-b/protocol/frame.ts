/**
 * Frames of family B (sheet 4). Host to device, and device to host:
 *
 *     01 | LEN | SEQ | CMD | DATA 0-200 | 05 | BCC x4 | 03                    LEN = 20h + 4 + data
 *     01 | LEN | SEQ | CMD | DATA 0-200 | 04 | STATUS x6 | 05 | BCC x4 | 03   LEN = 20h + 11 + data
 *
 * LEN, SEQ and CMD are one plain byte each; the four BCC bytes are the nibbles of the sum of LEN to 05h. A length that
 * does not fit into a byte is sent as FFh, so LEN does not show the end of a frame: 03h does, because 01h, 03h, 04h and
 * 05h occur nowhere else. Single bytes: 15h NAK, 16h SYN; 11h and 1Ah acknowledge a streamed line.
 *
 * Differences from family A: one byte each for LEN and CMD instead of four nibbles, six status bytes instead of eight,
 * a retransmission is recognized by SEQ and CMD instead of by SEQ alone, and reports can be streamed as lines (sheet
 * 10.9):
 *
 *     1A | text | 0D 0A       one line; the content of the text depends on the command (commands/stream.ts)
 */
import { type ByteText, fromBytes, toBytes } from '../../wire/charset.ts'
import { fromNibbles, nibbles, sum16 } from '../../wire/checksum.ts'
import type { FrameShape } from '../../wire/deframer.ts'
import { opensWithText } from '../../wire/protocol-guard.ts'

export const START = 0x01
const END = 0x03
const SEPARATOR = 0x04
const POSTAMBLE = 0x05
export const NAK = 0x15
export const SYN = 0x16
export const LINE_START = 0x1a
/** Byte that the host sends after each streamed line: 11h on the newest firmware, 1Ah on older firmware. */
export const LINE_TAKEN = 0x11

export const DATA_MAX = 200
export const STATUS_LENGTH = 6
export const FIRST_SEQUENCE = 0x20
export const LAST_SEQUENCE = 0xff

const SATURATED_BYTE = 0xff
/**
 * Maximum length of a frame. The limit leaves room for too much data, which is a syntax error and not a damaged frame.
 */
const MAX_FRAME = 640

export interface RequestFrame {
  readonly seq: number
  readonly command: number
  readonly data: ByteText
}

interface AnswerFrame extends RequestFrame {
  readonly kind: 'answer'
  readonly status: ByteText
}

interface LineFrame {
  readonly kind: 'line'
  readonly text: ByteText
}

export type HostFrame = AnswerFrame | LineFrame

const char = String.fromCharCode

function wrap(body: ByteText): Uint8Array {
  const length = Math.min(SATURATED_BYTE, 0x20 + body.length + 2)
  const summed = char(length) + body + char(POSTAMBLE)
  let sum = 0
  for (let at = 0; at < summed.length; at++) sum += summed.charCodeAt(at)
  return toBytes(char(START) + summed + nibbles(sum & 0xffff, 4) + char(END))
}

export const writeRequest = ({ seq, command, data }: RequestFrame): Uint8Array => wrap(char(seq, command) + data)

export const writeAnswer = ({ seq, command, data, status }: Omit<AnswerFrame, 'kind'>): Uint8Array =>
  wrap(char(seq, command) + data + char(SEPARATOR) + status)

export const writeLine = (text: ByteText): Uint8Array => toBytes(`${char(LINE_START)}${text}\r\n`)

function unwrap(frame: Uint8Array): ByteText | undefined {
  const postamble = frame.length - 6
  if (postamble < 4 || frame[0] !== START || frame[postamble] !== POSTAMBLE || frame.at(-1) !== END) return undefined
  if (frame[1] !== Math.min(SATURATED_BYTE, 0x20 + postamble)) return undefined
  if (fromNibbles(frame, postamble + 1, 4) !== sum16(frame, 1, postamble + 1)) return undefined
  if ((frame[2] ?? 0) < 0x20 || (frame[3] ?? 0) < 0x20) return undefined
  return fromBytes(frame.subarray(2, postamble))
}

export function parseRequest(frame: Uint8Array): RequestFrame | undefined {
  const body = unwrap(frame)
  if (body === undefined) return undefined
  return { seq: body.charCodeAt(0), command: body.charCodeAt(1), data: body.slice(2) }
}

export function parseAnswer(frame: Uint8Array): AnswerFrame | undefined {
  const body = unwrap(frame)
  const separator = (body?.length ?? 0) - STATUS_LENGTH - 1
  if (body === undefined || separator < 2 || body.charCodeAt(separator) !== SEPARATOR) return undefined
  const status = body.slice(separator + 1)
  if (/[^\x80-\xff]/.test(status)) return undefined
  return {
    kind: 'answer',
    seq: body.charCodeAt(0),
    command: body.charCodeAt(1),
    data: body.slice(2, separator),
    status,
  }
}

/**
 * Measures a frame, which ends at its 03h regardless of LEN; a 01h inside begins another frame. A line ends with 0Dh
 * 0Ah, and a 1Ah inside begins another line.
 */
function measure(bytes: Uint8Array, from: number, to: number): number | 'more' | { readonly restart: number } {
  const isLine = bytes[from] === LINE_START
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] === START || (isLine && bytes[at] === LINE_START)) return { restart: at }
    if (isLine ? bytes[at] === 0x0a && bytes[at - 1] === 0x0d : bytes[at] === END) return at + 1 - from
  }
  return 'more'
}

export const requestShape: FrameShape<RequestFrame> = {
  classify: (byte) => (byte === START ? 'frame' : byte === LINE_TAKEN || byte === LINE_START ? 'single' : 'skip'),
  measure,
  parse: parseRequest,
  maxLength: MAX_FRAME,
  opens: opensWithText,
}

export const answerShape: FrameShape<HostFrame> = {
  classify: (byte) =>
    byte === START || byte === LINE_START ? 'frame' : byte === NAK || byte === SYN ? 'single' : 'skip',
  measure,
  parse: (frame) =>
    frame[0] === START ? parseAnswer(frame) : { kind: 'line', text: fromBytes(frame.subarray(1, frame.length - 2)) },
  maxLength: MAX_FRAME,
}
