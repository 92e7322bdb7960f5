/** Responses of family C about registers and receipts: sheet C 4.14. */
import { describe, expect, it } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { orRefusal } from '../support/problems.ts'
import { declared, page, unitsOf } from './layouts.ts'

const answer = (edition: EditionName, code: number, ask = '') => declared(edition, code, ask).response
const answered = (edition: EditionName, code: number, data: string, ask = '') =>
  orRefusal(() => answer(edition, code, ask).read(data, page))

const DAY = 0x6e
const OPERATOR = 0x6f
const LAST_DOCUMENT = 0x71
const RECEIPT = 0x72
const LAST_Z = 0x73

const wide = (...sums: readonly string[]): string => sums.map((sum) => sum.padStart(11)).join(';')
const FIVE = { payments: [100, 200, 0, 0, -50] }
const FIVE_WIDE = wide('1.00', '2.00', '0.00', '0.00', '-0.50')
const COUNTED = {
  customers: 12,
  discounts: { count: 1, sum: -100 },
  surcharges: { count: 2, sum: 200 },
  corrections: { count: 0, sum: 0 },
}
const COUNTED_WIDE = `00012;00001;${wide('-1.00')};00002;${wide('2.00')};00000;${wide('0.00')}`
const COUNTERS = { reports: 7, lastBlock: 8, journal: 2, at: '2025-07-14T09:00:00' }
const AT = '14-07-2025 09:00'
const NO_TIME = '00-00-0000 00:00'
const SIGNATURE = 'ABCD'.repeat(10)

const FLAGS = {
  ...{ voidForbidden: false, vatPrinted: false, detailed: false, payStarted: false, payFinished: false },
  ...{ powerDown: false, type: 0, change: 0, changeType: 0 },
}
const CLOSED = { open: false, sales: 0, ...FLAGS }
const PAID = {
  ...{ open: true, sales: 2, voidForbidden: true, vatPrinted: false, detailed: true, payStarted: false },
  ...{ payFinished: true, powerDown: false, type: 1, change: 150, changeType: 2 },
}
const EIGHT = [100, 200, 300, 400, 500, 600, 700, 800]
const LATER = wide('4.00', '5.00', '6.00', '7.00', '8.00')
const NINE_ZEROS = '0;0;0;0;0;0;0;0.00;0'

describe('an answer about registers', () => {
  it.each<readonly [EditionName, number, object, string]>([
    ['c4', DAY, { option: '0', ...FIVE }, `0;${FIVE_WIDE};`],
    ['c4', DAY, { option: '1', ...COUNTED }, `1;${COUNTED_WIDE};`],
    ['c4', DAY, { option: '2', ...FIVE, count: 3, sum: 250 }, `2;${FIVE_WIDE};00003;${wide('2.50')};`],
    ['c4', DAY, { option: '3', ...FIVE, count: 3, sum: 250 }, `3;${FIVE_WIDE};00003;${wide('2.50')};`],
    ['c4', DAY, { option: '4', ...FIVE }, `4;${FIVE_WIDE};`],
    ['c4', DAY, { option: '5', ...COUNTERS }, `5;00007;00008;00002;${AT};`],
    ['c4', DAY, { option: '5', reports: 0, lastBlock: 1, journal: 1 }, `5;00000;00001;00001;${NO_TIME};`],
    ['c4', DAY, { option: '6', ...FIVE }, `6;${FIVE_WIDE};`],
    ['c4', DAY, { option: '7', turnover: 2_300, vat: 383 }, '7;         23.00;          3.83;'],
    [
      'c6',
      DAY,
      { option: '7', turnover: 2_300, vat: 383, reversalTurnover: 100, reversalVat: 17 },
      '7;         23.00;          3.83;          1.00;          0.17;',
    ],
    ['c4', DAY, { option: '9', signature: SIGNATURE }, `9;${SIGNATURE};`],
    ['c4', OPERATOR, { option: '1', operator: 2, ...COUNTED }, `1;2;${COUNTED_WIDE};`],
    ['c4', OPERATOR, { option: '4', operator: 12, ...FIVE }, `4;12;${FIVE_WIDE};`],
    ['c4', LAST_DOCUMENT, { document: 7 }, '0007;'],
    ['c4', LAST_DOCUMENT, { document: 12_345 }, '12345;'],
    ['c6', LAST_DOCUMENT, { document: 7 }, '000007'],
    ['cr', LAST_DOCUMENT, { document: 7 }, '0007;0000007'],
    ['cr', LAST_DOCUMENT, { document: 12_345 }, '2345;0012345'],
    ['c4', LAST_Z, { day: '2025-07-14', number: 7, ramResets: 2 }, '14-07-2025;0007;0002;'],
    ['c4', LAST_Z, { number: 0, ramResets: 0 }, '00-00-0000;0000;0000;'],
    [
      'c6',
      LAST_Z,
      {
        ...{ day: '2025-07-14', number: 7, ramResets: 2 },
        ...{ receipts: 12, lastReceiptAt: '2025-07-14T09:00:00', journal: 3, lastType: 4 },
      },
      `14-07-2025;0007;0002;000012;${AT};3;4`,
    ],
    [
      'c6',
      LAST_Z,
      { number: 0, ramResets: 0, receipts: 0, journal: 1, lastType: 0 },
      `00-00-0000;0000;0000;000000;${NO_TIME};1;0`,
    ],
  ])('of %s to %i with %j is %j when written, and is read back', (edition, code, values, data) => {
    expect(answer(edition, code).write(values, page)).toBe(data)
    expect(answered(edition, code, data)).toStrictEqual(values)
  })

  it.each<readonly [EditionName, number, string, unknown]>([
    ['c4', DAY, `0;${FIVE_WIDE}`, { option: '0', ...FIVE }],
    ['c4', DAY, '0;1;2;0;0;-0.50;', { option: '0', ...FIVE }],
    ['c4', DAY, `8;${FIVE_WIDE};`, 'syntax'],
    ['c4', DAY, `0;${wide('1.00', '2.00')};`, 'syntax'],
    ['c4', DAY, `0;${FIVE_WIDE};${wide('1.00')};`, 'syntax'],
    ['c4', DAY, '', 'syntax'],
    ['c4', OPERATOR, `4;${FIVE_WIDE};`, 'syntax'],
    ['c4', LAST_DOCUMENT, '0007', { document: 7 }],
    ['c6', LAST_DOCUMENT, '000007;', { document: 7 }],
    ['c4', LAST_DOCUMENT, 'x', 'syntax'],
    ['c4', LAST_DOCUMENT, '7;7;7', 'syntax'],
    ['c4', LAST_Z, '31-02-2025;0007;0002;', 'syntax'],
  ])('of %s to command %i is accepted only in the published form: %j', (edition, code, data, expected) => {
    expect(answered(edition, code, data)).toStrictEqual(expected)
  })

  const counted = { count: 'own number', sum: 'own money' }
  const registers = {
    ...{
      payments: 'own money',
      customers: 'own number',
      discounts: counted,
      surcharges: counted,
      corrections: counted,
    },
    ...{ ...counted, reports: 'own number', lastBlock: 'own number', journal: 'own number', at: 'own time' },
    ...{ turnover: 'own money', vat: 'own money', reversalTurnover: 'own money', reversalVat: 'own money' },
    signature: 'own text',
  }
  it.each<readonly [number, object]>([
    [DAY, registers],
    [OPERATOR, { operator: 'number', ...registers }],
    [LAST_DOCUMENT, { document: 'own number' }],
    [
      LAST_Z,
      {
        ...{ day: 'own time', number: 'own number', ramResets: 'own number', receipts: 'own number' },
        ...{ lastReceiptAt: 'own time', journal: 'own number', lastType: 'own number' },
      },
    ],
  ])('to command %i has the documented members: %j', (code, units) => {
    expect(unitsOf(answer('c4', code).fields)).toEqual(units)
  })
})

describe('an answer about the receipt', () => {
  it.each<readonly [EditionName, string, object, string]>([
    [
      'c4',
      '',
      { ...CLOSED, turnover: Array(8).fill(0) },
      `0;000;${wide('0.00', '0.00', '0.00')};0;0;0;0;0;0;0;${wide('0.00')};0;${wide(...Array(5).fill('0.00'))};`,
    ],
    [
      'c4',
      '',
      { ...PAID, turnover: EIGHT },
      `1;002;${wide('1.00', '2.00', '3.00')};1;0;1;0;1;0;1;${wide('1.50')};2;${LATER};`,
    ],
    [
      'c6',
      '',
      { ...PAID, turnover: EIGHT, current: 7 },
      '1;002;1.00;2.00;3.00;1;0;1;0;1;0;1;1.50;2;4.00;5.00;6.00;7.00;8.00;000007',
    ],
    // Edition cr has five tax classes first, and other taxes at the end.
    ['cr', '', { ...PAID, turnover: EIGHT.slice(0, 6) }, '1;002;1.00;2.00;3.00;4.00;5.00;1;0;1;0;1;0;1;1.50;2;6.00;'],
    ['c4', 'P', { open: true, ...FIVE }, `P;1;${FIVE_WIDE}`],
    ['c4', 'P', { open: false, ...FIVE }, `P;0;${FIVE_WIDE}`],
    [
      'c4',
      'B',
      { memory: '50123456', document: 7, at: '2025-07-14T09:00:00', amount: 250 },
      '50123456*000007*2025-07-14*09:00:00*2.50',
    ],
  ])('of %s to 72h %j with %j is %j when written, and is read back', (edition, ask, values, data) => {
    expect(answer(edition, RECEIPT, ask).write(values, page)).toBe(data)
    expect(answered(edition, RECEIPT, data, ask)).toStrictEqual(values)
  })

  it.each<readonly [EditionName, string, unknown]>([
    ['c4', `0;0;1;2;3;${NINE_ZEROS};4;5;6;7;8`, { ...CLOSED, turnover: EIGHT }],
    ['c6', `0;0;1;2;3;${NINE_ZEROS};4;5;6;7;8`, { ...CLOSED, turnover: EIGHT }],
    // Only c6 reports the number of the receipt.
    ['c4', `0;0;1;2;3;${NINE_ZEROS};4;5;6;7;8;000007;`, 'syntax'],
    ['c6', `0;0;1;2;3;${NINE_ZEROS};4;5;6;7;8;x`, 'syntax'],
    ['c4', `0;0;1;2;3;${NINE_ZEROS};4;5;6;7`, 'syntax'],
    ['c4', `2;0;1;2;3;${NINE_ZEROS};4;5;6;7;8`, 'syntax'],
    ['c4', '0', 'syntax'],
  ])('of %s to 72h is accepted only in the published form: %j', (edition, data, expected) => {
    expect(answered(edition, RECEIPT, data)).toStrictEqual(expected)
  })

  it('has zeros in c6 if the device reports no sums', () => {
    expect(answer('c6', RECEIPT).write({ ...CLOSED, turnover: EIGHT }, page)).toMatch(/;8\.00;000000$/)
  })

  it.each<readonly [string, object]>([
    [
      '',
      {
        ...{ sales: 'own number', turnover: 'own money', type: 'own number', change: 'own money' },
        ...{ changeType: 'own number', current: 'own number', vatPrinted: 'own choice', detailed: 'own choice' },
      },
    ],
    ['P', { payments: 'own money' }],
    ['B', { memory: 'own text', document: 'own number', at: 'own time', amount: 'own money' }],
  ])('to 72h %j has the documented members: %j', (ask, units) => {
    expect(unitsOf(answer('c4', RECEIPT, ask).fields)).toEqual(units)
  })
})
