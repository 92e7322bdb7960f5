/** The meaning of the data that open a fiscal receipt of family C, and data that are refused: sheet C 4.7. */
import { describe, expect, it } from 'vitest'
import { printType } from '../../drivers/family-c/protocol/commands/receipt.ts'
import { withResult } from '../support/verdict-rows.ts'
import { declared, readRequest, withoutUnit, written } from './layouts.ts'

const OPEN = 0x30
const HEAD = { operator: 1, password: '000000', detailed: false, vat: false }
const FREE = ['Company', 'Buyer', '123', '456', 'Street']
const INVOICE = { ...HEAD, print: '1', customer: FREE }
const PADDED = [
  'Company                   ',
  'Buyer           ',
  '123          ',
  '456          ',
  'Street                        ',
].join(';')
const LINES = ['RO123', 'Ana', 'one', 'two', 'three', 'four', 'Street']
const PADDED_LINES = [
  'RO123          ',
  'Ana                           ',
  'one                 ',
  'two                 ',
  'three               ',
  'four                ',
  'Street                        ',
].join(';')
const STORNO = { reason: 1, related: '203', at: '10-04-23 21:54:02', memory: '36940032' }
const CREDIT = { ...STORNO, invoice: '0000000035' }
const REFUNDED = { ...HEAD, print: '@', reversal: STORNO }
const CREDITED = { ...HEAD, print: 'A', customer: FREE, idType: 2, reversal: CREDIT }
const URN = 'ZK123456-0001-0000001'

const opening = '1;000000;0;0'
const storno = `${opening};@`
const credit = `${opening};A;Company;Buyer;123;456;Street;2`

describe('a command of family C that opens a receipt', () => {
  it.each<readonly ['c4' | 'c6' | 'cr', object, string]>([
    ['c6', { operator: 20, password: '1' }, '20;1     '],
    ['c6', { ...HEAD, detailed: true }, '1;000000;1;0'],
    ['c6', { ...HEAD, vat: true, print: '4' }, '1;000000;0;1;4'],
    ['c6', { ...HEAD, print: '0', urn: URN }, `${opening};0$${URN}`],
    ['c4', { ...INVOICE, password: '0000' }, `1;0000;0;0;1;${PADDED}`],
    ['c6', { ...INVOICE, idType: 2 }, `${opening};1;${PADDED};2`],
    ['c6', { ...INVOICE, idType: 2, urn: URN }, `${opening};1;${PADDED};2$${URN}`],
    ['c6', { ...HEAD, print: '1', customerNumber: 12 }, `${opening};1;#0012`],
    ['c6', { ...HEAD, print: '1', customerNumber: 12, urn: URN }, `${opening};1;#0012$${URN}`],
    ['cr', { ...HEAD, password: '0000', print: '1', customer: LINES }, `1;0000;0;0;1;${PADDED_LINES}`],
    ['c6', REFUNDED, `${storno};1;203;10-04-23 21:54:02;36940032`],
    ['c6', { ...REFUNDED, urn: URN }, `${storno};1;203;10-04-23 21:54:02;36940032;${URN}`],
    ['c6', CREDITED, `${opening};A;${PADDED};2;1;0000000035;10-04-23 21:54:02;203;36940032`],
    ['c6', { ...CREDITED, urn: URN }, `${opening};A;${PADDED};2;1;0000000035;10-04-23 21:54:02;203;36940032;${URN}`],
  ])('on %s with %j is %j when written, and is read back', (edition, values, data) => {
    expect(written(edition, OPEN, values, data)).toBe(data)
    expect(readRequest(edition, OPEN, data)).toStrictEqual(values)
    expect(withoutUnit(values, declared(edition, OPEN, data).request.fields)).toEqual([])
  })

  it('pads the unknown fields of a customer', () => {
    expect(written('c6', OPEN, { ...INVOICE, customer: ['Company'] })).toBe(
      `${opening};1;Company                   ;${' '.repeat(16)};${' '.repeat(13)};${' '.repeat(13)};${' '.repeat(30)}`,
    )
  })

  it.each(
    withResult<readonly [string, unknown]>([
      // An invoice has no customer fields, five, five with the type of a number, or the number of a programmed customer.
      ['1;000000;0;0;1', { ...HEAD, print: '1' }],
      [`${opening};1;Company;Buyer;123;456;Street`, INVOICE],
      [`${opening};1;Company;Buyer;123;456;Street;`, INVOICE],
      [`${opening};1;Company;Buyer;123;456`, 'syntax'],
      [`${opening};1;${'x'.repeat(27)};Buyer;123;456;Street`, 'syntax'],
      [`${opening};1;Company;Buyer;123;456;Street;x`, 'syntax'],
      [`${opening};1;Company;Buyer;123;456;Street;12`, 'syntax'],
      [`${opening};1;RO123;Ana;one;two;three;four;Street`, { ...INVOICE, customer: LINES }],
      [`${opening};1;${'x'.repeat(16)};Ana;one;two;three;four;Street`, 'syntax'],
      [`${opening};1;#0001`, { ...HEAD, print: '1', customerNumber: 1 }],
      [`${opening};1;#1000`, { ...HEAD, print: '1', customerNumber: 1_000 }],
      [`${opening};1;#0000`, 'syntax'],
      [`${opening};1;#1001`, 'syntax'],
      [`${opening};1;#1.5`, 'syntax'],
      [`${opening};1;#x`, 'syntax'],
      [`${opening};1;#`, 'syntax'],
      // A reversal names the reversed document.
      [`${storno};1;203;10-04-23 21:54:02;36940032;`, REFUNDED],
      [
        `${storno};0;000203;10-04-23 21:54:02;36940032`,
        { ...REFUNDED, reversal: { ...STORNO, reason: 0, related: '000203' } },
      ],
      [`${storno};2;10;10-04-23 21:54:02;36940032`, { ...REFUNDED, reversal: { ...STORNO, reason: 2, related: '10' } }],
      [`${storno};3;203;10-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;x203;10-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;203x;10-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;1234567;10-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;000;10-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;;10-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;203; 10-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54:02 ;36940032`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54;36940032`, 'syntax'],
      [`${storno};1;203;31-04-23 21:54:02;36940032`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54:02;x36940032`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54:02;36940032x`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54:02;3694003`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54:02`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54:02;36940032;${'1'.repeat(25)}`, 'syntax'],
      [`${storno};1;203;10-04-23 21:54:02;36940032;${URN};1`, 'syntax'],
      [storno, { ...HEAD, print: '@' }],
      [`${credit};1;x0000000035;10-04-23 21:54:02;203;36940032`, 'syntax'],
      [`${credit};1;0000000035x;10-04-23 21:54:02;203;36940032`, 'syntax'],
      [`${credit};1;35;10-04-23 21:54:02;203;36940032`, 'syntax'],
      [`${credit};1;0000000000;10-04-23 21:54:02;203;36940032`, 'syntax'],
      [`${credit};1;0000000035;10-04-23 21:54:02;x203;36940032`, 'syntax'],
      [`${credit};1;0000000035;10-04-23 21:54:02;203x;36940032`, 'syntax'],
      [`${credit};1;0000000035;10-04-23 21:54:02;36940032`, 'syntax'],
      // The options and the print type are one symbol each.
      ['1;000000;10;0;0', 'syntax'],
      ['1;000000;21;0;0', 'syntax'],
      ['1;000000;0;2;0', 'syntax'],
      [`${opening};01`, 'syntax'],
      [`${opening};`, 'syntax'],
      [`$${URN}`, 'syntax'],
    ]),
  )('is %s: %j', (_result, data, expected) => {
    expect(readRequest('c6', OPEN, data)).toStrictEqual(expected)
  })

  it.each([
    ['12;000000;0;0;0', 'openFiscal'],
    [`${opening};1;A;Buyer;123;456;Street`, 'openFiscal'],
    ['1;000000;0;0;A1', 'openFiscal'],
    ['12;000000;0;0;@', 'openReversal'],
    ['1;;;;@', 'openReversal'],
    ['1;000000;00;00;E', 'openReversal'],
    [`${opening};@$${URN}`, 'openReversal'],
    [`${storno};1;203;10-04-23 21:54:02;36940032`, 'openReversal'],
  ])('belongs to a kind of opening: %j belongs to %s', (data, name) => {
    expect(declared('c6', OPEN, data).name).toBe(name)
  })

  it.each<readonly [string, readonly string[]]>([
    ['0', []],
    ['1', ['invoice']],
    ['2', ['postponed']],
    ['3', ['invoice', 'postponed']],
    ['4', ['buffered']],
    ['5', ['invoice', 'buffered']],
    ['8', ['electronic']],
    ['9', ['invoice', 'electronic']],
    ['@', ['reversal']],
    ['A', ['invoice', 'reversal']],
    ['B', ['postponed', 'reversal']],
    ['C', ['invoice', 'postponed', 'reversal']],
    ['D', ['buffered', 'reversal']],
    ['E', ['invoice', 'buffered', 'reversal']],
  ])('has the print type %j for %j', (symbol, set) => {
    const type = printType(symbol)
    expect(Object.entries(type).flatMap(([name, is]) => (is ? [name] : []))).toEqual(set)
  })
})
