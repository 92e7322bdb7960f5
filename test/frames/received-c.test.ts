/**
 * Frames that the device and the host of family C recognize in bytes: sheet C 2. Check symbols were computed by hand,
 * from LEN to the last byte of DATA.
 */
import { describe, expect, it } from 'vitest'
import {
  type DeviceFrame,
  deviceShape,
  endsStream,
  type HostFrame,
  hostShape,
  strictHostShape,
  writeAck,
  writeFrame,
} from '../../drivers/family-c/protocol/frame.ts'
import { textOf } from '../support/bytes.ts'
import { each, long, PENDING, receptions } from './receptions.ts'

const STATUS = '02 23 20 20 32 33 0A'
const READY = '02 2A 20 20 80 80 80 F0 80 80 80 3D 3A 0A'
const ACK = '06 71 30 30 37 31 0A'
/** Data of an ordinary frame that looks like the bitmap of a logo. */
const FILL = '41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41'
const ASKED = { kind: 'command', number: 0x20, code: 0x20, data: '' }
const SAID = { kind: 'message', number: 0x20, code: 0x20, data: '\x80\x80\x80\xf0\x80\x80\x80' }
const TAKEN = { kind: 'ack', number: 0x71, device: 0, command: 0 }

function brief(frame: HostFrame | DeviceFrame): unknown {
  if (frame.kind === 'logo') return `logo ${frame.code.toString(16)}, ${frame.bitmap.length} bytes`
  return 'data' in frame && frame.data.length > 100 ? { ...frame, data: frame.data.length } : frame
}
const byDevice = (bytes: string | Uint8Array) => receptions(hostShape, brief, '00 41 0A 06', bytes)
const byStrictDevice = (bytes: string | Uint8Array) => receptions(strictHostShape, brief, '00 41 0A 06', bytes)
const byHost = (bytes: string | Uint8Array) => receptions(deviceShape, brief, '00 0A 08 80', bytes)

describe('a device of family C recognizes', () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    ['a frame without data', STATUS, [ASKED]],
    ['a frame with data', '02 27 21 2F 48 69 3B 31 30 32 0A', [{ ...ASKED, number: 0x21, code: 0x2f, data: 'Hi;1' }]],
    ['two frames, one after the other', `${STATUS} ${STATUS}`, [ASKED, ASKED]],
    ['control bytes in data', '02 26 20 30 02 0A 06 33 38 0A', [{ ...ASKED, code: 0x30, data: '\x02\n\x06' }]],
    ['the largest message number', '02 23 FF 20 3F 3C 0A', [{ ...ASKED, number: 0xff }]],
    ['the largest command', '02 23 20 7F 37 3C 0A', [{ ...ASKED, code: 0x7f }]],
    ['pings', '03 04 05 09', ['single 03', 'single 04', 'single 05', 'single 09']],
    ['nothing but noise', '00 01 06 07 08 0A 0E 15 40 49 4F 7F AA FF', []],
    ['the start of a frame', '02', [PENDING]],
    ['half a frame', '02 23 20 20', [PENDING]],
    ['a frame without its 0Ah', STATUS.slice(0, -3), [PENDING]],
    ['the end of a printing mode', '1B 0C', [{ kind: 'mode', flag: undefined }]],
    ['the start of a printing mode', '1B 4C 81', [{ kind: 'mode', flag: 0x81 }]],
    ['half a start of a printing mode', '1B', [PENDING]],
    ['a start of a printing mode without its flag', '1B 4C', [PENDING]],
    ['another sequence of 1Bh, which is ignored', `1B 5D 30 ${STATUS}`, [ASKED]],
    ['the query for its widths', '1D 49', [{ kind: 'gs', request: { kind: 'widths' } }]],
    ['the query for its table', '1D 4D', [{ kind: 'gs', request: { kind: 'table' } }]],
    ['the query for its firmware', '1D 3F', [{ kind: 'gs', request: { kind: 'firmware' } }]],
    ['half a query', '1D', [PENDING]],
    ['another sequence of 1Dh, which is ignored', `1D 41 ${STATUS}`, [ASKED]],
    ['the speed of 9600', '1D 73 30', [{ kind: 'gs', request: { kind: 'speed', baud: 9_600 } }]],
    ['the speed of 115200', '1D 73 34', [{ kind: 'gs', request: { kind: 'speed', baud: 115_200 } }]],
    ['a speed without its digit', '1D 73', [PENDING]],
    ['an unknown speed', `1D 73 35 ${STATUS}`, [ASKED]],
    ['a speed below all of them', `1D 73 2F ${STATUS}`, [ASKED]],
    [
      'that device 1234 is to fall silent',
      '1D 3D 30 46 31 32 33 34',
      [{ kind: 'gs', request: { kind: 'select', silent: true, device: '1234' } }],
    ],
    [
      'that device 0007 may speak',
      '1D 3D 31 46 30 30 30 37',
      [{ kind: 'gs', request: { kind: 'select', silent: false, device: '0007' } }],
    ],
    [
      'the same and one more digit, which is ignored',
      '1D 3D 31 46 30 30 30 37 38',
      [{ kind: 'gs', request: { kind: 'select', silent: false, device: '0007' } }],
    ],
    ['a device without its last digit', '1D 3D 31 46 30 30 30', [PENDING]],
    ['a device without digits', '1D 3D 31 46', [PENDING]],
    ['neither silence nor speech', `1D 3D 32 46 30 30 30 37 ${STATUS}`, [ASKED]],
    ['silence without its letter', `1D 3D 30 47 30 30 30 37 ${STATUS}`, [ASKED]],
    ['a device number that is not a number', `1D 3D 30 46 30 30 30 41 ${STATUS}`, [ASKED]],
  ])('%s', (_what, bytes, expected) => {
    expect(byDevice(bytes)).toEqual(each(expected))
    expect(byStrictDevice(bytes)).toEqual(each(expected))
  })

  it.each<readonly [string, string]>([
    ['another high check symbol', '02 23 20 20 33 33 0A'],
    ['another low check symbol', '02 23 20 20 32 34 0A'],
    ['no 0Ah at its end', '02 23 20 20 32 33 0B'],
    ['another letter than was summed', '02 27 21 2F 48 6A 3B 31 30 32 0A'],
    ['a message number below 20h', '02 23 1F 20 31 3C 0A'],
    ['a command below 20h', '02 23 20 1F 31 3C 0A'],
    ['a command above 7Fh', '02 23 20 80 38 33 0A'],
  ])('a damaged frame: %s', (_what, bytes) => {
    const expected = each([`damaged, ${bytes.split(' ').length} bytes`, ASKED])
    expect(byDevice(`${bytes} ${STATUS}`)).toEqual(expected)
    expect(byStrictDevice(`${bytes} ${STATUS}`)).toEqual(expected)
  })

  it('a frame with a LEN that is one too large, and the good frame that it would swallow', () => {
    expect(byDevice(`02 24 20 20 32 34 0A ${STATUS}`)).toEqual(each(['damaged, 8 bytes', ASKED]))
  })

  it('a LEN below 23h, which is not valid', () => {
    for (const bytes of [`02 22 20 20 32 32 0A ${STATUS}`, `02 0A ${STATUS}`]) {
      const kinds = byDevice(bytes).map(({ received }) => received.map((one) => String(one).replace(/,.*/, '')))
      expect(kinds).toEqual(Array.from({ length: 3 }, () => ['damaged', '[object Object]']))
    }
    expect(byDevice('02 22')).toEqual(each(['damaged, 2 bytes']))
  })

  it('check symbols by their low four bits, unless the whole symbols are compared', () => {
    const signed = '02 23 80 20 F8 33 0A'
    expect(byDevice(signed)).toEqual(each([{ ...ASKED, number: 0x80 }]))
    expect(byStrictDevice(signed)).toEqual(each(['damaged, 7 bytes']))
    expect(byDevice('02 23 80 20 38 F3 0A')).toEqual(each([{ ...ASKED, number: 0x80 }]))
    expect(byStrictDevice('02 23 80 20 38 33 0A')).toEqual(each([{ ...ASKED, number: 0x80 }]))
    expect(byDevice('02 23 80 20 F7 33 0A')).toEqual(each(['damaged, 7 bytes']))
  })

  it('a frame with 220 bytes of data, the most that LEN can express', () => {
    const most = long('02 FF 21 2F', 'A', 220, '3F 31 0A')
    expect(byDevice(most)).toEqual(each([{ ...ASKED, number: 0x21, code: 0x2f, data: 220 }]))
    expect(textOf(writeFrame(0x21, 0x2f, 'A'.repeat(220)))).toBe(textOf(most))
    expect(() => writeFrame(0x21, 0x2f, 'A'.repeat(221))).toThrow(RangeError)
  })
})

describe('a frame with a logo', () => {
  it.each<readonly [string, Uint8Array, string]>([
    ['the smallest logo', long('02 39 37 4C 42 4D 3E 00 00 00', 'A', 56, STATUS), 'logo 4c, 62 bytes'],
    ['a logo of the other command', long('02 39 37 4D 42 4D 3E 00 00 00', 'A', 56, STATUS), 'logo 4d, 62 bytes'],
    ['the largest logo', long('02 39 37 4C 42 4D 02 24 00 00', 'A', 9_212, STATUS), 'logo 4c, 9218 bytes'],
  ])('is as long as its own header states: %s', (_what, bytes, logo) => {
    expect(byDevice(bytes)).toEqual(each([logo, ASKED]))
  })

  it.each<readonly [string, string]>([
    ['a bitmap of 61 bytes', `02 39 37 4C 42 4D 3D 00 00 00 ${FILL} 37 30 0A`],
    ['a bitmap of 9219 bytes', `02 39 37 4C 42 4D 03 24 00 00 ${FILL} 36 3A 0A`],
    ['another command', `02 39 37 4E 42 4D 3E 00 00 00 ${FILL} 37 31 0A`],
    ['another message number', `02 39 38 4C 42 4D 3E 00 00 00 ${FILL} 37 3C 0A`],
    ['another first letter', `02 39 37 4C 58 4D 3E 00 00 00 ${FILL} 36 39 0A`],
    ['another second letter', `02 39 37 4C 42 58 3E 00 00 00 ${FILL} 36 36 0A`],
    ['text', `02 39 37 41 41 41 41 41 41 41 ${FILL} 34 3F 0A`],
  ])('is treated as an ordinary frame with %s', (_what, bytes) => {
    const kinds = byDevice(`${bytes} ${STATUS}`).map(({ received }) => received.map((one) => (one as HostFrame).kind))
    expect(kinds).toEqual(Array.from({ length: 3 }, () => ['command', 'command']))
  })

  it.each([2, 3, 4, 5, 6, 9, 10, 65])('waits for the rest of its bytes: the first %i', (count) => {
    const bytes = long('02 39 37 4C 42 4D 3E 00 00 00', 'A', 56, '')
    expect(byDevice(bytes.slice(0, count))).toEqual(each([PENDING]))
  })
})

describe('a host of family C recognizes', () => {
  it.each<readonly [string, string, readonly unknown[]]>([
    ['an answer with data', READY, [SAID]],
    ['an answer without data', ACK, [TAKEN]],
    ['a refusal', '06 71 30 34 37 35 0A', [{ ...TAKEN, command: 4 }]],
    ['the largest error digits', '06 71 3F 3F 37 31 0A', [{ ...TAKEN, device: 15, command: 15 }]],
    ['error digits as letters', '06 71 41 46 37 36 0A', [{ ...TAKEN, device: 10, command: 15 }]],
    ['a device digit below 30h', '06 71 2F 30 36 3E 0A', ['damaged, 7 bytes']],
    ['a device digit between 3Fh and A', '06 71 40 30 30 31 0A', ['damaged, 7 bytes']],
    ['a device digit above F', '06 71 47 30 30 36 0A', ['damaged, 7 bytes']],
    ['a command digit below 30h', '06 71 30 2F 36 3E 0A', ['damaged, 7 bytes']],
    ['a command digit between 3Fh and A', '06 71 30 40 30 31 0A', ['damaged, 7 bytes']],
    ['a command digit above F', '06 71 30 47 30 36 0A', ['damaged, 7 bytes']],
    ['an ACK with another check symbol', '06 71 30 30 37 32 0A', ['damaged, 7 bytes']],
    ['an ACK with a check symbol that matches in its low bits only', '06 71 30 30 F7 31 0A', ['damaged, 7 bytes']],
    ['an ACK without its 0Ah', `06 71 30 30 37 31 0B ${ACK}`, ['damaged, 7 bytes', TAKEN]],
    ['half an ACK', '06 71 30', [PENDING]],
    ['an answer with another check symbol', READY.replace('3D 3A 0A', '3D 3B 0A'), ['damaged, 14 bytes']],
    ['a refusal of the frame', '15', ['single 15']],
    ['a device that is busy', '0E 0E', ['single 0E', 'single 0E']],
    ['answers to pings', '03 04 05 07', ['single 03', 'single 04', 'single 05', 'single 07']],
    [
      'answers to the ping for the state',
      '40 41 4F 50 60 70 7F',
      ['single 40', 'single 41', 'single 4F', 'single 50', 'single 60', 'single 70', 'single 7F'],
    ],
    ['nothing but noise', '00 01 08 09 0A 0B 0F 1B 1D 30 3F 80 FF', []],
    ['widths', '49 34 32 3B 31 0A', [{ kind: 'widths', data: '42;1' }]],
    ['widths that begin with 0', '49 30 0A', [{ kind: 'widths', data: '0' }]],
    ['widths that begin with 9', '49 39 0A', [{ kind: 'widths', data: '9' }]],
    ['I alone, after which widths may follow', '49', [PENDING]],
    ['half the widths', '49 34 32', [PENDING]],
    ['I before no digit, which is ignored', `49 2F 49 3A ${ACK}`, [TAKEN]],
    ['I before another byte', '49 41', ['single 41']],
  ])('%s', (_what, bytes, expected) => {
    expect(byHost(bytes)).toEqual(each(expected))
  })

  it('120 bytes that may be widths, and no widths in more bytes without an end', () => {
    expect(byHost(long('49', '1', 119, ''))).toEqual(each([PENDING]))
    expect(byHost(long('49', '1', 120, ''))).toEqual(each([]))
    expect(byHost(long('49', '1', 120, '15'))).toEqual(each(['single 15']))
    expect(byHost(long('49', '1', 118, '0A'))).toEqual(each([{ kind: 'widths', data: 118 }]))
  })
})

describe('frames as they are written', () => {
  it('may be an ACK with any two error digits', () => {
    expect(textOf(writeAck(0x71, 0, 4))).toBe('06 71 30 34 37 35 0A')
    expect(textOf(writeAck(0x71, 15, 15))).toBe('06 71 3F 3F 37 31 0A')
  })

  it.each<readonly [string, DeviceFrame]>([
    ['end a stream', { kind: 'message', number: 0x20, code: 0x75, data: '@' }],
    ['end a stream', { kind: 'message', number: 0x20, code: 0x75, data: '0001@' }],
    ['do not end a stream', { kind: 'message', number: 0x20, code: 0x75, data: '001@' }],
    ['do not end a stream', { kind: 'message', number: 0x20, code: 0x75, data: '00001@' }],
    ['do not end a stream', { kind: 'message', number: 0x20, code: 0x75, data: '0001@ ' }],
    ['do not end a stream', { kind: 'message', number: 0x20, code: 0x75, data: '' }],
    ['do not end a stream', { kind: 'ack', number: 0x20, device: 0, command: 0 }],
    ['end a stream', { kind: 'ack', number: 0x20, device: 0, command: 4 }],
    ['end a stream', { kind: 'ack', number: 0x20, device: 3, command: 2 }],
    ['do not end a stream', { kind: 'widths', data: '@' }],
  ])('%s: %j', (is, frame) => {
    expect(endsStream(frame)).toBe(is === 'end a stream')
  })
})
