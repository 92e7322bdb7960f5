import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Deframed, Deframer, type FrameShape } from '../../drivers/wire/deframer.ts'

/** A wire of this test's own: 01h, length of the payload, payload, sum of the payload; 15h and 16h stand alone. */
const shape: FrameShape<number[]> = {
  maxLength: 40,
  classify: (byte) => (byte === 0x01 ? 'frame' : byte === 0x15 || byte === 0x16 ? 'single' : 'skip'),
  measure(bytes, from, to) {
    if (to - from < 2) return 'more'
    const length = bytes[from + 1] as number
    return length < 0x20 ? 'bad' : length - 0x20 + 3
  },
  parse(frame) {
    const payload = [...frame.subarray(2, -1)]
    return payload.reduce((sum, byte) => (sum + byte) & 0xff, 0) === frame.at(-1) ? payload : undefined
  },
}

const frameOf = (...payload: number[]) =>
  Uint8Array.from([0x01, 0x20 + payload.length, ...payload, payload.reduce((sum, byte) => (sum + byte) & 0xff, 0)])

function readAll(chunks: Uint8Array[]): Deframed<number[]>[] {
  const deframer = new Deframer(shape)
  return chunks.flatMap((chunk) => deframer.push(chunk))
}
const frames = (pieces: Deframed<number[]>[]) => pieces.flatMap((one) => (one.kind === 'frame' ? [one.frame] : []))

describe('the deframer', () => {
  it('finds a frame at every split', () => {
    const stream = Uint8Array.from([0x00, 0x41, ...frameOf(0x30, 0x31, 0x32), 0x16, ...frameOf(0x33)])
    for (let cut = 0; cut <= stream.length; cut++) {
      for (let second = cut; second <= stream.length; second++) {
        const pieces = readAll([stream.subarray(0, cut), stream.subarray(cut, second), stream.subarray(second)])
        expect(pieces.map((one) => (one.kind === 'frame' ? one.frame : one.kind))).toEqual([
          [0x30, 0x31, 0x32],
          'single',
          [0x33],
        ])
      }
    }
  })

  it('reports a damaged frame once and finds the good frame behind it', () => {
    const damaged = frameOf(0x30, 0x31)
    damaged[4] = 0x00
    const pieces = readAll([Uint8Array.from([...damaged, ...frameOf(0x35)])])
    expect(pieces.map((one) => one.kind)).toEqual(['damaged', 'frame'])
  })

  it('finds the good frame that a wrong length would swallow', () => {
    const pieces = readAll([
      Uint8Array.from([0x01, 0x20 + 12, 0x41, ...frameOf(0x35), ...frameOf(0x36), 0x00, 0x00, 0x00, 0x00]),
    ])
    expect(frames(pieces)).toEqual([[0x35], [0x36]])
  })

  it('calls a length over the limit damaged', () => {
    const pieces = readAll([Uint8Array.from([0x01, 0xff, ...frameOf(0x35)])])
    expect(pieces.map((one) => one.kind)).toEqual(['damaged', 'frame'])
  })

  it('hands over half a frame when its time has run out, and goes on', () => {
    const deframer = new Deframer(shape)
    expect(deframer.push(frameOf(0x30, 0x31).subarray(0, 3))).toEqual([])
    expect(deframer.pending).toBe(true)
    expect([...(deframer.expire() ?? [])]).toEqual([0x01, 0x22, 0x30])
    expect(frames(deframer.push(frameOf(0x37)))).toEqual([[0x37]])
    expect(deframer.pending).toBe(false)
  })

  it('never throws on noise, and still finds the frame behind it', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 20 }), (noise) => {
        const deframer = new Deframer(shape)
        for (const chunk of noise) deframer.push(chunk)
        deframer.expire()
        expect(frames(deframer.push(frameOf(0x41, 0x42)))).toEqual([[0x41, 0x42]])
      }),
    )
  })

  it('reads the same frames from one piece as byte by byte', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.uint8Array({ min: 0x20, maxLength: 8 }).map((payload) => frameOf(...payload)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const stream = Uint8Array.from(pieces.flatMap((one) => [...one]))
        const bytewise = readAll([...stream].map((byte) => Uint8Array.of(byte)))
        expect(frames(bytewise)).toEqual(frames(readAll([stream])))
      }),
    )
  })
})
