/**
 * Frames of family C (sheet 2).
 *
 *   host to device     02 | LEN | NBL | CMD | DATA … | CS CS | 0A      LEN = bytes LEN…DATA + 20h
 *   answer with data   the same shape, NBL and CMD of the request
 *   ACK                06 | NBL | STE1 | STE2 | CS CS | 0A             always 7 bytes
 *   single bytes       15 damaged frame · 0E busy, ask later · answers to pings
 *
 * CS is the exclusive or of the bytes from LEN to the last byte of DATA (in an ACK, of NBL, STE1 and STE2). It is sent
 * as two nibbles, each 30h + nibble. A device checks only the low four bits of each.
 *
 * Differences from the families A and B: the checksum is an exclusive or instead of a sum, LEN is one byte, and an
 * answer without data has a separate shape. The message number does not protect against duplicates (sheet 2.4). DATA
 * may contain control bytes, so only LEN shows the end of a frame. Pings, GS commands and two logo commands have no
 * frame.
 */

import { type ByteText, fromBytes, toBytes } from '../../wire/charset.ts'
import { fromNibbles, nibbles, xor8 } from '../../wire/checksum.ts'
import type { FrameShape } from '../../wire/deframer.ts'
import { opensWithText } from '../../wire/protocol-guard.ts'
import { isFailure } from './errors.ts'
import { type GsRequest, gsLength, readGs } from './unframed.ts'

const STX = 0x02
const ETX = 0x0a
export const ACK = 0x06
export const NACK = 0x15
export const RETRY = 0x0e
const GS = 0x1d
const ESC = 0x1b

/**
 * Minimum of LEN (sheet 2.1). The maximum is FFh; the descriptions say 9Fh, but a published answer to command 72h is
 * longer.
 */
const LEN_MIN = 0x23
const DATA_MAX = 0xff - LEN_MIN
const LOGO_MAX = 4 + 9_218
const LOGO_LEN = 0x39
export const LOGO_NUMBER = 0x37
const LOGO_CODES = [0x4c, 0x4d]

export interface CommandFrame {
  readonly kind: 'command'
  readonly number: number
  readonly code: number
  readonly data: ByteText
}

export type HostFrame =
  | CommandFrame
  | { readonly kind: 'logo'; readonly number: number; readonly code: number; readonly bitmap: Uint8Array }
  | { readonly kind: 'gs'; readonly request: GsRequest }
  /**
   * 1Bh 4Ch and a flag switch the printing mode inside a non-fiscal receipt; 1Bh 0Ch closes the receipt (sheet 2.5).
   */
  | { readonly kind: 'mode'; readonly flag: number | undefined }

export type DeviceFrame =
  | { readonly kind: 'ack'; readonly number: number; readonly device: number; readonly command: number }
  | { readonly kind: 'message'; readonly number: number; readonly code: number; readonly data: ByteText }
  /** Answer to 1Dh 49h, which has no frame; without its `I` and the final 0Ah. */
  | { readonly kind: 'widths'; readonly data: ByteText }

export function writeFrame(number: number, code: number, data: ByteText): Uint8Array {
  if (data.length > DATA_MAX) throw new RangeError(`${data.length} bytes of data, at most ${DATA_MAX} fit in a frame`)
  const bytes = toBytes(`\x02${String.fromCharCode(LEN_MIN + data.length, number, code)}${data}00\n`)
  return closeFrame(bytes)
}

export function writeAck(number: number, device: number, command: number): Uint8Array {
  return closeFrame(Uint8Array.of(ACK, number, 0x30 + device, 0x30 + command, 0, 0, ETX))
}

function closeFrame(bytes: Uint8Array): Uint8Array {
  bytes.set(toBytes(nibbles(sumOf(bytes), 2)), bytes.length - 3)
  return bytes
}

const sumOf = (frame: Uint8Array): number => xor8(frame, 1, frame.length - 3)

const closedRightly = (frame: Uint8Array): boolean =>
  frame.at(-1) === ETX && fromNibbles(frame, frame.length - 3, 2) === sumOf(frame)

/**
 * Checks only the low four bits of the checksum symbols, as firmware does (sheet 2.1). A widespread library sends F8h
 * to FFh instead of 38h to 3Fh.
 */
function closedNearly(frame: Uint8Array): boolean {
  const [high = 0, low = 0, end] = frame.subarray(-3)
  return end === ETX && ((high & 15) << 4) + (low & 15) === sumOf(frame)
}

function measureFrame(bytes: Uint8Array, from: number, to: number): number | 'more' | 'bad' {
  if (to - from < 2) return 'more'
  const len = bytes[from + 1] as number
  return len < LEN_MIN ? 'bad' : len - 0x20 + 4
}

/**
 * Measures a logo (sheet 2.1): `02 39 37 4C` or `02 39 37 4D`, then a bitmap whose header contains the length. Returns
 * `undefined` if the bytes are not a logo.
 */
function measureLogo(bytes: Uint8Array, from: number, to: number): number | 'more' | undefined {
  const starts = [STX, LOGO_LEN, LOGO_NUMBER]
  for (let at = 0; at < 10; at++) {
    const byte = bytes[from + at]
    if (from + at >= to) return at > 3 ? 'more' : undefined
    if (at < 3 && byte !== starts[at]) return undefined
    if (at === 3 && !LOGO_CODES.includes(byte as number)) return undefined
    if (at === 4 && byte !== 0x42) return undefined
    if (at === 5 && byte !== 0x4d) return undefined
  }
  const size = new DataView(bytes.buffer, bytes.byteOffset + from + 6, 4).getUint32(0, true)
  return size >= 62 && size + 4 <= LOGO_MAX ? size + 4 : undefined
}

const hostShapeWith = (isClosed: (frame: Uint8Array) => boolean): FrameShape<HostFrame> => ({
  maxLength: LOGO_MAX,
  classify(byte) {
    if (byte === STX || byte === GS || byte === ESC) return 'frame'
    return byte === 0x03 || byte === 0x04 || byte === 0x05 || byte === 0x09 ? 'single' : 'skip'
  },
  measure(bytes, from, to) {
    const first = bytes[from]
    if (first === STX) {
      // The first bytes of a logo look like a frame, so the logo is checked first.
      if (to - from < 5 && bytes[from + 1] === LOGO_LEN) return 'more'
      return measureLogo(bytes, from, to) ?? measureFrame(bytes, from, to)
    }
    // Bytes of unknown sequences are skipped one by one (sheet 2.5).
    const passed = { restart: from + 1 }
    if (first === GS) return gsLength(bytes, from, to) ?? passed
    if (to - from < 2) return 'more'
    if (bytes[from + 1] === 0x0c) return 2
    if (bytes[from + 1] !== 0x4c) return passed
    return 3
  },
  opens(head) {
    if (head[0] === STX) return opensWithText(head)
    const length = this.measure(head, 0, head.length)
    return length === 'more' ? length : typeof length === 'number'
  },
  parse(frame) {
    if (frame[0] === GS) return { kind: 'gs', request: readGs(frame) }
    if (frame[0] === ESC) return { kind: 'mode', flag: frame[1] === 0x4c ? frame[2] : undefined }
    const [, , number = 0, code = 0] = frame
    const logo = measureLogo(frame, 0, frame.length)
    if (typeof logo === 'number') return { kind: 'logo', number, code, bitmap: frame.slice(4) }
    if (!isClosed(frame) || code < 0x20 || code > 0x7f || number < 0x20) return undefined
    return { kind: 'command', number, code, data: fromBytes(frame.subarray(4, -3)) }
  },
})

export const hostShape = hostShapeWith(closedNearly)

export const strictHostShape = hostShapeWith(closedRightly)

/** Frames as the host reads them. NACK, RETRY and answers to pings are single bytes. */
export const deviceShape: FrameShape<DeviceFrame> = {
  maxLength: 260,
  classify(byte) {
    if (byte === STX || byte === ACK || byte === 0x49) return 'frame'
    if (byte === NACK || byte === RETRY || (byte >= 0x03 && byte <= 0x05) || byte === 0x07) return 'single'
    return byte >= 0x40 && byte <= 0x7f ? 'single' : 'skip'
  },
  measure(bytes, from, to) {
    if (bytes[from] === ACK) return 7
    if (bytes[from] === STX) return measureFrame(bytes, from, to)
    // 49h is also an answer to a ping (busy, display missing). It begins an answer to 1Dh 49h only if a digit follows.
    const digit = bytes[from + 1] as number
    if (to - from < 2) return 'more'
    if (digit < 0x30 || digit > 0x39) return { restart: from + 1 }
    const end = bytes.subarray(from, to).indexOf(ETX)
    return end < 0 ? (to - from > 120 ? { restart: from + 1 } : 'more') : end + 1
  },
  parse(frame) {
    if (frame[0] === 0x49) return { kind: 'widths', data: fromBytes(frame.subarray(1, -1)) }
    if (!closedRightly(frame)) return undefined
    if (frame[0] === STX) {
      const [, , number = 0, code = 0] = frame
      return { kind: 'message', number, code, data: fromBytes(frame.subarray(4, -3)) }
    }
    const device = errorDigit(frame[2] as number)
    const command = errorDigit(frame[3] as number)
    if (device === undefined || command === undefined) return undefined
    return { kind: 'ack', number: frame[1] as number, device, command }
  },
}

/** Returns the value of 30h to 3Fh. Older firmware sends 10 to 15 as `A` to `F` (sheet 2.3). */
function errorDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x3f) return byte - 0x30
  return byte >= 0x41 && byte <= 0x46 ? byte - 0x41 + 10 : undefined
}

/**
 * Returns whether the frame ends a stream: a refusal, or a message that consists of `@`, possibly after four digits
 * (sheet 4.14).
 */
export function endsStream(frame: DeviceFrame): boolean {
  if (frame.kind === 'ack') return isFailure(frame)
  return frame.kind === 'message' && /^(\d{4})?@$/.test(frame.data)
}
