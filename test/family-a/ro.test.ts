/** Edition ro, row by row of sheet 9.1 and 9.2: commands as on the wire, and the fields of the responses. */
import { describe, expect, it } from 'vitest'
import { PAY, type Talk, talk } from './talk.ts'

const HOUR = 3_600_000
const ro = (options: Parameters<typeof talk>[0] = {}): Talk => talk({ profile: 'ro', ...options })
const OPEN = [48, '1\t0001\t1\t'] as const
const INVOICE = [48, '1\t0001\t1\tI\tRO123456789\t'] as const
const sale = (group: number, price: string): readonly [number, string] => [49, `Item\t${group}\t${price}\t\t\t\t\t`]
const CLOSE = [56] as const
const receipt = (group: number, price: string) => [OPEN, sale(group, price), [53, '0\t\t'] as const, CLOSE]
const paper = (rig: Talk): string =>
  rig.device
    .documents()
    .flatMap(({ text }) => text)
    .join('\n')
const readOn = (rig: Talk, code: number, data: string): string[] => {
  const lines: string[] = []
  for (let answer = rig.ask(code, data); answer.code === '0'; answer = rig.ask(code, data)) {
    lines.push(answer.fields[0] ?? '')
  }
  expect(rig.code(code, data)).toBe('-100003')
  return lines
}

describe('the receipt commands of edition ro:', () => {
  it('48, 49, 56 and 58 return the document number, the next Z number and the number since the last Z', () => {
    const rig = ro()
    rig.all([69, 'Z\t'], ...receipt(1, '1.00'))
    expect(rig.ask(...OPEN).fields).toEqual(['3', '2', '2'])
    expect(rig.ask(...sale(1, '2.00')).fields).toEqual(['3', '2', '2'])
    expect(rig.ask(58, '1\t1.000\t\t\t\t').fields).toEqual(['3', '2', '2'])
    rig.all([53, '0\t\t'])
    expect(rig.ask(56).fields).toEqual(['3', '2', '2'])
  })

  it('48 reuses the number of a cancelled receipt, and begins at 1 after each Z report', () => {
    const rig = ro()
    rig.all(OPEN, sale(1, '1.00'), [60])
    expect(rig.ask(...OPEN).fields).toEqual(['2', '1', '1'])
    rig.all(sale(1, '1.00'), [53, '0\t\t'], CLOSE, [69, 'Z\t'])
    expect(rig.ask(...OPEN).fields).toEqual(['4', '2', '1'])
  })

  it('76 has seven fields after the code, and returns Z number and number of the last receipt', () => {
    const rig = ro()
    expect(rig.ask(76).fields).toEqual(['0', '0', '1', '0', '0', '0.00', '0.00'])
    rig.all(OPEN, sale(1, '5.00'), [53, '0\t2.00\t'])
    expect(rig.ask(76).fields).toEqual(['1', '1', '1', '1', '1', '5.00', '2.00'])
    rig.all([53, '0\t\t'], CLOSE)
    expect(rig.ask(76).fields).toEqual(['0', '1', '1', '1', '1', '5.00', '5.00'])
    rig.all([69, 'Z\t'])
    expect(rig.ask(76).fields).toEqual(['0', '2', '1', '1', '1', '5.00', '5.00'])
  })

  it('51 and 103 report the seven groups, and 103 also the invoice', () => {
    const rig = ro()
    rig.all(INVOICE, sale(1, '10.00'), sale(7, '3.00'))
    const groups = ['10.00', '0.00', '0.00', '0.00', '0.00', '0.00', '3.00']
    expect(rig.ask(51, '1\t1\t\t\t').fields).toEqual(['1', '13.00', ...groups])
    expect(rig.ask(103).fields).toEqual([...groups, '1'])
  })

  it.each([1, 2, 3, 6, 7])('49 sells in group %i', (group) => {
    const rig = ro()
    rig.all(OPEN, sale(group, '1.00'))
  })

  it('49 refuses a disabled group and a group that does not exist in the same way', () => {
    const rig = ro()
    rig.all(OPEN)
    for (const group of [4, 5, 8, 9, 0]) {
      expect(rig.ask(...sale(group, '1.00'))).toMatchObject({
        code: '-111005',
        flags: expect.not.arrayContaining(['syntaxError']),
      })
    }
    expect(rig.code(49, 'Item\tA\t1.00\t\t\t\t\t')).toBe('-111005')
    expect([rig.code(49, 'Item\t\t1.00\t\t\t\t\t'), rig.code(49, 'Item\t12\t1.00\t\t\t\t\t')]).toEqual([
      '-112102',
      '-112102',
    ])
  })

  it('48 expects the number of the operator in four digits as the password', () => {
    const rig = ro()
    rig.all([48, '30\t0030\t1\t'], [60])
    expect(rig.code(48, '2\t0001\t1\t')).toBe('-102002')
    rig.all([48, '2\t0002\t1\t'], [60])
  })

  it('48 accepts no sale number', () => {
    expect(ro().code(48, '1\t0001\tDT000123-0001-0000001\t1\t\t')).toBe('-112001')
  })

  it('53 has the modes 0 to 9, each with a name on paper', () => {
    const rig = ro()
    for (let mode = 0; mode <= 9; mode++) rig.all(OPEN, sale(1, '1.00'), [53, `${mode}\t1.00\t`], CLOSE)
    rig.all(OPEN, sale(1, '1.00'))
    expect(rig.code(53, '10\t1.00\t')).toBe('-112201')
    const names = ['NUMERAR', 'CARD', 'TICHETE MASA', 'VOUCHER', 'PLATA MODERNA', 'VALUTA']
    for (const name of names) expect(paper(rig)).toMatch(new RegExp(`^${name} +1\\.00`, 'm'))
  })

  it('53 lets a card (mode 7) pay more than is due, and pays the excess out in cash', () => {
    const rig = ro()
    rig.all([70, '0\t500.00\t'], OPEN, sale(1, '1000.00'), [53, '1\t200.00\t'])
    expect(rig.code(53, '1\t1000.00\t')).toBe('-111054')
    expect(rig.ask(53, '7\t1000.00\t').fields).toEqual(['R', '200.00'])
    rig.all(CLOSE)
    expect(rig.ask(70, '0\t\t').fields[0]).toBe('300.00')
    expect(paper(rig)).toMatch(/^REST +200\.00/m)
  })

  it('53 with 0, with 0.00 and without an amount pays the whole remaining amount', () => {
    const rig = ro()
    for (const amount of ['0', '0.00', '']) {
      rig.all(OPEN, sale(1, '2.00'))
      expect(rig.ask(53, `0\t${amount}\t`).fields).toEqual(['D', '0.00'])
      rig.all(CLOSE)
    }
  })

  it('54 accepts a seventh, empty field, and 38 prints no header', () => {
    const rig = ro()
    rig.all(OPEN, sale(1, '2.00'), [54, 'text\t0\t0\t0\t0\t0\t\t'], [60], [38, '1\t'], [39])
    expect(rig.device.documents().at(-1)?.text.join('\n')).not.toContain('CORNER SHOP')
  })
})

describe('the simplified invoice', () => {
  it('needs no range and no 57, and its sum and tax are in 64, 65 and 69', () => {
    const rig = ro()
    rig.all(...receipt(1, '12.10'), INVOICE, sale(1, '121.00'), sale(2, '11.10'), [53, '1\t\t'], CLOSE)
    const none = ['0.00', '0.00', '0.00', '0.00', '0.00']
    expect(rig.ask(65, '0\t').fields).toEqual(['1', '133.10', '11.10', ...none])
    expect(rig.ask(65, '1\t').fields).toEqual(['1', '23.10', '1.10', ...none])
    expect(rig.ask(65, '2\t').fields).toEqual(['1', '121.00', '11.10', ...none])
    expect(rig.ask(65, '3\t').fields).toEqual(['1', '21.00', '1.10', ...none])
    const x = rig.ask(69, 'X\t').fields
    expect(x).toEqual(['1', '133.10', '11.10', ...none, '132.10', '22.10'])
    expect(rig.ask(69, 'Z\t').fields).toEqual(x)
    expect(rig.ask(64, '0\t').fields).toEqual(['1', '133.10', '11.10', ...none, '132.10', '15-07-25 10:15:30'])
    expect(rig.ask(64, '1\t').fields).toEqual(['1', '23.10', '1.10', ...none, '22.10', '15-07-25 10:15:30'])
    expect([rig.code(64, '2\t'), rig.code(65, '4\t')]).toEqual(['-112201', '-112201'])
    expect(paper(rig)).toMatch(/FACTURA SIMPLIFICATA\n/)
    expect(paper(rig)).toContain('RO123456789')
    expect(rig.ask(69, 'Z\t').fields.slice(8)).toEqual(['0.00', '0.00'])
  })

  it('is printed with 66 and 57 too, although they are not needed', () => {
    const rig = ro()
    expect(rig.code(66)).toBe('0')
    rig.all([48, '1\t0001\t1\tI\t'], sale(1, '1.00'), [53, '0\t\t'])
    rig.all([57, '\t\tBuyer\t\t\t0\t123456789\t\t'], CLOSE)
  })
})

describe('the rate commands of edition ro:', () => {
  const rates = (rig: Talk) => rig.ask(50).fields

  it('50 reports seven rates with the time of their entry', () => {
    expect(rates(ro())).toEqual(
      ['1', '21.00', '11.00', '0.00', '100.02', '100.02', '0.00', '0.00'].concat('01-01-24 08:00:00'),
    )
  })

  it('83 writes one to five rates, and the others remain', () => {
    const rig = ro()
    expect(rig.ask(83, '19.00\t9.00\t100.02\t0.00\t0.00\t').fields).toEqual(['29'])
    expect(rates(rig).slice(1, 8)).toEqual(['19.00', '9.00', '100.02', '0.00', '0.00', '0.00', '0.00'])
    expect(rig.ask(83, '100.02\t').fields).toEqual(['28'])
    expect(rates(rig).slice(1, 4)).toEqual(['100.02', '9.00', '100.02'])
    expect(rig.ask(83, '21.00\t\t5.00\t').fields).toEqual(['27'])
    expect(rates(rig).slice(1, 4)).toEqual(['21.00', '9.00', '5.00'])
    expect(rates(rig).at(-1)).toBe('15-07-25 10:15:30')
  })

  it('83 rejects the rate 100.00, six rates, and no rate', () => {
    const rig = ro()
    expect(rig.code(83, '100.00\t')).toBe('-112201')
    expect(rig.code(83, '21.00\t11.00\t100.01\t')).toBe('-112203')
    expect(rig.code(83, '21.00\tx\t')).toBe('-112102')
    expect(rig.code(83, '1.00\t'.repeat(6))).toBe('-112001')
    expect(rig.code(83, '')).toBe('-112101')
    rig.all(...receipt(1, '1.00'))
    expect(rig.code(83, '19.00\t')).toBe('-104000')
  })
})

describe('the header lines (43) of edition ro', () => {
  it('go through a buffer into the fiscal memory, and are printed without the marks of their style', () => {
    const rig = ro()
    expect(rig.ask(43, 'I\t').fields).toEqual(['0', '30', '10'])
    rig.all([43, 'W\t1\t^M^A^G^A^Z^I^N\t'], [43, 'W\t2\tSTR. LUNGA 1\t'])
    expect(rig.ask(43, 'B\t1\t').fields).toEqual(['CORNER SHOP'])
    rig.all([43, 'W\t'])
    expect(rig.ask(43, 'B\t1\t').fields).toEqual(['MAGAZIN'])
    expect(rig.ask(43, 'R\t2\t1\t').fields).toEqual(['STR. LUNGA 1', '1', '15-07-25 10:15:30'])
    expect(rig.ask(43, 'I\t').fields).toEqual(['1', '30', '10'])
    expect(rig.ask(255, 'nHeaderChanges\t\t\t').fields).toEqual(['1'])
    rig.all(...receipt(1, '1.00'))
    expect(paper(rig)).toContain('MAGAZIN')
  })

  it('cannot be written while the day is open, nor more than thirty times', () => {
    const rig = ro()
    rig.all([43, 'W\t1\tSHOP\t'], ...receipt(1, '1.00'))
    expect(rig.code(43, 'W\t')).toBe('-104000')
    rig.all([69, 'Z\t'])
    for (let change = 0; change < 30; change++) rig.all([43, 'W\t'])
    expect(rig.code(43, 'W\t')).toBe('-101006')
  })

  it('are refused with the number of the wrong field', () => {
    const rig = ro()
    expect(rig.code(43, 'W\t11\tx\t')).toBe('-112202')
    expect(rig.code(43, `W\t1\t${'x'.repeat(43)}\t`)).toBe('-112203')
    expect(rig.code(43, 'R\t1\t1\t')).toBe('-100004')
    expect(rig.code(43, '1\t0001\t')).toBe('-112201')
  })
})

describe('the counter commands of edition ro:', () => {
  it('110 returns eight amounts of payments, no reversals, and discounts of rows and of subtotals separately', () => {
    const rig = ro()
    rig.all(
      OPEN,
      [49, 'Item\t1\t10.00\t\t4\t1.00\t\t'],
      [51, '0\t0\t4\t2.00\t'],
      [53, '6\t3.00\t'],
      [53, '9\t4.00\t'],
      CLOSE,
    )
    expect(rig.ask(110, '0\t').fields).toEqual(['0.00', '0.00', '0.00', '0.00', '0.00', '0.00', '3.00', '4.00'])
    expect(rig.code(110, '1\t')).toBe('-112201')
    expect(rig.ask(110, '2\t').fields).toEqual(['1', '7.00'])
    expect(rig.ask(110, '3\t').fields).toEqual(['0', '0.00', '2', '3.00', '1', '1.00', '1', '2.00'])
    expect(rig.ask(110, '4\t').fields).toEqual(['0', '0.00', '0', '0.00'])
    expect(rig.ask(110, '5\t').fields).toHaveLength(8)
    expect(rig.ask(112, '1\t').fields).toEqual([
      '1',
      '7.00',
      '2',
      '3.00',
      '1',
      '1.00',
      '1',
      '2.00',
      '0',
      '0.00',
      '0',
      '0.00',
    ])
  })

  it('87 and 88 return count, sum and name', () => {
    const rig = ro()
    rig.all(OPEN, [49, 'Item\t1\t10.00\t\t\t\t5\t'], [53, '0\t\t'], CLOSE)
    expect(rig.ask(88, '5\t').fields).toEqual(['1', '10.00', 'Department 5'])
  })

  it('111 has six kinds, and its kinds 2 and 3 clear', () => {
    const rig = ro()
    rig.all(OPEN, [58, '1\t1.000\t\t\t\t'], [53, '0\t\t'], CLOSE)
    rig.all([111, '0\t\t\t'], [111, '1\t\t\t'], [111, '4\t\t\t'], [111, '5\t\t\t'])
    expect(rig.ask(107, 'R\t1\t').fields[6]).toBe('1.20')
    rig.all([111, '3\t\t\t'])
    expect(rig.ask(107, 'R\t1\t').fields[6]).toBe('0.00')
    expect(rig.code(111, '6\t\t\t')).toBe('-112201')
  })
})

describe('the report commands of edition ro:', () => {
  it('69 E prints and returns only the code, 69 D and 69 G answer as in bg, and 69 P is refused', () => {
    const rig = ro()
    for (const kind of ['D', 'G', 'E']) expect(rig.ask(69, `${kind}\t`).fields).toEqual([])
    expect(paper(rig)).toContain('REGISTERS')
    expect(rig.code(69, 'P\t1\t01-07-25\t31-07-25\t')).toBe('-112201')
  })

  it('94 and 95 print, or are read line by line to -100003', () => {
    const rig = ro()
    rig.all(...receipt(1, '1.00'), [69, 'Z\t'])
    expect(rig.code(95, '3\t1\t1\t')).toBe('-100003')
    const before = rig.device.documents().length
    rig.all([95, '2\t1\t1\t'])
    expect(readOn(rig, 95, '3\t1\t1\t').join('\n')).toContain('RAPORT MEMORIE FISCALA')
    rig.all([94, '2\t01-07-25\t31-07-25\t'])
    expect(readOn(rig, 94, '3\t01-07-25\t31-07-25\t').length).toBeGreaterThan(3)
    expect(rig.device.documents()).toHaveLength(before)
    rig.all([95, '0\t\t\t'], [94, '1\t\t\t'])
    expect(rig.device.documents()).toHaveLength(before + 2)
    expect(rig.code(95, '4\t\t\t')).toBe('-112201')
  })
})

describe('the journal commands of edition ro:', () => {
  const days = (): Talk => {
    const rig = ro()
    rig.all(...receipt(1, '1.00'), ...receipt(2, '2.00'), [69, 'Z\t'])
    rig.all(OPEN, sale(1, '1.00'), [60], ...receipt(1, '3.00'), [69, 'Z\t'])
    return rig
  }

  it('124 returns the Z number before each number', () => {
    const rig = days()
    expect(rig.ask(124, '\t\t0\t').fields.slice(2)).toEqual(['1', '1', '2', '6'])
    expect(rig.ask(124, '\t\t1\t').fields.slice(2)).toEqual(['1', '1', '2', '5'])
    expect(rig.ask(124, '\t\t2\t').fields.slice(2)).toEqual(['1', '1', '2', '2'])
  })

  it('125/0 numbers receipts since the last Z, and every reading ends with -100003', () => {
    const rig = days()
    const at = '15-07-25 10:15:30 DST'
    expect(rig.ask(125, '0\t5\t1\t').fields).toEqual(['5', '2', '1', at, '1', '2'])
    expect(readOn(rig, 125, '1\t\t\t').join('\n')).toMatch(/TOTAL LEI +3\.00/)
    expect(rig.ask(125, '0\t2\t2\t').fields).toEqual(['6', '2', '2', at, '2', '2'])
    expect(readOn(rig, 125, '2\t\t\t').length).toBeGreaterThan(1)
    rig.all([125, '3\t5\t1\t'])
    expect([rig.code(125, '9\t1\t2\t'), rig.code(125, '8\t')]).toEqual(['-112201', '-112201'])
  })

  it('125/10 to 21 return the log and the whole text of some Z reports', () => {
    const rig = days()
    expect(rig.code(125, '11\t')).toBe('-100003')
    rig.all([125, '10\t1\t1\t'])
    expect(readOn(rig, 125, '11\t')).toHaveLength(3)
    rig.all([125, '13\t1\t2\t'], [125, '20\t2\t2\t'])
    const text = readOn(rig, 125, '21\t').join('\n')
    expect(text).toMatch(/TOTAL LEI +3\.00/)
    expect(text).not.toMatch(/TOTAL LEI +2\.00/)
    expect(rig.code(125, '20\t9\t9\t')).toBe('-105000')
    expect(rig.code(125, '20\t2\t1\t')).toBe('-112203')
  })

  it('128 prepares a list of files or a file, and returns it in base64', () => {
    const rig = days()
    const read = () => Buffer.from(readOn(rig, 128, '1\t').join(''), 'base64').toString('utf8')
    rig.all([128, '0\t1\t2\t'])
    expect(read()).toBe('<files><file name="Z0001.xml"/><file name="Z0002.xml"/></files>')
    rig.all([128, '0\t01-07-25 00:00:00\t31-07-25 23:59:59\t'])
    expect(read()).toContain('Z0002.xml')
    rig.all([128, '0\tZ0002.xml\t'])
    expect(read()).toContain(
      '<closure number="2" at="2025-07-15T10:15:30" device="DB4100000123" receipts="1" total="3.00">',
    )
    expect([rig.code(128, '0\tZ0009.xml\t'), rig.code(128, '0\t5\t6\t')]).toEqual(['-100004', '-100110'])
  })
})

describe('the service commands of edition ro:', () => {
  it('90 and 123 return the numbers of the country', () => {
    const rig = ro()
    expect(rig.ask(90, '1\t').fields.slice(6)).toEqual(['DB4100000123'])
    expect(rig.ask(123, '1\t').fields).toEqual([
      ...['DB4100000123', '4100000123', 'CORNER SHOP', '12 MARKET STREET', 'RO12345674'],
    ])
    expect(rig.ask(99).fields).toEqual(['RO12345674'])
    expect(rig.code(91, 'DB4100000007\t')).toBe('-104001')
    expect(rig.code(91, 'DB4100000007\t4100000007\t')).toBe('-112001')
    expect([rig.code(72, '4100000123\tRO12345674\t1\t'), rig.code(72, '4100000123\tRO12345674\t')]).toEqual([
      '-110105',
      '-110105',
    ])
  })

  it('91 and 72 make a new device fiscal', () => {
    const rig = ro({ change: { serialNumber: '' } })
    expect(rig.ask(91, 'DB4100000007\t').fields).toEqual(['ROMANIA'])
  })

  it('71 prints every requested page', () => {
    const rig = ro()
    for (const kind of [0, 1, 2, 3, 4, 5, 6]) expect(rig.ask(71, `${kind}\t`)).toMatchObject({ code: '0', fields: [] })
    expect(rig.device.documents()).toHaveLength(7)
    expect(rig.code(71, '9\t')).toBe('-112201')
  })

  it('149 returns the current mode, and in school mode no document is printed as fiscal', () => {
    const rig = ro()
    for (const mode of ['1', '2', '3']) expect(rig.ask(149, `${mode}\t`).fields).toEqual([mode])
    expect(rig.ask(255, 'EcrMode\t\t\t').fields).toEqual(['3'])
    rig.all(...receipt(1, '1.00'))
    expect(paper(rig)).toContain('BON NEFISCAL')
    expect(paper(rig)).not.toContain('BON FISCAL')
    rig.all([149, '0\t'], ...receipt(1, '1.00'))
    expect(paper(rig)).toContain('BON FISCAL')
    expect(rig.code(149, '4\t')).toBe('-112201')
  })

  it('253 checks and changes its password, and requires the jumper for factory settings', () => {
    const rig = ro()
    expect(rig.code(253, '0\t9999\t')).toBe('-102002')
    rig.all([253, '0\t1234\t'], [253, '1\t1234\t8765\t'], [253, '2\t8765\t\t'])
    expect([rig.code(253, '0\t1234\t'), rig.code(253, '3\t\t\t'), rig.code(253, '1\t8765\t12\t')]).toEqual([
      '-102002',
      '-104001',
      '-112203',
    ])
  })

  it('255 OperPasw reads and writes the password of an operator; index 0 is operator 1', () => {
    const rig = ro()
    expect(rig.ask(255, 'OperPasw\t29\t\t').fields).toEqual(['0030'])
    rig.all([255, 'OperPasw\t1\t4711\t'], [48, '2\t4711\t1\t'], [60])
    expect(rig.code(255, 'OperPasw\t0\tabc\t')).toBe('-112203')
  })

  it('74 has no options, and bit 1.2 says that the day has been open for more than 24 hours', () => {
    const rig = ro()
    expect(rig.code(74, '0\t')).toBe('-112001')
    rig.all(...receipt(1, '1.00'))
    expect(rig.ask(74).flags).not.toContain('dayTooLong')
    rig.clock.advance(25 * HOUR)
    expect(rig.ask(74).status).toBe('80848080869a8080')
    expect(rig.code(...OPEN)).toBe('-111024')
    rig.all([69, 'Z\t'])
    expect(rig.ask(74).flags).not.toContain('dayTooLong')
  })

  it('74 does not set bit 1.2 for a day of more than 24 hours in the edition bg', () => {
    const rig = talk()
    rig.all([48, '1\t0000\t1\t\t'], sale(1, '1.00'), PAY, CLOSE)
    rig.clock.advance(25 * HOUR)
    expect(rig.ask(74).flags).not.toContain('dayTooLong')
  })
})

describe('the paper of edition ro', () => {
  it('has Romanian words', () => {
    const rig = ro()
    rig.all(OPEN, sale(1, '7.90'), [53, '0\t10.00\t'], CLOSE)
    const lines = (rig.device.documents()[0]?.text ?? []).map((line) => line.trim().replace(/\s+/g, ' '))
    const total = lines.indexOf('TOTAL LEI 7.90')
    expect(lines.slice(total - 2, total + 5)).toEqual([
      'Item 7.90 A',
      '='.repeat(42),
      'TOTAL LEI 7.90',
      '='.repeat(42),
      'NUMERAR 10.00',
      'REST 2.10',
      '-'.repeat(42),
    ])
    expect(lines).toContain('TVA A 21.00% 7.90 1.37')
    expect(lines.join('\n')).toContain('BON FISCAL')
  })
})
