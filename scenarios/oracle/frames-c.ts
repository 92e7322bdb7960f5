/**
 * Plain reader of family C's frames, written from sheet C 2.1 to 2.5 and from nothing else.
 *
 *   message  02  LEN  NBL  CMD  DATA  CS×2  0A     LEN = 20h + count of LEN, NBL, CMD, DATA; both directions
 *   ack      06  NBL  STE1  STE2  CS×2  0A         device only
 *   single   15 NACK, 0E RETRY                     device only; 04, 05, 09 and their answers are pings
 *
 * CS is the XOR of everything between the first byte and CS, as two digits 30h + nibble.
 */
import { text, type WrongBytes } from './bytes.ts'

export interface MessageC {
  readonly kind: 'message'
  readonly number: number
  readonly command: number
  /** Data as text, one character per byte. */
  readonly data: string
}

interface AckC {
  readonly kind: 'ack'
  readonly number: number
  /** Numbers from 0 to 15. Both are 0 if the command was executed. */
  readonly device: number
  readonly refusal: number
}

/** A ping, the answer to a ping, NACK or RETRY. */
interface SingleC {
  readonly kind: 'single'
  readonly byte: number
}

/** The capability query without a frame, or its answer: `I` ... 0A. */
interface LooseC {
  readonly kind: 'loose'
  readonly data: string
}

export type PieceC = MessageC | AckC | SingleC | LooseC

function xor(bytes: Uint8Array, from: number, to: number): number {
  let total = 0
  for (let at = from; at < to; at++) total ^= bytes[at] ?? 0
  return total
}

function checked(bytes: Uint8Array, end: number): WrongBytes | undefined {
  const expected = xor(bytes, 1, end)
  const high = bytes[end]
  const low = bytes[end + 1]
  if (high !== 0x30 + (expected >> 4) || low !== 0x30 + (expected & 15)) {
    return {
      wrong: `CS is ${high?.toString(16) ?? 'missing'} ${low?.toString(16) ?? 'missing'}, the XOR is ${expected.toString(16)}`,
    }
  }
  if (bytes[end + 2] !== 0x0a) return { wrong: 'no 0Ah at the end' }
  return undefined
}

/** Reads a digit. Older firmware sends ten to fifteen as the letters A to F. */
function nibble(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x3f) return byte - 0x30
  if (byte >= 0x41 && byte <= 0x46) return byte - 0x41 + 10
  return undefined
}

function front(bytes: Uint8Array): { piece: PieceC; length: number } | WrongBytes {
  if (bytes[0] === 0x02) {
    const length = (bytes[1] ?? 0) - 0x20
    if (length < 3) return { wrong: 'LEN below 23h' }
    if (bytes.length < 1 + length + 3) return { wrong: 'the frame is shorter than LEN says' }
    const bad = checked(bytes, 1 + length)
    if (bad) return bad
    const data = text(bytes.subarray(4, 1 + length))
    return {
      piece: { kind: 'message', number: bytes[2] ?? 0, command: bytes[3] ?? 0, data },
      length: 1 + length + 3,
    }
  }
  if (bytes[0] === 0x06) {
    if (bytes.length < 7) return { wrong: 'an ACK has seven bytes' }
    const bad = checked(bytes, 4)
    if (bad) return bad
    const device = nibble(bytes[2] ?? 0)
    const refusal = nibble(bytes[3] ?? 0)
    if (device === undefined || refusal === undefined)
      return { wrong: 'an error digit of the ACK is not one of the bytes 30h to 3Fh or 41h to 46h' }
    return { piece: { kind: 'ack', number: bytes[1] ?? 0, device, refusal }, length: 7 }
  }
  if (bytes[0] === 0x49 && bytes.length > 1) {
    const end = bytes.indexOf(0x0a)
    if (end < 0) return { wrong: 'the capability answer does not end' }
    return { piece: { kind: 'loose', data: text(bytes.subarray(0, end)) }, length: end + 1 }
  }
  if (bytes[0] === 0x1d) return { piece: { kind: 'loose', data: text(bytes) }, length: bytes.length }
  return { piece: { kind: 'single', byte: bytes[0] ?? 0 }, length: 1 }
}

/** Reads all pieces: a streamed answer is an ACK and several messages. */
export function readC(bytes: Uint8Array): PieceC[] | WrongBytes {
  const pieces: PieceC[] = []
  let at = 0
  while (at < bytes.length) {
    const next = front(bytes.subarray(at))
    if ('wrong' in next) return next
    pieces.push(next.piece)
    at += next.length
  }
  return pieces
}
