/** Plain builder of family A's frames, written from sheet A 2.1 to 2.4 and from nothing else. */
import { codes } from './codes.ts'

const asNibbles = (value: number): number[] => [
  0x30 + Math.floor(value / 4096),
  0x30 + (Math.floor(value / 256) % 16),
  0x30 + (Math.floor(value / 16) % 16),
  0x30 + (value % 16),
]

function close(inner: number[]): Uint8Array {
  const body = [...asNibbles(0x20 + inner.length + 5), ...inner, 0x05]
  let total = 0
  for (const byte of body) total += byte
  return Uint8Array.from([0x01, ...body, ...asNibbles(total % 65536), 0x03])
}

export const buildHostA = (seq: number, command: number, data: string): Uint8Array =>
  close([seq, ...asNibbles(command), ...codes(data)])

export const buildDeviceA = (seq: number, command: number, data: string, status: readonly number[]): Uint8Array =>
  close([seq, ...asNibbles(command), ...codes(data), 0x04, ...status])
