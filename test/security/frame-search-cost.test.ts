/**
 * A frame shape examines each byte once, and never more bytes than its longest frame. The streams are constructed to be
 * slow to read. The test counts the examined bytes instead of measuring time.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driverFamilies } from '../../drivers/families.ts'
import { Deframer, type FrameShape } from '../../drivers/wire/deframer.ts'
import { suiteSeed } from '../model/seed.ts'

const SHAPES = [...driverFamilies].flatMap(
  ([family, { linkRules, framesToDevice }]): [string, FrameShape<unknown>][] => [
    [`the host of family ${family}`, linkRules.shape],
    [`the device of family ${family}`, framesToDevice],
  ],
)

interface Examined {
  calls: number
  widest: number
}

function watched(shape: FrameShape<unknown>): { readonly shape: FrameShape<unknown>; readonly looked: Examined } {
  const examined: Examined = { calls: 0, widest: 0 }
  return {
    looked: examined,
    shape: {
      ...shape,
      measure(bytes, from, to) {
        examined.calls++
        examined.widest = Math.max(examined.widest, to - from)
        return shape.measure(bytes, from, to)
      },
    },
  }
}

const LENGTH = 64 * 1024

const flood = (...pattern: number[]): Uint8Array =>
  Uint8Array.from({ length: LENGTH }, (_, at) => pattern[at % pattern.length] as number)

const FLOODS: readonly (readonly [string, Uint8Array])[] = [
  ...[0x01, 0x02, 0x06, 0x0e, 0x11, 0x15, 0x16, 0x1a, 0x1b, 0x1d, 0x20, 0x49, 0xff].map(
    (byte) => [`the byte ${byte.toString(16)}h`, flood(byte)] as const,
  ),
  ['starts of lines with text', flood(0x1a, 0x20, 0x20)],
  ['starts of frames that state the greatest length', flood(0x01, 0x30, 0x32, 0x30, 0x3f)],
  ['starts of long messages', flood(0x02, 0xff)],
  ['starts of bitmaps', flood(0x02, 0x39, 0x37, 0x4c, 0x42, 0x4d, 0xff, 0x23, 0x00, 0x00)],
  ['answers to a query for widths without an end', flood(0x49, 0x30)],
]

describe.each(SHAPES)('input of %s', (_who, shape) => {
  it.each(FLOODS)('is read in linear time, also a flood of %s', (_what, bytes) => {
    for (const piece of [bytes.length, 4096, 7]) {
      const { shape: seen, looked } = watched(shape)
      const deframer = new Deframer(seen)
      for (let at = 0; at < bytes.length; at += piece) deframer.push(bytes.subarray(at, at + piece))
      expect(looked.widest, `pieces of ${piece}`).toBeLessThanOrEqual(shape.maxLength + 1)
      expect(looked.calls, `pieces of ${piece}`).toBeLessThanOrEqual(bytes.length + Math.ceil(bytes.length / piece))
    }
  })

  it('has the same frames whether it arrives at once or byte by byte', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...FLOODS.map(([, bytes]) => bytes.subarray(0, 12))),
            fc.uint8Array({ maxLength: 20 }),
          ),
          { maxLength: 80 },
        ),
        (pieces) => {
          const bytes = Buffer.concat(pieces)
          const atOnce = new Deframer(shape).push(bytes)
          const slow = new Deframer(shape)
          const byByte = [...bytes].flatMap((byte) => slow.push(Uint8Array.of(byte)))
          const good = (found: typeof atOnce) => found.filter(({ kind }) => kind === 'frame')
          expect(good(byByte)).toEqual(good(atOnce))
        },
      ),
      { seed: suiteSeed(), numRuns: 300 },
    )
  })
})

it('a flood of start bytes of streamed lines is not searched to the end for each of them', () => {
  const rules = driverFamilies.get('B')?.linkRules
  let bytesLookedAt = 0
  const seen = new Proxy(flood(0x1a), {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) bytesLookedAt++
      return Reflect.get(target, key)
    },
  })
  for (let from = 0; from < 2000; from++) rules?.shape.measure(seen, from, Math.min(LENGTH, from + 641))
  expect(bytesLookedAt).toBeLessThan(4 * 2000)
})
