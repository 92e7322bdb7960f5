/** Requests of real clients of family C and the responses that these clients read, as raw bytes. */
import { describe, expect, it } from 'vitest'
import { CLOSE, NAME, OPEN, OPEN_NON_FISCAL, PAYMENT, SALE, talk } from './talk.ts'

const DAY_MS = 24 * 3_600_000

describe('the check symbols of a frame (sheet 2.1)', () => {
  // XOR of 23h 80h 20h is 83h.
  const ANSWER = '02 2A 80 20 80 80 80 F0 80 80 80 37 3A 0A'

  it.each([
    ['as written', '38 33'],
    ['the high symbol with its sign', 'F8 33'],
    ['both symbols with another high half', '48 A3'],
  ])('agree if their low four bits agree: %s', (_, symbols) => {
    expect(talk().hex(`02 23 80 20 ${symbols} 0A`)).toBe(ANSWER)
  })

  it.each([
    ['the first low half', '39 33'],
    ['the second low half', 'F8 32'],
  ])('do not agree with another low half: %s', (_, symbols) => {
    expect(talk().hex(`02 23 80 20 ${symbols} 0A`)).toBe('15')
  })

  it('are accepted in every frame of a library that shifts with the sign, and the frame sells', () => {
    const device = talk()
    const say = (number: number, code: number, data: string): string => {
      const body = [0x23 + data.length, number, code, ...Buffer.from(data, 'latin1')]
      const sum = body.reduce((all, byte) => all ^ byte, 0)
      const high = sum >= 0x80 ? 0xf0 | (sum >> 4) : 0x30 + (sum >> 4)
      const frame = [0x02, ...body, high, 0x30 + (sum & 15), 0x0a]
      return device.hex(frame.map((byte) => byte.toString(16).padStart(2, '0')).join(' '))
    }
    const answers = [OPEN, SALE, PAYMENT, CLOSE].map(([code, data], index) => say(0xc0 + index, code, data))
    expect(answers.map((answer) => answer.slice(0, 11))).toEqual([0, 1, 2, 3].map((n) => `06 C${n} 30 30`))
  })

  it('are compared whole with checkSymbols=strict', () => {
    const device = talk({ options: { checkSymbols: 'strict' } })
    expect(device.hex('02 23 80 20 F8 33 0A')).toBe('15')
    expect(device.hex('02 23 80 20 38 33 0A')).toBe(ANSWER)
  })
})

describe('the command 62h (sheet 4.1)', () => {
  it.each([
    ['c4', '20.00%;20.00%;20.00%;09.00%;00.00%;00.00%;00.00%;00.00%;'],
    ['c6', '20.00%;20.00%;20.00%;09.00%;00.00%;00.00%;00.00%;00.00%;'],
    ['cr', '20.00%;20.00%;20.00%;09.00%;00.00%;00.00%;'],
  ])('answers on %s with two digits at the front, and a separator after the last value', (profile, rates) => {
    expect(talk({ profile }).say(0x62)).toBe(rates)
  })

  it('reports a disabled class as -1.00%', () => {
    const device = talk()
    device.emulator.device.registers.setTaxRates([2_000, null, null, 900, 0, 0, 0, null])
    expect(device.say(0x62)).toBe('20.00%;-1.00%;-1.00%;09.00%;00.00%;00.00%;00.00%;-1.00%;')
  })
})

describe('the command 6Ah (sheet 4.1)', () => {
  it('repeats the operator with the digits of the request', () => {
    const device = talk()
    expect(device.say(0x6a, '1')).toBe('1;Operator 1          ;0000')
    expect(device.say(0x6a, '01')).toBe('01;Operator 1          ;0000')
    expect(device.say(0x6a, '9')).toMatch(/^9;/)
    expect(device.say(0x6a, '12')).toMatch(/^12;/)
  })
})

describe('24 hours after the first sale (sheet 5.3),', () => {
  const late = () => {
    const device = talk()
    device.prepare(OPEN, SALE, PAYMENT, CLOSE)
    device.clock.advance(DAY_MS)
    return device
  }

  it('cash in and cash out are accepted', () => {
    const device = late()
    expect(device.say(0x3b, '1;0000;0;100.00')).toBe('30/30')
    expect(device.say(0x3b, '1;0000;0;-50.00')).toBe('30/30')
  })
  it('non-fiscal receipts and reports are accepted', () => {
    const device = late()
    device.prepare(OPEN_NON_FISCAL, [0x37, 'text'], [0x2f, ''], [0x7c, 'X'])
  })
  it('no receipt can be opened until a Z report is printed', () => {
    const device = late()
    expect(device.say(...OPEN)).toBe('3B/32')
    device.prepare([0x7c, 'Z'], OPEN)
  })
})

describe('the device continues to refuse a mistake of a known client:', () => {
  it('cash in without an operator (sheet 4.12)', () => {
    expect(talk().say(0x3b, ';0000;0;0000100.00')).toBe('30/34')
  })
  it('a department byte that its code page lacks (sheet 4.8)', () => {
    const device = talk()
    device.prepare(OPEN)
    expect(device.say(0x34, `${NAME('Bread')};?;1.00`)).toBe('30/34')
  })
})
