/** The effects of the commands: sheet 6.1 to 6.13. */
import { describe, expect, it } from 'vitest'
import { CLOSE, OPEN, PAY, RECEIPT, SALE, talk } from './talk.ts'

const sums = (...first: string[]) => [...first, ...Array<string>(8 - first.length).fill('0.00')]
const clock = '15-07-25 10:15:30 DST'

describe('a device of family A (sheet 6.1)', () => {
  it('shows both lines of the display, clears them, and shows the clock', () => {
    const rig = talk()
    const display = () => rig.device.display.lines.map((line) => line.trimEnd())
    rig.all([47, 'A LONG UPPER LINE\t'], [35, 'LOWER\t'], [47, 'UP\t'])
    expect(display()).toEqual(['UP', 'LOWER'])
    expect(rig.ask(63).fields).toEqual([clock])
    expect(display()[0]).toBe('15-07-2025  10:15:30')
    rig.all([33])
    expect(display()).toEqual(['', ''])
    expect(rig.code(47, `${'x'.repeat(21)}\t`)).toBe('-112201')
  })

  it('checks the fields of 44, 80 and 106', () => {
    const rig = talk()
    rig.all([44], [44, '\t'], [44, '99\t'], [106], [106, '\t'], [80, '1000\t65535\t'])
    expect([rig.code(44, '100\t'), rig.code(44, 'x\t'), rig.code(80, '1\t'), rig.code(80, '1\t65536\t')]).toEqual([
      '-112201',
      '-112101',
      '-112001',
      '-112202',
    ])
  })
})

describe('the commands of sales (sheet 6.4):', () => {
  const opened = () => {
    const rig = talk()
    rig.all(OPEN)
    return rig
  }

  it.each([
    ['Item\t1\t2.50\t2\t\t\t\t', '5.00'],
    ['Item\t1\t2.50\t2.5\t0\t0.00\t0\t', '6.25'],
    ['Item\t1\t4.00\t1.500\t2\t10.00\t1\tkg\t', '5.40'],
    ['Item\t1\t4.00\t1.500\t1\t10.00\t1\tkg\t', '6.60'],
    ['Item\t1\t4.00\t\t4\t0.50\t\t', '3.50'],
    ['Item\t1\t4.00\t\t3\t0.50\t\t', '4.50'],
    ['Item\t1\t4.00\t', '4.00'],
    ['Item\t1\t0.05\t0.500\t\t\t\t', '0.03'],
  ])('49 %j adds %s', (data, amount) => {
    const rig = opened()
    expect(rig.ask(49, data)).toMatchObject({ code: '0', fields: ['1'] })
    expect(rig.ask(76).fields[3]).toBe(amount)
  })

  it.each([
    ['\t1\t1.00\t\t\t\t\t', '-112201'],
    [`${'x'.repeat(73)}\t1\t1.00\t\t\t\t\t`, '-112201'],
    ['Item\tA\t1.00\t\t\t\t\t', '-111005'],
    ['Item\t0\t1.00\t\t\t\t\t', '-111005'],
    ['Item\t9\t1.00\t\t\t\t\t', '-111005'],
    ['Item\t\t1.00\t\t\t\t\t', '-112102'],
    ['Item\t10\t1.00\t\t\t\t\t', '-112102'],
    ['Item\t1\tx\t\t\t\t\t', '-112103'],
    ['Item\t1\t10000000.00\t\t\t\t\t', '-112203'],
    ['Item\t1\t1.00\t0.000\t\t\t\t', '-112204'],
    ['Item\t1\t1.00\t\t5\t1.00\t\t', '-112205'],
    ['Item\t1\t1.00\t\t2\t100.00\t\t', '-112206'],
    ['Item\t1\t1.00\t\t2\t\t\t', '-112206'],
    ['Item\t1\t1.00\t\t\t\t100\t', '-111009'],
    ['Item\t1\t1.00\t\t\t\t\tkilogram\t', '-112208'],
    ['Item\t1\t1.00\t\t\t\t\tkg\tx\t', '-112001'],
    ['Item\t1\t', '-112001'],
    ['Item\t1\t0.00\t\t\t\t\t', '-111030'],
    ['Item\t1\t0.01\t0.100\t\t\t\t', '-111030'],
    ['Item\t1\t9999999.99\t2\t\t\t\t', '-111006'],
    ['Item\t1\t1.00\t\t4\t2.00\t\t', '-111032'],
    ['Item\t1\t-1.00\t\t\t\t\t', '-111023'],
  ])('49 %j is refused with %s', (data, code) => {
    expect(opened().code(49, data)).toBe(code)
  })

  it('command 49 refuses a tax group that is disabled', () => {
    const rig = talk()
    rig.all([83, '20.00\t20.00\t20.00\t9.00\t100.00\t0.00\t0.00\t0.00\t2\t'], OPEN)
    expect(rig.code(49, 'Item\t5\t1.00\t\t\t\t\t')).toBe('-111005')
  })

  it('a void reverses only what was sold', () => {
    const rig = opened()
    rig.all([49, 'Item\t1\t2.50\t2.000\t\t\t0\t'], [49, 'Item\t1\t-2.50\t1.000\t\t\t0\t'])
    expect(rig.code(49, 'Item\t1\t-2.50\t1.500\t\t\t0\t')).toBe('-111023')
    expect(rig.code(49, 'Item\t1\t-2.40\t1.000\t\t\t0\t')).toBe('-111023')
    expect(rig.ask(76).fields).toEqual(['1', '1', '2', '2.50', '0.00'])
  })

  it('the switch zeroQuantity=one counts 0.000 as one piece', () => {
    const rig = talk({ switches: { zeroQuantity: 'one' } })
    rig.all(OPEN, [49, 'Item\t1\t1.00\t0.000\t\t\t\t'])
    expect(rig.ask(76).fields[3]).toBe('1.00')
  })

  it('58 sells an item by number, with the price rules of the item', () => {
    const rig = talk()
    rig.all([107, 'P\t20\tA\t0\t1\t1\t1.00\t\t5.000\t\t\t\t\tFree\t0\t'])
    rig.all([107, 'P\t21\tA\t0\t1\t2\t1.00\t\t5.000\t\t\t\t\tMaximum\t0\t'])
    rig.all([107, 'P\t22\tA\t0\t1\t0\t0.00\t\t5.000\t\t\t\t\tNo price\t0\t'], OPEN)
    rig.all(
      [58, '20\t\t3.00\t\t\t'],
      [58, '21\t\t0.90\t\t\t'],
      [58, '1\t\t\t2\t50.00\t'],
      [58, '-1\t\t1.20\t2\t50.00\t'],
    )
    const refused = [
      '21\t\t1.10\t\t\t',
      '1\t\t9.00\t\t\t',
      '22\t\t\t\t\t',
      '999\t\t\t\t\t',
      '100001\t\t\t\t\t',
      '0\t\t\t\t\t',
    ]
    expect(refused.map((data) => rig.code(58, data))).toEqual([
      '-111089',
      '-111090',
      '-111007',
      '-111004',
      '-112201',
      '-112201',
    ])
    rig.all([58, '-20\t\t3.00\t\t\t'])
    expect(rig.ask(76).fields[3]).toBe('0.90')
    rig.all(PAY, CLOSE)
    expect(rig.ask(107, 'R\t21\t').fields.slice(6, 9)).toEqual(['0.90', '1.000', '4.000'])
  })

  it('51 returns the sums after its adjustments', () => {
    const rig = opened()
    expect(rig.code(51, '0\t0\t2\t10.00\t')).toBe('-111020')
    rig.all(SALE, [49, 'Other\t2\t5.00\t\t\t\t\t'])
    expect(rig.ask(51, '1\t1\t2\t10.00\t').fields).toEqual(['1', '9.00', ...sums('4.50', '4.50')])
    expect(rig.ask(103).fields).toEqual([...sums('4.50', '4.50'), '0', '0000000001', '0'])
  })

  it('53 returns the remaining amount, no amount, or the change', () => {
    const rig = opened()
    rig.all(SALE)
    expect(rig.ask(53, '1\t2.00\t\t').fields).toEqual(['D', '3.00'])
    expect(rig.code(53, '1\t4.00\t\t')).toBe('-111054')
    expect(rig.code(53, '8\t1.00\t\t')).toBe('-112201')
    expect(rig.ask(53, '0\t10.00\t\t').fields).toEqual(['R', '7.00'])
    expect(rig.ask(76).fields).toEqual(['1', '1', '1', '5.00', '12.00'])
  })

  it.each(['0', '0.00'])('53 with the amount %s pays the whole remaining amount by its payment mode', (amount) => {
    const rig = opened()
    rig.all(SALE, [53, '0\t2.00\t\t'])
    expect(rig.ask(53, `1\t${amount}\t\t`).fields).toEqual(['D', '0.00'])
    rig.all(CLOSE)
    expect(rig.ask(110, '0\t').fields.slice(0, 2)).toEqual(['2.00', '3.00'])
  })

  it('53 treats 0.00 as a payment of 0.00 with the switch zeroPayment=refuse', () => {
    const rig = talk({ switches: { zeroPayment: 'refuse' } })
    rig.all(OPEN, SALE)
    expect(rig.code(53, '0\t0.00\t\t')).toBe('-111068')
  })

  it('53 refuses a mode that is disabled', () => {
    const rig = talk()
    rig.all([255, 'Payment_forbidden\t3\t1\t'], OPEN, SALE)
    expect(rig.code(53, '3\t\t\t')).toBe('-111061')
  })

  it('57 checks the numbers of the customer', () => {
    const rig = talk()
    rig.all([48, '1\t0000\t1\tI\t'], SALE, PAY)
    expect(rig.code(57, '\t\tBuyer\t\t\t0\t1234567\t\t')).toBe('-112207')
    expect(rig.code(57, '\t\tBuyer\t\t\t0\t123456789\tBG1\t')).toBe('-112208')
    expect(rig.code(57, '\t\tBuyer\t\t\t9\t123456789\t\t')).toBe('-112206')
  })
})

describe('the commands that open a receipt (sheet 6.3):', () => {
  it.each([
    ['1\t9999\t1\t\t', '-102002'],
    ['31\t0000\t1\t\t', '-112201'],
    ['1\t0000\t0\t\t', '-112203'],
    ['1\t9999\t0\t\t', '-102002'],
    ['1\t0000\t1\tX\t', '-112204'],
    ['1\tabc\t1\t\t', '-112202'],
    ['\t0000\t1\t\t', '-112101'],
    ['1\t0000\t', '-112001'],
  ])('48 %j is refused with %s', (data, code) => {
    expect(talk().code(48, data)).toBe(code)
  })

  it('48 assigns the next document and the next invoice', () => {
    const rig = talk()
    rig.all(...RECEIPT)
    expect(rig.ask(48, '1\t0000\tDT000123-0001-0000001\t1\tI\t').fields).toEqual(['2'])
    expect(rig.ask(255, 'UNP\t0\t\t').fields).toEqual(['DT000123-0001-0000001'])
    expect(rig.ask(103).fields.slice(8)).toEqual(['1', '0000000002', '0'])
  })

  it('48 opens a reversal, which has its own sums and takes money out of the drawer', () => {
    const rig = talk()
    rig.all(...RECEIPT)
    rig.all([43, `1\t0000\t1\t1\t1\t${clock}\t02000123\t\t\t\t\t`])
    expect(rig.ask(76).fields[0]).toBe('3')
    expect(rig.ask(103).fields[10]).toBe('1')
    rig.all(SALE)
    expect(rig.code(53, '0\t6.00\t\t')).toBe('-111094')
    rig.all(PAY, CLOSE)
    expect(rig.ask(70, '0\t\t').fields).toEqual(['0.00', '0.00', '0.00'])
    expect(rig.ask(69, 'X\t').fields).toEqual(['1', ...sums('5.00'), ...sums('5.00')])
    expect(rig.ask(110, '1\t').fields[0]).toBe('5.00')
  })

  it('48 refuses a reversal without cash in the drawer', () => {
    const rig = talk()
    rig.all([43, `1\t0000\t1\t0\t1\t${clock}\t02000123\t\t\t\t\t`], SALE)
    expect([rig.code(...PAY), rig.code(56)]).toContain('-111017')
  })

  it('48 requires a number for the reversal of an invoice', () => {
    expect(talk().code(43, `1\t0000\t1\t1\t1\t${clock}\t02000123\tI\t\t\t\t`)).toBe('-112109')
  })
})

describe('the commands of money and reports (sheet 6.6):', () => {
  it('70 moves cash, and refuses to take more out than the drawer contains', () => {
    const rig = talk()
    expect(rig.ask(70, '0\t50.00\t').fields).toEqual(['50.00', '50.00', '0.00'])
    expect(rig.ask(70, '1\t20.00\t').fields).toEqual(['30.00', '50.00', '-20.00'])
    expect(rig.code(70, '1\t30.01\t')).toBe('-111017')
    const documents = rig.device.counters.lastDocument
    expect(rig.ask(70, '0\t0\t').fields).toEqual(['30.00', '50.00', '-20.00'])
    expect(rig.device.counters.lastDocument).toBe(documents)
    expect(rig.ask(110, '5\t').fields.slice(0, 4)).toEqual(['1', '50.00', '1', '20.00'])
  })

  it('69 X shows the next Z report, and 69 Z prints it and resets the day', () => {
    const rig = talk()
    rig.all(...RECEIPT, ...RECEIPT)
    const sales = ['1', ...sums('10.00'), ...sums()]
    expect(rig.ask(69, 'X\t').fields).toEqual(sales)
    expect(rig.ask(65, '0\t').fields).toEqual(sales.slice(0, 9))
    expect(rig.ask(65, '1\t').fields).toEqual(['1', ...sums('1.67')])
    expect(rig.ask(69, 'Z\t').fields).toEqual(sales)
    expect(rig.ask(65, '0\t').fields).toEqual(['2', ...sums()])
    expect(rig.ask(64, '0\t').fields).toEqual(['1', ...sums('10.00'), '15-07-25'])
    expect(rig.ask(64, '1\t').fields).toEqual(['1', ...sums('1.67'), '15-07-25'])
    expect(rig.ask(68).fields).toEqual(['3649'])
    expect(rig.ask(86).fields).toEqual(['15-07-2025 10:15:30'])
  })

  it('69 prints a Z report on an empty day, and its other kinds only print', () => {
    const rig = talk()
    expect(rig.ask(69, 'Z\t').fields).toEqual(['1', ...sums(), ...sums()])
    rig.all([69, 'D\t'], [69, 'G\t'], [69, 'P\t1\t01-07-25\t31-07-25\t'])
    expect([rig.code(69, 'Q\t'), rig.code(69, '\t'), rig.code(69)]).toEqual(['-112201', '-112101', '-112001'])
  })

  it('110 and 112 count the day', () => {
    const rig = talk()
    rig.all(OPEN, SALE, [49, 'Item\t1\t-5.00\t\t\t\t0\t'], [49, 'Two\t2\t10.00\t\t2\t10.00\t\t'], PAY, CLOSE)
    rig.all(OPEN, SALE, [60])
    expect(rig.ask(110, '0\t').fields).toEqual(['9.00', '0.00', '0.00', '0.00', '0.00', '0.00', '0.00'])
    expect(rig.ask(110, '2\t').fields).toEqual(['1', '9.00'])
    expect(rig.ask(110, '3\t').fields).toEqual(['0', '0.00', '1', '1.00'])
    expect(rig.ask(110, '4\t').fields).toEqual(['1', '5.00', '1', '5.00'])
    expect(rig.ask(112, '1\t').fields.slice(0, 2)).toEqual(['1', '9.00'])
    expect(rig.ask(88, '1\t').fields).toHaveLength(7)
    expect(rig.ask(87, '1\t').fields).toHaveLength(3)
    rig.all([87], [88], [105, '1\t30\t1\t'])
    expect(rig.ask(112, '1\t').fields[0]).toBe('0')
  })

  it('94 and 95 print their range, and refuse an empty one', () => {
    const rig = talk()
    rig.all([69, 'Z\t'], [69, 'Z\t'])
    rig.all([95, '1\t1\t2\t'], [94, '0\t01-07-25\t31-07-25\t'], [95, '0\t'])
    expect([rig.code(95, '0\t5\t9\t'), rig.code(95, '0\t2\t1\t'), rig.code(94, '0\t01-01-20\t02-01-20\t')]).toEqual([
      '-100110',
      '-100109',
      '-100110',
    ])
  })

  it('109 copies the last receipt, and answers -105000 if no receipt was printed', () => {
    const rig = talk()
    expect(rig.code(109)).toBe('-105000')
    rig.all(...RECEIPT, [109, '1\t'], [109])
  })
})

describe('the queries and the clock (sheet 6.7 to 6.9):', () => {
  it('74 has three forms of data', () => {
    const rig = talk()
    rig.all(...RECEIPT)
    expect(rig.ask(74, '0\t').fields).toEqual(['0', '0', '1', '5.00', '1', clock])
    expect(rig.ask(74, '1\t').fields).toEqual(['02000123*0000001*2025-07-15*10:15:30*5.00'])
    expect(rig.code(74, '2\t')).toBe('-112201')
  })

  it('76 returns the last receipt, 123 the last documents', () => {
    const rig = talk()
    expect(rig.ask(76).fields).toEqual(['0', '0', '0', '0.00', '0.00'])
    rig.all(...RECEIPT)
    expect(rig.ask(76).fields).toEqual(['0', '1', '1', '5.00', '5.00'])
    expect(rig.ask(123, '3').fields).toEqual(['1', '15-07-2025 10:15:30', '0', ''])
    expect(rig.ask(123, '1').fields).toEqual([
      'DT000123',
      '02000123',
      'CORNER SHOP',
      '12 MARKET STREET',
      '123456789',
      '',
      '',
    ])
    expect(rig.ask(123, '2').fields).toHaveLength(4)
    expect(rig.ask(123, '5').fields).toHaveLength(2)
    expect(rig.ask(123, '4').fields).toEqual([])
    expect(rig.code(123, '6')).toBe('-112201')
  })

  it('100 returns exactly the codes of the table', () => {
    const rig = talk()
    expect(rig.ask(100, '-111016\t').fields).toEqual(['-111016', 'no receipt is open'])
    expect(rig.code(100, '-1\t')).toBe('-100004')
  })

  it('90 accepts a comma form without an error code and a TAB form with one; the checksum is returned on request', () => {
    const rig = talk()
    expect(rig.ask(90).data).toBe('FPA-EMULATOR-100X,1.00BG 01JAN25 1000,FFFF,00000000,DT000123,02000123')
    expect(rig.ask(90, '1\t').data).toBe(
      '0\tFPA-EMULATOR-100X\t1.00BG\t01JAN25\t1000\tA1B2\t00000000\tDT000123\t02000123\t',
    )
  })

  it('71 prints a page for 0 and returns thirteen values for 2', () => {
    const rig = talk()
    rig.all([71, '0\t'])
    expect(rig.device.documents().at(-1)?.kind).toBe('service')
    expect(rig.ask(71, '2\t').data.split('\t')).toHaveLength(15)
  })

  it('an unknown command gets an empty answer and the status bits 0.1 and 0.5; with unknownCommand=code the answer is -112000', () => {
    expect(talk().ask(153)).toMatchObject({ data: '', status: 'a2808080869a8080' })
    expect(talk({ switches: { unknownCommand: 'code' } }).ask(153).data).toBe('-112000\t')
  })
})

describe('the commands of text, barcodes and lines (sheet 6.2, 6.10):', () => {
  it('a text has at most the characters of a line of paper minus two, in every style', () => {
    const rig = talk()
    rig.all([38], [42, `${'x'.repeat(40)}\t1\t1\t1\t1\t2\t`], [42, 'half\t0\t0\t2\t0\t0\t'])
    expect(rig.code(42, `${'x'.repeat(41)}\t`)).toBe('-112201')
    expect(rig.code(42, 'x\t2\t')).toBe('-112202')
    rig.all([39])
  })

  it('54 accepts half height only if the switch is set', () => {
    const rig = talk()
    rig.all(OPEN)
    expect(rig.code(54, 'x\t0\t0\t2\t0\t0\t')).toBe('-112204')
    const other = talk({ switches: { halfFiscalText: 'taken' } })
    other.all(OPEN, [54, 'x\t0\t0\t2\t0\t0\t'])
  })

  it.each([
    ['1\t12345670\t', '0'],
    ['1\t12345671\t', '-112202'],
    ['2\t5941234567899\t', '0'],
    ['2\t59412345678\t', '-112202'],
    ['3\tAB\t', '-112202'],
    ['4\thttps://example.test/r/102\t6\t', '0'],
    ['4\ttext\t11\t', '-112203'],
    ['5\t1234\t', '0'],
    ['5\t12A4\t', '-112202'],
    ['6\ttext\t', '0'],
    ['7\ttext\t3\t', '0'],
    ['8\ttext\t', '-112201'],
  ])('84 %j answers %s', (data, code) => {
    const rig = talk()
    rig.all([38])
    expect(rig.code(84, data)).toBe(code)
  })

  it('92 draws four styles of line', () => {
    const rig = talk()
    rig.all([38], [92, '1\t'], [92, '2\t'], [92, '3\t'], [92, '4\t'])
    expect(rig.code(92, '5\t')).toBe('-112201')
  })

  it('122 ends by itself after ten lines', () => {
    const rig = talk()
    for (let line = 0; line < 10; line++) rig.all([122, `LINE ${line}\t`])
    expect(rig.device.documents()).toHaveLength(1)
  })
})

describe('the commands of items (sheet 6.11):', () => {
  const record = 'P\t30\tB\t2\t1\t2\t1.09\tA\t1000.000\t1000111\t2000111\t3000111\t4000111\t\xc0\xe1\xe2\t1\t'

  it('107 programs, reads, adds and deletes items', () => {
    const rig = talk()
    expect(rig.ask(107, 'I\t').fields).toEqual(['100000', '10', '72'])
    rig.all([107, record], [107, 'A\t30\t5.000\t'])
    expect(rig.ask(107, 'R\t30\t').data).toBe(
      '0\t30\tB\t2\t1\t2\t1.09\t0.00\t0.000\t1005.000\t1000111\t2000111\t3000111\t4000111\t\xc0\xe1\xe2\t1\t',
    )
    rig.all([107, 'D\t30\t'])
    expect(rig.code(107, 'R\t30\t')).toBe('-111004')
    rig.all([107, 'D\tA\t'])
    expect(rig.ask(107, 'I\t').fields[1]).toBe('0')
  })

  it('107 walks through sold items and free numbers in both directions', () => {
    const rig = talk()
    const item = (data: string) => rig.ask(107, data).fields[0]
    expect([item('F\t'), item('N\t'), item('N\t')]).toEqual(['1', '2', '3'])
    expect([item('L\t'), item('N\t')]).toEqual(['10', '9'])
    expect([item('F\t5\t'), item('L\t5\t'), item('X\t'), item('x\t10\t'), item('x\t')]).toEqual([
      '5',
      '5',
      '11',
      undefined,
      '100000',
    ])
    expect(rig.code(107, 'f\t')).toBe('-100004')
    rig.all(OPEN, [58, '3\t\t\t\t\t'], [58, '7\t\t\t\t\t'], PAY, CLOSE)
    expect([item('f\t'), item('n\t'), item('n\t'), item('l\t')]).toEqual(['3', '7', undefined, '7'])
  })

  it.each([
    ['P\t40\tA\t0\t1\t0\t1.00\t\t0.000\t\t\t\t\tBread\t0\t', '-103005'],
    ['P\t40\tI\t0\t1\t0\t1.00\t\t0.000\t\t\t\t\tNew\t0\t', '-112203'],
    ['P\t40\tA\t0\t1\t0\t1.00\t\t\t\t\t\t\tNew\t0\t', '-112109'],
    ['P\t40\tA\t0\t100\t0\t1.00\t\t0.000\t\t\t\t\tNew\t0\t', '-112205'],
    ['R\t4000\t', '-111004'],
    ['N\t', '-100004'],
    ['Y\t', '-112201'],
  ])('107 %j is refused with %s', (data, code) => {
    expect(talk().code(107, data)).toBe(code)
  })

  it('107 deletes an empty range without an error, and names a single missing item', () => {
    const rig = talk()
    rig.all([107, 'D\t30\t40\t'])
    expect(rig.code(107, 'D\t30\t')).toBe('-100004')
    rig.all([107, 'D\tA\t'], [107, 'D\tA\t'])
  })

  it('107 accepts Cyrillic letters of tax groups', () => {
    const rig = talk()
    rig.all([107, 'P\t40\t\xc1\t0\t1\t0\t1.00\t\t0.000\t\t\t\t\tNew\t0\t'])
    expect(rig.ask(107, 'R\t40\t').fields[1]).toBe('B')
  })

  it('107 accepts an empty quantity with the switch emptyStock=zero', () => {
    talk({ switches: { emptyStock: 'zero' } }).all([107, 'P\t40\tA\t0\t1\t0\t1.00\t\t\t\t\t\t\tNew\t0\t'])
  })

  it('107 refuses a barcode of another item, and changes of items with sales', () => {
    const rig = talk()
    rig.all([107, record])
    expect(rig.code(107, 'P\t31\tA\t0\t1\t0\t1.00\t\t0.000\t1000111\t\t\t\tNew\t0\t')).toBe('-103002')
    expect(rig.code(107, 'P\t31\tA\t0\t1\t0\t1.00\t\t0.000\t999\t999\t\t\tNew\t0\t')).toBe('-103002')
    rig.all([107, 'L\t'])
    rig.all(OPEN, [58, '1\t\t\t\t\t'], PAY, CLOSE)
    expect(rig.code(107, 'P\t1\tA\t0\t1\t0\t9.00\t\t0.000\t\t\t\t\tBread\t0\t')).toBe('-103004')
    expect(rig.code(107, 'D\t1\t')).toBe('-103004')
    rig.all([111, '0\t'], [111, '2\t'], [111, '3\t'], [111, '1\t1\t10\t'], [107, 'D\t1\t'])
  })
})
