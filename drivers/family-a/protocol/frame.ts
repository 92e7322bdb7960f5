/**
 * Frames of family A, sheet 2.1 to 2.3. Numbers consist of four nibble digits, 30h to 3Fh each.
 *
 *   host    01 | LEN 4 | SEQ 1 | CMD 4 | DATA n |                  05 | BCC 4 | 03      LEN = 2Ah + n
 *   device  01 | LEN 4 | SEQ 1 | CMD 4 | DATA n | 04 | STATUS 8  | 05 | BCC 4 | 03      LEN = 33h + n
 *              |<------------- counted by LEN (+ 20h), summed by BCC ----------->|
 *   device  15 alone: the frame was damaged, send it again     16 alone: still working
 *
 * Unlike family B, length and command have four digits each, so that a frame may hold more than 213 bytes of data.
 */
import { type ByteText, fromBytes } from '../../wire/charset.ts'
import { fromNibbles, nibbles, sum16 } from '../../wire/checksum.ts'
import type { FrameShape } from '../../wire/deframer.ts'
import { opensWithText } from '../../wire/protocol-guard.ts'

export interface HostFrame {
  readonly seq: number
  readonly code: number
  readonly data: ByteText
}

export interface DeviceFrame extends HostFrame {
  readonly status: ByteText
}

export const NAK = 0x15
export const SYN = 0x16
export const FIRST_SEQ = 0x20
export const LAST_SEQ = 0xff

const MAX_REQUEST_DATA = 496
export const MAX_ANSWER_DATA = 480

const START = 0x01
const END_OF_DATA = 0x04
const END_OF_BODY = 0x05
const END = 0x03
const STATUS_LENGTH = 8
/** LEN counts from itself to 05h and adds 20h; 01h, the four bytes of BCC and 03h are not counted. */
const LEN_TO_TOTAL = 6 - 0x20
const HOST_BARE = 16
const DEVICE_BARE = 25
const DATA_AT = 10

export const encodeHostFrame = (frame: HostFrame): Uint8Array => seal(frame, '')

export const encodeDeviceFrame = (frame: DeviceFrame): Uint8Array =>
  seal(frame, String.fromCharCode(END_OF_DATA) + frame.status)

function seal({ seq, code, data }: HostFrame, tail: ByteText): Uint8Array {
  const length = 4 + 1 + 4 + data.length + tail.length + 1
  const head = String.fromCharCode(START) + nibbles(0x20 + length, 4) + String.fromCharCode(seq) + nibbles(code, 4)
  const bytes = Buffer.allocUnsafe(length + 6)
  bytes.write(head + data + tail, 'latin1')
  bytes[length] = END_OF_BODY
  bytes.write(nibbles(sum16(bytes, 1, length + 1), 4), length + 1, 'latin1')
  bytes[length + 5] = END
  return bytes
}

export const hostShape: FrameShape<HostFrame> = {
  classify: (byte) => (byte === START ? 'frame' : 'skip'),
  measure: (bytes, from, to) => measure(bytes, from, to, HOST_BARE, HOST_BARE + MAX_REQUEST_DATA),
  parse(frame) {
    if (!sealed(frame)) return undefined
    const seq = frame[5] as number
    const code = fromNibbles(frame, 6, 4)
    if (seq < FIRST_SEQ || code === undefined) return undefined
    return { seq, code, data: fromBytes(frame.subarray(DATA_AT, frame.length - 6)) }
  },
  maxLength: HOST_BARE + MAX_REQUEST_DATA,
  opens: opensWithText,
}

export const deviceShape: FrameShape<DeviceFrame> = {
  classify: (byte) => (byte === START ? 'frame' : byte === NAK || byte === SYN ? 'single' : 'skip'),
  measure: (bytes, from, to) => measure(bytes, from, to, DEVICE_BARE, DEVICE_BARE + MAX_ANSWER_DATA),
  parse(frame) {
    const statusAt = frame.length - 6 - STATUS_LENGTH
    if (!sealed(frame) || statusAt <= DATA_AT || frame[statusAt - 1] !== END_OF_DATA) return undefined
    const code = fromNibbles(frame, 6, 4)
    if (code === undefined) return undefined
    return {
      seq: frame[5] as number,
      code,
      data: fromBytes(frame.subarray(DATA_AT, statusAt - 1)),
      status: fromBytes(frame.subarray(statusAt, frame.length - 6)),
    }
  },
  maxLength: DEVICE_BARE + MAX_ANSWER_DATA,
}

/**
 * Measures a frame by LEN. 01h and 03h never occur inside a frame (sheet 2.3): a second 01h begins another frame, and a
 * 03h at another position than LEN's ends a damaged frame at once.
 */
function measure(bytes: Uint8Array, from: number, to: number, least: number, most: number) {
  const length = to - from < 5 ? undefined : fromNibbles(bytes, from + 1, 4)
  const total = (length ?? 0) + LEN_TO_TOTAL
  const fits = total >= least && total <= most
  const limit = fits ? Math.min(to, from + total) : to
  for (let at = from + 1; at < limit; at++) {
    if (bytes[at] === START) return { restart: at }
    if (bytes[at] === END) return at + 1 - from
  }
  // If the length is wrong, the damaged frame extends to its 03h, or to the gap limit or `maxLength`.
  return fits ? total : 'more'
}

function sealed(frame: Uint8Array): boolean {
  const length = frame.length
  const declaredLength = fromNibbles(frame, 1, 4)
  return (
    declaredLength !== undefined &&
    declaredLength + LEN_TO_TOTAL === length &&
    length >= HOST_BARE &&
    frame[0] === START &&
    frame[length - 1] === END &&
    frame[length - 6] === END_OF_BODY &&
    fromNibbles(frame, length - 5, 4) === sum16(frame, 1, length - 5)
  )
}

/**
 * Returns whether the bytes are a whole frame of the older protocol with one byte of length and one of command. A
 * device of this family accepts it as a message (busy byte), then refuses it (sheet 2.7).
 */
export function isClassicFrame(piece: Uint8Array): boolean {
  const total = (piece[1] ?? 0) - 0x20 + 6
  if (piece.length !== total || total < 10 || piece[total - 1] !== END || piece[total - 6] !== END_OF_BODY) return false
  return fromNibbles(piece, total - 5, 4) === sum16(piece, 1, total - 5)
}

export const nextSeq = (seq: number): number => (seq >= LAST_SEQ ? FIRST_SEQ : seq + 1)

export const isOfNumber = (answer: DeviceFrame, request: Uint8Array): boolean => answer.seq === request[5]

export const answers = (answer: DeviceFrame, request: Uint8Array): boolean =>
  isOfNumber(answer, request) && answer.code === fromNibbles(request, 6, 4)
