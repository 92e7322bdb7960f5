/** Electronic journal, programming, parameters and error codes: sheet 4.2, 6.12 and 6.13. */
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../drivers/family-a/protocol/errors.ts'
import { catalogueOf, EDITIONS } from '../../drivers/family-a/protocol/index.ts'
import { parameterNames } from '../../emulator/family-a/handlers/parameters.ts'
import { familyA } from '../../emulator/family-a/index.ts'
import { CLOSE, OPEN, PAY, RECEIPT, SALE, type Talk, talk } from './talk.ts'

const clock = '15-07-25 10:15:30 DST'
const text = (rig: Talk, option: '1' | '2'): string[] => {
  const lines: string[] = []
  for (let answer = rig.ask(125, `${option}\t\t\t`); answer.code === '0'; answer = rig.ask(125, `${option}\t\t\t`)) {
    lines.push(answer.fields[0] ?? '')
  }
  return lines
}

/** A day with documents of all types: 1 receipt, 2 invoice, 3 non-fiscal, 4 cash, 5 reversal, 6 cancelled, 7 X, 8 Z. */
function day(): Talk {
  const rig = talk()
  rig.all(...RECEIPT)
  rig.all([48, '1\t0000\t1\tI\t'], SALE, [53, '1\t\t\t'], [57, '\t\tBuyer\t\t\t0\t123456789\t\t'], CLOSE)
  rig.all([38], [42, 'text\t'], [39], [70, '0\t10.00\t'])
  rig.all([43, `1\t0000\t1\t1\t1\t${clock}\t02000123\t\t\t\t\t`], SALE, PAY, CLOSE)
  rig.all(OPEN, SALE, [60], [69, 'X\t'], [69, 'Z\t'])
  return rig
}

describe('the commands of the journal (sheet 6.12):', () => {
  it.each([
    ['0', ['1', '8']],
    ['1', ['1', '1']],
    ['2', ['1', '1']],
    ['3', ['2', '2']],
    ['4', ['3', '3']],
    ['5', ['4', '4']],
    ['6', ['5', '5']],
    ['8', ['6', '6']],
    ['9', ['7', '7']],
    ['10', ['1', '5']],
  ])('124 finds documents of type %s as %j', (type, found) => {
    expect(day().ask(124, `\t\t${type}\t`).fields.slice(2)).toEqual(found)
  })

  it('124 answers -105000 when nothing is found', () => {
    expect(day().code(124, '\t\t7\t')).toBe('-105000')
    expect(day().code(124, '01-01-20 00:00:00\t02-01-20 00:00:00\t0\t')).toBe('-105000')
  })

  it('125/0 selects a document, and 125/1 reads it line by line until -105000', () => {
    const rig = day()
    expect(rig.code(125, '1\t\t\t')).toBe('-105000')
    expect(rig.ask(125, '0\t1\t2\t').fields).toEqual(['8', '1', clock, '2', '1'])
    expect(text(rig, '1').join('\n')).toContain('DAILY FINANCIAL REPORT')
    expect(rig.code(125, '1\t\t\t')).toBe('-105000')
    expect(rig.code(125, '0\t2\t2\t')).toBe('-105000')
  })

  it('the readings end with -100003 with the switch journalEnd=endOfData', () => {
    expect(talk({ switches: { journalEnd: 'endOfData' } }).code(125, '1\t\t\t')).toBe('-100003')
  })

  it('125/2 returns a Z report in the layout of the project, in pieces of 128 characters', () => {
    const rig = day()
    rig.all([125, '0\t1\t2\t'])
    const pieces = text(rig, '2')
    expect(pieces.slice(0, -1).every((piece) => piece.length === 128)).toBe(true)
    const fields = Buffer.from(pieces.join(''), 'base64').toString('latin1').split('\t')
    expect(fields).toHaveLength(59)
    expect(fields.slice(0, 3)).toEqual(['1', '15-07-2025 10:15:30', '8'])
    expect(fields[11]).toBe('10.00')
    expect(fields[19]).toBe('5.00')
  })

  it('125/3 prints a document, and 125/9 and 125/8 return the rows of receipts', () => {
    const rig = day()
    rig.all([125, '3\t1\t0\t'])
    expect(rig.ask(125, '9\t1\t6\t').fields.slice(0, 2)).toEqual(['1', '1'])
    const row = rig.ask(125, '8\t')
    expect(row.fields).toEqual([
      'DT000123',
      'sale',
      '1',
      '',
      'Item',
      '5.00',
      '1.000',
      '5.00',
      '5.00',
      '',
      '',
      '',
      '',
      '',
    ])
    const rows = [1, 2, 3].map(() => rig.ask(125, '8\t').fields)
    expect(rows.map((fields) => [fields[1], fields[2]])).toEqual([
      ['sale', '2'],
      ['reversal', '5'],
      ['cancelled', '6'],
    ])
    expect(rows[0]?.slice(9, 11)).toEqual(['1', '123456789'])
    expect(rig.code(125, '8\t')).toBe('-105000')
  })
})

describe('the commands that program the device (sheet 6.13):', () => {
  it('83 changes the rates after the day is closed, and 50 reports the time of the change', () => {
    const rig = talk()
    rig.all(...RECEIPT)
    const rates = '21.00\t11.00\t0.00\t100.00\t100.00\t100.00\t100.00\t100.00\t'
    expect(rig.code(83, `${rates}2\t`)).toBe('-104000')
    rig.all([69, 'Z\t'])
    expect(rig.ask(83, `${rates}2\t`).fields).toEqual(['29'])
    expect(rig.ask(50).fields).toEqual(['2', ...rates.split('\t').slice(0, 8), '15-07-25'])
    expect(rig.ask(255, 'nVatChanges\t0\t\t').fields).toEqual(['1'])
    expect(rig.ask(255, 'valVat\t1\t\t').fields).toEqual(['11.00'])
    expect(rig.code(83, `${rates}3\t`)).toBe('-112209')
  })

  it('66 reads and changes the range of invoices', () => {
    const rig = talk()
    expect(rig.ask(66).fields).toEqual(['1', '9999999999', '1'])
    expect(rig.ask(66, '1\t').fields).toEqual(['1', '1', '1'])
    expect(rig.code(66, '5\t9\t')).toBe('-112002')
    rig.all([48, '1\t0000\t1\tI\t'], SALE, PAY, [57, '\t\tBuyer\t\t\t0\t123456789\t\t'], CLOSE)
    expect(rig.code(48, '1\t0000\t1\tI\t')).toBe('-111025')
    expect(rig.ask(66, '5\t9\t').fields).toEqual(['5', '9', '5'])
    rig.all([48, '1\t0000\t1\tI\t'])
  })

  it('101 changes a password with the old one or an administrator’s', () => {
    const rig = talk()
    expect(rig.code(101, '1\t9999\t1234\t')).toBe('-102002')
    rig.all([101, '1\t0000\t1234\t'])
    expect(rig.code(...OPEN)).toBe('-102002')
    rig.all([101, '30\t0000\t7777\t'], [101, '1\t7777\t4321\t'], [48, '1\t4321\t1\t\t'])
  })

  it('96 locks the device until the software password is entered', () => {
    const rig = talk()
    rig.all([96, '\tsecret\t'])
    rig.wire.restart()
    expect([rig.code(74), rig.code(96, 'wrong\t'), rig.code(96, 'secret\t'), rig.code(74)]).toEqual([
      '-102020',
      '-102002',
      '0',
      '0',
    ])
    rig.all([96, 'secret\t\t'])
    rig.wire.restart()
    expect(rig.code(74)).toBe('0')
  })

  it('89 has sixteen test records, and 116 returns the memory in hexadecimal', () => {
    const rig = talk()
    expect(rig.ask(89, '0\t').fields).toEqual(['16'])
    for (let record = 0; record < 16; record++) rig.all([89, '1\t'])
    expect(rig.code(89, '1\t')).toBe('-100108')
    expect(rig.ask(116, '0\t0\t2\t').fields).toEqual(['7B22'])
    expect(rig.ask(116, '0\tFFFF0\t8\t').fields).toEqual(['FFFFFFFFFFFFFFFF'])
    expect([rig.code(116, '0\tXYZ\t8\t'), rig.code(116, '0\t0\t105\t'), rig.code(116, '0\tFFFFFF\t8\t')]).toEqual([
      '-112202',
      '-112203',
      '-112202',
    ])
  })

  it('202 and 203 accept a picture in pieces and return its checksum', () => {
    const rig = talk()
    expect(rig.code(202, 'QUJD\t')).toBe('-111003')
    rig.all([202, 'START\t'])
    expect(rig.ask(202, 'QUJD\t').fields).toEqual(['00C6'])
    expect(rig.ask(202, 'STOP\t').fields).toEqual(['00C6'])
    expect(rig.code(127, '0\tSTAMP.BMP\t')).toBe('-100004')
    rig.all([203, 'START\t'], [203, 'QUJD\t'], [203, 'STOPP\t'], [127, '1\tSTAMP.BMP\t'], [127, '0\tSTAMP.BMP\t'])
    expect(rig.code(127, '0\tOTHER.BMP\t')).toBe('-100004')
    rig.all([202, 'RESTART\t'], [202, 'POWEROFF\t'])
    expect(rig.code(202, '***\t')).toBe('-112201')
  })

  it('140 stores clients', () => {
    const rig = talk()
    expect(rig.ask(140, 'I\t').fields).toEqual(['1000', '0', '36'])
    expect(rig.code(140, 'R\t1\t')).toBe('-106000')
    rig.all([140, 'P\t1\tFirma\t0\t123456789\t'], [140, 'P\t5\tOther\t1\t1234567890\tReceiver\t\tStreet 1\t\t'])
    expect(rig.code(140, 'P\t6\tTwin\t0\t123456789\t')).toBe('-120000')
    expect(rig.ask(140, 'R\t5\t').fields).toEqual(['5', 'Other', '1', '1234567890', 'Receiver', '', 'Street 1', ''])
    const first = (data: string) => rig.ask(140, data).fields[0]
    expect([first('F\t'), first('N\t'), first('L\t'), first('N\t'), first('T\t1234567890\t')]).toEqual([
      '1',
      '5',
      '5',
      '1',
      '5',
    ])
    expect([first('X\t'), first('x\t')]).toEqual(['2', '1000'])
    rig.all([140, 'D\tA\t'])
    expect(rig.ask(140, 'I\t').fields[1]).toBe('0')
  })

  it('135 returns a text, 55 reports a missing terminal, and 253 requires the jumper', () => {
    const rig = talk()
    expect([rig.code(135, 's\t'), rig.code(135, 'i\t'), rig.code(135, 'M\t'), rig.code(135, 'x\t')]).toEqual([
      '0',
      '0',
      '0',
      '-112201',
    ])
    expect([rig.code(55, '13\t'), rig.code(253, '1\t')]).toEqual(['-111557', '-104001'])
  })
})

describe('the parameters of command 255:', () => {
  const read = (rig: Talk, name: string, index = 0) => rig.ask(255, `${name}\t${index}\t\t`).fields[0]

  it.each(EDITIONS)('all of %s can be read', (profile) => {
    const rig = talk({ profile })
    expect(parameterNames(profile).filter((name) => rig.code(255, `${name}\t0\t\t`) !== '0')).toEqual([])
  })

  it.each([
    ['Header', 9, 'LINE TEN'],
    ['Footer', 0, 'BYE'],
    ['Unit_name', 19, 'kg'],
    ['OperName', 29, 'Ana'],
    ['PayName', 1, 'CREDIT CARD'],
    ['Payment_forbidden', 5, '1'],
    ['Dept_name', 0, 'Bakery'],
    ['Dept_price', 0, '2.50'],
    ['Dept_vat', 0, '4'],
    ['Dept_unit', 0, '19'],
    ['ItemGroups_name', 98, 'Sweets'],
    ['BarCodeHeight', 0, '10'],
    ['AutoPowerOff', 0, '2'],
    ['CurrNameForeign', 0, 'USD'],
    ['ExchangeRate', 0, '1.95583'],
  ])('%s %i can be written and read back', (name, index, value) => {
    const rig = talk()
    rig.all([255, `${name}\t${index}\t${value}\t`])
    expect(read(rig, name, index)).toBe(value)
  })

  it.each([
    ['Nonsense\t0\t\t', '-112201'],
    ['Header\t10\t\t', '-112202'],
    ['PrintColumns\t1\t\t', '-112202'],
    ['BarCodeHeight\t0\t11\t', '-112203'],
    ['nBon\t0\t5\t', '-104003'],
    ['DecimalPoint\t0\t0\t', '-104003'],
    ['\t0\t\t', '-112201'],
    ['Header\tx\t\t', '-112102'],
  ])('255 %j is refused with %s', (data, code) => {
    expect(talk().code(255, data)).toBe(code)
  })

  it('the counters contain documents, receipts and Z reports', () => {
    const rig = talk()
    rig.all([38], [39], ...RECEIPT, OPEN)
    const counts = ['nBon', 'nFBon', 'nFBonDailyCount', 'nLastFiscalDoc', 'nZreport', 'DFR_needed', 'CurrClerk']
    expect(counts.map((name) => read(rig, name))).toEqual(['3', '1', '1', '2', '0', '1', '1'])
  })

  it('settings of the print can be changed inside a receipt', () => {
    const rig = talk()
    rig.all(OPEN, [255, 'BarCodeHeight\t0\t5\t'])
    expect(rig.code(255, 'Header\t0\tX\t')).toBe('-111047')
  })
})

describe('the catalogue of commands and codes', () => {
  it('has every command of the sheet', () => {
    const codes = [
      33, 35, 38, 39, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 53, 54, 55, 56, 57, 58, 60, 61, 62, 63, 64, 65, 66, 68,
      69, 70, 71, 72, 74, 76, 80, 83, 84, 86, 87, 88, 89, 90, 91, 92, 94, 95, 96, 98, 99, 100, 101, 103, 105, 106, 107,
      109, 110, 111, 112, 116, 122, 123, 124, 125, 127, 135, 140, 202, 203, 253, 255,
    ]
    expect(
      catalogueOf('bg')
        .all.map(({ code }) => code)
        .sort((a, b) => a - b),
    ).toEqual(codes)
  })

  it.each(ERRORS.map(({ code, meaning }) => [code, meaning] as const))(
    '100 returns the text of %i',
    (code, meaning) => {
      expect(talk().ask(100, `${code}\t`).fields).toEqual([String(code), meaning])
    },
  )

  it('has separate names for X and Z reports, and for the reading and programming of items', () => {
    const rig = talk()
    const names = new Set(rig.wire.commands.map(({ name }) => name))
    for (const name of ['reportX', 'reportZ', 'programArticle', 'readArticle', 'sale', 'cashInOut', 'archivedZ']) {
      expect(names).toContain(name)
    }
  })

  it('throws a readable error for an unknown profile or switch', () => {
    expect(() => familyA.profile('xx')).toThrow('family A has no profile xx, only bg and ro')
    expect(() => talk({ switches: { nonsense: '1' } })).toThrow('family A has no switch nonsense')
    expect(() => talk({ switches: { duplicateMatch: 'x' } })).toThrow('expected one of seq, frame')
  })
})
