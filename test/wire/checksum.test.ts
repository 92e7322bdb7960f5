import { describe, expect, it } from 'vitest'
import { fromNibbles, nibbles, sum16, xor8 } from '../../drivers/wire/checksum.ts'

/**
 * The values are computed by hand from the protocol specifications. Lengths and sums of families A and B are nibbles,
 * with 30h added to each nibble.
 */
describe('digits of four bits', () => {
  it.each([
    [0x1af, 4, '01:?'],
    [0x24, 4, '0024'],
    [0xfedc, 4, '?>=<'],
    [0x12345, 4, '2345'],
    [5, 1, '5'],
  ])('write %j in %i digits as %j', (value, digits, text) => {
    expect(nibbles(value, digits)).toBe(text)
    expect(fromNibbles(Buffer.from(`x${text}x`, 'latin1'), 1, digits)).toBe(value & (16 ** digits - 1))
  })

  it.each([
    ['a byte below 30h', [0x30, 0x2f]],
    ['a byte above 3Fh', [0x40, 0x31]],
    ['a byte that is missing', [0x31]],
  ])('are rejected with %s', (_what, bytes) => {
    expect(fromNibbles(Uint8Array.from(bytes), 0, 2)).toBeUndefined()
  })
})

describe('a checksum', () => {
  it('is the sum of the bytes from one position up to another, in sixteen bits', () => {
    expect(sum16(Uint8Array.of(9, 1, 2, 3, 9), 1, 4)).toBe(6)
    expect(sum16(new Uint8Array(300).fill(0xff), 0, 300)).toBe(300 * 255 - 65_536)
  })

  it('may be the exclusive or of these bytes', () => {
    expect(xor8(Uint8Array.of(9, 0x55, 0x0f, 0xf0, 9), 1, 4)).toBe(0xaa)
  })
})
