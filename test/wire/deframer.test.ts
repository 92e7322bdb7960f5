import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Deframed, Deframer, type FrameShape } from '../../drivers/wire/deframer.ts'
import { withWords } from '../support/verdict-rows.ts'

/** A frame of this test is 01h, length of the payload, payload, sum of the payload. 15h and 16h are single bytes. */
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

  it('reports a damaged frame once and finds the good frame after it', () => {
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

  it('reports a length over the limit as damaged', () => {
    const pieces = readAll([Uint8Array.from([0x01, 0xff, ...frameOf(0x35)])])
    expect(pieces.map((one) => one.kind)).toEqual(['damaged', 'frame'])
  })

  it('returns half a frame when its time is over, and continues', () => {
    const deframer = new Deframer(shape)
    expect(deframer.push(frameOf(0x30, 0x31).subarray(0, 3))).toEqual([])
    expect(deframer.pending).toBe(true)
    expect([...(deframer.expire() ?? [])]).toEqual([0x01, 0x22, 0x30])
    expect(frames(deframer.push(frameOf(0x37)))).toEqual([[0x37]])
    expect(deframer.pending).toBe(false)
  })

  it('never throws on noise, and still finds the frame after it', () => {
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

  it('returns damaged bytes whole, and once, whatever they contain', () => {
    // The damaged bytes contain the start of another damaged frame, and a byte that is a single byte elsewhere.
    const damaged = [0x01, 0x25, 0x01, 0x21, 0x41, 0x00, 0x16, 0x00]
    const pieces = readAll([Uint8Array.from([0x41, ...damaged, 0x16, ...frameOf(0x35)])])
    expect(pieces.map((one) => one.kind)).toEqual(['damaged', 'single', 'frame'])
    expect(pieces[0]).toMatchObject({ bytes: Uint8Array.from(damaged) })
  })

  it('does not keep the bytes that it has returned', () => {
    const deframer = new Deframer(shape)
    deframer.push(frameOf(0x30, 0x31).subarray(0, 3))
    deframer.expire()
    expect(deframer.pending).toBe(false)
    expect(deframer.push(frameOf(0x37)).map((one) => one.kind)).toEqual(['frame'])
  })

  it('accepts the longest frame, and nothing longer', () => {
    const longest = frameOf(...Array.from({ length: 37 }, () => 0x30))
    expect(longest.length).toBe(40)
    expect(readAll([longest]).map((one) => one.kind)).toEqual(['frame'])
    const longer = frameOf(...Array.from({ length: 38 }, () => 0x30))
    expect(readAll([longer]).map((one) => one.kind)).toEqual(['damaged'])
  })

  it('reads more bytes than its first buffer holds, with a frame begun at every end', () => {
    const stream = Uint8Array.from(Array.from({ length: 200 }, (_, at) => [...frameOf(at, 0x31)]).flat())
    // Every frame has five bytes.
    const chunks = [stream.subarray(0, 2)]
    for (let at = 2; at < stream.length; at += 5) chunks.push(stream.subarray(at, at + 5))
    const expected = Array.from({ length: 200 }, (_, at) => [at, 0x31])
    expect(frames(readAll(chunks))).toEqual(expected)
    expect(frames(readAll([stream]))).toEqual(expected)
  })

  it('returns only the received bytes of a piece that can never become a frame', () => {
    expect(readAll([Uint8Array.of(0x41, 0x01, 0x10)])).toEqual([{ kind: 'damaged', bytes: Uint8Array.of(0x01, 0x10) }])
  })

  it('keeps its state of a damaged frame when it makes room', () => {
    const deframer = new Deframer(shape)
    // The rest of the damaged frame may be a frame of six bytes, of which three are missing.
    const damaged = [0x01, 0x25, 0x41, 0x41, 0x41, 0x01, 0x23, 0x00]
    expect(deframer.push(Uint8Array.from([...Array.from({ length: 200 }, () => 0x41), ...damaged]))).toEqual([
      { kind: 'damaged', bytes: Uint8Array.from(damaged) },
    ])
    // The first 16h belongs to the damaged bytes. The second 16h is a single byte.
    const rest = [0x16, 0x41, 0x41, 0x16, ...Array.from({ length: 60 }, () => 0x41), ...frameOf(0x35)]
    expect(deframer.push(Uint8Array.from(rest))).toEqual([
      { kind: 'single', byte: 0x16 },
      { kind: 'frame', frame: [0x35], bytes: frameOf(0x35) },
    ])
  })
})

describe('a frame with an end byte', () => {
  /** A frame is 02h, any bytes, 0Ah. Only the last byte determines the length, and another 02h restarts the frame. */
  const ending: FrameShape<string> = {
    maxLength: 8,
    classify: (byte) => (byte === 0x02 ? 'frame' : 'skip'),
    measure(bytes, from, to) {
      for (let at = from + 1; at < to; at++) {
        if (bytes[at] === 0x02) return { restart: at }
        if (bytes[at] === 0x0a) return at + 1 - from
      }
      return 'more'
    },
    parse: (frame) => Buffer.from(frame.subarray(1, -1)).toString('latin1'),
  }
  const read = (...texts: string[]) => {
    const deframer = new Deframer(ending)
    const pieces = texts.flatMap((text) => deframer.push(Buffer.from(text, 'latin1')))
    return [
      ...pieces.map((one) => (one.kind === 'frame' ? one.frame : one.kind)),
      deframer.pending ? 'pending' : 'quiet',
    ]
  }

  it.each(
    withWords(
      ([, , expected]) => expected.join(', '),
      [
        ['of the maximum length', ['\x02abcdef\n'], ['abcdef', 'quiet']],
        ['without its last byte', ['\x02abcdef'], ['pending']],
        ['of the maximum length, without its end', ['\x02abcdefg'], ['pending']],
        ['longer than the maximum', ['\x02abcdefgh'], ['damaged', 'quiet']],
        ['longer than the maximum, byte by byte', [...'\x02abcdefgh'], ['damaged', 'quiet']],
        ['after a frame without an end', ['\x02abcdefgh', '\x02x\n'], ['damaged', 'x', 'quiet']],
        ['that is restarted by another 02h', ['\x02ab\x02cd\n'], ['cd', 'quiet']],
        ['that is restarted by another 02h, byte by byte', [...'\x02ab\x02cd\n'], ['cd', 'quiet']],
        ['after noise', ['zzzzz\x02abcd', 'ef\n'], ['abcdef', 'quiet']],
      ],
    ),
  )('gives "%s": %s', (_result, _what, texts, expected) => {
    expect(read(...texts)).toEqual(expected)
  })
})
