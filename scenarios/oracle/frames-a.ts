/**
 * Plain reader of family A's frames, written from sheet A 2.1 to 2.4, 2.8 and 3 and from nothing else.
 *
 *   host    01  LEN×4  SEQ  CMD×4  DATA  05  BCC×4  03                     LEN = 20h + 10 + n
 *   device  01  LEN×4  SEQ  CMD×4  DATA  04  STATUS×8  05  BCC×4  03       LEN = 20h + 19 + n
 */
import { bitsOf, readFrames, text, type WrongBytes } from './bytes.ts'

export interface HostFrameA {
  readonly seq: number
  readonly command: number
  /** Data as text, one character per byte. */
  readonly data: string
  readonly fields: readonly string[]
}

export interface DeviceFrameA extends HostFrameA {
  readonly status: readonly number[]
  readonly bits: readonly string[]
}

/** Reads four bytes 30h to 3Fh as a number. Returns `undefined` for other bytes. */
function nibbles(bytes: Uint8Array, at: number): number | undefined {
  let value = 0
  for (let index = 0; index < 4; index++) {
    const byte = bytes[at + index]
    if (byte === undefined || byte < 0x30 || byte > 0x3f) return undefined
    value = value * 16 + (byte - 0x30)
  }
  return value
}

function sum(bytes: Uint8Array, from: number, to: number): number {
  let total = 0
  for (let at = from; at <= to; at++) total += bytes[at] ?? 0
  return total % 65536
}

/** A TAB follows each field, and may be missing after the last. */
export function fieldsA(data: string): string[] {
  const fields = data.split('\t')
  if (fields[fields.length - 1] === '') fields.pop()
  return fields
}

function envelope(bytes: Uint8Array): { data: number; post: number; seq: number; command: number } | WrongBytes {
  if (bytes[0] !== 0x01) return { wrong: 'does not begin with 01h' }
  const length = nibbles(bytes, 1)
  if (length === undefined) return { wrong: 'LEN is not four nibbles' }
  const post = length - 0x20 // LEN counts from its own first byte, at offset 1, to 05h.
  if (bytes[post] !== 0x05) return { wrong: `no 05h at offset ${post}, where LEN puts it` }
  if (bytes.length !== post + 6) return { wrong: `${bytes.length} bytes, LEN says ${post + 6}` }
  if (bytes[post + 5] !== 0x03) return { wrong: 'does not end with 03h' }
  const check = nibbles(bytes, post + 1)
  if (check === undefined) return { wrong: 'BCC is not four nibbles' }
  const expected = sum(bytes, 1, post)
  if (check !== expected) return { wrong: `BCC is ${check.toString(16)}, the sum is ${expected.toString(16)}` }
  const seq = bytes[5] ?? 0
  if (seq < 0x20) return { wrong: 'SEQ below 20h' }
  const command = nibbles(bytes, 6)
  if (command === undefined) return { wrong: 'CMD is not four nibbles' }
  return { data: 10, post, seq, command }
}

const forbidden = (data: string): boolean => /[\x00-\x08\x0a-\x0f\x11-\x1f]/.test(data)

export function readHostA(bytes: Uint8Array): HostFrameA | WrongBytes {
  const outer = envelope(bytes)
  if ('wrong' in outer) return outer
  const data = text(bytes.subarray(outer.data, outer.post))
  if (forbidden(data)) return { wrong: 'a control byte in DATA' }
  return { seq: outer.seq, command: outer.command, data, fields: fieldsA(data) }
}

export function readDeviceA(bytes: Uint8Array): DeviceFrameA | WrongBytes {
  const outer = envelope(bytes)
  if ('wrong' in outer) return outer
  const separator = outer.post - 9
  if (separator < outer.data || bytes[separator] !== 0x04) return { wrong: 'no 04h before eight status bytes' }
  const status = Array.from(bytes.subarray(separator + 1, outer.post))
  if (status.some((byte) => byte < 0x80)) return { wrong: 'a status byte without bit 7' }
  const data = text(bytes.subarray(outer.data, separator))
  if (forbidden(data)) return { wrong: 'a control byte in DATA' }
  return { seq: outer.seq, command: outer.command, data, fields: fieldsA(data), status, bits: bitsOf(status) }
}

export const readDeviceFramesA = (bytes: Uint8Array) => readFrames(bytes, readDeviceA)
