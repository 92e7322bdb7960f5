/** Refusals, their order, and commands that remain possible: sheet 4, 5.1 and 5.3. */
import { describe, expect, it } from 'vitest'
import { withWords } from '../support/verdict-rows.ts'
import { CLOSE, NAME, OPEN, OPEN_NON_FISCAL, PART_PAYMENT, PAYMENT, SALE, type Talk, talk } from './talk.ts'

const DAY_MS = 24 * 3_600_000
const withoutPaper = (...frames: readonly (readonly [number, string])[]): Talk => {
  const device = talk()
  device.prepare(...frames)
  device.emulator.setPaper('out')
  return device
}

describe('a device of family C without paper', () => {
  it.each([
    ['the journal on paper', 0x7c, 'J1;*'],
    ['the customer report X', 0x52, 'X'],
    ['the customer report Z', 0x52, 'Z'],
    ['a report of the fiscal memory', 0x79, '0001;0001'],
  ])('refuses %s', (_, code, data) => {
    expect(withoutPaper([0x7c, 'Z']).say(code, data)).toBe('31/32')
  })

  it('sends reports to the host and into the base, which need no paper', () => {
    const device = withoutPaper([0x7c, 'Z'])
    expect(device.say(0x79, '0001;0001;8')).toMatch(/^06 .* 40 /)
    expect(device.say(0x7c, 'J0;*')).toMatch(/^06 /)
    const fields = ['ACME', 'Ion', 'RO1', '1', 'Street'].join(';')
    expect(device.say(0x52, `P;0001;${fields}`)).toBe('30/30')
  })

  it('answers a subtotal that prints nothing, and refuses a subtotal that prints', () => {
    const device = withoutPaper(OPEN, SALE)
    expect(device.say(0x33, '0;0')).toBe('      5.00')
    expect(device.say(0x33, '1;0')).toBe('31/32')
    expect(device.say(0x33, '0;0,-10.00%')).toBe('31/32')
  })
})

describe('a device of family C with a lost clock', () => {
  const lost = (): Talk => {
    const device = talk()
    device.prepare(OPEN, SALE, PAYMENT, CLOSE)
    device.emulator.device.resetRam()
    return device
  }
  it.each([
    ['2Eh', 0x2e, '1;0000;0;0'],
    ['3Ah', 0x3a, ''],
    ['22h', 0x22, ''],
    ['51h', 0x51, 'P;2;12;123456789012'],
    ['7Ch E', 0x7c, 'E'],
    ['4Bh', 0x4b, `00011;${'Tea'.padEnd(20)};1.30;\xc0`],
    ['47h', 0x47, `02;${'Tea'.padEnd(20)};\xc0`],
    ['4Ah', 0x4a, `2;${'Ana'.padEnd(20)};1234`],
    ['37h', 0x37, 'text'],
    ['2Fh', 0x2f, ''],
    ['30h', 0x30, '1;0000;0;0;0'],
  ])('refuses %s', (_, code, data) => {
    expect(lost().say(code, data)).toBe('33/32')
  })

  it('continues to answer queries, and accepts 48h, which sets the clock', () => {
    const device = lost()
    expect(device.say(0x71)).toBe('0001;')
    expect(device.say(0x6b, '00001')).toMatch(/^00001;/)
    device.prepare([0x48, '14-07-25 09:30:00'], OPEN_NON_FISCAL, [0x2f, ''])
  })
})

describe('24 hours after the first sale,', () => {
  it('sales and openings are refused, and the open receipt can be finished', () => {
    const device = talk()
    device.prepare(OPEN, SALE, PAYMENT, CLOSE, OPEN, SALE)
    device.clock.advance(DAY_MS + 1000)
    expect(device.say(...SALE)).toBe('3B/32')
    expect(device.say(0x33, '1;0')).toBe('      5.00')
    device.prepare([0x36, ''])
    expect(device.say(...OPEN)).toBe('3B/32')
  })

  it('a c6 with 4Fh 1 makes the Z report, and prints nothing', () => {
    const device = talk({ profile: 'c6' })
    device.prepare([0x4f, 'H;W;1'], OPEN, SALE, PAYMENT, CLOSE)
    const printed = device.emulator.device.documents().length
    device.clock.advance(DAY_MS - 1000)
    expect(device.emulator.device.counters.lastZ).toBe(0)
    device.clock.advance(1000)
    const { counters, memory, journal } = device.emulator.device
    expect(counters.lastZ).toBe(1)
    expect(memory.lastZ).toMatchObject({ total: 500, at: '2025-07-15T09:00:00' })
    expect(device.emulator.device.documents()).toHaveLength(printed)
    expect(journal.documents({ kinds: ['z'] })).toHaveLength(1)
    expect(device.say(0x20).charCodeAt(4)).toBe(0x80)
    expect(device.say(0x71)).toBe('000002')
    device.prepare(OPEN, SALE, PAYMENT, CLOSE)
  })

  it('a c6 prints its automatic Z report after the open receipt has ended', () => {
    const device = talk({ profile: 'c6' })
    device.prepare([0x4f, 'H;W;1'], OPEN, SALE, PAYMENT, CLOSE, OPEN, SALE)
    device.clock.advance(DAY_MS + 1000)
    expect(device.emulator.device.counters.lastZ).toBe(0)
    device.prepare([0x36, ''])
    device.clock.advance(0)
    expect(device.say(...OPEN)).toBe('30/30')
    expect(device.emulator.device.memory.lastZ?.total).toBe(1000)
  })

  it('a c6 with 4Fh 0 blocks and sets the bit 4.6', () => {
    const device = talk({ profile: 'c6' })
    device.prepare(OPEN, SALE, PAYMENT, CLOSE)
    device.clock.advance(DAY_MS)
    expect(device.say(0x20).charCodeAt(4)).toBe(0xc0)
    expect(device.say(...OPEN)).toBe('3B/32')
  })
})

describe('in the order of checks of sheet 5.1,', () => {
  it('the state is checked before the length of a value', () => {
    const device = talk()
    const sale = [0x31, `${NAME('x')};A;12345678.90`] as const
    expect(device.say(...sale)).toBe('30/32')
    expect(device.say(0x35, '0;0;12345678.90')).toBe('30/32')
    device.prepare(OPEN)
    expect(device.say(...sale)).toBe('30/35')
    expect(device.say(0x31, `x;A;12345678.90`)).toBe('30/34')
    device.prepare(SALE, PART_PAYMENT)
    expect(device.say(...sale)).toBe('35/32')
  })

  it.each([
    ['while a part is paid', PART_PAYMENT, '35/32'],
    ['while the receipt is paid and open', PAYMENT, '37/32'],
  ])('a write to the customer base is refused inside a receipt: %s', (_, payment, answer) => {
    const device = talk()
    device.prepare(OPEN, SALE, payment)
    expect(device.say(0x52, 'P;0001;ACME;Ion;RO1;1;Street')).toBe(answer)
    expect(device.say(0x52, 'X')).toBe(answer)
    expect(device.say(0x52, 'R;0001')).toMatch(/^0001;/)
  })
})

describe('the widths and limits of values', () => {
  it.each(
    withWords(
      ([, , answer]) => String(answer),
      [
        [0x52, 'R;1000', /^1000;/],
        [0x52, 'R;1001', /^30\/34$/],
        [0x52, 'P;1001;ACME;Ion;RO1;1;Street', /^30\/34$/],
        [0x49, `0;${'x'.repeat(20)}`, /^30\/30$/],
        [0x49, `0;${'x'.repeat(21)}`, /^30\/34$/],
        [0x49, `9;${'x'.repeat(12)}`, /^30\/30$/],
        [0x49, `9;${'x'.repeat(13)}`, /^30\/34$/],
        [0x49, `1;${'x'.repeat(38)}`, /^30\/30$/],
        [0x49, `1;${'x'.repeat(39)}`, /^30\/34$/],
        [0x3b, '1;0000;0;9999999.99', /^30\/30$/],
        [0x3b, '1;0000;0;99999999.0', /^30\/35$/],
        [0x30, '1;0000;2;0;0', /^30\/34$/],
      ],
    ),
  )('answer %s to command %i with %s', (_result, code, data, answer) => {
    expect(talk().say(code, data)).toMatch(answer)
  })

  const storno = (tail: string) => talk({ profile: 'c6' }).say(0x30, `1;000000;0;0;@;${tail}`)
  it.each(
    withWords(
      ([, , answer]) => String(answer),
      [
        ['the published data', '1;1;14-07-25 09:00:00;50123456', '30/30'],
        ['a day that is not in the calendar', '1;1;31-02-26 09:00:00;50123456', '30/34'],
        ['no seconds', '1;1;14-07-25 09:00;50123456', '30/34'],
        ['a short fiscal memory number', '1;1;14-07-25 09:00:00;5012345', '30/34'],
        ['document 0', '1;0;14-07-25 09:00:00;50123456', '30/34'],
      ],
    ),
  )('answer %s to a reversal with %s', (_result, _, tail, answer) => {
    expect(storno(tail)).toBe(answer)
  })
})

describe('the status bit 1.6', () => {
  const bit = (device: Talk): boolean => (device.say(0x20).charCodeAt(1) & 0x40) !== 0
  it.each([
    ['c4', true, false],
    ['c6', false, true],
    ['cr', true, false],
  ])(
    'of %s does not offer a copy of a cancelled receipt: the copy is of the receipt before',
    (profile, before, after) => {
      const device = talk({ profile })
      device.prepare(OPEN, SALE, PAYMENT, CLOSE, OPEN, SALE, [0x39, ''])
      expect(bit(device)).toBe(before)
      device.prepare([0x3a, ''])
      expect(device.emulator.device.documents().at(-1)?.text.join('\n')).toContain('DUPLICATE No 0000001')
      expect(bit(device)).toBe(after)
      expect(device.say(0x3a)).toBe('3F/32')
    },
  )

  it('appears in the answer to 20h as it is at the end of the wait', () => {
    const device = talk({ durationMs: (command) => (command === 'status' ? 1000 : 0) })
    device.prepare(OPEN)
    device.say(0x20)
    device.emulator.setPaper('out')
    device.clock.advance(1001)
    expect(device.takeHeard()).toBe('02 2A 21 20 80 81 82 F0 80 80 80 3D 38 0A')
  })
})

describe('the paper of family C', () => {
  const text = (device: Talk): readonly string[] => device.emulator.device.documents().at(-1)?.text ?? []
  it('has two lines for a name with |', () => {
    const device = talk()
    device.prepare(OPEN, [0x31, `${NAME('Bread|of rye')};A;2.50`], [0x31, `${NAME('Milk|1 l')};A;1.00*2`], [0x36, ''])
    const lines = text(device)
    const at = lines.indexOf('Bread')
    expect(lines.slice(at, at + 5).map((line) => line.replace(/ {2,}/g, ' '))).toEqual([
      'Bread',
      'of rye 2.50 A',
      'Milk',
      '1 l',
      ' 2 x 1.00 2.00 A',
    ])
  })

  it('has 34 of the 36 symbols of a name on c6', () => {
    const device = talk({ profile: 'c6' })
    device.prepare(OPEN, [0x31, `${'0123456789'.repeat(4).slice(0, 36)};A;2.50*2`], [0x36, ''])
    expect(text(device)).toContain('0123456789012345678901234567890123')
  })

  it('has the word ORIGINAL on an invoice, and DUPLICATE on its copy', () => {
    const device = talk()
    device.prepare([0x30, '1;0000;0;0;1'], SALE, [0x36, ''])
    expect(text(device).map((line) => line.trim())).toContain('ORIGINAL')
    device.prepare([0x3a, ''])
    expect(text(device).join('\n')).not.toContain('ORIGINAL')
    expect(text(device).filter((line) => line.trim() === 'DUPLICATE')).toHaveLength(2)
  })
})

describe('a sale by department is voided', () => {
  const sold = (price: string): Talk => {
    const device = talk()
    device.prepare(OPEN, [0x34, `${NAME('Cheese')};\x82;${price}`])
    return device
  }
  // 0.337 x 1.20 is 0.4044, so the row is 0.40. The same data must void that row.
  it.each(['1.20*0.337', '0.05*0.300', '9.99*1.005'])(
    'with the same words, even if its amount was rounded: %s',
    (price) => {
      const device = sold(price)
      expect(device.say(0x34, `${NAME('Cheese')};\x82;-${price}`)).toBe('30/30')
      expect(device.say(0x33, '0;0')).toBe('      0.00')
    },
  )
  it('only up to the amount that was sold in the department', () => {
    expect(sold('1.20*0.337').say(0x34, `${NAME('Cheese')};\x82;-1.20*0.350`)).toBe('30/37')
  })
})
