const BITS_PER_BYTE = 10

export const byteMsAt = (baud: number): number => (BITS_PER_BYTE * 1000) / baud

/**
 * Returns the bytes that a receiver reads. A UART waits for a falling edge, checks the level half a bit later, samples
 * each data bit in its middle, and is free again in the middle of the stop bit. A low stop bit is a framing error,
 * whose byte is delivered all the same. Bytes are sent without pauses between two idle periods. Equal or nearly equal
 * speeds change nothing.
 */
export function receivedAt(bytes: Uint8Array, sentBaud: number, receiverBaud: number): Uint8Array {
  const end = bytes.length * BITS_PER_BYTE
  const isHigh = (time: number): boolean => {
    const bit = Math.floor(time)
    if (bit < 0 || bit >= end) return true
    const place = bit % BITS_PER_BYTE
    if (place === 0) return false
    return place === 9 || (((bytes[Math.floor(bit / BITS_PER_BYTE)] as number) >> (place - 1)) & 1) === 1
  }
  /** Bits of the sender per bit of the receiver. */
  const step = sentBaud / receiverBaud
  const received: number[] = []
  let time = 0
  for (;;) {
    const edge = fallingEdge(time, end, isHigh)
    if (edge === undefined) return Uint8Array.from(received)
    if (isHigh(edge + step / 2)) {
      time = edge + step / 2
      continue
    }
    let byte = 0
    for (let bit = 0; bit < 8; bit++) if (isHigh(edge + (bit + 1.5) * step)) byte |= 1 << bit
    received.push(byte)
    time = edge + 9.5 * step
  }
}

function fallingEdge(from: number, end: number, isHigh: (time: number) => boolean): number | undefined {
  let wasHigh = isHigh(from) || (from === Math.floor(from) && isHigh(from - 1))
  if (wasHigh && !isHigh(from)) return from
  for (let bit = Math.floor(from) + 1; bit < end; bit++) {
    const high = isHigh(bit)
    if (wasHigh && !high) return bit
    wasHigh = high
  }
  return undefined
}
