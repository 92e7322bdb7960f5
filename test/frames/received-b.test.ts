/**
 * Frames that the device and the host of family B recognize in bytes: sheet B 4 to 5.5. Sums were computed by hand,
 * from LEN to 05h, both included.
 */
import { describe, expect, it } from 'vitest'
import {
  answerShape,
  type HostFrame,
  parseAnswer,
  parseRequest,
  type RequestFrame,
  requestShape,
  writeAnswer,
  writeLine,
  writeRequest,
} from '../../drivers/family-b/protocol/frame.ts'
import { readStatus, writeStatus } from '../../drivers/family-b/protocol/status.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { each, long, PENDING, receptions } from './receptions.ts'

const STATUS = '01 24 50 4A 05 30 30 3C 33 03'
const TEXT = '01 28 37 2A 48 69 09 31 05 30 31 37 39 03'
const ANSWER = '01 2D 50 4A 4F 4B 04 88 80 80 80 80 B8 05 30 34 3A 3A 03'
const BARE_ANSWER = '01 2B 50 4A 04 88 80 80 80 80 B8 05 30 34 30 3E 03'
const READY = '04 88 80 80 80 80 B8 05'
const ASKED = { seq: 0x50, command: 74, data: '' }
const SAID = { kind: 'answer', seq: 0x50, command: 74, data: 'OK', status: '\x88\x80\x80\x80\x80\xb8' }

const brief = <Frame extends RequestFrame | HostFrame>(frame: Frame) =>
  'data' in frame && frame.data.length > 100 ? { ...frame, data: frame.data.length } : frame
const byDevice = (bytes: string | Uint8Array) => receptions<RequestFrame>(requestShape, brief, '00 03 16', bytes)
const byHost = (bytes: string | Uint8Array) => receptions<HostFrame>(answerShape, brief, '00 03 11', bytes)

describe('a device of family B recognizes', () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    ['a frame without data', STATUS, [ASKED]],
    ['a frame with data', TEXT, [{ seq: 0x37, command: 42, data: 'Hi\t1' }]],
    ['two frames, one after the other', `${STATUS} ${TEXT}`, [ASKED, { seq: 0x37, command: 42, data: 'Hi\t1' }]],
    ['a frame with the smallest SEQ', '01 24 20 4A 05 30 30 39 33 03', [{ ...ASKED, seq: 0x20 }]],
    ['the largest SEQ', '01 24 FF 4A 05 30 31 37 32 03', [{ ...ASKED, seq: 0xff }]],
    ['the smallest command', '01 24 50 20 05 30 30 39 39 03', [{ ...ASKED, command: 0x20 }]],
    ['the largest command', '01 24 50 FF 05 30 31 37 38 03', [{ ...ASKED, command: 0xff }]],
    ['that a line was accepted, by either byte', '11 1A', ['single 11', 'single 1A']],
    ['nothing but noise', '00 03 04 05 06 0A 15 16 41 FF', []],
    ['half a frame', '01 24 50', [PENDING]],
    ['a frame without its 03h', '01 24 50 4A 05 30 30 3C 33', [PENDING]],
    ['a second 01h inside a frame, which begins it again', `01 24 50 ${STATUS}`, [ASKED]],
    [
      '1Ah inside a frame, which is data',
      '01 27 50 2A 61 1A 62 05 30 31 38 33 03',
      [{ seq: 0x50, command: 42, data: 'a\x1ab' }],
    ],
    ['a line, which no host sends', '1A 41 0D 0A', ['single 1A']],
  ])('%s', (_what, bytes, expected) => {
    expect(byDevice(bytes)).toEqual(each(expected))
  })

  it.each<readonly [string, string]>([
    ['its sum one too large', '01 24 50 4A 05 30 30 3C 34 03'],
    ['an invalid digit of the sum', '01 24 50 4A 05 30 30 3C 43 03'],
    ['another command than was summed', '01 24 50 4B 05 30 30 3C 33 03'],
    ['SEQ below 20h', '01 24 1F 4A 05 30 30 39 32 03'],
    ['a command below 20h', '01 24 50 1F 05 30 30 39 38 03'],
    ['no 05h before the sum', '01 24 50 4A 06 30 30 3C 34 03'],
    ['a LEN one too small', '01 23 50 4A 05 30 30 3C 32 03'],
    ['a LEN one too large', '01 25 50 4A 05 30 30 3C 34 03'],
    ['a LEN that says "longer" of a short frame', '01 FF 50 4A 05 30 31 39 3E 03'],
    ['no command', '01 23 50 05 30 30 37 38 03'],
    ['nothing but its end', '01 03'],
    ['a 03h too early', '01 24 50 03'],
  ])('a damaged frame: %s', (_what, bytes) => {
    expect(byDevice(`${bytes} ${STATUS}`)).toEqual(each([`damaged, ${bytes.split(' ').length} bytes`, ASKED]))
  })

  it.each<readonly [string, number, string, string]>([
    ['the longest data that LEN can express', 218, '01 FE 50 2A', '05 33 38 3D 37 03'],
    ['data whose LEN is exactly FFh', 219, '01 FF 50 2A', '05 33 39 31 39 03'],
    ['data longer than LEN can express', 220, '01 FF 50 2A', '05 33 39 35 3A 03'],
    ['the longest possible data', 630, '01 FF 50 2A', '05 3A 31 37 34 03'],
  ])('long data: %s', (_what, count, head, tail) => {
    expect(byDevice(long(head, 'A', count, tail))).toEqual(each([{ seq: 0x50, command: 42, data: count }]))
    const written = writeRequest({ seq: 0x50, command: 42, data: 'A'.repeat(count) })
    expect(textOf(written)).toBe(textOf(long(head, 'A', count, tail)))
  })

  it('data whose sum does not fit into four digits, so that the sum begins again at 0', () => {
    const bytes = long('01 FF 50 2A', '\xff', 600, '05 35 37 32 36 03')
    expect(byDevice(bytes)).toEqual(each([{ seq: 0x50, command: 42, data: 600 }]))
    expect(textOf(writeRequest({ seq: 0x50, command: 42, data: '\xff'.repeat(600) }))).toBe(textOf(bytes))
  })

  it('a reused piece without the previous bytes', () => {
    const deframer = new Deframer(requestShape)
    expect(deframer.push(bytesOf(`${STATUS} ${STATUS}`))).toHaveLength(2)
    const text = bytesOf(TEXT)
    expect(deframer.push(text.slice(0, 10))).toEqual([])
    expect(deframer.push(text.slice(10)).map(({ kind }) => kind)).toEqual(['frame'])
  })

  it('frames of up to 640 bytes, and no longer', () => {
    const bytes = long('01 FF 50 2A', 'A', 631, `05 3A 31 3B 35 03 ${STATUS}`)
    expect(byDevice(bytes)).toEqual(each(['damaged, 640 bytes', ASKED]))
  })
})

describe('a host of family B recognizes', () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    ['an answer', ANSWER, [SAID]],
    ['an answer without data', BARE_ANSWER, [{ ...SAID, data: '' }]],
    ['a device that is still busy, then its answer', `16 16 ${ANSWER}`, ['single 16', 'single 16', SAID]],
    ['a refusal of the frame', '15', ['single 15']],
    ['nothing but noise', '00 03 04 05 0A 0D 11 41 FF', []],
    ['its own frame as an echo', STATUS, ['damaged, 10 bytes']],
    [
      'a longer frame of its own as an echo',
      '01 2B 50 4A 31 32 33 34 35 36 37 05 30 32 33 36 03',
      ['damaged, 17 bytes'],
    ],
    [
      'an answer without 04h before the status',
      '01 2D 50 4A 4F 4B 20 88 80 80 80 80 B8 05 30 34 3C 36 03',
      ['damaged, 19 bytes'],
    ],
    ['a status byte without bit 7', '01 2D 50 4A 4F 4B 04 88 80 7F 80 80 B8 05 30 34 3A 39 03', ['damaged, 19 bytes']],
    ['five bytes of status', '01 2A 50 4A 04 88 80 80 80 80 05 30 33 35 35 03', ['damaged, 16 bytes']],
    ['an answer with another sum', ANSWER.replace('3A 03', '3B 03'), ['damaged, 19 bytes']],
    ['a second 01h inside an answer', `01 2D 50 4A ${ANSWER}`, [SAID]],
    ['a line of a report', '1A 41 42 0D 0A', [{ kind: 'line', text: 'AB' }]],
    ['an empty line', '1A 0D 0A', [{ kind: 'line', text: '' }]],
    ['a line that holds 03h, 0Ah and 0Dh', '1A 41 03 0A 42 0D 43 0D 0A', [{ kind: 'line', text: 'A\x03\nB\rC' }]],
    ['a line that begins with 0Ah', '1A 0A 41 0D 0A', [{ kind: 'line', text: '\nA' }]],
    ['a line without its 0Ah', '1A 41 42 0D', [PENDING]],
    ['the start of a line', '1A', [PENDING]],
    ['a line that begins again', '1A 41 1A 42 0D 0A', [{ kind: 'line', text: 'B' }]],
    ['an answer instead of the end of a line', `1A 41 ${ANSWER}`, [SAID]],
    [
      'lines and the answer after them',
      `1A 41 0D 0A 1A 42 0D 0A 16 ${ANSWER}`,
      [{ kind: 'line', text: 'A' }, { kind: 'line', text: 'B' }, 'single 16', SAID],
    ],
  ])('%s', (_what, bytes, expected) => {
    expect(byHost(bytes)).toEqual(each(expected))
  })

  it.each<readonly [string, number, string, string]>([
    ['the longest data that LEN can express', 211, '01 FE 50 2A', '33 3A 35 34 03'],
    ['data whose LEN is exactly FFh', 212, '01 FF 50 2A', '33 3A 39 36 03'],
    ['data longer than LEN can express', 213, '01 FF 50 2A', '33 3A 3D 37 03'],
    ['the longest possible data', 623, '01 FF 50 2A', '3A 32 3F 31 03'],
  ])('a long answer: %s', (_what, count, head, tail) => {
    const bytes = long(head, 'A', count, `${READY} ${tail}`)
    expect(byHost(bytes)).toEqual(each([{ ...SAID, command: 42, data: count }]))
    const { seq, status } = SAID
    expect(textOf(writeAnswer({ seq, command: 42, data: 'A'.repeat(count), status }))).toBe(textOf(bytes))
  })

  it('lines of up to 640 bytes, and no longer', () => {
    const most = long('1A', 'A', 637, '0D 0A')
    expect(byHost(most)).toEqual(each([{ kind: 'line', text: 'A'.repeat(637) }]))
    expect(byHost(long('1A', 'A', 638, `0D 0A ${ANSWER}`))).toEqual(each(['damaged, 640 bytes', SAID]))
  })
})

describe('pieces of frames of family B', () => {
  it.each([
    '',
    '01',
    '01 24',
    `02 ${STATUS.slice(3)}`,
    `${STATUS} 03`,
    `${STATUS.slice(0, -2)}04`,
    STATUS.slice(0, -3),
  ])('are not a request: %s', (bytes) => {
    expect(parseRequest(bytesOf(bytes))).toBeUndefined()
  })

  it.each(['', '01', `02 ${ANSWER.slice(3)}`, `${ANSWER} 03`, `${ANSWER.slice(0, -2)}04`, STATUS])(
    'are not an answer: %s',
    (bytes) => {
      expect(parseAnswer(bytesOf(bytes))).toBeUndefined()
    },
  )

  it('include a line, which is written with its start and its end', () => {
    expect(textOf(writeLine('AB'))).toBe('1A 41 42 0D 0A')
  })
})

describe('status bytes of family B (sheet B 7)', () => {
  it.each<readonly [string, string, readonly string[], number]>([
    ['no bit is set', '80 80 80 80 80 80', [], 0],
    ['wrong password at 48', 'A0 80 C0 C2 80 90', ['generalError', 'printingAllowed', 'taxRatesSet'], 66],
    ['the largest error number', '80 80 80 FF 80 80', [], 127],
    [
      'every bit of the first byte',
      'BF 80 80 80 80 80',
      ['generalError', 'mechanismError', 'noDisplay', 'clockNotSet', 'invalidCommand', 'syntaxError'],
      0,
    ],
    [
      'the errors of the fiscal memory',
      '80 80 80 80 BF 81',
      [
        'fiscalMemoryError',
        'fiscalMemoryFull',
        'fiscalMemoryNearlyFull',
        'fiscalMemoryInvalidRecord',
        'taxTerminalTrouble',
        'fiscalMemoryWriteError',
        'fiscalMemoryOverflow',
      ],
      0,
    ],
  ])('are read and written: %s', (_what, bytes, names, error) => {
    const raw = Buffer.from(bytesOf(bytes)).toString('latin1')
    const status = readStatus(raw)
    expect({ flags: [...status.flags].sort(), error: status.error }).toEqual({ flags: [...names].sort(), error })
    expect(textOf(Buffer.from(writeStatus(status), 'latin1'))).toBe(bytes)
  })
})
