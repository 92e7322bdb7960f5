/** Frames, retransmissions and broken input at the device: sheet 2.4 to 2.7. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeHostFrame, hostShape } from '../../drivers/family-a/protocol/frame.ts'
import { Deframer } from '../../drivers/wire/deframer.ts'
import { bytesOf, textOf } from '../support/bytes.ts'
import { OPEN, read, SALE, talk } from './talk.ts'

const NAK = '15'
const frame = (seq: number, code: number, data = '') => encodeHostFrame({ seq, code, data })

/** Returns the bytes with one byte changed. */
function changed(bytes: Uint8Array, at: number, to: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at < 0 ? copy.length + at : at] = to
  return copy
}

describe('broken input of family A (sheet 2.7):', () => {
  const good = frame(0x30, 74)
  it.each([
    ['a wrong checksum', changed(good, -2, 0x30)],
    ['a length that is too large', changed(good, 4, 0x3b)],
    ['a length that is too small', changed(good, 4, 0x35)],
    ['a length that is not a number', changed(good, 3, 0x41)],
    ['a command that is not a number', changed(good, 7, 0x50)],
    ['no postamble', changed(good, -6, 0x20)],
    ['SEQ below 20h', frame(0x1f, 74)],
  ])('%s is answered with NAK, and nothing is executed', (_, bytes) => {
    const rig = talk()
    expect(textOf(rig.hear(bytes))).toBe(NAK)
    expect(read(rig.hear(good)).code).toBe('0')
  })

  it('a frame without its end is answered with NAK when the gap limit has passed', () => {
    const rig = talk()
    expect(textOf(rig.hear(good.subarray(0, 9)))).toBe('')
    expect(textOf(rig.expire() ?? new Uint8Array())).toBe(NAK)
    expect(read(rig.hear(good)).code).toBe('0')
  })

  it('a frame that is longer than the buffer is refused', () => {
    const rig = talk()
    const long = frame(0x30, 42, `${'x'.repeat(496)}\t`)
    const answer = textOf(rig.hear(long)) || textOf(rig.expire() ?? new Uint8Array())
    expect(answer).toBe(NAK)
  })

  it('496 bytes of data are accepted', () => {
    const rig = talk()
    expect(read(rig.hear(frame(0x30, 42, `${'x'.repeat(490)}\t\t\t\t\t\t`))).code).toBe('-111016')
  })

  it('bytes before 01h are skipped', () => {
    const rig = talk()
    expect(read(rig.hear(Buffer.concat([Buffer.from('\0\0AT+CMD\r\n'), good]))).code).toBe('0')
  })

  it('a second 01h restarts the frame', () => {
    const rig = talk()
    expect(read(rig.hear(Buffer.concat([good.subarray(0, 8), good]))).code).toBe('0')
  })

  it('a classic frame with one byte of length and command is answered with SYN, then NAK', () => {
    const rig = talk()
    // 01 LEN 24h SEQ 20h CMD 4Ah 05 BCC: 24 + 20 + 4A + 05 = 0093h.
    expect(textOf(rig.hear(bytesOf('01 24 20 4A 05 30 30 39 33 03')))).toBe('16 15')
  })

  it('NAK changes neither the stored number nor the stored answer', () => {
    const rig = talk()
    const first = rig.hear(frame(0x30, 38))
    rig.hear(changed(frame(0x31, 39), -2, 0x30))
    expect(textOf(rig.hear(frame(0x30, 38)))).toBe(textOf(first))
  })

  it('a frame gets the same answer however it is split into two pieces', () => {
    const bytes = frame(0x30, 100, '-111016\t')
    const whole = textOf(talk().hear(bytes))
    for (let cut = 1; cut < bytes.length; cut++) {
      const rig = talk()
      rig.hear(bytes.subarray(0, cut))
      expect(textOf(rig.hear(bytes.subarray(cut)))).toBe(whole)
    }
  })

  it('after any bytes, a good frame after a pause is read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (noise) => {
        const deframer = new Deframer(hostShape)
        deframer.push(noise)
        deframer.expire()
        expect(deframer.push(good).map(({ kind }) => kind)).toEqual(['frame'])
      }),
    )
  })

  it('no changed byte of a frame is accepted', () => {
    const bytes = frame(0x30, 49, 'Item\t1\t5.00\t\t\t\t0\t')
    for (let at = 0; at < bytes.length; at++) {
      expect(hostShape.parse(changed(bytes, at, (bytes[at] ?? 0) ^ 1)), `byte ${at}`).toBeUndefined()
    }
  })
})

describe('repeated frames of family A (sheet 2.6):', () => {
  it('a frame with the last number is not executed again; its answer is identical, byte for byte', () => {
    const rig = talk()
    rig.all(OPEN)
    const first = rig.hear(frame(0x90, ...SALE))
    expect(textOf(rig.hear(frame(0x90, ...SALE)))).toBe(textOf(first))
    expect(rig.ask(76).fields).toEqual(['1', '1', '1', '5.00', '0.00'])
  })

  it('the number alone decides about a repetition, as in the manual', () => {
    const rig = talk()
    rig.hear(frame(0x90, 62))
    expect(textOf(rig.hear(frame(0x90, 38)))).toBe(textOf(rig.hear(frame(0x90, 62))))
    expect(rig.device.receipt).toBeNull()
  })

  it('the bytes decide about a repetition with duplicateMatch=frame', () => {
    const rig = talk({ switches: { duplicateMatch: 'frame' } })
    rig.hear(frame(0x90, 62))
    expect(read(rig.hear(frame(0x90, 38))).fields).toEqual(['1'])
  })

  it('every number of 20h to FFh is accepted', () => {
    const rig = talk()
    for (let seq = 0x20; seq <= 0xff; seq++) expect(rig.hear(frame(seq, 74))[5]).toBe(seq)
  })

  it('the stored answer is lost at power-on', () => {
    const rig = talk()
    rig.all(OPEN)
    rig.hear(frame(0x90, ...SALE))
    rig.wire.restart()
    rig.hear(frame(0x90, ...SALE))
    expect(rig.ask(76).fields[2]).toBe('2')
  })

  it('bytes that arrive while a command runs are dropped', () => {
    const rig = talk()
    const bytes = frame(0x90, 74)
    const piece = new Deframer(hostShape).push(bytes)[0]
    expect(piece && rig.wire.meetWhileBusy(piece)).toBeUndefined()
  })
})
