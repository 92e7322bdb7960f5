import { Deframer, type FrameShape } from '../../drivers/wire/deframer.ts'
import { bytesOf, textOf } from '../support/bytes.ts'

export const PENDING = 'more to come'

/**
 * Returns the results of a receiver: the value of `describe` for each frame, `single 15`, `damaged, 21 bytes`, and
 * finally whether the receiver waits for more.
 */
function receivedBy<Frame>(
  shape: FrameShape<Frame>,
  describe: (frame: Frame) => unknown,
  chunks: readonly Uint8Array[],
) {
  const deframer = new Deframer(shape)
  const events = chunks.flatMap((chunk) => deframer.push(chunk))
  const received = events.map((event) => {
    if (event.kind === 'frame') return describe(event.frame)
    return event.kind === 'single'
      ? `single ${textOf(Uint8Array.of(event.byte))}`
      : `damaged, ${event.bytes.length} bytes`
  })
  return deframer.pending ? [...received, PENDING] : received
}

/** Feeds the bytes in one piece, and then after noise, which receivers ignore, in one piece and byte by byte. */
export function receptions<Frame>(
  shape: FrameShape<Frame>,
  describe: (frame: Frame) => unknown,
  noise: string,
  bytes: string | Uint8Array,
) {
  const whole = typeof bytes === 'string' ? bytesOf(bytes) : bytes
  const noiseFirst = Uint8Array.of(...bytesOf(noise), ...whole)
  const ways = {
    whole: [whole],
    afterNoise: [noiseFirst],
    byByte: Array.from(noiseFirst, (byte) => Uint8Array.of(byte)),
  }
  return Object.entries(ways).map(([way, chunks]) => ({ way, received: receivedBy(shape, describe, chunks) }))
}

/** Returns the same expected result for each way of feeding. */
export const each = (expected: readonly unknown[]) =>
  ['whole', 'afterNoise', 'byByte'].map((way) => ({ way, received: expected }))

export const long = (head: string, letter: string, count: number, tail: string): Uint8Array =>
  Uint8Array.of(...bytesOf(head), ...Buffer.from(letter.repeat(count), 'latin1'), ...bytesOf(tail))
