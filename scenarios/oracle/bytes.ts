export interface WrongBytes {
  readonly wrong: string
}

export const text = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

export interface DeviceFrames<Frame> {
  readonly busy: number
  readonly nak: boolean
  readonly frame?: Frame
}

/** Reads the response to one request: busy bytes, then NAK, a frame or nothing. */
export function readFrames<Frame extends object>(
  bytes: Uint8Array,
  read: (bytes: Uint8Array) => Frame | WrongBytes,
): DeviceFrames<Frame> | WrongBytes {
  let busy = 0
  while (bytes[busy] === 0x16) busy++
  const rest = bytes.subarray(busy)
  if (rest.length === 0) return { busy, nak: false }
  if (rest.length === 1 && rest[0] === 0x15) return { busy, nak: true }
  const frame = read(rest)
  return 'wrong' in frame ? frame : { busy, nak: false, frame }
}

/** Returns the set bits except bit 7 as `byte.bit`. Bytes ascend, and the bits of a byte descend. */
export function bitsOf(status: readonly number[]): string[] {
  const names: string[] = []
  status.forEach((byte, index) => {
    for (let bit = 6; bit >= 0; bit--) if ((byte & (1 << bit)) !== 0) names.push(`${index}.${bit}`)
  })
  return names
}
