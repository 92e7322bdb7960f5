/** Plain builder of family C's frames, written from sheet C 2.1 to 2.5 and from nothing else. */
import { codes } from './codes.ts'

function framed(first: number, body: readonly number[]): Uint8Array {
  let check = 0
  for (const byte of body) check ^= byte
  return Uint8Array.from([first, ...body, 0x30 + (check >> 4), 0x30 + (check & 15), 0x0a])
}

export const buildMessageC = (number: number, command: number, data: string): Uint8Array =>
  framed(0x02, [0x20 + 3 + data.length, number, command, ...codes(data)])

export const buildAckC = (number: number, device: number, refusal: number): Uint8Array =>
  framed(0x06, [number, 0x30 + device, 0x30 + refusal])
