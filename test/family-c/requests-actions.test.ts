/** Requests of family C that act on a device, and requests that are refused: sheet C 4.2, 4.4, 4.5 and 4.14. */
import { describe, expect, it } from 'vitest'
import type { EditionName } from '../../drivers/family-c/protocol/edition.ts'
import { withResult } from '../support/verdict-rows.ts'
import { declared, page, readRequest, unitsOf } from './layouts.ts'

const request = (edition: EditionName, code: number, data = '') => declared(edition, code, data).request

const ACTIVE_LOGO = 0x23
const DISPLAY = 0x25
const OPEN = 0x2e
const BARCODE = 0x51
const LOGO = 0x6c
const REGISTERS = 0x6e
const OPERATOR_REGISTERS = 0x6f
const RECEIPT = 0x72

const CASHIER = { operator: 1, password: '0000' }
const EAN = { type: '2', data: '594123456789' }

describe('a request of family C', () => {
  it.each<readonly [EditionName, number, object, string]>([
    ['c4', ACTIVE_LOGO, { logo: '3' }, '3'],
    ['c4', ACTIVE_LOGO, { logo: '?' }, '?'],
    ['c4', DISPLAY, { text: 'Welcome' }, 'Welcome             '],
    ['c4', OPEN, CASHIER, '1;0000'],
    ['c4', OPEN, { ...CASHIER, journal: 'J' }, '1;0000;J'],
    ['c4', OPEN, { ...CASHIER, journal: '0' }, '1;0000;0'],
    ['c4', OPEN, { ...CASHIER, print: '1' }, '1;0000;1'],
    ['c4', OPEN, { ...CASHIER, journal: '0', print: '0' }, '1;0000;0;0'],
    ['c4', OPEN, { ...CASHIER, journal: 'J', print: '1' }, '1;0000;J;1'],
    ['c6', OPEN, { operator: 20, password: '123456', journal: '0', print: '1' }, '20;123456;0;1'],
    ['cr', OPEN, { ...CASHIER, print: '0' }, '1;0000;0'],
    ['cr', OPEN, { ...CASHIER, print: '1' }, '1;0000;1'],
    ['c4', BARCODE, EAN, 'P;2;12;594123456789'],
    ['c4', BARCODE, { ...EAN, center: true }, 'P;2;12;594123456789;1'],
    ['c4', BARCODE, { ...EAN, center: false }, 'P;2;12;594123456789;0'],
    ['c4', BARCODE, { type: 'I', data: 'a;b' }, 'P;I;3;a;b'],
    ['c4', LOGO, { logo: 7 }, '7'],
    ['c4', LOGO, {}, ''],
    ['c4', REGISTERS, { option: ':' }, ':'],
    ['c4', OPERATOR_REGISTERS, { option: '6', operator: 20 }, '6;20'],
    ['c6', RECEIPT, {}, 'P'],
    ['c6', RECEIPT, { document: 7 }, 'b;000007'],
    ['c6', RECEIPT, {}, 'B'],
    ['c6', RECEIPT, { document: 7 }, 'e;000007'],
    ['c6', RECEIPT, { document: 7, size: '2' }, 'E;000007;2'],
  ])('of %s by %i with %j is %j when written, and is read back', (edition, code, values, data) => {
    expect(request(edition, code, data).write(values, page)).toBe(data)
    expect(readRequest(edition, code, data)).toStrictEqual(values)
  })

  it.each(
    withResult<readonly [EditionName, number, string, unknown]>([
      ['c4', ACTIVE_LOGO, 'x', 'syntax'],
      ['c4', ACTIVE_LOGO, '10', 'syntax'],
      ['c4', ACTIVE_LOGO, '', 'syntax'],
      // A single option after the password selects the journal in c4 and the print in cr.
      ['cr', OPEN, '1;0000;J', { ...CASHIER, journal: 'J' }],
      ['cr', OPEN, '1;0000;0;0', { ...CASHIER, journal: '0', print: '0' }],
      ['c4', OPEN, '01;0000  ;J', { ...CASHIER, journal: 'J' }],
      ['c4', OPEN, '1;0000;1;0', 'syntax'],
      ['c4', OPEN, '1;0000;0;J', 'syntax'],
      ['c4', OPEN, '1;0000;0;0;', 'syntax'],
      ['c4', OPEN, '1;0000;0;0;0', 'syntax'],
      ['c4', OPEN, '1;0000;2', 'syntax'],
      ['c4', OPEN, '1;0000;', 'syntax'],
      ['c4', OPEN, '1;0000000', 'syntax'],
      ['c4', OPEN, '21;0000', 'syntax'],
      ['c4', OPEN, '1', 'syntax'],
      // A type of barcode has its own lengths and characters, and two codes.
      ['c4', BARCODE, 'P;C;13;5941234567890', { type: 'C', data: '5941234567890' }],
      ['c4', BARCODE, 'P;A;11;12345678901', { type: 'A', data: '12345678901' }],
      ['c4', BARCODE, 'P;E;5;AB-12', { type: 'E', data: 'AB-12' }],
      ['c4', BARCODE, 'P;2;11;59412345678', 'syntax'],
      ['c4', BARCODE, 'P;2;14;59412345678901', 'syntax'],
      ['c4', BARCODE, 'P;2;12;59412345678x', 'syntax'],
      ['c4', BARCODE, 'P;5;3;123', 'syntax'],
      ['c4', BARCODE, 'P;4;2;ab', 'syntax'],
      ['c4', BARCODE, 'P;J;3;123', 'syntax'],
      ['c4', BARCODE, 'P;2;12;5941234567890', 'syntax'],
      ['c4', BARCODE, 'P;2;12;594123456789;2', 'syntax'],
      ['c4', BARCODE, 'P;2;12;594123456789x;1', 'syntax'],
      ['c4', BARCODE, 'P;2;12;594123456789;1x', 'syntax'],
      ['c4', BARCODE, 'P;2;012;594123456789', 'syntax'],
      ['c4', BARCODE, 'xP;2;12;594123456789', 'syntax'],
      ['c4', BARCODE, 'P;H;2;ab\n', 'syntax'],
      ['c4', BARCODE, '', 'syntax'],
      // The older forms select the barcode at the end of receipts.
      ['c4', BARCODE, 'E', { type: 'E', data: '' }],
      ['c4', BARCODE, 'D', { type: 'D', data: '' }],
      ['c4', BARCODE, 'G', 'syntax'],
      ['c4', BARCODE, 'F;ddmmyyNNNNPP', { type: 'F', data: 'ddmmyyNNNNPP' }],
      ['c4', BARCODE, 'F;ddmmyyNNNNP', 'syntax'],
      ['c4', BARCODE, 'F;ddmmyyNNNNPPP', 'syntax'],
      ['c4', BARCODE, 'xF;ddmmyyNNNNPP', 'syntax'],
      ['c4', LOGO, '100', 'syntax'],
      ['c4', REGISTERS, '8', 'syntax'],
      ['c4', OPERATOR_REGISTERS, '7;1', 'syntax'],
      ['c4', OPERATOR_REGISTERS, '1;21', 'syntax'],
      ['c6', RECEIPT, 'P;1', 'syntax'],
      ['c6', RECEIPT, 'b;0', 'syntax'],
      ['c6', RECEIPT, 'B;7', 'syntax'],
      ['c6', RECEIPT, 'e;7;2', 'syntax'],
      ['c6', RECEIPT, 'E;7;22', 'syntax'],
      ['c6', RECEIPT, 'E;7', 'syntax'],
    ]),
  )('is %s on %s by command %i: %j', (_result, edition, code, data, expected) => {
    expect(readRequest(edition, code, data)).toStrictEqual(expected)
  })

  it('does not mention the journal for a device of cr', () => {
    expect(request('cr', OPEN).write({ ...CASHIER, journal: '0', print: '1' }, page)).toBe('1;0000;1')
  })

  it.each<readonly [number, string, object]>([
    [ACTIVE_LOGO, '', { logo: 'choice' }],
    [OPEN, '', { operator: 'number', password: 'text' }],
    [BARCODE, '', { type: 'choice', data: 'text' }],
    [OPERATOR_REGISTERS, '', { option: 'choice', operator: 'number' }],
    [RECEIPT, 'B', { document: 'number' }],
    [RECEIPT, 'e', { document: 'number', size: 'text' }],
  ])('by command %i%s has the documented members: %j', (code, data, units) => {
    expect(unitsOf(request('c4', code, data).fields)).toEqual(units)
  })
})
