import { describe, expect, it } from 'vitest'
import { hostShape as hostA } from '../../drivers/family-a/protocol/frame.ts'
import { requestShape as hostB } from '../../drivers/family-b/protocol/frame.ts'
import { hostShape as hostC, strictHostShape } from '../../drivers/family-c/protocol/frame.ts'
import type { FrameShape } from '../../drivers/wire/deframer.ts'
import { bytesOf } from '../support/bytes.ts'

/**
 * First bytes on a network port that begin a frame of the protocol: the byte after the start byte is no control byte.
 */
const FRAMED: readonly (readonly [string, FrameShape<unknown>, string])[] = [
  ['A', hostA, '01'],
  ['B', hostB, '01'],
  ['C', hostC, '02'],
  ['C, symbols compared whole', strictHostShape, '02'],
]

describe.each(FRAMED)('the beginning of a frame of family %s', (_family, shape, start) => {
  it.each<readonly [boolean | 'more', string]>([
    ['more', ''],
    ['more', '30'],
    ['more', '30 30'],
    [true, '30 30 32'],
    [true, '20 20 20'],
    [false, '1F'],
    [false, '30 1F'],
    [false, '30 30 0D'],
    [false, '00 30 30'],
  ])('is recognized in time (%s): %s', (is, behind) => {
    expect(shape.opens?.(bytesOf(`${start} ${behind}`.trim()))).toBe(is)
  })
})

describe('a sequence without a frame of family C', () => {
  it.each<readonly [boolean | 'more', string]>([
    ['more', '1B'],
    [true, '1B 0C'],
    [true, '1B 4C'],
    [true, '1B 4C 81'],
    [false, '1B 5D'],
    ['more', '1D'],
    [true, '1D 49'],
    [true, '1D 4D'],
    [true, '1D 3F'],
    ['more', '1D 73'],
    [true, '1D 73 34'],
    [false, '1D 73 35'],
    ['more', '1D 3D 30 46 31 32 33'],
    [true, '1D 3D 30 46 31 32 33 34'],
    [false, '1D 3D 32'],
    [false, '1D 41'],
  ])('is recognized in time (%s): %s', (is, bytes) => {
    expect(hostC.opens?.(bytesOf(bytes))).toBe(is)
  })
})
