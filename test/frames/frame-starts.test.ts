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

const OPENS: Readonly<Record<string, boolean | 'more'>> = {
  'is recognized': true,
  'is rejected': false,
  'is not decided yet': 'more',
}

describe.each(FRAMED)('the beginning of a frame of family %s', (_family, shape, start) => {
  it.each<readonly [string, string]>([
    ['is not decided yet', ''],
    ['is not decided yet', '30'],
    ['is not decided yet', '30 30'],
    ['is recognized', '30 30 32'],
    ['is recognized', '20 20 20'],
    ['is rejected', '1F'],
    ['is rejected', '30 1F'],
    ['is rejected', '30 30 0D'],
    ['is rejected', '00 30 30'],
  ])('%s: %s', (is, behind) => {
    expect(shape.opens?.(bytesOf(`${start} ${behind}`.trim()))).toBe(OPENS[is])
  })
})

describe('a sequence without a frame of family C', () => {
  it.each<readonly [string, string]>([
    ['is not decided yet', '1B'],
    ['is recognized', '1B 0C'],
    ['is recognized', '1B 4C'],
    ['is recognized', '1B 4C 81'],
    ['is rejected', '1B 5D'],
    ['is not decided yet', '1D'],
    ['is recognized', '1D 49'],
    ['is recognized', '1D 4D'],
    ['is recognized', '1D 3F'],
    ['is not decided yet', '1D 73'],
    ['is recognized', '1D 73 34'],
    ['is rejected', '1D 73 35'],
    ['is not decided yet', '1D 3D 30 46 31 32 33'],
    ['is recognized', '1D 3D 30 46 31 32 33 34'],
    ['is rejected', '1D 3D 32'],
    ['is rejected', '1D 41'],
  ])('%s: %s', (is, bytes) => {
    expect(hostC.opens?.(bytesOf(bytes))).toBe(OPENS[is])
  })
})
