/** Plain builder of family B's frames, written from sheet B 4 and from nothing else. */
import { codes } from './codes.ts'

function close(inner: readonly number[]): Uint8Array {
  const count = 0x20 + 1 + inner.length + 1
  const body = [Math.min(count, 0xff), ...inner, 0x05]
  let total = 0
  for (const byte of body) total += byte
  total %= 65536
  const check = [total >> 12, (total >> 8) & 15, (total >> 4) & 15, total & 15].map((nibble) => 0x30 + nibble)
  return Uint8Array.from([0x01, ...body, ...check, 0x03])
}

export const buildHostB = (seq: number, command: number, data: string): Uint8Array =>
  close([seq, command, ...codes(data)])

export const buildDeviceB = (seq: number, command: number, data: string, status: readonly number[]): Uint8Array =>
  close([seq, command, ...codes(data), 0x04, ...status])
