import type { ByteText } from './charset.ts'

/** Returns a number as hexadecimal nibbles, high first, each 30h + nibble: the digits run `0` to `9`, then `:;<=>?`. */
export function nibbles(value: number, digits: number): ByteText {
  let text = ''
  for (let shift = (digits - 1) * 4; shift >= 0; shift -= 4) text += String.fromCharCode(0x30 + ((value >> shift) & 15))
  return text
}

/** Returns the value of nibble digits; `undefined` if a byte is not one of 30h to 3Fh. */
export function fromNibbles(bytes: Uint8Array, from: number, digits: number): number | undefined {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const nibble = (bytes[at] ?? 0) - 0x30
    if (nibble < 0 || nibble > 15) return undefined
    value = value * 16 + nibble
  }
  return value
}

/** Returns the sum of the bytes from `from` up to but excluding `to`, modulo 65536 (families A and B). */
export function sum16(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += bytes[at] ?? 0
  return sum & 0xffff
}

/** Returns the exclusive or of the bytes from `from` up to but excluding `to` (family C). */
export function xor8(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) value ^= bytes[at] ?? 0
  return value
}
