/** Contents of the registers after sales, reversals, payments and reports: sheet 4.11 to 4.15. */
import { describe, expect, it } from 'vitest'
import { CLOSE, NAME, OPEN, PAYMENT, SALE, type Talk, talk } from './talk.ts'

const PLU_NAME = 'Apa plata 0.5L'.padEnd(34)
const STORNO = [0x30, '1;000000;0;0;@;1;1;14-07-25 09:00:00;50123456'] as const
const c6 = (): Talk => talk({ profile: 'c6' })

describe('the command 6Bh for an article', () => {
  it('reports the letter that 4Bh set, as in the published pair of frames', () => {
    for (const profile of ['c4', 'c6']) {
      const device = talk({ profile })
      device.prepare([0x4b, `00077;#@1+$;${PLU_NAME};3.50;1;A;\x80;0`])
      const general = `00077;1;${PLU_NAME};3.50;1;A;\x80;0.00;0.000;0.00;0.000;0;00-00-0000 00:00;0`
      expect(device.say(0x6b, '00077;1')).toBe(general)
    }
  })

  it('reports a factory article with the letter of the edition', () => {
    expect(talk().say(0x6b, '00001')).toBe(
      `00001;${'Bread'.padEnd(20)};       1.20;\xc0;       0.00;      0.000;00000;00-00-0000 00:00;\x80;`,
    )
  })

  it.each([0, 1, 2])('reports the stock flag %i unchanged', (flag) => {
    const device = c6()
    device.prepare([0x4b, `00001;#@2+$;5.000;${flag}`])
    expect(device.say(0x6b, '00001;2')).toBe(`00001;2;5.000;${flag}`)
  })

  it('accepts a name and a barcode that another article has', () => {
    const device = c6()
    device.prepare([0x4b, `00011;${'Bread'.padEnd(20)};1.30;\xc0`])
    device.prepare([0x4b, '00011;#@3+$;1234567890123'], [0x4b, '00001;#@3+$;1234567890123'])
    expect(device.say(0x6b, '00011;3')).toBe('00011;3;1234567890123')
    expect(device.emulator.device.articles.byBarcode('1234567890123')?.plu).toBe(1)
  })

  it.each([
    ['-1.00', '30/34'],
    ['99999999.9', '30/35'],
    ['9999999.99', '30/30'],
  ])('accepts no price that can never be sold: %s', (price, answer) => {
    expect(talk().say(0x4b, `00011;${'Gold'.padEnd(20)};${price};\xc0`)).toBe(answer)
    expect(c6().say(0x4b, `00001;#@4+$;${price};0`)).toBe(answer)
  })

  it('counts the amounts of reversals separately, until 7Eh Z', () => {
    const device = c6()
    device.prepare(OPEN, [0x32, '+00001*4.000'], [0x36, ''], STORNO, [0x32, '+00001*1.000'], [0x36, ''])
    const general = device.say(0x6b, '00001;1')
    expect(general).toContain(';\x80;4.80;4.000;1.20;1.000;0;')
    expect(device.say(0x4b, `00001;#@1+$;${PLU_NAME};3.50;1;A;\x80;0`)).toBe('30/33')
    device.prepare([0x7e, 'Z'])
    expect(device.say(0x6b, '00001;1')).toContain(';\x80;0.00;0.000;0.00;0.000;1;')
  })

  it('is not zeroed while all sales are voided', () => {
    const device = c6()
    device.prepare(OPEN, [0x32, '+00001'], [0x36, ''], STORNO, [0x32, '+00001'], [0x36, ''])
    expect(device.say(0x20).charCodeAt(1) & 0x10).toBe(0x10)
    device.prepare([0x7e, 'Z'])
    expect(device.say(0x20).charCodeAt(1) & 0x10).toBe(0)
  })
})

describe('the commands 6Eh and 6Fh', () => {
  it('show that a reversal reduces the cash of its payment (6Eh 0)', () => {
    const device = c6()
    device.prepare(OPEN, SALE, [0x35, '7;1;"'], CLOSE)
    const onHand = (card: string) => {
      const none = '       0.00;'
      return `0;${none.repeat(7)}       ${card};${none.repeat(4)}`
    }
    expect(device.say(0x6e, '0')).toBe(onHand('5.00'))
    device.prepare(STORNO, [0x31, `${NAME('Bread')};A;2.00`], [0x35, '7;1;"'], CLOSE)
    expect(device.say(0x6e, '0')).toBe(onHand('3.00'))
  })

  it('show the received amount and the change of one operator (6Fh 4 and 6)', () => {
    const device = talk()
    device.prepare([0x30, '2;0000;0;0;0'], SALE, [0x35, '0;0;20.00'], CLOSE)
    device.prepare(OPEN, [0x31, `${NAME('Bread')};A;7.00`], [0x36, ''])
    const rest = '       0.00;       0.00;       0.00;       0.00;'
    expect(device.say(0x6f, '4;2')).toBe(`4;2;      20.00;${rest}`)
    expect(device.say(0x6f, '6;2')).toBe(`6;2;      15.00;${rest}`)
    expect(device.say(0x6f, '4;1')).toBe(`4;1;       7.00;${rest}`)
    expect(device.say(0x6f, '6;1')).toBe(`6;1;       0.00;${rest}`)
    expect(device.say(0x6e, '6')).toBe(`6;      15.00;${rest}`)
  })

  it('show that change beyond the cash in the drawer is refused in any type', () => {
    const device = talk()
    device.prepare(OPEN, [0x31, `${NAME('Bread')};A;10.00`])
    expect(device.say(0x35, '1;0;20.00;2')).toBe('30/38')
    device.prepare([0x35, '4;0;10.00'], CLOSE, OPEN, [0x31, `${NAME('Bread')};A;10.00`])
    expect(device.say(0x35, '1;0;20.01;2')).toBe('30/38')
    device.prepare([0x35, '1;0;20.00;2'], CLOSE)
    const zero = '       0.00'
    expect(device.say(0x6e, '0')).toBe(`0;${zero};      20.00;${zero};${zero};${zero};`)
  })

  it.each([
    ['0;0;20.00', '0'],
    ['1;0;20.00;1', '1'],
    ['1;0;20.00;2', '2'],
  ])('report the same type of change as 72h after 35h %s, also for the last receipt', (payment, type) => {
    const device = talk()
    device.prepare(OPEN, [0x31, `${NAME('Bread')};A;10.00`], [0x35, '4;0;10.00'], CLOSE)
    device.prepare(OPEN, [0x31, `${NAME('Bread')};A;10.00`], [0x35, payment])
    expect(device.say(0x72).split(';').slice(12, 14)).toEqual(['      10.00', type])
    device.prepare(CLOSE)
    expect(device.say(0x72).split(';').slice(12, 14)).toEqual(['      10.00', type])
  })

  it('have registers that never exceed their eleven symbols on c4: 32/32, and status 1.1 until Z', () => {
    const device = talk()
    const most = [0x31, `${NAME('House')};A;9999999.99`] as const
    for (let receipt = 0; receipt < 10; receipt++) device.prepare(OPEN, most, [0x36, ''])
    expect(device.say(0x6d)).toMatch(/;99999999\.90$/)
    device.prepare(OPEN)
    expect(device.say(...most)).toBe('32/32')
    expect(device.say(0x20).charCodeAt(1) & 0x02).toBe(0x02)
    device.prepare([0x31, `${NAME('Bread')};A;0.09`], [0x36, ''])
    expect(device.say(0x6e, '0')).toMatch(/^0;99999999\.99; /)
    expect(device.say(0x3b, '1;0000;0;0.01')).toBe('32/32')
    device.prepare([0x7c, 'Z'])
    expect(device.say(0x20).charCodeAt(1) & 0x02).toBe(0)
    device.prepare(OPEN, most, [0x36, ''])
  })
})

describe('the other commands for registers', () => {
  it('include 73h, which reports the type of the last receipt on c6', () => {
    const device = c6()
    const lastType = () => device.say(0x73).split(';').at(-1)
    device.prepare(OPEN, SALE, [0x36, ''])
    expect(lastType()).toBe('0')
    device.prepare([0x2e, '1;000000;0;0'], [0x2f, ''])
    expect(lastType()).toBe('2')
    device.prepare([0x30, '1;000000;0;0;1'], SALE, [0x36, ''])
    expect(lastType()).toBe('1')
    device.prepare(STORNO, SALE, [0x36, ''])
    expect(lastType()).toBe('4')
  })

  it('include 71h, which has no closing separator on cr', () => {
    expect(talk({ profile: 'cr' }).say(0x71)).toBe('0000;0000000')
  })

  it('include 76h Z, which clears the departments', () => {
    const device = talk()
    device.prepare(OPEN, [0x34, `${NAME('Tea')};\x82;1.00`], [0x36, ''])
    expect(device.say(0x67, '02')).toMatch(/; {7}1\.00; {6}1\.000;00000;/)
    device.prepare([0x76, 'Z'])
    expect(device.say(0x67, '02')).toMatch(/; {7}0\.00; {6}0\.000;00001;/)
  })

  it('include 45h, which keeps the USB host on cr', () => {
    const device = talk({ profile: 'cr' })
    device.prepare([0x45, '0007;1;0;0;0;1;1'])
    expect(device.say(0x65)).toBe('0007;1;0;0;0;1;1')
  })

  it.each([
    ['c4', '000000', '123456', '30/34'],
    ['c4', '0000', '12345', '30/34'],
    ['c4', '0000', '1234  ', '30/30'],
    ['c6', '000000', '123456', '30/30'],
  ])('include 4Ah, which accepts as many symbols of a password as %s stores', (profile, _, password, answer) => {
    expect(talk({ profile }).say(0x4a, `2;${'Ana'.padEnd(20)};${password}`)).toBe(answer)
  })
})

describe('the reports of family C', () => {
  const paper = (device: Talk): string[] => [...(device.emulator.device.documents().at(-1)?.text ?? [])]
  const day = (profile: string): Talk => {
    const device = talk({ profile })
    device.prepare(OPEN, [0x34, `${NAME('Tea')};\x82;12.00`], [0x34, `${NAME('Book')};\x82;6.00`], PAYMENT, CLOSE)
    device.prepare([0x3b, '1;0000;0;5.00'])
    return device
  }
  const rows = (lines: readonly string[]): string[] => lines.map((line) => line.trim().replace(/ {2,}/g, ' | '))

  it('contain departments, last document, journal and grand totals in the Z report', () => {
    const device = day('c4')
    device.prepare([0x7c, 'Z'])
    const z = rows(paper(device))
    expect(z).toContain('DEPARTMENT 02 Department 2 | 2 | 18.00')
    expect(z.slice(z.indexOf('LAST DOCUMENT | 0000002'))).toEqual(
      expect.arrayContaining(['LAST DOCUMENT | 0000002', 'JOURNAL | 1', 'GRAND TURNOVER | 18.00', 'GRAND TAX | 3.00']),
    )
    device.prepare(OPEN, SALE, [0x36, ''], [0x7c, 'Z'])
    expect(rows(paper(device))).toEqual(expect.arrayContaining(['GRAND TURNOVER | 23.00', 'GRAND TAX | 3.83']))
    expect(rows(paper(device)).join('\n')).not.toContain('DEPARTMENT')
    expect(device.say(0x6e, '7')).toBe('7;         23.00;          3.83;')
  })

  it('contain each Z report in the published order (78h, 79h and 7Bh)', () => {
    const device = day('c4')
    device.prepare([0x7c, 'Z'])
    const heads = [
      'Z REPORT 0001 | 2025-07-14 09:00:00', 'A 20.00% TURNOVER | 0.00', 'B 20.00% TURNOVER | 18.00',
      'C 20.00% TURNOVER | 0.00', 'D 9.00% TURNOVER | 0.00', 'TOTAL | 18.00', 'LAST DOCUMENT | 0000002', 'JOURNAL | 1',
    ] // biome-ignore format: one line of paper after the other
    for (const [code, data] of [
      [0x79, '0001;0001'],
      [0x7b, '140725;140725'],
    ] as const) {
      device.prepare([code, data])
      const lines = rows(paper(device))
      const from = lines.findIndex((line) => line.startsWith('Z REPORT'))
      expect(lines.slice(from, from + heads.length)).toEqual(heads)
    }
    device.prepare([0x78, '0001;0001'])
    const lines = rows(paper(device)).filter((line) => !/ (NET|TAX) /.test(line))
    const from = lines.findIndex((line) => line.startsWith('Z REPORT'))
    expect(lines.slice(from, from + heads.length)).toEqual(heads)
    expect(lines.slice(from).indexOf('LAST RECEIPT | 0000001')).toBeGreaterThan(heads.length)
    expect(lines.slice(from).join('\n')).not.toMatch(/^[E-H] /m)
  })

  it.each(['c4', 'c6', 'cr'])('have no line of the tax rates that breaks in two (%s)', (profile) => {
    const device = day(profile)
    device.prepare(
      [0x7c, 'Z'],
      [
        0x42,
        `000000;${Array(profile === 'cr' ? 6 : 8)
          .fill('19.00%')
          .join(';')}`,
      ],
    )
    device.prepare([0x7c, 'Z'], [0x78, '0001;0002'])
    const lines = paper(device)
    const from = lines.findIndex((line) => line.startsWith('TAX RATES'))
    const rates = lines.slice(from + 1).filter((line) => line.startsWith('  '))
    expect(rates.slice(0, 2).join(' ')).toContain('A 20.00%  B 20.00%')
    for (const line of lines) expect(line).not.toMatch(/^\d+\.\d\d%/)
  })
})
