/** The meaning of the data of family B's responses, and data that cannot be read: sheet B 6.3 and 10. */
import { describe, expect, it } from 'vitest'
import { readStreamedLine, writeJournalLine, writeReportLine } from '../../drivers/family-b/protocol/commands/stream.ts'
import { orRefusal } from '../support/problems.ts'
import { commandOf, page } from './layouts.ts'

const answered = (code: number, data: string) => orRefusal(() => commandOf(code).response.read(data, page))

const ARTICLE = {
  ...{ result: 'article', plu: 5, time: '14-07-25 12:00:00', taxLetter: '\xc0', price: 250, quantity: 3_000, sum: 750 },
  ...{ name: 'Bread', barcode: '594', department: 12, constant: '1', stock: -1_500 },
}
const SOLD = 'P,5,14-07-25 12:00:00,\xc0,2.50,3.000,7.50'
const KNOWN = ',Bread\n594,12,1,-1.500'
const REFUNDED = { refunded: { quantity: 1_000, sum: 250 } }
const DEPARTMENT = {
  ...{ result: 'department', department: 7, taxLetter: '\xc0', name: 'Food', maxDigits: 6 },
  ...{ quantity: 1_500, sum: 250, periodQuantity: -3_000, periodSum: -400 },
}
const NOTHING = { count: 0, sum: 0 }
const OPERATOR = {
  ...{ receipts: 2, sales: { count: 3, sum: 150 }, discounts: NOTHING, surcharges: { count: 1, sum: -50 } },
  ...{ voids: NOTHING, name: 'Ana' },
}
const COUNTED = '000002,000003;1.50,000000;0.00,000001;-0.50,000000;0.00,Ana'
const sums = (...of: readonly number[]) => ({ sums: of, digits: 10 })

describe('an answer of family B', () => {
  it.each<readonly [number, object, string]>([
    [107, { result: 'failed' }, 'F'],
    [107, { result: 'done', free: 2_999 }, 'P,2999'],
    [107, ARTICLE, SOLD + KNOWN],
    [107, { ...ARTICLE, ...REFUNDED }, `${SOLD},1.000,2.50${KNOWN}`],
    [131, { result: 'done' }, 'P'],
    [131, { result: 'failed' }, 'F'],
    [131, DEPARTMENT, 'P,7,Food\n\xc0,0.00,1.500,2.50,-3.000,-4.00,6'],
    [64, { number: 7, ...sums(150), date: '2026-01-31' }, '0007,0000000150,310126'],
    [65, sums(150, -50), '0000000150,-000000050'],
    [50, { found: false, rates: [] }, 'F'],
    [50, { found: true, rates: [2_000], date: '2026-01-31' }, 'P,20.00,310126'],
    [50, { found: true, rates: [2_000, null], date: '2026-01-31' }, 'P,20.00,-1.00,310126'],
    [103, { canVoid: true, ...sums(150), invoice: true, invoiceNumber: 35 }, '1,0000000150,1,0000000035'],
    [
      103,
      { canVoid: true, ...sums(150, 50), invoice: true, invoiceNumber: 35 },
      '1,0000000150,0000000050,1,0000000035',
    ],
    [103, { canVoid: false, ...sums(150), invoice: false, invoiceNumber: 0 }, '0,0000000150,0,0000000000'],
    [
      110,
      { ...sums(150, 50), zNumber: 2, nextDocument: 3, invoiceNumber: 35 },
      '0000000150,0000000050,0002,000003,0000000035',
    ],
    [110, { ...sums(150), zNumber: 2, nextDocument: 3, invoiceNumber: 35 }, '0000000150,0002,000003,0000000035'],
    [112, OPERATOR, COUNTED],
    [53, { result: 'failed' }, 'F'],
    [53, { result: 'covered', amount: 66 }, 'R0.66'],
    [69, { kind: 'report', closure: 7, ...sums(150, -50) }, '0007,0000000150,-000000050'],
    [69, { kind: 'journal', free: 46_000_000 }, '46000000'],
    [69, { kind: 'journal', free: 46_000_000, total: 47_000_000 }, '46000000,47000000'],
    [69, { kind: 'none' }, ''],
    [114, { result: 'sums', ...sums(150, -50) }, 'P,0000000150,-000000050'],
    [114, { result: 'rates', rates: [2_000, null] }, 'P,20.00,-1.00'],
    [114, { result: 'damaged' }, 'F'],
    [114, { result: 'absent' }, 'E'],
    [45, { done: true }, 'P'],
    [45, { done: false }, 'F'],
    [70, { done: true, cash: 500, cashIn: 700, cashOut: 200 }, 'P,5.00,7.00,2.00'],
    [70, { done: false, cash: 500, cashIn: 700, cashOut: 200 }, 'F,5.00,7.00,2.00'],
    [43, {}, ''],
    [43, { value: '2' }, '2'],
    [150, {}, ''],
    [150, { number: 10, value: '2,5' }, '10,2,5'],
  ])('to command %i with the values %j is written as %j, and read back', (code, values, data) => {
    expect(commandOf(code).response.write(values, page)).toBe(data)
    expect(answered(code, data)).toStrictEqual(values)
  })

  it.each<readonly [number, string, unknown]>([
    // Sums may have either style, and equal or different widths.
    [69, '7,1.50,2.50', { kind: 'report', closure: 7, sums: [150, 250], digits: 4 }],
    [114, 'P,1.50,0000000150', { result: 'sums', sums: [150, 150], digits: 4 }],
    // Further text may follow the name of an operator.
    [112, `${COUNTED}\tx`, OPERATOR],
  ])('of command %i may be %j', (code, data, expected) => {
    expect(answered(code, data)).toStrictEqual(expected)
  })

  it('contains the current rates without a date if the device has no date', () => {
    expect(commandOf(50).response.write({ found: true, rates: [2_000] }, page)).toBe('P,20.00')
  })

  it.each<readonly [number, string]>([
    [107, 'x'],
    [107, 'xP,2999'],
    [107, 'P,2999x'],
    [107, `x${SOLD}${KNOWN}`],
    [107, `${SOLD}${KNOWN},1`],
    [131, 'x'],
    [64, '0007,310126'],
    [50, 'X,20.00,310126'],
    [50, 'P,310126'],
    [50, 'P'],
    [103, '1,0,0000000000'],
    [110, '0001,000002,0000000003'],
    [112, 'x'],
    [112, `x${COUNTED}`],
    [112, '000002,000003;1.50,Ana'],
    [53, 'X0.66'],
    [53, ''],
    [69, 'x'],
    [69, '5x'],
    [69, 'x5'],
    [69, '5,x'],
    [69, '0007,0000000150,x'],
    [114, 'P'],
    [114, 'X,0000000150'],
    [114, 'X'],
    [45, 'X'],
    [45, ''],
    [70, 'X,5.00,7.00,2.00'],
    [70, 'P,5.00'],
    [150, 'x'],
    [150, 'x10,2'],
    [150, '10'],
  ])('of command %i cannot be %j', (code, data) => {
    expect(answered(code, data)).toBe('syntax')
  })

  it('is read line by line if it is streamed, up to the end of either kind', () => {
    expect(writeReportLine(7, 'Sum', true, page)).toBe('000007\tB\tSum')
    expect(writeReportLine(7, 'Sum', false, page)).toBe('000007\tN\tSum')
    expect(writeJournalLine('Sum', page)).toBe('T\tSum')
    const lines = [
      '000007\tB\tSum',
      '000007\tN\tA\nB',
      'T\tSum',
      '000007\tX\tSum',
      'x000007\tB\tSum',
      'plain',
      'E',
      '\tE',
    ]
    expect(lines.map((line) => readStreamedLine(line, page))).toEqual([
      'Sum',
      'A\nB',
      'Sum',
      '000007\tX\tSum',
      'x000007\tB\tSum',
      'plain',
      undefined,
      undefined,
    ])
  })
})
