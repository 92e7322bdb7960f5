/**
 * Frames that the device and the host of family A recognize in bytes: sheet A 2.1 to 2.7. Sums were computed by hand,
 * from LEN to 05h, both included.
 */
import { describe, expect, it } from 'vitest'
import {
  answers,
  type DeviceFrame,
  deviceShape,
  type HostFrame,
  hostShape,
  isClassicFrame,
  nextSeq,
} from '../../drivers/family-a/protocol/frame.ts'
import { bytesOf } from '../support/bytes.ts'
import { each, long, PENDING, receptions } from './receptions.ts'

const NOISE = '00 03 41'
const TEXT = '01 30 30 32 3F 24 30 30 32 3A 54 65 73 74 09 05 30 33 36 3F 03'
const SHORTEST = '01 30 30 32 3A 20 30 30 34 3A 05 30 31 3B 3F 03'
const ANSWER = '01 30 30 33 35 24 30 30 32 3A 30 09 04 80 80 A0 80 86 9A 80 80 05 30 36 33 3A 03'
const BARE_ANSWER = '01 30 30 33 33 24 30 30 32 3A 04 80 80 80 80 86 9A 80 80 05 30 35 3D 3F 03'
const OPEN = '04 80 80 A0 80 86 9A 80 80 05'
const LOUD = { seq: 0x24, code: 42, data: 'Test\t' }
const QUIET = { seq: 0x20, code: 74, data: '' }
const SAID = { seq: 0x24, code: 42, data: '0\t', status: '\x80\x80\xa0\x80\x86\x9a\x80\x80' }
const SAID_NOTHING = { seq: 0x24, code: 42, data: '', status: '\x80\x80\x80\x80\x86\x9a\x80\x80' }

const brief = <Frame extends HostFrame>(frame: Frame) =>
  frame.data.length > 100 ? { ...frame, data: frame.data.length } : frame
const byDevice = (bytes: string | Uint8Array) => receptions<HostFrame>(hostShape, brief, NOISE, bytes)
const byHost = (bytes: string | Uint8Array) => receptions<DeviceFrame>(deviceShape, brief, NOISE, bytes)

describe('a device of family A recognizes', () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    ['a frame', TEXT, [LOUD]],
    ['a frame without data', SHORTEST, [QUIET]],
    ['two frames, one after the other', `${TEXT} ${SHORTEST}`, [LOUD, QUIET]],
    [
      'a frame with the smallest SEQ',
      '01 30 30 32 3F 20 30 30 32 3A 54 65 73 74 09 05 30 33 36 3B 03',
      [{ ...LOUD, seq: 0x20 }],
    ],
    ['the largest SEQ', '01 30 30 32 3F FF 30 30 32 3A 54 65 73 74 09 05 30 34 34 3A 03', [{ ...LOUD, seq: 0xff }]],
    ['nothing but noise', '00 03 15 16 04 05 41 FF', []],
    ['noise between frames', `${TEXT} 03 05 41 ${SHORTEST}`, [LOUD, QUIET]],
    ['half a frame', TEXT.slice(0, 41), [PENDING]],
    ['four bytes of one', TEXT.slice(0, 11), [PENDING]],
    ['a second 01h inside a frame, which begins it again', `${TEXT.slice(0, 41)} ${SHORTEST}`, [QUIET]],
    ['a second 01h within LEN', `01 30 30 ${SHORTEST}`, [QUIET]],
    ['a 03h too early, which ends it at once', `${TEXT.slice(0, 20)} 03 ${SHORTEST}`, ['damaged, 8 bytes', QUIET]],
    ['a 03h within LEN', `01 30 30 03 ${SHORTEST}`, ['damaged, 4 bytes', QUIET]],
    ['a frame with LEN 0', '01 30 30 30 30 24 30 30 32 3A 54 65 73 74 09 05 30 33 35 3E 03', ['damaged, 21 bytes']],
    ['a frame with LEN 0, still without an end', '01 30 30 30 30 24 30 30 32 3A 54 65', [PENDING]],
    [
      'a frame with a LEN below the minimum, still without an end',
      '01 30 30 32 39 24 30 30 32 3A 05 30 33 35 3E',
      [PENDING],
    ],
    ['a frame with a LEN above the maximum, still without an end', '01 30 32 31 3B 24 30 30 32 3A 54 65 73', [PENDING]],
    [
      'a LEN that is not a number, to the 03h',
      '01 30 30 41 3F 24 30 30 32 3A 54 09 05 30 33 36 3F 03',
      ['damaged, 18 bytes'],
    ],
    [
      'a LEN that is not a number, without an end so far',
      '01 30 30 41 3F 24 30 30 32 3A 54 09 05 30 33 36 3F',
      [PENDING],
    ],
  ])('%s', (_what, bytes, expected) => {
    expect(byDevice(bytes)).toEqual(each(expected))
  })

  it.each<readonly [string, string]>([
    ['its sum one too large', '01 30 30 32 3F 24 30 30 32 3A 54 65 73 74 09 05 30 33 37 30 03'],
    ['an invalid digit of the sum', '01 30 30 32 3F 24 30 30 32 3A 54 65 73 74 09 05 30 33 36 4F 03'],
    ['another letter than was summed', '01 30 30 32 3F 24 30 30 32 3A 54 65 73 75 09 05 30 33 36 3F 03'],
    ['SEQ below 20h', '01 30 30 32 3F 1F 30 30 32 3A 54 65 73 74 09 05 30 33 36 3A 03'],
    ['a command with a digit below 30h', '01 30 30 32 3F 24 30 30 32 2F 54 65 73 74 09 05 30 33 36 34 03'],
    ['a command with a digit above 3Fh', '01 30 30 32 3F 24 30 30 32 40 54 65 73 74 09 05 30 33 37 35 03'],
    ['no 05h before the sum', '01 30 30 32 3F 24 30 30 32 3A 54 65 73 74 09 06 30 33 37 30 03'],
    ['no 03h at the end', '01 30 30 32 3F 24 30 30 32 3A 54 65 73 74 09 05 30 33 36 3F 04'],
    ['a LEN one too small', '01 30 30 32 3E 24 30 30 32 3A 54 65 73 74 09 05 30 33 36 3E 03'],
  ])('a damaged frame: %s', (_what, bytes) => {
    const good = `${bytes} ${SHORTEST}`
    const size = bytes.split(' ').length
    const isShort = bytes.startsWith('01 30 30 32 3E')
    expect(byDevice(good)).toEqual(each([`damaged, ${isShort ? size - 1 : size} bytes`, QUIET]))
  })

  it('a frame with a LEN that is one too large: the 03h ends the frame nevertheless', () => {
    const bytes = '01 30 30 33 30 24 30 30 32 3A 54 65 73 74 09 05 30 33 36 31 03'
    expect(byDevice(`${bytes} ${SHORTEST}`)).toEqual(each(['damaged, 21 bytes', QUIET]))
  })

  it('the shortest frame without its 03h, which is reported at once', () => {
    expect(byDevice(`${SHORTEST.slice(0, -2)}04`)).toEqual(each(['damaged, 16 bytes']))
    expect(byDevice(`${SHORTEST.slice(0, -2)}04 ${TEXT}`)).toEqual(each(['damaged, 16 bytes', LOUD]))
  })

  it('a frame with 496 bytes of data, but not more', () => {
    const head = '01 30 32 31 3A 20 30 30 35 34'
    const most = long(head, 'A', 496, '05 37 3F 3A 3B 03')
    expect(byDevice(most)).toEqual(each([{ seq: 0x20, code: 84, data: 496 }]))
    const unended = long(head, 'A', 496, `05 37 3F 3A 3B 04 ${SHORTEST}`)
    expect(byDevice(unended)).toEqual(each(['damaged, 512 bytes', QUIET]))
    const more = long('01 30 32 31 3B 20 30 30 35 34', 'A', 497, `05 37 3F 3E 3D 03 ${SHORTEST}`)
    expect(byDevice(more)).toEqual(each(['damaged, 512 bytes', QUIET]))
  })

  it('pieces that do not form a frame, however they are cut', () => {
    for (const bytes of [
      '',
      '01',
      `02 ${SHORTEST.slice(3)}`,
      SHORTEST.slice(0, -3),
      `${SHORTEST} 03`,
      '01 30 30 32 39 20 30 30 34 05 30 31 38 34 03',
    ])
      expect(hostShape.parse(bytesOf(bytes))).toBeUndefined()
  })
})

describe('a host of family A recognizes', () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    ['an answer', ANSWER, [SAID]],
    ['an answer without data', BARE_ANSWER, [SAID_NOTHING]],
    ['a device that is still busy, then its answer', `16 16 ${ANSWER}`, ['single 16', 'single 16', SAID]],
    ['a refusal of the frame', '15', ['single 15']],
    ['nothing but noise', '00 03 11 1A 41 FF', []],
    ['the text of a modem, then the answer', `41 54 45 30 0D 0A ${ANSWER}`, [SAID]],
    ['its own frame as an echo', TEXT, ['damaged, 21 bytes']],
    [
      'a frame that is short, with 04h for its SEQ',
      '01 30 30 32 3E 04 30 30 32 3A 54 65 73 74 05 30 33 34 35 03',
      ['damaged, 20 bytes'],
    ],
    [
      'an answer without 04h before the status',
      '01 30 30 33 35 24 30 30 32 3A 30 09 20 80 80 A0 80 86 9A 80 80 05 30 36 35 36 03',
      ['damaged, 27 bytes'],
    ],
    [
      'an answer with seven bytes of status',
      '01 30 30 33 34 24 30 30 32 3A 30 09 04 80 80 A0 80 86 9A 80 05 30 35 3B 39 03',
      ['damaged, 26 bytes'],
    ],
    ['an answer with another sum', ANSWER.replace('33 3A 03', '33 3B 03'), ['damaged, 27 bytes']],
    [
      'an answer to an unknown command',
      '01 30 30 33 35 24 30 30 32 40 30 09 04 80 80 A0 80 86 9A 80 80 05 30 36 34 30 03',
      ['damaged, 27 bytes'],
    ],
    [
      'the shortest answer without its 03h, at once',
      `${BARE_ANSWER.slice(0, -2)}04 ${ANSWER}`,
      ['damaged, 25 bytes', SAID],
    ],
    [
      'a busy byte in a damaged answer, which is a part of it',
      ANSWER.replace('30 09 04', '30 16 04'),
      ['damaged, 27 bytes'],
    ],
  ])('%s', (_what, bytes, expected) => {
    expect(byHost(bytes)).toEqual(each(expected))
  })

  it('an answer with 480 bytes of data, but not more', () => {
    const head = '01 30 32 31 33 20 30 30 35 34'
    const most = long(head, 'A', 480, `${OPEN} 37 3F 3D 38 03`)
    expect(byHost(most)).toEqual(each([{ seq: 0x20, code: 84, data: 480, status: SAID.status }]))
    const unended = long(head, 'A', 480, `${OPEN} 37 3F 3D 38 04 ${ANSWER}`)
    expect(byHost(unended)).toEqual(each(['damaged, 505 bytes', SAID]))
    const more = long('01 30 32 31 34 20 30 30 35 34', 'A', 481, `${OPEN} 38 30 31 3A 03 ${ANSWER}`)
    expect(byHost(more)).toEqual(each(['damaged, 505 bytes', SAID]))
  })
})

describe('a frame of the older protocol', () => {
  it.each<readonly [string, string, string]>([
    ['is recognized', 'the shortest frame', '01 24 20 4A 05 30 30 39 33 03'],
    ['is recognized', 'a frame with data', '01 26 20 2A 48 69 05 30 31 32 36 03'],
    ['is not recognized', 'nothing', ''],
    ['is not recognized', 'a start byte', '01'],
    ['is not recognized', 'no room for a command', '01 23 20 05 30 30 34 38 03'],
    ['is not recognized', 'a byte too many', '01 24 20 4A 05 30 30 39 33 03 03'],
    ['is not recognized', 'a byte too few', '01 24 20 4A 05 30 30 39 33'],
    ['is not recognized', 'no 03h at the end', '01 24 20 4A 05 30 30 39 33 04'],
    ['is not recognized', 'no 05h before the sum', '01 24 20 4A 06 30 30 39 34 03'],
    ['is not recognized', 'another sum', '01 24 20 4A 05 30 30 39 34 03'],
    ['is not recognized', 'a frame of family A', SHORTEST],
  ])('%s: %s', (is, _what, bytes) => {
    expect(isClassicFrame(bytesOf(bytes))).toBe(is === 'is recognized')
  })
})

describe('the number SEQ of a frame', () => {
  it.each([
    [0x20, 0x21],
    [0x7f, 0x80],
    [0xfe, 0xff],
    [0xff, 0x20],
  ])('continues after %i with %i', (seq, next) => {
    expect(nextSeq(seq)).toBe(next)
  })

  it.each<readonly [string, string, object]>([
    ['identifies the answer', 'equal SEQ and command', {}],
    ['does not identify the answer', 'another SEQ', { seq: 0x25 }],
    ['does not identify the answer', 'another command', { code: 54 }],
    ['does not identify the answer', 'another SEQ and another command', { seq: 0x25, code: 54 }],
  ])('%s of the request: %s', (is, _what, change) => {
    expect(answers({ ...SAID, ...change }, bytesOf(TEXT))).toBe(is === 'identifies the answer')
  })
})
