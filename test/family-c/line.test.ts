/** Bytes on the line: sheet 2, 4.16, 5.2 and 5.3. */
import { describe, expect, it } from 'vitest'
import { CLOSE, NAME, OPEN, OPEN_NON_FISCAL, PAYMENT, SALE, talk } from './talk.ts'

describe('a device of family C', () => {
  it.each([
    ['04', '04'],
    ['05', '05'],
    ['09', '40'],
    ['03 04', '04'],
    ['03', ''],
    ['AA 00 00', ''],
    ['1D 3D 30 46 30 30 39 39', ''],
  ])('answers the ping %s with the bytes "%s"', (asked, answer) => {
    expect(talk().hex(asked)).toBe(answer)
  })

  it('answers 1Dh 49h at every split of its bytes', () => {
    const device = talk()
    const expected =
      '49 33 38 3B 31 30 30 30 30 3B 39 39 3B 32 30 3B 38 3B 30 37 3B 30 35 3B 31 30 3B 30 30 3B 31 32 30 3B 31 30 30 30 0A'
    expect(device.hex('1D 49')).toBe(expected)
    device.hex('1D')
    expect(device.hex('49')).toBe(expected)
  })

  it('answers nothing while a rule keeps it silent', () => {
    const device = talk()
    expect(device.hex('1D 3D 30 46 30 30 30 31')).toBe('41 43 4B')
    expect(device.hex('04')).toBe('')
    expect(device.hex('1D 3D 31 46 30 30 30 31')).toBe('41 43 4B')
    expect(device.hex('04')).toBe('04')
  })

  it('reports missing paper and a missing display in the answer to the state ping', () => {
    const device = talk()
    device.emulator.setPaper('out')
    expect(device.hex('09')).toBe('42')
    expect(device.hex('05')).toBe('07')
    device.emulator.device.display.setAttached(false)
    expect(device.hex('09')).toBe('4A')
  })
})

describe('the frame log of family C', () => {
  it.each([
    ['03', { asks: 'echo' }, undefined],
    ['04', { asks: 'alive' }, { state: 'alive' }],
    ['05', { asks: 'ready' }, { state: 'no paper' }],
    ['09', { asks: 'state' }, { state: 'no paper, no display' }],
  ])('describes the ping %s', (asked, question, answer) => {
    const device = talk()
    device.emulator.setPaper('out')
    device.emulator.device.display.setAttached(false)
    device.hex(asked)
    const entries = device.emulator.frames().map(({ command, fields }) => [command, fields])
    expect(entries).toEqual([['ping', question], ...(answer ? [['ping', answer]] : [])])
  })

  it.each(['05', '09'])('describes the answer to the ping %s of a device without a fault', (asked) => {
    const device = talk()
    device.hex(asked)
    expect(device.emulator.frames()[1]?.fields).toEqual({ state: 'ready' })
  })
})

describe('a frame of family C', () => {
  it('is answered with the published answer if it is the published status frame', () => {
    expect(talk().hex('02 23 20 20 32 33 0A')).toBe('02 2A 20 20 80 80 80 F0 80 80 80 3D 3A 0A')
  })

  it.each([
    ['a wrong checksum', '02 23 20 20 30 30 0A'],
    ['a wrong end', '02 23 20 20 32 33 0B'],
    ['a length below 23h', '02 22 20 20'],
  ])('is answered with one NACK for %s', (_, bytes) => {
    expect(talk().hex(bytes)).toBe('15')
  })

  it('is dropped without an answer if only half of it arrives within 500 ms', () => {
    const device = talk()
    expect(device.hex('02 23 20')).toBe('')
    device.clock.advance(501)
    expect(device.takeHeard()).toBe('')
    expect(device.hex('02 23 20 20 32 33 0A')).toMatch(/^02 2A/)
  })

  it('sells again if it is repeated: the message number does not prevent a second sale', () => {
    const device = talk()
    device.prepare(OPEN)
    const sale =
      '02 4E 3D 31 50 61 69 6E 65 20 61 6C 62 61 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 3B 41 3B 32 2E 35 30 36 37 0A'
    expect(device.hex(sale)).toBe('06 3D 30 30 33 3D 0A')
    expect(device.hex(sale)).toBe('06 3D 30 30 33 3D 0A')
    expect(device.say(0x72).split(';')[1]).toBe('002')
  })

  it('is answered with RETRY and not executed while the device is busy', () => {
    const device = talk({ durationMs: () => 1000 })
    expect(device.hex('02 23 4C 2B 34 34 0A')).toBe('')
    expect(device.hex('09')).toBe('41')
    expect(device.hex('02 23 20 20 32 33 0A')).toBe('0E')
    expect(device.hex('02 23 20 20 32 30 0A')).toBe('15')
    device.clock.advance(1001)
    expect(device.takeHeard()).toMatch(/^06 4C 30 30/)
  })

  it('may carry a logo, whose length is in its own header', () => {
    const bitmap = Buffer.alloc(3898)
    bitmap.write('BM')
    bitmap.writeUInt32LE(3898, 2)
    const hex = [...bitmap].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    expect(talk().hex(`02 39 37 4C ${hex}`)).toBe('06 37 30 30 33 37 0A')
  })
})

describe('a device of family C tolerates (sheet 5.2)', () => {
  const sold = (data: string, code = 0x31) => {
    const device = talk()
    device.prepare(OPEN)
    return device.say(code, data)
  }
  it.each([
    ['two fields', '1;0000'],
    ['four fields', '1;0000;1;1'],
    ['five fields', '01;0000;1;1;0'],
    ['a blank before the operator', ' 1;0000;0;0;0'],
    ['an unpadded password', '1;0;0;0;0'],
    ['an over-padded password', '1;000000;0;0;0'],
    ['a sale number', '1;0000;1;1;2$ZK123456-0001-0000001'],
    ['a raw print byte', '1;0000;0;0;\x02'],
    ['an invoice without customer', '1;0000;0;0;1'],
    ['a raw invoice byte', '1;0000;0;0;\x01'],
  ])('command 30h with %s', (_, data) => {
    expect(talk().say(0x30, data)).toBe('30/30')
  })

  it.each([
    ['a Cyrillic class', `${NAME('x')};\xc1;1.00`],
    ['a Latin class', `${NAME('x')};B;1.00`],
    ['a digit for a class', `${NAME('x')};1;1.00`],
    ['a plus sign', `${NAME('x')};A;+1.00`],
    ['percent with its sign', `${NAME('x')};A;1.00*1.000,-10.00%`],
    ['percent without its sign', `${NAME('x')};A;1.00*1.000,-10`],
    ['a department marker', `${NAME('x')};A;1.00*1!\x81`],
  ])('command 31h with %s', (_, data) => {
    expect(sold(data)).toBe('30/30')
  })

  it('command 32h with and without a separator after the sign', () => {
    expect(sold('+00001', 0x32)).toBe('30/30')
    expect(sold('+;00001', 0x32)).toBe('30/30')
    expect(sold(' 00001*1.000', 0x32)).toBe('30/30')
  })

  it.each(['1;1;5.00*', '7;1;5.00*', '1;1;5.00;0', '0;0;5.00*0', '0;1;5.00*', '11;1;"'])(
    'command 35h with %s',
    (data) => {
      const device = talk()
      device.prepare(OPEN, SALE)
      expect(device.say(0x35, data)).toBe('30/30')
    },
  )

  it.each(['short', 'padded to 34'.padEnd(34), 'padded to 46'.padEnd(46), ''])(
    'command 37h with a name that is %j',
    (text) => {
      const device = talk()
      device.prepare(OPEN_NON_FISCAL)
      expect(device.say(0x37, text)).toBe('30/30')
    },
  )

  it('command 21h with data, and zero bytes before a frame', () => {
    expect(talk().say(0x21, 'B')).toMatch(/^2;784;/)
    expect(talk().hex('00 00 02 23 20 20 32 33 0A')).toMatch(/^02 2A/)
  })

  it('a small j in the command of the journal', () => {
    const device = talk()
    device.prepare([0x7c, 'Z'])
    expect(device.say(0x7c, 'j0;Z;1;1')).toMatch(/^06/)
  })
})

describe('streamed answers of family C', () => {
  it('contain no 40h before their end', () => {
    const device = talk()
    device.prepare(OPEN_NON_FISCAL, [0x37, 'mail@shop'], [0x2f, ''], [0x7c, 'Z'])
    const bytes = device.hex('02 31 40 7C 4A 30 3B 5A 3B 30 30 30 31 3B 30 30 30 31 31 36 0A').split(' ')
    expect(bytes.slice(0, 3)).toEqual(['06', '40', '30'])
    expect(bytes.slice(7).indexOf('40')).toBe(bytes.length - 7 - 4)
  })

  it('contain the whole report: 78h the Z report, and 75h all blocks', () => {
    const device = talk()
    device.prepare(OPEN, SALE, PAYMENT, CLOSE, [0x7c, 'Z'])
    expect(device.hex('02 2E 6B 78 30 30 30 31 3B 30 30 30 31 3B 38 30 35 0A')).toMatch(/ 24 6B 78 40 37 37 0A$/)
    expect(device.say(0x75)).toContain('40')
  })
})

describe('on a device of family C', () => {
  it('a postponed receipt is voided after five seconds of silence', () => {
    const device = talk()
    device.prepare([0x30, '1;0000;0;0;2'], SALE)
    device.clock.advance(4_900)
    expect(device.say(0x72)).toMatch(/^1;/)
    device.clock.advance(5_001)
    expect(device.say(0x72)).toMatch(/^0;/)
    expect(device.emulator.device.lastFiscal?.cancelled).toBe(true)
  })

  it('24 hours after the first registration only a Z report is accepted', () => {
    const device = talk()
    device.prepare(OPEN, SALE, PAYMENT, CLOSE)
    device.clock.advance(24 * 3_600_000 + 1000)
    expect(device.say(...OPEN)).toBe('3B/32')
    device.prepare([0x7c, 'Z'])
    expect(device.say(...OPEN)).toBe('30/30')
  })

  it('missing paper prevents only commands that print', () => {
    const device = talk()
    device.emulator.setPaper('out')
    expect(device.say(...OPEN)).toBe('31/32')
    expect(device.say(0x71)).toBe('0000;')
  })

  it('a missing display prevents only display commands', () => {
    const device = talk()
    device.emulator.device.display.setAttached(false)
    expect(device.say(0x25, 'TOTAL'.padEnd(20))).toBe('3A/32')
    expect(device.say(0x24)).toBe('3A/32')
  })

  it('a power cut inside a fiscal receipt is reported until the status is read', () => {
    const device = talk()
    device.prepare(OPEN, SALE)
    device.emulator.setPower(false)
    device.emulator.setPower(true)
    expect(device.say(...PAYMENT)).toBe('3D/32')
    expect(device.say(0x20).charCodeAt(0)).toBe(0x82)
    expect(device.say(0x20).charCodeAt(0)).toBe(0x80)
    expect(device.say(...PAYMENT)).toBe('30/30')
  })

  it('one duplicate is printed for each receipt, and none before the first receipt', () => {
    const device = talk()
    expect(device.say(0x3a)).toBe('3F/32')
    device.prepare(OPEN, SALE, PAYMENT, CLOSE)
    expect(device.say(0x3a)).toBe('30/30')
    expect(device.say(0x3a)).toBe('3F/32')
    expect(talk({ options: { duplicates: 'off' } }).say(0x3a)).toBe('3F/32')
  })

  it('errors of older firmware are letters', () => {
    const device = talk({ options: { errorDigits: 'letters' } })
    expect(device.say(0x3a)).toBe('46/32')
  })
})
