interface Piece {
  readonly bytes: Uint8Array
  /** Pause before the piece, in ms. */
  readonly afterMs: number
}

export type Pieces = readonly Piece[]

/**
 * Pause in ms between the parts of a split frame: longer than a turn of the event loop, shorter than the gap of any
 * wire protocol.
 */
const SPLIT_PAUSE_MS = 20

const lengthOf = (pieces: Pieces): number => pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)

export function firstOf(pieces: Pieces, count: number): Pieces {
  let remaining = count
  const remainingPieces: Piece[] = []
  for (const piece of pieces) {
    if (remaining <= 0) break
    remainingPieces.push({ ...piece, bytes: piece.bytes.subarray(0, remaining) })
    remaining -= piece.bytes.length
  }
  return remainingPieces
}

export function withByte(pieces: Pieces, at: number, change: (byte: number) => readonly number[]): Pieces {
  let begin = 0
  return pieces.map((piece) => {
    const from = at - begin
    begin += piece.bytes.length
    const byte = from < 0 ? undefined : piece.bytes[from]
    if (byte === undefined) return piece
    const bytes = Uint8Array.from([
      ...piece.bytes.subarray(0, from),
      ...change(byte),
      ...piece.bytes.subarray(from + 1),
    ])
    return { ...piece, bytes }
  })
}

export function flipBit(pieces: Pieces, bit: number): Pieces {
  const length = lengthOf(pieces)
  return length === 0 ? pieces : withByte(pieces, Math.floor(bit / 8) % length, (byte) => [byte ^ (1 << (bit % 8))])
}

/** The last byte is the terminator of every family's frames; without it, a frame is malformed. */
export const damageLastByte = (pieces: Pieces): Pieces =>
  withByte(pieces, Math.max(0, lengthOf(pieces) - 1), (byte) => [byte ^ 0x40])

export const split = (pieces: Pieces, after: number): Pieces =>
  pieces.flatMap((piece) => {
    const { bytes, afterMs } = piece
    if (after >= bytes.length) return [piece]
    return [
      { bytes: bytes.subarray(0, after), afterMs },
      { bytes: bytes.subarray(after), afterMs: SPLIT_PAUSE_MS },
    ]
  })

export const delayPieces = ([first, ...rest]: Pieces, ms: number): Pieces =>
  first ? [{ ...first, afterMs: first.afterMs + ms }, ...rest] : []

export const slowPieces = (pieces: Pieces, eachMs: number): Pieces =>
  pieces.flatMap(({ bytes, afterMs }) =>
    [...bytes].map((byte, index) => ({ bytes: Uint8Array.of(byte), afterMs: index === 0 ? afterMs : eachMs })),
  )
