/** Single sentences of the protocol specification, each with the response that it requires. */
import { describe, expect, it } from 'vitest'
import { CLOSE, OPEN, PAY, RECEIPT, SALE, talk } from './talk.ts'

const clock = '15-07-25 10:15:30 DST'
const RATES = ['20.00', '20.00', '20.00', '9.00', '0.00', '0.00', '0.00', '0.00']
const rates = (change: Readonly<Record<number, string>> = {}, decimals = '2') =>
  [...RATES.map((rate, index) => change[index + 1] ?? rate), decimals].map((field) => `${field}\t`).join('')
const reversal = (
  change: { document?: string; at?: string; invoice?: string; toInvoice?: string; text?: string } = {},
) =>
  `1\t0000\t1\t1\t${change.document ?? '1'}\t${change.at ?? clock}\t02000123\t${change.invoice ?? ''}\t` +
  `${change.toInvoice ?? ''}\t${change.text ?? ''}\t\t`

describe('the number of the wrong field (4.2: nn counts the fields of the request from 1)', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is reported by 83: rate %i', (field) => {
    expect(talk().code(83, rates({ [field]: '200.00' }))).toBe(`-11220${field}`)
    expect(talk().code(83, rates({ [field]: 'x' }))).toBe(`-11210${field}`)
  })

  it.each([0, 1, 2, 3])('is reported by 107 P: bar code %i', (index) => {
    const codes = ['', '', '', ''].with(index, '12345678901234').join('\t')
    expect(talk().code(107, `P\t40\tA\t0\t1\t0\t1.00\t\t0.000\t${codes}\tNew\t0\t`)).toBe(`-1122${10 + index}`)
  })

  it('is reported by 51: a letter for 0 or 1 cannot be parsed, and another number is a wrong value', () => {
    const rig = talk()
    rig.all(OPEN, SALE)
    const wrong = ['a\t0\t\t\t', '0\ta\t\t\t', '2\t0\t\t\t', '0\t2\t\t\t']
    expect(wrong.map((data) => rig.code(51, data))).toEqual(['-112101', '-112102', '-112201', '-112202'])
    expect(rig.ask(51, 'a\t0\t\t\t').flags).toContain('syntaxError')
  })
})

describe('dates and document numbers (sheet 2.8, 6):', () => {
  it('a year has two digits in 43 and 61, as in 94', () => {
    const rig = talk()
    expect(rig.code(94, '0\t01-01-2026\t\t')).toBe('-112102')
    expect(rig.code(61, '01-01-2026 10:00:00\t')).toBe('-112101')
    expect(rig.code(43, reversal({ at: '15-07-2025 10:15:30' }))).toBe('-112106')
    expect(rig.code(124, '01-07-2025 00:00:00\t\t0\t')).toBe('-112101')
    expect(rig.code(61, '01-01-26 10:00:00\t')).toBe('0')
  })

  it('command 43 refuses document number 0', () => {
    expect(talk().code(43, reversal({ document: '0' }))).toBe('-112205')
  })
})

describe('one empty field at the end is ignored (sheet 2.8)', () => {
  it.each([33, 46, 50, 62, 63, 68, 76, 99, 103])('in command %i', (command) => {
    const rig = talk()
    expect(rig.ask(command, '\t')).toMatchObject({ code: '0', flags: expect.not.arrayContaining(['syntaxError']) })
    expect(rig.code(command, '\t\t')).toBe('-112101')
    expect(rig.code(command, 'x\t')).toBe('-112101')
  })

  it('in the commands 39, 56, 60 and 86', () => {
    const rig = talk()
    rig.all([38], [39, '\t'], OPEN, SALE, PAY, [56, '\t'], OPEN, [60, '\t'], [69, 'Z\t'], [86, '\t'])
  })
})

describe('in a sale (sheet 6.4),', () => {
  it.each(['100', '-1', '100000000'])('the department %s is out of range', (department) => {
    const rig = talk()
    rig.all(OPEN)
    expect(rig.code(49, `Item\t1\t1.00\t\t\t\t${department}\t`)).toBe('-111009')
    expect(rig.code(49, 'Item\t1\t1.00\t\t\t\t1.5\t')).toBe('-112107')
    rig.all([49, 'Item\t1\t1.00\t\t\t\t99\t'])
  })
})

describe('in the tax rates of 83 (sheet 3, 6.13, 8),', () => {
  const none = rates(Object.fromEntries(RATES.map((_, index) => [index + 1, '100.00'])))

  it('the number of decimals 0 is refused, because the books contain hundredths', () => {
    const rig = talk()
    expect(rig.code(83, rates({}, '0'))).toBe('-112209')
    expect(rig.ask(255, 'DecimalPoint\t\t\t').fields).toEqual(['2'])
    expect(rig.ask(255, 'nVatChanges\t\t\t').fields).toEqual(['0'])
  })

  it('the bit 5.4 (rates were set) remains when all groups are disabled', () => {
    const rig = talk()
    expect(rig.ask(83, none)).toMatchObject({ code: '0', status: '80808080869a8080' })
    expect(rig.ask(50).fields.slice(1, 9)).toEqual(Array(8).fill('100.00'))
  })

  it('new rates are refused by a full fiscal memory', () => {
    const rig = talk({ change: { fiscalMemoryCapacity: 1, fiscalMemoryWarning: 1 } })
    rig.all([69, 'Z\t'])
    expect(rig.code(83, rates({ 1: '19.00' }))).toBe('-100114')
    expect(rig.ask(50).fields[1]).toBe('20.00')
  })
})

describe('in the journal (sheet 6.12),', () => {
  it('125/0 numbers each type separately', () => {
    const rig = talk()
    rig.all(...RECEIPT, [43, reversal()], SALE, PAY, CLOSE, ...RECEIPT)
    rig.all([48, '1\t0000\t1\tI\t'], SALE, PAY, [57, '\t\tBuyer\t\t\t0\t123456789\t\t'], CLOSE)
    rig.all([43, reversal({ invoice: 'I', toInvoice: '1', text: 'returned' })], SALE, PAY, CLOSE)
    rig.all([71, '0\t'], [70, '0\t1.00\t'])
    const [document, number, type] = [0, 1, 3]
    const answers = [1, 2, 3, 4, 5, 6, 7].map((one) => rig.ask(125, `0\t${one}\t0\t`).fields)
    expect(answers.map((fields) => [document, number, type].map((at) => fields[at]))).toEqual([
      ['1', '1', '1'],
      ['2', '1', '6'],
      ['3', '2', '1'],
      ['4', '1', '3'],
      ['5', '1', '7'],
      ['6', '1', '0'],
      ['7', '1', '5'],
    ])
  })

  it('reports of the fiscal memory are stored like every other document', () => {
    const rig = talk()
    rig.all([69, 'Z\t'], [94, '0\t\t\t'], [95, '1\t\t\t'], [69, 'P\t1\t01-07-25\t31-07-25\t'], [125, '3\t1\t2\t'])
    for (const document of [2, 3, 4, 5]) {
      expect(rig.ask(125, `0\t${document}\t0\t`).fields.slice(0, 1)).toEqual([String(document)])
      expect(rig.ask(125, '1\t\t\t').code).toBe('0')
    }
    expect(rig.ask(124, '\t\t0\t').fields.slice(2)).toEqual(['1', '5'])
  })
})

describe('foreign currency (sheet 6.6)', () => {
  const nothing = ['0', '0.00', '0', '0.00']

  it('is moved by 70, types 2 and 3, in a separate drawer, which 110 counts as kind 5', () => {
    const rig = talk()
    rig.all([70, '0\t5.00\t'])
    expect(rig.ask(70, '2\t50.00\t').fields).toEqual(['50.00', '50.00', '0.00'])
    expect(rig.ask(70, '3\t20.00\t').fields).toEqual(['30.00', '50.00', '-20.00'])
    expect(rig.code(70, '3\t30.01\t')).toBe('-111017')
    expect(rig.code(70, '1\t5.01\t')).toBe('-111017')
    expect(rig.ask(70, '2\t0\t').fields).toEqual(['30.00', '50.00', '-20.00'])
    expect(rig.ask(70, '0\t0\t').fields).toEqual(['5.00', '5.00', '0.00'])
    expect(rig.ask(110, '5\t').fields).toEqual(['1', '5.00', '0', '0.00', '1', '50.00', '1', '20.00'])
  })

  it('is added to its drawer by a receipt, and removed by a reversal', () => {
    const rig = talk()
    rig.all(OPEN, SALE, [53, '6\t5.00\t\t'], CLOSE)
    expect(rig.ask(70, '2\t\t').fields).toEqual(['5.00', '0.00', '0.00'])
    expect(rig.ask(70, '0\t\t').fields).toEqual(['0.00', '0.00', '0.00'])
    rig.all([43, reversal()], SALE, [53, '6\t\t\t'], CLOSE)
    expect(rig.ask(70, '2\t\t').fields[0]).toBe('0.00')
    rig.all([43, reversal()], SALE)
    expect(rig.code(53, '6\t\t\t')).toBe('-111017')
  })

  it('is shown by X and Z reports if there was any, and a Z report resets it', () => {
    const rig = talk()
    const paper = () =>
      rig.device
        .documents()
        .at(-1)
        ?.text.map((line) => line.trim().replace(/\s+/g, ' ')) ?? []
    rig.all([69, 'X\t'])
    expect(paper().filter((line) => line.includes('CURRENCY'))).toEqual(['CURRENCY 0.00'])
    rig.all([70, '2\t50.00\t'])
    expect(paper()).toContain('CASH IN CURRENCY 50.00')
    rig.all([70, '3\t20.00\t'], [69, 'Z\t'])
    expect(paper()).toEqual(
      expect.arrayContaining(['CASH IN CURRENCY 50.00', 'CASH OUT CURRENCY 20.00', 'CASH IN DRAWER CURRENCY 30.00']),
    )
    expect(rig.ask(70, '2\t\t').fields).toEqual(['0.00', '0.00', '0.00'])
    expect(rig.ask(110, '5\t').fields).toEqual([...nothing, ...nothing])
  })
})

describe('the number of receipts (sheet 6.6, 6.13)', () => {
  it('counts only sales in 110 and 112, and every fiscal receipt in 255 and 123', () => {
    const rig = talk()
    rig.all(...RECEIPT, ...RECEIPT, [43, reversal()], SALE, PAY, CLOSE)
    expect(rig.ask(110, '2\t').fields).toEqual(['2', '10.00'])
    expect(rig.ask(112, '1\t').fields.slice(0, 2)).toEqual(['2', '10.00'])
    expect(rig.ask(255, 'nFBonDailyCount\t\t\t').fields).toEqual(['3'])
    expect(rig.ask(123, '3\t').fields[0]).toBe('3')
    rig.all([69, 'Z\t'], [125, '0\t1\t2\t'])
    let base64 = ''
    for (let answer = rig.ask(125, '2\t\t\t'); answer.code === '0'; answer = rig.ask(125, '2\t\t\t')) {
      base64 += answer.fields[0]
    }
    // 27 fields about the closure and its tax groups precede the numbers of fiscal and reversal receipts.
    expect(Buffer.from(base64, 'base64').toString('latin1').split('\t').slice(27, 29)).toEqual(['2', '1'])
  })
})

describe('the count of sales (sheet 6.6)', () => {
  const sell = (text: string): readonly [number, string] => [49, text]

  it('includes a partly voided sale, and not a completely voided sale', () => {
    const rig = talk()
    rig.all(OPEN, sell('a\t1\t1.00\t3.000\t0\t\t5\t'), sell('a\t1\t-1.00\t1.000\t0\t\t5\t'))
    rig.all([58, '1\t3.000\t\t\t\t'], [58, '-1\t1.000\t\t\t\t'], [58, '-1\t1.000\t\t\t\t'], PAY, CLOSE)
    expect(rig.ask(88, '5\t').fields.slice(2, 4)).toEqual(['1', '2.00'])
    expect(rig.ask(87, '1\t').fields.slice(0, 2)).toEqual(['1', '1.20'])
    rig.all(OPEN, sell('b\t1\t2.00\t1.000\t0\t\t6\t'), sell('c\t1\t1.00\t1.000\t0\t\t7\t'))
    rig.all(sell('b\t1\t-2.00\t1.000\t0\t\t8\t'), PAY, CLOSE)
    expect([6, 7, 8].map((number) => rig.ask(88, `${number}\t`).fields.slice(2, 4))).toEqual([
      ['0', '0.00'],
      ['1', '1.00'],
      ['0', '0.00'],
    ])
  })
})
