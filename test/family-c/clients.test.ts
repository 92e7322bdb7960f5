/**
 * The start-up and sales of known clients of this protocol, as raw conversations (sheet 2.5, 2.6, 4.1, 5.2): the device
 * accepts each from its first byte.
 */
import { describe, expect, it } from 'vitest'
import { NAME, talk } from './talk.ts'

const URN = 'ZK123456-0001-0000001'

describe('an open-source service (C1)', () => {
  it.each(['c4', 'c6'])('detects the device, sells, pays by card and closes (%s)', (profile) => {
    const device = talk({ profile })
    expect(device.hex('09')).toBe('40')
    const numbers = device.say(0x60)
    const version = device.say(0x21)
    const parts = (version + numbers).split(';')
    expect(parts).toHaveLength(7)
    expect(parts[5]).toMatch(/^ZK.{6}$/)
    expect(parts[3]).not.toMatch(/V2$/)
    expect(parts[6]).toMatch(/^\d{8}$/)
    expect(device.say(0x61).split(';')[0]?.trim()).toBe('123456789')
    expect(device.say(0x68)).toMatch(/^\d\d-\d\d-\d{4} \d\d:\d\d$/)
    for (const [code, data] of [
      [0x48, '14-07-25 09:00:00'],
      [0x30, `1;0000;1;1;4$${URN}`],
      [0x31, `${NAME('Cheese')};\xc1;12*1`],
      [0x37, 'a comment'],
      [0x31, `${NAME('Milk')};\xc0;10.00*2,-10.00`],
      [0x31, `${NAME('Butter')};\xc2;3.00:-0.50`],
      [0x35, '7;1;30.00*'],
      [0x35, '0;1;2.50*'],
      [0x38, ''],
    ] as const) {
      expect(device.hex('09')).toBe('40')
      expect(device.say(code, data), `${code.toString(16)} ${data}`).toBe('30/30')
    }
    expect(device.say(0x72, 'B')).toMatch(/^50123456\*\d{6}\*2025-07-14\*09:00:\d\d\*32\.50$/)
    expect(device.emulator.device.day.total).toBe(3250)
  })

  it('reverses a receipt, moves cash and prints the daily report', () => {
    const device = talk()
    device.prepare(
      [0x30, `1;0000;1;1;4$${URN}`],
      [0x31, `${NAME('Cheese')};\xc1;12.00*1`],
      [0x36, ''],
      [0x30, `1;0000;1;1;D;1;1;14-07-25 09:00:00;50123456;${URN}`],
      [0x31, `${NAME('Cheese')};\xc1;12.00*1`],
      [0x36, ''],
      [0x3b, '1;0000;0;10.00'],
      [0x3b, '1;0000;0;-5.00'],
      [0x7c, 'Z'],
    )
    expect(device.emulator.device.memory.lastZ?.taxes[1]).toMatchObject({ turnover: 1200, reversal: 1200 })
  })
})

describe('a Java service (C2)', () => {
  it('uses one message number for every command, and queries the widths when it connects', () => {
    const device = talk()
    expect(device.hex('09')).toBe('40')
    expect(device.hex('1D 49')).toMatch(/^49 33 38 3B/)
    expect(device.hex('02 23 20 20 32 33 0A')).toMatch(/^02 2A 20 20/)
    expect(device.hex('02 23 20 20 32 33 0A')).toMatch(/^02 2A 20 20/)
    expect(device.say(0x2e, '1;0000')).toBe('30/30')
    expect(device.say(0x2f)).toBe('30/30')
    expect(device.say(0x30, '1;0000  ;0;1;0')).toBe('30/30')
  })

  it('opens an invoice by its flag alone, and closes it (sheet 4.7, the short form)', () => {
    const device = talk()
    device.prepare([0x30, '1;0000;0;0;1'], [0x31, `${NAME('Bread')};\xc1;10.00`], [0x36, ''])
    expect(device.emulator.device.receipt).toBe(null)
    expect(device.emulator.device.day.total).toBe(1000)
    expect(device.say(0x70)).toMatch(/^0000000002;/)
    device.prepare([0x30, '1;0000;0;0;\x05'], [0x31, `${NAME('Milk')};\xc1;1.00`], [0x35, '0;0;"'], [0x38, ''])
    expect(device.say(0x70)).toMatch(/^0000000003;/)
  })

  it('always sends percent and value, with zero for the unused field', () => {
    const device = talk()
    device.prepare(
      [0x30, '1;0000  ;0;1;0'],
      [0x31, `${NAME('Bread')};\xc1;10.00*1.000,0.0:0.0`],
      [0x31, `${NAME('Milk')};\xc1;10.00*1.000,-10.00:0.0`],
      [0x31, `${NAME('Salt')};\xc1;10.00*1.000,0.0:-1.50`],
    )
    expect(device.say(0x31, `${NAME('Tea')};\xc1;10.00*1.000,5.00:-1.50`)).toBe('30/34')
    expect(device.say(0x33, '0;0').trim()).toBe('27.50')
    device.prepare([0x35, '0;0;"'], [0x38, ''], [0x3b, '1;0000  ;0;12.00$1'])
    expect(device.emulator.device.day.drawerCash).toBe(3950)
  })

  it('names an operator without padding the name, and reads how many pieces a department sold', () => {
    const device = talk()
    device.prepare([0x4a, '2;Ana;1234'], [0x30, '2;1234;0;1;0'])
    expect(device.say(0x6a, '2')).toBe('2;Ana                 ;1234')
    device.prepare([0x34, `${NAME('Bread')};\x81;2.00*1.500`], [0x34, `${NAME('Milk')};\x81;1.00`], [0x36, ''])
    expect(device.say(0x67, '01')).toMatch(/^01;.{20};\xc0; {7}4\.00; {6}2\.500;/)
  })

  it('reads the electronic journal by kinds of documents', () => {
    const device = talk()
    device.prepare([0x7c, 'Z'])
    expect(device.say(0x7c, 'j0;X;\x7f;\x5f;Z;0001;0001')).toMatch(/^06/)
    expect(device.say(0x7c, 'J0;*')).toMatch(/^06/)
  })
})

describe('an older component (C3)', () => {
  it('pings with 04h and 09h, opens with a raw print byte and checks the last number', () => {
    const device = talk()
    expect(device.hex('04')).toBe('04')
    expect(device.hex('09')).toBe('40')
    const before = device.say(0x71)
    expect(device.say(0x62).split(';')).toHaveLength(9)
    expect(device.say(0x64).split(';')).toHaveLength(11)
    expect(device.say(0x30, '1;0000;1;1;\x00')).toBe('30/30')
    expect(device.say(0x31, `${NAME('Item')};\xc1;5.00*1.000`)).toBe('30/30')
    expect(device.say(0x33, '1;0')).toBe('      5.00')
    expect(device.say(0x35, '0;0;5.00')).toBe('30/30')
    expect(device.say(0x38)).toBe('30/30')
    expect(device.say(0x71)).not.toBe(before)
  })

  it('frees a device with an open receipt: commands 2Fh, 39h, reversed payments, 36h', () => {
    const device = talk()
    device.prepare([0x30, '1;0000;1;1;0'], [0x31, `${NAME('Item')};\xc1;5.00`], [0x35, '0;0;1.00'])
    expect(device.say(0x2f)).toBe('35/32')
    expect(device.say(0x35, '0;0;-')).toBe('30/30')
    expect(device.say(0x39)).toBe('30/30')
    expect(device.emulator.device.receipt).toBe(null)
    expect(device.emulator.device.day.total).toBe(0)
  })
})

describe("the vendor's Java library (J)", () => {
  it('tests for an echo, then for readiness, and numbers its messages up to FFh', () => {
    const device = talk()
    expect(device.hex('03 04')).toBe('04')
    expect(device.hex('05')).toBe('05')
    expect(device.hex('02 23 FF 20 3F 3C 0A')).toMatch(/^02 2A FF 20/)
  })

  it('reads the last change at offset 56 of a closed receipt', () => {
    const device = talk()
    device.prepare([0x30, '1;0000;0;0;0'], [0x31, `${NAME('Item')};A;5.00`], [0x35, '0;0;33.10'], [0x38, ''])
    const state = device.say(0x72)
    expect(state.slice(56, 67)).toBe('      28.10')
    expect(state).toHaveLength(130)
  })

  it('reads a header line after a separator', () => {
    expect(talk().say(0x69, '1')).toBe('1;CORNER SHOP')
  })
})
