import type { ByteText } from './charset.ts'

export function nibbles(value: number, digits: number): ByteText {
  let text = ''
  for (let shift = (digits - 1) * 4; shift >= 0; shift -= 4) text += String.fromCharCode(0x30 + ((value >> shift) & 15))
  return text
}

export function fromNibbles(bytes: Uint8Array, from: number, digits: number): number | undefined {
  let value = 0
  for (let at = from; at < from + digits; at++) {
    const nibble = (bytes[at] ?? 0) - 0x30
    if (nibble < 0 || nibble > 15) return undefined
    value = value * 16 + nibble
  }
  return value
}

export function sum16(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += bytes[at] ?? 0
  return sum & 0xffff
}

export function xor8(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) value ^= bytes[at] ?? 0
  return value
}
