/**
 * Plain reader of family B's frames, written from sheet B 4 and from nothing else.
 *
 *   host    01  LEN  SEQ  CMD  DATA  05  BCC×4  03                         LEN = 20h + 4 + n
 *   device  01  LEN  SEQ  CMD  DATA  04  STATUS×6  05  BCC×4  03           LEN = 20h + 11 + n
 *
 * A count that does not fit is sent as FFh; then only the closing bytes show where the frame ends.
 */
import { bitsOf, readFrames, text, type WrongBytes } from './bytes.ts'

export interface HostFrameB {
  readonly seq: number
  readonly command: number
  /** Data as text, one character per byte. */
  readonly data: string
}

export interface DeviceFrameB extends HostFrameB {
  readonly status: readonly number[]
  readonly bits: readonly string[]
  /** Byte 3 without bit 7, or 0 for no error. */
  readonly error: number
}

function envelope(bytes: Uint8Array): { post: number } | WrongBytes {
  if (bytes[0] !== 0x01) return { wrong: 'does not begin with 01h' }
  if (bytes[bytes.length - 1] !== 0x03) return { wrong: 'does not end with 03h' }
  const post = bytes.length - 6
  if (post < 4 || bytes[post] !== 0x05) return { wrong: 'no 05h before the BCC' }
  const length = bytes[1] ?? 0
  const counted = 0x20 + post // LEN counts from its own byte, at offset 1, to 05h.
  if (length !== Math.min(counted, 0xff)) {
    return { wrong: `LEN is ${length.toString(16)}, counted ${counted.toString(16)}` }
  }
  let total = 0
  for (let at = 1; at <= post; at++) total += bytes[at] ?? 0
  let sent = 0
  for (let at = post + 1; at <= post + 4; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x30 || byte > 0x3f) return { wrong: 'BCC is not four nibbles' }
    sent = sent * 16 + (byte - 0x30)
  }
  if (sent !== total % 65536) return { wrong: `BCC is ${sent.toString(16)}, the sum is ${total.toString(16)}` }
  if ((bytes[2] ?? 0) < 0x20) return { wrong: 'SEQ below 20h' }
  if ((bytes[3] ?? 0) < 0x20) return { wrong: 'CMD below 20h' }
  return { post }
}

export function readHostB(bytes: Uint8Array): HostFrameB | WrongBytes {
  const outer = envelope(bytes)
  if ('wrong' in outer) return outer
  const data = bytes.subarray(4, outer.post)
  if (data.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a)) return { wrong: 'a control byte in DATA' }
  return { seq: bytes[2] ?? 0, command: bytes[3] ?? 0, data: text(data) }
}

export function readDeviceB(bytes: Uint8Array): DeviceFrameB | WrongBytes {
  const outer = envelope(bytes)
  if ('wrong' in outer) return outer
  const separator = outer.post - 7
  if (separator < 4 || bytes[separator] !== 0x04) return { wrong: 'no 04h before six status bytes' }
  const status = Array.from(bytes.subarray(separator + 1, outer.post))
  if (status.some((byte) => byte < 0x80)) return { wrong: 'a status byte without bit 7' }
  return {
    seq: bytes[2] ?? 0,
    command: bytes[3] ?? 0,
    data: text(bytes.subarray(4, separator)),
    status,
    bits: bitsOf(status).filter((bit) => !bit.startsWith('3.')),
    error: (status[3] ?? 0x80) - 0x80,
  }
}

export const readDeviceFramesB = (bytes: Uint8Array) => readFrames(bytes, readDeviceB)
