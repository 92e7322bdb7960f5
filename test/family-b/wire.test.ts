/** Frames, link rules and retransmissions as raw bytes: sheet 4 and 5. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  answerShape,
  parseAnswer,
  parseRequest,
  requestShape,
  writeAnswer,
  writeRequest,
} from '../../drivers/family-b/protocol/frame.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { say, talk } from './talk.ts'

const STATUS = '\x80\x80\xc0\x80\x80\xb8'
const STATUS_ASK = '01 24 50 4A 05 30 30 3C 33 03'
const STATUS_ANSWER = '01 31 50 4A 80 80 C0 80 80 B8 04 80 80 C0 80 80 B8 05 30 37 3C 34 03'

const data = fc.string({
  unit: fc.oneof(fc.integer({ min: 0x20, max: 0xff }), fc.constantFrom(9, 10)).map((code) => String.fromCharCode(code)),
  maxLength: 219,
})
const byte = fc.integer({ min: 0x20, max: 0xff })

describe('the frames of family B', () => {
  it('are read back as they were written, if they are requests', () => {
    fc.assert(
      fc.property(byte, byte, data, (seq, command, text) => {
        expect(parseRequest(writeRequest({ seq, command, data: text }))).toEqual({ seq, command, data: text })
      }),
    )
  })

  it('are read back as they were written, if they are answers, also with a saturated LEN', () => {
    fc.assert(
      fc.property(byte, byte, data, (seq, command, text) => {
        const bytes = writeAnswer({ seq, command, data: text, status: STATUS })
        expect(bytes[1]).toBe(Math.min(0xff, 0x20 + 11 + text.length))
        expect(parseAnswer(bytes)).toEqual({ kind: 'answer', seq, command, data: text, status: STATUS })
      }),
    )
  })

  it('detect one flipped bit at any position', () => {
    const bytes = bytesOf(STATUS_ASK)
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = bytes.slice()
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit)
        expect(parseRequest(damaged)).toBeUndefined()
      }
    }
  })

  it('are found at every split, after noise, SYN and a streamed line', () => {
    const noise = bytesOf(`00 16 16 1A 30 30 30 30 30 31 09 4E 09 41 0D 0A ${STATUS_ANSWER}`)
    for (let cut = 0; cut <= noise.length; cut++) {
      const deframer = new Deframer(answerShape)
      const pieces = [...deframer.push(noise.slice(0, cut)), ...deframer.push(noise.slice(cut))]
      expect(pieces.map((one) => (one.kind === 'frame' ? one.frame.kind : one.kind))).toEqual([
        'single',
        'single',
        'line',
        'answer',
      ])
    }
  })

  it('are separated from noise without an error and without a growing buffer', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (chunks) => {
        const deframer = new Deframer(requestShape)
        for (const chunk of chunks) deframer.push(chunk)
        deframer.expire()
        const pieces = deframer.push(bytesOf(STATUS_ASK))
        expect(pieces.at(-1)?.kind).toBe('frame')
      }),
    )
  })
})

describe('the broken input of family B', () => {
  it.each([
    ['a wrong BCC', '01 24 5A 4A 05 30 30 3C 3C 03'],
    ['a LEN that is too small', '01 23 50 4A 05 30 30 3C 32 03'],
    ['a LEN that is too large', '01 26 50 4A 05 30 30 3C 35 03'],
    ['no 05h', '01 24 50 4A 06 30 30 3C 34 03'],
    ['a SEQ below 20h', '01 24 1F 4A 05 30 30 39 32 03'],
    ['a CMD below 20h', '01 24 50 1A 05 30 30 39 33 03'],
  ])('is answered with NAK for %s', (_, bytes) => {
    expect(talk().hex(bytesOf(bytes))).toBe('15')
  })

  it('is ignored before 01h', () => {
    expect(talk().hex(bytesOf(`00 41 54 0D ${STATUS_ASK}`))).toBe(STATUS_ANSWER)
  })

  it('restarts at a 01h inside a frame', () => {
    expect(talk().hex(bytesOf(`01 2C 39 3A 2B 31 ${STATUS_ASK}`))).toBe(STATUS_ANSWER)
  })

  it('is a syntax error in a packet if it has more than 200 bytes of data', () => {
    const rig = talk()
    say(rig, '38')
    expect(rig.ask(42, 'x'.repeat(200)).status).toBe('80 80 A0 80 80 B8')
    expect(rig.ask(42, 'x'.repeat(201)).status).toBe('A1 80 A0 80 80 B8')
  })

  it('is a syntax error if it has a control byte in the data', () => {
    const rig = talk()
    say(rig, '38')
    expect(rig.ask(42, 'a\x07b').status).toBe('A1 80 A0 80 80 B8')
  })

  it('is dropped silently if it is half a frame, or answered with NAK if the firmware does that', () => {
    const piece = bytesOf('01 24 50')
    expect(talk().wire.expired(piece)).toBeUndefined()
    expect(talk({ switches: { partialFrame: 'nak' } }).wire.expired(piece)).toEqual(Uint8Array.of(0x15))
  })
})

describe('a packet of family B', () => {
  it('is a retransmission with the same SEQ and CMD, whatever its data are, and is not executed again', () => {
    const rig = talk()
    say(rig, '48 1,1')
    rig.askAs(0x80, 58, '1')
    expect(rig.askAs(0x80, 58, '4').status).toBe('80 80 88 80 80 B8')
    expect(rig.device.receipt).toMatchObject({ fiscal: { total: 120 } })
  })

  it('is a new command with the same SEQ and another CMD', () => {
    const rig = talk()
    rig.askAs(0x80, 48, '1,1')
    rig.askAs(0x80, 58, '1')
    expect(rig.device.receipt).toMatchObject({ fiscal: { total: 120 } })
  })

  it('is a new command with another SEQ and the same data', () => {
    const rig = talk()
    rig.askAs(0x80, 48, '1,1')
    rig.askAs(0x81, 58, '1')
    rig.askAs(0x82, 58, '1')
    expect(rig.device.receipt).toMatchObject({ fiscal: { total: 240 } })
  })

  it('is recognized as a retransmission despite a damaged packet in between', () => {
    const rig = talk()
    const first = rig.hex(bytesOf('01 25 5B 45 32 05 30 30 3F 3C 03'))
    expect(rig.hex(bytesOf('01 24 5A 4A 05 30 30 3C 3C 03'))).toBe('15')
    expect(rig.hex(bytesOf('01 25 5B 45 32 05 30 30 3F 3C 03'))).toBe(first)
    expect(rig.device.counters.lastDocument).toBe(1)
  })

  it('that is retransmitted gets the stored answer, a refusal too, until a power failure clears it', () => {
    const rig = talk()
    rig.askAs(0x30, 56)
    say(rig, '48 1,1')
    rig.askAs(0x30, 56)
    const refusal = rig.askAs(0x30, 56)
    expect(refusal.error).toBe(20)
    rig.wire.restart()
    say(rig, '58 1', '53 \\t')
    expect(rig.askAs(0x30, 56).error).toBe(0)
  })
})

describe('the frame log of family B', () => {
  it.each([
    ['toDevice', '01 27 38 30 31 2C 31 05 30 31 32 32 03', 'openFiscal'],
    ['toDevice', '01 25 24 45 32 05 30 30 3C 35 03', 'reportX'],
    ['toDevice', '01 25 48 45 30 05 30 30 3E 37 03', 'reportZ'],
    ['toDevice', '01 25 53 5C 31 05 30 31 30 3A 03', 'unknown'],
    ['toDevice', '01 25', 'damaged'],
    ['toHost', '15', 'NAK'],
    ['toHost', '16', 'SYN'],
    ['toHost', STATUS_ANSWER, 'status'],
  ] as const)('shows a frame %s: %s is %s', (direction, bytes, command) => {
    expect(talk().wire.describe(direction, bytesOf(bytes)).command).toBe(command)
  })

  it('names the status bits and the error', () => {
    const { status } = talk().wire.describe('toHost', bytesOf('01 2B 55 38 04 A0 82 C0 94 80 B8 05 30 34 36 3F 03'))
    expect(status).toEqual([
      'generalError',
      'notAllowedNow',
      'printingAllowed',
      'numbersProgrammed',
      'taxRatesSet',
      'fiscalised',
      'error 20',
    ])
  })
})

describe('the wire options of family B', () => {
  it('refuse an unknown switch or value by its name', () => {
    expect(() => talk({ switches: { nonsense: '1' } })).toThrow('no switch nonsense')
    expect(() => talk({ switches: { freeSale: 'maybe' } })).toThrow('freeSale=maybe')
    expect(() => talk({ switches: { trouble: '2' } })).toThrow('trouble=2')
    expect(() => talk({ profile: 'b7' })).toThrow('no profile b7')
  })
  it('write bytes as the sheet shows them', () => {
    expect(textOf(writeRequest({ seq: 0x53, command: 92, data: '1' }))).toBe('01 25 53 5C 31 05 30 31 30 3A 03')
  })
})
